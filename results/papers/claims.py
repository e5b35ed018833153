# SPDX-License-Identifier: GPL-3.0-or-later
"""Judges the papers' claims and prints them, as `sluice claims` starts it.

Standard input is a JSON document of the program: the ids and papers that are asked for,
changes of platforms, and a file of cells.
"""

import json
import signal
import sys

import cell_tests
import cells as cells_of
import csvfile
import data
import expressions
from words import nearest, plain
from verdict import KINDS, STATUSES, Lines, Verdict


# --- the claims -----------------------------------------------------------------


def read_papers():
    """Returns the papers, and all claims."""
    papers = csvfile.read(data.PROGRAM / "results/claims/papers.csv")
    claims = []
    for paper in papers:
        path = data.PROGRAM / f"results/claims/{paper.text('name')}.csv"
        for row in csvfile.read(path):
            claims.append({"id": row.text("id"), "claim": row.text("claim")})
            if row.text("id")[0] != paper.text("letter"):
                row.fail(f"expected a claim {paper.text('letter')}...")
    return [paper.texts for paper in papers], claims


def choose(words, papers, claims):
    """Returns the claims that the words name, in the order of the files; all without
    words."""
    letters = {paper["name"]: paper["letter"] for paper in papers}
    wanted = set()
    for word in words:
        named = {c["id"] for c in claims if word in (c["id"],) or c["id"][0] == letters.get(word)}
        if not named:
            near = nearest(word, [*letters, *(c["id"] for c in claims)])
            known = f"known: {claims[0]['id']} to {claims[-1]['id']}, {', '.join(letters)}"
            hint = f" (did you mean {near}?)" if near else f"; {known}"
            raise ValueError(f"{word}: unknown claim{hint}")
        wanted |= named
    return [claim for claim in claims if claim["id"] in wanted or not words]


def judge(document):
    """Adds the verdict to each claim."""
    tests = cell_tests.read_tests()
    ids = [claim["id"] for claim in document["claims"]]
    if "cells_file" in document and not any(name in tests or name[0] == "I" for name in ids):
        raise ValueError(f"--cells: not for {', '.join(ids)}")
    chen = any(name[0] == "A" for name in ids)
    cells = cells_of.of_study(document.get("cells_file")) if chen else {}
    others = expressions.Claims(document)
    for claim in document["claims"]:
        name, verdict = claim["id"], Verdict()
        if name in tests:
            cell_tests.check(verdict, tests[name], cells)
        elif name in others:
            others.check(verdict, name)
        else:
            raise ValueError(f"{name}: nothing tests this claim")
        claim["verdict"] = verdict
    for text in others.unused():
        raise ValueError(f"--set {text}: no experiment of these claims uses it")


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
        document["papers"], claims = read_papers()
        document["claims"] = choose(document["ids"], document["papers"], claims)
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
