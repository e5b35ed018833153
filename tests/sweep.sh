# SPDX-License-Identifier: GPL-3.0-or-later
# `sluice run` over a range of sizes: the table of nccl-tests, in all forms.
set -eu
sluice=$1
. tests/ends.bash
common="--platform lassen --nodes 2"
range="allreduce:bytes=8..16M*16"

# Each size of a range is a run of its own, and counts as nccl-tests do: busbw
# is 2 (n - 1) / n of algbw, of 8 ranks 1.75.
"$sluice" run $common --workload $range --csv >"$folder/range.csv"
for bytes in 8 128 2048 32768 524288 8388608; do
    "$sluice" run $common --workload allreduce:bytes=$bytes --csv |
        tail -n +2
done >"$folder/each.csv"
tail -n +2 "$folder/range.csv" | cmp - "$folder/each.csv"
"$sluice" run $common --workload $range --csv --jobs 3 |
    cmp - "$folder/range.csv"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { algbw = $at["size_bytes"] / $at["time_s"]; n++ }
    $at["type"] != "float" || $at["count"] * 4 != $at["size_bytes"] ||
    $at["algbw_Bps"] / algbw > 1 + 1e-6 || $at["algbw_Bps"] / algbw < 1 - 1e-6 ||
    $at["busbw_Bps"] / algbw > 1.75 + 1e-5 ||
    $at["busbw_Bps"] / algbw < 1.75 - 1e-5 { print "wrong: " $0; exit 1 }
    END { exit n < 10 }' "$folder/range.csv"

# The text has the fastest of each size, with details all, as JSON does.
"$sluice" run $common --workload $range >"$folder/text"
[ "$(grep -c ' float ' "$folder/text")" -eq 6 ]
"$sluice" run $common --workload $range \
    --algorithm ring,recursive_doubling >"$folder/two"
grep -q '^fastest: recursive_doubling up to [0-9]* B, then ring$' "$folder/two"
"$sluice" run $common --workload $range --details >"$folder/all"
ways=$(($(wc -l <"$folder/range.csv") - 1))
[ "$(grep -c ' float ' "$folder/all")" -eq $ways ]
"$sluice" run $common --workload $range --json >"$folder/json"
[ "$(grep -c '"busbw_Bps"' "$folder/json")" -eq $ways ]
[ "$(grep -c '"size_bytes"' "$folder/json")" -eq 6 ]
# One size has the table and what it rests on.
"$sluice" run $common --workload allreduce:bytes=1M >"$folder/one"
grep -q '1048576 *262144 *float' "$folder/one"
grep -q 'busiest links' "$folder/one"

# Traffic between GPUs: of 8 GPUs 7/8 of a buffer leave each, and sendrecv's
# whole.
bus() {
    "$sluice" run $common --workload "$1" --csv --strategy standard/device |
        awk -F, 'NR == 2 { printf "%s %s %.4f\n", $(NF-8), $(NF-7), $(NF-4) / $(NF-5) }'
}
[ "$(bus alltoall:bytes=1000..4000)" = "1000 125 0.8750" ]
[ "$(bus sendrecv:bytes=1000..4000)" = "1000 1000 1.0000" ]

# In and out of place: out of place each rank first copies what it brings; in a
# GPU by a kernel, staged it is copied anyway.
both() {
    "$sluice" run $common --algorithm ring --workload "$1" --csv | sed 's/"[^"]*"/w/' | awk -F, '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { printf "%s %s\n", $at["time_s"], $at["in_place_s"] }'
}
in=$(both allreduce:bytes=1M | cut -d' ' -f1)
out=$(both allreduce:bytes=1M,place=out | cut -d' ' -f1)
[ "$(both allreduce:bytes=1M,place=both)" = "$out $in" ]
awk -v in_="$in" -v out="$out" 'BEGIN { exit !(out > in_ + 1e-6) }'
staged=$(both allreduce:bytes=1M,memory=staged | cut -d' ' -f1)
[ "$(both allreduce:bytes=1M,memory=staged,place=both)" = "$staged $staged" ]
"$sluice" run $common --workload allreduce:bytes=1k..1M*32,place=both >"$folder/both"
grep -q 'out of place .* in place' "$folder/both"
[ "$("$sluice" run $common --workload allreduce:bytes=1k,place=both --json \
    --algorithm ring | grep -c '"in_place": {')" -eq 1 ]
# NCCL's calls: of 100 us a GPU, so that they bound calls in a row; calls alone
# wait for them, and for the end; and graphs and kernels before hide them.
calls() {
    "$sluice" run --platform h200-x2 --library nccl --algorithm auto --json \
        --set nccl.call_us=100 --workload "allreduce:bytes=8,memory=device$1" |
        sed -n 's/.*"time_s": *\([0-9.e-]*\).*/\1/p' | head -n 1
}
gpus=$(calls ,calls=graph)
for case in "0.0001 " "0.0001 ,launch=threads" "0.0002 ,launch=one-process" \
    "$gpus ,launch=one-process,calls=behind"; do
    awk -v want="${case%% *}" -v got="$(calls "${case#* }")" \
        'BEGIN { exit !(got > want - 1e-9 && got < want + 1e-9) }'
done
for case in "0.0001 " "0.0002 ,launch=one-process"; do
    awk -v gpus="$gpus" -v calls="${case%% *}" -v got="$(calls "${case#* },calls=alone")" \
        'BEGIN { sync = got - gpus - calls; exit !(sync > 1e-6 && sync < 4e-6) }'
done
ends 2 'launch: only with memory=device' \
    --workload allreduce:bytes=1M,launch=one-process
ends 2 'calls=often: expected allreduce:bytes=SIZE' \
    --workload allreduce:bytes=1M,memory=device,calls=often
ends 2 'bytes: stands twice' --workload allreduce:bytes=1M,bytes=2M
ends 2 'per_gpu=: not in host memory' \
    --workload allreduce:bytes=1M,memory=host,per_gpu=2
# The key that tells collective algorithms from traffic stands anywhere.
[ "$("$sluice" run $common --workload alltoall:bytes=1M,memory=device --csv |
    cut -d'"' -f3-)" = \
    "$("$sluice" run $common --workload alltoall:memory=device,bytes=1M --csv |
    cut -d'"' -f3-)" ]
ends 2 'place=aside' --workload allreduce:bytes=1M,place=aside

# Down to whole elements of each rank; what has none is left out, or refused.
"$sluice" run $common --workload allgather:bytes=8..72+32 --csv \
    2>"$folder/remarks" >"$folder/small.csv"
[ "$(awk -F, 'NR > 1 { print $(NF-11) }' "$folder/small.csv" | sort -un |
    xargs)" = "32 64" ]
grep -q 'left out: allgather:bytes=8: 8 bytes are less than an element of 4 B for each of 8 ranks' \
    "$folder/remarks"
ends 2 'allgather:bytes=31: 31 bytes are less than an element of 4 B for each of 8 ranks' \
    --workload allgather:bytes=31
ends 2 'allgather:bytes=8: 8 bytes are less' --workload allgather:bytes=8..16
ends 2 'allreduce:bytes=3: 3 bytes are less than an element of 4 B' \
    --workload allreduce:bytes=3

# What a library takes: Open MPI's rules of 8 ranks, and what it costs against
# the best.
"$sluice" run $common --workload $range --algorithm auto --csv \
    >"$folder/auto.csv"
[ "$(awk -F, 'NR > 1 { print $(NF-4) }' "$folder/auto.csv" | xargs)" = \
    "recursive_doubling recursive_doubling recursive_doubling rabenseifner rabenseifner rabenseifner" ]
awk -F, 'FNR == 1 { next }
    NR == FNR { if ($5 == $(NF-4)) took[$2] = $(NF-6); if ($(NF-6) == 0) best[$2] = $6
                time[$2 $5] = $6; next }
    { n++; if ($5 != $(NF-4) || $(NF-6) != took[$2] || $(NF-5) != "openmpi" ||
        sprintf("%.6f", $(NF-6)) != sprintf("%.6f", time[$2 $5] / best[$2] - 1))
        { print "wrong: " $0; exit 1 } }
    END { exit n != 6 }' "$folder/range.csv" "$folder/auto.csv"
"$sluice" run $common --workload $range --algorithm auto >"$folder/auto"
grep -q 'best  *regret$' "$folder/auto"
grep -q 'openmpi takes  *regret$' "$folder/text"
[ "$("$sluice" run $common --workload $range --json | grep -c library_regret)" -eq 6 ]
[ "$("$sluice" run $common --workload $range --algorithm best --csv |
    cmp - "$folder/range.csv")" = "" ]
"$sluice" run $common --workload allreduce:bytes=1M --library mpich |
    grep -q 'mpich takes'
ends 2 '--library: opnmpi: unknown library (did you mean openmpi?)' \
    --workload allreduce:bytes=1M --library opnmpi
ends 2 '--library: not for random:' --library nccl \
    --workload random:ranks=8,messages=1,rounds=1,bytes=8..16,seed=1
for where in memory=staged memory=host per_gpu=2; do
    ends 2 'nccl has nothing for it' --algorithm auto --library nccl \
        --workload allreduce:bytes=1k,$where
done
ends 2 '--algorithm: rng: unknown algorithm of allreduce (did you mean ring?)' \
    --workload allreduce:bytes=1M --algorithm rng
ends 2 '--strategy: not for allreduce:, whose candidates are algorithms' \
    --workload allreduce:bytes=1M --strategy ring
ends 2 '--algorithm: not for alltoall:' --workload alltoall:bytes=1M \
    --algorithm ring
for bytes in 1M 1M..2M; do
    ends 2 'recursive_doubling: only for powers of two of ranks' \
        --workload allgather:bytes=$bytes,memory=host --ranks-per-node 3 \
        --algorithm recursive_doubling
done

# What there is not: sizes, ranks, roots, memory, algorithms.
bad() { # what is said, workload, options
    want=$1 words=$2
    shift 2
    ends 2 "$want" --workload "$words" "$@"
    [ "$(wc -l <"$folder/err")" -eq 1 ] || { cat "$folder/err"; exit 1; }
}
bad 'bytes= above 0' allreduce:bytes=0
bad 'bytes= above 0' allreduce:memory=host
bad 'bytes=4X: expected a SIZE such as 65536, 64K, 1M or 2G' allreduce:bytes=4X
bad 'segment=1MB: expected a SIZE such as 65536, 64K, 1M or 2G' allreduce:bytes=8,segment=1MB
bad 'bites=4: expected allreduce:bytes=SIZE' allreduce:bites=4
bad 'element=1 to 64' allreduce:bytes=1k,element=0
bad 'memory=gpu: expected' allreduce:bytes=1k,memory=gpu
bad 'allreduce has no root' allreduce:bytes=1k,root=1
bad 'root 8 of 8 ranks' broadcast:bytes=1k,root=8
bad '1 to 1024 ranks per_gpu' allreduce:bytes=1k,per_gpu=0
bad 'has 40 cores a node; 44 ranks wanted, 11 on each GPU' \
    allreduce:bytes=1k,per_gpu=11
bad '2 of 41 ranks wanted' allreduce:bytes=1k,memory=host --ranks-per-node 41
bad 'where per_gpu= says how many ranks' allreduce:bytes=1k --ranks-per-node 2
bad 'say one of them' allreduce:bytes=1k --gpus 8
bad 'did you mean allreduce:?' allredce:bytes=1k
bad 'rings: unknown algorithm of allreduce (did you mean ring?)' \
    allreduce:bytes=1k --algorithm linear,rings
common="--platform dane --nodes 2"
bad 'dane has no GPUs' allreduce:bytes=1k,memory=device
common="--platform lassen --nodes 2"

# What is no range, and what has none.
ends 2 'expected FIRST..LAST' --workload allreduce:bytes=8..
ends 2 'expected FIRST..LAST' --workload allreduce:bytes=8..1G*
ends 2 'the smaller first' --workload allreduce:bytes=16..8
ends 2 'the smaller first' --workload allreduce:bytes=0..8
ends 2 'a factor of 2 or more' --workload 'allreduce:bytes=8..1G*1'
ends 2 'more than 1000 sizes' --workload allreduce:bytes=8..1G+8
ends 0 'as-given' --workload random:ranks=8,messages=1,rounds=1,bytes=8..16,seed=1
ends 2 'expected one size' --timeline "$folder/t" \
    --workload allreduce:bytes=8..16
for command in "export --goal $folder/goal" model; do
    "$sluice" $command $common --workload allreduce:bytes=8..16 \
        >"$folder/out" 2>&1 && exit 1
    grep -q 'expected one size' "$folder/out"
done
