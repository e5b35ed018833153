# SPDX-License-Identifier: GPL-3.0-or-later
# sluice claims: text, JSON, exit codes; an id that does not exist.
set -u
. tests/python_library.bash
sluice=$1
failed=0
cells=$(mktemp)
trap 'rm -f "$cells" "$cells.err" "$cells.out"' EXIT
cat >"$cells" <<END
application,machine,framework,graph,gpus,scale,ms,workload,visits,edges,levels,wall_s,made_by
bfs,daisy,Gunrock,road_usa,1,1,604,1,100,200,6809,1,0123456789abcdef
END

check() { # what, status
    if [ "$2" -ne 0 ]; then
        echo "$1" >&2
        failed=1
    fi
}

text=$("$sluice" claims L01 L05)
check "claims: exit code 0 though one is not reproduced" $?
grep -q '^L01 reproduced$' <<<"$text"
check "claims: L01 in the text" $?
grep -q '^L05 not reproduced$' <<<"$text"
check "claims: L05 in the text" $?
json=$("$sluice" claims --json L01 L05)
for part in '"id": "L01"' '"id": "L05"' '"status": "reproduced"' \
    '"status": "not reproduced"' '"evidence": "run: '; do
    grep -qF "$part" <<<"$json"
    check "claims: no $part in the JSON" $?
done
[ "$json" = "$("$sluice" claims --json L01 L05)" ]
check "claims: twice the same" $?
for part in '"predicted": ' '"input": ' '"all": ' '"hold": '; do
    grep -qF "$part" <<<"$json"
    check "claims: no $part in the JSON" $?
done
grep -q '^L05  not reproduced .*  input, fitted$' <<<"$text"
check "claims: what L05 rests on" $?
grep -q '^0 of 0 predicted lines hold$' <<<"$text"
check "claims: single messages are no predictions" $?
grep -q '| fails (fitted): lassen: ' <<<"$text"
check "claims: what a line rests on" $?
"$sluice" claims L06 | grep -q '^L06 not testable$'
check "claims: L06 needs times that are not published" $?
for what in "A01 not run" "not run: bfs on daisy" "not run at full size: "; do
    "$sluice" claims A01 --cells "$cells" | grep -qF "$what"
    check "claims: no '$what' with one cell" $?
done
n=$("$sluice" claims $(seq -f A%02.0f 48) --cells "$cells" | grep -c "^A.. *not run .* hold  open$")
[ "$n" -eq 48 ]
check "claims: $n of 48 are not run with one cell" $?
"$sluice" claims A01 --cells no/such.csv 2>"$cells.err"
[ $? -eq 2 ] && grep -q '^sluice: no/such.csv: ' "$cells.err"
check "claims: cells that are not there" $?
"$sluice" claims L1 2>/tmp/sluice-claims.$$
[ $? -eq 2 ] && grep -q 'did you mean L01?' /tmp/sluice-claims.$$
check "claims: unknown id" $?
"$sluice" claims nonsense_word 2>/tmp/sluice-claims.$$
[ $? -eq 2 ] &&
    grep -q 'known: L01 to I21, lockhart, chen, faraji, klenk, dang' /tmp/sluice-claims.$$
check "claims: a word that is no paper" $?
rm -f /tmp/sluice-claims.$$
ids=$("$sluice" claims L04 A01 L01 | grep -oE '^[A-Z][0-9]{2}  ' | tr -d ' \n')
[ "$ids" = L01L04A01 ]
check "claims: in the order of the papers, got $ids" $?
[ "$("$sluice" claims --help | grep -oE '[A-Z][0-9]{2} to [A-Z][0-9]{2}' | tr '\n' ' ')" = \
    'L01 to L25 A01 to A54 F01 to F31 K01 to K22 I01 to I21 ' ]
check "claims: all papers" $?
refused() { # what is said, arguments
    local said=$1
    shift
    "$sluice" claims "$@" >"$cells.out" 2>"$cells.err"
    [ $? -eq 2 ] && [ ! -s "$cells.out" ] && [ "$(cat "$cells.err")" = "sluice: $said" ]
    check "claims $*: $(cat "$cells.err")" $?
}
refused 'chenn: unknown claim (did you mean chen?)' chenn
refused '--cells: not for L01' L01 --cells "$cells"
refused '--set gpu.x=1: no experiment of these claims uses it' A01 --set gpu.x=1
refused '--set execution.control=cpu: no experiment of these claims uses it' K01 \
    --set execution.control=cpu
"$sluice" claims L04 --set no.such.key=1 2>"$cells.err"
[ $? -eq 2 ] && grep -q '^sluice: L04: .*no\.such' "$cells.err"
check "claims: a key that is none: $(cat "$cells.err")" $?
"$sluice" claims A01 >/dev/full 2>"$cells.err"
[ $? -eq 1 ] && grep -q '^sluice: standard output: cannot be written: ' "$cells.err"
check "claims: a full disk" $?
(PATH=/nowhere; "$sluice" claims A01 2>"$cells.err")
[ $? -eq 1 ] && grep -q 'python3: not found on PATH' "$cells.err"
check "claims: without Python" $?
help=$("$sluice" claims --help)
for paper in "lockhart  L01 to L25: Lockhart et al. 2022" \
    "chen      A01 to A54: Chen et al. 2022 (Atos)" \
    "dang      I01 to I21: Dang et al. 2018 (LCI)" \
    "[ID|lockhart|chen|faraji|klenk|dang ...]"; do
    grep -qF "$paper" <<<"$help"
    check "claims: no '$paper' in the help" $?
done
exit $failed
