# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the tables of the papers' figures, as `sluice figure` asks for them.

Standard input is a JSON document of the program: the options. The answer is one, too:
"csv", the lines; "vars", lines of assignments for the template of gnuplot, or the Markdown of a
table; "texts", texts of the user that the template shows by their numbers, from 2 on;
or "error" and "code". The program writes the files and draws. Before figures of cells
it asks for "cells": those that a file lacks are simulated into it.
"""

import json
import sys

import figures_chen
import figures_dang
import figures_faraji
import figures_klenk
import figures_lockhart
import lab
import study

FIGURES = {}
for of_paper in (figures_chen, figures_dang, figures_faraji, figures_klenk, figures_lockhart):
    FIGURES.update(of_paper.FIGURES)


class Request:
    """The options of the command."""

    def __init__(self, document):
        self.lab = lab.Lab(document)
        self.platform = document.get("platform")
        self.workloads = document.get("workloads", [])
        self.cells = document.get("cells")
        self.texts = []

    def text(self, text):
        """Adds a text of the user; returns its number."""
        self.texts.append(text)
        return 1 + len(self.texts)


def complete_cells(document):
    """Simulates the cells of the figures that the file lacks; keeps those that another
    model made."""
    choices = [figures_chen.CHOICES[name] for name in document["figures"]]
    path = document["cells"]
    made = study.Study(lab.Lab(document), choices, path, keep_stale=True)
    made.run()
    if made.stale:
        print(
            f"sluice: {path}: {made.stale} cells were made by another model (sluice study "
            f"-o {path} simulates them again)",
            file=sys.stderr,
        )
    return {}


def answer(document, what):
    if what == "cells":
        return complete_cells(document)
    request = Request(document)
    csv, beside = FIGURES[what](request)
    lines = {"csv": "".join(csv).splitlines(), "vars": "".join(beside).splitlines()}
    return {**lines, "texts": request.texts}


def main(program, what):
    document = json.loads(sys.stdin.buffer.read().decode("utf-8", "surrogateescape"))
    document["program"] = program
    try:
        out = answer(document, what)
    except ValueError as error:
        out = {"error": str(error), "code": getattr(error, "code", 2)}
    except OSError as error:
        out = {"error": str(error), "code": 1}
    text = json.dumps(out, ensure_ascii=False)
    sys.stdout.buffer.write(text.encode("utf-8", "surrogateescape"))


if __name__ == "__main__":
    main(*sys.argv[1:])
