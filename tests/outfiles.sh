#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Files that sluice writes: their mode, links, and what a signal leaves behind;
# and a bench whose cases fail.
set -m # or INT would be ignored in the background
. tests/expect.bash
sluice=$(realpath "$1")

write() { # path
    "$sluice" export --platform duo --workload stencil:5pt:8x8 \
        --strategy standard/staged --plan "$1" >/dev/null 2>"$dir/err"
}

mode() {
    stat -c %a "$1"
}

# --- modes ------------------------------------------------------------------------
umask 027
expect "new" write "$dir/new"
expect "a new file is by umask" [ "$(mode "$dir/new")" = 640 ]
for m in 600 644 660 640; do
    echo old >"$dir/kept"
    chmod $m "$dir/kept"
    expect "over $m" write "$dir/kept"
    expect "$m is kept" [ "$(mode "$dir/kept")" = $m ]
    expect "$m: written" cmp -s "$dir/new" "$dir/kept"
done
if [ "$(id -u)" = 0 ]; then
    chown 1:1 "$dir/kept"
    expect "of another user" write "$dir/kept"
    expect "its owner is kept" [ "$(stat -c %u:%g "$dir/kept")" = 1:1 ]
else
    chmod 400 "$dir/kept"
    expect "read-only: refused" bash -c "! '$sluice' export --platform duo \
        --workload stencil:5pt:8x8 --strategy standard/staged \
        --plan '$dir/kept' 2>/dev/null"
fi

# --- links ------------------------------------------------------------------------
mkdir "$dir/links"
echo old >"$dir/target"
chmod 600 "$dir/target"
ln -s ../target "$dir/links/link"
ln -s link "$dir/links/chain"
for link in link chain; do
    echo old >"$dir/target"
    expect "through $link" write "$dir/links/$link"
    expect "$link stays a link" [ -L "$dir/links/$link" ]
    expect "$link: what it leads to is written" cmp -s "$dir/new" "$dir/target"
    expect "$link: with its mode" [ "$(mode "$dir/target")" = 600 ]
done
ln -s "$dir/fresh" "$dir/links/dangling"
expect "through a link to nothing" write "$dir/links/dangling"
expect "what it leads to is made" cmp -s "$dir/new" "$dir/fresh"
expect "no parts" [ -z "$(find "$dir" -name '*.part.*')" ]
# A file that is refused stays.
echo old >"$dir/kept"
"$sluice" export --platform duo --workload stencil:5pt:8x8 \
    --strategy standard/staged --plan "$dir/kept" --goal "$dir/no/goal" \
    2>/dev/null
expect "a refused command leaves the old file" [ "$(cat "$dir/kept")" = old ]

# --- a file that is read is not written -------------------------------------------
read_only() { # file pattern arguments...: refused, and the file stays
    local file=$1 pattern=$2
    shift 2
    cp "$file" "$dir/before"
    "$sluice" "$@" >"$dir/out" 2>"$dir/err"
    expect "$*: exit code" [ $? = 2 ]
    expect "$*: '$pattern' in $(cat "$dir/err")" grep -qF -- "$pattern is the file that is read" "$dir/err"
    expect "$*: one line" [ "$(wc -l <"$dir/err")" = 1 ]
    expect "$*: the file stays" cmp -s "$file" "$dir/before"
}
cp docs/late_receive.csv "$dir/s.csv"
ln -s s.csv "$dir/s.link"
ln "$dir/s.csv" "$dir/s.hard"
"$sluice" show platform duo --json >"$dir/own.json"
printf '{"platform": "%s", "workload": "schedule:%s"}\n' "$dir/own.json" "$dir/s.csv" >"$dir/x.json"
"$sluice" run --workload stencil:5pt:8x8 --json --details >"$dir/run.json"
"$sluice" show platform lassen --json >"$dir/base.json"
cp tests/data/lassen_excerpt_memcpy.csv "$dir/copies.csv"
for out in s.csv s.link s.hard; do
    read_only "$dir/s.csv" "--timeline: $dir/$out" \
        run --workload "schedule:$dir/s.csv" --timeline "$dir/$out"
done
read_only "$dir/own.json" "--timeline: $dir/own.json" run --timeline "$dir/own.json" \
    --workload stencil:5pt:8x8 --strategy split+md --platform "$dir/own.json"
for out in x.json s.csv own.json; do
    read_only "$dir/$out" "--timeline: $dir/$out" run "$dir/x.json" --timeline "$dir/$out"
    read_only "$dir/$out" "--goal: $dir/$out" export "$dir/x.json" --goal "$dir/$out"
done
read_only "$dir/s.csv" "--plan: $dir/s.csv" \
    export --workload "schedule:$dir/s.csv" --plan "$dir/s.csv"
read_only "$dir/own.json" "-o: $dir/own.json" \
    show platform "$dir/own.json" --svg -o "$dir/own.json"
read_only "$dir/run.json" "-o: $dir/run.json" report "$dir/run.json" -o "$dir/run.json"
read_only "$dir/base.json" "-o: $dir/base.json" calibrate "$dir/copies.csv" \
    --base "$dir/base.json" -o "$dir/base.json"
read_only "$dir/copies.csv" "-o: $dir/copies.csv" calibrate "$dir/copies.csv" \
    --base "$dir/base.json" -o "$dir/copies.csv"
# What is the same only by its beginning is written.
echo old >"$dir/s.cs"
expect "another file" "$sluice" run --workload "schedule:$dir/s.csv" --timeline "$dir/s.cs" \
    >/dev/null
expect "is written" grep -q traceEvents "$dir/s.cs"

# --- signals ----------------------------------------------------------------------
# A gnuplot that never ends: all files are open, and its folder is full.
mkdir "$dir/bin" "$dir/tmp"
cat >"$dir/bin/gnuplot" <<EOF
#!/bin/sh
[ "\$1" = --version ] || [ "\$2" = --version ] && exit 0
echo \$\$ >"$dir/drawing.new"
mv "$dir/drawing.new" "$dir/drawing"
exec sleep 20
EOF
chmod +x "$dir/bin/gnuplot"
for signal in INT TERM HUP; do
    rm -f "$dir/drawing"
    PATH=$dir/bin:$PATH TMPDIR=$dir/tmp "$sluice" figure atos-2 \
        --out "$dir/figures" >/dev/null 2>&1 &
    pid=$!
    for _ in $(seq 200); do
        [ -e "$dir/drawing" ] && break
        sleep 0.1
    done
    expect "$signal: parts are there" \
        [ "$(find "$dir/figures" -name '*.part.*' | wc -l)" = 4 ]
    expect "$signal: a folder is there" [ -n "$(ls -A "$dir/tmp")" ]
    kill -$signal $pid
    wait $pid
    got=$?
    expect "$signal: ended by it, not $got" [ $got = $((128 + $(kill -l $signal))) ]
    expect "$signal: no parts" [ -z "$(ls -A "$dir/figures")" ]
    expect "$signal: no folder" [ -z "$(ls -A "$dir/tmp")" ]
    kill "$(cat "$dir/drawing")" 2>/dev/null
done
# What is ignored stays ignored.
rm -f "$dir/drawing"
(
    trap '' HUP
    PATH=$dir/bin:$PATH TMPDIR=$dir/tmp exec "$sluice" figure atos-2 \
        --out "$dir/figures" >/dev/null 2>&1
) &
pid=$!
for _ in $(seq 200); do
    [ -e "$dir/drawing" ] && break
    sleep 0.1
done
kill -HUP $pid
sleep 0.3
expect "HUP that is ignored" kill -0 $pid
kill -TERM $pid
wait $pid
kill "$(cat "$dir/drawing")" 2>/dev/null

# --- bench ------------------------------------------------------------------------
"$sluice" bench exchange --max-events 1 >"$dir/out" 2>"$dir/err"
expect "bench: exit code of cases that fail" [ $? = 1 ]
expect "bench: said" grep -q '^sluice: bench: 9 of the cases failed$' "$dir/err"
"$sluice" bench exchange --against /bin/false >"$dir/out" 2>"$dir/err"
expect "bench: exit code of another program that fails" [ $? = 1 ]
expect "bench: how fast the machine is" grep -q '^machine: .* a random read' "$dir/out"
expect "bench: said" grep -q '^sluice: bench: 9 of the cases failed$' "$dir/err"
"$sluice" bench start >"$dir/out" 2>"$dir/err"
expect "bench start" [ $? = 0 ]
expect "bench start: nodes" [ "$(grep -cE '^ +(1024|4096|16384|65536) ' "$dir/out")" = 4 ]
cat >"$dir/torus.json" <<'EOT'
{"format": 1, "extends": "flat8", "name": "torus", "about": "a ring of rings",
 "network": {"topology": "torus", "nodes": 64, "dimensions": [4, 4, 4], "levels": null,
             "source": {"kind": "assumed", "text": "a test"}}}
EOT
"$sluice" bench start --platform "$dir/torus.json" >"$dir/out" 2>"$dir/err"
expect "bench start: no fat tree" grep -q 'expected a fat tree or a crossbar' "$dir/err"
exit $failed
