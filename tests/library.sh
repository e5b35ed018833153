#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The library of the build refuses what is no argument, and goes on.
set -eu
build=$(cd "$(dirname "$1")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
sanitize=
case $(ldd "$1") in
*asan*) sanitize=-fsanitize=address,undefined ;;
esac
${CC:-cc} -std=c17 -Wall -Wextra -Wpedantic -Werror $sanitize -Icli \
    -o "$dir/misuse" tests/library/misuse.c \
    -L"$build" -lsluice -Wl,-rpath,"$build"
timeout 120 "$dir/misuse"
