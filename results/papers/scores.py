# SPDX-License-Identifier: GPL-3.0-or-later
"""The agreement of simulated cells of Chen et al. 2022 with the printed ones. Cells of
one GPU do not count, because the rates of work are fitted to them."""

import math
import types

from cells import same_scale

NEAR, TIE, APART = 1.3, 1.1, 1.05


def _ms(cell, printed):
    return math.nan if not cell else cell.printed_ms if printed else cell.ms


def _comparable(a, b, printed):
    return printed or (a and b and same_scale(a.scale, b.scale))


class Choice:
    """Cells of some applications, machines, frameworks and graphs."""

    def __init__(self, applications, machine, frameworks, graphs):
        self.applications = applications.split()
        self.machine = machine
        self.frameworks = frameworks.split()
        self.graphs = graphs.split()

    def wants(self, cell):
        return (
            cell.application in self.applications
            and cell.machine == self.machine
            and cell.framework in self.frameworks
            and cell.graph in self.graphs
        )


class Scores:
    """Lookups in the cells of a choice."""

    def __init__(self, cells, choice):
        self.cells, self.choice = cells, choice

    def of(self, cell, framework=None, gpus=None):
        """Returns the cell of another framework or number of GPUs, or None."""
        key = cell.application, cell.machine, framework or cell.framework, cell.graph
        return self.cells.get((*key, gpus or cell.gpus))

    def rivals(self, cell):
        """Returns the cells of all frameworks on the same graph and GPUs."""
        found = [self.of(cell, framework) for framework in self.choice.frameworks]
        return [rival for rival in found if rival]

    def speedup(self, cell, printed):
        """Returns the time on one GPU divided by that of the cell; NAN if one of the two
        is not known, or if both are predicted on graphs of different scale."""
        one = self.of(cell, gpus=1)
        if not _comparable(one, cell, printed):
            return math.nan
        return _ms(one, printed) / _ms(cell, printed)

    def winner(self, cell, printed):
        """Returns the fastest of the frameworks; None if one that has such a cell has no
        time, or one of another scale."""
        best = None
        for rival in self.rivals(cell):
            if math.isnan(_ms(rival, printed)):
                return None
            if best and not _comparable(rival, best, printed):
                return None
            if not best or _ms(rival, printed) < _ms(best, printed):
                best = rival
        return best

    def wins(self, cell, printed):
        winner = self.winner(cell, printed)
        return bool(winner) and winner.framework == cell.framework

    def ties(self, cell, printed):
        """Returns whether the cell is the winner, or within 10 % of it."""
        best = self.winner(cell, printed)
        return bool(best) and _ms(cell, printed) <= TIE * _ms(best, printed)

    # --- adding up ------------------------------------------------------------

    def score(self, application):
        """Scores only the cells at full size, because the printed times are those of
        whole graphs.

        A race is a graph and a number of GPUs on which the printed winner is ahead by
        more than 10 %; a pair, two frameworks whose printed times differ by more than
        5 %; baselines, what the printed order with one GPU would have said."""
        names = (
            "races same_winner baseline_winner races_tied pairs ordered baseline_ordered "
            "races_fitted pairs_fitted near_speedups all_speedups times speedups_fitted "
            "races_not_run speedups_not_run"
        )
        s = types.SimpleNamespace(**dict.fromkeys(names.split(), 0))
        s.near = dict.fromkeys(self.choice.frameworks, 0)
        s.speedups = dict.fromkeys(self.choice.frameworks, 0)
        errors, times = [], []
        for cell in self.cells.values():
            if cell.gpus == 1 or cell.application != application or not self.choice.wants(cell):
                continue
            self._add_race(s, cell)
            for rival in self.rivals(cell):
                self._add_pair(s, cell, rival)
            self._add_speedup(s, cell, errors)
            if cell.full_size and not math.isnan(cell.printed_ms) and not cell.fitted_ms:
                times.append(abs(cell.ms / cell.printed_ms - 1))
        s.times = len(times)
        s.speedup_error, s.time_error = _median(errors), _median(times)
        return s

    def _add_race(self, s, cell):
        """Counts a race at the cell that won it in print."""
        if self.winner(cell, True) is not cell:
            return
        others = [r for r in self.rivals(cell) if r is not cell and not math.isnan(r.printed_ms)]
        second = min((r.printed_ms for r in others), default=None)
        if second is None or second <= TIE * cell.printed_ms:
            s.races_tied += second is not None
        elif not all(rival.full_size for rival in self.rivals(cell)):
            s.races_not_run += 1
        elif any(rival.fitted_ms for rival in self.rivals(cell)):
            s.races_fitted += 1
        else:
            s.races += 1
            s.same_winner += self.winner(cell, False) is cell
            s.baseline_winner += self._winner_of_one(cell) == cell.framework

    def _winner_of_one(self, cell):
        """Returns the framework that is printed to be the fastest with one GPU, among
        those that have a cell here."""
        ones = [self.of(rival, gpus=1) for rival in self.rivals(cell)]
        ones = [one for one in ones if one and not math.isnan(one.printed_ms)]
        return min(ones, key=lambda one: one.printed_ms).framework if ones else ""

    def _add_pair(self, s, cell, slower):
        """Counts a pair at the cell that is faster in print."""
        if not slower.printed_ms > APART * cell.printed_ms:
            return
        if not cell.full_size or not slower.full_size:
            return
        if cell.fitted_ms or slower.fitted_ms:
            s.pairs_fitted += 1
            return
        one, other = self.of(cell, gpus=1), self.of(slower, gpus=1)
        s.pairs += 1
        s.ordered += cell.ms < slower.ms
        s.baseline_ordered += bool(one and other and one.printed_ms < other.printed_ms)

    def _add_speedup(self, s, cell, errors):
        printed, predicted = self.speedup(cell, True), self.speedup(cell, False)
        if math.isnan(printed):
            return
        if math.isnan(predicted) or not cell.full_size:
            s.speedups_not_run += 1
            return
        if cell.fitted_ms:
            s.speedups_fitted += 1
            return
        ratio = predicted / printed
        near = 1 / NEAR < ratio < NEAR
        s.speedups[cell.framework] += 1
        s.near[cell.framework] += near
        s.near_speedups += near
        s.all_speedups += 1
        errors.append(abs(ratio - 1))


def _median(values):
    v, n = sorted(values), len(values)
    return (v[(n - 1) // 2] + v[n // 2]) / 2 if v else math.nan
