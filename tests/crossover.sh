# SPDX-License-Identifier: GPL-3.0-or-later
# results/klenk/crossover.csv: its script makes the same times again, and what its
# text says of them holds.
set -eu
sluice=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
kept=results/klenk/crossover.csv

MOST=1 bash results/klenk/crossover.sh "$sluice" >"$dir/new.csv"
awk -F, 'FNR == 1 { file++ }
    /^halo/ && file == 1 { time[$1, $2, $3, $4, $5] = $6 }
    /^halo/ && file == 2 {
        n++
        was = time[$1, $2, $3, $4, $5]
        if (was == "" || $6 / was < 0.9 || $6 / was > 1.1) {
            print "now " $0 ", was " was; bad = 1
        }
    }
    END { if (n != 72) print n " times, expected 72"; exit bad || n != 72 }' \
    "$kept" "$dir/new.csv"

holds() { # what, then a condition on t["case,messages,bytes,ends,matching"]
    awk -F, "/^[a-zA-Z]/ && !/^case/ { t[\$1 \",\" \$2 \",\" \$3 \",\" \$4 \",\" \$5] = \$6 }
        END { exit !($2) }" "$kept" || { echo "not so: $1" >&2; exit 1; }
}
holds "with today's ends a GPU's engines hide behind them" \
    't["halo-random,1664,8,1,matrix@h200"] < 1.01 * t["halo-random,1664,8,1,none"] &&
    t["halo-random,1664,8,1,list@cpu"] > 1.3 * t["halo-random,1664,8,1,none"]'
holds "the matrix passes the host's list between 104 and 416, ends 10" \
    't["halo-random,104,8,10,matrix@h200"] > t["halo-random,104,8,10,list@cpu"] &&
    t["halo-random,416,8,10,matrix@h200"] < t["halo-random,416,8,10,list@cpu"]'
holds "queues by source cost a seventh at most" \
    't["halo-random,26,8,100,partitioned@h200"] < 1.15 * t["halo-random,26,8,100,none"] &&
    t["halo-random,1664,8,100,partitioned@h200"] < 1.05 * t["halo-random,1664,8,100,none"]'
holds "Dane's list costs a sixth at most" \
    't["halo-random,1664,8,10,list@dane"] < 1.17 * t["halo-random,1664,8,10,none"]'
