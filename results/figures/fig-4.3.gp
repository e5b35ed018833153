# SPDX-License-Identifier: GPL-3.0-or-later
# Fig 4.3: messages from one node to others. A column a scenario; the models in
# the upper two rows, the simulation in the lower two: all strategies with a bar
# at the fastest, and the fastest beside the best case of 2-step.
wide = 385.0
tall = 290.0
width = 110 + 4 * wide
height = 245 + 4 * tall
load here.'style.gp'
@seconds
y(k, s, column) = column('panel') == k && strcol('strategy') eq s ? column(column) : NaN
least(k, s, column, mark) = column(mark) == 1 ? y(k, s, column) : NaN
least_of_all(k, column, mark) = column('panel') == k && column(mark) == 1 ? column(column) : NaN
down(y) = 1 - y / height # pixels from the top
scenario = '"32 messages to 4 nodes" "256 messages to 4 nodes" "32 messages to 16 nodes" "256 messages to 16 nodes"'
best_case = '2-step-1/staged 2-step-1/device'

stats csv using 'model_s' nooutput name 'mod'
stats csv using 'simulated_s' nooutput name 'sim'
low = (sim_min < mod_min ? sim_min : mod_min) / 1.5
high = (sim_max > mod_max ? sim_max : mod_max) * 1.3
set yrange [low : high]
from = 3
to = 18
step = 5
eval sized
set mytics 1
set xrange [2**2.7 : 2**18.3]

set multiplot title 'Fig 4.3  Messages from one node to others, '.platform noenhanced
unset key
do for [row = 0 : 3] {
    column = row < 2 ? 'model_s' : 'simulated_s'
    mark = row < 2 ? 'model_minimum' : 'simulated_minimum'
    top = 90 + row * tall + (row > 1 ? 40 : 0)
    set tmargin at screen down(top)
    set bmargin at screen down(top + tall - 60)
    do for [k = 1 : 4] {
        left = 110 + (k - 1) * wide
        set lmargin at screen left / width
        set rmargin at screen (left + wide - 55) / width
        set title row % 2 ? '' : (row < 2 ? 'model: ' : 'simulation: ').word(scenario, k) font points(11)
        set ylabel k == 1 ? 'time (s)' : ''
        set xlabel row == 3 ? 'message size' : ''
        set format y k == 1 ? '10^{%L}' : ''
        if (row % 2 == 0) {
            plot for [s in strategies] csv using 'message_bytes':(least(k, s, column, mark)) \
                     with impulses lw 9 lc rgb pale(s), \
                 for [s in strategies] csv using 'message_bytes':(y(k, s, column)) \
                     with linespoints lw 1.8 ps 0.6 * scale pi 3 dt dash(s) pt mark(s) lc rgb colour(s)
        } else {
            plot csv using 'message_bytes':(least_of_all(k, column, mark)) \
                     with points pt 6 ps 1.7 * scale lw 1.5 lc rgb '#000000', \
                 for [s in strategies] csv using 'message_bytes':(least(k, s, column, mark)) \
                     with points pt mark(s) lc rgb colour(s), \
                 for [s in best_case] csv using 'message_bytes':(y(k, s, column)) \
                     with linespoints lw 1.8 ps 0.6 * scale pi 3 dt dash(s) pt mark(s) lc rgb colour(s)
        }
    }
}
strip = 80.0
@key_strip
plot for [s in strategies.best_case] NaN with linespoints lw 2 dt dash(s) pt mark(s) lc rgb colour(s) title s, \
     NaN with points pt 6 ps 1.7 * scale lw 1.5 lc rgb '#000000' title 'minimum but for 2-step-1'
unset multiplot
unset output
