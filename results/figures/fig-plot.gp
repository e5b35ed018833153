# SPDX-License-Identifier: GPL-3.0-or-later
# Two columns of a table, a line for each value of a third.
width = 860
height = 560
load here.'style.gp'
is(k, column) = column('line') == k ? column(column) : NaN
col(i) = word(series, (i - 1) % words(series) + 1)
set xlabel xname noenhanced
set ylabel yname noenhanced
stats csv using (column('y')) nooutput name 'y'
stats csv using (column('x')) nooutput name 'x'
if (!numbers) {
    set xtics ()
    do for [i = 1 : |ticks|] { set xtics add (ticks[i] i) }
    set xrange [0.5 : |ticks| + 0.5]
    if (|ticks| > 8) { set xtics rotate by -35 }
} else {
    if (logx) {
        set logscale x
        set xrange [x_min / (x_max / x_min)**0.05 : x_max * (x_max / x_min)**0.05]
        set format x (x_max > 1e4 || x_min < 1e-3 ? '10^{%L}' : '%g')
    } else {
        set offsets graph 0.03, graph 0.03, 0, 0
    }
}
if (logy) {
    set logscale y
    set yrange [y_min / 1.5 : y_max * 1.5]
    set format y (y_max > 1e4 || y_min < 1e-3 ? '10^{%L}' : '%g')
} else {
    set yrange [(y_min < 0 ? y_min * 1.05 : 0) : (y_max > 0 ? y_max * 1.05 : 1)]
    set format y (y_max >= 1e5 || y_max < 1e-2 ? '%.1t·10^{%T}' : '%g')
}
if (nlines > 1) {
    set key outside right top Left reverse noenhanced
} else {
    unset key
}
if (numbers) {
    plot for [i = 1 : nlines] csv using 'x':(is(i, 'y')) with linespoints \
             lw 2 pt 4 + i % 10 dt 1 + (i - 1) / words(series) lc rgb col(i) title line[i]
} else {
    plot for [i = 1 : nlines] csv using 'x':(is(i, 'y')) with points \
             ps 1.3 pt 4 + i % 10 lc rgb col(i) title line[i]
}
unset output
