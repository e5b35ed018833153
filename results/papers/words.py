# SPDX-License-Identifier: GPL-3.0-or-later
"""Words of the command line: hints for those that are unknown, and documents in the
program's layout of JSON."""

import json
import math


def _distance(a, b):
    """Returns the number of letters that are added, removed or changed."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        before, row[0] = row[0], i
        for k, y in enumerate(b, 1):
            before, row[k] = row[k], min(row[k] + 1, row[k - 1] + 1, before + (x != y))
    return row[-1]


def nearest(word, known):
    """Returns the known word that is nearest, if it is near; otherwise None."""
    best, least = None, len(word) // 2 + 1
    for name in known:
        distance = _distance(word, name)
        if distance < least:
            best, least = name, distance
    return best


def plain(value, level=0):
    """Returns a value as the program prints it."""
    if isinstance(value, float):
        value = None if math.isnan(value) else int(value) if value.is_integer() else value
    if not isinstance(value, (dict, list)):
        return json.dumps(value, ensure_ascii=False)
    flat = level and not any(isinstance(x, (dict, list, str)) for x in _items(value))
    texts = [
        (json.dumps(key) + ": " if isinstance(value, dict) else "") + plain(x, level + 1)
        for key, x in (value.items() if isinstance(value, dict) else enumerate(value))
    ]
    left, right = "{}" if isinstance(value, dict) else "[]"
    if flat:
        return f"{left} {', '.join(texts)} {right}"
    inner = "\n" + "  " * (level + 1)
    return left + inner + ("," + inner).join(texts) + "\n" + "  " * level + right


def _items(value):
    return value.values() if isinstance(value, dict) else value
