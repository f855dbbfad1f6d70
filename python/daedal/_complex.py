"""Complex numbers that are not known yet: pairs of real parts on the graph of expressions.

What has no formula here, as comparisons and inverse functions, asks for `number` and is refused."""
from __future__ import annotations

import math
from typing import Any, Callable, Tuple

from ._symbols import Graph, Symbol, TraceError

POWER_MOST = 16  # integer powers up to it are written as products


def parts(value: Any) -> Tuple[Any, Any]:
    """The real and the imaginary part of a number or symbol."""
    if isinstance(value, ComplexSymbol):
        return value.real, value.imag
    if isinstance(value, Symbol):
        return value, 0.0
    value = complex(value)
    return value.real, value.imag


def _real_function(name: str, function: Callable[[float], float], value: Any) -> Any:
    return getattr(value, name)() if isinstance(value, Symbol) else function(value)


def angle(value: Any) -> Any:
    """The argument of a number or symbol."""
    re, im = parts(value)
    graph = re.graph if isinstance(re, Symbol) else im.graph if isinstance(im, Symbol) else None
    if graph is None:
        return math.atan2(im, re)
    return Symbol(graph, graph.node("atan2", graph.operand(im), graph.operand(re)))


def _arithmetic(operation: Callable[[Any, Any, Any, Any], Tuple[Any, Any]]) -> Any:
    """The methods of an operation whose parts are those of two operands, and its reverse."""
    def forward(self: "ComplexSymbol", other: Any) -> Any:
        return self._result(operation, self, other)

    def reverse(self: "ComplexSymbol", other: Any) -> Any:
        return self._result(operation, other, self)
    return forward, reverse


def _multiply(a: Any, b: Any, c: Any, d: Any) -> Tuple[Any, Any]:
    return a * c - b * d, a * d + b * c


def _divide(a: Any, b: Any, c: Any, d: Any) -> Tuple[Any, Any]:
    if not isinstance(d, Symbol) and d == 0.0:
        return a / c, b / c
    size = c * c + d * d
    return (a * c + b * d) / size, (b * c - a * d) / size


class ComplexSymbol(Symbol):
    """A complex number that is not known yet."""

    __slots__ = ("_re", "_im")

    def __init__(self, graph: Graph, re: Any, im: Any) -> None:
        self.graph = graph
        self._re, self._im = re, im

    @property
    def number(self) -> int:  # type: ignore[override]
        raise TraceError("it computes with complex numbers in a way that has no real formula here")

    @property
    def real(self) -> Any:
        return self._re

    @property
    def imag(self) -> Any:
        return self._im

    def _result(self, operation: Callable[[Any, Any, Any, Any], Tuple[Any, Any]], a: Any, b: Any) -> Any:
        for operand in (a, b):
            if getattr(operand, "ndim", 0) > 0:
                return NotImplemented
            if not isinstance(operand, Symbol) and not hasattr(operand, "__complex__") and not hasattr(
                    operand, "__float__"):
                return NotImplemented
        return ComplexSymbol(self.graph, *operation(*parts(a), *parts(b)))

    __add__, __radd__ = _arithmetic(lambda a, b, c, d: (a + c, b + d))
    __sub__, __rsub__ = _arithmetic(lambda a, b, c, d: (a - c, b - d))
    __mul__, __rmul__ = _arithmetic(_multiply)
    __truediv__, __rtruediv__ = _arithmetic(_divide)

    def _refuse_operation(self, *unused: Any) -> Any:
        return self.number

    __mod__ = __rmod__ = _refuse_operation

    def __pow__(self, other: Any, modulus: Any = None) -> Any:
        if getattr(other, "ndim", 0) > 0:
            return NotImplemented
        if modulus is not None or isinstance(other, Symbol) or abs(complex(other)) > POWER_MOST:
            raise TraceError("it takes a power of a complex number that has no real formula here")
        if other != int(complex(other).real):
            return (self.log() * other).exp()
        result: Any = 1.0
        for _ in range(abs(int(other))):
            result = self * result
        return result if other >= 0 else 1.0 / result

    def __rpow__(self, other: Any) -> Any:
        if isinstance(other, Symbol) or isinstance(other, complex) or not other > 0.0:
            raise TraceError("it takes a complex power of a number that is not known to be positive")
        return (self * math.log(other)).exp()

    def __neg__(self) -> "ComplexSymbol":
        return ComplexSymbol(self.graph, -self._re, -self._im)

    def __abs__(self) -> Any:
        return _real_function("sqrt", math.sqrt, self._re * self._re + self._im * self._im)

    absolute = __abs__

    def conjugate(self) -> "ComplexSymbol":
        return ComplexSymbol(self.graph, self._re, -self._im)

    conj = conjugate

    def exp(self) -> "ComplexSymbol":
        size = _real_function("exp", math.exp, self._re)
        return ComplexSymbol(self.graph, size * _real_function("cos", math.cos, self._im),
                             size * _real_function("sin", math.sin, self._im))

    def log(self) -> "ComplexSymbol":
        return ComplexSymbol(self.graph, _real_function("log", math.log, abs(self)), angle(self))

    def square(self) -> Any:
        return self * self

    def reciprocal(self) -> Any:
        return 1.0 / self

    def __repr__(self) -> str:
        return f"ComplexSymbol({self._re!r}, {self._im!r})"


def complex_of(graph: Graph, value: Any) -> ComplexSymbol:
    """A number or symbol as a complex symbol."""
    return ComplexSymbol(graph, *parts(value))
