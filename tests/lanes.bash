# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced, not run.

# A timeline: spans of one lane do not overlap, and there are some.
no_overlaps() {
    tr ',{' '\n\n' <"$1" | awk -F: '
        $1 == "\"tid\"" { tid = $2 }
        $1 == "\"ts\"" { ts = $2 }
        $1 == "\"dur\"" { printf "%d %.6f %.6f\n", tid, ts, ts + $2 }' |
        sort -k1,1n -k2,2n | awk '
        $1 == tid && $2 < until - 2e-6 { print "overlap: " $0; bad = 1 }
        { tid = $1; until = $3; n++ }
        END { exit bad || n < 20 }'
}
