# SPDX-License-Identifier: GPL-3.0-or-later
# A sweep along one axis: the least time of each way, whatever the other axes;
# of several works (workloads, sizes of a value) the geometric mean of times the
# best.
width = 860
height = 560
load here.'style.gp'
is(k, column) = column('series') == k ? column(column) : NaN
col(i) = word(series, (i - 1) % words(series) + 1)
set xlabel xname noenhanced
set ylabel works > 1 ? 'times the best' : 'time (s)'
if (numbers && logx) {
    set logscale x
}
if (!numbers) {
    set xtics ()
    do for [i = 1 : |ticks|] { set xtics add (ticks[i] i) }
    set xrange [0.5 : |ticks| + 0.5]
}
stats csv using (column(value)) nooutput name 't'
stats csv using (column('x')) nooutput name 'x'
if (numbers && logx) {
    set xrange [x_min / (x_max / x_min)**0.05 : x_max * (x_max / x_min)**0.05]
    set xtics add (sprintf('%.3g', x_min) x_min, sprintf('%.3g', x_max) x_max)
}
if (t_max > 3 * t_min) {
    set logscale y
    set yrange [t_min / 1.5 : t_max * 1.5]
    if (works == 1) { @few_seconds }
    if (t_max > 30 * t_min) {
        set format y '10^{%L}'
    }
} else {
    set format y works > 1 ? '%.3g' : '%.2t·10^{%T}'
    if (t_max < 1.02 * t_min) { set yrange [0.98 * t_min : 1.02 * t_max] }
}
if (numbers && !logx) { set offsets graph 0.03, graph 0.03, 0, 0 }
set key top right Left reverse
set title works > 1 ? \
    sprintf('the least time of each way, times the best of the same work: mean of %d', works) \
    : 'the least time of each way'
plot for [i = 1 : nways] csv using 'x':(is(i, value)) with linespoints \
         lw (sampled ? 0.6 : 2) pt 5 + 2 * (i % 5) lc rgb col(i) title way[i]
unset output
