#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Writes strategies.csv: the traces of AMG and FD4 as given, and where each
# strategy brings their halo-like phases. Of the traces' folders (see README.md)
# the first argument holds both; the second is the program.
set -eu
traces=$1
sluice=${2:-build/release/sluice}
amg=$(echo "$traces"/df_AMG_n27_dumpi/*.meta)
fd4=$(echo "$traces"/dumpi-fd4-1024p-steps030-037/*.meta)
out=results/traces/strategies.csv

# A trace, its name, a platform, ranks on a node, the part of the computing that
# remains, and perhaps --all-in-gpus.
one() {
    "$sluice" run --workload "trace:$1" --platform "$3" --ranks-per-node "$4" \
        --compute-scale "$5" ${6:+"$6"} --csv 2>/dev/null |
        awk -F, -v trace="$2" -v scale="$5" -v memory="${6:-host}" '
            NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
            { name[NR] = $at["strategy"]; time[NR] = $at["time_s"]
              off[NR] = $at["off_node_messages"]; B[NR] = $at["off_node_bytes"]
              on[NR] = $at["on_node_messages"]; all[NR] = $at["on_node_bytes"]
              if (name[NR] == "as-given") given = time[NR]
              platform = $at["platform"]; nodes = $at["nodes"] }
            END { sub(/^--all-in-gpus/, "gpu", memory)
                  for (i = 2; i <= NR; i++)
                      printf "%s,%s,%s,%s,%s,%s,%s,%.4f,%s,%s,%s,%s\n", trace,
                          platform, nodes, memory, scale, name[i], time[i],
                          1 - time[i] / given, off[i], B[i], on[i], all[i] }'
}

{
    echo trace,platform,nodes,memory,compute_scale,strategy,time_s,saved,off_node_messages,off_node_bytes,on_node_messages,on_node_bytes
    for scale in 1 0; do
        for platform in dane lassen frontier; do
            for ranks in 27 9 3; do
                one "$amg" AMG-27 $platform $ranks $scale
            done
        done
        for machine in lassen:4 frontier:8 dgx-h100:8; do
            one "$amg" AMG-27 ${machine%:*} ${machine#*:} $scale --all-in-gpus
        done
        for machine in dane:112 dane:64 dane:32 lassen:32 frontier:56 \
            frontier:32 dgx-h100:64; do
            one "$fd4" FD4-1024 ${machine%:*} ${machine#*:} $scale
        done
        for machine in lassen:4 frontier:8 dgx-h100:8; do
            one "$fd4" FD4-1024 ${machine%:*} ${machine#*:} $scale --all-in-gpus
        done
    done
} >"$out.new"
mv "$out.new" "$out"
