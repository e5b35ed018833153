# SPDX-License-Identifier: GPL-3.0-or-later
"""Judges the papers' claims and prints them, as `sluice claims` starts it.

Standard input is a JSON document of the program: the claims that are asked for,
those that it has simulated with their lines of evidence, and the cells that the
others are judged by.
"""

import json
import signal
import sys

import cell_tests
import cells as cells_of
import expressions
from words import plain
from verdict import KINDS, STATUSES, Lines, Verdict


def judge(document):
    """Adds the verdict to each claim."""
    tests = cell_tests.read_tests()
    chen = any(claim["id"][0] == "A" for claim in document["claims"])
    cells = cells_of.of_study(document.get("cells_file")) if chen else {}
    others = expressions.Claims(document)
    for claim in document["claims"]:
        name, verdict = claim["id"], Verdict(claim.get("evidence", ""))
        if name in tests:
            cell_tests.check(verdict, tests[name], cells)
        elif name in others:
            others.check(verdict, name)
        elif "evidence" not in claim:
            raise ValueError(f"{name}: nothing tests this claim")
        claim["verdict"] = verdict


def total(verdicts, kind):
    lines = [v.of(kind) for v in verdicts]
    return Lines(sum(n.all for n in lines), sum(n.hold for n in lines))


def count(verdicts):
    """Returns the number of claims in each state, and of those with a predicted
    line the number of all and of the reproduced ones."""
    states = [v.status for v in verdicts]
    foretold = [v.status for v in verdicts if v.of("predicted").all]
    return (
        [states.count(status) for status in STATUSES],
        Lines(len(foretold), foretold.count("reproduced")),
    )


# --- text ---------------------------------------------------------------------


def wrapped(text, indent):
    """Returns the lines of a text in 80 columns."""
    room, lines = 80 - len(indent), []
    while len(text) > room:
        cut = text.rfind(" ", 1, room + 1)
        cut = cut if cut > 0 else len(text)
        lines.append(text[:cut])
        text = text[cut + 1 :]
    return [f"{indent}{line}\n" for line in [*lines, text] if line]


def print_text(claims):
    for claim in claims:
        print(claim["id"], claim["verdict"].status)
        print("".join(wrapped(claim["claim"], "    ")), end="")
        for line in claim["verdict"].lines:
            print("".join(wrapped(line, "    | ")), end="")
        print()
    print_totals(claims)


def print_totals(claims):
    verdicts = [claim["verdict"] for claim in claims]
    for claim, v in zip(claims, verdicts):
        kinds = ", ".join(kind for kind in KINDS if v.of(kind).all) or "open"
        print(f"{claim['id']}  {v.status:<15} {v.held} of {v.parts} parts hold  {kinds}")
    states, foretold = count(verdicts)
    print("\n" + ", ".join(f"{n} {status}" for n, status in zip(states, STATUSES)))
    print(f"of {foretold.all} claims with a predicted line {foretold.hold} are reproduced\n")
    print_lines({kind: total(verdicts, kind) for kind in KINDS})


def print_lines(of):
    """Prints the lines that hold, by evidence. Only predicted ones say whether to
    trust the simulator, because all others use the paper's own numbers as input,
    directly or through a fit."""

    def held(kind):
        return f"{of[kind].hold} of {of[kind].all}"

    print(f"{held('predicted')} predicted lines hold")
    print(
        f"(of what went in: input {held('input')}, fitted {held('fitted')}, "
        f"the papers' models {held('model')})"
    )
    if of["construction"].all:
        print(f"(of what follows from how the simulator is built: {held('construction')})")
    if of["analysis"].all:
        print(f"(of measurements and traces alone: {held('analysis')})")


# --- Markdown and JSON --------------------------------------------------------


def print_row(title, verdicts):
    states, foretold = count(verdicts)
    predicted, fitted = total(verdicts, "predicted"), total(verdicts, "fitted")
    columns = [
        title,
        len(verdicts),
        *states,
        f"{foretold.hold} of {foretold.all}",
        f"{predicted.hold} of {predicted.all}",
        f"{fitted.hold} of {fitted.all}",
        total(verdicts, "construction").all,
    ]
    print("|", " | ".join(map(str, columns)), "|")


def print_summary(claims, papers):
    """Prints a Markdown table with a row for each paper."""
    heads = [
        "paper",
        "claims",
        *STATUSES,
        "reproduced, of those with a predicted line",
        "predicted lines that hold",
        "fitted lines that hold",
        "lines by construction",
    ]
    print("|", " | ".join(heads), "|")
    print("| --- |" + " ---: |" * (len(heads) - 1))
    for paper in papers:
        verdicts = [c["verdict"] for c in claims if c["id"][0] == paper["letter"]]
        if verdicts:
            print_row(paper["title"], verdicts)
    print_row("all", [claim["verdict"] for claim in claims])


def print_json(document):
    claims = [
        {
            "id": claim["id"],
            "status": claim["verdict"].status,
            "claim": claim["claim"],
            "lines": {kind: claim["verdict"].of(kind)._asdict() for kind in KINDS},
            "evidence": claim["verdict"].evidence,
        }
        for claim in document["claims"]
    ]
    head = {key: document[key] for key in ("schema", "sluice", "command")}
    print(plain({**head, "claims": claims}))


def main(program, form):
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    # The folder of a run goes when the script ends by itself.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda n, _: sys.exit(128 + n))
    document = json.loads(sys.stdin.buffer.read())
    document["program"] = program
    if sys.stdout is None:
        print("sluice: standard output: cannot be written", file=sys.stderr)
        sys.exit(1)
    sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape")
    try:
        judge(document)
    except ValueError as error:
        print(f"sluice: {error}", file=sys.stderr)
        sys.exit(getattr(error, "code", 2))
    except OSError as error:
        print(f"sluice: {error}", file=sys.stderr)
        sys.exit(1)
    try:
        if form == "json":
            print_json(document)
        elif form == "summary":
            print_summary(document["claims"], document["papers"])
        else:
            print_text(document["claims"])
        sys.stdout.flush()
    except OSError as error:
        print(f"sluice: standard output: cannot be written: {error.strerror}", file=sys.stderr)
        sys.stdout = None  # not written again at the end
        sys.exit(1)


if __name__ == "__main__":
    main(*sys.argv[1:])
