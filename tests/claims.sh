# SPDX-License-Identifier: GPL-3.0-or-later
# sluice claims: text, JSON, exit codes; an id that does not exist.
set -u
sluice=$1
failed=0

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
"$sluice" claims L1 2>/tmp/sluice-claims.$$
[ $? -eq 2 ] && grep -q 'did you mean L01?' /tmp/sluice-claims.$$
check "claims: unknown id" $?
rm -f /tmp/sluice-claims.$$
exit $failed
