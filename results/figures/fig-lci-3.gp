# SPDX-License-Identifier: GPL-3.0-or-later
# Fig 3: Abelian on 2 to 128 hosts.
width = 1280
height = 840
load here.'style.gp'
# Rows of other lines lie between those of one.
set datafile missing NaN
n(i) = word('lci mpi-probe mpi-rma', i)
y(g, a, i) = strcol('graph') eq g && strcol('application') eq a && strcol('runtime') eq n(i) ? column('time_s') : NaN
set multiplot layout 2, 4 title 'Fig 3  Stampede2, Cartesian vertex cut (scale 18, volumes scaled; PageRank of 100 rounds)'
set logscale xy
set key bottom left Left reverse samplen 1.5
set xtics (2, 4, 8, 16, 32, 64, 128)
set xrange [1.7 : 150]
set xlabel 'hosts'
set ylabel 'time (s)'
do for [g in 'rmat28 kron30'] {
    do for [a in 'bfs cc pagerank sssp'] {
        set title g.', '.a
        plot for [i = 1 : 3] csv using 'hosts':(y(g, a, i)) with linespoints lw 2 pt 2 * i + 5 lc rgb word(series, i) title n(i)
    }
}
unset multiplot
unset output
