#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# `sluice figure plot`: two columns of a table of any origin, lines by a third;
# no text of the table reaches gnuplot as a command.
set -eu
sluice=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

plot() { # words
    "$sluice" figure plot --out out "$@" >shown
}
refused() { # pattern, words
    local pattern=$1 code=0
    shift
    "$sluice" figure plot --out no "$@" >stdout 2>stderr || code=$?
    [ $code -eq 2 ] && [ ! -e no ] && [ ! -s stdout ] && grep -qF -- "$pattern" stderr ||
        { echo "figure plot $*: exit code $code, expected '$pattern', got: $(cat stderr)"; exit 1; }
}

cat >t.csv <<'E2'
# a comment
nodes,way,time_s,note
4,b,0.5,
1,a,100,x
2,a,,x
4,a,25,x
1,"b",2,x
E2
plot --results t.csv --x nodes --y time_s --by way
[ "$(wc -l <shown)" -eq 4 ]
[ "$(grep -v '^#' out/fig-plot.csv | paste -sd' ')" = \
    'line,name,x,y 1,"b",1,2 1,"b",4,0.5 2,"a",1,100 2,"a",4,25' ]
grep -q '^# sluice figure plot --results t.csv --x nodes --y time_s --by way' out/fig-plot.csv
grep -q '>time_s<' out/fig-plot.svg # the axis
grep -q '>0.1<\|>100<' out/fig-plot.svg
[ "$(head -c 4 out/fig-plot.png | tail -c 3)" = PNG ]
plot --results t.csv --x way --y time_s --log none
[ "$(grep -v '^#' out/fig-plot.csv | cut -d, -f3 | paste -sd' ')" = 'x 1 1 2 2' ]

# Words of the user are drawn, and never run.
printf 'x,y,%s\n1,2,%s\n3,4,%s\n' '<touch a>' "'.system('touch b').'" '`touch c`' >evil.csv
plot --results evil.csv --x x --y y --by '<touch a>'
[ ! -e a ] && [ ! -e b ] && [ ! -e c ]
grep -q 'system' out/fig-plot.svg

refused 'no column nodez (did you mean nodes?)' --results t.csv --x nodez --y time_s
refused "t.csv:3: way: expected a number, got 'b'" --results t.csv --x nodes --y way
refused '--log' --results t.csv --x nodes --y time_s --log z
refused 'expected --results' --x nodes --y time_s
refused 'nowhere.csv' --results nowhere.csv --x nodes --y time_s
refused "takes --results" --results t.csv --x nodes --y time_s --platform lassen
printf "x,y\\n1,\\n" >empty.csv
refused "no row has both x and y" --results empty.csv --x x --y y
printf "x,y\\n0,1\\n" >zero.csv
{ echo k,v; seq 600 | sed 's/.*/w&,&/'; } >words.csv
refused "--x k: it has more than 500 words" --results words.csv --x k --y v
refused "--by k: it has more than 24 values" --results words.csv --x v --y v --by k
mkdir again && cp words.csv again/fig-plot.csv
code=0
"$sluice" figure plot --results again/fig-plot.csv --x v --y v --out again 2>stderr || code=$?
[ $code -eq 2 ] && grep -qF -- '--out: again/fig-plot.csv is the file that is read' stderr
cmp words.csv again/fig-plot.csv
refused "not above 0" --results zero.csv --x x --y y --log x
