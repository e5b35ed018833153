# SPDX-License-Identifier: GPL-3.0-or-later
# Fig 1: latency over size, and the rate of 64 B over the window.
width = 1180
height = 480
load here.'style.gp'
# Rows of other lines lie between those of one.
set datafile missing NaN
n(i) = word('lci send-receive mpi-probe', i)
set multiplot layout 1, 2 title 'Fig 1  One thread to another on Stampede2: LCI, send and receive, probe (simulated)'
set logscale x 2
set logscale y
set format x '2^{%L}'
set key top left Left reverse
set xlabel 'size of a message (B)'
set ylabel 'latency (us)'
l(i) = strcol('what') eq 'latency' && strcol('interface') eq n(i) ? column('time_s') * 1e6 : NaN
plot for [i = 1 : 3] csv using 'bytes':(l(i)) with linespoints lw 2 pt 2 * i + 5 lc rgb word(series, i) title n(i)
set xlabel 'window (messages of 64 B)'
set ylabel 'messages a second (millions)'
r(i) = strcol('what') eq 'rate' && strcol('interface') eq n(i) ? column('window') / column('time_s') / 1e6 : NaN
set key bottom right
plot for [i = 1 : 3] csv using 'window':(r(i)) with linespoints lw 2 pt 2 * i + 5 lc rgb word(series, i) title n(i)
unset multiplot
unset output
