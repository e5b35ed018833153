#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# sluice report: what a page holds, names that would be markup, and what is
# refused. What it does in a browser: report_browser.sh.
. tests/expect.bash

refuse() { # code pattern arguments...: and no page
    local code=$1 pattern=$2
    shift 2
    refuses "$code" "$pattern" report "$@"
    expect "$*: no page" [ -z "$(find "$dir" -name 'no*.html*')" ]
}

run="$sluice run --platform duo --workload stencil:5pt:16x16 --nodes 2"
$run --json --details >"$dir/run.json" || failed=1
printf '%s\n' '{"base": {"platform": "duo", "workload": "stencil:5pt:16x16"},
    "axes": {"nodes": [1, 2], "network.bandwidth_GBps": [0.1, 12.34567890123]}}' \
    >"$dir/space.json"
"$sluice" sweep "$dir/space.json" -o "$dir/runs.db" >/dev/null || failed=1

# --- refused: nothing, and nothing half-written
no=$dir/no.html
refuse 2 'expected results' -o "$no"
refuse 2 'expected -o REPORT.html' "$dir/run.json"
refuse 2 'none.json: cannot be read: No such file' "$dir/none.json" -o "$no"
refuse 2 'cannot be read: Is a directory' "$dir" -o "$no"
: >"$dir/empty"
refuse 2 'empty: empty: expected a database of sluice sweep' "$dir/empty" -o "$no"
echo text >"$dir/text"
refuse 2 'text:1:' "$dir/text" -o "$no"
refuse 2 'space.json: no result: it has no "schema"' "$dir/space.json" -o "$no"
sed 's/"schema": 2/"schema": 7/' "$dir/run.json" >"$dir/other.json"
refuse 2 'other.json: schema: a document of another version: 7, expected 2' \
    "$dir/run.json" "$dir/other.json" -o "$no"
"$sluice" model --workload stencil:5pt:16x16 --gpus 8 --json >"$dir/model.json"
refuse 2 'model.json: command: expected run, got model' "$dir/model.json" -o "$no"
sed '0,/"time_s": [^,]*/s//"time_s": "soon"/' "$dir/run.json" >"$dir/odd.json"
refuse 2 'odd.json: strategies[0]: time_s: expected' "$dir/odd.json" -o "$no"
head -c 900 "$dir/run.json" >"$dir/cut.json"
refuse 2 'cut.json:' "$dir/cut.json" -o "$no"
refuse 2 'no/no.html' "$dir/run.json" -o "$dir/no/no.html"
cp "$dir/runs.db" "$dir/kept.db"
ln -s runs.db "$dir/link.db"
refuse 2 '-o: '"$dir"'/link.db is the file that is read' "$dir/run.json" "$dir/runs.db" -o "$dir/link.db"
cmp "$dir/runs.db" "$dir/kept.db" || failed=1
if [ -w /dev/full ]; then
    refuse 1 '/dev/full' "$dir/run.json" -o /dev/full
fi
python3 - "$dir" <<'END'
import shutil, sqlite3, sys
dir = sys.argv[1]
for name, change in (("later", "PRAGMA user_version = 99"),
                     ("foreign", "PRAGMA application_id = 7")):
    shutil.copy(dir + "/runs.db", f"{dir}/{name}.db")
    db = sqlite3.connect(f"{dir}/{name}.db")
    db.execute(change)
    db.commit()
END
refuse 2 'later.db: a database of another version: schema 99' "$dir/later.db" -o "$no"
refuse 2 'foreign.db: a database, but not one of sluice sweep' "$dir/foreign.db" -o "$no"
head -c 5000 "$dir/runs.db" >"$dir/cut.db"
refuse 2 'cut.db: ' "$dir/cut.db" -o "$no"
echo old >"$dir/old.html"
"$sluice" report "$dir/cut.json" -o "$dir/old.html" 2>/dev/null
expect "an old page stays" [ "$(cat "$dir/old.html")" = old ]

# --- names that would be markup stay text
hostile='x</script><!--<img src=//e.invalid onerror=alert(1)>"&'"'"$'\xe2\x80\xa8'
python3 - "$dir" "$hostile" <<'END'
import json, sys
doc = json.load(open(sys.argv[1] + "/run.json"))
doc["workload"] = doc["strategies"][0]["strategy"] = sys.argv[2]
doc["strategies"][0]["links"][0]["name"] = sys.argv[2]
doc["strategies"][0]["note"] = "back\\slash \\\" and \"quotes\\\\"
json.dump(doc, open(sys.argv[1] + "/" + "hostile.json", "w"), ensure_ascii=False)
END
cp "$dir/hostile.json" "$dir/<b>&.json"
"$sluice" report "$dir/<b>&.json" "$dir/runs.db" -o "$dir/page.html" >/dev/null || failed=1
python3 - "$dir" "$hostile" <<'END' || failed=1
import html.parser, json, sys
dir, hostile = sys.argv[1:]

class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.data, self.now = [], {}, None
    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        a = dict(attributes)
        self.now = a.get("id") or tag if tag in ("script", "style") else None
        for key, value in a.items():
            assert key not in ("src", "onerror", "onclick"), (tag, a)
            assert key != "href" or value[0] == "#" or value == "data:,", a
    def handle_endtag(self, tag):
        self.now = None
    def handle_data(self, text):
        if self.now:
            self.data[self.now] = self.data.get(self.now, "") + text

text = open(dir + "/page.html", encoding="utf8").read()
assert "\u2028" not in text and "url(" not in text and "@import" not in text
page = Page()
page.feed(text)
assert page.tags.count("script") == 2 and "img" not in page.tags, page.tags
data = json.loads(page.data["data"])
columns = {c["name"]: c for c in data["columns"]}
run = json.load(open(dir + "/hostile.json"))
n = len(run["strategies"])
for c in data["columns"]:  # one number stands for a list of the same
    for key in ("values", "of"):
        if key in c and not isinstance(c[key], list):
            c[key] = [c[key]] * data["rows"]
assert columns["version"]["of"] == [0] * data["rows"]
assert data["rows"] > n
assert columns["strategy"]["words"][columns["strategy"]["of"][0]] == hostile
assert data["details"][0]["links"][0]["name"] == hostile
assert data["details"][0]["note"] == "back\\slash \\\" and \"quotes\\\\"
assert columns["time_s"]["values"][:n] == [
    float("%.9g" % s["time_s"]) for s in run["strategies"]]
assert data["sources"][0]["file"].endswith("<b>&.json")
assert data["sources"][1]["first"] == n
# All digits of what a run is made again by.
rates = set(columns["network.bandwidth_GBps"]["values"])
assert rates == {None, 0.1, 12.34567890123}, rates
assert all(len(c.get("values") or c["of"]) == data["rows"] for c in data["columns"])
END

# --- other documents: a graph in rounds, whose times are one level deeper
"$sluice" run --platform stampede2 --nodes 2 --workload pagerank:rmat:scale=8,edge_factor=4 \
    --runtime mpi-probe --vertices-as 1e6 --json >"$dir/rounds.json" || failed=1
"$sluice" report "$dir/rounds.json" -o "$dir/rounds.html" >/dev/null || failed=1
python3 - "$dir" <<'END' || failed=1
import json, re, sys
result = json.load(open(sys.argv[1] + "/rounds.json"))["results"][0]
page = open(sys.argv[1] + "/rounds.html", encoding="utf8").read()
data = json.loads(re.search('id="data">(.*?)</script>', page, re.S).group(1))
columns = {c["name"]: c.get("values") for c in data["columns"]}
for name, of in ("time_s", "as_run"), ("scaled_time_s", "scaled"):
    assert columns[name] == float("%.9g" % result[of]["time_s"]), columns[name]
END
"$sluice" report "$dir/runs.db" -o - | head -1 | grep -qx '<!DOCTYPE html>' || failed=1
exit $failed
