# SPDX-License-Identifier: GPL-3.0-or-later
"""Communication on clusters of GPU nodes, simulated: libsluice from Python.

    import sluice
    rows = sluice.run("stencil:9pt:2000x2000", platform="lassen", nodes=4)
    rows[0]["strategy"], rows[0]["time_s"]

Results are dictionaries whose keys are the columns of `sluice run --csv`:
seconds, bytes, bytes per second, and None for what is not known. frame() makes
a pandas.DataFrame of them where pandas is installed. Bad input raises
sluice.Error, whose text begins with the file or option and the place.
"""

import collections
import contextlib
import ctypes
import ctypes.util
import json
import math
import operator
import os
import pathlib
import sqlite3

__all__ = ["Error", "Machine", "Operation", "Workload"]
__all__ += ["document", "entries", "frame", "run", "runs", "version"]


class Error(Exception):
    """What the library refuses; code 2: bad input, 1: the work itself failed."""

    def __init__(self, text, code=2):
        super().__init__(text)
        self.code = code


# --- the library: sluice.h ----------------------------------------------------


class _Error(ctypes.Structure):
    _fields_ = [("code", ctypes.c_int), ("text", ctypes.c_char * 1024)]


class _Options(ctypes.Structure):
    _fields_ = [
        ("gpus", ctypes.c_uint),
        ("nodes", ctypes.c_uint),
        ("partition", ctypes.c_char_p),
        ("value_bytes", ctypes.c_uint64),
        ("message_cap_bytes", ctypes.c_uint64),
        ("ranks_per_node", ctypes.c_uint),
        ("keep_duplicates", ctypes.c_int),
        ("engine", ctypes.c_char_p),
        ("accuracy", ctypes.c_char_p),
        ("no_packing", ctypes.c_int),
        ("source", ctypes.c_char_p),
        ("strategies", ctypes.c_char_p),
        ("threshold", ctypes.c_double),
    ]


class _Operation(ctypes.Structure):
    _fields_ = [
        ("kind", ctypes.c_int),
        ("source", ctypes.c_uint32),
        ("to", ctypes.c_uint32),
        ("from_gpu", ctypes.c_uint32),
        ("to_gpu", ctypes.c_uint32),
        ("bytes", ctypes.c_uint64),
    ]


class _Scenario(ctypes.Structure):
    _fields_ = [
        ("messages", ctypes.c_uint),
        ("nodes", ctypes.c_uint),
        ("bytes", ctypes.c_uint64),
        ("duplicates", ctypes.c_double),
    ]


class _Queues(ctypes.Structure):
    _fields_ = [
        ("messages", ctypes.c_double),
        ("receives", ctypes.c_double),
        ("matched", ctypes.c_double),
        ("order", ctypes.c_int),
        ("equal", ctypes.c_double),
        ("compact", ctypes.c_int),
    ]


class _Entries(ctypes.Structure):
    _fields_ = [
        ("n", ctypes.c_size_t),
        ("names", ctypes.POINTER(ctypes.c_char * 96)),
        ("values", ctypes.POINTER(ctypes.c_double)),
    ]


class _Result(ctypes.Structure):
    _fields_ = [
        ("numbers", ctypes.c_double * 3),
        ("counts", ctypes.c_uint64 * 8),  # by name in C alone: values has them
        ("links", ctypes.c_void_p),  # by name in C alone: lists has them
        ("nlinks", ctypes.c_size_t),
        ("noperations", ctypes.c_size_t),
        ("start_s", ctypes.POINTER(ctypes.c_double)),
        ("end_s", ctypes.POINTER(ctypes.c_double)),
        ("values", ctypes.POINTER(ctypes.c_double)),
        ("lists", ctypes.POINTER(_Entries)),
    ]


_KINDS = ["copy", "message", "work", "send", "receive", "pack", "reduce", "probe"]
_NONE = 2**32 - 1  # SLUICE_NO_GPU, SLUICE_NO_RANK

_TEXTS = ctypes.POINTER(ctypes.c_char_p)
_REPORT = ctypes.POINTER(_Error)
_FUNCTIONS = {
    "version": (ctypes.c_char_p, []),
    "machine_load": (
        ctypes.c_void_p,
        [ctypes.c_char_p, _TEXTS, ctypes.c_size_t, _REPORT],
    ),
    "machine_free": (None, [ctypes.c_void_p]),
    "machine_name": (ctypes.c_char_p, [ctypes.c_void_p]),
    "machine_nodes": (ctypes.c_uint, [ctypes.c_void_p]),
    "machine_gpus": (ctypes.c_uint, [ctypes.c_void_p]),
    "machine_cores": (ctypes.c_uint, [ctypes.c_void_p]),
    "workload_make": (
        ctypes.c_void_p,
        [ctypes.c_void_p, ctypes.c_char_p, ctypes.POINTER(_Options), _REPORT],
    ),
    "workload_free": (None, [ctypes.c_void_p]),
    "workload_gpus": (ctypes.c_uint, [ctypes.c_void_p]),
    "workload_nodes": (ctypes.c_uint, [ctypes.c_void_p]),
    "workload_seed": (
        ctypes.c_int,
        [ctypes.c_void_p, ctypes.POINTER(ctypes.c_uint64)],
    ),
    "workload_strategies": (ctypes.c_size_t, [ctypes.c_void_p]),
    "workload_strategy": (ctypes.c_char_p, [ctypes.c_void_p, ctypes.c_size_t]),
    "plan_make": (ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_char_p, _REPORT]),
    "plan_free": (None, [ctypes.c_void_p]),
    "plan_operations": (ctypes.c_size_t, [ctypes.c_void_p]),
    "plan_operation": (_Operation, [ctypes.c_void_p, ctypes.c_size_t]),
    "match": (
        ctypes.c_int,
        [
            ctypes.POINTER(ctypes.c_double),
            ctypes.POINTER(ctypes.c_uint),
            ctypes.c_void_p,
            ctypes.POINTER(_Queues),
            _REPORT,
        ],
    ),
    "model": (
        ctypes.c_int,
        [
            ctypes.POINTER(ctypes.c_double),
            ctypes.c_void_p,
            ctypes.c_void_p,
            ctypes.c_char_p,
            ctypes.c_int,
            _REPORT,
        ],
    ),
    "scenario": (
        ctypes.c_int,
        [
            ctypes.POINTER(ctypes.c_double),
            ctypes.POINTER(ctypes.c_double),
            ctypes.c_void_p,
            ctypes.POINTER(_Scenario),
            ctypes.c_char_p,
            ctypes.c_int,
            _REPORT,
        ],
    ),
    "puts": (
        ctypes.c_int,
        [
            ctypes.POINTER(ctypes.c_double),
            ctypes.POINTER(ctypes.c_double),
            ctypes.c_void_p,
            ctypes.c_uint64,
            ctypes.c_uint,
            _REPORT,
        ],
    ),
    "fields": (ctypes.c_size_t, []),
    "field": (ctypes.c_char_p, [ctypes.c_size_t]),
    "field_unit": (ctypes.c_char_p, [ctypes.c_size_t]),
    "lists": (ctypes.c_size_t, []),
    "list": (ctypes.c_char_p, [ctypes.c_size_t]),
    "list_label": (ctypes.c_char_p, [ctypes.c_size_t]),
    "list_columns": (ctypes.c_size_t, [ctypes.c_size_t]),
    "list_column": (ctypes.c_char_p, [ctypes.c_size_t, ctypes.c_size_t]),
    "list_unit": (ctypes.c_char_p, [ctypes.c_size_t, ctypes.c_size_t]),
    "simulate": (
        ctypes.c_int,
        [ctypes.POINTER(_Result), ctypes.c_void_p, ctypes.c_char_p, _REPORT],
    ),
    "result_clear": (None, [ctypes.POINTER(_Result)]),
}


def _load():
    """SLUICE_LIBRARY, else the library that is installed with this file, else
    the one that the loader finds."""
    here = os.path.dirname(os.path.abspath(__file__))
    places = [os.environ.get("SLUICE_LIBRARY")]
    while here != os.path.dirname(here):  # lib/python3/dist-packages in lib
        places.append(os.path.join(here, "libsluice.so"))
        here = os.path.dirname(here)
    places = [place for place in places if place and os.path.exists(place)]
    path = places[0] if places else ctypes.util.find_library("sluice")
    if not path:
        raise ImportError("libsluice.so is not found: set SLUICE_LIBRARY to its path")
    library = ctypes.CDLL(path)
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(library, "sluice_" + name, None)
        if not function:
            raise ImportError(f"{path} is older than this module: it lacks sluice_{name}()")
        function.restype, function.argtypes = result, arguments
    return library


_library = _load()
_FIELDS = [
    (_library.sluice_field(i).decode(), _library.sluice_field_unit(i).decode())
    for i in range(_library.sluice_fields())
]


_LISTS = {
    _library.sluice_list(i).decode(): (
        i,
        _library.sluice_list_label(i).decode(),
        [
            (
                _library.sluice_list_column(i, c).decode(),
                _library.sluice_list_unit(i, c).decode(),
            )
            for c in range(_library.sluice_list_columns(i))
        ],
    )
    for i in range(_library.sluice_lists())
}


def _text(value, name="text"):
    text = None if value is None else os.fsencode(value)
    if text and b"\0" in text:
        raise Error(f"{name}: a 0 byte in {value!r}")
    return text


def _number(value, unit):
    """A number of a result: None if it is not known, whole if it counts."""
    if math.isnan(value):
        return None
    return int(value) if unit in ("count", "B") and value.is_integer() else value


def _entries(result, name):
    """A list of a result as dictionaries, which the list's label names."""
    number, label, columns = _LISTS[name]
    entries, rows = result.lists[number], []
    for i in range(entries.n):
        name = entries.names[i].value.decode()
        row = {label: int(name) if name.isdigit() else name}
        for c, (key, unit) in enumerate(columns):
            row[key] = _number(entries.values[i * len(columns) + c], unit)
        rows.append(row)
    return rows


def _option(kind, name, value):
    """The value of an option as ctypes keeps it, which would cut it off."""
    if kind is ctypes.c_char_p:
        return _text(str(value) if isinstance(value, int) else value, name)
    if kind is ctypes.c_double:
        if not 0 < value < math.inf:
            raise Error(f"{name}: expected a number above 0, got {value!r}")
        return value
    if kind is ctypes.c_int:
        return 1 if value else 0
    number, most = operator.index(value), 2 ** (8 * ctypes.sizeof(kind)) - 1
    if not 1 <= number <= most:
        raise Error(f"{name}: expected 1 to {most}, got {number}")
    return number


def _given(value, kind, name):
    if not isinstance(value, kind):
        raise TypeError(f"{name}: expected a {kind.__name__}, got {value!r}")
    return value


def _raise(error):
    raise Error(error.text.decode(errors="replace"), error.code)


Operation = collections.namedtuple("Operation", "kind source to from_gpu to_gpu bytes")


def version():
    """The version of the library: "0.1.0"."""
    return _library.sluice_version().decode()


# --- machines and workloads ---------------------------------------------------


class Machine:
    """A machine by the name of a platform ("lassen") or the path of its file;
    sets are texts "KEY=VALUE", or a dictionary, that replace its values."""

    def __init__(self, platform, sets=()):
        error = _Error()
        if isinstance(sets, dict):
            sets = [f"{key}={value}" for key, value in sets.items()]
        texts = [_text(_given(text, str, "sets"), "sets") for text in sets]
        pointers = (ctypes.c_char_p * max(1, len(texts)))(*texts)
        self._free = _library.sluice_machine_free
        self._pointer = _library.sluice_machine_load(
            _text(platform, "platform"), pointers, len(texts), error
        )
        if not self._pointer:
            _raise(error)
        self.name = _library.sluice_machine_name(self._pointer).decode()
        self.nodes = _library.sluice_machine_nodes(self._pointer)
        self.gpus_per_node = _library.sluice_machine_gpus(self._pointer)
        self.cores_per_node = _library.sluice_machine_cores(self._pointer)

    def match(self, messages, receives=None, matched=None, order="random", equal=1, compact=False):
        """The seconds in which its matching engine matches a queue of messages with one
        of receives (None: as many), and its number of CTAs; `order` is that of the
        receives: "same", "random", "reverse"; see sluice.h."""
        error, time_s, ctas = _Error(), ctypes.c_double(), ctypes.c_uint()
        receives = messages if receives is None else receives
        matched = min(messages, receives) if matched is None else matched
        orders = ["same", "random", "reverse"]
        if order not in orders:
            raise Error(f"order: expected one of {', '.join(orders)}, got {order!r}")
        queues = _Queues(messages, receives, matched, orders.index(order), equal, bool(compact))
        if _library.sluice_match(time_s, ctas, self._pointer, queues, error) < 0:
            _raise(error)
        return time_s.value, ctas.value

    def scenario(self, strategy, messages, nodes, size, duplicates=0.0):
        """The seconds in which a node sends messages of a size, evenly from its GPUs, to
        other nodes under a strategy; a share of the bytes is redundant."""
        error, time_s = _Error(), ctypes.c_double()
        self._scenario(time_s, None, strategy, (messages, nodes, size, duplicates), False, error)
        return time_s.value

    def scenario_model(self, strategy, messages, nodes, size, duplicates=0.0, printed=False):
        """The closed form of the same, corrected or as printed (`sluice model`); None if
        there is none."""
        error, model_s = _Error(), ctypes.c_double()
        self._scenario(None, model_s, strategy, (messages, nodes, size, duplicates), printed, error)
        return _number(model_s.value, "s")

    def _scenario(self, time_s, model_s, strategy, words, printed, error):
        pattern, name = _Scenario(*words), _text(strategy, "strategy")
        if _library.sluice_scenario(time_s, model_s, self._pointer, pattern, name, printed, error):
            _raise(error)

    def puts(self, size, n=1):
        """The seconds until n puts of a GPU into one of another node have arrived, which
        begin at once, and the latency of a put."""
        error, time_s, latency_s = _Error(), ctypes.c_double(), ctypes.c_double()
        size = _option(ctypes.c_uint64, "size", size)
        n = _option(ctypes.c_uint, "n", n)
        if _library.sluice_puts(time_s, latency_s, self._pointer, size, n, error) < 0:
            _raise(error)
        return time_s.value, latency_s.value

    def __del__(self):
        if getattr(self, "_pointer", None):
            self._free(self._pointer)


class Workload:
    """A workload on a machine: words as --workload takes them, and options of
    `sluice run` (gpus, nodes, partition, value_bytes, message_cap_bytes,
    ranks_per_node, keep_duplicates, engine, accuracy, no_packing, source,
    strategies, threshold); None: the default."""

    def __init__(self, machine, words, **options):
        _given(machine, Machine, "machine")
        error, given = _Error(), _Options()
        kinds = dict(_Options._fields_)
        for key, value in options.items():
            if key not in kinds:
                raise TypeError(f"{key}: no option; expected one of {', '.join(kinds)}")
            if value is not None:
                setattr(given, key, _option(kinds[key], key, value))
        self.machine, self.words = machine, words
        self.partition = options.get("partition")
        self._free = _library.sluice_workload_free
        self._pointer = _library.sluice_workload_make(
            machine._pointer, _text(words, "workload"), given, error
        )
        if not self._pointer:
            _raise(error)
        self.gpus = _library.sluice_workload_gpus(self._pointer)
        self.nodes = _library.sluice_workload_nodes(self._pointer)
        seed = ctypes.c_uint64()
        drawn = _library.sluice_workload_seed(self._pointer, seed)
        self.seed = seed.value if drawn else None
        self.strategies = [
            _library.sluice_workload_strategy(self._pointer, i).decode()
            for i in range(_library.sluice_workload_strategies(self._pointer))
        ]

    def __del__(self):
        if getattr(self, "_pointer", None):
            self._free(self._pointer)

    def model(self, strategy, machine=None, printed=False):
        """The closed form of a strategy, corrected or as printed, on this machine or one
        with as many GPUs a node; None if there is none."""
        error, time_s = _Error(), ctypes.c_double()
        on, name = machine and machine._pointer, _text(strategy, "strategy")
        if _library.sluice_model(time_s, self._pointer, on, name, printed, error) < 0:
            _raise(error)
        return _number(time_s.value, "s")

    def operations(self, strategy):
        """The plan of a strategy, in the order of the times of simulate(): kinds as in
        sluice.h ("copy", "message" ...), ranks and GPUs by number in the job, or None."""
        error = _Error()
        plan = _library.sluice_plan_make(self._pointer, _text(strategy, "strategy"), error)
        if not plan:
            _raise(error)
        try:
            found = [
                _library.sluice_plan_operation(plan, i)
                for i in range(_library.sluice_plan_operations(plan))
            ]
        finally:
            _library.sluice_plan_free(plan)

        def known(number):
            return None if number == _NONE else number

        return [
            Operation(
                _KINDS[op.kind],
                known(op.source),
                known(op.to),
                known(op.from_gpu),
                known(op.to_gpu),
                op.bytes,
            )
            for op in found
        ]

    def simulate(self, strategy, links=False, times=False, lists=()):
        """One simulation, as a dictionary; with the links that carried anything
        (busiest first), and when each operation of the plan began and ended.
        lists are names of `sluice run --list`, each of which becomes a list of
        dictionaries; links=True is that of "links"."""
        lists = ["links"] * bool(links) + list(lists)
        for name in lists:
            if name not in _LISTS:
                raise Error(f"lists: {name}: no list of a run; known: {', '.join(_LISTS)}")
        error, result = _Error(), _Result()
        name = _text(strategy, "strategy")
        if _library.sluice_simulate(result, self._pointer, name, error) < 0:
            _raise(error)
        row = {
            "platform": self.machine.name,
            "workload": self.words,
            "nodes": self.nodes,
            "gpus": self.gpus,
            "partition": self.partition,
            "seed": self.seed,
            "strategy": strategy,
        }
        for i, (name, unit) in enumerate(_FIELDS):
            row[name] = _number(result.values[i], unit)
        row["accuracy"] = result.numbers[2]
        row["sluice"] = version()
        for name in lists:
            row[name] = _entries(result, name)
        if times:
            row["start_s"] = result.start_s[: result.noperations]
            row["end_s"] = result.end_s[: result.noperations]
        _library.sluice_result_clear(result)
        return row


def run(words, platform="lassen", sets=(), strategies=None, **options):
    """The workload under each strategy, or under those that are named, fastest
    first; what the machine cannot do is left out, unless it was named."""
    workload = Workload(Machine(platform, sets), words, **options)
    rows, refused = [], None
    for strategy in strategies or workload.strategies:
        try:
            rows.append(workload.simulate(strategy))
        except Error as error:
            if strategies or error.code != 2:
                raise
            refused = error
    if not rows and refused:
        raise refused
    rows.sort(key=lambda row: row["time_s"])
    for row in rows:
        row["times_best"] = row["time_s"] / rows[0]["time_s"] if rows[0]["time_s"] else 1.0
    return rows


# --- results ------------------------------------------------------------------


_STORE = {"application_id": 0x736C6365, "user_version": 4}  # docs/spaces.md


def _check_runs(path, database):
    """There is what the program wrote: tables alone, whose rows come to an end,
    and all of them."""
    steps = 10**8 + 100 * os.path.getsize(path)
    turns = iter(range(steps >> 20))
    database.set_progress_handler(lambda: next(turns, None) is None, 1 << 20)
    database.execute("PRAGMA trusted_schema = OFF")
    for name, value in _STORE.items():
        if database.execute(f"PRAGMA {name}").fetchone()[0] != value:
            raise Error(f"{path}: not a database of this version of sluice sweep")
    for name, kind, made in database.execute("SELECT name, type, sql FROM sqlite_master"):
        if kind == "table" and " ".join(made.split()[:2]).upper() == "CREATE VIRTUAL":
            kind = "virtual table"
        if kind not in ("table", "index"):
            raise Error(f"{path}: a damaged database: it has a {kind}, {name}")
    written = dict(database.execute("SELECT key, value FROM sweep"))
    kept = [name for name in written.get("lists", "").split(",") if name in _LISTS]
    for table in "points", "runs", *kept:
        rows = database.execute(f"SELECT count(digest) FROM {table}").fetchone()[0]
        if str(rows) != written.get(table):
            raise Error(
                f"{path}: a damaged database: {rows} rows of {table}, "
                f"{written.get(table)} were written"
            )


def _rows(path, sql, parameters=()):
    """The rows of a database that `sluice sweep` wrote, as dictionaries."""
    if not os.path.exists(path):
        raise Error(f"{path}: No such file or directory")
    uri = pathlib.Path(path).resolve().as_uri() + "?mode=ro"
    try:
        with contextlib.closing(sqlite3.connect(uri, uri=True)) as database:
            _check_runs(path, database)
            database.row_factory = sqlite3.Row
            return [dict(row) for row in database.execute(sql, parameters)]
    except sqlite3.Error as error:
        raise Error(f"{path}: {error}") from None


def runs(path):
    """The runs of a database that `sluice sweep` wrote, with the values of the
    axes of their point, as dictionaries. What no row was taken from, nor added
    to, is read; `sluice sweep show` also finds changed values."""
    return _rows(path, "SELECT * FROM runs JOIN points USING (point)")


def entries(path, name):
    """The entries of a list, such as "links", of all runs of a database that
    `sluice sweep --lists` wrote, with the strategy (`way`) and the axes of each."""
    if name not in _LISTS:
        raise Error(f"{name}: no list of a run; known: {', '.join(_LISTS)}")
    return _rows(
        path,
        f"SELECT runs.way, {name}.*, points.* FROM {name} JOIN points USING (point) "
        f"JOIN runs ON runs.point = {name}.point AND runs.rank = {name}.run "
        f"ORDER BY {name}.point, run, entry",
    )


def document(path):
    """What a command of sluice printed with --json, of the schema that this
    module knows."""
    with open(path, encoding="utf-8") as file:
        doc = json.load(file)
    if doc.get("schema") != 2:
        raise Error(f"{path}: schema {doc.get('schema')!r}, expected 2")
    return doc


def frame(rows):
    """The rows as a pandas.DataFrame."""
    import pandas

    return pandas.DataFrame(rows)
