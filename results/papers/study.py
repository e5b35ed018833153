# SPDX-License-Identifier: GPL-3.0-or-later
"""Simulates the cells of Chen et al. 2022 into a file, one row each, so that it can be
interrupted and continued; as `sluice study` starts it.

Each cell is a simulation by libsluice, on a graph and a partition that are made once and
kept in files while the study lasts, or in the folder --graphs.
"""

import collections
import concurrent.futures
import contextlib
import dataclasses
import fcntl
import json
import math
import os
import pathlib
import re
import shutil
import signal
import sys
import tempfile
import threading
import time
import types

import cells as cells_of
import data
from lab import Failed, Lab
from words import nearest, plain

MOST_JOBS = 8  # there are as many numbers of GPUs

# Assumed, because the paper does not say. The residue below which a rank stops: 0.01 if a
# vertex begins with 0.15 (github.com/owensgroup/ATOS), Galois' default 1e-6; Gunrock
# stops if no rank changes by more than 0.01 of itself.
RESIDUE = 0.01 / 0.15
GALOIS_RESIDUE = 1e-6 / 0.15
CHANGE = 0.01

Graph = collections.namedtuple("Graph", "name mesh partition scale tiny")
# Footnote 3: METIS for all graphs that Groute can run, else random. METIS needs about 85 B
# an arc, which is 30 GB for osm_eur, so that is partitioned by coordinates, which is
# assumed to cut as little. scale: at which the whole study takes minutes; tiny: of some
# hundred vertices.
GRAPHS = [
    Graph("soc-LiveJournal1", False, "metis", 1 / 16, 512 / 4.8e6),
    Graph("hollywood-2009", False, "metis", 1 / 32, 1024 / 1.1e6),
    Graph("indochina-2004", False, "metis", 1 / 64, 512 / 7.4e6),
    Graph("twitter50", False, "random", 1 / 512, 512 / 51e6),
    Graph("road_usa", True, "metis", 1 / 32, 512 / 23.9e6),
    Graph("osm_eur", True, "geometric", 1 / 128, 512 / 174e6),
]
BY_NAME = {graph.name: graph for graph in GRAPHS}
PLATFORMS = {"summit-ib": ("summit", "gpus_used=1"), "summit-node": ("summit",)}

Setup = collections.namedtuple("Setup", "framework application mesh preset change threshold")
# The simulated counterparts of the frameworks; the first that fits counts, and None fits
# all. For Atos in Table V, BFS has the times of Table II's two configurations on one GPU;
# the waits are those of IV.B.
SETUPS = [
    Setup("Gunrock", None, None, "bsp", None, CHANGE),
    Setup("Groute", None, None, "async-cpu", None, RESIDUE),
    Setup("Galois", None, None, "bulk-async", None, GALOIS_RESIDUE),
    Setup("Atos-standard-persistent", None, None, "atos-persistent", None, RESIDUE),
    Setup("Atos-standard-discrete", None, None, "atos-discrete", None, RESIDUE),
    Setup("Atos-priority-discrete", None, None, "atos-priority", None, RESIDUE),
    Setup("Atos", "bfs", True, "atos-persistent", "aggregator.wait_visits=4", RESIDUE),
    Setup("Atos", "bfs", False, "atos-priority", "aggregator.wait_visits=4", RESIDUE),
    Setup("Atos", "pagerank", None, "atos-discrete", "aggregator.wait_visits=32", RESIDUE),
]


def setup_of(cell):
    mesh = BY_NAME[cell.graph].mesh
    return next(
        s
        for s in SETUPS
        if s.framework == cell.framework
        and s.application in (None, cell.application)
        and s.mesh in (None, mesh)
    )


def partition_of(cell):
    """Returns how the framework of a cell distributes the vertices. Galois has a 2D cut
    of blocks by number: on scale-free graphs nearly every arc needs a message, as under a
    random partition."""
    graph = BY_NAME[cell.graph]
    return "random" if cell.framework == "Galois" and not graph.mesh else graph.partition


def words_of(graph, scale):
    return f"standin:{graph.name},scale={scale:.17f}"


# --- runs ---------------------------------------------------------------------


def run(lab, cell, graph, partition, presets):
    """Simulates cells that differ in their presets alone; returns the rows by these."""
    setup = setup_of(cell)
    options = {"gpus": cell.gpus, "partition": partition, "strategies": ",".join(presets)}
    if cell.application == "pagerank":
        options["threshold"] = setup.threshold
    elif BY_NAME[cell.graph].mesh:
        options["source"] = 0
    sets = [f"execution.{setup.change}"] if setup.change else []
    machine = lab.fresh_machine(*PLATFORMS.get(cell.machine, (cell.machine,)), *sets)
    workload = lab.workload(machine, f"{cell.application}:{graph}", **options)
    return {preset: lab.simulate(workload, preset) for preset in presets}


# --- digest of the inputs -----------------------------------------------------


def _add(digest, text):
    """FNV-1a (Fowler, Noll, Vo 1991), 64 bits."""
    for byte in text if isinstance(text, bytes) else text.encode():
        digest = (digest ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return digest


NOTHING = 0xCBF29CE484222325


def _texts(value, but):
    """Yields all of a document except its descriptions and one key."""
    if isinstance(value, bool) or value is None:
        yield " " + json.dumps(value)
    elif isinstance(value, (int, float)):
        yield f" {float(value):.17g}"
    elif isinstance(value, str):
        yield f' "{value[:60]}"'
    else:
        pairs = value.items() if isinstance(value, dict) else (("-", x) for x in value)
        for key, x in pairs:
            if key not in ("about", "source", but):
                yield key
                yield from _texts(x, but)
        yield ";"


class Digests:
    """Digests of executions and machines, each made once. Rows are not recognised if they
    differ only on many vertices, because queues or batches fill there, or a generator
    differs only at other scales: they must be deleted by hand."""

    def __init__(self, lab):
        self._lab, self._known = lab, {}

    def of(self, cell, ms, workload):
        """Returns the present made_by of a cell: the digest of the files of its execution
        and its machine, except "about" and "source", and of the results on a tiny graph.
        BFS has no residues."""
        setup = setup_of(cell)
        key = setup.preset, cell.application == "bfs", cell.machine
        if key not in self._known:
            path = data.find(f"apps/presets/{setup.preset}.json")
            preset = json.loads(path.read_text(encoding="utf-8"))
            platform = self._lab.fresh_platform(*PLATFORMS.get(cell.machine, (cell.machine,)))
            digest = NOTHING
            for text in _texts(preset, "residues" if key[1] else None):
                digest = _add(digest, text)
            for text in _texts(platform, None):
                digest = _add(digest, text)
            self._known[key] = digest
        text = f"{setup.change or ''} {ms:.9g} {workload:.9g}"
        return f"{_add(self._known[key], text):016x}"


# --- graphs and partitions ----------------------------------------------------


class Files:
    """One graph at one scale. NAME-SCALE-DIGEST.sluice-graph in the folder is the graph,
    NAME-SCALE-DIGEST-HOW-N.parts its partition to N GPUs. The digest is of the
    generator's words and of the tiny graph that the same generator makes, so another
    generator makes other files. Older ones stay until somebody deletes them."""

    def __init__(self, lab, folder, graph, scale, tiny):
        self._lab, self._words = lab, words_of(graph, scale)
        digest = _add(_add(NOTHING, self._words), tiny.read_bytes())
        self._stem = f"{folder}/{graph.name}-{scale:.9g}-{digest:016x}"
        self._folder, self._one = folder, threading.Lock()

    def graph(self):
        path = f"{self._stem}.sluice-graph"
        if not os.path.exists(path):
            self._lab.output("convert", self._words, "-o", path)
        return path

    def partition(self, how, gpus):
        """Returns the file of a partition that takes long, or how it is made. Only one
        process at a time makes one, because METIS needs up to 100 B an arc."""
        if gpus == 1 or how == "random":
            return how
        path = f"{self._stem}-{how}-{gpus}.parts"
        with self._one:
            if not os.path.exists(path):
                with open(f"{self._folder}/lock", "w", encoding="utf-8") as lock:
                    fcntl.lockf(lock, fcntl.LOCK_EX)
                    if not os.path.exists(path):
                        words = ("--gpus", gpus, "--partition", how, "-o", path)
                        self._lab.output("convert", self.graph(), *words)
        return path


# --- the file -----------------------------------------------------------------


class Rows:
    """The file to which rows are added, or standard output ("-")."""

    def __init__(self, path):
        self.path, self._lock = path, threading.Lock()
        self._fd = 1
        self.cells = cells_of.printed()
        if path == "-":
            self._write(cells_of.HEAD)
            return
        try:
            self._fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise ValueError(f"{path}: cannot be written: {error.strerror}") from error
        if os.fstat(self._fd).st_size:
            self._mend()
        if os.fstat(self._fd).st_size:
            self.cells = cells_of.read(path)

    def _mend(self):
        """Removes a row that a killed study or a full disk cut off, so that it is
        simulated again; only if the file begins as ours do."""
        with open(self.path, "rb") as file:
            text = file.read()
        begin = cells_of.HEAD[:31].encode()
        if text.startswith(begin[: len(text)]) and not text.endswith(b"\n"):
            os.ftruncate(self._fd, text.rfind(b"\n") + 1)
            said = "its last row was cut off, and is simulated again"
            print(f"sluice: {self.path}: {said}", file=sys.stderr)

    def _write(self, text):
        left = text.encode()
        try:
            while left:
                left = left[os.write(self._fd, left) :]
        except OSError as error:
            name = "standard output" if self.path == "-" else self.path
            raise Failed(f"{name}: cannot be written: {error.strerror}", 1) from error

    def add(self, row):
        """Appends the whole row or nothing, even if another process writes to the file."""
        with self._lock:
            if self.path == "-":
                self._write(row)
                return
            fcntl.lockf(self._fd, fcntl.LOCK_EX)
            end = os.lseek(self._fd, 0, os.SEEK_END)
            try:
                self._write(row if end else cells_of.HEAD + row)
            except Failed:
                with contextlib.suppress(OSError):
                    os.ftruncate(self._fd, end)
                raise
            finally:
                fcntl.lockf(self._fd, fcntl.LOCK_UN)


# --- options ------------------------------------------------------------------

_NUMBER = re.compile(r"(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def _share(text):
    """Returns a number from 0 to 1, such as 0.25 or 1/4; None if it is none."""
    parts = text.split("/")
    if len(parts) > 2 or not all(_NUMBER.fullmatch(part) for part in parts):
        return None
    value = float(parts[0])
    if len(parts) == 2:
        value = value / float(parts[1]) if float(parts[1]) else math.nan
    return value if 0 <= value <= 1 else None


def read_scales(texts):
    """Returns the scales that are given, by graph. "1/16" or "NAME=1/16,..."; the last
    that fits counts."""
    scales = {}
    for text in texts:
        pairs = [pair.split("=", 1) for pair in text.split(",")] if "=" in text else None
        for name, *number in pairs or [(graph.name, text) for graph in GRAPHS]:
            if name not in BY_NAME:
                near = nearest(name, BY_NAME)
                hint = f" (did you mean {near}?)" if near else f"; known: {', '.join(BY_NAME)}"
                raise ValueError(f"--scale {text}: {name}: unknown{hint}")
            scale = _share(number[0]) if number else None
            if scale is None:
                got = number[0] if number else ""
                said = f"expected a number from 0 to 1, got '{got}'"
                raise ValueError(f"--scale {text}: {name}: {said}")
            if scale == 0:
                raise ValueError(f"--scale {text}: {name}: expected a number above 0")
            if scale < 1e-6:  # this holds for the largest graph, too
                raise ValueError(f"--scale {text}: {name}: leaves less than 256 vertices")
            scales[name] = scale
    return scales


class Choice:
    """The cells that the options name."""

    NAMES = {"applications": "application", "machines": "machine",
             "frameworks": "framework", "graphs": "graph"}  # fmt: skip

    def __init__(self, request):
        self._names = {one: request.get(all_, []) for all_, one in self.NAMES.items()}
        self._gpus = request.get("gpus", [])

    def wants(self, cell):
        return all(
            not names or getattr(cell, one) in names for one, names in self._names.items()
        ) and (not self._gpus or cell.gpus in self._gpus)

    def check(self, cells):
        """Fails unless every name is one of the cells', and some cell has all of them."""
        for one, names in self._names.items():
            known = list(dict.fromkeys(getattr(cell, one) for cell in cells.values()))
            for name in names:
                if name not in known:
                    near = nearest(name, known)
                    hint = f" (did you mean {near}?)" if near else f"; known: {', '.join(known)}"
                    raise ValueError(f"--{one} {name}: unknown{hint}")
        if not any(self.wants(cell) for cell in cells.values()):
            raise ValueError("no cell of the tables is all of what is asked for")


# --- the study ----------------------------------------------------------------


def _make_folder(folder):
    try:
        with contextlib.suppress(FileExistsError):
            os.mkdir(folder)
    except OSError as error:
        raise ValueError(f"--graphs {folder}: cannot be made: {error.strerror}") from error


class Study:
    """Simulates the chosen cells that the file lacks, or that another model made. If it
    ends early, for an error of one cell too, the rows before remain."""

    def __init__(self, lab, choices, path, scales=(), jobs=0, graphs=None, keep_stale=False):
        if jobs > MOST_JOBS:
            raise ValueError(
                f"--jobs: expected at most {MOST_JOBS}, one a number of GPUs, got {jobs}"
            )
        self._lab, self._choices, self._graphs = lab, choices, graphs
        self._jobs = min(jobs or os.cpu_count() or 1, MOST_JOBS)
        self._scales, self._keep_stale = read_scales(scales), keep_stale
        for choice in choices:
            if isinstance(choice, Choice):
                choice.check(cells_of.printed())
        self.rows = Rows(path)
        self._digests, self._quiet = Digests(lab), not sys.stderr.isatty()
        self.chosen = self.simulated = self.stale = 0
        self._failed = False  # runs that have not begun are left out then
        self._todo = {}  # scales of the cells to simulate, by key

    def run(self, only_graphs=False):
        with contextlib.ExitStack() as stack:
            self._temporary = stack.enter_context(tempfile.TemporaryDirectory(prefix="sluice-"))
            _TEMPORARY.append(self._temporary)
            self._folder = self._graphs or self._temporary
            if self._graphs:
                _make_folder(self._graphs)
            self._pool = stack.enter_context(concurrent.futures.ThreadPoolExecutor(self._jobs))
            self._judge()
            for graph in GRAPHS:
                for scale in sorted({s for k, s in self._todo.items() if k[3] == graph.name}):
                    self._simulate(graph, scale, only_graphs)

    def _all(self, work, items):
        """Does all of the work at once; the first error ends it."""
        futures = [self._pool.submit(work, item) for item in items]
        try:
            return [future.result() for future in futures]
        except BaseException:
            self._failed = True
            for future in futures:
                future.cancel()
            raise

    def _tiny(self, graph):
        path = pathlib.Path(self._temporary) / f"{graph.name}.sluice-graph"
        if not path.exists():
            self._lab.output("convert", words_of(graph, graph.tiny), "-o", path)
        return path

    # --- cells to simulate ----------------------------------------------------

    def _judge(self):
        """Compares the chosen cells with results on tiny graphs, those that differ in
        their presets alone in one run."""
        groups = {}
        for cell in self.rows.cells.values():
            if any(choice.wants(cell) for choice in self._choices):
                setup = setup_of(cell)
                key = cell.application, cell.machine, cell.graph, cell.gpus, setup.change
                key += partition_of(cell), setup.threshold * (cell.application == "pagerank")
                groups.setdefault(key, []).append(cell)
        for name in dict.fromkeys(key[2] for key in groups):
            self._tiny(BY_NAME[name])
        for cells, results in zip(groups.values(), self._all(self._run_tiny, groups.values())):
            for cell in cells:
                row = results[setup_of(cell).preset]
                self._judge_cell(cell, row["time_s"] * 1e3, row["visits_per_vertex"])

    def _run_tiny(self, cells):
        presets = [setup_of(cell).preset for cell in cells]
        first = cells[0]
        tiny = self._tiny(BY_NAME[first.graph])
        return run(self._lab, first, tiny, partition_of(first), presets)

    def _judge_cell(self, cell, ms, workload):
        """If the file has no valid row of the cell, it is simulated at the scale that is
        asked for, or else that of its row, or else the graph's default."""
        made_by = self._digests.of(cell, ms, workload)
        asked, there = self._scales.get(cell.graph, 0), cell.scale > 0
        stale = there and cell.made_by != made_by
        self.chosen += 1
        self.stale += stale
        if stale and self._keep_stale:
            return
        if not there or stale or (asked and not cells_of.same_scale(asked, cell.scale)):
            self._todo[cell.key] = asked or cell.scale or BY_NAME[cell.graph].scale
        cell.made_by = made_by

    # --- simulation -----------------------------------------------------------

    def _simulate(self, graph, scale, only_graphs):
        files = Files(self._lab, self._folder, graph, scale, self._tiny(graph))
        cells = [
            cell
            for key, cell in self.rows.cells.items()
            if self._todo.get(key) == scale and cell.graph == graph.name
        ]
        cells.sort(key=lambda cell: (cell.gpus, partition_of(cell)))
        path = files.graph()
        if only_graphs:
            self._all(lambda cell: files.partition(partition_of(cell), cell.gpus), cells)
            return
        levels = self._levels(cells, path)

        def one(cell):
            partition = files.partition(partition_of(cell), cell.gpus)
            began = time.monotonic()
            try:
                preset = setup_of(cell).preset
                row = run(self._lab, cell, path, partition, [preset])[preset]
            except Failed as error:
                self._failed = True
                where = f"{', '.join(cell.key[:4])}, {cell.gpus} GPUs"
                raise Failed(f"{where}: {error}", error.code) from error
            made = dataclasses.replace(
                cell,
                ms=row["time_s"] * 1e3,
                workload=row["visits_per_vertex"],
                visits=row["visits"],
                edges=row["edges"],
                levels=levels if cell.application == "bfs" else 0,
                scale=scale,
                wall_s=time.monotonic() - began,
            )
            self.rows.add(made.row())
            self.rows.cells[cell.key] = made
            self._say(made)

        # The cells of one number of GPUs one after the other, because they share partitions.
        numbers = [[c for c in cells if c.gpus == n] for n in range(1, cells_of.MOST_GPUS + 1)]
        self._all(lambda some: [one(cell) for cell in some if not self._failed], numbers)

    def _levels(self, cells, path):
        """Returns the depth of a search, which all frameworks reach: one GPU takes a
        superstep for each level and the source."""
        for cell in cells:
            if cell.application == "bfs":
                one = dataclasses.replace(cell, gpus=1, framework="Gunrock", machine="daisy")
                return run(self._lab, one, path, "contiguous", ["bsp"])["bsp"]["steps"] - 1
        return 0

    def _say(self, cell):
        self.simulated += 1
        if not self._quiet:
            print(
                f"{self.simulated} of {len(self._todo)}: {', '.join(cell.key[:4])}, "
                f"{cell.gpus} GPUs: {cell.ms:.4g} ms; {cell.wall_s:.1f} s",
                file=sys.stderr,
            )


# --- the command --------------------------------------------------------------


def print_json(document, study, choice):
    """Prints the chosen cells as they are in the file now; null if not simulated."""
    head = {key: document[key] for key in ("schema", "sluice", "command")}
    cells = [
        {
            **dict(zip((*cells_of.KEY, "gpus"), cell.key)),
            "scale": cell.scale,
            "time_s": cell.ms * 1e-3,
            "printed_time_s": cell.printed_ms * 1e-3,
            "visits_per_vertex": cell.workload,
        }
        for cell in cells_of.read(study.rows.path).values()
        if choice.wants(cell)
    ]
    made = {"file": study.rows.path, "simulated_now": study.simulated, "cells": cells}
    print(plain({**head, **made}))


_TEMPORARY = []  # folders to remove if the study is stopped


def _stop(number, _):
    """Ends at once, because the runs in progress may take minutes."""
    for folder in _TEMPORARY:
        shutil.rmtree(folder, ignore_errors=True)
    os._exit(128 + number)


def main(program, _):
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _stop)
    document = json.loads(sys.stdin.buffer.read().decode("utf-8", "surrogateescape"))
    document["program"] = program
    try:
        _study(types.SimpleNamespace(**document), document)
    except ValueError as error:
        print(f"sluice: {error}", file=sys.stderr)
        sys.exit(getattr(error, "code", 2))
    except OSError as error:
        print(f"sluice: {error.strerror or error}", file=sys.stderr)
        sys.exit(1)


def _study(request, document):
    choice = Choice(document)
    graphs = getattr(request, "folder", None)
    path = getattr(request, "file", None) or ("/dev/null" if request.only_graphs else "-")
    study = Study(Lab(document), [choice], path, request.scales, request.jobs, graphs)
    study.run(request.only_graphs)
    if request.json:
        print_json(document, study, choice)
    elif request.only_graphs:
        print(f"{graphs}: graphs and partitions of {study.chosen} cells")
    elif path != "-":
        stale = f" ({study.stale} had been made by another model)" if study.stale else ""
        print(f"{path}: {study.chosen} cells, {study.simulated} of them simulated now{stale}")


if __name__ == "__main__":
    main(*sys.argv[1:])
