#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Names that would be commands for gnuplot or a shell: in every kind of figure
# that takes a platform, a workload or a file, nothing is run, and the figure is
# made or refused.
sluice=$(realpath "$1")
failed=0
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
tree=$PWD
cd "$dir" || exit 1
export TMPDIR=$dir/tmp
mkdir "$TMPDIR"

fail() {
    echo "failed: $*" >&2
    cat err >&2
    failed=1
}

safe() { # what: nothing was run, and gnuplot's folder is gone
    [ -z "$(find "$dir" -name 'pwned*')" ] || fail "$1: ran a command"
    [ -z "$(ls -A "$TMPDIR")" ] || fail "$1: left something in TMPDIR"
    rm -f pwned*
}

refused() { # arguments...: exit code 2, and no file
    "$sluice" "$@" >out 2>err
    [ $? = 2 ] || fail "$*: not refused"
    [ ! -e no ] || fail "$*: left a file"
    safe "$*"
}

made() { # arguments...: four files in `made`
    rm -rf made
    "$sluice" figure "$@" --out made >out 2>err || fail "$*: not made"
    [ ! -s err ] || fail "$*: gnuplot complains"
    [ "$(find made -type f -size +100c | wc -l)" = 4 ] || fail "$*: four files"
    safe "$*"
}

# --- refused: control characters -------------------------------------------------
newline=$'x\nsystem "touch pwned"\n'
for figure in 2.5 2.6 3.1 4.2 4.3 5.1 atos-2 atos-4; do
    refused figure $figure --set 'name="x\nsystem \"touch pwned\"\n"' --out no
    refused figure $figure --set "name=$newline" --out no
done
sed 's/"name": "duo"/"name": "x\\nsystem \\"touch pwned\\""/' \
    "$tree/platforms/duo.json" >hostile.json
refused figure 2.5 --platform "$dir/hostile.json" --out no
cp "$tree/workloads/data/bcsstk38.mtx.gz" "$newline.mtx.gz"
for figure in 4.2 5.1; do
    refused figure $figure --workload "spmv:$dir/$newline.mtx.gz" --out no
done
refused figure 2.5 --out "no$newline"
refused figure native --native "$newline" --out no
rm "$newline.mtx.gz"

command -v gnuplot >/dev/null || { echo "no gnuplot"; exit $((failed ? 1 : 77)); }

# --- made: all else ------------------------------------------------------------
quotes="x' ; system 'touch pwned1' ; y = '"
# shellcheck disable=SC2016
for name in "$quotes" 'x" ; system "touch pwned2" ; y = "' '`touch pwned3`' \
    '$(touch pwned4)' '@seconds {/Bold x} %s \101 ^{2}' '< touch pwned5' \
    '| touch pwned6' '# x' ',' "été €"; do
    made atos-2 --set "name=$name"
    grep -qF "$(printf '%s' "$name" | sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g' \
        )" <(sed 's/&apos;/'"'"'/g; s/&#39;/'"'"'/g; s/&quot;/"/g' \
        made/fig-atos-2.svg) || fail "$name: not shown as it is"
done
# shellcheck disable=SC2016
all="\`touch pwned1\`\$(touch pwned2)'.system('touch pwned3').'\".system(\"touch pwned4\").\"@x{/Bold y}"
for figure in 2.5 2.6 3.1 4.3 atos-4; do
    made $figure --set "name=$all"
done
# Names of files, with a comma after a quote: a cell of CSV.
file="$dir/a\",\"${all//\//_},b.mtx.gz"
cp "$tree/workloads/data/bcsstk38.mtx.gz" "$file"
for figure in 4.2 5.1; do
    made $figure --set "name=$all" --workload "spmv:$file"
    grep -qF "1,\"spmv:${file//\"/\"\"}\",standard" made/fig-$figure.csv ||
        fail "$figure: a name as a cell of CSV"
done
# Texts of a file of native runs.
sed "s|by hand|\"${all//\"/\"\"}\"|" "$tree/tests/data/native_duo.csv" >native.csv
made native --native native.csv
# Folders of files, which gnuplot would take for commands.
# shellcheck disable=SC2016
for folder in '< touch pwned1' '| touch pwned2' "it's" '`touch pwned3`'; do
    "$sluice" figure atos-2 --out "$folder" >out 2>err || fail "$folder: not made"
    [ "$(find "./$folder" -type f -size +100c | wc -l)" = 4 ] ||
        fail "$folder: four files"
    safe "$folder"
done
exit $failed
