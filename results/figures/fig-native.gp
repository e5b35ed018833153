# SPDX-License-Identifier: GPL-3.0-or-later
# Native runs and their prediction: all against each other, then over the bytes
# of a value, a panel each.
ncells = npanels + 1
columns = ncells < 3 ? ncells : 3
rows = (ncells + columns - 1) / columns
wide = 425.0
tall = 505.0
strip = 130.0
width = 30 + wide * columns
height = 50 + strip + tall * rows
load here.'style.gp'
set errorbars 0
hollow(s) = mark(s) - is_device(s)
down(y) = 1 - y / height # pixels from the top
in(k, column) = column('panel') == k ? column(column) : NaN
of(s, column) = strcol('strategy') eq s ? column(column) : NaN
y(k, s, column) = column('panel') == k ? of(s, column) : NaN
first(k, winner, column) = column(winner) == 1 ? in(k, column) : NaN
# A bar down to nothing has no place on a logarithmic axis.
low(y, noise) = y - noise > y / 2 ? y - noise : y / 2
# Beside each other, where times are alike.
number(s) = sum [i = 1 : words(strategies)] (word(strategies, i) eq s ? i : 0)
x(s) = column('value_bytes') * 2**(0.6 * ((number(s) - 0.5) / words(strategies) - 0.5))

# An axis of times between two, with every 1, 2, 5 below `most` times the least.
digits(low, high, most) = high < 6 * low ? '1 2 3 4 5 7' : high < most * low ? '1 2 5' : '1'
seconds_of(axis, low, high, most) = sprintf("set logscale %s 10; set format %s '%%.0s %%cs'; set %stics (); ", axis, axis, axis). \
    sprintf("do for [e = -8 : 2] { do for [m in '%s'] { set %stics add (m * 10.0**e) } }", digits(low, high, most), axis)

place_cell = "set lmargin at screen (90 + (cell % columns) * wide) / width; set rmargin at screen (15 + (cell % columns + 1) * wide) / width; set tmargin at screen down(135 + cell / columns * tall); set bmargin at screen down(455 + cell / columns * tall)"

set multiplot title 'Halo exchanges run natively, and predicted' noenhanced
unset key
stats csv using 'native_s' nooutput name 'n'
stats csv using 'simulated_s' nooutput name 's'
low = (n_min < s_min ? n_min : s_min) / 1.5
high = (n_max > s_max ? n_max : s_max) * 1.5
cell = 0
@place_cell
eval seconds_of('x', low, high, 60)
eval seconds_of('y', low, high, 400)
set xrange [low : high]
set yrange [low : high]
set title "all of them\ngrey: within 20 %\n" font points(11.5)
set xlabel 'native'
set ylabel 'predicted' offset 1
plot '+' using 1:($1 * 0.8):($1 * 1.2) with filledcurves lc rgb '#e4e4e4', \
     x with lines lw 1 lc rgb grey, \
     for [s in strategies] csv using (of(s, 'native_s')):(of(s, 'simulated_s')) \
         with points pt hollow(s) lc rgb colour(s)

set logscale x 2
set format x '%g'
set xlabel 'bytes of a value'
set ylabel ''
do for [k = 1 : npanels] {
    cell = k
    @place_cell
    set autoscale # stats leaves out what is not in range
    stats csv using (in(k, 'native_s')) nooutput name 'n'
    stats csv using (in(k, 'simulated_s')) nooutput name 's'
    low = (n_min < s_min ? n_min : s_min) / 1.3
    high = (n_max > s_max ? n_max : s_max) * 1.3
    eval seconds_of('y', low, high, 400)
    set yrange [low : high]
    set xrange [word(values[k], 1) / 1.7 : word(values[k], words(values[k])) * 1.7]
    set xtics ()
    do for [v in values[k]] { set xtics add (size(v + 0) v + 0) }
    set title title[k]."\n".place[k]."\n".how[k] noenhanced font points(11.5)
    plot for [s in strategies] csv using (x(s)):(y(k, s, 'simulated_s')) \
             with lines lw 1.5 dt dash(s) lc rgb colour(s), \
         for [s in strategies] csv using (x(s)):(y(k, s, 'simulated_s')):(x(s) / 1.05):(x(s) * 1.05) \
             with xerrorbars pt 0 lw 2 lc rgb colour(s), \
         for [s in strategies] csv using (x(s)):(y(k, s, 'native_s')):(low(column('native_s'), column('noise_s'))):(column('native_s') + column('noise_s')) \
             with yerrorbars pt 0 lw 1.5 lc rgb colour(s), \
         for [s in strategies] csv using (x(s)):(y(k, s, 'native_s')) \
             with points pt hollow(s) lc rgb colour(s), \
         csv using (x(strcol('strategy'))):(first(k, 'native_winner', 'native_s')) \
             with points pt 6 ps 0.75 * circle lw 1.5 lc rgb '#000000', \
         csv using (x(strcol('strategy'))):(first(k, 'predicted_winner', 'simulated_s')):(x(strcol('strategy')) / 1.15):(x(strcol('strategy')) * 1.15) \
             with xerrorbars pt 0 lw 3 lc rgb '#000000'
}
@key_strip
set key maxrows 5
plot for [s in strategies] NaN with linespoints lw 2 dt dash(s) pt hollow(s) lc rgb colour(s) title s, \
     NaN with points pt 7 lc rgb grey title 'native', \
     NaN with lines lw 1.5 lc rgb grey title 'predicted', \
     NaN with points pt 6 ps 0.75 * circle lw 1.5 lc rgb '#000000' title 'fastest natively', \
     NaN with lines lw 3 lc rgb '#000000' title 'predicted to be the fastest'
unset multiplot
unset output
