# SPDX-License-Identifier: GPL-3.0-or-later
# An advice: ways with their times on drawn machines, and elasticities.
width = 1180
height = 130 + 34 * (nways > nbars ? nways : nbars)
load here.'style.gp'
is(k, column) = strcol('kind') eq k ? column(column) : NaN
stats csv using (is('way', 'high')) nooutput name 'h'
stats csv using (is('parameter', 'value')) nooutput name 'b'
stats csv using (is('way', 'low')) nooutput name 'l'
stats csv using (is('way', 'value')) nooutput name 'v'
far = h_max > v_max ? h_max : v_max
set multiplot layout 1, 2 title workload.', '.texts[1] noenhanced
set grid xtics noytics
unset key
set lmargin at screen 0.24
set rmargin at screen 0.55
set ytics ()
do for [i = 1 : nways] { set ytics add (ways[i] i) }
tick = points(9.5)
set ytics font tick noenhanced
set yrange [nways + 0.6 : 0.4]
set format x '%g'
wide = far > 8 * l_min
if (wide) { set logscale x }
set xrange [(wide ? l_min / 1.2 : 0) : far * (wide ? 2.2 : 1.22)]
set xlabel sprintf('time (us): as it is, and 5 to 95 %% of %d machines', draws) noenhanced
plot csv using (is('way', 'value')):'nth':'low':'high' with xerrorbars \
         pt 7 ps 0.9 * scale lw 2 lc rgb '#0072b2', \
     csv using (is('way', 'value')):'nth' with points pt 7 ps 0.9 * scale lc rgb '#0072b2', \
     csv using (is('way', 'high')):'nth':(sprintf('  %.0f %%', 100 * column('probability'))) \
         with labels left font tick tc rgb grey
unset logscale x
set lmargin at screen 0.83
set rmargin at screen 0.985
set ytics ()
do for [i = 1 : nbars] { set ytics add (bars[i] i) }
tick = points(8.5)
set ytics font tick noenhanced
set yrange [(nbars > 1 ? nbars : 1) + 0.6 : 0.4]
set xrange [(b_min < -0.01 ? b_min * 1.1 : 0) : (b_max > 0.01 ? b_max * 1.1 : 0.01)]
span = b_max - (b_min < 0 ? b_min : 0)
step = span > 0.9 ? 0.5 : span > 0.4 ? 0.2 : 0.1
set xtics step
set xzeroaxis
set arrow 1 from 0, graph 0 to 0, graph 1 nohead lc rgb grey
set xlabel 'percent of time for 1 % more' noenhanced
plot csv using (is('parameter', 'value') / 2):'nth':(abs(is('parameter', 'value')) / 2):(0.3) \
         with boxxyerror fs solid 0.8 noborder lc rgb '#e69f00'
unset multiplot
unset output
