# SPDX-License-Identifier: GPL-3.0-or-later
# Fig 2: the longest UMQ, and PRQ, of each rank of the traces at hand.
width = 760
height = 560
load here.'style.gp'
f(v) = v < 0.5 ? 0.5 : v
box(what, q) = strcol('what') eq what ? f(column(q)) : NaN
at(what) = int(column(0) / 2) + (what eq 'umq' ? -0.17 : 0.17)
set logscale y
set yrange [0.4 : 1000]
set ytics ('0' 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 512)
set ylabel 'longest queue of a rank (entries)'
set xrange [-0.5 : 3.5]
set xtics scale 0
set boxwidth 0.28
set style fill solid 0.25
set arrow 1 from graph 0, first 512 to graph 1, first 512 nohead lw 1.5 dt 3 lc rgb '#0072b2'
set title 'Fig 2  Longest queues of each rank, of the traces at hand'
set key top right Left reverse
what(i) = i == 1 ? 'umq' : 'prq'
plot for [i = 1 : 2] csv using (at(what(i))):(box(what(i), 'quarter')):(box(what(i), 'least')):(box(what(i), 'most')):(box(what(i), 'three_quarters')) \
     with candlesticks whiskerbars 0.5 lw 1.5 lc rgb word(series, i) title i == 1 ? 'unexpected messages' : 'posted receives', \
     csv using (int(column(0) / 2)):(0.01):xtic(strcol('trace')) with points pt 7 ps 0 notitle, \
     for [i = 1 : 2] csv using (at(what(i))):(box(what(i), 'mean')) with points pt 7 ps 0.9 lc rgb '#d00000' title i == 1 ? 'mean of the ranks' : ''
unset output
