# SPDX-License-Identifier: GPL-3.0-or-later
# Fig 2.5: one message between two CPU processes.
width = 900
height = 640
load here.'style.gp'
from = 2
to = 22
step = 4
eval sized
@seconds
set xlabel 'message size'
set xrange [2**2 : 2**22.01]
set title 'Fig 2.5  One message between two CPU processes, '.platform noenhanced
set key top left Left reverse

label(w) = w eq 'shared_cache' ? 'on-socket, shared cache' : \
    w eq 'on_socket' ? 'on-socket' : w eq 'on_node' ? 'on-node' : 'off-node'
y(w, column) = strcol('locality') eq w ? column(column) : NaN
tint(w) = w eq 'shared_cache' ? '#56b4e9' : w eq 'on_socket' ? '#0072b2' : \
    w eq 'on_node' ? '#009e73' : '#d55e00'

# The protocols, between their limits, at the bottom.
at = 4
do for [i = 1 : words(limits)] {
    limit = real(word(limits, i))
    if (i < words(limits)) {
        set arrow i from limit, graph 0 to limit, graph 1 nohead dt 3 lc rgb grey
    }
    set label i word(protocols, i) at sqrt(at * limit), graph 0.03 center textcolor rgb grey
    at = limit
}
plot for [w in localities] csv using 'bytes':(y(w, 'simulated_s')) \
         with linespoints lw 2 pt 7 lc rgb tint(w) title label(w), \
     for [w in localities] csv using 'bytes':(y(w, 'model_s')) \
         with lines lw 1.5 dt 3 lc rgb '#000000' notitle, \
     NaN with lines lw 1.5 dt 3 lc rgb '#000000' title 'postal model'
unset output
