"""Matrices of scipy.sparse in functions that are run with symbols: their products with symbols.

SciPy converts the other operand to numbers.  A stand-in writes the sums out; everything else is done by
the matrix itself."""
from __future__ import annotations

from typing import Any

import numpy as np

from ._arrays import is_sparse
from ._standins import SymbolArray, has_symbols, held, plain
from ._symbols import TraceError


class SparseMatrix:
    """A stand-in for a sparse matrix of numbers."""

    __array_ufunc__ = None  # v @ A is for __rmatmul__

    def __init__(self, matrix: Any) -> None:
        self._matrix = matrix

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._matrix, name)
        return _again(value) if not callable(value) or is_sparse(value) else _Method(value)

    def __getitem__(self, place: Any) -> Any:
        return _again(self._matrix[place])

    def dot(self, other: Any) -> Any:
        other = _given(other)
        return _product(self._matrix, other) if has_symbols(other) else _again(self._matrix.dot(other))

    __matmul__ = dot

    def __rmatmul__(self, other: Any) -> Any:
        if has_symbols(other):
            return _product(self._matrix.T, plain(other).T).T
        return _again(np.asarray(other) @ self._matrix)

    def __mul__(self, other: Any) -> Any:
        """The product of matrices; of SciPy's sparse arrays that of the entries."""
        if not has_symbols(other):
            return _again(self._matrix * _given(other))
        if np.ndim(other) == 0:
            return held(self._matrix.toarray()) * other
        if type(self._matrix).__name__.endswith("array"):
            raise TraceError("it multiplies a sparse array by an array with *")
        return self.dot(other)

    def __rmul__(self, other: Any) -> Any:
        if np.ndim(other) > 0 and has_symbols(other):
            raise TraceError("it multiplies an array by a sparse matrix with *")
        return held(self._matrix.toarray()) * other if has_symbols(other) else _again(other * self._matrix)

    def __add__(self, other: Any) -> Any:
        if has_symbols(other):
            return held(self._matrix.toarray()) + other
        return _again(self._matrix + _given(other))

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self + (-other)

    def __rsub__(self, other: Any) -> Any:
        return (-self) + other

    def __neg__(self) -> Any:
        return SparseMatrix(-self._matrix)

    def __truediv__(self, other: Any) -> Any:
        if has_symbols(other):
            return held(self._matrix.toarray()) / other
        return _again(self._matrix / other)


class _Method:
    """A method of a sparse matrix, whose result may be one."""

    def __init__(self, method: Any) -> None:
        self.method = method

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        if any(has_symbols(value) for value in (*args, *keywords.values())):
            raise TraceError(f"it gives unknowns to {self.method.__name__} of a sparse matrix")
        return _again(self.method(*(_given(value) for value in args), **keywords))


def _given(value: Any) -> Any:
    return value._matrix if isinstance(value, SparseMatrix) else value


def _again(value: Any) -> Any:
    return SparseMatrix(value) if is_sparse(value) else value


def _product(matrix: Any, right: Any) -> Any:
    """matrix @ right, of an array of symbols with one or two dimensions."""
    rows, entries = matrix.tocsr(), plain(right)
    if entries.ndim not in (1, 2) or entries.shape[0] != rows.shape[1]:
        raise TraceError(f"it multiplies a sparse matrix of shape {rows.shape} by an array of shape "
                         f"{entries.shape}")
    columns = entries.reshape(len(entries), -1)
    out = np.empty((rows.shape[0], columns.shape[1]), dtype=object)
    for i in range(rows.shape[0]):
        inside = slice(rows.indptr[i], rows.indptr[i + 1])
        terms = list(zip(rows.data[inside].tolist(), rows.indices[inside].tolist()))
        for j in range(columns.shape[1]):
            out[i, j] = sum((value * columns[k, j] for value, k in terms), 0.0)
    return out.reshape(rows.shape[0], *entries.shape[1:]).view(SymbolArray)
