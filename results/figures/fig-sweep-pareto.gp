# SPDX-License-Identifier: GPL-3.0-or-later
# Two objectives of a sweep: all runs, and those that none of the same work
# beats in both, a line for each work.
width = 860
height = 560
load here.'style.gp'
is(k, column) = column('front') == k ? column(column) : NaN
set xlabel xname
set ylabel yname
stats csv using (column('x')) nooutput name 'x'
stats csv using (column('y')) nooutput name 'y'
lower(min, max) = min / (max / min)**0.06
if (x_max > 10 * x_min) {
    set logscale x
    set format x '10^{%L}'
    set xrange [lower(x_min, x_max) : x_max * x_min / lower(x_min, x_max)]
} else {
    set format x '%.2t·10^{%T}'
    set offsets graph 0.03, graph 0.03, graph 0.03, graph 0.03
}
if (y_max > 10 * y_min) {
    set logscale y
    set yrange [lower(y_min, y_max) : y_max * y_min / lower(y_min, y_max)]
}
set format y y_max < 1.2 * y_min ? '%.3s%c' : '%.1s%c'
set key top right Left reverse
set title sprintf('%d runs are beaten by none%s in both', nfront, works > 1 ? ' of the same work' : '')
plot csv using (is(0, 'x')):(column('y')) with points pt 7 ps 0.5 * scale lc rgb '#9ecae1' title 'runs', \
     csv using (is(1, 'x')):(column('y')) with steps lw 1.6 lc rgb '#d55e00' notitle, \
     csv using (is(1, 'x')):(column('y')) with points pt 7 ps 1.1 * scale lc rgb '#d55e00' title 'Pareto front'
unset output
