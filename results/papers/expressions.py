# SPDX-License-Identifier: GPL-3.0-or-later
"""Claims as expressions: expressions.json, evaluated over cells and tables.

A claim is a list of parts, each the name of a common one or an object with these
members, all but "lines" optional:

"each"   a name, and the expression of a list: the part is evaluated for each item
"let"    names, and their expressions, in order; one that lacks a cell adds a line
         "not run", and the item has no other lines then
"lines"  lines of evidence: {"note": TEXT}, {"open": TEXT}, or {"kind": TEXT,
         "holds": EXPRESSION, "text": TEXT}; "if" is the condition of a line, and a
         line whose "counts" is false is only a note
"gather" names whose values of all items are a list in the parts that follow

In a TEXT, {EXPRESSION:FORMAT} is a value. Expressions are Python's, with the names
below. The file is part of the program; nothing of a user is evaluated.
"""

import functools
import json
import re
import types

import data
import exchanges
import lab
import lockhart
import matching
import means
import packets
import shared
from data import has, table
from exchanges import Exchanges, fastest, least, same_order
from program import Program
from runtimes import NotRun, Runtimes
from stages import Stages

_VALUE = re.compile(r"{(.+?)(?::([.\d]*[a-z]))?}")


# --- names ----------------------------------------------------------------------


def _functions(module):
    """Returns the public functions of a module, by name."""
    return {
        name: thing
        for name, thing in vars(module).items()
        if isinstance(thing, types.FunctionType)
        and thing.__module__ == module.__name__
        and name[0] != "_"
    }


def _methods(thing):
    names = [name for name in dir(thing) if name[0] != "_"]
    return {name: getattr(thing, name) for name in names if callable(getattr(thing, name))}


def _runtimes(document):
    """Reads the cells of Dang et al.; a file of the user has those of Chen et al. if a
    claim of theirs is asked for, too."""
    of_chen = any(claim["id"][0] == "A" for claim in document["claims"])
    return Runtimes(None if of_chen else document.get("cells_file"))


# --- evaluation ---------------------------------------------------------------


class Claims:
    """The claims of expressions.json, by id."""

    def __init__(self, document):
        path = data.PROGRAM / "results/claims/expressions.json"
        with open(path, encoding="utf-8") as file:
            contents = json.load(file)
        self._claims = contents["claims"]
        self._lab = lab.Lab(document)  # kept, because its folder ends with it
        objects = (Exchanges(self._lab), Program(self._lab), shared.Shared(self._lab))
        objects += (matching.Matching(self._lab), Stages(self._lab), lockhart.Lockhart(self._lab))
        if any(claim["id"][0] == "I" for claim in document["claims"]):
            objects += (_runtimes(document),)
        builtins = (abs, all, any, enumerate, len, max, min, map, range, sorted, str, sum, zip)
        lookups = (self._lab.copy_cost, self._lab.machine, self._lab.platform, self._lab.puts)
        functions = (has, table, fastest, least, same_order, *lookups, *builtins)
        self._names = {f.__name__: f for f in functions}
        for module in (means, matching, packets, shared):
            self._names.update(_functions(module))
        self._names["blocking_s"] = functools.partial(packets.blocking_s, self._lab)
        for thing in objects:
            self._names.update(_methods(thing))
        self._names.update(sizes=exchanges.SIZES, sources=exchanges.SOURCES)
        self._names.update(SIZES=shared.SIZES, SHAPES=shared.SHAPES, PCIE3=packets.PCIE3)
        self._names.update(STEPS=lockhart.STEPS, STAND_INS=exchanges.STAND_INS)
        self._said, self._common = contents["names"], contents["parts"]

    def unused(self):
        """Returns the user's changes that no claim has used."""
        return self._lab.unused()

    def __contains__(self, claim):
        return claim in self._claims

    def check(self, verdict, claim):
        """Adds the evidence for a claim."""
        try:
            self._check(verdict, claim)
        except ValueError as error:
            error.args = (f"{claim}: {error}",)
            raise
        except (ArithmeticError, TypeError) as error:
            raise ValueError(f"{claim}: the cells lack what it needs: {error}") from error

    def _check(self, verdict, claim):
        names = dict(self._names)
        parts = [self._common.get(p, p) if isinstance(p, str) else p for p in self._claims[claim]]
        for name in self._said_in(json.dumps(parts)):
            names[name] = _value(self._said[name], names)
        for part in parts:
            _part(verdict, part, names)

    def _said_in(self, text):
        """Returns the names of the file that a text needs, each after those that it
        needs itself: they are evaluated only then, because some simulate."""
        for name in reversed(self._said):
            if re.search(rf"\b{name}\b", text):
                text += f" {self._said[name]}"
        return [name for name in self._said if re.search(rf"\b{name}\b", text)]


def _value(expression, names):
    # A name is found in a comprehension, too, only if it is a global one.
    return eval(expression, {"__builtins__": {}, **names})  # pylint: disable=eval-used


def _text(text, names):
    return _VALUE.sub(lambda m: format(_value(m[1], names), m[2] or ""), text)


def _part(verdict, part, names):
    name, items = next(iter(part.get("each", {"_": "[None]"}).items()))
    gathered = {key: [] for key in part.get("gather", [])}
    for item in _value(items, names):
        inner = {**names, name: item}
        if _let(verdict, part.get("let", {}), inner):
            for line in part["lines"]:
                _line(verdict, line, inner)
            for key, values in gathered.items():
                values.append(inner[key])
    names.update(gathered)


def _let(verdict, let, names):
    """Adds names; returns whether all have a value."""
    complete = True
    for name, expression in let.items():
        try:
            names[name] = _value(expression, names)
        except NotRun as missing:
            verdict.not_run(str(missing))
            complete = False
        except NameError:  # of one that lacks a cell
            if complete:
                raise
    return complete


def _line(verdict, line, names):
    if not _value(line.get("if", "True"), names):
        return
    if "note" in line:
        verdict.note(_text(line["note"], names))
    elif "open" in line:
        verdict.open(_text(line["open"], names))
    elif not _value(line.get("counts", "True"), names):
        verdict.note(_text(line["text"], names))
    else:
        holds = _value(line["holds"], names)
        verdict.part(_text(line["kind"], names), holds, _text(line["text"], names))
