#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A strategy is one file and one line, and so are a workload, an algorithm and a
# trace format: all are added to a copy of the source. Only the new files and their tables are compiled there;
# they are linked with everything else as it was built, so that nothing else can
# have known of them. Every command works and lists them, and the tests that go
# through the tables are green.
set -eu
build=$(dirname "$1")
build=$(cd "$build" && pwd)
before=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail() { echo "$*" >&2; exit 1; }
has() { # file, pattern
    grep -qE -- "$2" "$1" || { echo "no line like '$2' in:"; cat "$1"; exit 1; } >&2
}
[ -f "$build/build.ninja" ] && command -v ninja >/dev/null || {
    echo "the commands of the build are not ninja's"
    exit 77
}

# --- the copy, four files and four lines ------------------------------------

for folder in base platforms sim workloads strategies apps study validate; do
    find $folder -name '*.h' -o -name '*.def' -o -name list.c \
        -o -name workload.c
done | tar -cT - | tar -xC "$dir"

echo 'STRATEGY(leader)' >>"$dir/strategies/list.def"
cat >"$dir/strategies/exchange/leader.c" <<'E2'
/* leader.c - the first rank of a node gathers all that leaves it, sends one
 * message to that of each other node, and scatters what it gets. */
#include "strategies/exchange/exchange.h"
#include "strategies/exchange/law.h"

static void to_leaders(struct exchange *x, bool arriving, enum phase phase)
{
    for (size_t i = 0; i < x->parcels.n; i++) {
        struct parcel *p = &x->parcels.items[i];
        if (parcel_leaves(p))
            p->to = exchange_rank(x, arriving ? p->dst_node : p->src_node, 0, 0);
    }
    exchange_send(x, phase);
}

static int route(struct exchange *x, struct err *err)
{
    (void)err;
    exchange_collect(x, x->options->keep_duplicates);
    exchange_copy_out(x);
    exchange_on_node(x);
    to_leaders(x, false, PHASE_GATHER);
    to_leaders(x, true, PHASE_OFF_NODE);
    exchange_scatter(x);
    return 0;
}

static uint64_t messages(const struct machine *m, const struct halo *halo,
                         const struct strategy_options *options, uint32_t from,
                         uint32_t to)
{
    (void)m, (void)options;
    return law_gpus(halo, from, to) > 0;
}

const struct strategy leader_strategy = {
    .name = "leader",
    .summary = "one rank of a node sends and receives all",
    .help = "The first rank of a node gathers, sends and scatters.",
    .options = "keep-duplicates ranks-per-node",
    .route = route,
    .messages = messages,
};
E2

# All but the strategy are those that CONTRIBUTING.md shows.
shown() { # file: the first block behind its name
    awk -v name="\`$1\`" 'index($0, name) == 1 { on = 1 }
        on && /^```$/ { exit } on && block { print } on && /^```c$/ { block = 1 }' \
        CONTRIBUTING.md >"$dir/$1"
    [ -s "$dir/$1" ] || fail "CONTRIBUTING.md does not show $1"
}
echo 'WORKLOAD(ring)' >>"$dir/workloads/list.def"
shown workloads/ring.c
echo 'COLLECTIVE(star)' >>"$dir/strategies/collective/list.def"
shown strategies/collective/star.c
echo 'TRACE_FORMAT(moves)' >>"$dir/workloads/trace/list.def"
shown workloads/trace/moves.c

# --- compiled and linked as the build does it ---------------------------------

objects=
compile() { # library, source: with the flags of the library's other files
    local object=$dir/${2//\//_}.o
    flags=$(ninja -C "$build" -t commands "libsluice_$1.a" |
        grep -F " -c $PWD/$3" | head -1 |
        sed -E "s# -o [^ ]+##; s# -c [^ ]+##; s# -M[A-Z]+( [^ -][^ ]*)?##g; s#-I$PWD( |\$)#-I$dir #; s#^ccache ##")
    [ -n "$flags" ] || fail "no command compiles $3"
    (cd "$build" && eval "$flags -o $object -c $dir/$2")
    objects="$objects $object"
}
compile strategies strategies/list.c strategies/list.c
compile strategies strategies/exchange/leader.c strategies/list.c
compile strategies strategies/collective/list.c strategies/list.c
compile strategies strategies/collective/star.c strategies/list.c
compile workloads workloads/workload.c workloads/workload.c
compile workloads workloads/ring.c workloads/workload.c
compile workloads workloads/trace/list.c workloads/trace/list.c
compile workloads workloads/trace/moves.c workloads/trace/list.c

link() { # target of the build, what to make of it
    command=$(ninja -C "$build" -t commands "$1" | tail -1)
    case $command in
    *" -o $1 "*) ;;
    *) fail "no command links $1: $command" ;;
    esac
    (cd "$build" && eval "${command/ -o $1 /$objects -o $dir/$2 }")
}
link sluice sluice
sluice=$dir/sluice

# --- every command ------------------------------------------------------------

"$sluice" list >"$dir/out"
has "$dir/out" '^  leader +one rank of a node sends'
has "$dir/out" '^  ring:N +a ring of N rows'
"$sluice" show strategy leader >"$dir/out"
has "$dir/out" '^closed form: none'
"$sluice" show workload ring: >"$dir/out"
has "$dir/out" '^options: --gpus, --nodes'

# All send to rank 0 and it to all; every rank has the sum of all (test
# collective_flow), and what a library takes is told beside.
"$sluice" list algorithms >"$dir/out"
has "$dir/out" '^  star +rank 0 adds up all vectors'
star="--workload allreduce:bytes=1k --nodes 2 --algorithm"
"$sluice" run $star star >"$dir/out"
has "$dir/out" '^ +1024 +256 +float .* star'
"$sluice" run $star star --json >"$dir/out"
has "$dir/out" '"off_node": \{ "messages": 8,'
"$sluice" run $star ring --csv | cmp - <("$before" run $star ring --csv)

# It is told from others by itself, counted, and carried out; what is wrong in it
# has a place.
"$sluice" list formats >"$dir/out"
has "$dir/out" '^  moves +lines of moves'
printf '%s\n' 'moves 2' '0 computes 1e-3' '0 sends 1 4096' '1 receives 0 4096' \
    >"$dir/two.moves"
"$sluice" show trace "$dir/two.moves" >"$dir/out"
has "$dir/out" '^messages +1, 4.10 kB'
"$sluice" run --workload "trace:$dir/two.moves" --nodes 2 --strategy as-given \
    --csv >"$dir/out"
has "$dir/out" ',as-given,0.00100'
echo '1 dances' >>"$dir/two.moves"
"$sluice" show trace "$dir/two.moves" >"$dir/out" 2>&1 && fail "no such word"
has "$dir/out" 'two.moves:5: rank 1: expected what it does'

# Two nodes: the leaders send one message each; all strategies run, and the
# others take the time that they took without it.
ring="--workload ring:4000 --nodes 2"
"$sluice" run $ring >"$dir/out"
has "$dir/out" '^leader .* - \|        2 '
has "$dir/out" '^split\+md '
old="--workload stencil:9pt:200x200 --nodes 2 --csv"
"$sluice" run $old | grep -v ,leader, | cmp - <("$before" run $old)
"$sluice" run $ring --json --strategy leader >"$dir/out"
has "$dir/out" '"off_node": \{ "messages": 2,'
! grep -q model_s "$dir/out" || fail "a closed form of nothing"
"$sluice" run $ring --strategy leader --message-cap 9 >"$dir/out" 2>&1 &&
    fail "an option that it does not look at"
has "$dir/out" 'message-cap: only for split\+md, split\+dd'

"$sluice" model $ring >"$dir/out"
has "$dir/out" '^leader +- +- +- +- +-$'
has "$dir/out" '^split\+md +[0-9]'
"$sluice" model $ring --csv >"$dir/out"
has "$dir/out" '^leader,,,,,"lassen","ring:4000",2,8,,contiguous,'
"$sluice" model $ring --json --strategy leader >"$dir/out"
has "$dir/out" '"total_s": null'
"$sluice" export $ring --strategy leader --plan "$dir/plan" >/dev/null
has "$dir/plan" '^name leader$'
"$sluice" claims L08 L13 >"$dir/out"
"$before" claims L08 L13 | cmp - "$dir/out"

# --- every test that goes through the tables ----------------------------------

for test in strategies strategy_cases model request collective_flow; do
    link tests/test_$test test_$test
    "$dir/test_$test" >"$dir/out" 2>&1 || {
        echo "test $test:"
        cat "$dir/out"
        exit 1
    }
done
