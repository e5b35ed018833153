# SPDX-License-Identifier: GPL-3.0-or-later
"""The times of exchanges of Lockhart et al. 2022: of each strategy in patterns like those
of Fig 4.3, and in sparse products, by closed forms and by simulation."""

import math
import types

SIZES = [1, 16, 64, 256, 1024, 2048, 4096, 8192, 16384, 65536, 262144, 1048576]
# As printed: with Tables 2 and 3 as printed, misprints included; corrected: both with
# corrections; all of them on lassen-paper.
SOURCES = ["closed forms as printed", "closed forms corrected", "simulation"]
# In the order of `sluice list strategies`: of equal times the first is the fastest.
STRATEGIES = [
    *("standard/staged", "standard/device", "3-step/staged", "3-step/device"),
    *("2-step/staged", "2-step/device", "2-step-1/staged", "2-step-1/device"),
    *("split+md", "split+dd"),
]
USUAL = [name for name in STRATEGIES if name[:8] != "2-step-1"]
# Meshes like the paper's matrices (results/matrices), and numbers of nodes.
STAND_INS = [
    f"surrogate:{name}"
    for name in ("audikw_1", "Serena", "ldoor", "thermal2", "bone010", "Geo_1438")
]
NODES = [2, 10, 20, 32]


def printed_sets(paper):
    """Returns the changes that undo the corrections of lassen-paper, so that the machine
    is that of Tables 2 and 3 as printed: the exponent of alpha of eager GPU messages on a
    socket, beta of rendezvous GPU messages off node, beta of copies by four processes."""
    sets = []
    for place, protocol, change in (
        ("on_socket", "eager", "alpha_us=1.87"),
        ("off_node", "rendezvous", "beta_ns_per_byte=0.172"),
    ):
        for i, segment in enumerate(paper["messages"]["gpu"][place]["segments"]):
            if segment["protocol"] == protocol:
                sets.append(f"messages.gpu.{place}.segments.{i}.{change}")
    for i, row in enumerate(paper["copies"]["rows"]):
        if row["processes"] == 4 and row["locality"] == "on_socket":
            beta = 0.552 if row["direction"] == "H2D" else 0.150
            sets.append(f"copies.rows.{i}.beta_ns_per_byte={beta}")
    return sets


def fastest(times, among):
    """Returns the fastest of some strategies; the first of those that are equal."""
    return min((name for name in times if name in among), key=times.get)


def least(times, among):
    return times[fastest(times, among)]


def same_order(a, b):
    """Returns Kendall's tau of the rankings of two machines: 1 if they are the same, -1
    if one is the reverse."""
    names = list(a)
    pairs = [(x, y) for i, x in enumerate(names) for y in names[:i]]
    agree = sum(1 if (a[x] < a[y]) == (b[x] < b[y]) else -1 for x, y in pairs)
    return agree / len(pairs)


def _known(time_s):
    return math.nan if time_s is None else time_s


class Exchanges:
    """Times on the machines with the user's changes, each computed once."""

    def __init__(self, lab):
        self._lab, self._grids, self._halos = lab, {}, {}
        self._products = []

    def _machines(self):
        """Returns lassen-paper, and the same as printed."""
        sets = printed_sets(self._lab.platform("lassen-paper"))
        return self._lab.machine("lassen-paper"), self._lab.machine("lassen-paper", *sets)

    def grid(self, source, messages, nodes, duplicates=0):
        """Returns the strategies' times in a pattern, by message size."""
        key = source, messages, nodes, duplicates
        if key not in self._grids:
            paper, printed = self._machines()

            def time_s(name, size):
                pattern = (name, messages, nodes, size, duplicates)
                if source == SOURCES[2]:
                    return self._lab.scenario(paper, *pattern)
                machine = printed if source == SOURCES[0] else paper
                return self._lab.scenario_model(machine, *pattern, source == SOURCES[0])

            times = [{name: _known(time_s(name, size)) for name in STRATEGIES} for size in SIZES]
            self._grids[key] = types.SimpleNamespace(
                source=source, messages=messages, nodes=nodes, duplicates=duplicates, times=times
            )
        return self._grids[key]

    def patterns(self, messages, nodes):
        """Returns the grids of all sources, one source after the other."""
        return [self.grid(s, messages, n) for s in SOURCES for n in nodes]

    def wins(self, grid, first, last, good, among):
        """Counts the sizes first..last at which one of `good` is the fastest."""
        return sum(
            fastest(times, among) in good
            for size, times in zip(SIZES, grid.times)
            if first <= size <= last
        )

    def wins_all(self, grid, first, last, good, among):
        tried = sum(first <= size <= last for size in SIZES)
        return self.wins(grid, first, last, good, among) == tried

    def winners(self, grid, among):
        """Returns text such as "1-1024 B 3-step/staged (32.1-45.5 us), ..."."""
        best = [fastest(times, among) for times in grid.times]
        starts = [i for i, name in enumerate(best) if i == 0 or name != best[i - 1]]
        texts = []
        for i, end in zip(starts, [*starts[1:], len(best)]):
            first, last = grid.times[i][best[i]], grid.times[end - 1][best[i]]
            texts.append(
                f"{SIZES[i]}-{SIZES[end - 1]} B {best[i]} "
                f"({first * 1e6:.1f}-{last * 1e6:.1f} us)"
            )
        return ", ".join(texts)

    def by_source(self, here):
        """Returns, for each source, whether all of its patterns hold."""
        n = len(here) // len(SOURCES)
        return [all(here[i : i + n]) for i in range(0, len(here), n)]

    # --- sparse products ------------------------------------------------------

    def _workload(self, matrix, nodes, machine):
        return self._lab.workload(
            machine, matrix, nodes=nodes, partition="contiguous", no_packing=True
        )

    def times_on(self, matrix, nodes, machine):
        """Returns the times of a product on a machine, by strategy."""
        workload = self._workload(matrix, nodes, machine)
        return {name: self._lab.simulate(workload, name)["time_s"] for name in USUAL}

    def make_products(self):
        """Returns the times in all products, and the most messages of a GPU off node."""
        if not self._products:
            paper, printed = self._machines()
            lassen = self._lab.machine("lassen")
            for matrix in STAND_INS:
                for nodes in NODES:
                    self._products.append(self._product(matrix, nodes, lassen, paper, printed))
        return self._products

    def _product(self, matrix, nodes, lassen, paper, printed):
        workload = self._workload(matrix, nodes, lassen)
        simulated = {name: self._lab.simulate(workload, name)["time_s"] for name in USUAL}
        simulated.update({name: math.nan for name in STRATEGIES if name not in USUAL})
        by_form = [
            {name: _known(self._lab.model(workload, name, on, reading)) for name in STRATEGIES}
            for on, reading in ((printed, True), (paper, False))
        ]
        return types.SimpleNamespace(
            matrix=matrix,
            nodes=nodes,
            gpus=nodes * lassen.gpus_per_node,
            messages=self._most_messages(workload, lassen.gpus_per_node),
            times=dict(zip(SOURCES, [*by_form, simulated])),
            simulated=simulated,
        )

    def _most_messages(self, workload, gpus_per_node):
        """Returns the most messages that one GPU sends off node."""
        sent = {}
        for op in self._lab.operations(workload, "standard/device"):
            off_node = op.from_gpu is not None and op.kind == "message" and (
                op.from_gpu // gpus_per_node != op.to_gpu // gpus_per_node
            )
            if off_node:
                sent[op.from_gpu] = sent.get(op.from_gpu, 0) + 1
        return max(sent.values())
