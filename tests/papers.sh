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

import csvfile
import runtimes

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
CHECK
