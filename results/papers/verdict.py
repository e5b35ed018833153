# SPDX-License-Identifier: GPL-3.0-or-later
"""The verdict on a claim: lines of evidence, and what they add up to."""

import collections
import re

STATUSES = ["reproduced", "not reproduced", "not run", "not testable"]
KINDS = ["input", "fitted", "model", "predicted", "analysis", "construction"]

_PART = re.compile(r"(holds|fails) \((\w+)\): ")

Lines = collections.namedtuple("Lines", "all hold")


class Verdict:
    """Lines of evidence. "holds (KIND): ..." and "fails (KIND): ..." are tested;
    "open: ..." lacks something, "not run: ..." lacks cells that were simulated at
    full size; all others are notes."""

    def __init__(self, evidence=""):
        self.lines = evidence.split("\n") if evidence else []

    def part(self, kind, holds, text):
        self.lines.append(f"{'holds' if holds else 'fails'} ({kind}): {text}")

    def open(self, text):
        self.lines.append("open: " + text)

    def not_run(self, text):
        self.lines.append("not run: " + text)

    def note(self, text):
        self.lines.append(text)

    @property
    def evidence(self):
        return "\n".join(self.lines)

    def of(self, kind):
        """Returns the number of tested lines of a kind, and of those that hold."""
        words = [m[1] for m in map(_PART.match, self.lines) if m and m[2] == kind]
        return Lines(len(words), words.count("holds"))

    @property
    def held(self):
        return sum(self.of(kind).hold for kind in KINDS)

    @property
    def tested(self):
        return sum(self.of(kind).all for kind in KINDS)

    @property
    def not_run_parts(self):
        return sum(line.startswith("not run: ") for line in self.lines)

    @property
    def parts(self):
        opened = sum(line.startswith("open: ") for line in self.lines)
        return self.tested + opened + self.not_run_parts

    @property
    def status(self):
        if self.held < self.tested:
            return "not reproduced"
        if self.not_run_parts:
            return "not run"
        return "not testable" if self.parts > self.tested else "reproduced"
