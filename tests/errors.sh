#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What an error looks like: one line, no control characters, the place in the
# source only when it is asked for; and memory that is not there.
sluice=$1
failed=0
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

expect() { # what command...: it succeeds
    local what=$1
    shift
    "$@" || { echo "failed: $what" >&2; cat "$dir/err" >&2; failed=1; }
}

# code arguments...: standard error goes to $dir/err, one line without control
# characters.
ends() {
    local want=$1 got
    shift
    "$sluice" "$@" >"$dir/out" 2>"$dir/err"
    got=$?
    expect "$*: exit code $got, expected $want" [ $got = "$want" ]
    expect "$*: nothing on standard output" [ ! -s "$dir/out" ]
    expect "$*: one line" [ "$(wc -l <"$dir/err")" = 1 ]
    expect "$*: no control characters" \
        bash -c "! tr -d '\n' <'$dir/err' | grep -qaP '[\x00-\x1f\x7f]'"
}

# --- the place in the source ---------------------------------------------------
place='\[[a-z_/]*\.c:[0-9]*\]$'
ends 2 show platform nowhere
expect "user and place only" bash -c "! grep -q '$place' '$dir/err'"
for how in "--debug show platform nowhere" "show --debug platform nowhere" \
    "show platform nowhere --debug"; do
    # shellcheck disable=SC2086
    ends 2 $how
    expect "$how: the place in the source" grep -q "$place" "$dir/err"
done
export SLUICE_DEBUG=1
ends 2 show platform nowhere
expect "SLUICE_DEBUG: the place in the source" grep -q "$place" "$dir/err"
export SLUICE_DEBUG=
ends 2 show platform nowhere
expect "SLUICE_DEBUG empty" bash -c "! grep -q '$place' '$dir/err'"
unset SLUICE_DEBUG
"$sluice" run --help >"$dir/out"
expect "--debug in the help" grep -q -- --debug "$dir/out"
# The work failed, too.
"$sluice" list >/dev/full 2>"$dir/err"
expect "work: exit code" [ $? = 1 ]
expect "work: no place" bash -c "! grep -q '$place' '$dir/err'"

# --- near names ----------------------------------------------------------------
while read -r near command; do
    # shellcheck disable=SC2086
    ends 2 $command
    expect "$command: did you mean $near" \
        grep -qF "(did you mean $near?)" "$dir/err"
done <<'EOF'
run rum
run rnu
--version version
platform show platfrm duo
matrix show matrx x
duo show platform du
platforms list platfrms
strategies list strategis
2.5 figure 2.55
lockhart figure lockhrt
exchange bench exchang
--json show platform duo --jsn
--platform export --platfrom x
EOF

# A list that would fill lines is left to the command that prints it.
for command in "show platform nowhere" "show strategy nothing" "figure nothing" \
    "run --workload nothing:x" \
    "run --workload allreduce:bytes=8 --nodes 2 --algorithm nothing"; do
    # shellcheck disable=SC2086
    ends 2 $command
    expect "$command: at most 120 characters" \
        [ "$(wc -c <"$dir/err")" -le 120 ]
    expect "$command: the command that lists them" \
        grep -qE '; all: sluice (list [a-z]+|figure --help)$' "$dir/err"
done

# --- control characters --------------------------------------------------------
esc=$(printf '\033]0;owned\007')
ends 2 "$esc"
expect "escaped" grep -qF '\x1b]0;owned\x07' "$dir/err"
ends 2 show platform "$esc"
ends 2 run --platform lassen --workload "$esc"
ends 2 run --platform lassen --workload "random:rows=$esc"
ends 2 run --platform lassen --strategy "$(printf 'a\nb')" \
    --workload stencil:5pt:8x8
ends 2 run --platform lassen "--$esc"
printf '{"a": "x\033y"}' >"$dir/esc.json"
ends 2 show platform "$dir/esc.json"
printf '{"\\u001b[31m": 1}' >"$dir/key.json"
ends 2 show platform "$dir/key.json"
# Escapes of JSON are the characters that they stand for.
expect "key: where" grep -q 'key.json: a key: control character' "$dir/err"
for name in 'a\nb' 'a\u001b[31mb' 'a\u007fb' 'a\tb' 'a\u009bb'; do
    ends 2 show platform duo --set "name=\"$name\""
    expect "$name" grep -q "name=.*: control character" "$dir/err"
done
sed 's/"format": 1,/"format": 1, "about": "a\\rb",/' platforms/duo.json \
    >"$dir/about.json"
ends 2 show platform "$dir/about.json"
ends 2 show platform duo --set "name=$(printf 'a\001b')"
expect "argument" grep -qF 'argument 5' "$dir/err"
ends 2 show platform "$(printf 'a\377b')"
expect "no UTF-8" grep -qF 'not UTF-8: \xff' "$dir/err"
# A table's cells and comments.
printf 'a,b\n1,\033[31m\n' >"$dir/cells.csv"
ends 2 validate --against "$dir/cells.csv"
expect "cell" grep -qF 'cells.csv:2: this line: control character' "$dir/err"
printf '# \033[31m\na,b\n1,2\n' >"$dir/cells.csv"
ends 2 validate --against "$dir/cells.csv"
expect "comment" grep -qF 'cells.csv:1: this line: control character' "$dir/err"
printf 'a,b\n1\0009,2\n' >"$dir/cells.csv"
ends 2 validate --against "$dir/cells.csv"
expect "0 byte" grep -qF 'cells.csv:2: a 0 byte' "$dir/err"
printf '%%%%MatrixMarket matrix coordinate \033[31m general\n1 1 1\n1 1 1\n' \
    >"$dir/esc.mtx"
ends 2 show matrix "$dir/esc.mtx"
printf '%%%%MatrixMarket matrix coordinate real general\n1 1 1\n1 \033[31m 1\n' \
    >"$dir/esc2.mtx"
ends 2 show matrix "$dir/esc2.mtx"

# --- memory --------------------------------------------------------------------
# In this process and in a child that simulates: one line.
hungry() { # KiB arguments...
    local limit=$1
    shift
    (
        ulimit -v "$limit"
        exec timeout 120 "$sluice" "$@" >"$dir/out" 2>"$dir/err"
    )
    expect "$*: exit code" [ $? = 1 ]
    expect "$*: one line" [ "$(wc -l <"$dir/err")" = 1 ]
    expect "$*: says so" grep -qE 'out of memory: wanted [0-9]+ bytes$' "$dir/err"
}
case $(ldd "$sluice") in
*asan*) ;; # its shadow needs more than any limit
*)
    hungry 400000 run --platform lassen \
        --workload bfs:rmat:scale=24,edge_factor=16
    ;;
esac
exit $failed
