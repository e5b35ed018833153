# SPDX-License-Identifier: GPL-3.0-or-later
"""Figures of Faraji and Afsahi 2018 from simulated times on helios and odin: curves by
size, and gains by GPUs, processes and size."""

import shared

OVER_MVAPICH2 = [("mvapich2", "gsb_gsb", "GSB-GSB over MVAPICH2")]
OVER_OTHERS = [
    ("btb_gsb", "gsb_gsb", "GSB-GSB over BTB-GSB"),
    ("btb_btb", "gsb_gsb", "GSB-GSB over BTB-BTB"),
    ("gsb_btb", "gsb_gsb", "GSB-GSB over GSB-BTB"),
]


def one_gpu(request):
    """Figure 6."""
    study = shared.Shared(request.lab)
    rows = ["processes,algorithm,bytes,time_s\n"]
    shown = {"mvapich2": "MVAPICH2", "gsb_gsb": "GSB", "btb_btb": "BTB"}
    for ranks in (4, 8, 16, 24):
        for algorithm, name in shown.items():
            for size, time_s in zip(shared.SIZES, study.one_gpu(algorithm, ranks)):
                rows.append(f"{ranks},{name},{size},{time_s:.9g}\n")
    return rows, []


def gains(panels, nodes):
    """Figures 7 to 10: how much less time one takes than the other, in percent."""

    def make(request):
        study = shared.Shared(request.lab)
        rows = ["panel,what,gpus,per_gpu,row,bytes,gain_percent\n"]
        for panel, (was, is_, name) in enumerate(panels, 1):
            lists = study.gains(was, is_, nodes)
            for i, ((gpus, per_gpu), of_shape) in enumerate(zip(shared.SHAPES, lists)):
                for size, gain in zip(shared.LARGE, of_shape):
                    rows.append(f"{panel},{name},{gpus},{per_gpu},{i},{size},{gain:.4g}\n")
        return rows, []

    return make


def pairs(hosts, with_mps):
    """Figures 11 and 12: pairs of copies, some of them through the host."""

    def make(request):
        study = shared.Shared(request.lab)
        rows = ["host_pairs,ipc_pairs,mps,bytes,time_s\n"]
        for mps in with_mps:
            for host in hosts:
                for size, time_s in zip(shared.SIZES, study.pair_times(mps, host)):
                    rows.append(f"{host},{shared.PAIRS - host},{mps:d},{size},{time_s:.9g}\n")
        return rows, []

    return make


def choices(nodes):
    """Figures 15 and 17: Static and Dynamic beside MVAPICH2."""

    def make(request):
        study = shared.Shared(request.lab)
        rows = ["kind,algorithm,mps,bytes,time_s\n"]
        for kind in ("allgather", "allreduce"):
            for algorithm in ("static", "dynamic", "mvapich2", "mvapich2_gdr"):
                for mps in (True, False):
                    times = study.odin(kind, algorithm, nodes, mps)
                    for size, time_s in zip(shared.SIZES, times):
                        rows.append(f"{kind},{algorithm},{mps:d},{size},{time_s:.9g}\n")
        return rows, []

    return make


def copies_of_dynamic(request):
    """Figure 16."""
    rows = ["rank,what,from_s,to_s\n"]
    for rank, what, from_s, to_s in shared.Shared(request.lab).spans():
        rows.append(f"{rank},{what},{from_s:.9g},{to_s:.9g}\n")
    return rows, []


def improvement(request):
    """Figure 18: how much Static gains over others on 4 nodes."""
    study = shared.Shared(request.lab)
    rows = ["over,bytes,improvement_percent\n"]
    static = study.odin("allreduce", "static", 4)
    for name in ("mvapich2", "mvapich2_gdr", "gsb_gsb", "btb_btb", "dynamic"):
        others = study.odin("allreduce", name, 4)
        for size, other_s, static_s in zip(shared.SIZES, others, static):
            rows.append(f"{name},{size},{(other_s - static_s) / other_s * 100:.4g}\n")
    return rows, []


FIGURES = {
    "faraji-6": one_gpu,
    "faraji-7": gains(OVER_MVAPICH2, 1),
    "faraji-8": gains(OVER_OTHERS, 1),
    "faraji-9": gains(OVER_MVAPICH2, 4),
    "faraji-10": gains(OVER_OTHERS, 4),
    "faraji-11": pairs((0, 2, 4), (True, False)),
    "faraji-12": pairs(range(5), (True,)),
    "faraji-15": choices(1),
    "faraji-16": copies_of_dynamic,
    "faraji-17": choices(4),
    "faraji-18": improvement,
}
