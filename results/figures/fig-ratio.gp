# SPDX-License-Identifier: GPL-3.0-or-later
# Device-aware over staged: measured as marks, simulated as lines.
width = 900
height = 620
load here.'style.gp'
y(n, column) = column('nodes') == n ? column(column) : NaN
col(i) = word(series, (i - 1) % words(series) + 1)
from = 2
to = 17
step = 3
eval sized
set xrange [3 : 2**17.5]
set logscale y 2
set ytics (0.125, 0.25, 0.5, 1, 2, 4, 8)
set ylabel 'time device-aware / time staged'
set xlabel 'bytes of a pair of GPUs'
set title "All-to-all of GPUs: device-aware against staged, ".platform."\nmarks: measured; lines: simulated; above 1 staging is faster" noenhanced
set key at graph 0.98, graph 0.97 right top
plot 1 with lines lw 1.5 dt 3 lc rgb grey notitle, \
     for [i = 1 : words(nodes)] csv using 'bytes':(y(int(word(nodes, i)), 'simulated')) \
         with lines lw 2 lc rgb col(i) notitle, \
     for [i = 1 : words(nodes)] csv using 'bytes':(y(int(word(nodes, i)), 'measured')) \
         with points pt 7 ps 0.9 * scale lc rgb col(i) title word(nodes, i).' nodes'
unset output
