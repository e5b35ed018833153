# SPDX-License-Identifier: GPL-3.0-or-later
# Fig 2.6: a volume between two nodes, split over their processes.
width = 1280
height = 680
load here.'style.gp'
@seconds
set logscale x 2
set xtics (1, 2, 4, 8, 16, 32, 40)
set xtics add ('' 5, '' 10, '' 20)
set xrange [0.9 : 46]
set xlabel 'processes per node (ppn)'
y(v, column) = strcol('volume_bytes') eq v ? column(column) : NaN
least(v, column, mark) = column(mark) == 1 ? y(v, column) : NaN
set palette defined (0 '#0b1f51', 0.5 '#0072b2', 1 '#3fb8a8', 1.6 '#e69f00', 2 '#d55e00')
set cbrange [1 : words(volumes)]
unset colorbox
stats csv using 'one_way_s' nooutput name 'one'
stats csv using 'ping_pong_s' nooutput name 'two'
set yrange [(one_min < two_min ? one_min : two_min) / 1.5 : (one_max > two_max ? one_max : two_max) * 1.5]

set multiplot title 'Fig 2.6  A volume between two nodes, split over their processes, '.platform noenhanced
set tmargin at screen 0.88
set bmargin at screen 0.12
do for [kind2 in 'one_way ping_pong'] {
    first = kind2 eq 'one_way'
    set title first ? 'one way, all at once' : 'ping-pong of pairs, each on its own: both ways at once'
    set lmargin at screen first ? 0.07 : 0.47
    set rmargin at screen first ? 0.42 : 0.82
    set ylabel first ? 'time (s)' : '' offset 1
    if (first) { unset key } else {
        set key at screen 0.84, 0.87 left top Left reverse title 'volume' left maxrows 20
    }
    plot for [i = words(volumes) : 1 : -1] csv using 'ppn':(y(word(volumes, i), kind2.'_s')) \
             with linespoints lw 2 pt 7 lc palette cb i title size(word(volumes, i) + 0), \
         for [v in volumes] csv using 'ppn':(y(v, 'model_s')) \
             with lines lw 1.5 dt 3 lc rgb '#000000' notitle, \
         for [v in volumes] csv using 'ppn':(least(v, kind2.'_s', kind2.'_minimum')) \
             with points pt 6 ps circle lw 2 lc rgb '#000000' notitle, \
         NaN with lines lw 1.5 dt 3 lc rgb '#000000' title 'max-rate model', \
         NaN with points pt 6 ps circle lw 2 lc rgb '#000000' title 'minimum'
}
unset multiplot
unset output
