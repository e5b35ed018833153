# SPDX-License-Identifier: GPL-3.0-or-later
# Fig 4: a put that a GPU starts into another node, by size.
width = 1180
height = 500
load here.'style.gp'
@sized
set xtics rotate by -40
set xlabel 'size of a message'
set multiplot title 'Fig 4  A put that a GPU starts into another node, '.platform noenhanced
set tmargin at screen 0.86
set bmargin at screen 0.2
set arrow 1 from 2**20, graph 0 to 2**20, graph 1 nohead lw 1 dt 3 lc rgb '#000000'
set lmargin at screen 0.08
set rmargin at screen 0.48
set title 'latency'
set logscale y
set format y '10^{%L}'
set ylabel 'time (s)' offset 1
set key top left Left reverse
plot csv using 'bytes':'latency_s' with linespoints lw 2 pt 7 lc rgb word(series, 1) title 'one after the other', \
     NaN with lines lw 1 dt 3 lc rgb '#000000' title "the batch of the paper's aggregator"
set lmargin at screen 0.57
set rmargin at screen 0.97
set title 'bandwidth'
unset logscale y
set format y '%g'
set yrange [0 : *]
set ylabel 'GB/s' offset 1
plot csv using 'bytes':(column('bandwidth_Bps') / 1e9) with linespoints lw 2 pt 7 lc rgb word(series, 1) title 'one after the other', \
     csv using 'bytes':(column('streaming_Bps') / 1e9) with linespoints lw 2 pt 9 lc rgb word(series, 2) title 'without waiting'
unset multiplot
unset output
