# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced with a test's arguments: sluice and sluice-native, a folder that goes
# with the test, and what mpirun wants for more ranks than cores.
# shellcheck disable=SC2034 # for the test
sluice=$1
native=${2-}
[ -n "$native" ] || { echo "skipped: built without MPI"; exit 77; }
command -v mpirun >/dev/null || { echo "skipped: no mpirun"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
many=
! mpirun --version | grep -q 'Open MPI' || many=--oversubscribe
