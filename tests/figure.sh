#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# sluice figure: the files of a cheap one, and what is refused.
. tests/expect.bash
. tests/python_library.bash

patterns=-E
refuse() { # code pattern arguments...
    local code=$1 pattern=$2
    shift 2
    refuses "$code" "$pattern" figure "$@"
}

refuse 2 '2\.55: unknown figure \(did you mean 2\.5\?\)' 2.55 --out "$dir/no"
refuse 2 'atos-55: unknown figure \(did you mean atos-5\?\)' atos-55 --out "$dir/no"
refuse 2 '--platform, --set: not for atos-table-2' atos --platform daisy --out "$dir/no"
refuse 2 '--platform, --set: not for atos-5' atos-5 --set a=1 --out "$dir/no"
refuse 2 '--cells: not for 2.5' 2.5 --cells "$dir/no.csv" --out "$dir/no"
refuse 2 '--workload: not for 2.5' 2.5 --workload stencil:5pt:8x8 --out "$dir/no"
refuse 2 '--workload: not for atos$' atos --workload stencil:5pt:8x8 --out "$dir/no"
refuse 2 'expected one figure' --out "$dir/no"
refuse 2 'expected one figure' 2.5 2.6 --out "$dir/no"
"$sluice" figure --help >"$dir/help"
expect "help: by subject" grep -q '^BFS and PageRank on GPUs under several frameworks (all: atos)' "$dir/help"
mkdir "$dir/empty"
(PATH=$dir/empty "$sluice" figure 2.5 --out "$dir/no" 2>"$dir/nognuplot")
expect "no gnuplot: exit code" [ $? = 1 ]
expect "no gnuplot: the package" grep -q gnuplot-nox "$dir/nognuplot"
expect "a refused figure makes no folder" [ ! -e "$dir/no" ]

command -v gnuplot >/dev/null || { echo "no gnuplot"; exit $((failed ? 1 : 77)); }

# A folder that cannot be written: below a file, and, unless we are root, one
# without permission.
touch "$dir/file"
refuse 2 "$dir/file" 2.5 --out "$dir/file"
refuse 2 "$dir/file" 2.5 --out "$dir/file/below"
mkdir "$dir/closed"
chmod 555 "$dir/closed"
[ -w "$dir/closed" ] || refuse 2 "$dir/closed" 2.5 --out "$dir/closed"
expect "nothing left" [ -z "$(ls -A "$dir/closed")" ]

out=$dir/made/folder
expect "figure 2.5" "$sluice" figure 2.5 --platform lassen-paper --out "$out" \
    >"$dir/names"
expect "four names" [ "$(wc -l <"$dir/names")" = 4 ]
expect "four files, nothing else" [ "$(ls -A "$out" | wc -l)" = 4 ]
while read -r file; do
    expect "$file is not empty" [ -s "$file" ]
done <"$dir/names"
expect "PDF" [ "$(head -c 4 "$out/fig-2.5.pdf")" = %PDF ]
expect "SVG" grep -q '<svg' "$out/fig-2.5.svg"
expect "SVG is whole" grep -q '</svg>' "$out/fig-2.5.svg"
expect "PNG" [ "$(head -c 8 "$out/fig-2.5.png" | od -An -tx1 | tr -d ' ')" = \
    89504e470d0a1a0a ]

csv=$out/fig-2.5.csv
expect "command" grep -q '^# sluice figure 2.5 --platform lassen-paper$' "$csv"
expect "columns" grep -qx 'locality,protocol,bytes,simulated_s,model_s' "$csv"
expect "no shared cache in the paper" \
    [ "$(grep -c '^shared_cache' "$csv")" = 0 ]
# Table 2: off node, 64 KiB by rendezvous: 7.76e-06 + 65536 * 7.97e-11.
expect "64 KiB off node" awk -F, '
    $1 == "off_node" && $3 == 65536 {
        found = 1
        for (i = 4; i <= 5; i++)
            if (($i / 1.29832e-05 - 1) ^ 2 > 1e-6) { print; bad = 1 }
    }
    END { exit bad || !found }' "$csv"
# And what the platform itself says of 1 MiB on the socket.
read -r alpha beta < <("$sluice" show platform lassen-paper | awk '
    $1 == "cpu" { here = $2 == "on_socket" }
    here && $1 == "rendezvous" { print $3, $4; exit }')
expect "1 MiB on socket" awk -F, -v alpha="$alpha" -v beta="$beta" '
    $1 == "on_socket" && $3 == 1048576 {
        found = 1
        time = alpha * 1e-6 + beta * 1e-9 * $3
        if (($4 / time - 1) ^ 2 > 1e-6) { print; print time; bad = 1 }
    }
    END { exit bad || !found }' "$csv"
# A later protocol may be faster (Table 2 on node, 1 KiB).
expect "monotone in each protocol" awk -F, '
    /^#/ || /^locality/ { next }
    $1 $2 == which && $4 < last * (1 - 1e-9) { print; bad = 1 }
    { which = $1 $2; last = $4 }
    END { exit bad }' "$csv"

# Again, and equal; the files are replaced.
cp "$csv" "$dir/first.csv"
cp "$out/fig-2.5.svg" "$dir/first.svg"
expect "again" "$sluice" figure 2.5 --platform lassen-paper --out "$out" \
    >/dev/null
expect "equal tables" cmp "$csv" "$dir/first.csv"
expect "equal pictures" cmp "$out/fig-2.5.svg" "$dir/first.svg"

# The others, each drawn; 4.2 and 5.1 of a small workload, whose name needs
# quotes in gnuplot, beside a second one.
cp workloads/data/cvxbqp1.mtx.gz "$dir/it's_1.mtx.gz"
for name in 2.6 3.1 4.2 4.3 5.1; do
    workloads=()
    case $name in 4.2 | 5.1)
        workloads=(--workload "spmv:$dir/it's_1.mtx.gz"
            --workload stencil:5pt:60x60) ;;
    esac
    "$sluice" figure $name --platform lassen-paper --out "$out" \
        "${workloads[@]}" >/dev/null 2>"$dir/stderr"
    expect "figure $name" [ $? = 0 ]
    # But for what AddressSanitizer says of SimGrid's stacks.
    said=$(grep -vE 'ASan is ignoring|False positive|For details see' \
        "$dir/stderr")
    expect "figure $name: quiet, not: $said" [ -z "$said" ]
    expect "figure $name: drawn" grep -q '</svg>' "$out/fig-$name.svg"
    expect "figure $name: one head" [ "$(grep -c '^#' "$out/fig-$name.csv")" = 2 ]
done
expect "24 files, nothing else" [ "$(ls -A "$out" | wc -l)" = 24 ]

# Of ranks that share GPUs: five combinations of 23 sizes, the best by hand at
# the ends.
# Matching: what is committed comes out again.
"$sluice" figure klenk --out "$dir/klenk" >/dev/null
expect "figure klenk" [ $? = 0 ]
for file in fig-klenk-2 fig-klenk-4 fig-klenk-5 fig-klenk-6a fig-klenk-6b \
    klenk-table-1 klenk-table-2; do
    expect "figure klenk: $file.csv" \
        cmp "$dir/klenk/$file.csv" "results/klenk/$file.csv"
done
"$sluice" figure lci --out "$dir/lci" >/dev/null
expect "figure lci" [ $? = 0 ]
expect "figure lci: print beside predictions" \
    grep -q '^| bfs | stampede1 | [0-9.]* (0.50) |' "$dir/lci/lci-table-2.md"
expect "figure lci: without bytes" \
    grep -q "^. bytes cost MPI-Probe.*17\.58" "$dir/lci/lci-table-2.md"
expect "figure lci: the degree that tells kron30's arcs" \
    grep -q '^| kron30, 16 arcs a vertex | expected | 1074 M | 17180 M | 16.0 | 3\.36e+06' \
    "$dir/lci/lci-table-1.md"
expect "figure lci: scores" \
    grep -q '^| tables II and IV | [0-9]* of 33 ' "$dir/lci/lci-table-4.md"
for figure in 1 3 4 5 6 order; do
    expect "figure lci-$figure: drawn" \
        grep -q '</svg>' "$dir/lci/fig-lci-$figure.svg"
done
expect "figure klenk: a table" \
    grep -q '^| NEKBONE (CESAR) | no, no, 2, 29, 1044 | not at hand ' \
    "$dir/klenk/klenk-table-1.md"
expect "figure klenk: drawn" grep -q '</svg>' "$dir/klenk/fig-matching.svg"
# Crosses near circles: all but hash tables of few messages.
expect "matching: simulated as measured" awk -F, '
    /^(list|matrix|partitioned)/ && $3 >= 128 {
        n++
        if ($6 / $4 < 0.7 || $6 / $4 > 1.4) { print; bad = 1 }
    }
    END { exit bad || n < 30 }' "$dir/klenk/fig-matching.csv"

"$sluice" figure faraji-12 --out "$dir/shared" >/dev/null
expect "figure faraji-12: drawn" grep -q '</svg>' "$dir/shared/fig-faraji-12.svg"
expect "figure faraji-12: 115 points" \
    [ "$(grep -c '^[0-4],[0-4],1,' "$dir/shared/fig-faraji-12.csv")" = 115 ]
best=$(grep ',1,4,' "$dir/shared/fig-faraji-12.csv" | sort -t, -gk5 | head -1)
expect "figure faraji-12: 4 B by way of the host" [ "${best:0:3}" = 4,0 ]
refuse 2 'not for faraji-12, which has its own' faraji-12 --platform lassen \
    --out "$dir/no"

# A collective over its size, with points that were measured, whose label no
# script may take for a command.
cat >"$dir/measured.csv" <<EOF
bytes,time_s,label
1024,5e-5,"\`touch $dir/hurt\`, 'it''s'"
1048576,1e-3,
EOF
expect "figure collective" "$sluice" figure collective --nodes 2 \
    --workload allreduce:bytes=16..1M*16 --algorithm ring,rabenseifner \
    --measured "$dir/measured.csv" --out "$dir/sizes" >/dev/null
csv=$dir/sizes/fig-collective.csv
expect "collective: drawn" grep -q '</svg>' "$dir/sizes/fig-collective.svg"
expect "collective: command" grep -q "^# sluice figure collective --measured $dir/measured.csv --platform lassen --workload allreduce:bytes=16..1M\*16 --nodes 2 --algorithm ring,rabenseifner\$" "$csv"
expect "collective: no command of a label" [ ! -e "$dir/hurt" ]
# The time that run tells; busbw of 8 ranks; what Open MPI takes; the points.
time=$("$sluice" run --nodes 2 --workload allreduce:bytes=1M --algorithm ring \
    --csv | awk -F, 'NR == 2 { print $6 }')
expect "collective: a point" awk -F, -v time="$time" '
    $2 == "simulated" { n++ } $2 == "library" { library++ }
    $3 == "\"ring\"" && $4 == 1048576 { found = ($5 / time - 1) ^ 2 < 1e-12 &&
        ($6 / (1.75 * $4 / time) - 1) ^ 2 < 1e-10 }
    END { exit !(found && n == 10 && library > 0) }' "$csv"
expect "collective: measured" [ "$(grep -c ',measured,' "$csv")" = 2 ]
refuse 2 'expected a range of sizes' collective --out "$dir/no" \
    --workload allreduce:bytes=1M
refuse 2 'expected one collective, got 2' collective --out "$dir/no" \
    --workload allreduce:bytes=1..2M --workload allgather:bytes=1M..2M
refuse 2 'only for the figure collective' 2.5 --nodes 2 --out "$dir/no"
echo bytes,time >"$dir/columns.csv"
echo 1,2 >>"$dir/columns.csv"
refuse 2 'columns.csv: no column named time_s' collective --out "$dir/no" --nodes 2 \
    --workload allreduce:bytes=1M..2M --measured "$dir/columns.csv"
rm -rf "$dir/no"

# Those of Chen et al. that need no cells.
atos=$dir/atos
for name in 2 4 6; do
    expect "figure atos-$name" "$sluice" figure "atos-$name" --out "$atos" \
        >/dev/null
    expect "figure atos-$name: drawn" grep -q '</svg>' "$atos/fig-atos-$name.svg"
done
# NVLink: 32 of 48 B, 33 and more need two granules; PCIe 3: 32 of 56 B, coded.
expect "payload" awk -F, '
    $1 == 32 { found = ($2 - 2 / 3) ^ 2 < 1e-8 &&
                       ($3 - 32 / 56 * 128 / 130) ^ 2 < 1e-8 }
    $1 == 36 { found += ($2 - 36 / 80) ^ 2 < 1e-8 }
    END { exit found != 2 }' "$atos/fig-atos-2.csv"
# What a put takes: the alpha of GPU messages of its size (9.305 us above 64 KiB),
# its bytes at 12.28 GB/s, and the 6.226 us of a counter of 8 B.
expect "put" awk -F, '
    $1 == 1048576 {
        found = ($2 / (15.531e-6 + $1 / 12.28e9) - 1) ^ 2 < 1e-8 &&
                ($4 / 12.28e9 - 1) ^ 2 < 1e-4 && $4 < 12.28e9
    }
    END { exit !found }' "$atos/fig-atos-4.csv"
expect "12 wires of Daisy and Summit between GPUs, 6 to CPUs, 1 between" \
    [ "$(grep -c ',wire,' "$atos/fig-atos-6.csv")" = 19 ]

# Those of cells: what a file has is taken at any scale, what it has not is
# simulated into it. The graphs are as small as the generators make them.
"$sluice" study -o "$dir/all.csv" --scale soc-LiveJournal1=1/9000 \
    --scale hollywood-2009=1/1024,indochina-2004=1/14000,twitter50=1/90000 \
    --scale road_usa=1/46000,osm_eur=1/330000 >/dev/null
cells=$dir/cells.csv
grep -v '^pagerank,' "$dir/all.csv" >"$cells"
cp "$cells" "$dir/before.csv"
for name in atos-table-2 atos-table-3 atos-8; do
    "$sluice" figure $name --cells "$cells" --out "$atos" >"$dir/names" \
        2>"$dir/stderr"
    expect "figure $name" [ $? = 0 ]
    expect "figure $name: quiet" [ ! -s "$dir/stderr" ]
    while read -r file; do
        expect "$file is not empty" [ -s "$file" ]
    done <"$dir/names"
done
expect "nothing was simulated" cmp "$cells" "$dir/before.csv"
expect "a table has two files" [ "$(ls "$atos" | grep -c '^atos-table-')" = 4 ]
expect "the table's head" [ "$(head -n 3 "$atos/atos-table-2.md" | tail -n 1)" = \
    "    sluice figure atos-table-2 --cells $cells" ]
expect "92 cells" [ "$(grep -c '^bfs,daisy' "$atos/atos-table-2.csv")" = 92 ]
expect "64 cells of BFS over InfiniBand, in four graphs" \
    [ "$(grep -c '^bfs' "$atos/fig-atos-8.csv")" = 64 ]
grep -v '^bfs,daisy,Gunrock,road_usa,3,' "$cells" >"$dir/less.csv"
cp "$dir/less.csv" "$dir/less.before"
expect "as it is" "$sluice" figure atos-table-2 --cells "$dir/less.csv" \
    --as-is --out "$dir/as-is" >/dev/null
expect "not run" grep -q '| not run / 963 (- / 0.627) |' \
    "$dir/as-is/atos-table-2.md"
expect "nothing is added" cmp "$dir/less.csv" "$dir/less.before"
refuse 2 '--as-is: only with --cells FILE' atos-table-2 --as-is --out "$dir/no"
expect "what is missing" "$sluice" figure atos-table-2 --cells "$dir/less.csv" \
    --out "$atos" >/dev/null
expect "is simulated at the graph's own scale" \
    [ "$(tail -n 1 "$dir/less.csv" | cut -d, -f1-6)" = \
    bfs,daisy,Gunrock,road_usa,3,0.03125 ]

# All at once: the same tables, of one study.
cp "$dir/all.csv" "$dir/before.csv"
expect "figure atos" "$sluice" figure atos --cells "$dir/all.csv" \
    --out "$dir/every" >/dev/null
expect "nothing was simulated" cmp "$dir/all.csv" "$dir/before.csv"
"$sluice" figure atos-8 --cells "$dir/all.csv" --out "$atos" >/dev/null
expect "the same table" cmp <(tail -n +4 "$atos/fig-atos-8.csv") \
    <(tail -n +4 "$dir/every/fig-atos-8.csv")
expect "4 tables, 7 figures" [ "$(ls "$dir/every" | wc -l)" = 36 ]

# Device-aware over staged, 30 us over 20 measured.
cat >"$dir/both.csv" <<'END'
nodes,ranks_per_node,implementation,strategy,bytes_per_gpu_pair,time_s
2,40,isend_irecv,cuda_aware,8,3e-5
2,40,isend_irecv,copy_to_cpu,8,2e-5
2,40,isend_irecv,cuda_aware,16,3e-5
END
"$sluice" figure ratio --measured "$dir/both.csv" --out "$dir/ratio" >/dev/null
expect "one ratio" [ "$(grep -c '^2,8,1.5,' "$dir/ratio/fig-ratio.csv")" = 1 ]
expect "no other" [ "$(wc -l <"$dir/ratio/fig-ratio.csv")" = 4 ]
refuse 2 'expected FILE.csv' ratio --out "$dir/ratio"
refuse 2 'only for the figures ratio' 2.5 --measured x.csv

# One minimum a GPU count, and Recv Nodes of two nodes is one.
expect "minima" awk -F, '
    /^#/ || /^panel/ { next }
    { spots[$1, $4]; n[$1, $4] += $10 }
    $5 == 2 && $6 != 1 { print; bad = 1 }
    END { for (s in spots) if (n[s] != 1) bad = 1; exit bad }' "$out/fig-5.1.csv"
# Eq 2.2, 64 MiB by 2 processes: alpha and what the node injects, 1 / 4.19e-11.
expect "max-rate" awk -F, '
    $1 == 67108864 && $2 == 2 {
        found = 1
        time = 7.76e-6 + $1 * 4.19e-11
        if (($6 / time - 1) ^ 2 > 1e-4) { print; print time; bad = 1 }
    }
    END { exit bad || !found }' "$out/fig-2.6.csv"
# Table 3: H2D of 1 MiB by one process, 1.30e-05 + 1.85e-11 a byte.
expect "one copy" awk -F, '
    $1 == "H2D" && $2 == 1 && $3 == 1048576 {
        found = 1
        for (i = 4; i <= 5; i++)
            if (($i / 3.239866e-05 - 1) ^ 2 > 1e-4) { print; bad = 1 }
    }
    END { exit bad || !found }' "$out/fig-3.1.csv"
exit $failed
