# SPDX-License-Identifier: GPL-3.0-or-later
# Self speed-ups by the number of GPUs: a row an application, a column a graph.
# The figure sets `heading`.
rows = words(applications)
columns = words(graphs)
wide = 330.0
tall = 345.0
width = 112 + wide * columns
height = 152 + tall * rows
load here.'style.gp'
set logscale y 2
set format y '%g'
set xrange [0.7 : most + 0.3]
set xtics 1, 1, most
y(a, g, f, column) = strcol('application') eq a && strcol('graph') eq g && strcol('framework') eq f ? column(column) : NaN
# One colour and one mark a framework, in all of these figures.
tint(f) = f eq 'Gunrock' ? '#0072b2' : f eq 'Groute' ? '#009e73' : f eq 'Galois' ? '#aa3377' : \
    f eq 'Atos-priority-discrete' ? '#e69f00' : f eq 'Atos-standard-discrete' ? '#56b4e9' : '#d55e00'
shape(f) = f eq 'Gunrock' ? 7 : f eq 'Groute' ? 5 : f eq 'Galois' ? 15 : \
    f eq 'Atos-priority-discrete' ? 13 : f eq 'Atos-standard-discrete' ? 11 : 9
hollow(f) = shape(f) - 1
down(y) = 1 - y / height
named(a) = a eq 'bfs' ? 'BFS' : 'PageRank'
set yrange [(least < 0.5 ? least : 0.5) / 1.3 : most * 1.3]

set multiplot title heading noenhanced
unset key
do for [r = 1 : rows] {
    do for [c = 1 : columns] {
        left = 127 + (c - 1) * wide
        top = 87 + (r - 1) * tall
        set lmargin at screen left / width
        set rmargin at screen (left + wide - 55) / width
        set tmargin at screen down(top)
        set bmargin at screen down(top + tall - 100)
        a = word(applications, r)
        g = word(graphs, c)
        s = word(scales, c)
        set title named(a).', '.g.(s eq '1' ? '' : s eq '?' ? ' (not run)' : ' ('.s.')') noenhanced font points(11.5)
        # The axis is that of the first column.
        set format y (c == 1 ? '%g' : '')
        set ylabel (c == 1 ? 'speed-up over one GPU' : '') offset 1
        set xlabel (r == rows ? 'GPUs' : '')
        plot x with lines lw 1 lc rgb '#000000', \
             for [f in frameworks] csv using 'gpus':(y(a, g, f, 'speedup')) \
                 with linespoints lw 2 pt shape(f) lc rgb tint(f), \
             for [f in frameworks] csv using 'gpus':(y(a, g, f, 'printed_speedup')) \
                 with linespoints lw 1 dt 3 pt hollow(f) lc rgb tint(f)
    }
}
strip = 62.0
@key_strip
plot NaN with lines lw 1 lc rgb '#000000' title 'perfect', \
     for [f in frameworks] NaN with linespoints lw 2 pt shape(f) lc rgb tint(f) title f, \
     for [i = 1 : printed] NaN with linespoints lw 1 dt 3 pt 6 lc rgb '#000000' title 'hollow: printed'
unset multiplot
unset output
