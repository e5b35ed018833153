# SPDX-License-Identifier: GPL-3.0-or-later
"""Claims on the cells of Chen et al. 2022: rows of chen_tests.csv, each a quantity
and the bounds in which it has to lie."""

import csv
import math
from dataclasses import dataclass

import data
from cells import PAPER_LEVELS, scale_text

_SHOWN = 4  # values in a line of evidence

# --- the table ----------------------------------------------------------------


@dataclass
class Test:
    """One row; numbers are None if they are not given."""

    claim: str
    application: str
    machine: str
    frameworks: list
    graphs: list
    first: int  # numbers of GPUs
    last: int
    measure: str
    base: str  # "", "one less", or a number of GPUs
    than: str
    than_application: str
    than_graphs: list
    average: bool
    above: float
    below: float
    number: float
    within: float


def _test(row):
    first, _, last = row["gpus"].partition("-")
    bounds = {
        key: float(row[key]) if row[key] else None
        for key in ("above", "below", "number", "within")
    }
    texts = {
        key: row[key]
        for key in ("claim", "application", "machine", "measure", "base", "than", "than_application")
    }
    lists = {key: row[key].split() for key in ("frameworks", "graphs", "than_graphs")}
    return Test(
        first=int(first),
        last=int(last or first),
        average=row["average"] == "yes",
        **texts,
        **lists,
        **bounds,
    )


def read_tests():
    """Returns the tests of each claim."""
    tests = {}
    with open(data.PROGRAM / "results/claims/chen_tests.csv", encoding="utf-8") as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            tests.setdefault(row["claim"], []).append(_test(row))
    return tests


# --- the quantity -------------------------------------------------------------


@dataclass
class Pair:
    """A simulated value and the printed one; NAN if there is none."""

    simulated: float = math.nan
    printed: float = math.nan

    def __truediv__(self, other):
        return Pair(
            _ratio(self.simulated, other.simulated), _ratio(self.printed, other.printed)
        )

    def __sub__(self, other):
        return Pair(self.simulated - other.simulated, self.printed - other.printed)

    def __str__(self):
        text = _number(self.simulated)
        return text if math.isnan(self.printed) else f"{text} (printed {_number(self.printed)})"


def _ratio(a, b):
    """Divides as IEEE 754 does."""
    if b == 0:
        return math.nan if a == 0 or math.isnan(a) else math.copysign(math.inf, a)
    return a / b


def _number(x):
    return f"{x:.3g}" if abs(x) < 1000 else f"{x:.0f}"


def _gpus(n):
    return f"{n} GPU" if n == 1 else f"{n} GPUs"


def _values(cell, measure):
    workload = Pair(cell.workload, cell.printed_workload)
    times = Pair(cell.ms, cell.printed_ms)
    if measure == "time":
        return times
    if measure == "visits by vertices":
        return workload
    if measure == "redundant visits by vertices":
        return workload - Pair(1, 1)
    if measure == "visits":
        return Pair(cell.visits or math.nan)
    assert measure == "us a level", measure
    thousands = Pair(times.simulated * 1e3, times.printed * 1e3)
    return thousands / Pair(cell.levels or math.nan, PAPER_LEVELS[cell.graph])


@dataclass
class _Point:
    framework: str
    graph: str
    than_graph: str
    gpus: int
    value: Pair


class _Look:
    """A test in progress: the values of the cells that exist, and the names of
    those that are missing and of those that are no predictions."""

    def __init__(self, test, cells):
        self.test, self.cells = test, cells
        self.missing, self.fitted = [], []
        points = [
            _Point(f, g, h, n, self._quotient(f, g, n, h))
            for f in test.frameworks
            for g in test.graphs
            for h in test.than_graphs or [None]
            for n in range(test.first, test.last + 1)
        ]
        self.points = [p for p in points if not math.isnan(p.value.simulated)]

    def _at(self, *key):
        """Returns the values of a cell; the simulated one only if it is of a whole
        graph, because the printed one is."""
        application, framework, graph, gpus = key
        cell = self.cells.get((application, self.test.machine, framework, graph, gpus))
        value = _values(cell, self.test.measure) if cell else Pair()
        if cell and not cell.full_size:
            value.simulated = math.nan
        if math.isnan(value.simulated):
            self.missing.append(_name(*key))
        return value

    def _tested(self, *key):
        """Returns the values of a cell that is tested, and notes it if it is fitted.
        The base of a speed-up is not tested, because a speed-up is a prediction
        even if the time on one GPU is fitted."""
        application, framework, graph, gpus = key
        cell = self.cells.get((application, self.test.machine, framework, graph, gpus))
        timed = self.test.measure in ("time", "us a level")
        if cell and (cell.fitted_ms if timed else cell.fitted_workload):
            self.fitted.append(_name(*key))
        return self._at(*key)

    def _from_base(self, application, framework, graph, gpus):
        base = self.test.base
        value = self._tested(application, framework, graph, gpus)
        if not base:
            return value
        fewer = gpus - 1 if base == "one less" else int(base)
        other = self._at(application, framework, graph, fewer)
        return value - other if self.test.measure == "us a level" else other / value

    def _on_graph(self, framework, graph, gpus):
        t = self.test
        value = self._from_base(t.application, framework, graph, gpus)
        if not t.than and not t.than_application:
            return value
        than = t.than_application or t.application, t.than or framework
        return value / self._from_base(*than, graph, gpus)

    def _quotient(self, framework, graph, gpus, than_graph):
        value = self._on_graph(framework, graph, gpus)
        if than_graph:
            value = value / self._on_graph(framework, than_graph, gpus)
        return value

    def mean(self):
        """Returns the geometric mean."""

        def mean(values):
            total = 0.0  # not sum(), whose rounding depends on the version of Python
            for x in values:
                total += math.log(x) / len(values)
            return math.exp(total)

        return Pair(
            mean([p.value.simulated for p in self.points]),
            mean([p.value.printed for p in self.points]),
        )


def _name(application, framework, graph, gpus):
    return f"{application} by {framework} on {graph} with {_gpus(gpus)}"


# --- bounds -------------------------------------------------------------------


def _holds(test, value):
    above = -math.inf if test.above is None else test.above
    below = math.inf if test.below is None else test.below
    if test.within:
        number = test.number or value.printed
        above, below = number / test.within, number * test.within
        if number > 1:
            above = max(above, 1)
        if number < 1:
            below = min(below, 1)
    return above < value.simulated < below


# --- words --------------------------------------------------------------------


def _subject(test):
    t = test
    gpus = _gpus(t.last) if t.first == t.last else f"{t.first} to {_gpus(t.last)}"
    text = f"{t.application} on {t.machine}, {', '.join(t.graphs)}, {gpus}: "
    text += "speed-up" if t.measure == "time" and t.base else t.measure
    text += f" of {', '.join(t.frameworks)}"
    if t.base:
        text += {"time": " over ", "us a level": " more than with "}.get(t.measure, " with ")
        text += "one GPU less" if t.base == "one less" else _gpus(int(t.base))
        text += "" if t.measure in ("time", "us a level") else " / with all"
    if t.than:
        text += f" / that of {t.than}"
    if t.than_application:
        text += f"{'' if t.than else ' / that'} in {t.than_application}"
    if t.than_graphs:
        text += f" / on {', '.join(t.than_graphs)}"
    return text


def _wanted(test):
    text = "; wanted as geometric mean" if test.average else "; wanted"
    if test.number:
        text += f" {test.number:.4g}"
    elif test.within:
        text += " what is printed"
    if test.within:
        text += f" within a factor {test.within:g}"
    if test.above:
        text += f" above {test.above:g}"
    if test.below:
        text += f"{' and' if test.above else ''} below {test.below:g}"
    return text


def _point(test, p):
    """Returns the words in which the points differ, and the value."""
    words = [p.framework] if len(test.frameworks) > 1 else []
    words += [p.graph] if len(test.graphs) > 1 else []
    words += [f"/ {p.than_graph}"] if len(test.than_graphs) > 1 else []
    words += [_gpus(p.gpus)] if test.first < test.last else []
    return " ".join([*words, str(p.value)])


def _range(points):
    def between(values):
        return f"{_number(min(values))} to {_number(max(values))}"

    text = between([p.value.simulated for p in points])
    printed = [p.value.printed for p in points if not math.isnan(p.value.printed)]
    text += f" (printed {between(printed)})" if printed else ""
    return f"{text} in {len(points)} cases"


def _listed(test, points, failing):
    """Returns each value if they are few, otherwise their range and some of those
    that fail."""
    if len(points) <= _SHOWN:
        return ": " + ", ".join(_point(test, p) for p in points)
    text = f": {_range(points)}"
    if not failing or test.average:
        return text
    shown = ", ".join(_point(test, p) for p in failing[:_SHOWN])
    return f"{text}, {len(failing)} not as wanted: {shown}" + (
        ", ..." if len(failing) > _SHOWN else ""
    )


def _and_more(what, names):
    if not names:
        return ""
    more = f", and {len(names) - 1} more" if len(names) > 1 else ""
    return f"; {what}: {names[0]}{more}"


# --- the claim ----------------------------------------------------------------


def _run(verdict, test, cells):
    """Adds one line of evidence. If cells are missing a mean decides nothing, but a
    value that fails does."""
    look = _Look(test, cells)
    failing = [p for p in look.points if not _holds(test, p.value)]
    text = _subject(test)
    if look.points:
        text += _listed(test, look.points, failing)
    holds = not failing
    if look.points and test.average:
        mean = look.mean()
        holds = _holds(test, mean)
        text += f", geometric mean {mean}"
    text += _wanted(test)
    text += _and_more("not run at full size", look.missing)
    text += _and_more("fitted", look.fitted)
    if look.missing and (test.average or holds):
        verdict.not_run(text)
    else:
        verdict.part("fitted" if look.fitted else "predicted", holds, text)


def _note_scales(verdict, tests, cells):
    """Notes the scales of the cells that the tests may need."""
    scales = {}
    for cell in cells.values():
        if not math.isnan(cell.ms) and any(
            cell.machine == t.machine and cell.graph in t.graphs + t.than_graphs for t in tests
        ):
            scales.setdefault(cell.graph, scale_text(cell.scale))
    if scales:
        parts = ", ".join(f"{graph} {scale}" for graph, scale in scales.items())
        verdict.note(f"run: synthetic graphs, as parts of full size: {parts}")


def check(verdict, tests, cells):
    """Adds the evidence for a claim by its tests."""
    _note_scales(verdict, tests, cells)
    for test in tests:
        _run(verdict, test, cells)
