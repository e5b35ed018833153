# SPDX-License-Identifier: GPL-3.0-or-later
# Advices for a range of sizes: times of ways as they are, and on drawn machines.
width = 900
height = 560
load here.'style.gp'
is(k, column) = column('series') == k ? column(column) : NaN
col(i) = word(series, i)
stats csv using 'bytes' nooutput name 'b'
stats csv using 'time_us' nooutput name 't'
set title workload.', '.platform noenhanced
set logscale x 2
set logscale y
set xrange [b_min / 1.3 : b_max * 1.3]
set yrange [t_min / 1.6 : t_max * 1.6]
if (t_max < 20 * t_min) { eval few_steps }
set xtics ()
# A label at the sizes that were asked for, ten at most.
last = 0
do for [i = 1 : nsizes] {
    if (sizes[i] >= last * (b_max / b_min)**(1 / 9.0)) {
        last = sizes[i]
        set xtics add (size(last) last)
    }
}
set xlabel 'size'
set ylabel sprintf('time (us): as it is, and 5 to 95 %% of %d machines', draws) noenhanced
set key top left Left reverse noenhanced
shift(i) = 2**(0.04 * (i - (nways + 1) / 2.))
plot for [i = 1 : nways] csv using (is(i, 'bytes') * shift(i)):(is(i, 'time_us')) with lines \
         lw 2 lc rgb col(i) notitle, \
     for [i = 1 : nways] csv using (is(i, 'bytes') * shift(i)):(is(i, 'time_us')):(is(i, 'low_us')):(is(i, 'high_us')) \
         with yerrorbars lw 1.5 pt 5 + 2 * (i % 5) ps 0.8 * scale lc rgb col(i) title ways[i]
unset output
