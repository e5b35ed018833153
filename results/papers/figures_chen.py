# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables and figures of Chen et al. 2022: times, visits and self speed-ups of cells,
packets, puts, and the links of nodes."""

import math

import cells as cells_of
import packets
from scores import Choice, Scores

SCALE_FREE = "soc-LiveJournal1 hollywood-2009 indochina-2004 twitter50"
MESH = "road_usa osm_eur"
# Figs 7 to 9 are assumed to show the graphs that the text on Fig 5 names.
FOUR = "soc-LiveJournal1 twitter50 road_usa osm_eur"
TABLE_2 = "Gunrock Groute Atos-standard-persistent Atos-priority-discrete"
TABLE_3 = "Atos-standard-persistent Atos-priority-discrete"
TABLE_4 = "Gunrock Groute Atos-standard-discrete Atos-standard-persistent"
BOTH = "bfs pagerank"

CHOICES = {
    "atos-table-2": Choice("bfs", "daisy", TABLE_2, f"{SCALE_FREE} {MESH}"),
    "atos-table-3": Choice("bfs", "daisy", TABLE_3, SCALE_FREE),
    "atos-table-4": Choice("pagerank", "daisy", TABLE_4, f"{SCALE_FREE} {MESH}"),
    "atos-table-5": Choice(BOTH, "summit-ib", "Galois Atos", f"{SCALE_FREE} {MESH}"),
    "atos-5": Choice(BOTH, "daisy", f"{TABLE_2} Atos-standard-discrete", FOUR),
    "atos-7": Choice(BOTH, "summit-node", "Gunrock Atos", FOUR),
    "atos-8": Choice("bfs", "summit-ib", "Galois Atos", FOUR),
    "atos-9": Choice("pagerank", "summit-ib", "Galois Atos", FOUR),
}


def _scale(scale, usual):
    """Returns " (1/16)", or nothing if the scale is the usual one."""
    if not scale > 0 or cells_of.same_scale(scale, usual):
        return ""
    return f" ({cells_of.scale_text(scale)})"


# --- tables II, IV and V ------------------------------------------------------


def _ms(ms, bold):
    """Returns a time in the paper's form: 1009, not 1.01e+03."""
    if math.isnan(ms):
        return "-"
    mark = "**" if bold else ""
    return mark + (f"{ms:.3g}" if ms < 999.5 else f"{ms:.0f}") + mark


def _speedup(value):
    return "-" if math.isnan(value) else f"{value:.3g}"


def _cell(s, cell, usual):
    """Returns one cell; `usual` is the scale that its row states."""
    if not cell:
        return "- |"
    text = "not run" if math.isnan(cell.ms) else _ms(cell.ms, s.ties(cell, False))
    text += f"{_scale(cell.scale, usual)} / {_ms(cell.printed_ms, s.ties(cell, True))}"
    if cell.gpus > 1:
        text += f" ({_speedup(s.speedup(cell, False))} / {_speedup(s.speedup(cell, True))})"
    return text + " |"


def _block(cells, s, application, framework):
    """Returns a block in the paper's form, with a row for each graph."""

    def at(graph, gpus):
        return cells.get((application, s.choice.machine, framework, graph, gpus))

    numbers = range(1, cells_of.MOST_GPUS + 1)
    most = max([1, *(n for g in s.choice.graphs for n in numbers if at(g, n))])
    numbers = range(1, most + 1)
    heads = "".join(f" {n} GPU{'s' if n > 1 else ''} |" for n in numbers)
    lines = [f"\n| {application} on {framework} |{heads}\n| --- |{' --- |' * most}\n"]
    for graph in s.choice.graphs:
        first = at(graph, 1)
        if first:
            texts = "".join(f" {_cell(s, at(graph, n), first.scale)}" for n in numbers)
            lines.append(f"| {graph}{_scale(first.scale, 1)} |{texts}\n")
    return lines


def _score(s, application):
    of = s.score(application)
    lines = [
        f"\n{application} at full size, 2 GPUs and more, without cells that a number "
        "was fitted to (results/atos/fitted.csv):\n\n"
        f"- the fastest where print is clear (10 %): {of.same_winner} of {of.races}; baseline, "
        f"the printed winner with one GPU: {of.baseline_winner}\n"
        f"- pairs that print separates by 5 %, in order: {of.ordered} of {of.pairs}; "
        f"baseline, the printed order with one GPU: {of.baseline_ordered}\n"
    ]
    if of.races_tied or of.races_fitted or of.pairs_fitted or of.speedups_fitted:
        lines.append(
            f"- in no score: {of.races_tied} races that print leaves open, {of.races_fitted} "
            f"races, {of.pairs_fitted} pairs and {of.speedups_fitted} self speed-ups with a "
            "fitted cell\n"
        )
    for framework in s.choice.frameworks:
        lines.append(
            f"- self speed-up within a factor of 1.3, {framework}: {of.near[framework]} of "
            f"{of.speedups[framework]}\n"
        )
    lines.append(f"- the same, all: {of.near_speedups} of {of.all_speedups}\n")
    for what, error, n in (
        ("the self speed-ups", of.speedup_error, of.all_speedups),
        ("the times", of.time_error, of.times),
    ):
        if n:
            lines.append(f"- median error of {what}: {100 * error:.0f} % ({n} cells)\n")
    if of.races_not_run or of.speedups_not_run:
        lines.append(
            f"- not run at full size, so in no score: {of.races_not_run} graphs by GPUs, "
            f"{of.speedups_not_run} self speed-ups\n"
        )
    return lines


def times(cells, choice):
    s = Scores(cells, choice)
    rows = [
        "application,machine,framework,graph,gpus,scale,ms,printed_ms,speedup,"
        "printed_speedup,wins,printed_wins\n"
    ]
    md = [
        "Milliseconds, predicted / printed (self speed-up, the same); "
        "bold: the fastest, and what is within 10 % of it. A graph "
        "at a part of its\nsize says so: its times are not those of "
        "the paper's graph, and are in no score.\n"
    ]
    for application in choice.applications:
        for framework in choice.frameworks:
            for graph in choice.graphs:
                for gpus in range(1, cells_of.MOST_GPUS + 1):
                    c = cells.get((application, choice.machine, framework, graph, gpus))
                    if c:
                        rows.append(
                            f"{','.join(map(str, c.key))},{c.scale:.9g},{c.ms:.6g},"
                            f"{c.printed_ms:.6g},{s.speedup(c, False):.4g},"
                            f"{s.speedup(c, True):.4g},{s.wins(c, False):d},{s.wins(c, True):d}\n"
                        )
        for framework in choice.frameworks:
            md += _block(cells, s, application, framework)
        md += _score(s, application)
    return rows, md


# --- table III ----------------------------------------------------------------


def visits(cells, choice):
    """Visits divided by vertices, without and with the priority queue."""
    rows = ["framework,graph,gpus,scale,workload,printed_workload\n"]
    md = [
        "Visits by vertices reached, predicted / printed, without -> with "
        "the priority queue. What was run at a part of the graph's size "
        "says so, and is in no score.\n\n"
        "| graph | 1 GPU | 2 GPUs | 3 GPUs | 4 GPUs |\n"
        "| --- | --- | --- | --- | --- |\n"
    ]
    seen = []  # those on one GPU or on more, and whether they are near
    for graph in choice.graphs:
        first = cells.get(("bfs", "daisy", choice.frameworks[0], graph, 1))
        usual = first.scale if first and first.scale > 0 else 1
        md.append(f"| {graph}{_scale(usual, 1)} |")
        for gpus in range(1, 5):
            for i, framework in enumerate(choice.frameworks):
                c = cells.get(("bfs", "daisy", framework, graph, gpus))
                if not c:
                    continue
                md.append(" -> " if i else " ")
                if math.isnan(c.workload):
                    md.append("not run")
                else:
                    rows.append(
                        f"{framework},{graph},{gpus},{c.scale:.9g},{c.workload:.6g},"
                        f"{c.printed_workload:.6g}\n"
                    )
                    md.append(f"{c.workload:.3f}")
                md.append(f"{_scale(c.scale, usual)} / {c.printed_workload:.4g}")
                near = abs(c.workload - c.printed_workload) <= 0.1
                seen.append((gpus > 1, c.full_size, c.full_size and near))
            md.append(" |")
        md.append("\n")

    def count(several, of):
        return sum(one[of] for one in seen if one[0] == several)

    md.append(
        f"\n- within 0.1, 2 GPUs and more: {count(True, 2)} of {count(True, 1)}\n"
        f"- within 0.1, 1 GPU: {count(False, 2)} of {count(False, 1)}\n"
    )
    numbers = [sum(one[0] == several for one in seen) for several in (True, False)]
    missing = [n - count(several, 1) for n, several in zip(numbers, (True, False))]
    if any(missing):
        md.append(f"- not run at full size, so in no score: {missing[0]} and {missing[1]}\n")
    return rows, md


# --- 5, 7, 8, 9: self speed-ups -----------------------------------------------


def _scales(cells, choice, graph):
    """Returns "1/16", or "1/16,1/4" if the cells of a graph differ."""
    texts, seen = [], []
    for cell in cells.values():
        new = not any(cells_of.same_scale(cell.scale, scale) for scale in seen)
        if choice.wants(cell) and cell.graph == graph and cell.scale > 0 and new:
            seen.append(cell.scale)
            texts.append(cells_of.scale_text(cell.scale))
    return ",".join(texts) or "?"


def scaling(cells, choice):
    s = Scores(cells, choice)
    rows = ["application,graph,framework,gpus,scale,ms,speedup,printed_speedup\n"]
    most, least, is_printed = 1, 1.0, False
    for one in cells.values():
        # A line of the figure has no other rows between, because these would break it.
        for gpus in range(1, cells_of.MOST_GPUS + 1) if one.gpus == 1 and choice.wants(one) else ():
            c = s.of(one, gpus=gpus)
            if not c:
                break
            known = [s.speedup(c, False), s.speedup(c, True)]
            shown = ",".join("" if math.isnan(v) else f"{v:.6g}" for v in known)
            rows.append(
                f"{c.application},{c.graph},{c.framework},{gpus},{c.scale:.9g},{c.ms:.6g},{shown}\n"
            )
            least = min([least, *(v for v in known if not math.isnan(v))])
            is_printed |= not math.isnan(known[1])
            most = max(most, gpus)
    scales = " ".join(_scales(cells, choice, graph) for graph in choice.graphs)
    names = {
        "applications": choice.applications,
        "graphs": choice.graphs,
        "frameworks": choice.frameworks,
        "scales": [scales],
    }
    beside = [f"{name} = '{' '.join(words)}'\n" for name, words in names.items()]
    return rows, [*beside, f"most = {most}\nleast = {least:g}\nprinted = {is_printed:d}\n"]


# --- 2, 4, 6: packets, puts, nodes --------------------------------------------


def payload(request):
    packet = packets.nvlink(request.lab.platform(request.platform), request.platform)
    rows = ["bytes,nvlink,pcie3\n"]
    for size in range(4, 1025, 4):
        rows.append(f"{size},{packets.share(packet, size):.6g},{packets.pcie3_share(size):.6g}\n")
    return rows, [
        f"granule = {packet.granule}\npayload = {packet.payload}\nheader = {packet.header}\n",
        f"pcie_payload = {packets.PCIE3.payload}\npcie_header = {packets.PCIE3.header}\n",
    ]


def puts(request):
    machine = request.lab.machine(request.platform)
    rows = ["bytes,latency_s,bandwidth_Bps,streaming_Bps\n"]
    for i in range(2, 29):
        size = 1 << i
        blocking_s = packets.blocking_s(request.lab, machine, size)
        streaming_s = request.lab.puts(machine, size, packets.STREAMED)[0]
        rows.append(
            f"{size},{blocking_s:.9g},{size / blocking_s:.9g},"
            f"{size * packets.STREAMED / streaming_s:.9g}\n"
        )
    return rows, ["from = 2\nto = 28\nstep = 4\n"]


# Places as in the paper's drawing: Daisy's GPUs at the corners of a square, Summit's in
# two triangles, each at its CPU.
DRAWINGS = {
    "daisy": {"gpu0": (0, 1), "gpu1": (1, 1), "gpu2": (0, 0), "gpu3": (1, 0)},
    "summit": {
        "gpu0": (0, 1),
        "gpu1": (0, 0),
        "gpu2": (0.45, 0.5),
        "cpu0": (1, 0.5),
        "cpu1": (1.6, 0.5),
        "gpu3": (2.15, 0.5),
        "gpu4": (2.6, 1),
        "gpu5": (2.6, 0),
    },
}


def nodes(request):
    """The wires between drawn devices, which NICs and PCIe switches are not."""
    rows = ["machine,what,name,x,y,dx,dy,GBps\n"]
    for machine, places in DRAWINGS.items():
        node = request.lab.platform(machine)["node"]
        for wire in node["wires"]:
            a, b = wire["ends"]
            if a in places and b in places:
                (x, y), (to_x, to_y) = places[a], places[b]
                of_type = node["wire_types"].get(wire.get("type"), {})
                rate = wire.get("bandwidth_GBps") or of_type["bandwidth_GBps"]
                line = f"{x:g},{y:g},{to_x - x:g},{to_y - y:g},{rate:g}"
                rows.append(f"{machine},wire,{a}-{b},{line}\n")
        for device in node["devices"]:
            if device["id"] in places:
                x, y = places[device["id"]]
                rows.append(f"{machine},device,{device['id']},{x:g},{y:g},0,0,\n")
    return rows, ["machines = 'daisy summit'\n"]


def _of_cells(name, make):
    return lambda request: make(cells_of.read(request.cells), CHOICES[name])


FIGURES = {
    "atos-2": payload,
    "atos-4": puts,
    "atos-6": nodes,
    "atos-table-3": _of_cells("atos-table-3", visits),
    **{f"atos-table-{n}": _of_cells(f"atos-table-{n}", times) for n in (2, 4, 5)},
    **{f"atos-{n}": _of_cells(f"atos-{n}", scaling) for n in (5, 7, 8, 9)},
}
