# SPDX-License-Identifier: GPL-3.0-or-later
# Where memory runs out while libraries read a file, it is no fault of the file:
# exit code 1 and one line, not 2. With more of it all is read.
set -eu
sluice=$1
case $(ldd "$sluice") in
*asan*) exit 77 ;; # its shadow needs more than any limit
esac
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

short=0
with() { # KiB arguments...
    limit=$1
    shift
    got=0
    (
        ulimit -v "$limit"
        exec timeout 60 "$sluice" "$@" >"$folder/out" 2>"$folder/err"
    ) || got=$?
    [ $got -eq 0 ] && return
    # Before the program, or a library of it, is loaded: not ours to say.
    grep -qE 'shared librar|shared object' "$folder/err" && return
    if [ $got -ne 1 ] || [ "$(wc -l <"$folder/err")" -ne 1 ] ||
        ! grep -q 'out of memory: wanted' "$folder/err"; then
        echo "$limit KiB: $*: exit code $got, and:" >&2
        cat "$folder/err" >&2
        exit 1
    fi
    short=$((short + 1))
}

{
    printf '<?xml version="1.0"?>\n<topology version="2.0">\n'
    yes '<object type="PU" os_index="1" cpuset="0x1"/>' | head -n 200000
    printf '</topology>\n'
} >"$folder/big.xml"
report=tests/data/nsys/saxpy-mpi-cuda_nsys_perlmutter0.sqlite.xz
xz -dc <$report | gzip >"$folder/report.gz" || cp $report "$folder/report.gz"
for limit in 25000 30000 40000 50000 60000 70000 80000 90000; do
    with $limit show trace "nsys:$report"
    with $limit show trace "nsys:$folder/report.gz"
done
for limit in 60000 100000 140000; do
    with $limit discover "$folder/big.xml"
done
echo "$short runs without enough memory"
[ $short -ge 4 ]
