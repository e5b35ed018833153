# SPDX-License-Identifier: GPL-3.0-or-later
# A sweep along two axes: the least time in each cell, as a multiple of the best;
# of several works (workloads, sizes of a value) the geometric mean.
width = 200 + 60 * (nx > 8 ? nx : 8)
height = 170 + 34 * (ny > 6 ? ny : 6)
load here.'style.gp'
unset grid
unset key
set xlabel xname noenhanced
set ylabel yname noenhanced
set xtics () noenhanced
set ytics () noenhanced
if (nx > 12) { set xtics rotate by -45 }
do for [i = 1 : nx] { set xtics add (xticks[i] i) }
do for [i = 1 : ny] { set ytics add (yticks[i] i) }
set xrange [0.5 : nx + 0.5]
set yrange [0.5 : ny + 0.5]
stats csv using (column('times_best')) nooutput name 't'
set cbrange [1 : (t_max > 1.01 ? t_max : 1.01)]
if (t_max > 3) { set logscale cb }
set palette defined (0 '#f7fbff', 0.35 '#9ecae1', 0.7 '#3182bd', 1 '#08306b')
set cblabel 'times the best'
set rmargin 14
set title works > 1 ? \
    sprintf('the least time, times the best of the same work: mean of %d', works) \
    : 'the least time, times the best'
light(v) = (t_max > 3 ? log(v) / log(t_max) : (v - 1) / (t_max - 1 + 1e-12)) < 0.6
half = 0.5
set style fill solid noborder
plot csv using 'x':'y':(column('x') - half):(column('x') + half):(column('y') - half):(column('y') + half):'times_best' \
         with boxxyerror lc palette, \
     csv using 'x':'y':(sprintf('%.3g', column('times_best'))):(light(column('times_best')) ? 0x000000 : 0xffffff) \
         with labels font points(9) textcolor rgb variable
unset output
