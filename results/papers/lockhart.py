# SPDX-License-Identifier: GPL-3.0-or-later
"""Messages and copies of Lockhart et al. 2022, as plans: between two CPUs or GPUs, from
all ranks of a node, to one GPU; and lassen with more cores and a faster network."""

import csv
import math
import types

import lab

STEPS = [int(math.floor(2 ** (i / 8) + 0.5)) for i in range(161)]  # 8 an octave, to 1 MiB
PPN = [1, 2, 4, 8, 16, 24, 32, 40]
VOLUMES = [4 << 2 * (i + 1) for i in range(12)]  # 16 B to 64 MiB
COPIERS = [1, 2, 4, 8, 10]
CORES, FASTER = 64, 4


def devices(platform, kind):
    return [d for d in platform["node"]["devices"] if d["kind"] == kind]


def socket_of(platform, gpu):
    ids = [d["id"] for d in devices(platform, "socket")]
    return ids.index(devices(platform, "gpu")[gpu]["socket"])


def socket_core(platform, socket):
    """Returns the first core of a socket."""
    return sum(lab.sockets(platform)[:socket])


def wires(platform):
    """Returns the ends of each wire, its type and its bandwidth in GB/s."""
    node = platform["node"]
    types_ = node.get("wire_types", {})
    for wire in node["wires"]:
        kind = wire.get("type")
        rate = wire.get("bandwidth_GBps") or types_[kind]["bandwidth_GBps"]
        yield wire["ends"], kind, rate


def injection_Bps(platform):
    """Returns the rate at which a node sends: its NICs' or the network's."""
    nics = {d["id"] for d in devices(platform, "nic")}
    rate = sum(rate for ends, _, rate in wires(platform) for end in ends if end in nics) * 1e9
    network = platform["network"]["bandwidth_GBps"] * 1e9
    return rate if 0 < rate < network else network


def segment(platform, path, place, size):
    """Returns the segment of messages of a size."""
    for one in platform["messages"].get(path, {}).get(place, {}).get("segments", []):
        if size <= one.get("up_to_bytes", size):
            return one
    return None


class Lockhart:
    """Times on machines with the user's changes."""

    def __init__(self, of):
        self._lab = of

    def plan(self, name, *sets, nodes=1, cores=None):
        """Returns an empty plan, with a rank on every core unless cores are given."""
        platform = self._lab.platform(name, *sets)
        cores = list(range(sum(lab.sockets(platform)))) if cores is None else cores
        gpus = len(devices(platform, "gpu"))
        return lab.Plan(self._lab.machine(name, *sets), nodes, cores, gpus)

    def time_s(self, plan):
        return self._lab.time_plan(plan)["time_s"]

    # --- single messages ------------------------------------------------------

    def message_s(self, name, size, core, off_node=False, gpu=None, sets=()):
        """Returns the time of a message from core 0 to another, or from GPU 0; on a
        socket cores 0 and 2 do not share a cache."""
        plan = self.plan(name, *sets, nodes=2 if off_node else 1)
        ranks = sum(lab.sockets(self._lab.platform(name, *sets)))
        plan.message(
            "off_node", 0, core + ranks * off_node, size, gpus=None if gpu is None else (0, gpu)
        )
        return self.time_s(plan)

    def ping_pong_s(self, name, place, size):
        """Returns that of CPUs: 0 on a socket, 1 on a node, 2 off node."""
        far = socket_core(self._lab.platform(name), 1)
        return self.message_s(name, size, [2, far, 0][place], place == 2)

    def localities(self, name):
        """Returns the times of STEPS, of each place."""
        return [[self.ping_pong_s(name, place, size) for size in STEPS] for place in range(3)]

    def of_gpus(self, name, place):
        """Returns the times of 8 B between CPUs, GPUs, and GPUs without GPUDirect: on a
        socket (0) or a node (1)."""
        platform = self._lab.platform(name)
        gpus, other = len(devices(platform, "gpu")), 1
        while other + 1 < gpus and (socket_of(platform, other) == 0) != (place == 0):
            other += 1
        core = 2 if place == 0 else socket_core(platform, 1)
        gdr = self.message_s(name, 8, core, gpu=other)
        without = self.message_s(name, 8, core, gpu=other, sets=("gpudirect=false",))
        return self.ping_pong_s(name, place, 8), gdr, without

    # --- all ranks ------------------------------------------------------------

    def shares(self, name):
        """Returns the times of VOLUMES, each split over PPN ranks that send at once."""
        platform = self._lab.platform(name)

        def time_s(volume, ranks):
            plan = self.plan(name, nodes=2, cores=lab.spread_cores(platform, ranks))
            for rank in range(ranks):
                plan.message("off_node", rank, ranks + rank, -(-volume // ranks))
            return self.time_s(plan)

        return [[time_s(volume, ranks) for ranks in PPN] for volume in VOLUMES]

    def ppn(self, name):
        """Returns the best number of ranks for each volume; the volume at which it falls,
        or 0; and what the largest volume gains by 40 ranks."""
        times = self.shares(name)
        texts, last, falls = [], 1, 0
        for volume, at in zip(VOLUMES, times):
            k = best_ppn(at, last)
            falls = falls or (0 if PPN[k] >= last else volume)
            last = max(last, PPN[k])
            us = [t * 1e6 for t in (at[k], at[0], at[-1])]
            shown = f"{us[0]:.2f} us; by 1 {us[1]:.2f}, by 40 {us[2]:.2f}"
            texts.append(f"{volume} B {PPN[k]} ({shown})")
        return types.SimpleNamespace(
            listed=", ".join(texts),
            first=PPN[best_ppn(times[0], 1)],
            last=last,
            falls=falls,
            gain=times[-1][0] / times[-1][-1],
        )

    def copies_by(self, name, direction):
        """Returns the times of 1 KiB to 64 MiB between the host and one GPU, in equal
        parts by COPIERS ranks."""
        platform = self._lab.platform(name)
        cores = lab.spread_cores(platform, sum(lab.sockets(platform)))

        def time_s(volume, ranks):
            plan = self.plan(name, cores=cores)
            for rank in range(ranks):
                plan.copy("copy_in", direction, rank, 0, 0, -(-volume // ranks))
            return self.time_s(plan)

        return [[time_s(1 << 10 + 2 * i, ranks) for ranks in COPIERS] for i in range(9)]

    def highest_rate(self, name, of_gpus):
        """Returns the highest rate of streams of 16 messages, 4 KiB to 4 MiB, from each
        core, or each GPU, to another node, bytes per second."""
        platform = self._lab.platform(name)
        ranks, gpus = sum(lab.sockets(platform)), len(devices(platform, "gpu"))

        def rate(size):
            plan = self.plan(name, nodes=2, cores=lab.spread_cores(platform, ranks))
            for k in range(gpus if of_gpus else ranks):
                rank = socket_core(platform, socket_of(platform, k)) + k if of_gpus else k
                before = []
                for _ in range(16):
                    pair = (k, gpus + k) if of_gpus else None
                    op = plan.message("off_node", rank, ranks + rank, size, pair, sent=before)
                    before = [op]
            return len(plan) * size / self.time_s(plan)

        return max(rate(4096 << 2 * i) for i in range(6))

    def injection(self, name):
        platform = self._lab.platform(name)
        one = segment(platform, "gpu", "off_node", 4 << 20)
        return types.SimpleNamespace(
            limit=injection_Bps(platform),
            cpu=self.highest_rate(name, False),
            gpu=self.highest_rate(name, True),
            cores=sum(lab.sockets(platform)),
            gpus=len(devices(platform, "gpu")),
            alone=1 / one["beta_ns_per_byte"] if one else 0,
        )

    # --- more cores, faster NICs ----------------------------------------------

    def walls(self, matrix, *sets):
        """Returns the times of split+md on 20 nodes of lassen: of gathering and scattering
        on the nodes, of sending off node, and of all; they overlap."""
        words = ("run", "--csv", "--platform", "lassen", "--workload", matrix, "--nodes", 20)
        words += ("--partition", "contiguous", "--compare-partition", "none", "--no-packing")
        changes = [word for change in [*self._lab.sets, *sets] for word in ("--set", change)]
        text = self._lab.output(*words, "--strategy", "split+md", *changes)
        (row,) = csv.DictReader(text.splitlines())
        of = {k: float(row[f"{k}_wall_s"]) for k in ("gather", "scatter", "off_node")}
        return of["gather"] + of["scatter"], of["off_node"], float(row["time_s"])

    def future(self):
        """Returns the changes that make lassen a machine with 64 cores on each socket and
        a network four times as fast: NICs, their wires, links, and rendezvous off node."""
        platform = self._lab.platform("lassen")
        node, sets = platform["node"], []
        nics = {d["id"] for d in devices(platform, "nic")}
        for i, device in enumerate(node["devices"]):
            if device["kind"] == "socket":
                sets.append(f"node.devices.{i}.cores={CORES}")
            if device["kind"] == "nic":
                gap_ns = device["message_gap_ns"] / FASTER
                sets.append(f"node.devices.{i}.message_gap_ns={gap_ns!r}")
        for kind in dict.fromkeys(kind for ends, kind, _ in wires(platform) if set(ends) & nics):
            rate = node["wire_types"][kind]["bandwidth_GBps"] * FASTER
            sets.append(f"node.wire_types.{kind}.bandwidth_GBps={rate!r}")
        for key in ("bandwidth_GBps", "process_GBps"):
            sets.append(f"network.{key}={platform['network'][key] * FASTER!r}")
        for path, places in platform["messages"].items():
            for i, one in enumerate(places.get("off_node", {}).get("segments", [])):
                if one["protocol"] == "rendezvous":
                    beta = one["beta_ns_per_byte"] / FASTER
                    key = f"messages.{path}.off_node.segments.{i}.beta_ns_per_byte"
                    sets.append(f"{key}={beta!r}")
        return sets


def best_ppn(times, least):
    """Returns the index of the best number of ranks. Times within 5 % of the best count
    as equal; among these it is the smallest number that is not below `least`."""
    best = min(times)
    for k, (ranks, time_s) in enumerate(zip(PPN, times)):
        if ranks >= least and time_s <= 1.05 * best:
            return k
    return times.index(best)
