"""Symbols: numbers that remember how they were computed, on one graph of expressions."""
from __future__ import annotations

import math
from typing import Any, Callable, Dict, List, Tuple

import numpy as np


class TraceError(Exception):
    """A function cannot be run with symbols; the text says why."""


class Graph:
    """Expressions by number, each once; operands have smaller numbers."""

    def __init__(self) -> None:
        self.nodes: List[Tuple[Any, ...]] = []
        self._known: Dict[Tuple[Any, ...], int] = {}

    def node(self, *key: Any) -> int:
        """The number of an expression: an operation and the numbers of its operands, ("number", value)
        or ("symbol", text)."""
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = len(self.nodes)
            self.nodes.append(key)
        return found

    def symbol(self, text: str) -> "Symbol":
        """A variable, parameter or the time; `text` is how it is written."""
        return Symbol(self, self.node("symbol", text))

    def number(self, value: Any) -> int:
        """A constant; TraceError if it is none, or not finite."""
        if type(value) is not float:
            if isinstance(value, (complex, np.complexfloating)):
                raise TraceError("it computes with complex numbers")
            if not isinstance(value, (int, float, np.floating, np.integer, np.bool_)):
                if isinstance(value, np.ndarray) and value.size == 1:
                    return self.operand(value.item())
                raise TraceError(f"it combines unknowns with {type(value).__name__}")
            value = float(value)
        if not math.isfinite(value):
            raise TraceError(f"it computes with {value}")
        return self.node("number", value)

    def operand(self, value: Any) -> int:
        """The number of an operand: a symbol or a constant."""
        return value.number if isinstance(value, Symbol) else self.number(value)

    def constant(self, number: int) -> Any:
        """The value of a constant node, or None."""
        node = self.nodes[number]
        return node[1] if node[0] == "number" else None


COMPLEX = (complex, np.complexfloating)
NAMES = {"+": "add", "-": "sub", "*": "mul", "/": "truediv", "mod": "mod", "^": "pow"}


def _is_elsewhere(other: Any, method: str) -> bool:
    """Whether an operation belongs to the other operand: an array, or an object that has a method for it."""
    if isinstance(other, np.ndarray):
        return other.ndim > 0
    return not isinstance(other, (Symbol, float, int, np.generic)) and hasattr(type(other), method)


def _binary(op: str) -> Tuple[Callable[..., Any], Callable[..., Any]]:
    forward_name, reverse_name = f"__{NAMES.get(op)}__", f"__r{NAMES.get(op)}__"

    def forward(self: "Symbol", other: Any) -> Any:
        if isinstance(other, COMPLEX):
            return getattr(self.as_complex(), forward_name)(other)
        if _is_elsewhere(other, reverse_name):
            return NotImplemented
        return self._combine(op, self.number, self.graph.operand(other))

    def reverse(self: "Symbol", other: Any) -> Any:
        if isinstance(other, COMPLEX):
            return getattr(self.as_complex(), reverse_name)(other)
        if isinstance(other, np.ndarray) and other.ndim > 0:
            return NotImplemented
        return self._combine(op, self.graph.operand(other), self.number)
    return forward, reverse


def _relation(op: str) -> Callable[..., Any]:
    reverse_name = {"<": "__gt__", "<=": "__ge__", ">": "__lt__", ">=": "__le__"}[op]

    def compare(self: "Symbol", other: Any) -> Any:
        if _is_elsewhere(other, reverse_name):
            return NotImplemented
        return Condition(self.graph, self.graph.node(op, self.number, self.graph.operand(other)))
    return compare


def _unary(op: str) -> Callable[..., Any]:
    def method(self: "Symbol", *unused: Any) -> "Symbol":
        return Symbol(self.graph, self.graph.node(op, self.number))
    return method


class Symbol:
    """A real number that is not known yet."""

    __slots__ = ("graph", "number")
    shape: Tuple[int, ...] = ()
    ndim, size = 0, 1

    def __init__(self, graph: Graph, number: int) -> None:
        self.graph, self.number = graph, number

    def _combine(self, op: str, left: int, right: int) -> Any:
        """Simplify what would disturb the structure: + 0, * 0, * 1, / 1, ^ 1."""
        graph = self.graph
        a, b = graph.constant(left), graph.constant(right)
        if a is not None and b is not None:
            return Symbol(graph, graph.number(EVALUATE[op](a, b)))
        if (a == 0.0 and op == "+") or (a == 1.0 and op == "*"):
            return Symbol(graph, right)
        if (b == 0.0 and op in "+-") or (b == 1.0 and op in "*/^"):
            return Symbol(graph, left)
        if op == "*" and (a == 0.0 or b == 0.0):
            return Symbol(graph, graph.number(0.0))
        if op == "^" and b == 0.0:
            return Symbol(graph, graph.number(1.0))
        return Symbol(graph, graph.node(op, left, right))

    __add__, __radd__ = _binary("+")
    __sub__, __rsub__ = _binary("-")
    __mul__, __rmul__ = _binary("*")
    __truediv__, __rtruediv__ = _binary("/")
    __mod__, __rmod__ = _binary("mod")
    _power, __rpow__ = _binary("^")
    arctan2, _ = _binary("atan2")
    __lt__, __le__, __gt__, __ge__ = (_relation(op) for op in ("<", "<=", ">", ">="))

    def __pow__(self, other: Any, modulus: Any = None) -> Any:
        if modulus is not None:
            raise TraceError("it calls pow with three arguments")
        return self._power(other)

    def __eq__(self, other: object) -> Any:
        raise TraceError("it compares a value with == or !=")

    __ne__ = __eq__

    def __hash__(self) -> int:
        return id(self)

    def __neg__(self) -> "Symbol":
        value = self.graph.constant(self.number)
        if value is not None:
            return Symbol(self.graph, self.graph.number(-value))
        return Symbol(self.graph, self.graph.node("neg", self.number))

    def __pos__(self) -> "Symbol":
        return self

    __abs__ = absolute = fabs = _unary("abs")
    sin, cos, tan = _unary("sin"), _unary("cos"), _unary("tan")
    arcsin, arccos, arctan = _unary("asin"), _unary("acos"), _unary("atan")
    sinh, cosh, tanh = _unary("sinh"), _unary("cosh"), _unary("tanh")
    exp, log, log10, sqrt = _unary("exp"), _unary("log"), _unary("log10"), _unary("sqrt")
    floor, ceil, sign = _unary("floor"), _unary("ceil"), _unary("sign")
    __floor__, __ceil__ = floor, ceil

    def square(self) -> "Symbol":
        return self * self

    def reciprocal(self) -> "Symbol":
        return 1.0 / self

    def log2(self) -> "Symbol":
        return self.log() / math.log(2.0)

    def log1p(self) -> "Symbol":
        return (self + 1.0).log()

    def expm1(self) -> "Symbol":
        return self.exp() - 1.0

    def exp2(self) -> "Symbol":
        return 2.0 ** self

    def hypot(self, other: Any) -> "Symbol":
        return (self * self + other * other).sqrt()

    def deg2rad(self) -> "Symbol":
        return self * (math.pi / 180.0)

    def rad2deg(self) -> "Symbol":
        return self * (180.0 / math.pi)

    def arcsinh(self) -> "Symbol":
        return (self + (self * self + 1.0).sqrt()).log()

    def conjugate(self) -> "Symbol":
        return self

    conj = conjugate

    def copy(self) -> "Symbol":
        return self

    def item(self) -> "Symbol":
        return self

    @property
    def real(self) -> Any:
        return self

    @property
    def imag(self) -> Any:
        return 0.0

    def as_complex(self) -> Any:
        """This number with an imaginary part, which is zero."""
        from ._complex import complex_of
        return complex_of(self.graph, self)

    @property
    def T(self) -> "Symbol":
        return self

    def _refuse(self, *unused: Any) -> Any:
        raise TraceError("it needs the number behind an unknown (float(), int(), an index, or a"
                         " function that is not NumPy's)")

    __float__ = __int__ = __index__ = __complex__ = __round__ = __trunc__ = _refuse

    def __bool__(self) -> bool:
        raise TraceError("it branches on a value (np.where can be used instead of if)")

    def __repr__(self) -> str:
        return f"Symbol({self.graph.nodes[self.number]})"


class Condition(Symbol):
    """A relation between symbols: true or false, which is not known yet."""

    __slots__ = ()

    def _logic(self, op: str, other: Any) -> Any:
        if isinstance(other, np.ndarray) and other.ndim > 0:
            return NotImplemented
        if isinstance(other, (bool, np.bool_)):
            keeps = bool(other) == (op == "and")
            return self if keeps else bool(other)
        if not isinstance(other, Condition):
            raise TraceError("it combines a condition with a number")
        return Condition(self.graph, self.graph.node(op, self.number, other.number))

    def __and__(self, other: Any) -> Any:
        return self._logic("and", other)

    def __or__(self, other: Any) -> Any:
        return self._logic("or", other)

    __rand__, __ror__ = __and__, __or__

    def __invert__(self) -> "Condition":
        return Condition(self.graph, self.graph.node("not", self.number))

    def as_number(self) -> Symbol:
        """1 where it is true, else 0: what arithmetic makes of it."""
        return choose(self, 1.0, 0.0)

    def _arithmetic(name: str) -> Any:  # type: ignore[misc]
        def method(self: "Condition", other: Any) -> Any:
            return getattr(self.as_number(), name)(other)
        return method

    for _name in ("add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv"):
        locals()[f"__{_name}__"] = _arithmetic(f"__{_name}__")
    del _name, _arithmetic


def choose(condition: Any, yes: Any, no: Any) -> Any:
    """`yes` where the condition holds, else `no`."""
    if not isinstance(condition, Symbol):
        return yes if condition else no
    if not isinstance(condition, Condition):
        raise TraceError("it takes a number for a condition")
    graph = condition.graph
    yes, no = (v.as_number() if isinstance(v, Condition) else v for v in (yes, no))
    return Symbol(graph, graph.node("if", condition.number, graph.operand(yes), graph.operand(no)))


def extreme(op: str, a: Any, b: Any) -> Any:
    """The smaller or larger of two values, op "min" or "max"."""
    graph = a.graph if isinstance(a, Symbol) else b.graph if isinstance(b, Symbol) else None
    if graph is None:
        return min(a, b) if op == "min" else max(a, b)
    return Symbol(graph, graph.node(op, graph.operand(a), graph.operand(b)))


# ---- values ----

def _power(a: float, b: float) -> float:
    try:
        value = a ** b
    except ZeroDivisionError:
        return math.inf
    except OverflowError:
        return math.inf
    return value if isinstance(value, float) else math.nan


def _divide(a: float, b: float) -> float:
    if b:
        return a / b
    return math.nan if a == 0.0 or a != a else math.copysign(math.inf, a) * math.copysign(1.0, b)


def _log(function: Callable[[float], float]) -> Callable[[float], float]:
    def value(x: float) -> float:
        return function(x) if x > 0.0 else -math.inf if x == 0.0 else math.nan
    return value


def _safe(function: Callable[[float], float]) -> Callable[[float], float]:
    def value(x: float) -> float:
        try:
            return function(x)
        except OverflowError:
            return math.inf
        except ValueError:
            return math.nan
    return value


EVALUATE: Dict[str, Callable[..., Any]] = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": _divide,
    "^": _power, "mod": lambda a, b: math.nan if b == 0.0 else a % b, "neg": lambda a: -a,
    "atan2": math.atan2, "abs": abs, "sin": _safe(math.sin), "cos": _safe(math.cos),
    "tan": _safe(math.tan), "asin": _safe(math.asin), "acos": _safe(math.acos), "atan": math.atan,
    "sinh": _safe(math.sinh), "cosh": _safe(math.cosh), "tanh": math.tanh, "exp": _safe(math.exp),
    "log": _log(math.log), "log10": _log(math.log10),
    "sqrt": lambda x: math.sqrt(x) if x >= 0.0 else math.nan,
    "floor": lambda x: float(math.floor(x)) if math.isfinite(x) else x,
    "ceil": lambda x: float(math.ceil(x)) if math.isfinite(x) else x,
    "sign": lambda x: float((x > 0.0) - (x < 0.0)), "min": min, "max": max,
    "<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b, "and": lambda a, b: a and b, "or": lambda a, b: a or b,
    "not": lambda a: not a, "if": lambda c, a, b: a if c else b}


def evaluate(graph: Graph, values: Dict[str, float]) -> List[float]:
    """The values of all nodes, from those of the symbols."""
    found: List[Any] = []
    append = found.append
    for node in graph.nodes:
        op = node[0]
        if op == "number":
            append(node[1])
        elif op == "symbol":
            append(values[node[1]])
        elif len(node) == 3:
            append(EVALUATE[op](found[node[1]], found[node[2]]))
        elif len(node) == 2:
            append(EVALUATE[op](found[node[1]]))
        else:
            append(EVALUATE[op](found[node[1]], found[node[2]], found[node[3]]))
    return found


PYTHON = {"+": "{} + {}", "-": "{} - {}", "*": "{} * {}", "neg": "-{}", "<": "{} < {}", "<=": "{} <= {}",
          ">": "{} > {}", ">=": "{} >= {}", "and": "({} and {})", "or": "({} or {})", "not": "(not {})",
          "if": "({1} if {0} else {2})"}


def compile_graph(graph: Graph, symbols: List[str], outputs: List[int]) -> Callable[[List[float]], Any]:
    """A Python function of the values of the symbols, in this order, that returns the outputs: faster
    than `evaluate`, where it is called often."""
    place = {text: k for k, text in enumerate(symbols)}
    lines = ["def values(x):"]
    names: List[str] = []
    for k, node in enumerate(graph.nodes):
        op = node[0]
        if op == "symbol":
            names.append(f"x[{place[node[1]]}]")
        elif op == "number":
            names.append(f"({node[1]!r})")
        else:
            operands = [names[operand] for operand in node[1:]]
            call = PYTHON[op].format(*operands) if op in PYTHON else f"f[{op!r}]({', '.join(operands)})"
            names.append(f"v{k}")
            lines.append(f"    v{k} = {call}")
    lines.append(f"    return [{', '.join(names[k] for k in outputs)}]")
    space: Dict[str, Any] = {"f": EVALUATE}
    exec("\n".join(lines), space)  # the text consists of the operations above and of numbers
    compiled: Callable[[List[float]], Any] = space["values"]
    return compiled


# ---- text ----

LEVEL = {"or": 1, "and": 2, "not": 3, "<": 4, "<=": 4, ">": 4, ">=": 4, "+": 5, "-": 5, "neg": 5,
         "*": 6, "/": 6, "^": 7}
ATOM = 8


def write(graph: Graph, outputs: List[int], length_most: int) -> Tuple[List[str], List[Tuple[str, str]]]:
    """Expressions as text.  Parts that occur often and are long get names of their own where the text
    would become longer than `length_most`: the second result are their names and texts."""
    lengths = _lengths(graph)
    if sum(lengths[number] for number in outputs) <= length_most:
        texts = _write(graph, {})
        return [texts[number] for number in outputs], []
    shared = _shared(graph)
    texts = _write(graph, shared)
    parts = [(name, texts[number]) for number, name in shared.items()]
    return [shared.get(number, texts[number]) for number in outputs], parts


def _lengths(graph: Graph) -> List[int]:
    """About how long the text of each node would be, with all its operands written out."""
    found: List[int] = []
    for node in graph.nodes:
        found.append(12 if node[0] in ("number", "symbol")
                     else 6 + sum(found[operand] for operand in node[1:]))
    return found


def _shared(graph: Graph) -> Dict[int, str]:
    """Names for expressions that are used more than once."""
    uses = [0] * len(graph.nodes)
    for node in graph.nodes:
        if node[0] not in ("number", "symbol"):
            for operand in node[1:]:
                uses[operand] += 1
    relations = ("<", "<=", ">", ">=", "and", "or", "not", "number", "symbol", "neg")
    return {i: f"'part {i}'" for i, node in enumerate(graph.nodes)
            if uses[i] > 1 and node[0] not in relations}


def _write(graph: Graph, names: Dict[int, str]) -> List[str]:
    texts: List[str] = []
    levels: List[int] = []
    length = 0
    for node in graph.nodes:
        text, level = _text(node, texts, levels, names)
        length += len(text)
        if length > 40_000_000:
            raise TraceError("its expressions are too long")
        texts.append(text)
        levels.append(level)
    return texts


def _text(node: Tuple[Any, ...], texts: List[str], levels: List[int],
          names: Dict[int, str]) -> Tuple[str, int]:
    op = node[0]
    if op == "symbol":
        return node[1], ATOM
    if op == "number":
        text = repr(node[1])
        return (f"({text})", ATOM) if text[0] == "-" else (text, ATOM)

    def operand(k: int, least: int) -> str:
        if k in names:
            return names[k]
        return texts[k] if levels[k] >= least else f"({texts[k]})"
    level = LEVEL.get(op)
    if op == "if":
        return f"(if {operand(node[1], 1)} then {operand(node[2], 1)} else {operand(node[3], 1)})", ATOM
    if op == "neg":
        return f"-{operand(node[1], 6)}", 5
    if op == "not":
        return f"not {operand(node[1], ATOM)}", 3
    if level is None:
        return f"{op}({', '.join(operand(k, 1) for k in node[1:])})", ATOM
    left = ATOM if op == "^" else level + 1 if level == 4 else level
    return f"{operand(node[1], left)} {op} {operand(node[2], level + 1)}", level
