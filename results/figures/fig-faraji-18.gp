# SPDX-License-Identifier: GPL-3.0-or-later
# Fig 18: how much less time Static takes, 4 nodes, with MPS.
width = 960
height = 600
load here.'style.gp'
from = 2
to = 24
step = 4
eval sized
set xrange [4 : 2**24]
set yrange [-120 : 100]
set xlabel 'size of a message'
set ylabel 'improvement of Static (%)'
set title 'Fig 18  Allreduce, 4 nodes of Odin, 64 processes, with MPS, simulated'
set key bottom right Left reverse
y(a) = strcol('over') eq a ? column('improvement_percent') : NaN
set arrow 1 from graph 0, first 0 to graph 1, first 0 nohead lw 1 lc rgb '#000000'
plot for [i = 1 : 5] csv using 'bytes':(y(word('mvapich2 mvapich2_gdr gsb_gsb btb_btb dynamic', i))) \
     with linespoints lw 2 pt 2 * i + 3 lc rgb word(series, i) title 'over '.word('MVAPICH2 MVAPICH2-GDR GSB BTB Dynamic', i)
unset output
