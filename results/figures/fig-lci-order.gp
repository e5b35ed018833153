# SPDX-License-Identifier: GPL-3.0-or-later
# Where the order of the runtimes changes: probes and RMA over LCI.
width = 1180
height = 820
load here.'style.gp'
# Rows of other lines lie between those of one.
set datafile missing NaN
v(k) = word('262144 4194304 67108864 1073741824', k)
short(k) = word('0.26 4.2 67 1074', k).' million'
# Rows come by platform, then runtime: LCI's is first.
base = 1
over(p, r, k) = (base = strcol('runtime') eq 'lci' ? column('time_s') : base, \
    strcol('platform') eq p && strcol('runtime') eq r && column('threads') == 0 && column('vertices') == v(k) + 0 ? column('time_s') / base : NaN)
thin(p, r) = (base = strcol('runtime') eq 'lci' ? column('time_s') : base, \
    strcol('platform') eq p && strcol('runtime') eq r && column('threads') > 0 ? column('time_s') / base : NaN)
set multiplot layout 2, 3 title 'PageRank by probes (solid) and by RMA (dashed) over LCI: below 1 LCI is slower'
set logscale x
set logscale y
set yrange [0.85 : 4.5]
set ytics (0.9, 1, 1.2, 1.5, 2, 3, 4)
set xrange [3 : 170]
set xtics (4, 16, 64, 128)
set xlabel 'hosts; lines: vertices of the graph'
set key top left Left reverse samplen 2
set ylabel 'time over that by LCI'
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lw 1 dt 3 lc rgb '#000000'
do for [p in 'stampede2 tuolumne dane'] {
    set title p
    plot for [k = 1 : 4] csv using 'hosts':(over(p, 'mpi-probe', k)) with linespoints lw 2 pt 7 ps 0.6 lc rgb word(series, k) title short(k), \
         for [k = 1 : 4] csv using 'hosts':(over(p, 'mpi-rma', k)) with linespoints lw 2 dt 2 pt 6 ps 0.6 lc rgb word(series, k) notitle
}
set xrange [0.8 : 80]
unset logscale y
set yrange [*<0.95 : 1.05<*]
set ytics auto
set xtics (1, 4, 16, 64)
set xlabel 'threads of each of 64 hosts; 2^{28} vertices'
do for [p in 'stampede2 tuolumne dane'] {
    set title p
    plot csv using 'threads':(thin(p, 'mpi-probe')) with linespoints lw 2 pt 7 lc rgb word(series, 2) title 'mpi-probe', \
         csv using 'threads':(thin(p, 'mpi-rma')) with linespoints lw 2 dt 2 pt 6 lc rgb word(series, 3) title 'mpi-rma'
}
unset multiplot
unset output
