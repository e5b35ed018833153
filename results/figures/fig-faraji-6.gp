# SPDX-License-Identifier: GPL-3.0-or-later
# Fig 6: MVAPICH2, GSB and BTB on one GPU.
width = 1180
height = 820
load here.'style.gp'
@seconds
from = 2
to = 24
step = 4
eval sized
set xrange [4 : 2**24]
set yrange [3e-5 : 0.3]
set xlabel 'size of a message'
y(p, a) = column('processes') == p && strcol('algorithm') eq a ? column('time_s') : NaN
set multiplot layout 2, 2 title 'Fig 6  Allreduce on one GPU of Helios, without MPS, simulated'
do for [p in '4 8 16 24'] {
    set title p.' processes'
    set key top left Left reverse
    set arrow 1 from 2**18, graph 0 to 2**18, graph 1 nohead lw 1 dt 3 lc rgb '#000000'
    plot for [i = 1 : 3] csv using 'bytes':(y(p + 0, word('MVAPICH2 GSB BTB', i))) \
         with linespoints lw 2 pt 2 * i + 5 lc rgb word(series, i) title word('MVAPICH2 GSB BTB', i)
}
unset multiplot
unset output
