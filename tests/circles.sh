#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The files of a folder call downwards only: none reaches itself by the functions
# and tables that it uses of others. The objects of the build say who uses whom.
# A list.c is a table of functions that others call through, so the uses of a
# list.c do not count. Circles that stay have their reason here.
set -eu
build=$(dirname "$1")
command -v nm >/dev/null && command -v python3 >/dev/null || {
    echo "there is no nm, or no python3"
    exit 77
}
python3 - "$build" <<'END'
import collections
import pathlib
import re
import subprocess
import sys

BY_DESIGN = {
    # Outputs and measurements of one command, whose file has what they share.
    "cli": ["print_run print_run_json print_sizes",
            "print_trace_json print_trace_lacks print_trace_stats show_trace",
            "draw_network draw_node",
            "print_rounds print_rounds_json",
            "bench_against bench_collective bench_exchange bench_halo "
            "bench_start bench_strategies bench_traverse cmd_bench"],
}


def read_objects(build):
    """Returns for each source its object; the last part of the path after the
    target's folder is the source's."""
    found = {}
    for path in sorted(build.glob("CMakeFiles/*.dir/**/*.o")):
        source = re.sub(r"^.*?\.dir/(.*)\.o$", r"\1",
                        str(path.relative_to(build / "CMakeFiles")))
        if re.search(r"\.(c|cpp)$", source) and pathlib.Path(source).exists():
            found.setdefault(source, path)
    return found


def read_symbols(objects):
    """Returns for each source the symbols that it defines, and uses."""
    said = subprocess.run(["nm", "-A", *map(str, objects.values())],
                          capture_output=True, text=True, check=True).stdout
    defines, uses = collections.defaultdict(set), collections.defaultdict(set)
    source_of = {str(path): source for source, path in objects.items()}
    for line in said.splitlines():
        path, _, rest = line.partition(":")
        words = rest.split()
        if words[-2] == "U":
            uses[source_of[path]].add(words[-1])
        elif words[-2] in "TDRB":
            defines[source_of[path]].add(words[-1])
    return defines, uses


def circles(below):
    """Returns the sets of files that reach each other (Tarjan 1972)."""
    number, low, stack, found = {}, {}, [], []

    def visit(v):
        number[v] = low[v] = len(number)
        stack.append(v)
        for w in sorted(below[v]):
            if w not in number:
                visit(w)
                low[v] = min(low[v], low[w])
            elif w in stack:
                low[v] = min(low[v], number[w])
        if low[v] == number[v]:
            part = set(stack[stack.index(v):])
            del stack[stack.index(v):]
            if len(part) > 1:
                found.append(part)

    for v in sorted(below):
        if v not in number:
            visit(v)
    return found


objects = read_objects(pathlib.Path(sys.argv[1]))
if len(objects) < 300:
    print(f"{len(objects)} objects of sources in {sys.argv[1]}: no such build")
    sys.exit(77)
defines, uses = read_symbols(objects)
folders = collections.defaultdict(list)
for source in objects:
    folders[str(pathlib.Path(source).parent)].append(source)
failed = 0
for folder, files in sorted(folders.items()):
    where = {s: f for f in files for s in defines[f]}
    below = {f: {where[s] for s in uses[f] if s in where} - {f}
             if pathlib.Path(f).name != "list.c" else set() for f in files}
    known = [set(text.split()) for text in BY_DESIGN.get(folder, [])]
    names = {f: pathlib.Path(f).stem for f in files}
    found = circles(below)
    for part in found:
        if any({names[f] for f in part} <= k for k in known):
            continue
        failed = 1
        print(f"{folder}: files that call each other in a circle:")
        for f in sorted(part):
            for other in sorted(below[f] & part):
                tie = sorted(s for s in uses[f] if where.get(s) == other)
                print(f"    {names[f]}.c calls {names[other]}.c: "
                      + " ".join(tie))
    for k in known:
        if not any({names[f] for f in part} <= k for part in found):
            failed = 1
            print(f"{folder}: no circle any more of {' '.join(sorted(k))}: "
                  "it need not be listed")
sys.exit(failed)
END
