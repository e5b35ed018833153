# SPDX-License-Identifier: GPL-3.0-or-later
# Fig 5.1: a halo exchange under every strategy, over the number of GPUs.
columns = npanels < 3 ? npanels : 3
rows = (npanels + columns - 1) / columns
wide = columns == 1 ? 640.0 : 425.0
tall = 450.0
width = 135 + wide * columns
height = 120 + tall * rows
load here.'style.gp'
@seconds
y(k, s, column) = column('panel') == k && strcol('strategy') eq s ? column(column) : NaN
least(k) = column('panel') == k && column('simulated_minimum') == 1 ? column('simulated_s') : NaN
down(y) = 1 - y / height # pixels from the top

stats csv using 'simulated_s' nooutput name 'all'
set yrange [all_min / 1.3 : all_max * 1.3]
@few_seconds
set logscale x 2
set xrange [7 : 146]

set multiplot title 'Fig 5.1  Simulated time of a halo exchange, '.platform noenhanced
unset key
do for [k = 1 : npanels] {
    i = (k - 1) % columns
    top = 85 + (k - 1) / columns * tall
    left = 135 + i * wide
    set lmargin at screen left / width
    set rmargin at screen (left + wide - 45) / width
    set tmargin at screen down(top)
    set bmargin at screen down(top + 320)
    set title title[k] noenhanced font points(11.5)
    set ylabel i ? '' : 'time (s)' offset 2
    set format y i ? '' : '%.0t·10^{%T}'
    unset label
    if (i == 0) {
        set label 1 "GPUs\nRecv Nodes\nvolume" at screen (left - 30) / width, down(top + (kind eq 'svg' ? 356 : 345)) right font points(10)
    }
    eval 'set xtics ('.ticks[k].") font '".points(10)."'"
    plot for [s in strategies] csv using 'gpus':(y(k, s, 'simulated_s')) \
             with linespoints lw 2 dt dash(s) pt mark(s) lc rgb colour(s), \
         csv using 'gpus':(least(k)) with points pt 6 ps circle lw 2 lc rgb '#000000'
}
strip = 75.0
@key_strip
plot for [s in strategies] NaN with linespoints lw 2 dt dash(s) pt mark(s) lc rgb colour(s) title s, \
     NaN with points pt 6 ps circle lw 2 lc rgb '#000000' title 'minimum'
unset multiplot
unset output
