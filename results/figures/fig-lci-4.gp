# SPDX-License-Identifier: GPL-3.0-or-later
# Fig 4: Gemini on 8 to 128 hosts.
width = 1180
height = 480
load here.'style.gp'
# Rows of other lines lie between those of one.
set datafile missing NaN
n(i) = word('lci mpi-probe', i)
y(a, i) = strcol('application') eq a && strcol('runtime') eq n(i) ? column('time_s') : NaN
set multiplot layout 1, 4 title 'Fig 4  rmat28 on Stampede2, blocked edge cut (R-MAT 18, volumes scaled; PageRank of 100 rounds)'
set logscale xy
set xtics (8, 32, 128)
set xrange [6 : 170]
set xlabel 'hosts'
set ylabel 'time (s)'
do for [a in 'bfs cc pagerank sssp'] {
    set title a
    plot for [i = 1 : 2] csv using 'hosts':(y(a, i)) with linespoints lw 2 pt 2 * i + 5 lc rgb word(series, i) title n(i)
}
unset multiplot
unset output
