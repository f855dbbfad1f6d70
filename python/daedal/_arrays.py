"""Checks and conversions of what users pass and functions return."""
from __future__ import annotations

import math
from typing import Any, List, Optional, Sequence, Tuple

import numpy as np

FLOAT64 = np.dtype(np.float64)


def new_array(n: int) -> np.ndarray:
    """An array for the arguments of a function."""
    return np.zeros(n)


def describe(value: Any) -> str:
    """A few words on a value, for messages."""
    if value is None:
        return "None"
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape} and type {value.dtype}"
    if isinstance(value, (list, tuple)):
        return f"a {type(value).__name__} of {len(value)} {'entry' if len(value) == 1 else 'entries'}"
    return f"{type(value).__name__} {value!r:.40}"


def as_doubles(value: Any, what: str) -> np.ndarray:
    """A contiguous array of doubles; TypeError for complex numbers and for what is no number."""
    if type(value) is np.ndarray and value.dtype is FLOAT64 and value.flags.c_contiguous:
        return value
    if value is None:
        raise TypeError(f"{what} is None, but numbers are needed")
    try:
        array = np.asarray(value)
        if array.dtype is FLOAT64 and array.flags.c_contiguous:
            return array
        if array.dtype == object:
            if any(entry is None for entry in array.flat):
                raise TypeError("an entry is None")
            array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{what} must consist of real numbers: {describe(value)} ({error})") from None
    if array.dtype.kind == "c":
        raise TypeError(f"{what} is complex; split the equations into real and imaginary parts")
    if array.dtype.kind not in "fiub":
        raise TypeError(f"{what} must consist of real numbers, not of {array.dtype}")
    return np.asarray(array, dtype=np.float64, order="C")


def vector(value: Any, n: Optional[int], what: str) -> np.ndarray:
    """A new vector of n finite doubles."""
    array = as_doubles(value, what)
    if array.ndim == 0:
        array = array.reshape(1)
    if array.ndim != 1 or (n is not None and len(array) != n):
        wanted = "a vector" if n is None else f"a vector of {n} entries"
        raise ValueError(f"{what} must be {wanted}, but its shape is {array.shape}")
    if not all_finite(array):
        place = int(np.flatnonzero(~np.isfinite(array))[0])
        raise ValueError(f"{what}[{place}] is {array[place]}: all values must be finite")
    return array.copy() if array is value else array


def all_finite(array: np.ndarray) -> bool:
    """Whether all entries are finite; the sum of short vectors is quicker than a look at each."""
    return math.isfinite(array.sum()) or bool(np.isfinite(array).all())


def numbers(n: int) -> str:
    """How many numbers, in words."""
    return "1 number" if n == 1 else f"{n} numbers"


def convert_result(result: Any, n: int, what: str = "the function") -> np.ndarray:
    """What a function returned as an array of n doubles; the words of the error if it is not."""
    if type(result) is np.ndarray and result.dtype is FLOAT64 and result.shape == (n,):
        return result
    if result is None:
        raise TypeError(f"{what} returned None; it must return {numbers(n)}"
                        " (is a return statement missing?)")
    try:
        array = as_doubles(result, f"what {what} returned")
    except TypeError as error:
        raise TypeError(f"{error}; expected {numbers(n)}") from None
    if array.size != n or array.ndim > 2 or (array.ndim == 2 and 1 not in array.shape):
        raise ValueError(f"{what} returned {describe(result)}, expected {numbers(n)},"
                         f" as many as there are unknowns")
    return array.reshape(n)


def convert_columns(result: Any, n: int, count: int) -> np.ndarray:
    """What a vectorised function returned for `count` columns: an array (count, n) of doubles."""
    array = as_doubles(result, "the value of the vectorized function")
    if array.shape != (n, count):
        raise ValueError(f"vectorized=True: the function got arrays of shape ({n}, {count}) and returned"
                         f" {describe(result)}; expected is the shape ({n}, {count})")
    return np.ascontiguousarray(array.T)


def check_column(column: np.ndarray, single: np.ndarray) -> None:
    """A vectorised function must return for a column what it returns for that column alone."""
    if not np.allclose(column, single, rtol=1e-9, atol=1e-12 * np.abs(single).max(initial=0.0),
                       equal_nan=True):
        raise ValueError("vectorized=True: the function returns other values for a column of (n, k) than"
                         " for that column alone")


def per_variable(value: Any, n: int, what: str) -> Tuple[float, Optional[np.ndarray]]:
    """A tolerance as a scalar, and as an array where it differs by variable."""
    if type(value) is float and value >= 0.0:
        return value, None
    array = as_doubles(value, what)
    if array.ndim == 0:
        if not array >= 0.0:
            raise ValueError(f"{what} = {float(array)} must be zero or positive")
        return float(array), None
    array = vector(value, n, what)
    if (array < 0.0).any():
        raise ValueError(f"{what} must be zero or positive, but an entry is {array.min():g}")
    return float(array.max()), array


def output_times(value: Any, t0: float, t_end: float) -> np.ndarray:
    """Output times inside t_span, in the direction of the run."""
    times = as_doubles(value, "t_eval")
    if times.ndim != 1:
        raise ValueError(f"t_eval must be a vector, but its shape is {times.shape}")
    if not np.isfinite(times).all():
        raise ValueError("t_eval contains values that are not finite")
    low, high = min(t0, t_end), max(t0, t_end)
    if len(times) and (times.min() < low or times.max() > high):
        raise ValueError(f"t_eval reaches from {times.min():g} to {times.max():g},"
                         f" outside t_span = ({t0:g}, {t_end:g})")
    steps = np.diff(times) * (1.0 if t_end >= t0 else -1.0)
    if (steps <= 0.0).any():
        raise ValueError("t_eval must be sorted in the direction of t_span, without repetitions")
    return times


def is_sparse(matrix: Any) -> bool:
    """Whether it is a matrix of scipy.sparse, without importing that."""
    return hasattr(matrix, "tocsc") and hasattr(matrix, "shape")


def pattern_of(matrix: Any, n: int, what: str) -> Tuple[np.ndarray, np.ndarray]:
    """Column starts and rows of the entries of a sparse matrix, or of the nonzeros of a dense one."""
    if is_sparse(matrix):
        compressed = matrix.tocsc().copy()
        compressed.sum_duplicates()
        compressed.sort_indices()
        shape, starts, rows = compressed.shape, compressed.indptr, compressed.indices
    else:
        dense = np.asarray(matrix)
        shape = dense.shape
        if dense.ndim == 2:
            columns, rows = np.nonzero(dense.T)
            starts = np.append(0, np.cumsum(np.bincount(columns, minlength=shape[1])))
    if shape != (n, n):
        raise ValueError(f"{what} must be a {n} x {n} matrix, but its shape is {shape}")
    return np.ascontiguousarray(starts, np.int32), np.ascontiguousarray(rows, np.int32)


def union(n: int, patterns: Sequence[Tuple[np.ndarray, np.ndarray]]) -> Tuple[np.ndarray, np.ndarray]:
    """The pattern with the entries of all of them."""
    keys: List[np.ndarray] = [entry_keys(n, pattern) for pattern in patterns]
    every = np.unique(np.concatenate(keys))
    starts = np.searchsorted(every, np.arange(n + 1, dtype=np.int64) * n)
    return starts.astype(np.int32), (every % n).astype(np.int32)


def entry_keys(n: int, pattern: Tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    """n * column + row of every entry: ascending."""
    starts, rows = pattern
    return np.repeat(np.arange(n, dtype=np.int64), np.diff(starts)) * n + rows
