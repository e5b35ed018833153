# SPDX-License-Identifier: GPL-3.0-or-later
# For tests that go on after a failure: $sluice, a folder of their own $dir, and
# $failed, which they exit with. Sourced, not run.
sluice=$1
failed=0
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

expect() { # what command...: it succeeds
    local what=$1
    shift
    "$@" || { echo "failed: $what" >&2; failed=1; }
}

# The exit code, a part of what is said, arguments: one line on standard error,
# and nothing else. The part is a text, with patterns=-E an expression.
refuses() {
    local code=$1 part=$2 got
    shift 2
    "$sluice" "$@" >"$dir/stdout" 2>"$dir/stderr"
    got=$?
    expect "$*: exit code $got, expected $code" [ "$got" = "$code" ]
    expect "$*: wrote to standard output" [ ! -s "$dir/stdout" ]
    expect "$*: one line: $(cat "$dir/stderr")" \
        [ "$(wc -l <"$dir/stderr")" = 1 ]
    expect "$*: '$part' in $(cat "$dir/stderr")" \
        grep -q "${patterns:--F}" -- "$part" "$dir/stderr"
}
