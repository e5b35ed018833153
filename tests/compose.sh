# SPDX-License-Identifier: GPL-3.0-or-later
# Platforms that extend others: what is merged how, what is refused, and what
# --set makes of NICs and topology.
set -eu
sluice=$PWD/$1
case $1 in /*) sluice=$1 ;; esac
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
root=$PWD
cd "$dir"

refused() { # text, then the command's arguments
    text=$1
    shift
    code=0
    "$sluice" "$@" >out 2>err || code=$?
    [ "$code" = 2 ] || { echo "$*: exit code $code, expected 2" >&2; exit 1; }
    [ ! -s out ] || { echo "$*: wrote to standard output" >&2; exit 1; }
    grep -qF -- "$text" err || {
        echo "$*: expected '$text', got '$(cat err)'" >&2
        exit 1
    }
}
shows() { # text, then a platform and its options
    text=$1
    shift
    "$sluice" show platform "$@" >shown
    grep -qE -- "$text" shown || {
        echo "$*: expected '$text' in:" >&2
        cat shown >&2
        exit 1
    }
}
part() { # name, members
    echo "{\"format\": 1, $2}" >"$1.json"
}
platform() { # name, members
    part "$1" "\"name\": \"$1\", \"about\": \"a test\", $2"
}

# The same machine, whole and in parts, byte for byte.
for key in node network messages copies; do
    "$sluice" show platform duo --json --only $key >part-$key.json
done
"$sluice" show platform duo --json --only copies --only gpudirect |
    grep -q '^  "gpudirect": true'
refused "--only: the platform has no key 'copys'" \
    show platform duo --json --only copys
refused '--only: with --json only' show platform duo --only copies
platform parts '"extends": ["part-node", "part-network", "part-messages",
    "part-copies"], "gpudirect": true'
time_of() {
    "$sluice" run --platform "$1" --workload stencil:5pt:200x200 --csv |
        grep -v '^#' | cut -d, -f2-
}
cp "$root/platforms/duo.json" copy.json
time_of ./copy.json >a
time_of ./parts.json >b
diff a b

# Objects merge, ids name devices, a number brings its source, null takes out.
platform trio '"extends": "duo",
    "network": {"nodes": 3, "source": {"kind": "assumed", "text": "three"}},
    "node": {"devices": [{"id": "nic0", "message_gap_ns": 7, "source": {"kind": "assumed", "text": "seven"}}]}'
shows '^  nodes +3 ' ./trio.json
shows 'nic0 .*message_gap_ns 7' ./trio.json
shows ' three$' ./trio.json
shows 'gpu off_node' ./trio.json
platform bare '"extends": "trio", "gpudirect": false, "messages": {"gpu": null}'
"$sluice" show platform bare.json >shown
if grep -q 'gpu off_node' shown; then exit 1; fi
platform stale '"extends": "duo", "network": {"nodes": 3}'
refused "stale.json: network.nodes: expected a source beside it" \
    show platform stale.json
platform stale '"extends": "duo",
    "node": {"devices": [{"id": "nic0", "message_gap_ns": 7}]}'
refused "stale.json: node.devices[" show platform stale.json

# An id that ends in * is of all devices that begin so, and needs one.
platform many '"extends": "dgx-1v",
    "node": {"devices": [{"id": "gpu*", "memory_GiB": 99, "source": {"kind": "assumed", "text": "all"}}]}'
"$sluice" show platform many.json --json >shown
[ "$(grep -c '"memory_GiB": 99' shown)" -eq 8 ]
[ "$(grep -c '"id": "gpu0"' shown)" -eq 1 ]
if grep -qF 'gpu*' shown; then exit 1; fi
platform none '"extends": "duo",
    "node": {"devices": [{"id": "fpga*", "memory_GiB": 99}]}'
refused "none.json: node.devices[fpga*].id: expected the beginning of an id" \
    show platform none.json
platform stale '"extends": "many",
    "node": {"devices": [{"id": "gpu*", "memory_GiB": 98}]}'
refused "stale.json: node.devices[gpu*].memory_GiB: expected a source" \
    show platform stale.json

# A file that two extend does not undo what the first of them changes.
part common '"extends": "duo"'
part left '"extends": "common", "network": {"nodes": 5, "source": {"kind": "assumed", "text": "left"}}'
part right '"extends": "common"'
platform diamond '"extends": ["left", "right"]'
shows '^  nodes +5 ' ./diamond.json

# What cannot be built says in which file, and where.
platform self '"extends": "self"'
refused 'self.json: extends: "self": the file extends itself' \
    show platform self.json
platform self '"extends": ["duo", "./self.json"]'
refused 'self.json: extends[1]: "./self.json": the file extends itself' \
    run --platform ./self.json --workload stencil:5pt:9x9
platform a '"extends": "b"'
part b '"extends": ["a"]'
refused 'a.json: extends: b.json: extends[0]: "a": a circle' \
    show platform a.json
platform lost '"extends": ["duo", "nowhere"]'
refused 'lost.json: extends[1]: "nowhere": expected a platform or a file' \
    show platform lost.json
platform lost '"extends": "nowhere.json"'
refused 'lost.json: extends: nowhere.json: cannot be read' \
    show platform lost.json
platform wrong '"extends": 5'
refused 'wrong.json: extends: expected the name of a platform, got 5' \
    show platform wrong.json
echo '[]' >array.json
platform wrong '"extends": "array"'
refused 'wrong.json: extends: array.json: expected an object, got an array' \
    show platform wrong.json
echo '{"format": 2}' >old.json
platform wrong '"extends": "old"'
refused 'wrong.json: extends: old.json: format: expected 1, got 2' \
    show platform wrong.json
platform wrong '"extends": "duo", "netwrk": {}'
refused 'wrong.json: netwrk: unknown key (did you mean network?)' \
    show platform wrong.json
# What the reader refuses says which file has it.
part bad '"network": {"nodes": -3, "source": {"kind": "assumed", "text": "there"}}'
platform uses '"extends": ["duo", "bad"], "gpudirect": true'
refused 'uses.json: in ./bad.json: network.nodes: expected a whole number' \
    run --platform ./uses.json --workload stencil:5pt:9x9
platform uses '"extends": "duo", "network": {"nodes": -3, "source": {"kind": "assumed", "text": "here"}}'
refused 'uses.json: network.nodes: expected a whole number' \
    run --platform ./uses.json --workload stencil:5pt:9x9
part chain0 '"extends": "duo"'
i=0
all='"chain0"'
while [ $i -lt 65 ]; do
    part chain$((i + 1)) "\"extends\": \"chain$i\""
    part flat$i '"gpudirect": true'
    all="$all, \"flat$i\""
    i=$((i + 1))
done
refused 'expected at most 8 files below each other' show platform chain9.json
refused 'expected at most 8 files below each other' show platform chain65.json
platform many "\"extends\": [$all]"
refused 'many.json: extends[62]: flat61.json: expected at most 64 files' \
    show platform many.json

# A file of a known platform's name may extend that platform.
mkdir own
cat >own/duo.json <<'JSON'
{"format": 1, "name": "duo", "about": "another", "extends": "duo"}
JSON
shows 'another' own/duo.json

# NICs and topology by --set.
nics() { "$sluice" show platform "$@" | grep -c ' nic of '; }
[ "$(nics lassen --set node.nics=4)" = 4 ]
[ "$(nics lassen --set node.nics=1)" = 1 ]
[ "$(nics lassen --set node.nics=2)" = 2 ]
shows 'nic0.2 +nic of cpu0' lassen --set node.nics=4
refused "node.nics: expected a whole number from 1 to 256, got 0" \
    show platform lassen --set node.nics=0
platform none '"extends": "duo", "network": {"nodes": 1, "source": {"kind": "assumed", "text": "one"}},
    "node": {"nics": 2, "source": {"kind": "assumed", "text": "two"}, "wires": [], "devices": null}'
refused "none.json: node.devices: expected an array" show platform none.json
shows '^  groups +4' lassen --set network.topology=dragonfly \
    --set network.groups=4 --set network.chassis=4 --set network.routers=8 \
    --set network.nodes_per_router=8 --set network.group_links=1 \
    --set network.chassis_links=1 --set network.router_links=1
shows '^  topology +crossbar' lassen --set network.topology=crossbar
# Its links carry what the NICs do, where the file does not say.
platform wide '"extends": "duo", "network": {"bandwidth_GBps": null}'
link() { "$sluice" show platform "$@" | awk '/^  bandwidth_GBps/ { print $2 }'; }
one=$(link ./wide.json)
two=$(link ./wide.json --set node.nics=2)
[ "$(awk "BEGIN { print 2 * $one }")" = "$two" ]

# References: the value of another platform, with the members beside them, and
# sources that say whose it is.
platform other '"extends": "duo", "copies": {"engine_us": 3, "time_slice_us": 7,
    "engine_source": {"kind": "measured", "from": "a.csv", "text": "b"},
    "time_slice_source": {"kind": "assumed", "text": "c"}}'
platform same '"extends": "duo", "copies": {"same_as": "other:copies",
    "time_slice_us": 8, "time_slice_source": {"kind": "fit", "text": "d"}}'
shows 'engine_us +3' ./same.json
shows 'time_slice_us +8' ./same.json
shows 'taken over from other: measured: a.csv: b' ./same.json
shows ' fit: d' ./same.json
sed -i 's/"engine_us": 3/"engine_us": 4/' other.json
shows 'engine_us +4' ./same.json
platform same '"extends": "duo", "copies": {"engine_us": {"same_as": "other:copies.engine_us"},
    "engine_source": {"kind": "taken_over", "from": "other"}}'
shows 'engine_us +4' ./same.json
platform same '"extends": "duo", "copies": {"same_as": "other:copied"}'
refused 'same.json: copies.same_as: other has no copied' show platform ./same.json
platform same '"extends": "duo", "copies": {"same_as": "other"}'
refused 'copies.same_as: expected a platform and a path as in "lassen:gpu.calls", got "other"' \
    show platform ./same.json
platform same '"extends": "duo", "copies": {"same_as": "same:copies"}'
refused 'copies.same_as: "same": the file extends itself' show platform ./same.json
platform turn '"extends": "duo", "copies": {"same_as": "same:copies"}'
platform same '"extends": "duo", "copies": {"same_as": "turn:copies"}'
refused 'a circle' show platform ./same.json

# A reference among the members beside one is followed, too.
platform deep '"extends": "duo", "copies": {"engine_us": 5,
    "engine_source": {"kind": "assumed", "text": "e"}}'
platform same '"extends": "duo", "copies": {"same_as": "other:copies",
    "engine_us": {"same_as": "deep:copies.engine_us"},
    "engine_source": {"kind": "taken_over", "from": "deep"}}'
shows 'engine_us +5' ./same.json
shows 'time_slice_us +7' ./same.json
# An error is that of the file that is referred to.
platform wrong '"extends": "duo", "copies": {"engine_us": -3, "time_slice_us": 7,
    "engine_source": {"kind": "measured", "text": "b"},
    "time_slice_source": {"kind": "assumed", "text": "c"}}'
platform same '"extends": "duo", "copies": {"same_as": "wrong:copies"}'
refused 'same.json: in ./wrong.json: copies.engine_us: expected' \
    show platform ./same.json
sed -i 's/-3/3/; s/measured/guessed/' wrong.json
refused 'copies.same_as: ./wrong.json: copies.engine_source: expected {' \
    show platform ./same.json
refused 'got the kind "guessed"' show platform ./same.json
# Each platform that is referred to is composed once.
two() { echo "{\"a\": {\"same_as\": \"$1:x\"}, \"b\": {\"same_as\": \"$1:x\"},
    \"c\": {\"same_as\": \"$1:x\"}, \"d\": {\"same_as\": \"$1:x\"},
    \"e\": {\"same_as\": \"$1:x\"}, \"f\": {\"same_as\": \"$1:x\"},
    \"g\": {\"same_as\": \"$1:x\"}, \"h\": {\"same_as\": \"$1:x\"}}"; }
part power0 '"x": 1'
for i in 1 2 3 4 5 6; do
    part power$i "\"x\": {\"a\": {\"same_as\": \"power$((i - 1)):x\"}}, \"y\": $(two power$((i - 1)))"
done
platform power '"extends": "duo", "x": {"same_as": "power6:x"}'
code=0
timeout 20 "$sluice" show platform ./power.json >out 2>err || code=$?
[ "$code" = 2 ] || { echo "power.json: exit code $code" >&2; exit 1; }
grep -qF './power.json: x: unknown key' err || { cat err >&2; exit 1; }
# All of them count.
refers=
i=0
while [ $i -lt 65 ]; do
    part one$i '"x": 1'
    refers="$refers${refers:+, }\"x$i\": {\"same_as\": \"one$i:x\"}"
    i=$((i + 1))
done
platform refers "$refers"
refused 'one63.json: expected at most 64 files' show platform refers.json
