# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What the scripts that measure a machine with GPUs share; to be sourced. CUDA's
# MPS is started and ended here; a file is written whole or not at all; what fails
# is reported, and the rest goes on.

# Open MPI refuses to run as root, as in a container, if it is not told to.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
mps_now=off

mps_possible() {
    command -v nvidia-cuda-mps-control >/dev/null
}

# mps_be on|off: starts or ends it, unless it is so.
mps_be() {
    [ "$1" != "$mps_now" ] || return 0
    if [ "$1" = on ]; then
        mps_possible && nvidia-cuda-mps-control -d || return 1
        trap 'mps_be off' EXIT
    else
        echo quit | nvidia-cuda-mps-control
        trap - EXIT
    fi
    mps_now=$1
    sleep 1
}

describe_machine() {
    nvidia-smi
    nvidia-smi topo -m
    nvidia-smi nvlink -s
    lscpu
    date -u
}

# take FILE LIMIT_S COMMAND...: runs COMMAND -o FILE for at most so long. The file
# is there when COMMAND was fine; else the exit code is COMMAND's. It is of the
# group of the script and ends with it (--foreground).
take() {
    local file=$1 limit=$2 code=0
    shift 2
    mkdir -p "$(dirname "$file")"
    timeout --foreground -k 5 "$limit" "$@" -o "$file.part" || code=$?
    if [ $code = 0 ] && [ -s "$file.part" ]; then
        mv "$file.part" "$file"
        return 0
    fi
    rm -f "$file.part"
    [ $code != 0 ] || code=1
    return $code
}

# calibrate_with SLUICE BASE PLATFORM.json FILE.csv...: PLATFORM.json is BASE fitted
# to the files that can be used, PLATFORM.txt what calibrate said of it; the names
# of those are printed. Which cannot be, and why, is on standard error and in
# PLATFORM.left-out.txt. Exit code 1: none can.
calibrate_with() {
    local sluice=$1 base=$2 to=${3%.json} file used=()
    shift 3
    : >"$to.left-out.txt"
    for file; do
        if "$sluice" calibrate "${used[@]}" "$file" --base "$base" \
            --name "$(basename "$to")" -o "$to.next.json" >"$to.next.txt" 2>"$to.next.err"; then
            used+=("$file")
            mv "$to.next.json" "$to.json"
            cat "$to.next.txt" "$to.next.err" >"$to.txt"
        else
            printf '%s: %s\n' "$(basename "$file")" "$(head -n 1 "$to.next.err")" |
                tee -a "$to.left-out.txt" >&2
        fi
    done
    rm -f "$to".next.*
    [ -s "$to.left-out.txt" ] || rm "$to.left-out.txt"
    [ ${#used[@]} -gt 0 ] && printf '%s\n' "${used[@]##*/}"
}
