# SPDX-License-Identifier: GPL-3.0-or-later
# Fig 6b: matches a second of hash tables.
width = 1180
height = 560
load here.'style.gp'
set logscale x 2
set logscale y
set xrange [32 : 9000]
set xtics (32, 128, 512, 2048, 8192)
set yrange [0.5 : 5000]
set xlabel 'messages of all CTAs'
set ylabel 'matches a second (millions)'
y(d, q, c) = strcol('device') eq d && column('ctas') == q ? column(c) / 1e6 : NaN
set multiplot layout 1, 3 title 'Fig 6b  Hash tables: the law'
do for [i = 1 : 3] {
    d = word('k80 gtx1080 h200', i)
    set title word("'K80' 'GTX 1080' 'H200; circles: measured'", i)
    set key bottom right Left reverse
    plot for [k = 0 : 5] csv using 'queue_length':(y(d, 2**k, 'matches_per_s')) \
         with linespoints lw 2 pt 7 ps 0.5 lc rgb word(series, k + 1) title sprintf('%d CTA%s', 2**k, k ? 's' : ''), \
         for [k = 0 : 5] csv using 'queue_length':(y(d, 2**k, 'measured_per_s')) \
         with points pt 6 ps circle * 0.7 lw 1.5 lc rgb word(series, k + 1) notitle
}
unset multiplot
unset output
