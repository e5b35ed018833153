# SPDX-License-Identifier: GPL-3.0-or-later
# Fig 6a: the share of the most frequent source and tag of a rank's messages.
width = 760
height = 520
load here.'style.gp'
set yrange [0 : 40]
set ylabel 'messages with the most frequent tuple (%)'
set xrange [-0.5 : 3.5]
set xtics scale 0
set boxwidth 0.4
set style fill solid 0.25
set title 'Fig 6a  Uniqueness of source and tag, of the traces at hand'
set key top left Left reverse
plot csv using 0:(100 * column('quarter')):(100 * column('least')):(100 * column('most')):(100 * column('three_quarters')):xtic(strcol('trace')) \
     with candlesticks whiskerbars 0.5 lw 1.5 lc rgb word(series, 1) title 'ranks', \
     csv using 0:(100 * column('mean')) with points pt 7 ps 0.9 lc rgb '#d00000' title 'mean of the ranks'
unset output
