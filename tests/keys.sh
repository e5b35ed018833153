# SPDX-License-Identifier: GPL-3.0-or-later
# The keys of platforms, as their tables say them: the page is what the program
# prints, and what --set can change is completed, shown, printed as JSON and
# varied by advise.
set -eu
sluice=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
has() { # file, text
    grep -qF -- "$2" "$1" || { echo "no '$2' in:"; cat "$1"; exit 1; } >&2
}

# The page's first line is the command that prints it.
command=$(sed -n '1s/<!-- \(.*\) -->/\1/p' platforms/KEYS.md)
[ "$command" = "sluice list keys --markdown" ]
"$sluice" list keys --markdown | diff - platforms/KEYS.md
"$sluice" list keys >"$dir/keys"
has "$dir/keys" "messages.PATH.LOCALITY.segments[]:"
"$sluice" list keys --json >"$dir/keys.json"
python3 - "$dir/keys.json" <<'END'
import json, sys
keys = json.load(open(sys.argv[1]))["keys"]
assert len(keys) > 150, len(keys)
row = [k for k in keys if k["name"] == "send_us" and "segments" in k["place"]]
assert row[0]["benchmark"] == "ring; off node mult_pong", row
END
if "$sluice" list strategies --markdown 2>"$dir/err"; then exit 1; fi
has "$dir/err" "--markdown: only of keys"

# A key that only some cases need says which; a flag has no source to ask for.
grep -qF '| `rails` | of rails | links of a node' platforms/KEYS.md
if "$sluice" show platform lassen --set copies.mps=1 2>"$dir/err"; then exit 1; fi
has "$dir/err" "copies.mps: expected true or false, got 1"

# A cost of a segment that is not given: it is completed where it is, and once
# set it is shown, printed as JSON and varied by advise.
path=messages.cpu.off_node.segments.1
"$sluice" --complete run --platform summit --set >"$dir/words"
has "$dir/words" "$path.alpha_us="
for key in gap_us other_peer_us; do
    "$sluice" show platform dane --set "$path.$key=3" >"$dir/shown"
    has "$dir/shown" "$key 3"
    "$sluice" show platform dane --set "$path.$key=3" --set node.devices.0.cores=2 \
        --set node.devices.1.cores=2 --json >"$dir/dane.json"
    has "$dir/dane.json" "\"$key\": 3"
done
"$sluice" advise --platform "$dir/dane.json" --nodes 2 --draws 2 \
    --workload alltoall:memory=host,bytes=2K --json >"$dir/advice.json"
has "$dir/advice.json" "\"key\": \"$path.other_peer_us\""
