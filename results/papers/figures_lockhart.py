# SPDX-License-Identifier: GPL-3.0-or-later
"""Figures of Lockhart et al. 2022: messages between two processes and from all of a
node, copies, and exchanges under every strategy, simulated and by closed forms."""

import functools
import math

import lab
from data import find
from exchanges import STRATEGIES
from lockhart import Lockhart, devices, injection_Bps, segment, socket_core, socket_of

SHOWN = [name for name in STRATEGIES if name[:8] != "2-step-1"]


def _faster(a, b):
    """Returns whether a time is less by more than rounding."""
    return a < b * (1 - 1e-9)


def _least(times):
    """Returns the index of the least time; None if all are NAN."""
    best = None
    for i, time_s in enumerate(times):
        if not math.isnan(time_s) and (best is None or _faster(time_s, times[best])):
            best = i
    return best


def _name(request):
    return request.lab.machine(request.platform).name


# --- 2.5: one message between two CPUs ----------------------------------------

LOCALITIES = ["shared_cache", "on_socket", "on_node", "off_node"]
SIZES = [4 << i for i in range(21)]  # 4 B to 4 MiB


def _segment(platform, where, size):
    own = segment(platform, "cpu", where, size)
    return own or (segment(platform, "cpu", "on_socket", size) if where == LOCALITIES[0] else None)


def _alone_s(one, size):
    return one["alpha_us"] * 1e-6 + one["beta_ns_per_byte"] * 1e-9 * size


def _locality(platform, core):
    """Returns that of core 0 and another of its node."""
    first, *_ = devices(platform, "socket")
    if core >= first["cores"]:
        return "on_node"
    share = first.get("cores_per_cache", 0)
    return "shared_cache" if share and core // share == 0 else "on_socket"


def _partner(platform, where):
    """Returns a core at this locality from core 0 of its own node; None if there is none,
    or the machine has no such message, or does not tell a cache from a socket."""
    if where not in platform["messages"].get("cpu", {}):
        return None
    if where == "off_node":
        return 0 if platform["network"].get("nodes", 1) > 1 else None
    costs = ("alpha_us", "beta_ns_per_byte")
    if where == "shared_cache" and not any(
        a and b and any(a[key] != b[key] for key in costs)
        for size in SIZES
        for a, b in [[_segment(platform, place, size) for place in LOCALITIES[:2]]]
    ):
        return None
    cores = range(1, sum(lab.sockets(platform)))
    return next((core for core in cores if _locality(platform, core) == where), None)


def messages(request):
    platform = request.lab.platform(request.platform)
    study = Lockhart(request.lab)
    rows = ["locality,protocol,bytes,simulated_s,model_s\n"]
    partners = {where: _partner(platform, where) for where in LOCALITIES}
    partners = {where: core for where, core in partners.items() if core is not None}
    for where, core in partners.items():
        for size in SIZES:
            one = _segment(platform, where, size)
            time_s = study.message_s(request.platform, size, core, where == "off_node")
            times = f"{time_s:.9g},{_alone_s(one, size):.9g}"
            rows.append(f"{where},{one['protocol']},{size},{times}\n")
    # The sizes at which some locality changes its protocol, and those off node between.
    limits, protocols = "", ""
    for size in SIZES:
        changes = any(
            _segment(platform, where, size)["protocol"]
            != _segment(platform, where, size + 1)["protocol"]
            for where in partners
        )
        if changes or size == SIZES[-1]:
            off = _segment(platform, "off_node", size)
            limits += f"{size} "
            protocols += f"{off['protocol'] if off else '-'} "
    places = "".join(f"{where} " for where in partners)
    return rows, [f"limits = '{limits}'\nprotocols = '{protocols}'\nlocalities = '{places}'\n"]


# --- 2.6: a volume between two nodes ------------------------------------------

PPNS = [1, 2, 4, 5, 8, 10, 16, 20, 32, 40]
VOLUMES = [1 << 10 + 2 * i for i in range(9)]


def _pairs_s(request, cases, sockets):
    """Simulates pairs that ping and pong without waiting for each other, like BenchPress'
    measurement: half of the data is sent in the other direction at the same time."""
    lines = ["active_pairs,pairs_socket0,bytes_per_message,time_s\n"]
    for size, ranks in cases:
        lines.append(f"{ranks},{(ranks + 1) // 2 if sockets > 1 else ranks},{size},1\n")
    path = request.lab.file("maxrate.csv", "".join(lines))
    changes = [word for change in request.lab.sets for word in ("--set", change)]
    words = ("validate", "--against", path, "--points", "--platform", request.platform, *changes)
    points = {p["line"]: p["simulated_s"] for p in request.lab.document(*words)["points"]}
    return {case: points[i] for i, case in enumerate(cases, 2)}


def volumes(request):
    platform = request.lab.platform(request.platform)
    if platform["network"].get("nodes", 1) < 2 or not segment(platform, "cpu", "off_node", 1):
        raise ValueError(f"{_name(request)} has no messages between two nodes")
    sockets = lab.sockets(platform)
    ppns = [n for n in PPNS if n <= min(2, len(sockets)) * sockets[0]]
    study = Lockhart(request.lab)
    cases = {v: [(-(-v // n), n) for n in ppns] for v in VOLUMES}
    unique = list(dict.fromkeys(case for of_volume in cases.values() for case in of_volume))
    pairs = _pairs_s(request, unique, len(sockets))
    rows = [
        "volume_bytes,ppn,message_bytes,one_way_s,ping_pong_s,model_s,"
        "one_way_minimum,ping_pong_minimum,model_minimum\n"
    ]

    def one_way_s(size, ranks):
        cores = lab.spread_cores(platform, ranks)
        plan = study.plan(request.platform, nodes=2, cores=cores)
        for rank in range(ranks):
            plan.message("off_node", rank, ranks + rank, size)
        return study.time_s(plan)

    def model_s(size, ranks):
        """Eq 2.2 with one message per process."""
        one = segment(platform, "cpu", "off_node", size)
        of_node = float(size) * ranks / injection_Bps(platform)
        of_rank = float(size) * (one["beta_ns_per_byte"] * 1e-9)
        return one["alpha_us"] * 1e-6 + max(of_node, of_rank)

    for volume, of_volume in cases.items():
        times = [
            [one_way_s(*case) for case in of_volume],
            [pairs[case] for case in of_volume],
            [model_s(*case) for case in of_volume],
        ]
        best = [_least(t) for t in times]
        for i, (size, ranks) in enumerate(of_volume):
            shown = ",".join(f"{t[i]:.9g}" for t in times)
            marks = ",".join(f"{i == b:d}" for b in best)
            rows.append(f"{volume},{ranks},{size},{shown},{marks}\n")
    return rows, [f"volumes = '{''.join(f'{v} ' for v in VOLUMES)}'\n"]


# --- 3.1: a copy from and to one GPU ------------------------------------------


def copies(request):
    platform = request.lab.platform(request.platform)
    if not devices(platform, "gpu"):
        raise ValueError(f"{_name(request)} has no GPUs")
    study = Lockhart(request.lab)
    first = socket_core(platform, socket_of(platform, 0))
    rows = ["direction,processes,volume_bytes,simulated_s,model_s\n"]
    for direction in ("H2D", "D2H"):
        for n in (1, 2, 4, 8, 10):
            if n > lab.sockets(platform)[0]:
                continue
            for volume in (1 << 10 + 2 * i for i in range(10)):
                size = -(-volume // n)
                plan = study.plan(request.platform, cores=list(range(first, first + n)))
                phase = "copy_in" if direction == "H2D" else "copy_out"
                for rank in range(n):
                    plan.copy(phase, direction, rank, 0, 0, size)
                one = vars(request.lab.copy_cost(request.platform, direction, "on_socket", size, n))
                model = f"{_alone_s(one, size):.9g}" if one["processes"] == n else ""
                rows.append(f"{direction},{n},{volume},{study.time_s(plan):.9g},{model}\n")
    return rows, []


# --- 4.2 and 5.1: the halo of a sparse product --------------------------------

# The real matrix, then two generated ones: one with a few near neighbours, and one in
# which every GPU needs values from every other.
REAL = "workloads/data/cvxbqp1.mtx.gz"
GENERATED = ["random:rows=100000,row_nnz=10,seed=1", "stencil:27pt:64x64x64"]


def _known(work):
    """Returns a time; NAN if the machine has none."""
    try:
        time_s = work()
    except lab.Failed as error:
        if error.code != 2:
            raise
        return math.nan
    return math.nan if time_s is None else time_s


class Spot:
    """One workload on one number of GPUs."""

    def __init__(self, request, words, gpus):
        machine = request.lab.machine(request.platform)
        workload = request.lab.workload(
            machine, words, gpus=gpus, partition="contiguous", no_packing=True
        )
        results = {}

        def simulate(name):
            results[name] = request.lab.simulate(workload, name)
            return results[name]["time_s"]

        self.gpus, self.nodes = gpus, -(-gpus // machine.gpus_per_node)
        names = [name for name in SHOWN if name in workload.strategies]
        self.simulated = {name: _known(lambda n=name: simulate(n)) for name in names}
        self.models = {
            name: _known(lambda n=name: request.lab.model(workload, n, None, False))
            for name in names
            if name in results
        }
        standard = next(name for name in ("standard/staged", "standard/device") if name in results)
        self.off_node_bytes = results[standard]["off_node_bytes"]
        self.recv_nodes = self._most_senders(
            request.lab.operations(workload, standard), workload, machine
        )

    def _most_senders(self, ops, workload, machine):
        """Returns the most nodes that one node receives from."""
        ranks = machine.cores_per_node
        pairs = {
            (op.source // ranks, op.to // ranks) for op in ops if op.kind == "message"
        }
        senders = {}
        for source, to in pairs:
            if source != to:
                senders.setdefault(to, set()).add(source)
        return max(map(len, senders.values()), default=0)


def _title(words):
    """Returns the name of a panel: a matrix's file without folder and endings, or all of
    a generated one's words."""
    return words[5:].rsplit("/", 1)[-1].split(".")[0] if words.startswith("spmv:") else words


def _volume(size):
    kB = size / 1e3
    return f"{kB:.0f} kB" if kB < 999.5 else f"{kB / 1e3:.1f} MB"


def _panel(request, words):
    machine = request.lab.machine(request.platform)
    rows = request.lab.document("show", "matrix", words)["matrix"]["rows"]
    most = min(rows, machine.nodes * machine.gpus_per_node)
    counts = [n for n in (8, 16, 32, 64, 128) if machine.gpus_per_node < n <= most]
    if not counts:
        raise ValueError(f"{machine.name} has no place for 8 GPUs on two nodes or more")
    return [Spot(request, words, gpus) for gpus in counts]


def halos(generated):
    def make(request):
        if not request.lab.machine(request.platform).gpus_per_node:
            raise ValueError(f"{_name(request)} has no GPUs")
        own = [f"spmv:{find(REAL)}", *GENERATED[:generated]]
        given, shown_real = bool(request.workloads), request.lab.shown(find(REAL))
        workloads = request.workloads or own
        panels = [_panel(request, words) for words in workloads]
        rows = [
            "panel,workload,strategy,gpus,nodes,recv_nodes,off_node_bytes,"
            "simulated_s,model_s,simulated_minimum,model_minimum\n"
        ]
        n = len(panels)
        beside = [f"npanels = {n}\narray title[{n}]\narray ticks[{n}]\n"]
        for k, (words, spots) in enumerate(zip(workloads, panels), 1):
            shown = words if given else words.replace(*map(str, (find(REAL), shown_real)))
            quoted = '"' + shown.replace('"', '""') + '"'
            for name in SHOWN:
                for spot in spots:
                    if math.isnan(spot.simulated.get(name, math.nan)):
                        continue
                    model_s = spot.models[name]
                    best = [
                        list(times)[_least(list(times.values()))]
                        for times in (spot.simulated, spot.models)
                        if _least(list(times.values())) is not None
                    ]
                    best += [None] * (2 - len(best))
                    model = "" if math.isnan(model_s) else f"{model_s:.9g}"
                    rows.append(
                        f"{k},{quoted},{name},{spot.gpus},{spot.nodes},{spot.recv_nodes},"
                        f"{spot.off_node_bytes},{spot.simulated[name]:.9g},{model},"
                        f"{name == best[0]:d},{name == best[1]:d}\n"
                    )
            ticks = ", ".join(
                f'"{s.gpus}\\n{s.recv_nodes}\\n{_volume(s.off_node_bytes)}" {s.gpus}' for s in spots
            )
            number = request.text(_title(words))
            beside.append(f"title[{k}] = texts[{number}]\nticks[{k}] = '{ticks}'\n")
        return rows, [*beside, f"strategies = '{''.join(f'{n} ' for n in SHOWN)}'\n"]

    return make


# --- 4.3: one node sends messages of one size to others ------------------------

PANELS = [(4, 32), (4, 256), (16, 32), (16, 256)]  # nodes, messages


def patterns(request):
    """The best case does not compete with the others, because it needs a pattern of its
    own."""
    machine = request.lab.machine(request.platform)
    if not machine.gpus_per_node or machine.nodes <= 16:
        raise ValueError(
            f"{machine.name} has {machine.nodes} nodes of {machine.gpus_per_node} GPUs; "
            "17 nodes wanted"
        )
    rows = [
        "panel,nodes,messages,message_bytes,strategy,simulated_s,model_s,"
        "simulated_minimum,model_minimum\n"
    ]
    for panel, (nodes, count) in enumerate(PANELS, 1):
        spots = {}
        for size in (8 << i for i in range(16)):
            pattern = (count, nodes, size)
            of = [
                {name: _known(functools.partial(work, machine, name, *pattern)) for name in STRATEGIES}
                for work in (request.lab.scenario, request.lab.scenario_model)
            ]
            least = [_least([times[name] for name in SHOWN]) for times in of]
            spots[size] = of, [None if best is None else SHOWN[best] for best in least]
        for name in STRATEGIES:
            for size, (of, best) in spots.items():
                if all(math.isnan(times[name]) for times in of):
                    continue
                shown = ",".join(
                    "" if math.isnan(times[name]) else f"{times[name]:.9g}" for times in of
                )
                marks = ",".join(f"{name == b:d}" for b in best)
                rows.append(f"{panel},{nodes},{count},{size},{name},{shown},{marks}\n")
    return rows, [f"strategies = '{''.join(f'{n} ' for n in SHOWN)}'\n"]


FIGURES = {
    "2.5": messages,
    "2.6": volumes,
    "3.1": copies,
    "4.2": halos(1),
    "4.3": patterns,
    "5.1": halos(2),
}
