# SPDX-License-Identifier: GPL-3.0-or-later
# Fig 5: buffers on the hosts with most and least.
width = 800
height = 480
load here.'style.gp'
x(a) = a eq 'bfs' ? 1 : a eq 'cc' ? 2 : a eq 'pagerank' ? 3 : 4
held(r, c) = strcol('runtime') eq r ? (column(c) + (r eq 'mpi-rma' ? column('reserved_B') : 0)) / 1e6 : NaN
set title 'Fig 5  Buffers of a host, kron30 on 128 hosts: most (wide), least (narrow)'
set xrange [0.4 : 4.6]
set yrange [0 : 400]
set xtics ('bfs' 1, 'cc' 2, 'pagerank' 3, 'sssp' 4)
set ylabel 'MB'
set style fill solid 0.5 border
set key top left Left reverse
plot csv using (x(strcol('application')) - 0.18):(held('lci', 'most_B')):(0.32) with boxes lc rgb word(series, 1) title 'lci', \
     csv using (x(strcol('application')) - 0.18):(held('lci', 'least_B')):(0.16) with boxes fs solid 1 lc rgb word(series, 1) notitle, \
     csv using (x(strcol('application')) + 0.18):(held('mpi-rma', 'most_B')):(0.32) with boxes lc rgb word(series, 3) title 'mpi-rma, with windows', \
     csv using (x(strcol('application')) + 0.18):(held('mpi-rma', 'least_B')):(0.16) with boxes fs solid 1 lc rgb word(series, 3) notitle
unset output
