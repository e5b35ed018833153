# SPDX-License-Identifier: GPL-3.0-or-later
# Fig 7: One node of Helios, GSB-GSB over MVAPICH2, simulated.
width = 820
height = 560
load here.'style.gp'
set xlabel 'size of a message'
set ylabel 'GPUs x processes on each'
set ytics ('2 x 2' 0, '2 x 4' 1, '2 x 8' 2, '2 x 12' 3, '4 x 2' 4, '4 x 4' 5, '4 x 6' 6, '8 x 2' 7, '8 x 3' 8)
set xtics ('256K' 0, '512K' 1, '1M' 2, '2M' 3, '4M' 4, '8M' 5, '16M' 6)
set xrange [-0.5 : 6.5]
set yrange [-0.5 : 8.5]
unset grid
unset key
most = 100
set cbrange [-most : most]
set palette defined (-1 '#d55e00', 0 '#ffffff', 1 '#0072b2')
set cblabel 'improvement (%)'
at(b) = log(b) / log(2) - 18
g(p) = column('panel') == p ? column('gain_percent') : NaN
set multiplot layout 1, 1 title 'Fig 7  One node of Helios, simulated'
do for [p = 1 : 1] {
    set title 'GSB-GSB over '.word('MVAPICH2', p)
    plot csv using (column('panel') == p ? at(column('bytes')) : NaN):'row':(0.5):(0.5):(g(p)) with boxxyerror fs solid 1 noborder lc palette, \
         csv using (at(column('bytes'))):'row':(column('panel') == p ? sprintf('%.0f', column('gain_percent')) : '') with labels font points(9)
}
unset multiplot
unset output
