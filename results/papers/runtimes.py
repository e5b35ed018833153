# SPDX-License-Identifier: GPL-3.0-or-later
"""Graph algorithms on hosts under LCI, MPI probes and MPI RMA, as Dang et al. 2018
measured them: the printed times, and those simulated into a file of cells."""

import math
import types

import csvfile
import data

RUNTIMES = ["lci", "mpi-probe", "mpi-rma"]
CELLS = "results/lci/cells.csv"
PRINTED = "results/lci/paper/times.csv"
PAPER_ROUNDS = 100  # of PageRank
TIE = 0.03
# The rows of tables II and IV.
ROWS = [
    (application, graph, platform)
    for graph, platform in (
        ("rmat28", "stampede2"),
        ("rmat28", "stampede1"),
        ("kron30", "stampede2"),
    )
    for application in ("bfs", "cc", "pagerank", "sssp")
]

_TEXTS = ["set", "application", "graph", "cut", "platform", "change"]
_NUMBERS = {
    "threads": "threads",
    "hosts": "hosts",
    "rounds": "rounds",
    "vertices": "vertices",
    "messages": "messages",
    "scaled_time_s": "time_s",
    "scaled_compute_s": "compute_s",
    "scaled_bytes": "bytes",
    "scaled_windows_s": "windows_s",
    "scaled_buffers_least_B": "least_B",
    "scaled_buffers_most_B": "most_B",
    "scaled_reserved_B": "reserved_B",
}


class NotRun(Exception):
    """An expression needs a cell that has not been simulated."""


def _texts(row, names):
    for name in names:
        if name not in row.texts:
            row.fail(f"no such {name}")
    if row.texts.get("runtime") not in RUNTIMES:
        row.fail("no such runtime")
    return {name: row.texts[name] for name in [*names, "runtime"]}


def _cell(row):
    """Returns a cell, with all numbers of PageRank that grow with the rounds for as many
    rounds as in the paper."""
    cell = types.SimpleNamespace(**_texts(row, _TEXTS))
    for column, name in _NUMBERS.items():
        setattr(cell, name, row.number(column, 0.0))
    if not (cell.rounds >= 1 and cell.hosts >= 1 and cell.time_s > 0):
        row.fail("expected rounds, hosts and a time")
    if cell.application == "pagerank":
        times = PAPER_ROUNDS / cell.rounds
        for name in ("time_s", "compute_s", "bytes", "messages"):
            setattr(cell, name, getattr(cell, name) * times)
        cell.rounds = PAPER_ROUNDS
    return cell


def _printed(row):
    texts = _texts(row, ["application", "graph", "platform", "mpi"])
    return types.SimpleNamespace(**texts, time_s=row.number("time_s"))


class Runtimes:
    """The cells of a file, or of the program, and the printed times."""

    KEYS = ("application", "graph", "platform", "runtime")

    def __init__(self, path=None):
        rows = csvfile.read(path or data.find(CELLS), shown=path or CELLS)
        self.cells = [_cell(row) for row in rows]
        self.printed = [_printed(row) for row in csvfile.read(data.find(PRINTED), shown=PRINTED)]

    def _first(self, rows, key, **more):
        wanted = {**dict(zip(self.KEYS, key)), **more}
        for row in rows:
            if all(getattr(row, k) == v for k, v in wanted.items()):
                return row
        return None

    def in_tables(self, *key):
        """Returns the cell of a row of Tables II and IV under a runtime, or None."""
        return self._first(self.cells, key, set="tables")

    def times(self, application, graph, platform):
        """Returns the cells of such a row."""
        cells = types.SimpleNamespace()
        for name in ("lci", "probe", "rma"):
            runtime = "lci" if name == "lci" else "mpi-" + name
            cell = self.in_tables(application, graph, platform, runtime)
            if not cell:
                raise NotRun(f"{application} of {graph} on {platform} by {runtime}")
            setattr(cells, name, cell)
        return cells

    def find(self, part, hosts, *key):
        """Returns the cell of a run without a change, or None."""
        return self._first(self.cells, key, set=part, hosts=hosts, change="")

    def speedup(self, application, runtime):
        """Returns the speed-up of rmat28 from 2 to 128 hosts."""
        key = application, "rmat28", "stampede2", runtime
        few, many = self.find("hosts", 2, *key), self.find("hosts", 128, *key)
        if few and many:
            return few.time_s / many.time_s
        raise NotRun(f"{application} on 2 and 128 hosts by {runtime}")

    def printed_s(self, *key):
        """Returns the printed time of a row under a runtime; NAN if there is none."""
        mpi = {} if key[-1] == "lci" else {"mpi": "default"}
        row = self._first(self.printed, key, **mpi)
        return row.time_s if row else math.nan


# --- scores -------------------------------------------------------------------


def is_fitted(row, runtime):
    """Returns whether constants were fitted to this ratio of runtimes."""
    application, *place = row
    return runtime == "mpi-probe" and application != "bfs" and place == ["rmat28", "stampede2"]


def compared(a_s, b_s):
    """Compares two times: 0 if they are within 3 %."""
    return 1 if a_s > b_s * (1 + TIE) else -1 if b_s > a_s * (1 + TIE) else 0


def score(study, graph=None, with_fitted=False):
    """Counts pairs of runtimes in the order of print, and ratios to LCI within 1.3 of
    print, over the rows that have both times."""
    s = types.SimpleNamespace(pairs=0, ordered=0, ratios=0, near=0)
    for row in ROWS:
        if graph in (None, row[1]):
            _score_row(s, study, row, with_fitted)
    s.order_percent = 100.0 * s.ordered / s.pairs if s.pairs else math.nan
    s.ratio_percent = 100.0 * s.near / s.ratios if s.ratios else math.nan
    return s


def _score_row(s, study, row, with_fitted):
    cells = {by: study.in_tables(*row, by) for by in RUNTIMES}
    times = {by: cell.time_s if cell else math.nan for by, cell in cells.items()}
    printed = {by: study.printed_s(*row, by) for by in RUNTIMES}
    for i, a in enumerate(RUNTIMES):
        for b in RUNTIMES[i + 1 :]:
            fitted = a == "lci" and is_fitted(row, b)
            if math.isnan(times[a] + times[b] + printed[a] + printed[b]):
                continue
            if fitted and not with_fitted:
                continue
            s.pairs += 1
            s.ordered += compared(times[a], times[b]) == compared(printed[a], printed[b])
            if a == "lci":
                x = times[b] / times[a] * printed[a] / printed[b]
                s.ratios += 1
                s.near += 1 / 1.3 < x < 1.3
