# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs of the program for claims as expressions: `sluice run --json`."""

import json
import pathlib
import subprocess
import tempfile
import types


class Failed(ValueError):
    """A run failed, with the program's exit code."""

    def __init__(self, text, code):
        super().__init__(text)
        self.code = code


class Program:
    """The program that started this script, and the user's changes of platforms.
    Each run is made once."""

    def __init__(self, document):
        self._path = document.get("program")
        self._sets = document.get("sets", [])
        self._known = {}
        self._folder = None  # made for the first run

    def run(self, options, pairs, size, sets=()):
        """Simulates messages of a size between pairs of ranks, all at once. Returns,
        for each runtime of the options, its time and the retries of its sends."""
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
        if not self._folder:
            self._folder = tempfile.TemporaryDirectory(prefix="sluice-")
        path = pathlib.Path(self._folder.name) / "messages.csv"
        rows = "".join(f"0,{src},{dst},{size}\n" for src, dst in pairs)
        path.write_text("round,src,dst,bytes\n" + rows, encoding="utf-8")
        changes = [word for change in [*self._sets, *sets] for word in ("--set", change)]
        command = [self._path, "run", "--json", "--workload", f"exchange:{path}"]
        made = subprocess.run(
            command + options.split() + changes,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        if made.returncode:
            text = made.stderr.strip().removeprefix("sluice: ")
            raise Failed(text, made.returncode if made.returncode > 0 else 1)
        rows = json.loads(made.stdout)["strategies"]
        # A strategy is called "as-given/lci", say.
        return {
            row["strategy"].rpartition("/")[2]: types.SimpleNamespace(
                time_s=row["time_s"], retries=row.get("runtime", {}).get("retries", 0)
            )
            for row in rows
        }
