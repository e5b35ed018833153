# SPDX-License-Identifier: GPL-3.0-or-later
"""Simulations for claims and figures: by libsluice in this process, which is quick,
and by `sluice`, for documents that only the program prints."""

import contextlib
import json
import math
import pathlib
import subprocess
import sys
import tempfile
import types

from data import PROGRAM


class Failed(ValueError):
    """A run failed, with the program's exit code."""

    def __init__(self, text, code):
        super().__init__(text)
        self.code = code


def _library():
    """Returns the module sluice, which is loaded late, because most claims need none."""
    # In the source tree; or beside share/sluice, where it is installed.
    for folder in (PROGRAM / "cli/python", PROGRAM.parents[1] / "lib/python3/dist-packages"):
        if (folder / "sluice.py").exists() and str(folder) not in sys.path:
            sys.path.insert(1, str(folder))
    try:
        import sluice
    except ImportError as error:
        raise Failed(str(error), 1) from error
    return sluice


@contextlib.contextmanager
def _errors(sluice):
    try:
        yield
    except sluice.Error as error:
        raise Failed(str(error), error.code) from error


class Lab:
    """The program that started this script, and the user's changes of platforms.
    Machines are loaded once."""

    def __init__(self, document):
        self._program = document.get("program", "sluice")
        self._sets, self._used = document.get("sets", []), set()
        self._machines, self._platforms = {}, {}
        self._folder = None  # made when it is first needed

    # --- the user's changes ---------------------------------------------------

    @property
    def sets(self):
        """The changes of platforms."""
        return self._use([text for text in self._sets if not text.startswith("execution.")])

    @property
    def execution_sets(self):
        return self.sets_of("execution.")

    def sets_of(self, group):
        """Returns the changes of a group of values."""
        return self._use([text for text in self._sets if text.startswith(group)])

    def _use(self, sets):
        self._used.update(sets)
        return sets

    def unused(self):
        """Returns the changes that no simulation has seen."""
        return [text for text in self._sets if text not in self._used]

    # --- the program ----------------------------------------------------------

    def output(self, *words):
        """Returns the standard output of the program."""
        made = subprocess.run(
            [self._program, *map(str, words)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        if made.returncode:
            text = made.stderr.strip().removeprefix("sluice: ")
            raise Failed(text, made.returncode if made.returncode > 0 else 1)
        return made.stdout

    def document(self, *words):
        """Returns the document that the program prints."""
        return json.loads(self.output(*words, "--json"))

    def platform(self, name, *sets):
        """Returns the numbers of a platform with the user's changes and others."""
        return self.fresh_platform(name, *self.sets, *sets)

    def fresh_platform(self, name, *sets):
        """Returns them without the user's changes."""
        key = name, *sets
        if key not in self._platforms:
            changes = [word for change in sets for word in ("--set", change)]
            self._platforms[key] = self.document("show", "platform", name, *changes)
        return self._platforms[key]

    def copy_cost(self, name, direction, locality, size, processes=1):
        """Returns the numbers of a platform's copies, for as many processes or the next
        larger number of which there are some, else the largest."""
        rows = [
            row
            for row in self.platform(name)["copies"]["rows"]
            if (row["direction"], row["locality"]) == (direction, locality)
            and size <= row.get("up_to_bytes", size)
        ]
        enough = [row for row in rows if row["processes"] >= processes]
        near = (min if enough else max)(row["processes"] for row in enough or rows)
        best = [row for row in rows if row["processes"] == near]
        best = min(best, key=lambda row: row.get("up_to_bytes", math.inf))
        return types.SimpleNamespace(**best)

    @staticmethod
    def shown(path):
        """Returns a path as the program shows it: relative if it is below here."""
        here = pathlib.Path.cwd()
        return str(path.relative_to(here) if path.is_relative_to(here) else path)

    def file(self, name, text=None):
        """Returns the path of a file that is gone when the script ends; writes it."""
        if not self._folder:
            self._folder = tempfile.TemporaryDirectory(prefix="sluice-")
        path = pathlib.Path(self._folder.name) / name
        if text is not None:
            path.write_text(text, encoding="utf-8")
        return path

    # --- the library ----------------------------------------------------------

    def machine(self, name, *sets):
        """Returns a platform with the user's changes and others, loaded."""
        key = name, *sets
        if key not in self._machines:
            sluice = _library()
            with _errors(sluice):
                self._machines[key] = sluice.Machine(name, [*self.sets, *sets])
        return self._machines[key]

    def fresh_machine(self, name, *sets):
        """Returns a platform without the user's changes."""
        key = None, name, *sets
        if key not in self._machines:
            sluice = _library()
            with _errors(sluice):
                self._machines[key] = sluice.Machine(name, sets)
        return self._machines[key]

    def match(self, machine, length, **options):
        """Returns the time of the machine's matching engine and its number of CTAs."""
        sluice = _library()
        with _errors(sluice):
            return machine.match(length, **options)

    def scenario(self, machine, *pattern):
        """Returns the time of messages from one node to others."""
        sluice = _library()
        with _errors(sluice):
            return machine.scenario(*pattern)

    def scenario_model(self, machine, *pattern):
        sluice = _library()
        with _errors(sluice):
            return machine.scenario_model(*pattern)

    def model(self, workload, strategy, machine, printed):
        """Returns the closed form of a workload's strategy on a machine."""
        sluice = _library()
        with _errors(sluice):
            return workload.model(strategy, machine, printed)

    def puts(self, machine, size, n=1):
        """Returns the time of puts that begin at once, and the latency of one."""
        sluice = _library()
        with _errors(sluice):
            return machine.puts(size, n)

    def workload(self, machine, words, **options):
        sluice = _library()
        with _errors(sluice):
            return sluice.Workload(machine, words, **options)

    def simulate(self, workload, strategy, **keep):
        """Returns the row of one simulation."""
        sluice = _library()
        with _errors(sluice):
            return workload.simulate(strategy, **keep)

    def operations(self, workload, strategy):
        sluice = _library()
        with _errors(sluice):
            return workload.operations(strategy)

    def time_plan(self, plan, **keep):
        """Simulates a plan of Plan; returns the row."""
        path = self.file("plan", plan.text())
        workload = self.workload(plan.machine, f"plan:{path}")
        return self.simulate(workload, workload.strategies[0], **keep)


# --- plans --------------------------------------------------------------------


def sockets(platform):
    """Returns the number of cores of each socket."""
    return [d["cores"] for d in platform["node"]["devices"] if d["kind"] == "socket"]


def spread_cores(platform, ranks):
    """Returns the cores of the ranks of a node that are spread over its sockets, each
    filled from its first core on."""
    cores, first, counts = [], 0, sockets(platform)
    for i, here in enumerate(counts):
        share = ranks // len(counts) + (i < ranks % len(counts))
        cores += range(first, first + share)
        first += here
    return cores


class Plan:
    """A plan as `sluice export --plan` writes it (workloads/plan_file.h)."""

    def __init__(self, machine, nodes, cores, gpus_per_node):
        self.machine = machine
        self._ops = []
        self._head = [
            "sluice-plan 1",
            "name plan",
            f"machine {machine.name}",
            f"nodes {nodes}",
            f"gpus_per_node {gpus_per_node}",
            f"ranks_per_node {len(cores)}",
            "cores " + " ".join(map(str, cores)),
            "halo 0 0 0",
        ]

    def _add(self, words, after, sent=()):
        more = " ".join(["after", *map(str, after)]) if after else ""
        more += " ".join([" sent", *map(str, sent)]) if sent else ""
        self._ops.append(f"{words} {more}".rstrip())
        return len(self._ops) - 1

    def copy(self, phase, direction, rank, from_gpu, to_gpu, size, after=()):
        words = f"copy {phase} {direction} {rank} {from_gpu} {to_gpu} {size}"
        return self._add(words, after)

    def message(self, phase, source, target, size, gpus=None, after=(), sent=()):
        between = f" gpus {gpus[0]} {gpus[1]}" if gpus else ""
        return self._add(f"msg {phase} {source} {target} {size}{between}", after, sent)

    def work(self, rank, seconds, after=()):
        return self._add(f"work {rank} {seconds!r}", after)

    def __len__(self):
        return len(self._ops)

    def text(self):
        return "\n".join([*self._head, f"ops {len(self._ops)}", *self._ops, "end\n"])
