# SPDX-License-Identifier: GPL-3.0-or-later
"""Graph algorithms on GPUs, for claims of Chen et al. 2022."""

import types


class Stages:
    """Runs with the user's changes of platforms and executions. Each graph is made and
    partitioned once, each run made once."""

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

    def _files(self, graph, gpus):
        """Returns the paths of the graph and of its partition."""
        if (graph, gpus) not in self._known:
            path = self._lab.file(f"{len(self._known)}.sluice-graph")
            parts = self._lab.file(f"{len(self._known)}.parts")
            self._lab.output("convert", graph, "-o", path)
            words = ("--gpus", gpus, "--partition", "metis", "-o", parts)
            self._lab.output("convert", path, *words)
            self._known[graph, gpus] = path, parts
        return self._known[graph, gpus]

    def _run(self, platform, graph, gpus, sets, algorithm, execution, changes):
        path, parts = self._files(graph, gpus)
        changes = [f"execution.{change}" for change in changes]
        machine = self._lab.machine(platform, *sets, *changes, *self._lab.execution_sets)
        options = {"gpus": gpus, "partition": parts, "strategies": execution}
        if algorithm == "pagerank":
            options["threshold"] = 1e-2
        workload = self._lab.workload(machine, f"{algorithm}:{path}", **options)
        row = self._lab.simulate(workload, execution)
        return types.SimpleNamespace(time_s=row["time_s"], wire_bytes=row["wire_bytes"])
