"""Cubic polynomials without corners through points: the modified rule of Akima, as the library has."""
from __future__ import annotations

import numpy as np


def _slopes(t: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Slopes at the points, weighted by how little the secants beside them change."""
    s = np.diff(v) / np.diff(t)
    first, last = 2 * s[0] - s[1], 2 * s[-1] - s[-2]
    s = np.concatenate(([2 * first - s[0], first], s, [last, 2 * last - s[-1]]))
    change = np.abs(np.diff(s)) + 0.5 * np.abs(s[1:] + s[:-1])
    left, right = change[2:], change[:-2]
    total = left + right
    flat = total == 0.0
    weight = np.where(flat, 0.5, left / np.where(flat, 1.0, total))
    return weight * s[1:-2] + (1.0 - weight) * s[2:-1]


def cubic_values(t: np.ndarray, v: np.ndarray, at: np.ndarray) -> np.ndarray:
    """The curve through (t, v) at other times; t has at least three entries."""
    slope = _slopes(t, v)
    k = np.clip(np.searchsorted(t, at, side="right") - 1, 0, len(t) - 2)
    h = t[k + 1] - t[k]
    x = (at - t[k]) / h
    return ((1 + 2 * x) * (1 - x) ** 2 * v[k] + x * (1 - x) ** 2 * h * slope[k]
            + x * x * (3 - 2 * x) * v[k + 1] + x * x * (x - 1) * h * slope[k + 1])
