# SPDX-License-Identifier: GPL-3.0-or-later
# Fig 16: what Dynamic does, 16 processes, 128 KiB, with MPS.
width = 1100
height = 560
load here.'style.gp'
set xlabel 'time (us)'
set ylabel 'process'
set yrange [15.7 : -0.7]
set ytics 0, 1, 15
set grid noytics
set key outside top right Left reverse
set title 'Fig 16  Dynamic allreduce of 128 KiB on a GPU of Odin with MPS, simulated'
us = 1e6
x(w, c) = strcol('what') eq w ? column(c) * us : NaN
plot for [i = 1 : 4] csv using (x(word('D2H H2D IPC kernel', i), 'from_s')):'rank':(x(word('D2H H2D IPC kernel', i), 'to_s') - x(word('D2H H2D IPC kernel', i), 'from_s')):(0) \
     with vectors nohead lw 7 lc rgb word('#e69f00 #0072b2 #009e73 #d55e00', i) title word('D2H H2D IPC kernel', i)
unset output
