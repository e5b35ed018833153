#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# sluice sweep --slurm: what sbatch is called with; and, where Slurm is
# installed, parts on a cluster of two nodes on the loopback, one of which dies.
. tests/expect.bash
sluice=$(realpath "$1")
. tests/slurm/cluster.bash
trap 'cluster_stop; rm -rf "$dir"' EXIT

refuse() { # pattern arguments...
    local pattern=$1
    shift
    refuses 2 "$pattern" sweep "$@"
}

cat >"$dir/space.json" <<'END'
{"base": {"platform": "duo", "workload": "stencil:5pt:64x64", "nodes": 2},
 "axes": {"value_bytes": {"from": 1, "to": 40, "steps": 40},
          "network.bandwidth_GBps": {"from": 1, "to": 9, "steps": 9}}}
END

# --- what sbatch gets: each name one argument, whatever is in it
mkdir "$dir/bin"
cat >"$dir/bin/sbatch" <<'END'
#!/bin/bash
printf '%s\n' "$@" >"$SBATCH_SAYS"
echo "42;loop"
END
chmod +x "$dir/bin/sbatch"
parts="$dir/parts %a \$(touch hostile) 'a' \"b\" -x; reboot"
SBATCH_SAYS=$dir/says PATH=$dir/bin:$PATH "$sluice" sweep "$dir/space.json" -o "$parts" \
    --slurm 2 --sbatch=--time=1:00 --sbatch=--comment='a b' --jobs 1 >"$dir/stdout" 2>"$dir/stderr"
expect "submitted: $(cat "$dir/stderr")" grep -qF 'job 42;loop: 2 parts of 360 points' "$dir/stdout"
printf '%s\n' --time=1:00 '--comment=a b' --parsable --job-name=sluice-sweep --array=1-2 \
    --output=/dev/null "$parts/part.sh" "$sluice" "$PWD" \
    "$parts" 2 --jobs=1 | diff - "$dir/says" || failed=1
expect "no name is in the script" [ -z "$(grep hostile "$parts/part.sh")" ]
refuse '--sbatch evil.sh: expected an option' "$dir/space.json" -o "$parts" --slurm 2 --sbatch evil.sh
refuse '--slurm: expected -o FOLDER' "$dir/space.json" --slurm 2
refuse '--shard: not with --slurm' "$dir/space.json" -o "$parts" --slurm 2 --shard 1/2
refuse '--sbatch: only with --slurm' "$dir/space.json" -o "$dir/x.db" --sbatch=--time=1
printf '#!/bin/sh\necho "sbatch: error: no partition" >&2\nexit 1\n' >"$dir/bin/sbatch"
PATH=$dir/bin:$PATH "$sluice" sweep "$dir/space.json" -o "$parts" --slurm 2 >/dev/null 2>"$dir/stderr"
expect "a failure of sbatch: exit code $?" [ $? = 1 ]
expect "it is told: $(cat "$dir/stderr")" grep -q 'sbatch: fails with the message above' "$dir/stderr"

# --- a real cluster
if ! cluster_has_tools; then
    echo "no Slurm here: not tried on a cluster"
    exit $failed
fi
cluster_start "$dir/cluster" || {
    echo "Slurm does not start here"
    tail "$dir"/cluster/*.out
    exit 1
}

submit() { # options...: it waits until the job is over
    "$sluice" sweep "$dir/space.json" -o "$parts" --slurm 2 --jobs 1 "$@" \
        >"$dir/stdout" 2>"$dir/stderr" || {
        echo "not submitted: $(cat "$dir/stderr")" >&2
        failed=1
    }
    job=$(sed -n 's/^job \([0-9]*\).*/\1/p' "$dir/stdout")
}

is_over() {
    for i in $(seq 600); do
        [ -z "$(squeue -h -j "$job" 2>/dev/null)" ] && return 0
        sleep 0.1
    done
    return 1
}

rows() { # database
    "$sluice" sweep show "$1" --csv |
        sed -E 's/,[^,"]*,("([^"]|"")*"|[^,"]*)((,[^,"]*){4})$/,\1\3/'
}

"$sluice" sweep "$dir/space.json" -o "$dir/whole.db" >/dev/null 2>&1
submit
# A part dies as soon as it has begun.
for i in $(seq 300); do
    [ -s "$parts/2.log" ] && break
    sleep 0.02
done
scancel --signal=KILL --batch "${job}_2" 2>/dev/null
expect "the job ends" is_over
expect "its nodes were two" [ "$(scontrol show job "$job" |
    grep -oE '^ *NodeList=n[12]$' | sort -u | wc -l)" = 2 ]
"$sluice" sweep merge "$parts/1.db" "$parts/2.db" -o "$dir/some.db" >"$dir/said" 2>&1
# The same command again does what is missing.
submit
expect "the second job ends" is_over
expect "merged: $("$sluice" sweep merge "$parts/1.db" "$parts/2.db" -o "$dir/all.db" 2>&1)" [ -e "$dir/all.db" ]
rows "$dir/whole.db" >"$dir/whole"
rows "$dir/all.db" >"$dir/all"
expect "the parts are the whole; after the death: $(cat "$dir/said")" cmp "$dir/whole" "$dir/all"
expect "nothing was called by a name" [ ! -e hostile ]
exit $failed
