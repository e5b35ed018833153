# SPDX-License-Identifier: GPL-3.0-or-later
# For tests whose command starts Python with libsluice: a library with sanitizers
# wants theirs to be loaded first, and Python itself leaks. Sourced, not run.
case $(ldd "$1") in
*asan*)
    LD_PRELOAD=$(ldd "$1" | awk '/lib[au]bsan|libasan/ { print $3 }' | paste -sd:)
    export LD_PRELOAD ASAN_OPTIONS=detect_leaks=0:${ASAN_OPTIONS:-}
    ;;
esac
