# SPDX-License-Identifier: GPL-3.0-or-later
# For tests of `sluice run`: $sluice, a $folder of their own, and in $common what
# every run is given. Sourced, not run.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
common=

# The exit code, a part of what is said, options. Beside an error there are no
# results.
ends() {
    code=$1 want=$2
    shift 2
    got=0
    "$sluice" run $common "$@" >"$folder/out" 2>"$folder/err" || got=$?
    if [ $got -ne "$code" ] || ! cat "$folder/out" "$folder/err" |
        grep -qF -e "$want"; then
        echo "run $*: expected exit code $code and '$want', got $got and:" >&2
        cat "$folder/out" "$folder/err" >&2
        exit 1
    fi
    if [ "$code" -ne 0 ] && [ -s "$folder/out" ]; then
        echo "run $*: results beside an error" >&2
        exit 1
    fi
}
