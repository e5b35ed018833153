# SPDX-License-Identifier: GPL-3.0-or-later
# Fig 3.1: a copy from and to one GPU, split over processes.
width = 1120
height = 640
load here.'style.gp'
@seconds
from = 10
to = 28
step = 6
eval sized
set xrange [2**10 : 2**28.01]
set xlabel 'volume'
tint(np) = np == 1 ? '#0072b2' : np == 2 ? '#56b4e9' : np == 4 ? '#009e73' : \
    np == 8 ? '#e69f00' : '#d55e00'
dot(np) = np == 1 ? 7 : np == 2 ? 5 : np == 4 ? 9 : np == 8 ? 11 : 13
y(d, np, column) = strcol('direction') eq d && column('processes') == np ? column(column) : NaN
stats csv using 'simulated_s' nooutput name 'all'
set yrange [10**floor(log10(all_min)) : 10**ceil(log10(all_max))]

set multiplot layout 1, 2 title 'Fig 3.1  A copy between host and one GPU, split over NP processes, ' \
    .platform noenhanced
do for [d in 'H2D D2H'] {
    set title d eq 'H2D' ? 'host to device' : 'device to host'
    set key top left Left reverse
    plot for [np in '1 2 4 8 10'] csv using 'volume_bytes':(y(d, np + 0, 'simulated_s')) \
             with linespoints lw 2 pt dot(np + 0) lc rgb tint(np + 0) title 'NP = '.np, \
         for [np in '1 2 4 8 10'] csv using 'volume_bytes':(y(d, np + 0, 'model_s')) \
             with lines lw 2 dt 3 lc rgb tint(np + 0) notitle, \
         NaN with lines lw 2 dt 3 lc rgb '#000000' title 'cost table, where it has NP'
}
unset multiplot
unset output
