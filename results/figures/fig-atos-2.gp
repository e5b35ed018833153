# SPDX-License-Identifier: GPL-3.0-or-later
# Fig 2: what part of the bytes on the wire is what was asked for.
width = 760
height = 480
load here.'style.gp'
set xrange [0 : 512]
set xtics 64
set mxtics 2
set yrange [0 : 1]
set format y '%.1f'
set xlabel 'requested bytes'
set ylabel 'payload of the bytes on the wire'
set title 'Fig 2  Payload by bytes on the wire, '.platform noenhanced
set key bottom right
plot csv using 'bytes':'nvlink' with lines lw 2 lc rgb word(series, 1) \
         title sprintf('NVLink: %d to %d B and %d B more', granule, payload, header), \
     csv using 'bytes':'pcie3' with lines lw 2 lc rgb word(series, 2) \
         title sprintf('PCIe 3: up to %d B and %d B more', pcie_payload, pcie_header), \
     0.5 with lines lw 1 dt 3 lc rgb '#000000' notitle
unset output
