#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Everything that CONTRIBUTING.md shows works: each block of code is added to a
# copy of the source, the files that know of it are compiled, and linked with the
# others as they were built, and each command is run with these programs.
set -eu
build=$(cd "$(dirname "$1")" && pwd)
native=${2-}
tree=$PWD
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail() { echo "CONTRIBUTING.md: $*" >&2; exit 1; }
[ -f "$build/build.ninja" ] && command -v ninja >/dev/null || {
    echo "the commands of the build are not ninja's"
    exit 77
}

# --- the blocks ---------------------------------------------------------------

# A block follows the name of its file, "`FILE`:" or "`FILE`, in `PLACE[]`:".
awk -v dir="$dir" '
    /^```c$/ { on = ++n; if (!file) { print "line " NR ": of no file"; bad = 1 }
        print file, place > (dir "/blocks"); next }
    /^```$/ && on { on = 0; file = place = ""; next }
    on { print > (dir "/block." on); next }
    /^```/ { print "line " NR ": another kind of block"; bad = 1 }
    /^`[^`]+`(, in `[^`]+`)?:$/ { split($0, part, "`"); file = part[2]
        place = part[4]; next }
    /[^ ]/ { file = "" }
    END { exit bad }' CONTRIBUTING.md >"$dir/out" || fail "$(cat "$dir/out")"
[ "$(grep -c '^```' CONTRIBUTING.md)" = $((2 * $(wc -l <"$dir/blocks"))) ] ||
    fail "a block has no end"

copy=$dir/copy
mkdir "$copy"
git ls-files >"$dir/files" 2>/dev/null || find . -path ./build -prune -o -type f -print |
    sed 's|^\./||' >"$dir/files"
grep -E '^(base|platforms|sim|workloads|strategies|validate|cli)/.*\.(h|def)$' \
    "$dir/files" | tar -cT - | tar -xC "$copy"

# Adds a block to its file. A runtime takes the place of the last one, because
# with one more a machine is larger, and everything is to be compiled.
new=
changed=
n=0
while read -r file place; do
    n=$((n + 1)) block=$dir/block.$n
    case $file in
    *runtimes.def) sed -i "\$d" "$copy/$file" && cat "$block" >>"$copy/$file" ;;
    *.def) cat "$block" >>"$copy/$file" ;;
    *.h) sed -i "\$e cat $block" "$copy/$file" ;;
    *)
        if [ -n "$place" ]; then
            sed "/^[^/]*${place%'[]'}\\[\\] = {\$/r $block" "$file" >"$copy/$file"
            changed="$changed $file"
        else
            [ ! -e "$file" ] || fail "$file is there"
            cp "$block" "$copy/$file"
            new="$new $file"
        fi
        ;;
    esac
    [ ! -e "$file" ] || ! cmp -s "$file" "$copy/$file" || fail "$file has no place for its block"
    case $file in # the files that include a list
    *.def)
        changed="$changed $(grep -E '\.c$' "$dir/files" | xargs grep -lF "#include \"$file\"")"
        ;;
    esac
done <"$dir/blocks"

# --- compiled and linked as the build does it ---------------------------------

targets="sluice ${native:+sluice-native}"
ninja -C "$build" -t commands $targets >"$dir/commands"
objects=
compile() { # a file, and one that is compiled like it
    local object=$dir/${1//\//_}.o
    [ -e "$copy/$1" ] || cp "$1" "$copy/$1"
    flags=$(grep -F " -c $tree/$2" "$dir/commands" | head -1 |
        sed -E "s# -o [^ ]+##; s# -c [^ ]+##; s# -M[A-Z]+( [^ -][^ ]*)?##g; s#-I$tree( |\$)#-I$copy #; s#^ccache ##")
    [ -n "$flags" ] || fail "no command compiles $2"
    (cd "$build" && eval "$flags -Werror -o $object -c $copy/$1") || fail "$1 does not compile"
    case $1 in
    cli/*) own="$own $object" ;;
    *) objects="$objects $object" ;;
    esac
}
own=
for file in $(printf '%s\n' $changed | sort -u); do
    compile "$file" "$file"
done
for file in $new; do # like any other of its folder
    near=$(grep -oE " -c $tree/$(dirname "$file")/[a-z_0-9]+\.c( |\$)" "$dir/commands" | head -1)
    near=${near# -c "$tree/"}
    compile "$file" "${near% }"
done

link() { # target of the build, more objects
    command=$(ninja -C "$build" -t commands "$1" | tail -1)
    case $command in
    *" -o $1 "*) ;;
    *) fail "no command links $1: $command" ;;
    esac
    command=$(sed -E "s# CMakeFiles/sluice\.dir/cli/main\.c\.o # #" <<<"$command")
    (cd "$build" && eval "${command/ -o $1 /$2 -o $dir/bin/$1 }")
}
mkdir "$dir/bin"
link sluice "$objects $own"
[ -z "$native" ] || link sluice-native "$objects"

# --- the commands -------------------------------------------------------------

# Commands are indented by four blanks, outside of blocks.
awk '/^```/ { on = !on } !on && /^    (sluice|mpirun|printf) / { print substr($0, 5) }' \
    CONTRIBUTING.md >"$dir/run"
[ "$(wc -l <"$dir/run")" -ge 10 ] || fail "commands: $(cat "$dir/run")"
PATH=$dir/bin:$PATH
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1
mkdir -p "$dir/there/platforms" "$dir/there/workloads"
cd "$dir/there"
ln -s "$tree/workloads/data" workloads/data
cp "$tree/tests/data/nccl_h200_x2.xml" node.xml
while read -r line; do
    case $line in
    mpirun*) [ -n "$native" ] && command -v mpirun >/dev/null || continue ;;
    *token.csv*) [ -e token.csv ] || continue ;;
    esac
    timeout 60 bash -c "set -e; $line" >"$dir/out" 2>&1 </dev/null ||
        fail "$line: $(cat "$dir/out")"
    # A command shows the name that it was given.
    for word in leader/staged star moves gasnet ring:100000 token; do
        case $line in
        *printf*|*mpirun*) ;;
        *"$word"*) grep -q "$word" "$dir/out" || fail "$line: no $word: $(cat "$dir/out")" ;;
        esac
    done
done <"$dir/run"
