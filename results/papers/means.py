# SPDX-License-Identifier: GPL-3.0-or-later
"""Means, quantiles and groups of rows."""

import math


def groups(rows, column):
    """Returns lists of the rows that are equal in a column, in the order of their
    first rows."""
    lists = {}
    for row in rows:
        lists.setdefault(getattr(row, column), []).append(row)
    return list(lists.values())


def unique(values):
    return list(dict.fromkeys(values))


def mean(values):
    total, n = 0.0, 0
    for x in values:
        total, n = total + x, n + 1
    return total / n if n else math.nan


def geomean(values):
    return math.exp(mean(math.log(x) for x in values))


def quantile(values, q):
    """Returns a quantile by linear interpolation."""
    v = sorted(values)
    at = q * (len(v) - 1)
    i = int(at)
    return v[i] + (at - i) * (v[i + 1] - v[i]) if i + 1 < len(v) else v[-1]


def order(a, b):
    """Compares two times: 0 if they are within 3 %."""
    return 1 if a > 1.03 * b else -1 if b > 1.03 * a else 0
