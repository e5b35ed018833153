# SPDX-License-Identifier: GPL-3.0-or-later
# A plan that `sluice export --plan` wrote is a workload: it takes the same time
# to the last digit, and what it says that is not so is refused.
set -eu
sluice=$1
matrix=$PWD/workloads/data/cvxbqp1.mtx.gz halo=$PWD/workloads/data/halo.ti
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

time_of() {
    "$sluice" run "$@" --json 2>said | sed -n 's/.*"time_s": \(.*\),/\1/p'
}

again() {
    "$sluice" export "$@" --plan plan >said
    once=$(time_of "$@")
    twice=$(time_of --platform "$2" --workload plan:plan)
    echo "$once s, $twice s: $*"
    [ "$once" = "$twice" ]
    "$sluice" export --platform "$2" --workload plan:plan --plan plan2 >said
    "$sluice" export --platform "$2" --workload plan:plan2 --plan plan3 >said
    cmp plan2 plan3
    gzip -f plan
    [ "$(time_of --platform "$2" --workload plan:plan.gz)" = "$once" ]
}

for strategy in standard/staged standard/device split+md; do
    again --platform lassen --workload "spmv:$matrix" --nodes 8 \
        --strategy $strategy
done
again --platform lassen --workload "trace:$halo" --strategy as-given
again --platform flat8 --workload \
    random:ranks=64,messages=20,rounds=4,bytes=100..500000,seed=1
# Lanes, a send that waits for its receive, communicators.
cat >given <<EOT
sluice-plan 1
name given
machine flat8
nodes 1
gpus_per_node 0
ranks_per_node 2
cores 0 1
halo 0 0 0
ops 7
work 0 0.5
work 0 0.875 lane 3
send on_node 0 1 7 100 context 1
send on_node 0 1 7 200 context 2
recv on_node 1 0 7 200 context 2
recv on_node 1 any any 100 context 1
work 1 0.25 after 4
end
EOT
"$sluice" run --platform flat8 --workload plan:given | grep -q '^as-given  *875000.00'
"$sluice" export --platform flat8 --workload plan:given --plan again >said
diff given again

refused() {
    want=$1
    shift
    got=0
    "$sluice" run "$@" >out 2>err || got=$?
    if [ $got -ne 2 ] || ! grep -qF -e "$want" err; then
        echo "$*: expected exit code 2 and '$want', got $got and:" >&2
        cat err >&2
        exit 1
    fi
}
refused "none" --platform flat8 --workload plan:none
sed 's/lane 3/lane 256/' given >wrong
refused "wrong:11: lane" --platform flat8 --workload plan:wrong
sed 's/context 2/context x/' given >wrong
refused "wrong:13: context" --platform flat8 --workload plan:wrong
"$sluice" export --platform lassen --workload "spmv:$matrix" --nodes 8 \
    --strategy standard/device --plan gpus >said
refused "gpus: made for lassen, whose nodes have 4 GPUs; those of summit have 6" \
    --platform summit --workload plan:gpus
