# SPDX-License-Identifier: GPL-3.0-or-later
# validate/testbed: where ranks are, which way bytes go and how fast, what is
# refused, and that nothing stays behind, however it ends.
set -eu
testbed=validate/testbed
probe=${MPI_PROBE-}
folder=$(mktemp -d)
a=test$$a b=test$$b
clean() {
    for name in $a $b; do
        $testbed down --name "$name" 2>/dev/null || :
    done
    rm -r "$folder"
}
trap clean EXIT

wrong() {
    echo "testbed: $*" >&2
    cat "$folder/out" "$folder/err" >&2
    exit 1
}

# The exit code, a part of what is said, arguments.
ends() {
    code=$1 want=$2 got=0
    shift 2
    timeout 60 $testbed "$@" >"$folder/out" 2>"$folder/err" </dev/null || got=$?
    [ $got -eq "$code" ] || wrong "$*: expected exit code $code, got $got"
    [ -z "$want" ] || grep -qF -e "$want" "$folder/out" "$folder/err" ||
        wrong "$*: expected '$want'"
}

nothing_left() {
    ! ip netns list | grep "sluice-testbed.$1\." >"$folder/out" ||
        wrong "$2: namespaces left"
    [ ! -e "/run/sluice-testbed/$1" ] || wrong "$2: its folder is left"
    ! pgrep -af "sluice-testbed/$1/" >"$folder/out" ||
        wrong "$2: processes left"
    ! ls -d /tmp/ompi.node* /dev/shm/*.node* >"$folder/out" 2>/dev/null ||
        wrong "$2: files of Open MPI left"
}

# Starts a command that hangs on the testbed $1; its script is process $script.
start_hanging() {
    rm -f "$folder/started"
    env --default-signal=INT $testbed run --name "$1" --nodes 2 \
        --ranks-per-node 1 -- sh -c "touch $folder/started; sleep 50" \
        >"$folder/out" 2>"$folder/err" &
    script=$!
    for _ in $(seq 100); do
        [ ! -e "$folder/started" ] || return 0
        sleep 0.1
    done
    wrong "the hanging command did not start"
}

# What the testbed $1's node $2 sent so far, in bytes.
sent_B() {
    $testbed status --name "$1" | awk -F, -v n="$2" '$2 == n { print $4 }'
}

ends 0 'usage: testbed run' --help
ends 2 "expected run, up, exec, status or down, got 'start'" start
ends 2 "--nodes: expected a whole number from 1 to 64, got '65'" up --nodes 65
ends 2 "--rate: expected a number with one of kbit mbit gbit, got '5'" \
    up --rate 5
ends 2 "--rate: expected 100kbit to 100gbit, got '1kbit'" up --rate 1kbit
ends 2 "--name: expected letters" up --name ../x
ends 2 "exec does not take --nodes" exec --nodes 2 -- true
ends 2 "run: expected -- COMMAND" run --nodes 2
ends 2 "expected an option, got 'true'" run true

$testbed up --name "$a" --rate 200mbit 2>"$folder/err" || {
    code=$?
    cat "$folder/err"
    exit $code
}
[ -n "$probe" ] || { echo "no MPI to compile with" && exit 77; }
ends 0 '' up --name "$a" --rate 200mbit
ends 1 'with other options' up --name "$a" --rate 100mbit
ends 0 '' up --name "$b" --nodes 2 --ranks-per-node 2 --rate 50mbit

# Where ranks are, on both testbeds.
ends 0 '' exec --name "$a" -- "$probe" where
sort -t, -k2n "$folder/out" >"$folder/where"
seq 0 15 | awk '{ printf "where,%d,node%d,4\n", $1, $1 / 4 }' |
    cmp - "$folder/where" || wrong "ranks are elsewhere"
ends 0 'where,3,node1,2' exec --name "$b" -- "$probe" where

# 8 MB from rank 0 to 1 pass no link; to rank 4, the link of node 0. Starting
# and ending a run costs some kB.
before=$(sent_B "$a" node0)
ends 0 all, exec --name "$a" -- "$probe" pairs 1 1 4000000 2
[ $(($(sent_B "$a" node0) - before)) -lt 200000 ] || wrong "on-node on the link"
before=$(sent_B "$a" node0)
ends 0 all, exec --name "$a" -- "$probe" pairs 4 4 2000000 2
sent=$(($(sent_B "$a" node0) - before))
[ $sent -gt 16000000 ] && [ $sent -lt 17500000 ] ||
    wrong "16 MB off node: the link carried $sent bytes"

# The rate is held: 200 and 50 Mbit/s, of which 1448 of 1514 bytes are MPI's.
# Where a host takes the CPUs away for more than 2 % of the time, half will do.
least=$(awk '$1 == "cpu" { for (i = 2; i <= 9; i++) all += $i; steal = $9 }
    END { print all, steal }' /proc/stat; sleep 1; awk '$1 == "cpu" {
    for (i = 2; i <= 9; i++) all += $i; print all, $9 }' /proc/stat)
least=$(echo $least | awk '{ print ($4 - $2 > 0.02 * ($3 - $1)) ? 0.5 : 0.9 }')
held() {
    awk -F, -v rate="$1" -v least="$least" '
        $1 == "all" { part = $3 / (rate / 8 * 1448 / 1514) }
        END { exit part < least || part > 1.1 }' "$folder/out" ||
        wrong "a rate of $1 bit/s is not held"
}
held 200e6
ends 0 all, exec --name "$b" -- "$probe" pairs 2 2 1000000 2
held 50e6
! $testbed status | awk -F, 'NR > 1 && $6 + $7' | grep . ||
    wrong "packets were dropped or sent again"

# How a command ends.
ends 7 '' exec --name "$b" -- sh -c 'exit 7'
ends 124 'killed after 1 s' exec --name "$b" --timeout 1 -- sleep 50
ends 0 node1 exec --name "$b" --ranks-per-node 1 -- hostname
ends 0 '' down --name "$b"
nothing_left "$b" down
ends 1 'no such testbed' exec --name "$b" -- true
got=0
$testbed run --latency 1ms --nodes 2 -- true 2>"$folder/err" || got=$?
[ $got -eq 0 ] || { [ $got -eq 77 ] && grep -q netem "$folder/err"; } ||
    wrong "--latency: exit code $got"

start_hanging "$b"
ends 1 'in use' down --name "$b"
kill -INT $script
got=0
wait $script || got=$?
[ $got -eq 130 ] || wrong "INT: exit code $got"
nothing_left "$b" INT

start_hanging "$b"
kill -KILL $script
wait $script 2>/dev/null || :
ends 0 '' down --name "$b"
nothing_left "$b" 'KILL and down'

# The first testbed is as it was.
ends 0 node3 exec --name "$a" -- hostname
ends 0 '' down --name "$a"
ends 0 '' down --name "$a"
nothing_left "$a" down
