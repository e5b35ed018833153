# SPDX-License-Identifier: GPL-3.0-or-later
# Fig 4: matches a second of one queue by one CTA.
width = 900
height = 560
load here.'style.gp'
set logscale x 2
set xrange [16 : 4500]
set xtics (16, 32, 64, 128, 256, 512, 1024, 2048, 4096)
set yrange [0 : 8]
set xlabel 'messages, and receives, in the queue'
set ylabel 'matches a second (millions)'
set title 'Fig 4  Matrix of votes, one CTA: the law, and an H200 measured'
set key top right Left reverse
set arrow 1 from 1024, graph 0 to 1024, graph 1 nohead lw 1 dt 3 lc rgb '#000000'
devices = 'k80 m40 gtx1080 h200'
names = "'K80' 'M40' 'GTX 1080' 'H200'"
y(d, c) = strcol('device') eq d ? column(c) / 1e6 : NaN
plot for [i = 1 : 4] csv using 'queue_length':(y(word(devices, i), 'matches_per_s')) \
     with linespoints lw 2 pt 2 * i + 3 lc rgb word(series, i) title word(names, i), \
     csv using 'queue_length':(y('h200', 'measured_per_s')) \
     with points pt 6 ps circle lw 1.5 lc rgb '#000000' title 'H200, measured'
unset output
