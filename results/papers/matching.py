# SPDX-License-Identifier: GPL-3.0-or-later
"""The study of Klenk, Froening, Eberle and Dennison 2017: the rates of matching engines
by the laws, those measured on an H200, and queues of traces at hand."""

import math
import types

from data import table
from means import groups

DEVICES = ["k80", "m40", "gtx1080", "h200", "cpu"]  # presets of platforms/matching
MHZ = {"k80": 875, "m40": 1114, "gtx1080": 1733}  # the clocks that the paper prints
MEASURED = "results/h200/gpu/match.csv"
ON = "duo"  # any platform: its messages do not matter
ENGINES = {"list_cpu": "list"}


class Matching:
    """The laws with the user's changes, those that begin with "matching."."""

    def __init__(self, lab):
        self._lab, self._points = lab, None

    @property
    def _sets(self):
        return self._lab.sets_of("matching.")

    def _machine(self, device, engine, changes):
        sets = [f"matching={engine}@{device}", *self._sets, *changes]
        return self._lab.fresh_machine(ON, *sets)

    def constants(self, device):
        """Returns the constants of a device."""
        words = [f"matching=matrix@{device}", *self._sets]
        return self._lab.fresh_platform(ON, *words)["matching"]

    def law(self, device, case, clock_mhz=None, resident=None):
        """Returns the rate of a case by the laws, matches a second, and the number of
        CTAs."""
        changes = [f"matching.queues={case.queues}"] if device != "cpu" else []
        changes += [f"matching.ctas={case.queues}"] if case.engine == "hash" else []
        changes += [f"matching.resident_ctas={resident}"] if resident else []
        changes += [f"matching.clock_MHz={clock_mhz}"] if clock_mhz else []
        machine = self._machine(device, case.engine, changes)
        matched = case.length * case.matched
        time_s, ctas = self._lab.match(
            machine, case.length, matched=matched, order=case.order, compact=case.compact
        )
        return _rate(matched, time_s), ctas

    def rate(self, device, case):
        return self.law(device, case)[0]

    def equal_rate(self, device, length, equal):
        """Returns the rate of hash tables if `equal` receives have one source and tag."""
        machine = self._machine(device, "hash", [])
        return _rate(length, self._lab.match(machine, length, equal=equal)[0])

    def by_h200(self, device, case):
        """Returns the rate by an H200's fitted constants, at the printed clock of a
        device and with as many CTAs at a time as in the paper."""
        resident = self.constants("gtx1080")["resident_ctas"]
        return self.law("h200", case, MHZ[device], resident)[0]

    def by_two(self, device, case):
        """Returns the geometric mean of this and of the GTX 1080's printed constants."""
        resident = self.constants("gtx1080")["resident_ctas"]
        gtx1080 = self.law("gtx1080", case, MHZ[device], resident)[0]
        return math.sqrt(self.by_h200(device, case) * gtx1080)

    def at_clock(self, device, mhz, case):
        return self.law(device, case, mhz)[0]

    def points(self):
        """Returns the measured cases on an H200, each CTA on a multiprocessor of its
        own, with the medians of their times."""
        if self._points is None:
            self._points = [_median(rows) for rows in _cases(table(MEASURED))]
        return self._points

    def measured(self, case, wildcards=0):
        """Returns the measured rate; NAN if there is none."""
        unexpected = round(100 * (1 - case.matched))
        wanted = (case.engine, case.length, case.queues, wildcards, unexpected, case.compact)
        for point in self.points():
            if point.key == wanted:
                return point.matches / point.time_s
        return math.nan


def _rate(matched, time_s):
    return matched / time_s if time_s else math.inf


def _key(row):
    return (
        ENGINES.get(row.algorithm, row.algorithm),
        row.queue_length,
        row.queues,
        row.wildcards_percent,
        row.unexpected_percent,
        row.compaction == "yes",
    )


def _cases(rows):
    """Returns lists of rows of one case, which are consecutive."""
    cases = []
    for row in rows:
        if not cases or _key(cases[-1][0]) != _key(row):
            cases.append([])
        cases[-1].append(row)
    return cases


def _median(rows):
    times = sorted(row.time_s for row in rows)
    n = len(times)
    middle_s = (times[(n - 1) // 2] + times[n // 2]) / 2
    return types.SimpleNamespace(key=_key(rows[0]), matches=rows[0].matches, time_s=middle_s)


def _case(engine, length, queues, order="random", matched=1, compact=False):
    return types.SimpleNamespace(
        engine=engine, length=length, queues=queues, order=order, matched=matched, compact=compact
    )


def matrix(length, **more):
    """A queue of messages and one of receives, matched by one CTA."""
    return _case("matrix", length, 1, **more)


def partitioned(length, queues, **more):
    return _case("partitioned", length, queues, **more)


def hashed(length, ctas, **more):
    return _case("hash", length, ctas, **more)


def on_cpu(length):
    return _case("list", length, 1)


# --- traces -------------------------------------------------------------------


def all_traces():
    """Returns the traces at hand, with values over their ranks."""
    return [_trace(rows) for rows in groups(table("results/klenk/queues.csv"), "trace")]


def traces():
    """Returns those that communicate. Only those of the collection that Klenk et al.
    analysed count for or against a claim."""
    return [t for t in all_traces() if t.messages > 0 or t.receives > 0]


def _trace(rows):
    last, n = rows[-1], len(rows)
    ranks = f"{n} of {last.ranks:.0f} ranks" if last.missing else f"{last.ranks:.0f} ranks"
    other = "" if last.origin == "paper" else f" (not of the paper: {last.origin})"
    return types.SimpleNamespace(
        name=last.trace,
        application=last.application,
        ranks=int(last.ranks),
        rows=n,
        tags=int(last.all_tags),
        origin=last.origin,
        missing=last.missing,
        title=f"{last.trace}, {ranks}{other}",
        umq=[r.umq_most for r in rows],
        prq=[r.prq_most for r in rows],
        share=[r.most_frequent / r.messages if r.messages else 0 for r in rows],
        messages=sum(r.messages for r in rows),
        receives=sum(r.receives for r in rows),
        any_source=sum(r.any_source for r in rows),
        any_tag=sum(r.any_tag for r in rows),
        peers=max(r.peers for r in rows),
        communicators=max(r.communicators for r in rows),
    )
