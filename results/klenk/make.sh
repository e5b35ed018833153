#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes queues.csv: the queues of matching of the traces at hand, a line for each
# rank. make.sh SLUICE FOLDER, where the folder has the traces unpacked.
set -eu
sluice=$1
traces=$2
first=1
add() { # application, trace, origin, file
    "$sluice" show trace "dumpi:$traces/$4" --queues --csv |
        awk -v first=$first -v app="$1" -v trace="$2" -v origin="$3" '
            NR == 1 { if (first) print "application,trace,origin," $0; next }
            { print app "," trace "," origin "," $0 }'
    first=0
}
echo "# queues of message matching of traces at hand, rebuilt by sluice show trace --queues --csv"
echo "# made by results/klenk/make.sh; origin: paper: a trace of the collection that Klenk et al. 2017 analysed; real: another application's; synthetic: a test program's"
add "AMG (DF)" AMG-27 paper df_AMG_n27_dumpi
add "MiniDFT (DF)" MiniDFT-rank0 paper dumpi-rank0-samples/MiniDFT.bin
add "Crystal Router (DF)" CrystalRouter-rank0 paper dumpi-rank0-samples/CrystalRouter.bin
add "BigFFT (DF)" BigFFT-rank0 paper dumpi-rank0-samples/BigFFT.bin
add "FD4" FD4-1024 real dumpi-fd4-1024p-steps030-037
add "stencil4d" stencil4d-32 synthetic dumpi-stencil4d-32
add "naive all-to-all" all-to-all-4 synthetic dumpi-naive_all_to_all-4/run_0
