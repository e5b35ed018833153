# SPDX-License-Identifier: GPL-3.0-or-later
"""Graph algorithms on GPUs, for claims and cells of Chen et al. 2022: `sluice run`."""

import types

EXECUTION = "execution."


class Stages:
    """Runs by the program of a lab, with the user's changes of platforms and executions.
    Each is made once."""

    def __init__(self, lab):
        self._lab, self._known = lab, {}

    def on(self, platform, graph, gpus, *sets):
        """Returns a function that runs an algorithm of a graph, partitioned by METIS,
        from its vertex of most arcs, with changes of its execution."""

        def run(algorithm, execution, *changes):
            key = platform, graph, gpus, sets, algorithm, execution, changes
            if key not in self._known:
                self._known[key] = self._run(*key)
            return self._known[key]

        return run

    def _run(self, platform, graph, gpus, sets, algorithm, execution, changes):
        words = ["--workload", f"{algorithm}:{graph}", "--platform", platform, "--gpus", gpus]
        words += ["--partition", "metis", "--strategy", execution]
        if algorithm == "pagerank":
            words += ["--threshold", "1e-2"]
        changes = [EXECUTION + change for change in changes]
        for change in [*sets, *self._lab.sets, *changes, *self._lab.execution_sets]:
            words += ["--set", change]
        (row,) = self._lab.document("run", *words)["strategies"]
        return types.SimpleNamespace(time_s=row["time_s"], wire_bytes=row["wire_bytes"])
