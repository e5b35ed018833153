# SPDX-License-Identifier: GPL-3.0-or-later
# What all figures share. A figure sets width and height (pixels) and loads
# this; `kind` is the terminal, `svg`, `pdf` and `png` the files.
reset
if (kind eq 'svg') {
    set terminal svg size width, height font 'sans-serif,15' background '#ffffff' dynamic enhanced
    set output svg
}
if (kind eq 'pdf') {
    set terminal pdfcairo size width / 96.0, height / 96.0 font 'Sans,11.25' enhanced
    set output pdf
}
if (kind eq 'png') {
    set terminal pngcairo size width, height font 'Sans,11.25' enhanced background '#ffffff'
    set output png
}
# A font of so many points: svg counts in pixels.
points(n) = sprintf(',%.4g', kind eq 'svg' ? n * 4.0 / 3 : n)
set datafile separator comma
set datafile columnheaders
set datafile missing ''

# One colour and one mark a strategy, in every figure: Okabe and Ito's colours,
# which most colour-blind readers tell apart.
colour(s) = s[1:8] eq 'standard' ? '#0072b2' : s[1:6] eq '3-step' ? '#d55e00' : \
    s[1:8] eq '2-step-1' ? '#aa3377' : s[1:6] eq '2-step' ? '#009e73' : \
    s eq 'split+md' ? '#e69f00' : '#56b4e9'
# Behind a line of that colour.
pale(s) = '0x60'.colour(s)[2:7]
mark(s) = s[1:8] eq 'standard' ? 7 : s[1:6] eq '3-step' ? 9 : \
    s[1:8] eq '2-step-1' ? 15 : s[1:6] eq '2-step' ? 5 : \
    s eq 'split+md' ? 13 : 11
is_device(s) = strstrt(s, '/device') > 0
dash(s) = is_device(s) ? 2 : 1 # staged solid, device-aware dashed
set dashtype 2 (9, 5)
set dashtype 3 (2, 3)
# The series that are no strategies.
series = '#0072b2 #d55e00 #009e73 #aa3377 #e69f00 #56b4e9 #000000'

grey = '#555555'
set border 3 lc rgb grey
set tics nomirror out textcolor rgb '#222222'
set grid xtics ytics lc rgb '#dddddd' lw 1
set key noenhanced spacing 1.15 samplen 3
scale = kind eq 'svg' ? 0.72 : 1 # svg draws larger marks
set pointsize 0.75 * scale
circle = 2.4 * scale # the mark around a minimum

# Sizes as people say them: 4 B, 1 KiB, 4 MiB. sized(from, to, step) makes the
# ticks of the x axis, powers of two.
size(b) = b < 2**10 ? sprintf('%d B', b) : b < 2**20 ? sprintf('%.4g KiB', b / 2.0**10) : \
    b < 2**30 ? sprintf('%.4g MiB', b / 2.0**20) : sprintf('%.4g GiB', b / 2.0**30)
sized = "set logscale x 2; set xtics (); do for [i = from : to : step] { set xtics add (size(2**i) 2**i) }"
seconds = "set logscale y; set format y '10^{%L}'; set ylabel 'time (s)'"
# Where times span hardly more than a decade.
few_seconds = "set ytics (1e-6, 2e-6, 5e-6, 10e-6, 20e-6, 50e-6, 100e-6, 200e-6, 500e-6, 1e-3, 2e-3, 5e-3, 10e-3); set format y '%.0t·10^{%T}'"
# The same of other units: a few labels in each decade.
few_steps = "set ytics (); do for [e = -3 : 9] { do for [m in '1 2 3 5 7'] { set ytics add (sprintf('%g', m * 10.0**e) m * 10.0**e) } }"

# The key alone, in a strip at the bottom, `strip` pixels tall: plot NaN after it.
key_strip = "unset label; unset border; unset tics; unset xlabel; unset ylabel; unset title; unset grid; unset logscale; set lmargin at screen 0.02; set rmargin at screen 0.98; set tmargin at screen strip / height; set bmargin at screen 0; set xrange [0 : 1]; set yrange [0 : 1]; set key center center horizontal maxrows 2 width 2 samplen 4 Left reverse"
