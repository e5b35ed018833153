#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The folders of the source include each other one way only: neither the folders
# at the top nor those below them make a circle, and none below has more than a
# seventh of all lines.
set -eu
failed=0

sources() {
    find base platforms sim workloads strategies apps study validate results cli tests \
        -name '*.[ch]' -o -name '*.[ch]pp' -o -name '*.cu' -o -name '*.cuh'
}

# Pairs of folders, of the first $1 parts of their paths: who includes whom.
includes() {
    sources | grep -v '^tests/' | xargs grep -oE '^#include "[^"]+"' |
        sed -E 's/:#include "/ /; s/"$//' |
        awk -v parts="$1" '
            function folder(path,   n, p, i, out) {
                n = split(path, p, "/") - 1
                out = p[1]
                for (i = 2; i <= n && i <= parts; i++)
                    out = out "/" p[i]
                return out
            }
            folder($1) != folder($2) { print folder($1), folder($2) }' |
        sort -u
}

for parts in 1 9; do
    pairs=$(includes $parts)
    [ "$(wc -l <<<"$pairs")" -gt 5 ] || { echo "no includes found"; failed=1; }
    if ! circle=$(tsort <<<"$pairs" 2>&1 >/dev/null); then
        echo "folders that include each other in a circle: $circle"
        failed=1
    fi
done

# Headers neither.
pairs=$(sources | grep '\.h' | xargs grep -oE '^#include "[^"]+\.h"' |
    sed -E 's/:#include "/ /; s/"$//')
[ "$(wc -l <<<"$pairs")" -gt 100 ] || { echo "no headers found"; failed=1; }
if ! circle=$(tsort <<<"$pairs" 2>&1 >/dev/null); then
    echo "headers that include each other in a circle: $circle"
    failed=1
fi

# The parts of the graph agents meet in agent.h, which those parts do not see
# (agent_parts.h is for the files that agent.h is of);
# what they send leaves by channel.c alone.
agents=apps/agents
meet=$(grep -l "include \"$agents/agent.h\"" -r $agents | sort | tr '\n' ' ')
if [ "$meet" != "$agents/agent_parts.h $agents/supersteps.c $agents/traverse.c " ]; then
    echo "agent.h is included by $meet"
    failed=1
fi
if flows=$(grep -l 'engine_flow(' -r $agents | grep -v "^$agents/channel.c$"); then
    echo "engine_flow() is called by $flows, not by channel.c alone"
    failed=1
fi

# What the files of a fit share is theirs: callers have fit.h.
if others=$(grep -l 'include "validate/calibrate/fit_parts.h"' -r \
    base platforms sim workloads strategies apps study validate results cli |
    grep -v '^validate/calibrate/'); then
    echo "fit_parts.h is included by $others"
    failed=1
fi

lines=$(sources | xargs cat | wc -l)
for folder in $(sources | grep -v '^tests/' | xargs dirname | sort -u); do
    case $folder in */*) ;; *) continue ;; esac
    own=$(find "$folder" -maxdepth 1 -name '*.[ch]*' | xargs cat | wc -l)
    if [ $((own * 7)) -gt "$lines" ]; then
        echo "$folder has $own of $lines lines, more than a seventh"
        failed=1
    fi
done
exit $failed
