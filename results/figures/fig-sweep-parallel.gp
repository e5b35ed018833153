# SPDX-License-Identifier: GPL-3.0-or-later
# Runs of a sweep as lines over all axes, the fastest on top.
width = 220 + 170 * (naxes > 3 ? naxes : 3)
height = 520
load here.'style.gp'
unset grid
unset key
unset border
unset ytics
set xrange [0.4 : naxes + 1.4]
set bmargin 4.5
set yrange [-0.12 : 1.12]
set xtics () scale 0 noenhanced
# Long names stand in two rows.
do for [i = 1 : naxes] {
    set xtics add ((i % 2 ? name[i] : "\n".name[i]) i)
    set arrow from i, 0 to i, 1 nohead lc rgb grey
}
do for [i = 1 : nticks] {
    set label tick[i] at at_axis[i] - 0.03, at_value[i] right noenhanced front font points(9)
}
set xtics add ((naxes % 2 ? "\ntime" : 'time') naxes + 1)
set arrow from naxes + 1, 0 to naxes + 1, 1 nohead lc rgb grey
unit = works > 1 ? ' x best' : ' s'
set label sprintf('%.4g%s', best, unit) at naxes + 1.03, 0 left font points(9)
set label sprintf('%.4g%s', worst, unit) at naxes + 1.03, 1 left font points(9)
set cbrange [0 : 1]
unset colorbox
set palette defined (0 '#d55e00', 0.15 '#e69f00', 0.4 '#9ecae1', 1 '#d0d8e0')
set title sprintf('%d of %d runs, the fastest%s on top', drawn, all, works > 1 ? ' of each work' : '')
plot csv using 'axis':'value':'time' with lines lw 1 lc palette
unset output
