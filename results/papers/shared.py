# SPDX-License-Identifier: GPL-3.0-or-later
"""The measurements of Faraji and Afsahi 2018, simulated: collectives of ranks that
share GPUs on helios and odin, and pairs of copies. Each time is simulated once."""

import types

import lab

SIZES = [4 << i for i in range(23)]  # of their figures: 4 B to 16 MiB
LARGE = [size for size in SIZES if size >= 256 << 10]
# GPUs of a node and ranks on each: all with 4, 8, 16 and 24 ranks that share GPUs.
SHAPES = [(2, 2), (2, 4), (2, 8), (2, 12), (4, 2), (4, 4), (4, 6), (8, 2), (8, 3)]
PAIRS = 4
ODIN_RANKS = 16
NO_MPS = "copies.mps=false"


class Shared:
    """A study with the user's changes of platforms."""

    def __init__(self, of):
        self._lab, self._known = of, {}

    def _collective(self, machine, kind, nodes, gpus, per_gpu, size):
        """Returns the workload; in an allgather the size is that of a rank's block."""
        total = size * nodes * gpus * per_gpu if kind == "allgather" else size
        name, *sets = machine
        on = self._lab.machine(name, *sets, f"gpus_used={gpus}")
        words = f"{kind}:bytes={total},memory=device,per_gpu={per_gpu}"
        return self._lab.workload(on, words, nodes=nodes)

    def time_s(self, machine, kind, algorithm, nodes, gpus, per_gpu, size):
        """Returns what osu_allreduce and osu_allgather print: the mean over the ranks
        of the time from a barrier to the rank's end."""
        key = machine, kind, algorithm, nodes, gpus, per_gpu, size
        if key not in self._known:
            workload = self._collective(machine, kind, nodes, gpus, per_gpu, size)
            row = self._lab.simulate(workload, algorithm, times=True)
            ends = [0.0] * (nodes * gpus * per_gpu)
            for op, end_s in zip(self._lab.operations(workload, algorithm), row["end_s"]):
                ends[op.to] = max(ends[op.to], end_s)
            total = 0.0  # not sum(), whose rounding depends on the version of Python
            for end_s in ends:
                total += end_s
            self._known[key] = total / len(ends)
        return self._known[key]

    def copies(self, kind, algorithm, size):
        """Returns how many ranks of odin's GPU copy through the host, to the leader and
        from it."""
        workload = self._collective(("odin",), kind, 1, 1, ODIN_RANKS, size)
        ops = [op for op in self._lab.operations(workload, algorithm) if op.kind == "copy"]
        of_members = [op for op in ops if op.source > 0]
        return (
            sum(op.to_gpu is None for op in of_members),
            sum(op.from_gpu is None for op in of_members),
        )

    def spans(self):
        """Returns rank, kind, begin and end of each copy and kernel of an all-reduce of
        128 KiB by Dynamic on odin."""
        workload = self._collective(("odin",), "allreduce", 1, 1, ODIN_RANKS, 128 << 10)
        row = self._lab.simulate(workload, "dynamic", times=True)
        for i, op in enumerate(self._lab.operations(workload, "dynamic")):
            if op.kind in ("copy", "reduce"):
                what = "kernel"
                if op.kind == "copy":
                    what = "H2D" if op.from_gpu is None else "D2H" if op.to_gpu is None else "IPC"
                yield op.source, what, row["start_s"][i], row["end_s"][i]

    def buffers(self, algorithm, ranks):
        """Counts the entries of the directory and the vectors in the shared buffers: a
        rank that reduces more than two inputs at once has as many vectors as inputs,
        and an entry for each rank; any other rank that reduces has one of both."""
        text = self._lab.output(
            *("export", "--platform", "helios", "--nodes", 1, "--plan", "-"),
            *("--set", "gpus_used=1", "--algorithm", algorithm),
            *("--workload", f"allreduce:bytes=4096,memory=device,per_gpu={ranks}"),
            *[word for change in self._lab.sets for word in ("--set", change)],
        )
        most = {}
        for words in map(str.split, text.splitlines()):
            if words[0] == "reduce":
                most[words[2]] = max(most.get(words[2], 0), int(words[4]))
        flags = sum(ranks if n > 2 else n > 0 for n in most.values())
        vectors = sum(n if n > 2 else n > 0 for n in most.values())
        return flags, vectors

    def pairs_s(self, mps, host, size):
        """Returns the time of four pairs of ranks of a GPU at once, of which `host` copy
        through the host: a flag tells the second rank that the copy is there. Those by
        IPC copy inside the GPU and record an event."""
        sets = () if mps else (NO_MPS,)
        key = mps, host, size
        if key not in self._known:
            platform = self._lab.platform("odin", *sets)
            gpus = sum(d["kind"] == "gpu" for d in platform["node"]["devices"])
            cores = lab.spread_cores(platform, 2 * PAIRS)
            plan = lab.Plan(self._lab.machine("odin", *sets), 1, cores, gpus)
            event_s = platform["gpu"].get("ipc_event_us", 0) * 1e-6
            for rank in range(0, 2 * PAIRS, 2):
                if rank < 2 * host:
                    copy = plan.copy("copy_out", "D2H", rank, 0, 0, size)
                    flag = plan.message("on_node", rank, rank + 1, 8, after=[copy])
                    plan.copy("copy_in", "H2D", rank + 1, 0, 0, size, after=[flag])
                else:
                    copy = plan.copy("on_node", "D2D", rank, 0, 0, size)
                    event = plan.work(rank, event_s, after=[copy])
                    plan.message("on_node", rank, rank + 1, 8, after=[event])
            self._known[key] = self._lab.time_plan(plan)["time_s"]
        return self._known[key]

    # --- on odin and helios, for claims ---------------------------------------

    def one_gpu(self, algorithm, ranks):
        """Returns the times of all-reduces on one GPU of helios, by size."""
        return [
            self.time_s(("helios",), "allreduce", algorithm, 1, 1, ranks, size) for size in SIZES
        ]

    def odin(self, kind, algorithm, nodes=1, mps=True):
        machine = ("odin",) if mps else ("odin", NO_MPS)
        return [
            self.time_s(machine, kind, algorithm, nodes, 1, ODIN_RANKS, size) for size in SIZES
        ]

    def mps_gain(self, kind, algorithm):
        """Returns the mean over the sizes of the time without MPS by that with it."""
        on, off = self.odin(kind, algorithm), self.odin(kind, algorithm, mps=False)
        return mean_gain([b / a for a, b in zip(on, off)])

    def gains(self, was, is_, nodes):
        """Returns, for each shape, by how many percent of the time of `was` the time of
        `is_` is shorter, for vectors from 256 KiB on."""

        def time_s(algorithm, shape, size):
            return self.time_s(("helios",), "allreduce", algorithm, nodes, *shape, size)

        lists = []
        for shape in SHAPES:
            times = [(time_s(was, shape, size), time_s(is_, shape, size)) for size in LARGE]
            lists.append([(a - b) / a * 100 for a, b in times])
        return lists

    def pair_times(self, mps, host):
        return [self.pairs_s(mps, host, size) for size in SIZES]


def wins_from(a, b):
    """Returns the index from which a is always below b; that of the end if nowhere."""
    i = len(a)
    while i > 0 and a[i - 1] < b[i - 1]:
        i -= 1
    return i


def mean_gain(gains):
    total = 0.0
    for gain in gains:
        total += gain / len(gains)
    return total


def compared(gains):
    """Returns the cells in which the second is faster, and those in which neither is,
    because the times are within 0.1 %."""
    flat = [gain for of_shape in gains for gain in of_shape]
    return types.SimpleNamespace(
        of=gains,
        better=sum(gain > 0.1 for gain in flat),
        ties=sum(abs(gain) <= 0.1 for gain in flat),
        cells=len(flat),
        least=min(flat),
        most=max(flat),
    )
