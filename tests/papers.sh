#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The modules behind the claims and figures of papers: cells, their scores, and files
# that are refused.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=results/papers python3 - "$folder" <<'CHECK'
import math
import pathlib
import sys

import cells as cells_of
import csvfile
import figures_chen
import runtimes
import scores

folder = pathlib.Path(sys.argv[1])


def refused(read, text, said):
    path = folder / "bad.csv"
    path.write_text(text)
    try:
        read(path)
    except ValueError as error:
        assert str(error).startswith(f"{path}{said}"), error
    else:
        raise AssertionError(f"accepted: {text}")


# --- CSV ------------------------------------------------------------------------
refused(csvfile.read, "a,b\n", ": no rows")
refused(csvfile.read, "a,a\n1,2\n", ":1: two columns named a")
refused(csvfile.read, "# x\na,b\n1\n", ":3: expected 2 fields, got 1")
refused(csvfile.read, "a,b\n1,\0\n", ":2: a 0 byte")
refused(lambda path: csvfile.read(path, whole=True), "a,b\n1,2", ":2: cut off")
refused(lambda path: csvfile.read(path)[0].number("a"), "a\nx1\n", ":2: a: expected a number, got 'x1'")
refused(lambda path: csvfile.read(path)[0].number("b"), "a\n1\n", ": no column named b")
refused(lambda path: csvfile.read(path)[0].count("a"), "a\n1.5\n", ":2: a: expected a whole number")
refused(lambda path: csvfile.read(path)[0].count("a", 8), "a\n9\n", ":2: a: 9 is too large")

# --- Dang et al. ----------------------------------------------------------------
HEAD = "set,application,graph,cut,threads,vertices,change,platform,runtime,hosts,rounds,"
printed = runtimes.Runtimes()
path = folder / "cells.csv"


def world(turn):
    """Cells as printed; with `turn` each runtime has the next one's times."""
    lines = [HEAD + "scaled_time_s,scaled_windows_s\n"]
    for application, graph, platform in runtimes.ROWS:
        for i, by in enumerate(runtimes.RUNTIMES):
            source = runtimes.RUNTIMES[(i + turn) % 3]
            time_s = printed.printed_s(application, graph, platform, source)
            lines.append(f"tables,{application},{graph},cvc,,1,,{platform},{by},128,100,{time_s},0\n")
    path.write_text("".join(lines))
    return runtimes.Runtimes(path)


# With the printed times every score is full.
study = world(0)
full = runtimes.score(study, with_fitted=True)
assert full.pairs == full.ordered == 36 and full.near == full.ratios, full
assert runtimes.score(study).pairs == 33
assert runtimes.score(world(1), with_fitted=True).ordered < 18

# A cell has one basis: PageRank of 50 rounds is converted to the 100 of the paper in
# all that grows with them, bfs in nothing.
columns = "set,application,graph,cut,platform,change,runtime,hosts,rounds,messages,"
columns += "scaled_time_s,scaled_compute_s,scaled_bytes,scaled_windows_s,scaled_reserved_B\n"
row = "tables,%s,kron30,cvc,stampede2,,mpi-rma,4,50,600,3,1,12e6,0.5,64e6\n"
path.write_text(columns + row % "bfs" + row % "pagerank")
for cell, times in zip(runtimes.Runtimes(path).cells, (1, 2)):
    assert cell.rounds == 50 * times and cell.messages == 600 * times, cell
    assert cell.bytes == 12e6 * times and cell.time_s == 3 * times, cell
    assert cell.compute_s == times and cell.windows_s == 0.5 and cell.reserved_B == 64e6, cell
refused(runtimes.Runtimes, columns + row % "bfs" + row.replace("mpi-rma", "rma") % "cc",
        ":3: no such runtime")
refused(runtimes.Runtimes, columns + row.replace(",3,", ",0,") % "bfs",
        ":2: expected rounds, hosts and a time")

# The order of runtimes in PageRank is that of a core's cost per byte.
seen = {(c.runtime, c.change != ""): c.time_s for c in printed.cells if c.set == "ablation"}
for by in ("lci", "mpi-rma"):
    assert runtimes.compared(seen[by, False], seen["mpi-probe", False]) == -1, seen
    assert runtimes.compared(seen[by, True], seen["mpi-probe", True]) >= 0, seen

# --- cells of Chen et al.: the file ---------------------------------------------
HEAD = cells_of.HEAD.splitlines()[1] + "\n"
ROW = "bfs,daisy,Gunrock,road_usa,4,0.25,500,1,100,200,30,1.5,0123456789abcdef\n"
cells = cells_of.printed()
# 92 cells of Table II, as many of IV, 192 of V, and 96 of Fig 7.
assert len(cells) == 92 + 92 + 192 + 96
one = cells["bfs", "daisy", "Atos-standard-persistent", "hollywood-2009", 2]
assert (one.printed_ms, one.printed_workload) == (7.90, 1.36) and math.isnan(one.ms), one
assert math.isnan(cells["bfs", "summit-node", "Gunrock", "twitter50", 6].printed_ms)
assert ("bfs", "daisy", "Groute", "twitter50", 1) not in cells
for key, fitted in (
    (("bfs", "daisy", "Gunrock", "soc-LiveJournal1", 1), True),
    (("bfs", "daisy", "Gunrock", "soc-LiveJournal1", 2), False),
    (("bfs", "summit-ib", "Galois", "soc-LiveJournal1", 8), True),
    (("bfs", "summit-ib", "Atos", "soc-LiveJournal1", 8), False),
    (("bfs", "daisy", "Groute", "road_usa", 4), True),
    (("bfs", "daisy", "Groute", "road_usa", 3), False),
):
    assert cells[key].fitted_ms == fitted, key
assert cells["bfs", "daisy", "Atos-standard-persistent", "soc-LiveJournal1", 1].fitted_workload

# The last row of a cell counts.
last = "bfs,daisy,Gunrock,road_usa,4,1,840,1.5,7,8,9,0.000,00000000000000aa\n"
path.write_text("# a comment\n" + HEAD + ROW + last)
one = cells_of.read(path)["bfs", "daisy", "Gunrock", "road_usa", 4]
assert (one.ms, one.printed_ms, one.scale, one.levels) == (840, 1009, 1, 9), one
assert one.row() == last, one.row()
assert ",0.0013020833333333333," in cells_of.Cell(*one.key, scale=1 / 768).row()
assert cells_of.same_scale(0.00130208333, 1 / 768) and not cells_of.same_scale(1, 0)
texts = [cells_of.scale_text(x) for x in (1, 0.00130208333, 1 / 3, 0.3, 0.99)]
assert texts == ["1", "1/768", "1/3", "0.3", "0.99"], texts


def bad(said, *changes):
    fields = ROW.strip().split(",")
    for i, text in changes:
        fields[i] = text
    refused(cells_of.read, HEAD + ",".join(fields) + "\n", said)


refused(cells_of.read, HEAD, ": no rows")
refused(cells_of.read, HEAD + ROW + "bfs,daisy,Gun", ":3: expected 13")
refused(cells_of.read, HEAD + ROW + ROW.strip()[:-2], ":3: cut off")
refused(cells_of.read, HEAD + ROW.strip(), ":2: cut off")
refused(cells_of.read, "application,machine\nbfs,daisy\n", ": no column named framework")
bad(":2: bfs, daisy, Gunrock, road_usa, 5 GPUs: no such cell", (4, "5"))
bad(":2: gpus: 9 is too large", (4, "9"))
bad(":2: scale: expected above 0", (5, "2"))
bad(":2: ms: expected a number above 0, got -5", (6, "-5"))
bad(":2: ms: expected a number, got 'nan'", (6, "nan"))
bad(":2: workload: expected a number above 0, got 0", (7, "0"))
bad(":2: visits: expected a whole number", (8, "-1"))
bad(":2: wall_s: expected 0 or more, got -1", (11, "-1"))
bad(":2: made_by: expected 16 digits", (12, "x"))

# --- cells of Chen et al.: scores and tables ------------------------------------


def world(factor=1):
    made = cells_of.printed()
    for cell in made.values():
        cell.ms, cell.workload, cell.scale = cell.printed_ms * factor, cell.printed_workload, 1
    return made


def score(cells, table="atos-table-2", application="bfs"):
    return scores.Scores(cells, figures_chen.CHOICES[table]).score(application)


def at(cells, framework, graph, gpus, machine="daisy"):
    return cells["bfs", machine, framework, graph, gpus]


def text(cells, table, part):
    make = figures_chen.scaling
    if "-table-" in table:
        make = figures_chen.visits if table == "atos-table-3" else figures_chen.times
    return "".join(make(cells, figures_chen.CHOICES[table])[part])


# 6 graphs on 2, 3 and 4 GPUs: of the 18 races the printed times leave four open, and the
# six of the meshes have cells of Atos that a remote atomic was fitted to. The printed
# winner with one GPU loses on 3 and 4 of indochina-2004.
s = score(world())
assert (s.races_tied, s.races_fitted, s.races, s.same_winner, s.baseline_winner) == (4, 6, 8, 8, 6)
assert s.ordered == s.pairs > 50 and s.baseline_ordered < s.pairs
assert (s.speedups["Gunrock"], s.near["Gunrock"], s.speedups["Groute"]) == (18, 18, 14)
assert s.speedups_fitted == 13 and s.all_speedups == s.near_speedups == s.times == 56
assert s.races_not_run + s.speedups_not_run == 0 and s.speedup_error == s.time_error == 0
# Galois' rounds between nodes carry a fit on.
s = score(world(), "atos-table-5", "pagerank")
assert s.races == 0 and s.races_fitted + s.races_tied == 42
assert s.speedups["Galois"] == 0 and s.near["Atos"] == 42

# All are half as slow again; then one winner and two pairs are wrong; then all self
# speed-ups of Groute double.
cells = world(1.5)
s = score(cells)
assert s.same_winner == 8 and s.speedup_error < 1e-12 and abs(s.time_error - 0.5) < 1e-9
at(cells, "Gunrock", "soc-LiveJournal1", 2).ms = 1
s = score(cells)
assert (s.races, s.same_winner, s.near["Gunrock"], s.pairs - s.ordered) == (8, 7, 17, 2)
for cell in cells.values():
    if cell.framework == "Groute" and cell.gpus == 1:
        cell.ms *= 2
s = score(cells)
assert s.near["Groute"] == 0 and s.speedups["Groute"] == 14 and s.same_winner == 7

# A tie is no win: priority 3.84 and Gunrock 5.39.
cells = world()
at(cells, "Gunrock", "hollywood-2009", 4).ms = 3.83
assert score(cells).same_winner == 7

# A graph at a part of its size, and a cell that is not simulated.
cells = world()
for cell in cells.values():
    if cell.graph == "soc-LiveJournal1":
        cell.scale = 0.25
at(cells, "Groute", "osm_eur", 3).ms = math.nan
s = score(cells)
assert (s.races, s.same_winner, s.races_not_run, s.times) == (5, 5, 4, 43)
assert (s.all_speedups, s.speedups_not_run) == (56 - 13, 13)
assert "size, so in no score: 4 graphs by GPUs, 13 self speed-ups\n" in text(cells, "atos-table-2", 1)
assert "not run / 502 (- / 1.14)" in text(cells, "atos-table-2", 1)
cells = world()
for framework, graph, gpus, by in (
    ("Gunrock", "road_usa", 2, 1.29),
    ("Gunrock", "road_usa", 3, 1.31),
    ("Gunrock", "osm_eur", 2, 1 / 1.29),
    ("Gunrock", "osm_eur", 3, 1 / 1.31),
):
    at(cells, framework, graph, gpus).ms *= by
assert score(cells).near["Gunrock"] == 16

cells = world()
at(cells, "Gunrock", "road_usa", 4).ms = 30.2
for cell in cells.values():
    if cell.graph == "osm_eur":
        cell.scale = 1 / 16
md, rows = text(cells, "atos-table-2", 1), text(cells, "atos-table-2", 0)
for part in (
    "\n| bfs on Gunrock | 1 GPU | 2 GPUs | 3 GPUs | 4 GPUs |\n| --- | --- | --- | --- | --- |\n"
    "| soc-LiveJournal1 | 13.4 / 13.4 | 10 / 10 (1.34 / 1.34) |",
    "963 / 963 (0.627 / 0.627) | **30.2** / 1009 (20 / 0.599) |\n",
    "| 62 / **62** (0.75 / 0.75) |\n",
    "| osm_eur (1/16) | 2094 / 2094 |",
    "- pairs that print separates by 5 %, in order: 61 of 61; baseline, the printed order with one GPU: 48\n",
    "- in no score: 4 races that print leaves open, 3 races, 16 pairs and 7 self speed-ups with a fitted cell\n",
    "- the same, all: 49 of 50\n",
    "- median error of the times: 0 % (50 cells)\n",
):
    assert part in md, part
assert "\nbfs,daisy,Gunrock,road_usa,4,1,30.2,1009,20,0.5986,1,0\n" in rows

# Cells of one graph at several scales are not compared.
cells = world()
at(cells, "Gunrock", "road_usa", 2).scale = 1 / 16
s = score(cells)
assert (s.races, s.races_not_run, s.speedups["Gunrock"]) == (8, 1, 17)
assert "| road_usa | 604 / 604 | 917 (1/16) / 917 (- / 0.659) |" in text(cells, "atos-table-2", 1)
assert "scales = '1 1 1,1/16 1'\n" in text(cells, "atos-5", 1)
# Cells that the table lacks.
cells = world()
del cells["bfs", "daisy", "Gunrock", "soc-LiveJournal1", 4]
del cells["bfs", "daisy", "Gunrock", "road_usa", 2]
md = text(cells, "atos-table-2", 1)
assert "| road_usa | 604 / 604 | - | 963 / 963 " in md and "(1.64 / 1.64) | - |\n" in md

# Visits, and self speed-ups of which nothing is printed.
cells = world()
at(cells, "Atos-priority-discrete", "twitter50", 4).workload = 1.2
at(cells, "Atos-priority-discrete", "twitter50", 1).workload = 2
at(cells, "Atos-standard-persistent", "twitter50", 3).workload = 1.4
md = text(cells, "atos-table-3", 1)
assert "| soc-LiveJournal1 | 1.063 / 1.063 -> 1.003 / 1.003 | 1.260 / 1.26 -> 1.060 / 1.06 |" in md
assert "2 GPUs and more: 23 of 24\n- within 0.1, 1 GPU: 7 of 8\n" in md
assert "\nAtos-priority-discrete,twitter50,4,1,1.2,1.305\n" in text(cells, "atos-table-3", 0)
at(cells, "Atos-standard-persistent", "soc-LiveJournal1", 2).scale = 0.3
md = text(cells, "atos-table-3", 1)
assert "1.260 (0.3) / 1.26" in md and "so in no score: 1 and 0\n" in md
cells = world(2)
at(cells, "Atos", "road_usa", 1, "summit-node").ms = 10
at(cells, "Atos", "road_usa", 2, "summit-node").ms = 4
assert "\nbfs,road_usa,Atos,2,1,4,2.5,\n" in text(cells, "atos-7", 0)
assert text(cells, "atos-7", 1).endswith("most = 6\nleast = 1\nprinted = 0\n")
assert "\nbfs,twitter50,Galois,8,1,1404,0.662393,0.662393\n" in text(cells, "atos-8", 0)
CHECK
