# SPDX-License-Identifier: GPL-3.0-or-later
# Fig 17: Static and Dynamic beside MVAPICH2, 4 nodes of Odin, 16 processes on a GPU of each.
width = 1280
height = 620
load here.'style.gp'
@seconds
from = 2
to = 24
step = 4
eval sized
set xrange [4 : 2**24]
set yrange [2e-6 : 5]
set xlabel 'size of a message'
y(k, a, m) = strcol('kind') eq k && strcol('algorithm') eq a && column('mps') == m ? column('time_s') : NaN
set multiplot layout 1, 2 title 'Fig 17  Static and Dynamic, 4 nodes of Odin, 16 processes on a GPU of each, simulated'
do for [k in 'allgather allreduce'] {
    set title k
    set key top left Left reverse
    plot for [m = 0 : 1] for [i = 1 : 4] csv using 'bytes':(y(k, word('static dynamic mvapich2 mvapich2_gdr', i), m)) \
         with linespoints lw 2 dt 1 + (1 - m) pt 2 * i + 3 lc rgb word(series, i) \
         title word('Static Dynamic MVAPICH2 MVAPICH2-GDR', i).(m ? ', MPS' : '')
}
unset multiplot
unset output
