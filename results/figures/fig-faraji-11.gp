# SPDX-License-Identifier: GPL-3.0-or-later
# Fig 11: four pairs of ranks of a GPU, with and without MPS.
width = 900
height = 620
load here.'style.gp'
@seconds
from = 2
to = 24
step = 4
eval sized
set xrange [4 : 2**24]
set xlabel 'size of a message'
set title 'Fig 11  Four pairs of processes on a GPU of Odin, simulated'
set key top left Left reverse
y(h, m) = column('host_pairs') == h && column('mps') == m ? column('time_s') : NaN
name(h) = h == 4 ? 'by way of the host' : h == 0 ? 'by IPC' : 'two by each'
plot for [m = 0 : 1] for [k = 0 : 2] csv using 'bytes':(y(4 - 2 * k, m)) \
     with linespoints lw 2 dt 1 + (1 - m) pt 2 * k + 5 lc rgb word(series, k + 1) \
     title name(4 - 2 * k).(m ? ', MPS' : '')
unset output
