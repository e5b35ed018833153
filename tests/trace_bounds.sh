# SPDX-License-Identifier: GPL-3.0-or-later
# Traces that hold more than any that is meant: lines of more than 16 MiB, packed
# files of more than 1 GiB. They are refused before they take memory or disk.
set -eu
sluice=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

refused() { # error words...
    want=$1
    shift
    got=0
    "$sluice" show trace "$@" >out 2>err || got=$?
    if [ $got -ne 2 ] || ! grep -qF -e "$want" err; then
        echo "$*: expected exit code 2 and '$want', got $got and:" >&2
        cat err >&2
        exit 1
    fi
}

blanks() {
    head -c "$1" /dev/zero | tr '\0' ' '
}

long=$((17 << 20))
{ printf '0 init\n0 compute 5'; blanks $long; printf '\n'; } | gzip >long.ti.gz
refused 'long.ti.gz:2: the line is longer than 16 MiB' ti:long.ti.gz
{ printf '0 init\n'; blanks $long; printf '\n'; } >blank.ti
refused 'blank.ti:2: the line is longer than 16 MiB' ti:blank.ti
{
    printf 'num_ranks 1\nrank 0 {\nl0: calc 5'
    blanks $long
    printf '\n}\n'
} | gzip >long.goal.gz
refused 'long.goal.gz:3: the line is longer than 16 MiB' goal:long.goal.gz
# As long as a line may be.
{ printf '0 init\n0 compute 5'; blanks $((16000000)); printf '\n'; } >just.ti
"$sluice" show trace ti:just.ti >out

# Packed files may be put one behind another.
times17() {
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17; do cat "$1"; done
}
head -c $((64 << 20)) /dev/zero | gzip -1 >part.gz
{ printf '0 init\n' | gzip; times17 part.gz; } >full.ti.gz
refused 'full.ti.gz: holds more than 1 GiB: unpack it first' ti:full.ti.gz
if command -v xz >/dev/null; then
    head -c $((64 << 20)) /dev/zero | xz -0 >part.xz
    { printf '0 init\n' | xz; times17 part.xz; } >full.ti.xz
    refused 'full.ti.xz: holds more than 1 GiB: unpack it first' ti:full.ti.xz
fi
