#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What is installed works from another folder, moved to another prefix, with the
# source tree out of sight; manual pages and completion know every option.
set -eu
build=$(dirname "$1")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail() { echo "$*" >&2; exit 1; }

cmake --install "$build" --prefix "$dir/first" >"$dir/log"

# What ./demo builds is enough, without the native harness; of less nothing is
# installed, and a line says so.
grep -q '^build_release --target installed$' demo || fail "demo builds another"
if [ -f "$build/build.ninja" ] && command -v ninja >/dev/null; then
    ninja -C "$build" -t commands installed >"$dir/commands"
    for file in sluice libsluice.so.0.3.0 sluice_simgrid.so sluice_discover.so \
        sluice_traces.so man/sluice.1 man/sluice-run.1; do
        grep -qE -- "(-o|>) $file( |\$)" "$dir/commands" ||
            fail "installed: without $file"
    done
fi
install_without() { # a file of the build, as if it were not there
    sed "s#/$1\([\"; )]\)#/not-built/$1\1#g" "$build/cmake_install.cmake" \
        >"$dir/install.cmake"
    cmp -s "$build/cmake_install.cmake" "$dir/install.cmake" &&
        fail "$1 is not installed"
    cmake -DCMAKE_INSTALL_PREFIX="$dir/second" -P "$dir/install.cmake" \
        >"$dir/log" 2>&1
}
for file in libsluice.so.0.3.0 sluice_traces.so sluice.1; do
    install_without $file && fail "installed without $file"
    tr -s ' \n' ' ' <"$dir/log" | grep -q 'nothing was installed' ||
        fail "$(tail -3 "$dir/log")"
    [ ! -e "$dir/second" ] || fail "half installed without $file"
done
if grep -q sluice-native "$build/cmake_install.cmake"; then
    install_without sluice-native || fail "needs the native harness"
    [ -e "$dir/second/bin/sluice" ] || fail "not installed: sluice"
    [ ! -e "$dir/second/bin/sluice-native" ] || fail "installed: sluice-native"
fi
mv "$dir/first" "$dir/usr"
cat >"$dir/use" <<'E2'
set -eu
[ "$3" = . ] || mount -t tmpfs none "$3"
[ "$3" = . ] || [ ! -e "$3/CMakeLists.txt" ]
cd "$1"
"$2" list | grep -q lassen
"$2" run --platform lassen --workload stencil:9pt:300x300 --nodes 2 |
    grep -q 'split+md'
"$2" run --platform daisy --workload bfs:rmat:scale=8,edge_factor=8 \
    --strategy bsp | grep -q bsp
"$2" show platform el-capitan | grep -q 11136
"$2" run --platform duo --workload stencil:5pt:9x9 --json >run.json
"$2" report run.json -o report.html >/dev/null
grep -q '</html>' report.html
"$2" discover -o here.json 2>err || grep -q 'built without' err
[ ! -e here.json ] || "$2" show platform ./here.json | grep -q cpu0
"$2" claims A01 A53 F13 F14 I01 K17 L08 | grep -q "^A53  not testable"
"$2" figure 2.5 --out . >/dev/null
[ -s fig-2.5.svg ]
E2

# In a mount namespace the source tree is an empty folder.
hidden=$PWD apart="unshare -rm"
if ! $apart mount -t tmpfs none "$PWD" 2>/dev/null; then
    echo "no mount namespaces: the source tree stays in sight"
    hidden=. apart=
fi
$apart bash "$dir/use" "$dir" "$dir/usr/bin/sluice" "$hidden" ||
    fail "the installed program failed (source tree: $hidden)"

# Programs against the installed library, as their users build them; a library
# with sanitizers needs their runtime in the program too.
sanitize=
case $(ldd "$1") in
*asan*) sanitize=-fsanitize=address,undefined ;;
esac
export PKG_CONFIG_PATH
PKG_CONFIG_PATH=$(dirname "$(find "$dir/usr" -name sluice.pc)")
export LD_LIBRARY_PATH=$PKG_CONFIG_PATH/..
for program in fastest threads; do
    cc -std=c17 -Wall -Wextra -Wpedantic -Werror -pthread $sanitize \
        -o "$dir/$program" tests/library/$program.c \
        $(pkg-config --cflags --libs sluice)
done
c++ -Wall -Wextra -Wpedantic -Werror -fsyntax-only -x c++ \
    "$dir/usr/include/sluice.h"
faster=network.bandwidth_GBps=50
read -r name time <<<"$("$dir/fastest")"
by_command=$("$dir/usr/bin/sluice" run --platform lassen --nodes 2 --json \
    --workload stencil:9pt:400x400 --set $faster --strategy "$name" |
    sed -nE 's/^ *"time_s": ([^",]*),?$/\1/p')
awk -v a="$time" -v b="$by_command" \
    'BEGIN { exit !(a > 0 && a / b - 1 < 1e-12 && b / a - 1 < 1e-12) }' ||
    fail "$name: the library says $time s, the command $by_command s"
timeout 120 "$dir/threads" || fail "two threads"

for page in sluice sluice-run sluice-show-platform; do
    [ -s "$dir/usr/share/man/man1/$page.1" ] || fail "no page $page"
done
"$1" run --help | sed -nE 's/^  --([a-z-]+).*/\1/p' >"$dir/options"
[ "$(wc -l <"$dir/options")" -gt 10 ] || fail "run --help has few options"
while read -r option; do
    grep -qF "\\-\\-${option//-/\\-}" "$dir/usr/share/man/man1/sluice-run.1" ||
        fail "--$option is not in sluice-run(1)"
done <"$dir/options"

# The candidates of a command line, as bash asks for them.
candidates() {
    PATH=$dir/usr/bin:$PATH bash -c '
        . "$0"
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        _sluice
        printf "%s\n" "${COMPREPLY[@]}"' \
        "$dir/usr/share/bash-completion/completions/sluice" "$@"
}
candidates sluice va | grep -qx validate || fail "no command is completed"
candidates sluice run --plat | grep -qx -- --platform || fail "no option is"
candidates sluice run --platform las | grep -qx lassen || fail "no platform is"
candidates sluice run --strategy spl | grep -qx split+md || fail "no strategy is"
candidates sluice show platform dgx-1 | grep -qx dgx-1v || fail "show: none is"
