# SPDX-License-Identifier: GPL-3.0-or-later
# Matching measured natively, by the laws, and in the simulation of messages.
width = 1180
height = 560
load here.'style.gp'
set logscale x 2
set logscale y
set xrange [32 : 9000]
set xtics (32, 128, 512, 2048, 8192)
set xlabel 'messages, and receives, there at once'
set ylabel 'matches a second (millions)'
y(e, q, c) = strcol('engine') eq e && column('queues') == q ? column(c) / 1e6 : NaN
set multiplot layout 1, 3 title 'Matching on an H200 and its host: measured (circles), the law (lines), the simulation of the messages (crosses)'
do for [i = 1 : 3] {
    set title word("'one queue: list, matrix' 'queues by source' 'hash tables'", i)
    engines = word("'list matrix' 'partitioned partitioned partitioned' 'hash hash hash'", i)
    queues = word("'1 1' '2 8 32' '1 8 32'", i)
    unset key
    set key bottom left Left reverse
    set yrange [i == 1 ? 0.02 : 0.1 : i == 1 ? 200 : 10000]
    plot for [k = 1 : words(engines)] csv using 'queue_length':(y(word(engines, k), word(queues, k) + 0, 'law_per_s')) \
         with lines lw 2 lc rgb word(series, k) title i == 1 ? word(engines, k) : sprintf('%s %s', word(queues, k), i == 2 ? 'queues' : 'CTAs'), \
         for [k = 1 : words(engines)] csv using 'queue_length':(y(word(engines, k), word(queues, k) + 0, 'native_per_s')) \
         with points pt 6 ps circle * 0.7 lw 1.5 lc rgb word(series, k) notitle, \
         for [k = 1 : words(engines)] csv using 'queue_length':(y(word(engines, k), word(queues, k) + 0, 'simulated_per_s')) \
         with points pt 2 ps 1.2 * scale lw 1.5 lc rgb word(series, k) notitle
}
unset multiplot
unset output
