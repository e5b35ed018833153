# SPDX-License-Identifier: GPL-3.0-or-later
# Fig 4.2: the models compared with the simulation of a halo. A row a workload; the
# strategies through the host on the left, the device-aware ones on the right.
width = 1270
tall = 475.0
height = 50 + tall * npanels
load here.'style.gp'
@seconds
y(k, s, column) = column('panel') == k && strcol('strategy') eq s ? column(column) : NaN
least(k, device, column, mark) = column('panel') == k && column(mark) == 1 && \
    is_device(strcol('strategy')) == device ? column(column) : NaN
short(s) = strstrt(s, '/') ? s[1 : strstrt(s, '/') - 1] : s
down(y) = 1 - y / height # pixels from the top
array low[npanels]
array high[npanels]
do for [k = 1 : npanels] {
    stats csv using (column('panel') == k ? column('simulated_s') : NaN) nooutput name 'sim'
    stats csv using (column('panel') == k ? column('model_s') : NaN) nooutput name 'mod'
    low[k] = (sim_min < mod_min ? sim_min : mod_min) / 1.3
    high[k] = (sim_max > mod_max ? sim_max : mod_max) * 1.3
}
@few_seconds
set logscale x 2
set xtics (8, 16, 32, 64, 128)
set xrange [7 : 146]
set xlabel 'GPUs'

set multiplot title 'Fig 4.2  Simulation and models of a halo exchange, '.platform noenhanced
do for [k = 1 : npanels] {
    top = 50 + (k - 1) * tall
    set yrange [low[k] : high[k]]
    set tmargin at screen down(top + 70)
    set bmargin at screen down(top + 70 + 330)
    do for [device = 0 : 1] {
        set lmargin at screen device ? 0.47 : 0.09
        set rmargin at screen device ? 0.775 : 0.395
        unset label
        if (!device) {
            set label 1 title[k] noenhanced at screen 0.4325, down(top + 10) center font points(12)
        }
        set title device ? 'device-aware' : 'staged through host' font points(11)
        set ylabel device ? '' : 'time (s)' offset 2
        shown = ''
        do for [s in strategies] {
            if (is_device(s) == device) { shown = shown.' '.s }
        }
        if (device || k > 1) { unset key } else {
            set key samplen 2.5 at screen 0.79, down(top + 70) left top Left reverse
        }
        plot for [s in shown] csv using 'gpus':(y(k, s, 'simulated_s')) \
                 with linespoints lw 2 pt mark(s) lc rgb colour(s) title short(s), \
             for [s in shown] csv using 'gpus':(y(k, s, 'model_s')) \
                 with lines lw 2.5 dt 3 lc rgb colour(s) notitle, \
             csv using 'gpus':(least(k, device, 'simulated_s', 'simulated_minimum')) \
                 with points pt 6 ps circle lw 2 lc rgb '#000000' notitle, \
             csv using 'gpus':(least(k, device, 'model_s', 'model_minimum')) \
                 with points pt 6 ps circle lw 1.5 lc rgb '#999999' notitle, \
             NaN with lines lw 2 lc rgb '#000000' title 'simulation', \
             NaN with lines lw 2.5 dt 3 lc rgb '#000000' title 'model', \
             NaN with points pt 6 ps circle lw 2 lc rgb '#000000' title 'minimum, simulation', \
             NaN with points pt 6 ps circle lw 1.5 lc rgb '#999999' title 'minimum, model'
    }
}
unset multiplot
unset output
