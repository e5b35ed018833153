# SPDX-License-Identifier: GPL-3.0-or-later
# Fig 5: matches a second of queues by source; CTAs in numbers.
width = 1180
height = 600
load here.'style.gp'
set logscale x 2
set logscale y
set xrange [32 : 9000]
set xtics (32, 128, 512, 2048, 8192)
set yrange [0.1 : 400]
set xlabel 'messages in all queues'
set ylabel 'matches a second (millions)'
y(d, q, c) = strcol('device') eq d && column('queues') == q ? column(c) / 1e6 : NaN
set multiplot layout 1, 2 title 'Fig 5  Queues by source, of one GPU (the law; numbers: CTAs where more than one)'
do for [d in 'gtx1080 h200'] {
    set title d eq 'gtx1080' ? 'GTX 1080, two CTAs of one multiprocessor at a time' : 'H200, each CTA on a multiprocessor; circles: measured'
    set key bottom left Left reverse
    plot for [k = 0 : 5] csv using 'queue_length':(y(d, 2**k, 'matches_per_s')) \
         with linespoints lw 2 pt 7 ps 0.5 lc rgb word(series, k + 1) title sprintf('%d queue%s', 2**k, k ? 's' : ''), \
         for [k = 0 : 5] csv using 'queue_length':(y(d, 2**k, 'measured_per_s')) \
         with points pt 6 ps circle * 0.7 lw 1.5 lc rgb word(series, k + 1) notitle, \
         for [k = 3 : 5] csv using 'queue_length':(column('ctas') > 1 ? y(d, 2**k, 'matches_per_s') : NaN):'ctas' \
         with labels offset 0, 0.8 font points(8) textcolor rgb word(series, k + 1) notitle
}
unset multiplot
unset output
