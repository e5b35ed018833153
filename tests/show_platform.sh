# SPDX-License-Identifier: GPL-3.0-or-later
# sluice list and sluice show platform, as a user sees them.
set -eu
sluice=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

has() { # file, text
    grep -qF -- "$2" "$1" || {
        echo "expected '$2' in:" >&2
        cat "$1" >&2
        exit 1
    }
}
refused() { # text, then the command's arguments
    text=$1
    shift
    code=0
    "$sluice" "$@" >"$dir/out" 2>"$dir/err" || code=$?
    [ "$code" = 2 ] || { echo "$*: exit code $code, expected 2" >&2; exit 1; }
    [ ! -s "$dir/out" ] || { echo "$*: wrote to standard output" >&2; exit 1; }
    has "$dir/err" "$text"
}

"$sluice" list platforms >"$dir/list"
has "$dir/list" "lassen-paper"
"$sluice" list workloads >"$dir/workloads"
for name in spmv: stencil:9pt: random:rows exchange: \
    random:ranks; do
    has "$dir/workloads" "  $name"
done

# Every shipped platform, readable: no line beyond 110 columns.
for file in platforms/*.json; do
    name=$(basename "$file" .json)
    has "$dir/list" "$name"
    "$sluice" show platform "$name" >"$dir/$name"
    if grep -qE '.{111}' "$dir/$name"; then
        echo "$name: lines beyond 110 columns" >&2
        exit 1
    fi
    # The files stand as they are printed, so that a change is a small diff.
    # One that extends others is printed with all that it has from them.
    "$sluice" show platform "$name" --json >"$dir/$name.json"
    if grep -q '^  "extends"' "$file"; then
        file=$dir/again.json
        "$sluice" show platform "$dir/$name.json" --json >"$file"
    fi
    diff "$dir/$name.json" "$file"
    "$sluice" show platform "$name" --svg -o "$dir/$name.svg"
done
# In each drawing every wire has two directions, and no two boxes overlap.
python3 - "$dir" <<'END'
import glob, json, sys, xml.etree.ElementTree as tree
svg = "{http://www.w3.org/2000/svg}"
files = glob.glob(sys.argv[1] + "/*.svg")
assert len(files) > 20, files
for file in files:
    doc = tree.parse(file).getroot()
    node = json.load(open(file[:-3] + "json"))["node"]
    # With node.nics only so many of the NICs of the file are there.
    there = {d.get("data-device") for d in doc.iter(svg + "g")}
    left_out = {d["id"] for d in node["devices"] if d["kind"] == "nic"} - there
    kept = sum(d["kind"] == "nic" for d in node["devices"]) - len(left_out)
    assert kept == node.get("nics", kept) and (not left_out or "nics" in node), file
    node["devices"] = [d for d in node["devices"] if d["id"] not in left_out]
    ends = [w["ends"] for w in node["wires"] if not left_out & set(w["ends"])]
    links = [p.get("data-link") for p in doc.iter(svg + "path")
             if p.get("data-link")]
    wanted = [a + ">" + b for e in ends for a, b in (e, e[::-1])]
    assert sorted(links) == sorted(wanted), file
    width = float(doc.get("width"))
    boxes = []
    for device in doc.iter(svg + "g"):
        if device.get("data-device"):
            r = device.find(svg + "rect")
            x, y, w, h = (float(r.get(k)) for k in ("x", "y", "width", "height"))
            boxes.append((x, y, x + w, y + h, device.get("data-device")))
            assert 0 <= x and x + w <= width and w > 8, (file, boxes[-1])
    assert sorted(b[4] for b in boxes) == sorted(d["id"] for d in node["devices"])
    for i, a in enumerate(boxes):
        for b in boxes[:i]:
            assert (a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or
                    b[3] <= a[1]), (file, a, b)
END
# Inside one group of a dragonfly: routers of a chassis with each other, those of
# one place in its chassis likewise; of a group that is one chassis, the former.
cat >"$dir/fly.json" <<'END'
{"format": 1, "extends": "lumi", "name": "fly", "about": "a dragonfly",
 "network": {"nodes": 192, "groups": 8, "group_wires": 4, "chassis": 3, "chassis_links": 5,
             "routers": 4, "router_links": 2, "nodes_per_router": 2, "source": {"kind": "assumed", "text": "a test"}}}
END
"$sluice" show platform "$dir/fly.json" --svg >"$dir/fly.svg"
# Six of the groups, three rows of four routers, two nodes, and the frame.
[ "$(grep -o 'class="link"' "$dir/fly.svg" | wc -l)" -eq $((15 + 3 * 6 + 2 + 1)) ]
[ "$(grep -o 'class="link t2"' "$dir/fly.svg" | wc -l)" -eq $((4 * 3)) ]
for words in '4 routers in each chassis, each two joined by 2 x 95.6 GB/s' 'router 11<' 'node 17<' \
    'routers of one place joined by 5 x 95.6 GB/s' '2 nodes at each router, by 95.6 GB/s; 192 in all'; do
    grep -qF "$words" "$dir/fly.svg"
done
[ "$(grep -o 'class="link t2"' "$dir/lumi.svg" | wc -l)" -eq 0 ]
"$sluice" show platform lassen --svg | cmp - "$dir/lassen.svg"
"$sluice" show platform duo --set 'name=<b>&"' --svg >"$dir/x.svg"
has "$dir/x.svg" '&lt;b&gt;&amp;&quot;: a node has'
refused "-o: with --svg only" show platform duo -o "$dir/x"
refused "--json, --svg or --nccl: one of them" show platform duo --svg --json
refused "--nccl: lassen has no nccl" show platform lassen --nccl
refused "--nodes: expected 1 to 128" show platform dgx-h100 --nccl --nodes 129
# As NCCL logged it on two such nodes (KeitaW/p5-nccl-test-2024-07-19 1c78584).
"$sluice" show platform dgx-h100 --nccl --nodes 2 >"$dir/nccl"
for line in "Ring   nChannels 8" "16 coll channels, 16 nvls channels" \
    "rings 14 to 15: 7 0 1 2 3 4 5 6 15" "head 7: 7 15"; do
    has "$dir/nccl" "$line"
done
refused "no/x.svg" show platform duo --svg -o "$dir/no/x.svg"
has "$dir/lassen" "792"
has "$dir/duo" "alphas, betas and rates of wires: 21 assumed"

# A changed number, and what printed it, say so; the print reads back.
"$sluice" show platform lassen --set node.wire_types.nic.bandwidth_GBps=50 \
    --set copies.mps=false --set node.devices.0.cores=32 --json >"$dir/x.json"
"$sluice" show platform "$dir/x.json" >"$dir/x"

has "$dir/x" "bandwidth_GBps 50, specified_GBps 12.5"
tr -s ' \n' ' ' <"$dir/x" >"$dir/words"
has "$dir/words" "set: --set node.wire_types.nic.bandwidth_GBps=50"
has "$dir/x" "node: 52 cores"
has "$dir/x" "mps                        false"

SLUICE_PLATFORMS=$dir "$sluice" list platforms >"$dir/list"
has "$dir/list" "  x  "
SLUICE_PLATFORMS=$dir "$sluice" show platform x >/dev/null

refused "(did you mean lassen?); all: sluice list platforms" \
    show platform lasen
refused "network.bandwith_GBps: unknown key (did you mean bandwidth_GBps?)" \
    show platform duo --set network.bandwith_GBps=1
refused 'no key "netwrk" (did you mean network?)' \
    show platform duo --set netwrk.nodes=1
refused "none.json: cannot be read" show platform none.json
refused "(did you mean platform?)" show platfrom duo
refused "(did you mean platforms?)" list platfroms

# One row of a table in full.
"$sluice" show strategy split+md >"$dir/entry"
has "$dir/entry" "options: --keep-duplicates, --message-cap, --ranks-per-node"
has "$dir/entry" "closed form: yes"
"$sluice" show workload bfs: >"$dir/entry"
has "$dir/entry" "options: --gpus, --nodes, --partition, --edge-ns, --source"
has "$dir/entry" "platform: daisy"
"$sluice" show workload bfs | cmp - "$dir/entry"
"$sluice" show workload sssp >"$dir/entry"
has "$dir/entry" --source, --max-weight
refused "of graphs on hosts (--runtime)" run --workload bfs:rmat:scale=9,edge_factor=2 \
    --platform daisy,lassen
# The random: of matrices, and that of messages, whose prefix is longer.
"$sluice" show workload random: >"$dir/entry"
has "$dir/entry" "random:rows=N"
has "$dir/entry" "random:ranks=R"
"$sluice" show strategy bsp >"$dir/entry"
has "$dir/entry" '"schedule": "bulk_synchronous"'
refused "did you mean split+md?" show strategy split-md
refused "unknown workload (did you mean bfs:?)" show workload bsf:
refused "expected one name, got 2" show strategy split+md split+dd
refused "(did you mean metis?)" run --workload stencil:5pt:9x9 --partition mets
refused "(did you mean random?)" run --workload bfs:rmat:scale=9,edge_factor=2 \
    --partition randm
