# SPDX-License-Identifier: GPL-3.0-or-later
# validate/measure-machine from end to end on this host, which stands for two
# nodes, with few sizes; a file that cannot be used does not stop it.
set -eu
sluice=$1
[ -n "${2-}" ] && command -v mpirun >/dev/null || { echo "no MPI"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
build=$(dirname "$sluice")

refused() { # text, then the script's arguments
    text=$1
    shift
    code=0
    validate/measure-machine "$@" >"$dir/out" 2>"$dir/err" || code=$?
    [ "$code" = 2 ] || { echo "$*: exit code $code, expected 2" >&2; exit 1; }
    grep -qF -- "$text" "$dir/err" || { cat "$dir/err" >&2; exit 1; }
}
refused "expected a directory" --name x
refused "unknown option --nmae" --nmae x "$dir/x"
refused "--nodes: expected a whole number above 0, got '0'" --nodes 0 "$dir/x"
refused "--name: expected letters" --name ../x "$dir/x"
refused "--base: not with" --base duo --ranks 3 "$dir/x"
refused "none/sluice: not a program" --build none "$dir/x"

validate/measure-machine --build "$build" --nodes 2 --ranks 2 --name pair \
    --mpirun "mpirun --oversubscribe --bind-to none -n 4" --limit 120 \
    --native "--split-host 2 --no-gpu --gpus 2 --sizes 8..4096 --per-point 0.02" \
    "$dir/pair" >"$dir/out" 2>&1 || { cat "$dir/out" >&2; exit 1; }
for text in "== discover" "== calibrate" "fitted to: ping_pong.csv" "== done"; do
    grep -qF -- "$text" "$dir/out" || { cat "$dir/out" >&2; exit 1; }
done
"$sluice" show platform "$dir/pair/pair.json" >"$dir/shown"
grep -q 'fit: ping_pong.csv' "$dir/shown"
"$sluice" run --platform "$dir/pair/pair.json" \
    --workload random:ranks=4,messages=2,rounds=1,bytes=10..1000,seed=1 \
    >"$dir/run"
grep -q 'of the whole critical path' "$dir/run"
grep -q '^ping_pong' "$dir/pair/validate.txt"
