# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs of messages between hosts for claims as expressions: `sluice run --json`."""

import types

from lab import Failed


class Program:
    """Runs by the program of a lab. Each is made once."""

    def __init__(self, lab):
        self._lab, self._known = lab, {}

    def run(self, options, pairs, size, sets=()):
        """Simulates messages of a size between pairs of ranks, all at once. Returns,
        for each runtime of the options (one text, or a tuple of words), its time and the
        retries of its sends."""
        key = options, tuple(pairs), size, tuple(sets)
        if key not in self._known:
            self._known[key] = self._results(*key)
        return self._known[key]

    def error(self, *run):
        """Returns the error of a run that fails, otherwise None."""
        try:
            self.run(*run)
        except Failed as error:
            return str(error)
        return None

    def _results(self, options, pairs, size, sets):
        rows = "".join(f"0,{src},{dst},{size}\n" for src, dst in pairs)
        path = self._lab.file("messages.csv", "round,src,dst,bytes\n" + rows)
        changes = [word for change in [*self._lab.sets, *sets] for word in ("--set", change)]
        options = options.split() if isinstance(options, str) else options
        words = ["run", "--workload", f"exchange:{path}", *options, *changes]
        # A strategy is called "as-given/lci", say.
        return {
            row["strategy"].rpartition("/")[2]: types.SimpleNamespace(
                time_s=row["time_s"], retries=row.get("runtime", {}).get("retries", 0)
            )
            for row in self._lab.document(*words)["strategies"]
        }
