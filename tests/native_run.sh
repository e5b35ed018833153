# SPDX-License-Identifier: GPL-3.0-or-later
# `sluice-native run` on a few ranks of this host: all strategies, plans that
# are files, and what happens when the plan, the ranks or the bytes are wrong.
set -eu
. tests/ranks.bash
mkdir "$dir/empty"

die() {
    echo "$*" >&2
    cat "$dir/err" >&2
    exit 1
}
run() { # ranks, then the options of run
    ranks=$1
    shift
    # shellcheck disable=SC2086
    timeout 60 mpirun $many -n "$ranks" "$native" run "$@" --split-host 2 \
        --no-gpu --per-point 0.005
}
works() { # name of the file, ranks, then the options of run
    file=$dir/$1.csv
    shift
    run "$@" -o "$file" 2>"$dir/err" || die "$*: failed"
    grep -qF "every byte received is compared" "$file" || die "$*: no note"
    sed -n '/^[^#]/{s/\r//;p;q}' "$file" | grep -qx "machine,mpi,workload,\
partition,gpus,nodes,ranks_per_node,value_bytes,strategy,memory,sample,time_s,\
config,run_id" || die "$*: columns"
}
# All rows have that between the MPI and the strategy, and between the strategy
# and the sample; each of so many strategies has samples 0, 1, ..., 5 at least.
rows() { # name of the file, text before, how many strategies
    grep -v '^#' "$dir/$1.csv" | awk -v before=",$2," -v wanted="$3" '
        NR == 1 { next }
        {
            at = index($0, before)
            n = split(substr($0, at + length(before)), c, ",")
            if (!at || n != 6 || c[2] != "host" || c[3] != seen[c[1]]++ ||
                !(c[4] > 0)) { print "row " NR ": " $0; bad = 1 }
        }
        END {
            for (s in seen) {
                have++
                if (seen[s] < 5) { print s ": " seen[s] " rows"; bad = 1 }
            }
            if (have != wanted) { print have " strategies"; bad = 1 }
            exit bad
        }' >&2 || die "$1: rows"
}
refused() { # exit code (x: not 0), text, ranks, options of run
    wanted=$1 text=$2 code=0
    shift 2
    run "$@" -o "$dir/empty/x.csv" >"$dir/out" 2>"$dir/err" || code=$?
    [ "$code" = "$wanted" ] || { [ "$wanted" = x ] && [ "$code" != 0 ]; } ||
        die "$*: exit code $code, expected $wanted"
    grep -qF -- "$text" "$dir/err" || die "$*: expected '$text' in"
    [ -z "$(ls -A "$dir/empty")" ] || die "$*: left a file"
}

# --- strategies --------------------------------------------------------------

# All of them: four GPUs a node, a rank for each, and two for each.
many_strategies=$("$sluice" list strategies | wc -l)
work=stencil:9pt:16x16
of="--platform lassen --nodes 2"
# shellcheck disable=SC2086
{
    works all 8 $of --ranks-per-node 4 --workload $work
    rows all "\"$work\",contiguous,8,2,4,8" "$many_strategies"
    works two 16 $of --ranks-per-node 8 --workload $work --value-bytes 24 \
        --strategy split+dd,split+md --message-cap 48
    rows two "\"$work\",contiguous,8,2,8,24" 2
}
"$sluice" validate native "$dir/all.csv" >"$dir/out" 2>"$dir/err" ||
    die "not read by sluice validate"
grep -q "^all  *$many_strategies " "$dir/out" || die "all: $(cat "$dir/out")"

# What GPUs send each other, in two rounds; several ranks of a GPU go on
# together.
work=moe:tokens=9,experts=8,topk=2,hidden=5
# shellcheck disable=SC2086
works moe 16 $of --ranks-per-node 8 --workload $work \
    --strategy standard/staged,2-step/device,split+dd
rows moe "\"$work\",,8,2,8,10" 3
"$sluice" validate native "$dir/moe.csv" >"$dir/out" 2>"$dir/err" ||
    die "moe: not read by sluice validate"
grep -q '2 nodes of 8 ranks, values of 10 bytes' "$dir/out" ||
    die "moe: $(cat "$dir/out")"

# A matrix that is not symmetric, by METIS; what one GPU lacks is left out.
cat >"$dir/m.mtx" <<'END'
%%MatrixMarket matrix coordinate pattern general
6 6 12
1 1
2 2
3 3
4 4
5 5
6 6
1 4
2 6
4 3
5 1
6 1
6 3
END
cat >"$dir/e.json" <<END
{"platform": "duo", "workload": "spmv:$dir/m.mtx", "nodes": 2,
 "partition": "metis", "value_bytes": 40}
END
works matrix 4 "$dir/e.json"
rows matrix "\"spmv:$dir/m.mtx\",metis,2,2,2,40" \
    "$(grep -c executions "$dir/err")"

# --- plans that are files ----------------------------------------------------

plan() { # strategy [option]
    "$sluice" export --platform lassen --ranks-per-node 4 --nodes 2 \
        --workload stencil:5pt:16x16 --strategy "$@" --plan "$dir/p.plan" \
        >"$dir/out" 2>"$dir/err" || die "export $1"
}
# With packing, then without.
plan 3-step/device
grep -q '^pack pack .* synced' "$dir/p.plan" || die "no packing"
for plan in 2-step/device 3-step/staged 2-step/device\ --no-packing \
    3-step/staged\ --no-packing; do
    # shellcheck disable=SC2086
    plan $plan
    works file 8 "$dir/p.plan"
    rows file "\"plan:$dir/p.plan\",,8,2,4,8" 1
done
refused 2 "a plan leaves nothing else to choose" 8 "$dir/p.plan" --nodes 2
refused 2 "3-step/staged: the plan is for 2 nodes of 4 ranks, there are 2 of 2" \
    4 "$dir/p.plan"

# Values that a rank does not have, and values that never reach their GPU.
sed '/^copy copy_in/s/carries 12 0 16$/carries 11 0 16/' "$dir/p.plan" >"$dir/wrong.plan"
refused 1 "sends value 0 of class 11, which" 8 "$dir/wrong.plan"
sed 's/^\(copy copy_in H2D 6 6 6\) 256\(.*\) 13 0 16$/\1 128\2/' \
    "$dir/p.plan" >"$dir/wrong.plan"
! cmp -s "$dir/p.plan" "$dir/wrong.plan" || die "the plan is another"
refused 1 "of the 16 values of class 13, 0 have arrived at GPU" \
    8 "$dir/wrong.plan"

# Wildcards; a receive that is posted late; the ranks of one node and of two.
cat >"$dir/s.csv" <<'END'
op,rank,kind,peer,tag,bytes,work_us,after
0,0,send,9,1,100000,,
1,1,send,9,2,5000,,
2,9,work,,,,50,
3,9,recv,any,2,,,
4,9,recv,any,any,,,2
5,9,send,15,3,70000,,3 4
6,15,recv,9,any,,,
7,15,work,,,,20,6
END
"$sluice" export --platform flat8 --workload "schedule:$dir/s.csv" \
    --plan "$dir/s.plan" >"$dir/out" 2>"$dir/err" || die "export a schedule"
works schedule 16 "$dir/s.plan"
rows schedule "\"plan:$dir/s.plan\",,0,2,8,0" 1

# A receive whose message never comes.
sed 's/^\(send .* 1 9\) 2 5000/\1 4 5000/' "$dir/s.plan" >"$dir/wrong.plan"
! cmp -s "$dir/s.plan" "$dir/wrong.plan" || die "the plan is another"
refused x "nothing has moved for too long in the execution of a plan" \
    16 "$dir/wrong.plan" --watchdog 2

# --- what fails --------------------------------------------------------------

# shellcheck disable=SC2086
small="--platform duo --nodes 2 --workload stencil:5pt:8x8"
# shellcheck disable=SC2086
{
    refused x "nothing has moved for too long in" 4 $small --break hang \
        --watchdog 1
    refused x "signal 9" 4 $small --break die
    refused 1 "byte" 4 $small --break corrupt
    refused 2 "the plan is for 2 nodes of 2 ranks, there are 2 of 1" 2 $small \
        --strategy standard/staged
    refused 2 "none of the strategies can be run here" 2 $small
    refused 2 "run: expected one experiment or plan" 4 "$dir/e.json" other
    refused 2 "$dir/none.plan: cannot be opened" 4 "$dir/none.plan"
    refused 2 "--break: expected hang, die or corrupt" 4 $small --break what
}
