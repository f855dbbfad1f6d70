"""Jacobians and mass matrices that users give, as the extension takes them."""
from __future__ import annotations

from typing import Any, Callable, Dict, Optional, Tuple

import numpy as np

from ._arrays import as_doubles, entry_keys, is_sparse, pattern_of, union

MASS_CONSTANT, MASS_OF_TIME, MASS_OF_STATE = 0, 1, 2
Pattern = Tuple[np.ndarray, np.ndarray]


class Scatter:
    """Writes matrices into the values of a pattern, or of a full matrix by columns."""

    def __init__(self, n: int, pattern: Optional[Pattern], what: str) -> None:
        self.n, self.what = n, what
        self.keys = None if pattern is None else entry_keys(n, pattern)
        self.count = n * n if pattern is None else len(pattern[1])
        self._seen: Optional[Tuple[np.ndarray, np.ndarray, np.ndarray]] = None

    def _places(self, starts: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Where the entries of a compressed matrix stand; remembered for the next matrix."""
        seen = self._seen
        if seen and np.array_equal(seen[0], starts) and np.array_equal(seen[1], rows):
            return seen[2]
        keys = entry_keys(self.n, (starts, rows))
        places = keys if self.keys is None else np.searchsorted(self.keys, keys)
        if self.keys is not None:
            inside = np.minimum(places, max(len(self.keys) - 1, 0))
            lost = len(self.keys) == 0 or (self.keys[inside] != keys)
            if np.any(lost):
                at = int(keys[np.flatnonzero(np.broadcast_to(lost, keys.shape))[0]])
                raise ValueError(f"{self.what} has an entry in row {at % self.n}, column"
                                 f" {at // self.n}, which its sparsity pattern lacks")
        self._seen = starts.copy(), rows.copy(), places
        return places

    def add(self, matrix: Any, factor: float, values: np.ndarray) -> None:
        """values += factor * matrix."""
        if is_sparse(matrix):
            if matrix.shape != (self.n, self.n):
                raise ValueError(f"{self.what} must be {self.n} x {self.n}, not {matrix.shape}")
            compressed = matrix.tocsc()
            if not compressed.has_canonical_format:
                compressed = compressed.copy()
                compressed.sum_duplicates()
            values[self._places(compressed.indptr, compressed.indices)] += factor * compressed.data
            return
        dense = as_doubles(matrix, self.what)
        if dense.shape != (self.n, self.n):
            raise ValueError(f"{self.what} must be a {self.n} x {self.n} matrix, not {dense.shape}")
        flat = dense.T.ravel()
        if self.keys is None:
            values += factor * flat
            return
        rest = flat.copy()
        rest[self.keys] = 0.0
        if rest.any():
            at = int(np.flatnonzero(rest)[0])
            raise ValueError(f"{self.what} has an entry in row {at % self.n}, column {at // self.n},"
                             " which its sparsity pattern lacks")
        values += factor * flat[self.keys]


def _put_pattern(spec: Dict[str, Any], name: str, pattern: Optional[Pattern]) -> None:
    if pattern is not None:
        spec[name + "_start"], spec[name + "_row"] = pattern


def add_mass(spec: Dict[str, Any], mass: Any, n: int, start: Tuple[float, np.ndarray]) -> None:
    """A mass matrix: constant (dense or sparse), mass(t) or mass(t, y)."""
    if mass is None:
        return
    kind, sample, arity = MASS_CONSTANT, mass, 0
    if callable(mass):
        from ._functions import _positional
        counts = _positional(mass)
        arity = 1 if counts is not None and counts[1] == 1 else 2
        kind = MASS_OF_TIME if arity == 1 else MASS_OF_STATE
        sample = mass(*(start[0], start[1].copy())[:arity])
    pattern = pattern_of(sample, n, "mass") if is_sparse(sample) or kind == MASS_CONSTANT else None
    scatter = Scatter(n, pattern, "mass")
    scatter.add(sample, 1.0, np.zeros(scatter.count))

    def fill(t: float, y: np.ndarray, values: np.ndarray) -> None:
        scatter.add(mass(*(t, y)[:arity]) if arity else mass, 1.0, values)

    _put_pattern(spec, "mass", pattern)
    spec.update(mass=fill, mass_kind=kind, n_mass_values=scatter.count)


def add_jacobian(spec: Dict[str, Any], jac: Any, sparsity: Any, n: int, has_rhs: bool,
                 start: Tuple[float, np.ndarray, np.ndarray], call: Callable[..., Any]) -> None:
    """jac(t, y, yp) -> (dF/dy, dF/dyp), or jac(t, y) -> df/dy, or constant matrices; jac_sparsity is
    one pattern, or those of both matrices."""
    pattern = given_pattern(sparsity, n, has_rhs)
    if jac is None:
        _put_pattern(spec, "pattern", pattern)
        return
    evaluate = (lambda *point: call(jac, *point)) if callable(jac) else (lambda *point: jac)
    sample = _parts(evaluate(*start[:2]) if has_rhs else evaluate(*start), has_rhs)
    if pattern is None and any(is_sparse(part) for part in sample):
        pattern = union(n, [pattern_of(part, n, "jac") for part in sample])
    scatters = [Scatter(n, pattern, "jac") for _ in sample]
    for scatter, part in zip(scatters, sample):
        scatter.add(part, 1.0, np.zeros(scatter.count))

    def fill(t: float, y: np.ndarray, yp: np.ndarray, c: float, values: np.ndarray) -> None:
        by_y, by_yp = _parts(evaluate(t, y, yp), False)
        scatters[0].add(by_y, 1.0, values)
        if c != 0.0:
            scatters[1].add(by_yp, c, values)

    def fill_rhs(t: float, y: np.ndarray, values: np.ndarray) -> None:
        scatters[0].add(evaluate(t, y), 1.0, values)

    _put_pattern(spec, "pattern", pattern)
    spec.update(jac=fill_rhs if has_rhs else fill, n_jac_values=scatters[0].count)


def _parts(value: Any, has_rhs: bool) -> Tuple[Any, ...]:
    if has_rhs:
        return (value,)
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        raise ValueError("jac must return two matrices, (dF/dy, dF/dyp)")
    return tuple(value)


def given_pattern(sparsity: Any, n: int, has_rhs: bool) -> Optional[Pattern]:
    """The pattern that a user gives as jac_sparsity."""
    if sparsity is None:
        return None
    if isinstance(sparsity, (tuple, list)) and len(sparsity) == 2 and not has_rhs and (
            is_sparse(sparsity[0]) or np.ndim(sparsity[0]) == 2):
        return union(n, [pattern_of(part, n, "jac_sparsity") for part in sparsity])
    return pattern_of(sparsity, n, "jac_sparsity")
