# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads CSV files strictly: an error names the file and the line."""

import csv
import lzma
import re

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_WHOLE_END = 2**53


class Row:
    """A row of a file: its texts by column, and its line."""

    def __init__(self, path, line, texts):
        self.path, self.line, self.texts = path, line, texts

    def fail(self, text):
        raise ValueError(f"{self.path}:{self.line}: {text}")

    def text(self, column):
        if column not in self.texts:
            raise ValueError(f"{self.path}: no column named {column}")
        return self.texts[column]

    def number(self, column, default=None):
        """Returns a number; the default, if there is one, for a field that is empty or
        a column that is missing."""
        if default is not None and not self.texts.get(column):
            return default
        text = self.text(column)
        if not _NUMBER.fullmatch(text):
            self.fail(f"{column}: expected a number, got '{text}'")
        return float(text)

    def count(self, column, most=_WHOLE_END):
        value = self.number(column)
        if value != int(value) or not 0 <= value < _WHOLE_END:
            self.fail(f"{column}: expected a whole number, got '{self.text(column)}'")
        if value > most:
            self.fail(f"{column}: {value:.0f} is too large")
        return int(value)


def _lines(path, shown):
    """Returns the numbered lines that are no comments."""
    start = lzma.open if str(path).endswith(".xz") else open
    try:
        with start(path, "rt", encoding="utf-8", errors="surrogateescape", newline="") as file:
            text = file.read()
    except (OSError, lzma.LZMAError) as error:
        why = getattr(error, "strerror", None) or error
        raise ValueError(f"{shown}: cannot be read: {why}") from error
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        raise ValueError(f"{shown}:{line}: a 0 byte: this is no text")
    numbered = enumerate(text.splitlines(), 1) if "\r" not in text else _split(text)
    return [(n, line) for n, line in numbered if line and line[0] != "#"], text


def _split(text):
    return ((n, line.removesuffix("\r")) for n, line in enumerate(text.split("\n"), 1))


def read(path, whole=False, shown=None):
    """Returns the rows. A file that is written row by row is whole if its last line has
    an end, because a part of a row can look like a row."""
    shown = shown or path
    lines, text = _lines(path, shown)
    rows, names = [], None
    for number, line in lines:
        try:
            (fields,) = csv.reader([line], strict=True)
        except (csv.Error, ValueError) as error:
            raise ValueError(f"{shown}:{number}: malformed: {error}") from error
        if names is None:
            names = fields
            twice = next((name for i, name in enumerate(names) if name in names[:i]), None)
            if twice is not None:
                raise ValueError(f"{shown}:{number}: two columns named {twice}")
        elif len(fields) != len(names):
            raise ValueError(
                f"{shown}:{number}: expected {len(names)} fields, got {len(fields)}"
            )
        else:
            rows.append(Row(shown, number, dict(zip(names, fields))))
    if not rows:
        raise ValueError(f"{shown}: no rows")
    if whole and not text.endswith("\n"):
        rows[-1].fail("cut off")
    return rows
