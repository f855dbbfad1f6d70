"""Tracing: a Python function is run once with symbols and becomes the equations of a model.

The model has exact sparse Jacobians, index reduction and native speed.  The function is compared with
the equations at random points before the run, and again after it; where they differ, or where the
function cannot be run with symbols, it is called instead, and `stats` says so."""
from __future__ import annotations

import functools
import math
import re
import time
from collections import OrderedDict
from typing import Any, Dict, List, Optional, Sequence, Tuple

import numpy as np

from . import _native
from ._arrays import convert_result, describe, is_sparse
from ._fingerprint import fingerprint
from ._rebuild import Rebuilder
from ._standins import HOLD_SYMBOLS, KEEP_CONSTANTS, plain, standins, symbol_array
from ._symbols import Condition, Graph, Symbol, TraceError, compile_graph, evaluate, write

ALWAYS_MOST = 60  # so many unknowns are traced without asking what a call costs
SLOW_CALL = 100e-9  # seconds for each unknown: from there on tracing pays
UNKNOWNS_MOST = 20000
TEXT_MOST = 200_000  # characters of equations that are written without names for common parts
HAS_ERROR_OBJECT = hasattr(np, "seterrobj") and np.lib.NumpyVersion(np.__version__) < "1.25.0"
CLOSE = 1e-8  # relative difference of function and equations
COMPILED_FROM = 6  # comparisons, from which on the equations are compiled for them
TRACES_MOST = 256  # that are remembered
MODELS_MOST = 64  # that are remembered
IDENTIFIER = re.compile(r"[A-Za-z_]\w*$")
RESERVED = frozenset("""algorithm and annotation assert block break class connect connector constant
    constrainedby der discrete each else elseif elsewhen encapsulated end enumeration equation expandable
    extends external false final flow for function if import impure in initial inner input loop model not
    operator or outer output package parameter partial protected public pure record redeclare replaceable
    return stream then true type when while within time Real Integer Boolean String""".split())


class Trace:
    """A function as equations."""

    def __init__(self, graph: Graph, outputs: List[int], compared: List[int], events: List[int],
                 y: List[str]) -> None:
        self.graph, self.outputs, self.events, self.y = graph, outputs, events, y
        self.compared = compared  # what the function itself returns
        self.symbols = ["time", *y, *(f"der({text})" for text in y)]
        self.text = ""  # of the model, without start values
        self.n_compared = 0
        self._compiled: Any = None

    def values(self, t: float, y: List[float], yp: List[float]) -> List[float]:
        """What the function returns, by its equations."""
        self.n_compared += 1
        if self.n_compared > COMPILED_FROM:
            if self._compiled is None:
                self._compiled = compile_graph(self.graph, self.symbols, self.compared)
            return self._compiled([t, *y, *yp])
        nodes = evaluate(self.graph, dict(zip(self.symbols, [t, *y, *yp])))
        return [nodes[k] for k in self.compared]


# ---- running a function with symbols ----

def quoted(name: str) -> str:
    """A name as the language of models writes it."""
    if IDENTIFIER.match(name) and name not in RESERVED:
        return name
    return "'" + name.replace("\\", "\\\\").replace("'", "\\'") + "'"


_TABLES: Dict[int, Dict[int, Any]] = {}


def _table(mode: int) -> Dict[int, Any]:
    if mode not in _TABLES:
        _TABLES[mode] = standins(mode)
    return _TABLES[mode]


class Tracer:
    """One attempt to run the functions of a problem with symbols."""

    def __init__(self, problem: Any, mode: int) -> None:
        self.problem, self.graph = problem, Graph()
        self.rebuilder = Rebuilder(_table(mode))
        self.y = [quoted(name) for name in problem.names]
        self.time = self.graph.symbol("time")
        self.values = [self.graph.symbol(text) for text in self.y]
        self.slopes = [self.graph.symbol(f"der({text})") for text in self.y]

    def call(self, function: Any, with_slopes: bool) -> Any:
        """A function of the user with symbols."""
        arguments: List[Any] = [self.time, symbol_array(self.values)]
        if with_slopes:
            arguments.append(symbol_array(self.slopes))
        replace = self.rebuilder.replace
        extra = [replace(value) for value in self.problem.args]
        keywords = {name: replace(value) for name, value in self.problem.keywords.items()}
        return self.rebuilder.function(function)(*arguments, *extra, **keywords)

    def residuals(self) -> Tuple[List[int], List[int]]:
        """The equations, one number for each, and what the function returns."""
        problem = self.problem
        result = self.call(problem.target.fun, not problem.target.has_rhs)
        values = [Symbol(self.graph, self.number(value))
                  for value in self.vector(result, "the function")]
        compared = [value.number for value in values]
        if problem.target.has_rhs:
            values = [a - b for a, b in zip(self.mass_times_slopes(), values)]
        return [self.number(value) for value in values], compared

    def vector(self, result: Any, what: str) -> List[Any]:
        if result is None or isinstance(result, (str, dict, Symbol)):
            raise TraceError(f"{what} returns {describe(result)}")
        values = list(plain(result).reshape(-1)) if not isinstance(result, (list, tuple)) else list(result)
        values = [v.item() if isinstance(v, np.ndarray) and v.size == 1 else v for v in values]
        if len(values) != self.problem.n:
            raise TraceError(f"{what} returns {describe(result)}")
        return values

    def number(self, value: Any) -> int:
        if isinstance(value, Condition):
            value = value.as_number()
        return self.graph.operand(value)

    def mass_times_slopes(self) -> List[Any]:
        mass = self.problem.given["mass"]
        n = self.problem.n
        if mass is None:
            return list(self.slopes)
        if callable(mass):
            from ._functions import _positional
            counts = _positional(mass)
            given = (self.time, symbol_array(self.values))[:1 if counts and counts[1] == 1 else 2]
            mass = self.rebuilder.function(mass)(*given)
        if is_sparse(mass):
            entries = mass.tocoo()
            rows: List[Any] = [0.0] * n
            for i, j, value in zip(entries.row, entries.col, entries.data):
                rows[i] = rows[i] + float(value) * self.slopes[j]
            return rows
        matrix = plain(mass)
        if matrix.shape != (n, n):
            raise TraceError("mass has the wrong shape")
        products = []
        for row in matrix:
            total: Any = 0.0
            for j, value in enumerate(row):
                if isinstance(value, Symbol) or value != 0:
                    total = total + value * self.slopes[j]
            products.append(total)
        return products

    def event_values(self) -> List[int]:
        """The event functions."""
        found = []
        for function in self.problem.events.functions:
            value = self.call(function, not self.problem.target.has_rhs)
            if isinstance(value, np.ndarray) and value.size == 1:
                value = value.item()
            found.append(self.number(value))
        return found


def trace(problem: Any) -> Trace:
    """The equations of a problem; TraceError says why there are none."""
    reason: Optional[Exception] = None
    for mode in (KEEP_CONSTANTS, HOLD_SYMBOLS):
        tracer = Tracer(problem, mode)
        changed: Optional[str] = None
        try:
            try:
                outputs, compared = tracer.residuals()
                events = tracer.event_values()
            finally:
                changed = tracer.rebuilder.outside.restore()
            if changed:
                raise TraceError(f"it changes {changed}, which outlives the call")
            return finish_trace(tracer, outputs, compared, events)
        except TraceError as error:
            reason = reason or error
        except RecursionError:
            raise TraceError("it calls itself too often") from None
        except Exception as error:  # whatever foreign code makes of a symbol
            reason = reason or error
    text = str(reason) if isinstance(reason, TraceError) else f"{type(reason).__name__}: {reason}"
    raise TraceError(text[:200])


def finish_trace(tracer: Tracer, outputs: List[int], compared: List[int], events: List[int]) -> Trace:
    """Check that derivatives occur as they may."""
    graph = tracer.graph
    if tracer.problem.yp0 is not None and is_nonlinear_in_slopes(graph, outputs):
        raise TraceError("its derivatives occur nonlinearly, and yp0 chooses between solutions")
    return Trace(graph, outputs, compared, events, tracer.y)


def is_nonlinear_in_slopes(graph: Graph, outputs: Sequence[int]) -> bool:
    """Whether an output depends on derivatives in another way than linearly."""
    degree: List[int] = []
    for node in graph.nodes:
        op = node[0]
        if op in ("number", "symbol"):
            degree.append(int(op == "symbol" and node[1].startswith("der(")))
            continue
        parts = [degree[k] for k in node[1:]]
        if op in ("+", "-", "neg"):
            degree.append(max(parts))
        elif op == "*" or (op == "/" and parts[1] == 0):
            degree.append(min(sum(parts), 2))
        elif op == "if" and parts[0] == 0:
            degree.append(max(parts[1:]))
        else:
            degree.append(2 if max(parts) else 0)
    return max((degree[k] for k in outputs), default=0) > 1


# ---- comparing ----

def compare(problem: Any, found: Trace, points: Sequence[Tuple[float, np.ndarray, np.ndarray]],
            enough: int) -> bool:
    """Whether the function and its equations have the same values at the points, of which those after
    the first `enough` are used only where the function has no values at earlier ones."""
    checked = 0
    for t, y, yp in points:
        try:
            given = convert_result(call_plain(problem, t, y, yp), problem.n)
        except (ArithmeticError, ValueError, FloatingPointError):
            continue
        if not is_equal(found, (t, y.tolist(), yp.tolist()), given.tolist()):
            return False
        checked += 1
        if checked == enough:
            break
    return checked > 0


def is_equal(found: Trace, point: Tuple[float, List[float], List[float]], given: List[float]) -> bool:
    """Whether the equations have these values at a point, up to rounding."""
    sizes: Optional[Sizes] = None
    for k, value, expected in zip(found.compared, found.values(*point), given):
        if value != value and expected != expected:
            continue
        difference = abs(value - expected)
        if difference <= CLOSE * abs(expected):
            continue
        sizes = sizes or Sizes(found, point)
        if not difference <= 1e-13 * sizes.largest(k):
            return False
    return True


class Sizes:
    """The size of what is added up in the equations at a point: rounding is relative to it."""

    def __init__(self, found: Trace, point: Tuple[float, List[float], List[float]]) -> None:
        t, y, yp = point
        self.nodes = found.graph.nodes
        self.values = evaluate(found.graph, dict(zip(found.symbols, [t, *y, *yp])))

    def largest(self, k: int) -> float:
        """The largest operand on the way to an output."""
        largest, waiting, steps = 0.0, [k], 0
        while waiting and steps < 200:
            node = self.nodes[waiting.pop()]
            steps += 1
            if node[0] in ("+", "-", "neg", "*"):
                for operand in node[1:]:
                    value = self.values[operand]
                    if isinstance(value, float) and math.isfinite(value):
                        largest = max(largest, abs(value))
                    waiting.append(operand)
        return largest


def call_plain(problem: Any, t: float, y: np.ndarray, yp: np.ndarray) -> Any:
    point = (t, y.copy()) if problem.target.has_rhs else (t, y.copy(), yp.copy())
    with quiet():  # random points may be far from the solution
        return problem.call(problem.target.fun, *point)


class QuietErrors:
    """np.errstate(all="ignore") of NumPy 1, whose own takes longer than many functions."""

    def __enter__(self) -> None:
        self.before = np.geterrobj()
        np.seterrobj([self.before[0], 0, self.before[2]])

    def __exit__(self, *unused: Any) -> None:
        np.seterrobj(self.before)


def quiet() -> Any:
    """A context in which NumPy does not warn."""
    return QuietErrors() if HAS_ERROR_OBJECT else np.errstate(all="ignore")


def random_points(problem: Any, count: int) -> List[Tuple[float, np.ndarray, np.ndarray]]:
    """Points near the start, always the same ones."""
    points = []
    for k in range(count):
        t, y, yp = shares(problem.n, k)
        y = problem.y0 + y * (np.abs(problem.y0) + (1.0 if k % 2 else 0.1))
        if problem.yp0 is not None:
            yp = problem.yp0 + yp * (np.abs(problem.yp0) + 1.0)
        points.append((problem.t0 + t * (problem.t_end - problem.t0), y, yp))
    return points


@functools.lru_cache(maxsize=64)
def shares(n: int, k: int) -> Tuple[float, np.ndarray, np.ndarray]:
    """How far point number k lies from the start: shares of the time and of the sizes of y and y'."""
    golden = (math.sqrt(5.0) - 1.0) / 2.0
    share = (np.arange(1, 2 * n + 2) * golden * (k + 1)) % 1.0
    reach = 0.3 if k % 2 else 0.03
    return float(share[-1]), reach * (share[:n] - 0.35), share[n:2 * n] - 0.5


# ---- models of traces ----

class TracedModel:
    """A parsed model, and how its start values and rows are reached."""

    def __init__(self, text: str, n: int, n_events: int) -> None:
        self.handle = _native.model_read(dict(path=b"function", text=text.encode()))
        info = _native.model_describe(self.handle)
        self.first = info["first_number"]
        self.names = [row["name"] for row in info["variables"]]  # as in write_model: start, y, ...
        n_parts = len(self.names) - 2 * n - n_events
        self.has_parts = n_parts > 0  # which raise the index of an ODE from 0 to 1
        self.columns = np.arange(1, 2 * n, 2, dtype=np.int32)
        self.events = np.arange(max(n_events, 1), dtype=np.int32) + 2 * n + n_parts
        self.structure: Optional[Dict[str, Any]] = None
        self.set_to: Optional[np.ndarray] = None

    def set_start(self, values: np.ndarray) -> None:
        """New start values; the equations stay as they are."""
        for i, value in enumerate(values.tolist()):
            if self.set_to is None or self.set_to[i] != value:
                _native.model_set(self.handle, self.first + 2 * i, value)
        self.set_to = values.copy()

    def index(self) -> Optional[int]:
        if self.structure is None:
            self.structure = _native.model_analyze(self.handle)
        return int(self.structure["index"]) if self.structure["index"] >= 0 else None


def write_equations(problem: Any, found: Trace) -> str:
    """The equations as the text of a model, in which the start values are missing: %s."""
    texts, parts = write(found.graph, found.outputs + found.events, TEXT_MOST)
    n = problem.n
    fixed = problem.fixed_mask()
    nominal = nominal_values(problem)
    lines = ["model Function"]
    for i in range(n):
        extra = ", fixed = true" if fixed[i] else ""
        if nominal is not None:
            extra += f", nominal = {float(nominal[i])!r}"
        lines.append(f"  parameter Real 'start {i}' = %s;")  # places: see TracedModel
        lines.append(f"  Real {found.y[i].replace('%', '%%')}(start = 'start {i}'{extra});")
    lines += [f"  Real {name};" for name, _ in parts]
    lines += [f"  Boolean 'event {k}';" for k in range(len(found.events))]
    lines.append("equation")
    equations = [f"  {name} = {text};" for name, text in parts]
    equations += [f"  {text} = 0;" for text in texts[:n]]
    equations += [f"  'event {k}' = {text} > 0;" for k, text in enumerate(texts[n:])]
    lines += [text.replace("%", "%%") for text in equations]
    lines.append("end Function;")
    return "\n".join(lines)


def nominal_values(problem: Any) -> Optional[np.ndarray]:
    """Absolute tolerances that differ by variable, as nominal values."""
    each = problem.atol_each
    if each is None or each.min() <= 0.0:
        return None
    return each / each.max()


_models: "OrderedDict[str, List[TracedModel]]" = OrderedDict()


def take_model(text: str, starts: np.ndarray, n_events: int) -> TracedModel:
    """A model of this text that nobody else uses."""
    pool = _models.get(text)
    if pool:
        _models.move_to_end(text)
        return pool.pop()
    written = text % tuple(repr(value) for value in starts.tolist())
    return TracedModel(written, len(starts), n_events)


def return_model(text: str, model: TracedModel) -> None:
    """Keep a model for the next solve."""
    _models.setdefault(text, []).append(model)
    _models.move_to_end(text)
    while len(_models) > MODELS_MOST:
        _models.popitem(last=False)


# ---- remembering ----

_traces: "OrderedDict[Any, Trace]" = OrderedDict()


def remembered_trace(problem: Any) -> Tuple[Trace, bool]:
    """The trace of a problem with its text, and whether it was known already."""
    given = problem.given
    mark = fingerprint(problem.target.fun, problem.target.has_rhs, problem.args, problem.keywords,
                       given["mass"], problem.events.functions, problem.n,
                       None if given["names"] is None else problem.names,
                       problem.yp0 is None, problem.atol_each, given["fixed"])
    found = _traces.get(mark) if mark is not None else None
    if found is not None:
        return found, True
    found = trace(problem)
    found.text = write_equations(problem, found)
    if mark is not None:
        _traces[mark] = found
        if len(_traces) > TRACES_MOST:
            _traces.popitem(last=False)
    return found, False


# ---- deciding ----

def refusal(problem: Any) -> Optional[str]:
    """Why a problem is not traced, whatever its function is; None: it may be."""
    given = problem.given
    if problem.target.fun is None:
        return "it is a C function"
    if problem.t_end == problem.t0:
        return "t_span has no length"
    if problem.t_end < problem.t0:
        return "it runs backward in time"
    for name in ("jac", "bounds", "max_steps"):
        if given[name] is not None:
            return f"{name} is given"
    if problem.rtol_each is not None:
        return "rtol differs by variable"
    if given["index"] is not None and np.ndim(given["index"]):
        return "index is given by variable"
    if problem.n > UNKNOWNS_MOST:
        return f"it has more than {UNKNOWNS_MOST} unknowns"
    return None


def is_worth_it(problem: Any) -> bool:
    """Whether tracing is likely to be quicker than calling: small systems, and functions that take
    long for each unknown, as loops in Python do and operations on whole arrays do not."""
    if problem.n <= ALWAYS_MOST:
        return True
    slopes = np.zeros(problem.n)
    best = math.inf
    for _ in range(3):
        began = time.perf_counter()
        call_plain(problem, problem.t0, problem.y0, slopes)
        best = min(best, time.perf_counter() - began)
    return best > SLOW_CALL * problem.n
