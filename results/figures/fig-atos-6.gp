# SPDX-License-Identifier: GPL-3.0-or-later
# Fig 6: the GPUs of a node and what joins them.
width = 1100
height = 460
load here.'style.gp'
unset border
unset tics
unset grid
unset key
set size ratio -1
set multiplot title 'Fig 6  The GPUs of a node and their links (GB/s each way)' noenhanced
set tmargin at screen 0.84
set bmargin at screen 0.06
of(m, w, column) = strcol('machine') eq m && strcol('what') eq w ? column(column) : NaN
# Thin below 40 GB/s.
wire(m, w) = (column('GBps') < 40 ? 1 : 2) == w ? of(m, 'wire', 'x') : NaN
do for [m in machines] {
    first = m eq 'daisy'
    set lmargin at screen first ? 0.04 : 0.38
    set rmargin at screen first ? 0.32 : 0.98
    set xrange [-0.25 : (first ? 1.25 : 2.85)]
    set yrange [-0.2 : 1.2]
    set title m noenhanced
    plot for [w = 1 : 2] csv using (wire(m, w)):(column('y')):(column('dx')):(column('dy')) \
             with vectors nohead lw 2.5 * w lc rgb '#56b4e9', \
         csv using (of(m, 'wire', 'x') + 0.33 * column('dx')):(column('y') + 0.33 * column('dy')):(sprintf('%.0f', column('GBps'))) \
             with labels font points(10) textcolor rgb '#222222', \
         csv using (of(m, 'device', 'x')):(column('y')) with points pt 7 ps 5 * scale lc rgb '#dddddd', \
         csv using (of(m, 'device', 'x')):(column('y')):(strcol('name')) with labels font points(11)
}
unset multiplot
unset output
