# SPDX-License-Identifier: GPL-3.0-or-later
# Fig 6: computation and communication that is not overlapped.
width = 1180
height = 480
load here.'style.gp'
x(r) = r eq 'lci' ? 1 : r eq 'mpi-probe' ? 2 : 3
y(a, c) = strcol('application') eq a ? column(c) : NaN
set multiplot layout 1, 4 title 'Fig 6  kron30 on 128 hosts of Stampede2: computation (dark), communication not overlapped (light)'
set xrange [0.4 : 3.6]
set yrange [0 : *]
set xtics ('lci' 1, 'probe' 2, 'rma' 3)
set ylabel 'time (s)'
set boxwidth 0.7
unset key
do for [a in 'bfs cc pagerank sssp'] {
    set title a
    plot csv using (x(strcol('runtime'))):(y(a, 'time_s')) with boxes fs solid 0.3 lc rgb word(series, 1), \
         csv using (x(strcol('runtime'))):(y(a, 'compute_s')) with boxes fs solid 1 lc rgb word(series, 1)
}
unset multiplot
unset output
