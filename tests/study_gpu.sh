# SPDX-License-Identifier: GPL-3.0-or-later
# validate/join-csv, and validate/study-gpu with a program that stands for
# sluice-native: one run that fails does not take the others with it.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

die() {
    echo "$*" >&2
    exit 1
}

printf '%s\n' '# a' '# b' x,y 1,2 >"$dir/1.csv"
printf '%s\n' '# a' '# c' x,y 3,4 5,6 >"$dir/2.csv"
printf '%s\n' '# a' y,x 1,2 >"$dir/3.csv"
printf '%s\n' '# a' '# b' '# c' x,y 1,2 3,4 5,6 >"$dir/wanted"
validate/join-csv "$dir/1.csv" "$dir/2.csv" | cmp - "$dir/wanted" ||
    die "joined otherwise"
for files in none.csv "1.csv none.csv" "1.csv 3.csv"; do
    # shellcheck disable=SC2086
    ! (cd "$dir" && sh "$OLDPWD/validate/join-csv" $files) \
        >"$dir/out" 2>"$dir/err" || die "$files: joined"
    [ ! -s "$dir/out" ] || die "$files: wrote something"
done

# 8 bytes of bayer10 fail with 4 GPUs.
mkdir "$dir/bin"
cat >"$dir/bin/native" <<'END'
#!/bin/sh
case "$*" in
*gpus_used=4*"value-bytes 8 "*bayer10*) exit 1 ;;
esac
while [ "$1" != -o ]; do shift; done
printf 'x,y\n1,2\n' >"$2"
END
printf '#!/bin/sh\nshift 2\nexec "$@"\n' >"$dir/bin/mpirun"
printf '#!/bin/sh\n' >"$dir/bin/nvidia-smi"
# Without arguments it is told to quit by its input, which it must read.
printf '#!/bin/sh\n[ $# -gt 0 ] || cat >/dev/null\n' \
    >"$dir/bin/nvidia-cuda-mps-control"
chmod +x "$dir"/bin/*
code=0
PATH=$dir/bin:$PATH NATIVE=$dir/bin/native \
    validate/study-gpu measure "$dir/study" >"$dir/out" 2>"$dir/err" || code=$?
[ $code = 1 ] || die "exit code $code: $(cat "$dir/err")"
tail -n 1 "$dir/err" | grep -q "failed: .*MPS_on/native-4.csv" ||
    die "not said what failed: $(tail -n 1 "$dir/err")"
for mps in MPS_on MPS_off; do
    found=$(cd "$dir/study/$mps" && echo native* joined*)
    [ "$found" = "native-2.csv native-8.csv joined*" ] || die "$mps: $found"
    [ "$(find "$dir/study/$mps" -name 'part-4-*' | wc -l)" = 11 ] ||
        die "$mps: the parts that were measured are gone"
    [ "$(grep -c . "$dir/study/$mps/native-8.csv")" = 13 ] ||
        die "$mps: native-8.csv"
done

# The published comparison is what `compare` makes of the published runs.
mkdir "$dir/h200"
cp -r results/h200/MPS_on results/h200/MPS_off "$dir/h200"
SLUICE=$1 validate/study-gpu compare "$dir/h200" 2>"$dir/err" || die "$(cat "$dir/err")"
for page in results/h200/validate-*.txt results/h200/calibrate-*.txt; do
    diff "$page" "$dir/h200/${page##*/}" || die "$page: compare prints another"
done
