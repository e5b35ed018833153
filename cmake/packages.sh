# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by ./demo and ./check: installs what is missing of Debian's packages,
# as root or by sudo. Costs nothing when all is there.
packages="
    build-essential cmake ninja-build pkg-config
    libsimgrid-dev libboost-dev libigraph-dev libmetis-dev
    libcjson-dev libcsv-dev libgsl-dev zlib1g-dev liblzma-dev
    libhwloc-dev libxml2-dev libyaml-dev
    libotf2-trace-dev libprotobuf-c-dev protobuf-c-compiler libyajl-dev
    libsqlite3-dev
    libopenmpi-dev openmpi-bin iproute2 python3-jsonschema
    gnuplot-nox librsvg2-bin fonts-dejavu-core"

install_packages() {
    missing=
    for package in $packages; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null |
            grep -q 'ok installed' || missing="$missing $package"
    done
    [ -n "$missing" ] || return 0
    as_root=
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null || {
            echo "missing packages:$missing" >&2
            echo "neither root nor sudo: install them and run this again" >&2
            exit 1
        }
        as_root=sudo
    fi
    echo "installing:$missing"
    $as_root apt-get update -q
    $as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -q --no-install-recommends $missing
}

build_release() { # options of the build, such as --target
    cmake --preset release
    cmake --build --preset release -j "$(nproc)" "$@"
}
