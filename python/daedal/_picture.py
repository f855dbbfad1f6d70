"""Curves as SVG, for notebooks and where matplotlib is not installed."""
from __future__ import annotations

import os
import tempfile
from html import escape
from typing import List, Sequence, Tuple

import numpy as np

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 320, 64, 120, 12, 32
COLOURS = ("#1f6f8b", "#c8553d", "#5b8c5a", "#8d6a9f", "#d9a441", "#44546a", "#b05a7a", "#7a7a7a")
POINTS_MOST = 1000
Rows = Sequence[Tuple[str, np.ndarray]]


def _ticks(low: float, high: float) -> List[float]:
    span = high - low
    step = 10.0 ** np.floor(np.log10(span / 4.0))
    step *= min((1.0, 2.0, 5.0, 10.0), key=lambda factor: abs(span / (step * factor) - 5.0))
    first = np.ceil(low / step)
    return [float(step * k) for k in np.arange(first, np.floor(high / step) + 1)]


def _range(values: np.ndarray) -> Tuple[float, float]:
    finite = values[np.isfinite(values)]
    low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 1.0)
    pad = 0.04 * (high - low) or 0.5 * abs(high) or 0.5
    return low - pad, high + pad


def picture(t: np.ndarray, rows: Rows) -> str:
    """An SVG element with the curves, axes and a legend."""
    t_low, t_high = float(t.min()), float(t.max())
    if t_low == t_high:
        t_high = t_low + 1.0
    y_low, y_high = _range(np.concatenate([row for _, row in rows]) if rows else np.zeros(1))
    x_of = lambda x: LEFT + (x - t_low) / (t_high - t_low) * (WIDTH - LEFT - RIGHT)
    y_of = lambda y: HEIGHT - BOTTOM - (y - y_low) / (y_high - y_low) * (HEIGHT - TOP - BOTTOM)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
             f'font-family="sans-serif" font-size="11">',
             f'<rect x="{LEFT}" y="{TOP}" width="{WIDTH - LEFT - RIGHT}" '
             f'height="{HEIGHT - TOP - BOTTOM}" fill="none" stroke="#999"/>']
    for tick in _ticks(t_low, t_high):
        parts.append(f'<text x="{x_of(tick):.1f}" y="{HEIGHT - BOTTOM + 16}" '
                     f'text-anchor="middle">{tick:.6g}</text>')
    for tick in _ticks(y_low, y_high):
        parts.append(f'<text x="{LEFT - 6}" y="{y_of(tick) + 4:.1f}" '
                     f'text-anchor="end">{tick:.6g}</text>')
    keep = np.unique(np.linspace(0, len(t) - 1, min(len(t), POINTS_MOST)).astype(int))
    for k, (name, row) in enumerate(rows):
        colour = COLOURS[k % len(COLOURS)]
        points = " ".join(f"{x_of(t[i]):.1f},{y_of(row[i]):.1f}" for i in keep if np.isfinite(row[i]))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        parts.append(f'<text x="{WIDTH - RIGHT + 8}" y="{TOP + 14 + 15 * k}" '
                     f'fill="{colour}">{escape(name)}</text>')
    return "".join(parts) + "</svg>"


def write_page(t: np.ndarray, rows: Rows) -> str:
    """A page with the picture in the temporary folder; its path."""
    handle, path = tempfile.mkstemp(suffix=".html", prefix="daedal-")
    with os.fdopen(handle, "w", encoding="utf-8") as out:
        out.write(f"<!doctype html><meta charset='utf-8'><title>daedal</title>{picture(t, rows)}")
    return path
