"""What NumPy and math do with symbols: arrays of them, and stand-ins for functions and modules.

An array of symbols is an ndarray of objects whose ufuncs and functions are treated here.  What a
function makes itself, as np.zeros(3), would be an array of floats that cannot hold symbols: therefore
the function is run with stand-ins for the modules numpy and math (see _rebuild.py).  Nothing is
patched."""
from __future__ import annotations

import builtins
import cmath
import functools
import math
from typing import Any, Callable, Dict, List, Tuple

import numpy as np

from ._complex import ComplexSymbol, angle
from ._symbols import Condition, Symbol, TraceError, choose, extreme

# Mode of the arrays that a function makes of constants: as NumPy makes them, or of objects, so that
# symbols can be assigned to their entries afterwards.
KEEP_CONSTANTS, HOLD_SYMBOLS = 0, 1
EINSUM_MOST = 10_000  # products that are written out


def has_symbols(value: Any) -> bool:
    """Whether a value is a symbol, or contains some."""
    if isinstance(value, (Symbol, SymbolArray)):
        return True
    if isinstance(value, np.ndarray):
        return value.dtype == object and any(isinstance(v, Symbol) for v in value.flat)
    return isinstance(value, (list, tuple)) and any(has_symbols(v) for v in value)


def has_complex(value: Any) -> bool:
    """Whether there is a complex number among the entries."""
    return any(isinstance(v, (ComplexSymbol, complex, np.complexfloating)) for v in plain(value).flat)


def each(function: Callable[..., Any], *operands: Any) -> Any:
    """The function applied to the entries of its operands, by the rules of broadcasting."""
    if not any(isinstance(v, (np.ndarray, list, tuple)) for v in operands):
        return function(*operands)
    arrays = [plain(v) for v in operands]
    shape = np.broadcast(*arrays).shape if len(arrays) > 1 else arrays[0].shape
    out: Any = np.empty(shape, dtype=object)
    out.ravel()[:] = _objects([function(*row) for row in np.broadcast(*arrays)]
                              if len(arrays) > 1 else [function(v) for v in arrays[0].flat])
    return out.view(SymbolArray) if out.ndim else out.item()


def _objects(values: List[Any]) -> np.ndarray:
    out = np.empty(len(values), dtype=object)
    for i, value in enumerate(values):
        out[i] = value
    return out


def plain(value: Any) -> np.ndarray:
    """An ordinary array of objects."""
    if isinstance(value, np.ndarray):
        return value.view(np.ndarray) if value.dtype == object else value.astype(object)
    if isinstance(value, Symbol):
        out = np.empty((), dtype=object)
        out[()] = value
        return out
    return np.array(value, dtype=object)


def unary(name: str, function: Callable[[Any], Any]) -> Callable[..., Any]:
    """A function of one number, for symbols too."""
    def one(value: Any) -> Any:
        if isinstance(value, Symbol):
            return getattr(value, name)()
        return function(value if isinstance(value, complex) else float(value))

    def apply(value: Any, *unused: Any, **keywords: Any) -> Any:
        if not has_symbols(value):
            return function(_floats(value))
        return each(one, value)
    return apply


def _floats(value: Any) -> Any:
    if isinstance(value, np.ndarray) and value.dtype == object:
        is_complex = any(isinstance(v, (complex, np.complexfloating)) for v in value.flat)
        return value.astype(complex if is_complex else float).view(np.ndarray)
    return value


def _compare(op: str, function: Callable[..., Any]) -> Callable[..., Any]:
    forward = {"<": "__lt__", "<=": "__le__", ">": "__gt__", ">=": "__ge__"}
    backward = {"<": "__gt__", "<=": "__ge__", ">": "__lt__", ">=": "__le__"}

    def one(a: Any, b: Any) -> Any:
        if isinstance(a, Symbol):
            return getattr(a, forward[op])(b)
        return getattr(b, backward[op])(a) if isinstance(b, Symbol) else function(a, b)
    return lambda a, b, *unused, **keywords: each(one, a, b)


def _all_known(text: str) -> Callable[..., Any]:
    def refuse(*unused: Any, **keywords: Any) -> Any:
        raise TraceError(f"it uses {text} on unknowns")
    return refuse


def _and(a: Any, b: Any) -> Any:
    return (a & b) if isinstance(a, Symbol) or isinstance(b, Symbol) else bool(a) and bool(b)


def _or(a: Any, b: Any) -> Any:
    return (a | b) if isinstance(a, Symbol) or isinstance(b, Symbol) else bool(a) or bool(b)


def _not(a: Any) -> Any:
    return ~a if isinstance(a, Condition) else not a


def _power(a: Any, b: Any) -> Any:
    return a ** b


def _arctan2(a: Any, b: Any) -> Any:
    graph = a.graph if isinstance(a, Symbol) else b.graph if isinstance(b, Symbol) else None
    if graph is None:
        return math.atan2(a, b)
    return Symbol(graph, graph.node("atan2", graph.operand(a), graph.operand(b)))


def _hypot(a: Any, b: Any) -> Any:
    total = a * a + b * b
    return total.sqrt() if isinstance(total, Symbol) else math.sqrt(total)


def _heaviside(x: Any, half: Any) -> Any:
    return choose(x > 0.0, 1.0, choose(x < 0.0, 0.0, half)) if isinstance(x, Symbol) else float(
        np.heaviside(x, half))


UNARY_NAMES = ("sin cos tan arcsin arccos arctan sinh cosh tanh exp log log10 sqrt floor ceil sign"
               " absolute fabs square reciprocal log2 log1p expm1 exp2 deg2rad rad2deg arcsinh").split()
UFUNCS: Dict[Any, Callable[..., Any]] = {getattr(np, name): unary(name, getattr(np, name))
                                         for name in UNARY_NAMES}
UFUNCS.update({
    np.radians: unary("deg2rad", np.radians), np.degrees: unary("rad2deg", np.degrees),
    np.less: _compare("<", np.less), np.less_equal: _compare("<=", np.less_equal),
    np.greater: _compare(">", np.greater), np.greater_equal: _compare(">=", np.greater_equal),
    np.equal: _all_known("=="), np.not_equal: _all_known("!="),
    np.logical_and: lambda a, b, *u, **k: each(_and, a, b),
    np.logical_or: lambda a, b, *u, **k: each(_or, a, b),
    np.logical_not: lambda a, *u, **k: each(_not, a),
    np.bitwise_and: lambda a, b, *u, **k: each(_and, a, b),
    np.bitwise_or: lambda a, b, *u, **k: each(_or, a, b), np.invert: lambda a, *u, **k: each(_not, a),
    np.power: lambda a, b, *u, **k: each(_power, a, b),
    np.arctan2: lambda a, b, *u, **k: each(_arctan2, a, b),
    np.hypot: lambda a, b, *u, **k: each(_hypot, a, b),
    np.heaviside: lambda a, b, *u, **k: each(_heaviside, a, b),
    np.isfinite: lambda a, *u, **k: np.ones(np.shape(a), bool),
    np.isnan: lambda a, *u, **k: np.zeros(np.shape(a), bool),
    np.isinf: lambda a, *u, **k: np.zeros(np.shape(a), bool),
})


class SymbolArray(np.ndarray):
    """An array whose entries may be symbols."""

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **keywords: Any) -> Any:
        out = keywords.pop("out", None)
        if method == "__call__" and ufunc in UFUNCS:
            result = UFUNCS[ufunc](*inputs)
        else:
            result = getattr(ufunc, method)(*(plain(v) if isinstance(v, SymbolArray) else v
                                              for v in inputs), **keywords)
            if isinstance(result, np.ndarray):
                result = result.view(SymbolArray) if result.dtype == object else result
        if out is not None:
            np.ndarray.__setitem__(out[0], Ellipsis, result)
            return out[0]
        return result

    def __array_function__(self, function: Any, types: Any, args: Any, keywords: Any) -> Any:
        own = FUNCTIONS.get(function)
        if own is not None:
            return own(*args, **keywords)
        result = super().__array_function__(function, types, args, keywords)
        is_plain = type(result) is np.ndarray and result.dtype == object
        return result.view(SymbolArray) if is_plain else result

    @property
    def real(self) -> Any:  # type: ignore[override]
        return each(lambda value: value.real, self)

    @property
    def imag(self) -> Any:  # type: ignore[override]
        return each(lambda value: value.imag, self)

    def astype(self, dtype: Any, *args: Any, **keywords: Any) -> Any:  # type: ignore[override]
        if np.dtype(dtype).kind in "cO" or (np.dtype(dtype).kind == "f" and not has_complex(self)):
            return self.copy()
        raise TraceError(f"it converts unknowns to {np.dtype(dtype)}")

    def max(self, axis: Any = None, *args: Any, **keywords: Any) -> Any:  # type: ignore[override]
        return _reduce("max", self, axis)

    def min(self, axis: Any = None, *args: Any, **keywords: Any) -> Any:  # type: ignore[override]
        return _reduce("min", self, axis)

    def clip(self, low: Any = None, high: Any = None, *u: Any, **k: Any) -> Any:  # type: ignore[override]
        return clip(self, low, high)

    def fill(self, value: Any) -> None:
        self[...] = value


def _ufunc_of_symbols(self: Symbol, ufunc: Any, method: str, *inputs: Any, **keywords: Any) -> Any:
    """NumPy itself, called with a symbol: by a method of an object, say, which has no stand-ins."""
    return SymbolArray.__array_ufunc__(_objects([self]).view(SymbolArray), ufunc, method,
                                       *(plain(v) if isinstance(v, Symbol) and ufunc not in UFUNCS else v
                                         for v in inputs), **keywords)


def _function_of_symbols(self: Symbol, function: Any, types: Any, args: Any, keywords: Any) -> Any:
    own = FUNCTIONS.get(function) or getattr(function, "_implementation", None)
    return own(*args, **keywords) if own is not None else NotImplemented


setattr(Symbol, "__array_ufunc__", _ufunc_of_symbols)
setattr(Symbol, "__array_function__", _function_of_symbols)


def symbol_array(values: List[Any]) -> SymbolArray:
    """A vector of symbols."""
    return _objects(values).view(SymbolArray)


# ---- functions of NumPy ----

def _reduce(op: str, values: Any, axis: Any = None, **keywords: Any) -> Any:
    if isinstance(axis, tuple) or any(value is not None for value in keywords.values()):
        raise TraceError(f"it uses {op} with further arguments")
    entries = plain(values)
    entries = entries.reshape(-1) if axis is None else np.moveaxis(entries, axis, 0)
    return functools.reduce(lambda x, y: each(lambda a, b: extreme(op, a, b), x, y), entries)


def _with_reduce(op: str) -> Callable[..., Any]:
    def apply(a: Any, b: Any, *unused: Any, **keywords: Any) -> Any:
        return each(lambda x, y: extreme(op, x, y), a, b)
    apply.reduce = lambda values, axis=0, **k: _reduce(op, values, axis, **k)  # type: ignore[attr-defined]
    return apply


UFUNCS[np.maximum] = UFUNCS[np.fmax] = _with_reduce("max")
UFUNCS[np.minimum] = UFUNCS[np.fmin] = _with_reduce("min")


def clip(values: Any, low: Any = None, high: Any = None, *unused: Any, **keywords: Any) -> Any:
    result = values
    if low is not None:
        result = each(lambda x, y: extreme("max", x, y), result, low)
    if high is not None:
        result = each(lambda x, y: extreme("min", x, y), result, high)
    return result


def where(condition: Any, *branches: Any) -> Any:
    if len(branches) != 2:
        if has_symbols(condition):
            raise TraceError("it uses np.where with one argument on unknowns")
        return np.where(condition, *branches)
    return each(choose, condition, *branches)


def select(conditions: Any, choices: Any, default: Any = 0) -> Any:
    result = default
    for condition, value in reversed(list(zip(conditions, choices))):
        result = where(condition, value, result)
    return result


def piecewise(x: Any, conditions: Any, functions: Any, *args: Any, **keywords: Any) -> Any:
    value = lambda f: f(x, *args, **keywords) if callable(f) else f
    rest = list(functions)
    result = value(rest[len(conditions)]) if len(rest) > len(conditions) else 0.0
    for condition, function in reversed(list(zip(conditions, rest))):
        result = where(condition, value(function), result)
    return result


def determinant(matrix: Any) -> Any:
    """By cofactors, for small matrices: elimination would need pivots that are not known yet."""
    a = plain(matrix)
    n = len(a)
    if a.shape != (n, n) or n > 4:
        raise TraceError("it needs the determinant of a matrix larger than 4 x 4")
    if n == 1:
        return a[0, 0]
    keep = lambda k: np.delete(np.delete(a, 0, 0), k, 1)
    return builtins.sum((-1.0) ** k * (a[0, k] * determinant(keep(k))) for k in range(n))


def solve(matrix: Any, right: Any) -> Any:
    """Cramer's rule, for small matrices."""
    a, b = plain(matrix), plain(right)
    if not has_symbols(matrix):
        return (np.linalg.inv(a.astype(float)) @ b).view(SymbolArray)
    whole = determinant(a)
    columns = b.reshape(len(a), -1)
    out = np.empty(columns.shape, dtype=object)
    for j in range(columns.shape[1]):
        for i in range(len(a)):
            changed = a.copy()
            changed[:, i] = columns[:, j]
            out[i, j] = determinant(changed) / whole
    return out.reshape(b.shape).view(SymbolArray)


def inverse(matrix: Any) -> Any:
    return solve(matrix, np.eye(len(matrix)))


def norm(values: Any, order: Any = None, axis: Any = None, **keywords: Any) -> Any:
    if axis is not None or order not in (None, 2) or (order == 2 and np.ndim(values) != 1):
        raise TraceError("it uses a norm other than that of a vector")
    total = builtins.sum(v * v for v in plain(values).flat)
    return total.sqrt() if isinstance(total, Symbol) else math.sqrt(total)


def _like(function: Callable[..., Any], value: float) -> Callable[..., Any]:
    def make(values: Any, dtype: Any = None, *args: Any, **keywords: Any) -> Any:
        if dtype is not None and np.dtype(dtype).kind in "biu":
            return function(np.zeros(np.shape(values)), dtype, *args, **keywords)
        return held(np.full(np.shape(values), value))
    return make


def held(values: np.ndarray) -> SymbolArray:
    """An array of floats as one that can hold symbols."""
    return values.astype(object).view(SymbolArray)


def _angle(values: Any, deg: bool = False) -> Any:
    factor = 180.0 / math.pi if deg else 1.0
    return each(lambda value: angle(value) * factor, values)


def _common_type(*arrays: Any) -> Any:
    return np.float64


def _ravel(values: Any, *unused: Any) -> Any:
    return plain(values).ravel().view(SymbolArray)


def interp(x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None) -> Any:
    """Straight lines between points, as a sum of their changes of slope."""
    points, values = np.asarray(xp, float), np.asarray(fp, float)
    if period is not None or len(points) > 64 or len(points) < 2:
        raise TraceError("it uses np.interp with a period, or with more than 64 points")
    slopes = np.diff(values) / np.diff(points)

    def one(at: Any) -> Any:
        result: Any = values[-1] if right is None else right
        for k in range(len(slopes) - 1, -1, -1):
            line = values[k] + slopes[k] * (at - points[k])
            result = choose(at <= points[k + 1], line, result)
        return choose(at < points[0], values[0] if left is None else left, result)
    return each(one, x)


def einsum(subscripts: Any, *operands: Any, **keywords: Any) -> Any:
    """Sums of products by the letters of the indices, entry by entry."""
    if not isinstance(subscripts, str) or "." in subscripts:
        raise TraceError("it uses einsum with lists or with '...'")
    given, _, asked = subscripts.replace(" ", "").partition("->")
    letters, arrays = given.split(","), [plain(operand) for operand in operands]
    if "->" not in subscripts:
        asked = "".join(sorted(c for c in set(given) - {","} if given.count(c) == 1))
    sizes = {c: size for word, array in zip(letters, arrays) for c, size in zip(word, array.shape)}
    summed = sorted(set(sizes) - set(asked))
    if len(letters) != len(arrays) or math.prod(sizes.values()) > EINSUM_MOST:
        raise TraceError(f"it uses einsum with more than {EINSUM_MOST} products")

    def entry(place: Tuple[int, ...]) -> Any:
        total: Any = 0.0
        for inner in np.ndindex(*(sizes[c] for c in summed)):
            at = dict(zip([*asked, *summed], (*place, *inner)))
            total = total + math.prod(array[tuple(at[c] for c in word)]
                                      for word, array in zip(letters, arrays))
        return total
    out = np.empty([sizes[c] for c in asked], dtype=object)
    for place in np.ndindex(*out.shape):
        out[place] = entry(place)
    return out.view(SymbolArray) if out.ndim else out.item()


FUNCTIONS: Dict[Any, Callable[..., Any]] = {
    np.where: where, np.select: select, np.piecewise: piecewise, np.clip: clip,
    np.max: lambda v, axis=None, **k: _reduce("max", v, axis, **k),
    np.min: lambda v, axis=None, **k: _reduce("min", v, axis, **k),
    np.amax: lambda v, axis=None, **k: _reduce("max", v, axis, **k),
    np.amin: lambda v, axis=None, **k: _reduce("min", v, axis, **k),
    np.linalg.solve: solve, np.linalg.inv: inverse, np.linalg.det: determinant, np.linalg.norm: norm,
    np.einsum: einsum, np.zeros_like: _like(np.zeros_like, 0.0), np.ones_like: _like(np.ones_like, 1.0),
    np.empty_like: _like(np.empty_like, 0.0), np.common_type: _common_type, np.interp: interp,
    np.result_type: _common_type, np.iscomplexobj: has_complex,
    np.isrealobj: lambda v: not has_complex(v), np.real: lambda v: each(lambda entry: entry.real, v),
    np.imag: lambda v: each(lambda entry: entry.imag, v), np.angle: _angle}


# ---- modules ----

class Module:
    """A stand-in for a module: its own functions, and those of the module for the rest."""

    def __init__(self, module: Any, own: Dict[str, Any]) -> None:
        self.__dict__.update(own)
        self._module = module

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._module, name)
        return STANDINS.get(id(value), value) if callable(value) else value


def _maker(function: Callable[..., Any]) -> Callable[..., Any]:
    """np.zeros and the like: an array that can hold symbols, unless it is one of integers."""
    def make(*args: Any, **keywords: Any) -> Any:
        dtype = keywords.get("dtype", args[-1] if len(args) > 1 and isinstance(args[-1], type) else None)
        if dtype is not None and np.dtype(dtype).kind in "biu":
            return function(*args, **keywords)
        if dtype is not None and np.dtype(dtype) == object:
            keywords["dtype"] = float
            args = tuple(a for a in args if a is not object)
        return held(function(*args, **keywords))
    return make


def _full(shape: Any, value: Any, *args: Any, **keywords: Any) -> Any:
    out = held(np.zeros(shape))
    out[...] = value
    return out


def _converter(function: Callable[..., Any], mode: int) -> Callable[..., Any]:
    """np.array and the like."""
    def convert(value: Any, *args: Any, **keywords: Any) -> Any:
        if has_symbols(value):
            entries = plain(value)
            if any(isinstance(v, np.ndarray) for v in entries.flat):
                entries = np.array([plain(v) for v in value], dtype=object)
            return entries.copy().view(SymbolArray)
        result = function(value, *args, **keywords)
        return held(result) if mode == HOLD_SYMBOLS and result.dtype.kind == "f" else result
    return convert


def _joiner(function: Callable[..., Any]) -> Callable[..., Any]:
    """np.concatenate and the like: lists of symbols and arrays become one array of symbols."""
    def join(parts: Any, *args: Any, **keywords: Any) -> Any:
        if not has_symbols(list(parts) if isinstance(parts, np.ndarray) else parts):
            return function(parts, *args, **keywords)
        keywords.pop("dtype", None)
        return function([plain(part) for part in parts], *args, **keywords).view(SymbolArray)
    return join


def _block(parts: Any) -> Any:
    """np.block, of lists in lists."""
    if not has_symbols(parts):
        return np.block(parts)
    leaves = lambda part: [leaves(p) for p in part] if isinstance(part, list) else plain(part)
    return np.block(leaves(parts)).view(SymbolArray)


def _append(a: Any, b: Any, axis: Any = None) -> Any:
    if not (has_symbols(a) or has_symbols(b)):
        return np.append(a, b, axis)
    return np.append(plain(a), plain(b), axis).view(SymbolArray)


def _sum(values: Any, *args: Any, **keywords: Any) -> Any:
    return np.sum(plain(values) if has_symbols(values) else values, *args, **keywords)


def _float(value: Any = 0.0) -> Any:
    return value if isinstance(value, Symbol) else float(value)


def _extreme_of(op: str) -> Callable[..., Any]:
    """The built-in functions max and min."""
    original = {"max": builtins.max, "min": builtins.min}[op]

    def apply(*args: Any, **keywords: Any) -> Any:
        values = list(args[0]) if len(args) == 1 else list(args)
        if keywords or not any(isinstance(v, Symbol) for v in values):
            return original(*args, **keywords)
        return _reduce(op, _objects(values))
    return apply


def _scalar(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    def apply(value: Any) -> Any:
        return getattr(value, name)() if isinstance(value, Symbol) else function(value)
    return apply


MATH_NAMES = {"sin": "sin", "cos": "cos", "tan": "tan", "asin": "arcsin", "acos": "arccos",
              "atan": "arctan", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh", "exp": "exp",
              "log10": "log10", "sqrt": "sqrt", "floor": "floor", "ceil": "ceil", "fabs": "absolute",
              "log2": "log2", "log1p": "log1p", "expm1": "expm1", "radians": "deg2rad",
              "degrees": "rad2deg", "asinh": "arcsinh"}


def _log(value: Any, base: Any = None) -> Any:
    result = value.log() if isinstance(value, Symbol) else math.log(value)
    return result if base is None else result / _log(base)


MATH_OWN: Dict[str, Callable[..., Any]] = {
    name: _scalar(method, getattr(math, name)) for name, method in MATH_NAMES.items()}
MATH_OWN.update(
    log=_log, pow=_power, atan2=_arctan2, hypot=_hypot,
    isnan=lambda v: False if isinstance(v, Symbol) else math.isnan(v),
    isfinite=lambda v: True if isinstance(v, Symbol) else math.isfinite(v),
    isinf=lambda v: False if isinstance(v, Symbol) else math.isinf(v),
    fsum=lambda values: builtins.sum(values))


def _scalar_of_complex(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    def apply(value: Any) -> Any:
        if not isinstance(value, Symbol):
            return function(value)
        return getattr(value.as_complex(), name)()
    return apply


CMATH_OWN: Dict[str, Callable[..., Any]] = dict(
    exp=_scalar_of_complex("exp", cmath.exp), log=_scalar_of_complex("log", cmath.log), phase=angle,
    polar=lambda z: (abs(z), angle(z)), rect=lambda r, phi: r * CMATH_OWN["exp"](1j * phi))


def _numpy_own(mode: int) -> Dict[str, Any]:
    own: Dict[str, Any] = {ufunc.__name__: function for ufunc, function in UFUNCS.items()}
    own.update({function.__name__: value for function, value in FUNCTIONS.items()
                if function.__module__ == "numpy"})
    own.update(abs=own["absolute"], max=FUNCTIONS[np.max], min=FUNCTIONS[np.min], pow=own["power"])
    own.update({name: _maker(getattr(np, name)) for name in ("zeros", "ones", "empty")})
    own.update({name: _converter(getattr(np, name), mode)
                for name in ("array", "asarray", "asanyarray", "ascontiguousarray")})
    own.update({name: _joiner(getattr(np, name))
                for name in ("concatenate", "hstack", "vstack", "stack", "column_stack")})
    own.update(full=_full, append=_append, block=_block, sum=_sum, float64=_float, float_=_float,
               ravel=_ravel, einsum=solve_or(np.einsum, einsum))
    own["linalg"] = Module(np.linalg, dict(solve=solve_or(np.linalg.solve, solve),
                                           inv=solve_or(np.linalg.inv, inverse),
                                           det=solve_or(np.linalg.det, determinant),
                                           norm=solve_or(np.linalg.norm, norm)))
    return own


def solve_or(original: Callable[..., Any], own: Callable[..., Any]) -> Callable[..., Any]:
    """The function of NumPy for numbers, ours for symbols."""
    def apply(*args: Any, **keywords: Any) -> Any:
        return (own if any(has_symbols(a) for a in args) else original)(*(_floats(a) for a in args) if not
                any(has_symbols(a) for a in args) else args, **keywords)
    return apply


STANDINS: Dict[int, Any] = {}


def standins(mode: int) -> Dict[int, Any]:
    """Stand-ins by the identity of what they stand for: modules, functions of modules, built-ins."""
    own = _numpy_own(mode)
    modules = {id(np): Module(np, own), id(math): Module(math, MATH_OWN), id(np.linalg): own["linalg"],
               id(cmath): Module(cmath, CMATH_OWN)}
    table: Dict[int, Any] = {id(getattr(np, name)): value for name, value in own.items()
                             if hasattr(np, name)}
    table.update({id(getattr(math, name)): value for name, value in MATH_OWN.items()})
    table.update({id(getattr(cmath, name)): value for name, value in CMATH_OWN.items()})
    table.update({id(getattr(np.linalg, name)): getattr(own["linalg"], name)
                  for name in ("solve", "inv", "det", "norm")})
    table.update({id(builtins.max): _extreme_of("max"), id(builtins.min): _extreme_of("min"),
                  id(builtins.float): _float})
    table.update(modules)
    return table
