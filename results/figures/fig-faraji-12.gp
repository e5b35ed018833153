# SPDX-License-Identifier: GPL-3.0-or-later
# Fig 12: four pairs of ranks of a GPU with MPS, all combinations.
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
set title 'Fig 12  Four pairs of processes on a GPU of Odin with MPS, simulated'
set key top left Left reverse
y(h) = column('host_pairs') == h ? column('time_s') : NaN
plot for [h = 0 : 4] csv using 'bytes':(y(4 - h)) \
     with linespoints lw 2 pt 2 * h + 5 lc rgb word(series, h + 1) \
     title sprintf('%d by way of the host, %d by IPC', 4 - h, h)
unset output
