#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# `sluice validate native` and `sluice figure native`: a table that can be
# checked by hand, its forms, the figure, and what is refused.
. tests/expect.bash
duo=tests/data/native_duo.csv

patterns=-E
refuse() { # pattern arguments...
    local pattern=$1
    shift
    refuses 2 "$pattern" "$@"
}

# The numbers are those of test_native_results.c.
"$sluice" validate native $duo >"$dir/table" 2>"$dir/stderr"
expect "golden" diff -u tests/golden/validate_native.out "$dir/table"
expect "quiet" [ ! -s "$dir/stderr" ]

"$sluice" validate native $duo --json >"$dir/json"
expect "JSON: winners" grep -q '"clear_predicted": 1,' "$dir/json"
expect "JSON: five cases" [ "$(grep -c '"config"' "$dir/json")" = 5 ]
expect "JSON: no noise of one sample" \
    [ "$(grep -c '"noise_s": null' "$dir/json")" = 1 ]

# Another machine, with slower copies: said once on standard error.
sed 's/"name": "duo"/"name": "other"/; s/"alpha_us": 10,/"alpha_us": 20,/' \
    platforms/duo.json >"$dir/other.json"
"$sluice" validate native $duo --platform "$dir/other.json" >"$dir/slow" \
    2>"$dir/stderr"
expect "told" [ "$(cat "$dir/stderr")" = \
    "sluice: $duo was measured on duo, not on other" ]
expect "two copies of 10 us more" \
    grep -qE '^  standard/staged +5 +22.00 +1.40 +41.08 ' "$dir/slow"
# duo-fast is for duo, whatever its case; duo2 is another machine.
for name in duo-fast Duo duo2; do
    sed "s/\"name\": \"duo\"/\"name\": \"$name\"/" platforms/duo.json \
        >"$dir/other.json"
    said=
    [ $name != duo2 ] || said="sluice: $duo was measured on duo, not on duo2"
    "$sluice" validate native $duo --platform "$dir/other.json" \
        >"$dir/named" 2>"$dir/stderr"
    expect "$name for duo" [ "$(cat "$dir/stderr")" = "$said" ]
done
"$sluice" validate native $duo --set copies.rows.0.alpha_us=20 |
    grep -qE '^  standard/staged +5 +22.00 +1.40 +31.08 '
expect "--set" [ ${PIPESTATUS[1]} = 0 ]

# test_native_results.c has all that is refused in a file.
sed 's/standard\/staged/standard/' $duo >"$dir/bad.csv"
refuse 'bad.csv:3: strategy: standard: ' validate native "$dir/bad.csv"
refuse 'say one of them' validate --native $duo --against $duo
refuse 'expected FILE.csv, or measured, native or traverse and FILE.csv' validate
refuse 'validate native: expected FILE.csv' validate native
refuse 'has number 0 of this already' validate native $duo $duo
refuse '--native: expected RESULTS.csv' figure native --out "$dir/no"
refuse '--native: only for the figure native' figure 2.5 --native $duo \
    --out "$dir/no"
refuse '--native: only for' figure all --native $duo --out "$dir/no"
refuse '--workload: not for native' figure native --native $duo --workload x \
    --out "$dir/no"

if ! command -v gnuplot >/dev/null; then
    echo "no gnuplot"
    exit $((failed ? 1 : 77))
fi
refuse 'bad.csv:3: strategy' figure native --native "$dir/bad.csv" \
    --out "$dir/out"
expect "nothing half-written" [ -z "$(ls -A "$dir/out")" ]
# A name with quotes in it, a single value of bytes, one strategy.
grep -e '^run_id' -e ',8,standard/staged,host,' $duo |
    sed "s/by hand/\"it's \"\"by\"\" hand\"/" >"$dir/quotes.csv"
for file in $duo "$dir/quotes.csv"; do
    "$sluice" figure native --native "$file" --out "$dir/out" >"$dir/names" \
        2>"$dir/stderr"
    expect "figure native" [ $? = 0 ]
    expect "quiet, not: $(cat "$dir/stderr")" [ ! -s "$dir/stderr" ]
    expect "four files" [ "$(ls -A "$dir/out" | wc -l)" = 4 ]
    expect "drawn" grep -q '</svg>' "$dir/out/fig-native.svg"
    csv=$dir/out/fig-native.csv
    expect "command" grep -qx "# sluice figure native --native $file" "$csv"
    [ "$file" = $duo ] || continue
    expect "two panels, nine points" \
        [ "$(grep -v '^#' "$csv" | cut -d, -f1 | sort | uniq -c | xargs)" = \
        '6 1 3 2 1 panel' ]
    expect "not predicted" [ "$(grep ',64,host,split+md,' "$csv" |
        grep -o ',[01],[01],[01]$')" = ,1,0,1 ]
done
expect "quotes" grep -q '"it'\''s ""by"" hand"' "$csv"
exit $failed
