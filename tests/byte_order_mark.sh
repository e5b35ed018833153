#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A byte order mark at the beginning of a file changes nothing: in every kind of
# text file, and in compressed ones.
sluice=$1
failed=0
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# same FILE NAME arguments...: the command with @ for the file says the same of
# the file and of a copy with a mark; NAME.gz is compressed.
same() {
    local file=$1 name=$2
    shift 2
    mkdir -p "$dir/plain" "$dir/marked"
    local cat=cat pack=cat
    [[ $file != *.gz ]] || cat=zcat
    [[ $name != *.gz ]] || pack=gzip
    $cat "$file" | $pack >"$dir/plain/$name"
    { printf '\xef\xbb\xbf'; $cat "$file"; } | $pack >"$dir/marked/$name"
    local how
    for how in plain marked; do
        "$sluice" "${@//@/$dir/$how/$name}" >"$dir/$how.out" 2>"$dir/err" || {
            echo "$how $name: $*: failed" >&2
            cat "$dir/err" >&2
            failed=1
        }
        sed -i "s|$dir/$how|DIR|g" "$dir/$how.out"
    done
    [ -s "$dir/plain.out" ] || { echo "$name: no output" >&2; failed=1; }
    cmp -s "$dir/plain.out" "$dir/marked.out" || {
        echo "$name: another result with a byte order mark" >&2
        diff "$dir/plain.out" "$dir/marked.out" >&2
        failed=1
    }
}

same platforms/duo.json duo.json show platform @
same workloads/data/bcsstk38.mtx.gz m.mtx show matrix @
same workloads/data/bcsstk38.mtx.gz m.mtx.gz show matrix @
same tests/data/native_duo.csv native.csv validate native @

printf '# edges\n0 1\n1 2\n2 0\n' >"$dir/g.txt"
same "$dir/g.txt" g.txt show graph @
same "$dir/g.txt" g.txt.gz show graph @
printf '0 1\n1 2\n2 0\n' >"$dir/bare.txt"
same "$dir/bare.txt" bare.txt show graph @
printf '3 2\n2\n1 3\n2\n' >"$dir/g.graph"
same "$dir/g.graph" g.graph show graph @
printf 'c a road\np sp 3 2\na 1 2 4\na 2 3 5\n' >"$dir/g.gr"
same "$dir/g.gr" g.gr show graph @
same "$dir/g.gr" g.gr.gz show graph @

cat >"$dir/x.json" <<'EOF'
{"platform": "duo", "workload": "stencil:5pt:8x8"}
EOF
same "$dir/x.json" y.json run @
exit $failed
