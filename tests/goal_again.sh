# SPDX-License-Identifier: GPL-3.0-or-later
# GOAL that `sluice export` writes is read again as the same plan: exported once
# more it is the same file, and it takes the same time to the last digit, where
# GOAL can say all of the plan: messages of host memory, work, wildcards.
set -eu
sluice=$1
root=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# "time_s" of the first strategy.
time_of() {
    "$sluice" run "$@" --json | sed -n 's/.*"time_s": \(.*\),/\1/p' | head -1
}

again() {
    platform=$1 nodes=$2
    shift 2
    "$sluice" export --platform "$platform" "$@" --goal once >/dev/null
    "$sluice" export --platform "$platform" --nodes "$nodes" \
        --workload trace:once --strategy as-given --goal twice >/dev/null
    cmp once twice
    one=$(time_of --platform "$platform" "$@")
    two=$(time_of --platform "$platform" --nodes "$nodes" \
        --workload trace:once --strategy as-given)
    echo "$one s, $two s: $*"
    [ "$one" = "$two" ] || {
        echo "expected the same time to the last digit" >&2
        exit 1
    }
}

for bytes in 100..8000 100..500000; do
    again flat8 8 --workload \
        random:ranks=64,messages=20,rounds=4,bytes=$bytes,seed=1
    again "$root/tests/data/even.json" 8 --workload \
        random:ranks=64,messages=10,rounds=5,bytes=$bytes,seed=2
done
# On a machine where ties between ranks matter, those of one order: that of the
# file, rank by rank.
"$sluice" export --platform lassen --workload \
    random:ranks=80,messages=9,rounds=3,bytes=1..90000,seed=3 --goal first >said
again lassen 2 --workload trace:first --strategy as-given
# Wildcards, work of no whole number of ns, receives posted late.
cat >s.csv <<EOT
op,rank,kind,peer,tag,bytes,work_us,after
0,0,send,9,1,100000,,
1,1,send,9,2,5000,,
2,9,work,,,,50.0007,
3,9,recv,any,2,,,
4,9,recv,any,any,,,2
5,9,send,17,3,70000,,3 4
6,17,recv,9,any,,,
7,17,work,,,,20,6
EOT
again flat8 3 --workload schedule:s.csv
grep -qx '// exactly 5.0000699999999997e-05 s' once

# What follows on another cpu does not wait for the first.
cat >lanes <<EOT
num_ranks 1
rank 0 {
a: calc 5000
b: calc 5000 cpu 1
c: calc 5000 cpu 2
d: calc 3000 cpu 2
e: calc 1000
e irequires a
}
EOT
[ "$(time_of --platform flat8 --workload trace:lanes --strategy as-given)" = \
    8.000000000000001e-06 ]
again flat8 1 --workload trace:lanes --strategy as-given
