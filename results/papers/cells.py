# SPDX-License-Identifier: GPL-3.0-or-later
"""The cells of Tables II to V of Chen et al. 2022, printed and simulated: one framework
on one graph with a number of GPUs."""

import dataclasses
import math

import csvfile
import data

MOST_GPUS = 8
USUAL = "results/atos/cells.csv"
HEAD = (
    "# cells of Chen et al. 2022, simulated by `sluice study`; a cell's last row counts\n"
    "application,machine,framework,graph,gpus,scale,ms,workload,visits,edges,levels,"
    "wall_s,made_by\n"
)
KEY = ("application", "machine", "framework", "graph")
# The numbers of levels of the paper's own graphs (its Table I).
PAPER_LEVELS = {
    "soc-LiveJournal1": 20,
    "hollywood-2009": 11,
    "indochina-2004": 26,
    "twitter50": 12,
    "road_usa": 6809,
    "osm_eur": 21158,
}


@dataclasses.dataclass
class Cell:
    """A cell. Machines are "daisy"; "summit-ib", one GPU a node; "summit-node", the six
    GPUs of one node. Values that are not printed or not simulated are NAN."""

    application: str
    machine: str
    framework: str
    graph: str
    gpus: int
    printed_ms: float = math.nan
    printed_workload: float = math.nan  # visits divided by vertices, Table III
    # A number was fitted to the printed value, was chosen in view of it, or carries such
    # a fit on: the simulated value is no prediction (results/atos/fitted.csv).
    fitted_ms: bool = False
    fitted_workload: bool = False
    ms: float = math.nan
    workload: float = math.nan
    visits: int = 0
    edges: int = 0
    levels: int = 0  # the depth of a BFS
    scale: float = 0  # the synthetic graph's; 1 is full size
    wall_s: float = 0
    made_by: str = ""  # digest of the inputs (study.py)

    @property
    def key(self):
        return self.application, self.machine, self.framework, self.graph, self.gpus

    @property
    def full_size(self):
        """Whether the cell was simulated on a graph as large as the paper's."""
        return not math.isnan(self.ms) and same_scale(self.scale, 1)

    def row(self):
        """Returns the row of a file."""
        return (
            f"{','.join(map(str, self.key))},{_exact(self.scale)},{self.ms:.9g},"
            f"{self.workload:.6g},{self.visits},{self.edges},{self.levels},{self.wall_s:.3f},"
            f"{self.made_by}\n"
        )


def _exact(scale):
    """Returns as many digits as restore the same scale, and so the same graph."""
    text = f"{scale:.9g}"
    return text if float(text) == scale else f"{scale:.17g}"


def same_scale(a, b):
    """Returns whether two scales are equal up to the digits that a file keeps."""
    return abs(a - b) <= 1e-8 * max(abs(a), abs(b))


def scale_text(scale):
    """Returns "1", "1/16" or "0.3"."""
    parts = float(round(1 / scale)) if scale else math.inf
    if parts == 1 and same_scale(scale, 1):
        return "1"
    return f"1/{parts:.0f}" if same_scale(parts * scale, 1) else f"{scale:g}"


# --- printed cells ------------------------------------------------------------


def _key(row):
    return (*(row.text(column) for column in KEY), row.count("gpus", MOST_GPUS))


def _add_node(cells):
    """Adds Fig 7, which prints no number: two frameworks on the GPUs of one node of
    Summit. Its graphs are assumed to be those that the text on Fig 5 names."""
    for graph in ("soc-LiveJournal1", "twitter50", "road_usa", "osm_eur"):
        for gpus in range(1, 7):
            for application in ("bfs", "pagerank"):
                for framework in ("Gunrock", "Atos"):
                    key = application, "summit-node", framework, graph, gpus
                    cells.setdefault(key, Cell(*key))


def _mark_fitted(cells, row):
    """Marks the cells of one row. Fails if there are none, because a misspelt row would
    turn fits into predictions."""
    of, first, last = row.text("of"), row.count("from", MOST_GPUS), row.count("to", MOST_GPUS)
    if of not in ("ms", "workload"):
        row.fail("of: expected ms or workload")
    marked = [
        cell
        for cell in cells.values()
        if first <= cell.gpus <= last
        and all(row.texts.get(k) in (None, "", getattr(cell, k)) for k in KEY)
    ]
    for cell in marked:
        setattr(cell, f"fitted_{of}", True)
    if not marked:
        row.fail("no such cell")


def printed():
    """Returns all cells by their keys, none of them simulated."""
    cells = {}
    for number in (2, 3, 4, 5):
        name = f"results/atos/paper/table-{number}.csv"
        for row in csvfile.read(data.find(name), shown=name):
            cell = cells.setdefault(_key(row), Cell(*_key(row)))
            if "ms" in row.texts:
                cell.printed_ms = row.number("ms")
            else:
                cell.printed_workload = row.number("workload")
    name = "results/atos/fitted.csv"
    for row in csvfile.read(data.find(name), shown=name):
        _mark_fitted(cells, row)
    _add_node(cells)
    return cells


# --- simulated cells ----------------------------------------------------------


def _check(row, cell):
    if not 0 < cell.scale <= 1:
        row.fail(f"scale: expected above 0, up to 1, got {cell.scale:g}")
    for name in ("ms", "workload"):
        if not getattr(cell, name) > 0:
            row.fail(f"{name}: expected a number above 0, got {getattr(cell, name):g}")
    if cell.wall_s < 0:
        row.fail(f"wall_s: expected 0 or more, got {cell.wall_s:g}")
    if len(cell.made_by) != 16 or set(cell.made_by) - set("0123456789abcdef"):
        row.fail(f"made_by: expected 16 digits of 0 to f, got '{cell.made_by}'")


def _read_row(cells, row):
    key = _key(row)
    cell = cells.get(key)
    if not cell:
        row.fail(f"{', '.join(key[:4])}, {key[4]} GPUs: no such cell")
    numbers = {name: row.number(name) for name in ("scale", "ms", "workload", "wall_s")}
    counts = {name: row.count(name) for name in ("visits", "edges", "levels")}
    got = dataclasses.replace(cell, **numbers, **counts, made_by=row.text("made_by"))
    _check(row, got)
    cells[key] = got


def read(path):
    """Returns all cells with the simulated values of a file. If a cell has several rows,
    the last counts."""
    cells = printed()
    for row in csvfile.read(path, whole=True):
        _read_row(cells, row)
    return cells


def of_study(path=None):
    """Returns those of a file, or of the program if it has some."""
    usual = data.find(USUAL)
    return read(path) if path else read(usual) if usual.exists() else printed()
