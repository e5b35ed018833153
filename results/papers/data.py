# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds and reads the files that claims and figures rest on."""

import csv
import lzma
import os
import pathlib
import types

PROGRAM = pathlib.Path(__file__).resolve().parents[2]  # code and texts are from here alone


def places():
    """Returns the folders that have data, named as in the source tree below them."""
    given = os.environ.get("SLUICE_DATA")
    return [pathlib.Path(given), PROGRAM] if given else [PROGRAM]


def find(name):
    """Returns the path of a file of data; a file that does not exist is the program's."""
    paths = [folder / name for folder in places()]
    return next((path for path in paths if path.exists()), paths[-1])


def has(name):
    """Returns whether there is such a file."""
    return find(name).exists()


def lines_of(name):
    """Returns the lines of a CSV file, which may be compressed, without comments."""
    start = lzma.open if str(name).endswith(".xz") else open
    try:
        with start(find(name), "rt", encoding="utf-8", newline="") as file:
            return [line for line in file if not line.startswith("#")]
    except OSError as error:
        raise ValueError(f"{name}: {error.strerror}") from error


def rows(name):
    """Returns the rows of a CSV file, as dictionaries of texts."""
    return list(csv.DictReader(lines_of(name)))


def _value(text):
    try:
        return float(text)
    except ValueError:
        return text


def table(name, **wanted):
    """Returns the rows of a CSV file that have the wanted texts; their values are
    numbers where they can be."""
    return [
        types.SimpleNamespace(**{k: _value(v) for k, v in row.items()})
        for row in rows(name)
        if all(row[k] == v for k, v in wanted.items())
    ]
