# SPDX-License-Identifier: GPL-3.0-or-later
"""The times of exchanges for claims as expressions: of each strategy in patterns like
those of Fig 4.3 of Lockhart et al. 2022, and in sparse products, by closed forms and
by simulation."""

import math
import types


def fastest(times, among):
    """Returns the fastest of some strategies; the first of those that are equal."""
    return min((name for name in times if name in among), key=times.get)


def least(times, among):
    return times[fastest(times, among)]


def _numbers(times):
    return {name: math.nan if t is None else t for name, t in times.items()}


class Exchanges:
    """The times that the program has computed."""

    def __init__(self, document):
        self.sizes = document.get("sizes", [])
        self.sources = document.get("sources", [])
        self._grids = {}
        for row in document.get("grids", []):
            row["times"] = [_numbers(times) for times in row["times"]]
            key = tuple(row[k] for k in ("source", "messages", "nodes", "duplicates"))
            self._grids[key] = types.SimpleNamespace(**row)
        self.products = []
        for row in document.get("products", []):
            row["times"] = {s: _numbers(times) for s, times in row["times"].items()}
            row["simulated"] = row["times"][self.sources[-1]]
            self.products.append(types.SimpleNamespace(**row))

    def grid(self, source, messages, nodes, duplicates=0):
        return self._grids[source, messages, nodes, duplicates]

    def patterns(self, messages, nodes):
        """Returns the grids of all sources, one source after the other."""
        return [self.grid(s, messages, n) for s in self.sources for n in nodes]

    def wins(self, grid, first, last, good, among):
        """Counts the sizes first..last at which one of `good` is the fastest."""
        return sum(
            fastest(times, among) in good
            for size, times in zip(self.sizes, grid.times)
            if first <= size <= last
        )

    def wins_all(self, grid, first, last, good, among):
        tried = sum(first <= size <= last for size in self.sizes)
        return self.wins(grid, first, last, good, among) == tried

    def winners(self, grid, among):
        """Returns text such as "1-1024 B 3-step/staged (32.1-45.5 us), ..."."""
        best = [fastest(times, among) for times in grid.times]
        starts = [i for i, name in enumerate(best) if i == 0 or name != best[i - 1]]
        texts = []
        for i, end in zip(starts, [*starts[1:], len(best)]):
            first, last = grid.times[i][best[i]], grid.times[end - 1][best[i]]
            texts.append(
                f"{self.sizes[i]}-{self.sizes[end - 1]} B {best[i]} "
                f"({first * 1e6:.1f}-{last * 1e6:.1f} us)"
            )
        return ", ".join(texts)

    def by_source(self, here):
        """Returns, for each source, whether all of its patterns hold."""
        n = len(here) // len(self.sources)
        return [all(here[i : i + n]) for i in range(0, len(here), n)]
