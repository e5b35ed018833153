# SPDX-License-Identifier: GPL-3.0-or-later
"""Figures and tables of Klenk et al. 2017: rates of matching engines, and queues of
the traces at hand."""

import math

import data
import matching
from means import quantile


def _rate(rate):
    return "" if math.isnan(rate) else f"{rate:.6g}"


def _powers(first, last):
    return [first << i for i in range((last // first).bit_length())]


# --- 4, 5, 6b: rates ----------------------------------------------------------


def one_queue(request):
    """Figure 4."""
    laws = matching.Matching(request.lab)
    rows = ["device,queue_length,matches_per_s,measured_per_s\n"]
    for device in ("k80", "m40", "gtx1080", "h200"):
        for length in _powers(16, 4096):
            case = matching.matrix(length)
            seen = laws.measured(case) if device == "h200" else math.nan
            rows.append(f"{device},{length},{_rate(laws.rate(device, case))},{_rate(seen)}\n")
    return rows, []


def several_queues(request):
    """Figure 5."""
    laws = matching.Matching(request.lab)
    rows = ["device,queues,queue_length,ctas,matches_per_s,measured_per_s\n"]
    for device in ("gtx1080", "h200"):
        for queues in _powers(1, 32):
            for length in _powers(32, 8192):
                case = matching.partitioned(length, queues)
                ctas = laws.law(device, case)[1]
                case = case if queues > 1 else matching.matrix(length)
                law = laws.rate(device, case)
                seen = laws.measured(case) if device == "h200" else math.nan
                rows.append(f"{device},{queues},{length},{ctas},{_rate(law)},{_rate(seen)}\n")
    return rows, []


def hash_tables(request):
    """Figure 6b."""
    laws = matching.Matching(request.lab)
    rows = ["device,ctas,queue_length,matches_per_s,measured_per_s\n"]
    for device in ("k80", "gtx1080", "h200"):
        for ctas in _powers(1, 32):
            for length in _powers(32, 8192):
                case = matching.hashed(length, ctas)
                law = laws.rate(device, case)
                seen = laws.measured(case) if device == "h200" else math.nan
                rows.append(f"{device},{ctas},{length},{_rate(law)},{_rate(seen)}\n")
    return rows, []


# --- native and simulated -----------------------------------------------------

LATE_US = 20000  # all messages are there when the receives are posted


def _time_s(request, length, *sets):
    machine = request.lab.fresh_machine(request.platform, *request.lab.sets, *sets)
    words = f"match:length={length},receives_us={LATE_US}"
    workload = request.lab.workload(machine, words)
    return request.lab.simulate(workload, workload.strategies[0])["time_s"]


def native(request):
    """Measurements of sluice-native match, beside the time that matching adds to the
    same messages without it."""
    laws = matching.Matching(request.lab)
    rows = ["engine,queues,queue_length,native_per_s,law_per_s,simulated_per_s\n"]
    for point in laws.points():
        engine, length, queues, wildcards, unexpected, compact = point.key
        length, queues = int(length), int(queues)
        if wildcards or unexpected or compact or (engine == "hash" and queues not in (1, 8, 32)):
            continue
        sets = [f"matching={engine}@{'cpu' if engine == 'list' else 'h200'}"]
        if engine != "list":
            sets += [f"matching.{key}={queues}" for key in ("queues", "ctas", "resident_ctas")]
        machine = request.lab.fresh_machine(request.platform, *sets)
        law_s = request.lab.match(machine, length, matched=point.matches)[0]
        more_s = _time_s(request, length, *sets) - _time_s(request, length, "matching=none")
        simulated = _rate(length / more_s) if more_s > 0 else ""
        rows.append(
            f"{engine},{queues},{length},{point.matches / point.time_s:.6g},"
            f"{_rate(point.matches / law_s)},{simulated}\n"
        )
    return rows, []


# --- 2 and 6a: one box per trace ----------------------------------------------


def boxes(*columns):
    """The boxes of traces that have all of their ranks."""

    def make(_):
        rows = ["trace,origin,what,least,quarter,median,three_quarters,most,mean\n"]
        for trace in matching.all_traces():
            for what in columns if not trace.missing else ():
                values = sorted(getattr(trace, what))
                total = 0.0
                for value in values:
                    total += value
                numbers = [*(quantile(values, i / 4) for i in range(5)), total / len(values)]
                listed = ",".join(f"{x:.6g}" for x in numbers)
                rows.append(f"{trace.name},{trace.origin},{what},{listed}\n")
        return rows, []

    return make


# --- table I ------------------------------------------------------------------

PRINTED = ["src_wildcard", "tag_wildcard", "communicators_count", "peers_count", "tags_count"]


def _text(text):
    return '"' + text.replace('"', '""') + '"'


def _ours(trace):
    """Returns the columns of a trace at hand, as CSV and Markdown."""
    if not trace:
        return ",,,,,,\n", " not at hand | | | | | |\n"
    t = trace
    csv = (
        f"{t.name},{t.rows},{t.ranks},{t.any_source:.0f},{t.any_tag:.0f},"
        f"{t.communicators:.0f},{t.peers:.0f},{t.tags}\n"
    )
    md = f" {t.rows} of {t.ranks} ranks |"
    if not t.receives and not t.messages:
        return csv, f"{md} no sends or receives | | | | |\n"
    wildcards = ["yes" if n > 0 else "no" for n in (t.any_source, t.any_tag)]
    return csv, (
        f"{md} {wildcards[0]} | {wildcards[1]} | {t.communicators:.0f} | {t.peers:.0f} | "
        f"{t.tags} |\n"
    )


def applications(_):
    rows = [
        "application,printed_src_wildcard,printed_tag_wildcard,"
        "printed_communicators,printed_peers,printed_tags,trace,"
        "ranks_there,ranks,receives_of_any_source,receives_of_any_tag,"
        "communicators,peers,tags\n"
    ]
    md = [
        "Printed, the mean over configurations of each one's maximum: "
        "source wildcard, tag wildcard, communicators, peers, tags. Ours, "
        "of one configuration: the most of a rank; tags of all.\n\n"
        "| application | printed | at hand | src WC | tag WC | "
        "communicators | peers | tags |\n"
        "| --- | --- | --- | --- | --- | --- | --- | --- |\n"
    ]
    traces = matching.all_traces()
    for row in data.rows("results/klenk/table1.csv"):
        printed = [row[key] or "-" for key in PRINTED]
        name = row["application"]
        csv, text = _ours(next((t for t in traces if t.application == name), None))
        rows.append(f"{_text(name)},{','.join(printed)},{csv}")
        md.append(f"| {name} | {', '.join(printed)} |{text}")
    for trace in traces:
        if trace.origin != "paper":
            csv, text = _ours(trace)
            rows.append(f"{_text(trace.application)},,,,,,{csv}")
            md.append(f"| {trace.application} ({trace.origin}, not of the paper) | |{text}")
    return rows, md


# --- table II -----------------------------------------------------------------

# Wildcards, order, unexpected, partitions, structure, the printed rate, the preset.
LEVELS = [
    ("yes", "yes", "yes", "no", "matrix", "< 6", "mpi"),
    ("yes", "yes", "no", "no", "matrix", "~ 6", "mpi-expected"),
    ("no", "yes", "yes", "yes", "matrix", "< 60", "by-source"),
    ("no", "yes", "no", "yes", "matrix", "~ 60", "by-source-expected"),
    ("no", "no", "yes", "yes", "hash table", "< 500", "unordered"),
    ("no", "no", "no", "yes", "hash table", "~ 500", "unordered-expected"),
]


def levels(request):
    """512 messages, 16 queues, one CTA; if messages can be unexpected, nine tenths are
    matched."""
    laws = matching.Matching(request.lab)
    rows = [
        "preset,wildcards,ordering,unexpected,partitions,structure,"
        "printed_Mps,gtx1080_per_s,h200_per_s,h200_measured_per_s\n"
    ]
    md = [
        "Matches in millions a second: printed for the GTX 1080; by the "
        "laws for 512 messages, 16 queues, one CTA, where unexpected means "
        "that a tenth fits no receive; measured on an H200.\n\n"
        "| wildcards | ordering | unexpected | partitions | structure | "
        "`--matching` | printed | GTX 1080 | H200 | H200, measured |\n"
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n"
    ]
    for *words, printed, preset in LEVELS:
        unexpected = words[2] == "yes"
        more = {"matched": 0.9 if unexpected else 1}
        if words[4] == "hash table":
            case = matching.hashed(512, 1, **more)
        elif words[3] == "yes":
            case = matching.partitioned(512, 16, compact=unexpected, **more)
        else:
            case = matching.matrix(512, compact=unexpected, **more)
        gtx1080, h200 = laws.rate("gtx1080", case), laws.rate("h200", case)
        seen = math.nan if unexpected else laws.measured(case)
        rates = f"{gtx1080:.6g},{h200:.6g},{_rate(seen)}"
        rows.append(f"{preset},{','.join(words)},{printed},{rates}\n")
        shown = "-" if math.isnan(seen) else f"{seen / 1e6:.1f}"
        md.append(
            f"| {' | '.join(words)} | `{preset}` | {printed} | {gtx1080 / 1e6:.1f} | "
            f"{h200 / 1e6:.1f} | {shown} |\n"
        )
    return rows, md


FIGURES = {
    "klenk-table-1": applications,
    "klenk-table-2": levels,
    "klenk-2": boxes("umq", "prq"),
    "klenk-4": one_queue,
    "klenk-5": several_queues,
    "klenk-6a": boxes("share"),
    "klenk-6b": hash_tables,
    "matching": native,
}
