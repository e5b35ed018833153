# SPDX-License-Identifier: GPL-3.0-or-later
# A collective over its size: time and bus bandwidth; algorithms as lines.
width = 1180
height = 560
load here.'style.gp'
is(kind, k, column) = strcol('kind') eq kind && column('series') == k ? column(column) : NaN
col(i) = word(series, (i - 1) % words(series) + 1)
GB(v) = v / 1e9
stats csv using (log(column('bytes')) / log(2)) nooutput name 'x'
from = int(x_min)
to = int(x_max)
step = to - from > 20 ? 5 : to - from > 8 ? 3 : 1
eval sized
set xrange [2**(from - 0.5) : 2**(to + 0.5)]
set xlabel 'size of a rank''s largest buffer' offset 0, 0.3
set multiplot layout 1, 2 title workload.', '.platform.sprintf(', %d ranks on %d node%s', ranks, nodes, nodes == 1 ? '' : 's') noenhanced
many = words(others)
@seconds
set key left top samplen 2 Left reverse
plot for [i = 1 : many] csv using 'bytes':(is('simulated', i + words(lines), 'time_s')) \
         with lines lw 1 lc rgb '#bbbbbb' title (i == 1 ? 'other algorithms' : ''), \
     for [i = 1 : words(lines)] csv using 'bytes':(is('simulated', i, 'time_s')) \
         with lines lw 2.2 lc rgb col(i) title word(lines, i), \
     for [i = 1 : measured] csv using 'bytes':(is('measured', i, 'time_s')) \
         with points pt 2 * i + 3 ps 0.8 * scale lc rgb '#000000' title label[i], \
     csv using 'bytes':(is('library', 0, 'time_s')) with points pt 6 ps 1.7 * scale lw 1.5 lc rgb grey \
         title (strlen(library) ? 'what '.library.' takes, simulated' : '')
unset key
unset logscale y
set format y '%g'
set yrange [0 : *]
set ylabel 'bus bandwidth (GB/s)'
plot for [i = 1 : many] csv using 'bytes':(GB(is('simulated', i + words(lines), 'busbw_Bps'))) \
         with lines lw 1 lc rgb '#bbbbbb' notitle, \
     for [i = 1 : words(lines)] csv using 'bytes':(GB(is('simulated', i, 'busbw_Bps'))) \
         with lines lw 2.2 lc rgb col(i) notitle, \
     for [i = 1 : measured] csv using 'bytes':(GB(is('measured', i, 'busbw_Bps'))) \
         with points pt 2 * i + 3 ps 0.8 * scale lc rgb '#000000' notitle, \
     csv using 'bytes':(GB(is('library', 0, 'busbw_Bps'))) with points pt 6 ps 1.7 * scale lw 1.5 lc rgb grey notitle
unset multiplot
unset output
