"""Signals for the inputs of models: numbers, data over time, functions of time."""
from __future__ import annotations

from typing import Any, Callable, NamedTuple, Tuple

import numpy as np

from ._arrays import as_doubles

LINEAR, PREVIOUS, CUBIC = 0, 1, 2
REFUSE, HOLD = 0, 1
INTERPOLATION = {"linear": LINEAR, "previous": PREVIOUS, "cubic": CUBIC}
SAMPLES_LEAST, SAMPLES_MOST = 64, 65536


class Signal(NamedTuple):
    """Data over time as the extension takes them."""

    times: np.ndarray
    values: np.ndarray
    interpolation: int
    extrapolation: int


def read_signal(name: str, value: Any, span: Tuple[float, float], rtol: float) -> Signal:
    """A signal from what a user gives for an input: a number, (times, values), (times, values,
    "linear" | "previous" | "cubic"), a pandas Series, or a function of time."""
    if callable(value) and not hasattr(value, "index"):
        return _sampled(name, value, span, rtol)
    kind = LINEAR
    if hasattr(value, "index") and hasattr(value, "to_numpy"):
        times, values = as_doubles(value.index.to_numpy(), f"times of {name}"), value.to_numpy()
    elif isinstance(value, (int, float, np.number)):
        if not np.isfinite(value):
            raise ValueError(f"input {name}: {value} is not finite")
        return Signal(np.array(span), np.full(2, float(value)), LINEAR, HOLD)
    else:
        parts = tuple(value)
        if len(parts) not in (2, 3) or (len(parts) == 3 and parts[2] not in INTERPOLATION):
            raise ValueError(f"input {name}: give a number, (times, values), (times, values, 'linear' |"
                             " 'previous' | 'cubic'), a pandas Series or a function of time")
        kind = INTERPOLATION[parts[2]] if len(parts) == 3 else LINEAR
        times, values = as_doubles(parts[0], f"times of {name}"), parts[1]
    values = as_doubles(values, f"values of {name}")
    if times.ndim != 1 or times.shape != values.shape or len(times) == 0:
        raise ValueError(f"input {name}: times {times.shape} and values {values.shape} must be vectors of"
                         " one length")
    for wrong, words in ((~(np.isfinite(times) & np.isfinite(values)), "is not finite"),
                         (np.diff(times, prepend=times[0]) < 0.0, "comes before the one above it")):
        if wrong.any():
            k = int(wrong.argmax())
            raise ValueError(f"input {name}: point {k}, ({times[k]:g}, {values[k]:g}), {words}")
    return Signal(times, values, kind, REFUSE)


def _sampled(name: str, function: Callable[[float], float], span: Tuple[float, float],
             rtol: float) -> Signal:
    """Samples of a function so dense that cubic polynomials through them meet it to rtol."""
    from ._interpolation import cubic_values
    n = SAMPLES_LEAST
    evaluate = lambda times: as_doubles([float(function(float(t))) for t in times], f"input {name}")
    times = np.linspace(*span, n + 1)
    values = evaluate(times)
    while True:
        middle = 0.5 * (times[1:] + times[:-1])
        between = evaluate(middle)
        if not (np.isfinite(values).all() and np.isfinite(between).all()):
            raise ValueError(f"input {name}: the function is not finite everywhere between {span[0]:g}"
                             f" and {span[1]:g}")
        error = np.abs(cubic_values(times, values, middle) - between).max()
        size = max(np.abs(values).max(), np.abs(between).max())
        merged, both = np.empty(2 * n + 1), np.empty(2 * n + 1)
        merged[::2], merged[1::2], both[::2], both[1::2] = times, middle, values, between
        times, values, n = merged, both, 2 * n
        if error <= rtol * size + 1e-12:
            return Signal(times, values, CUBIC, HOLD)
        if n >= SAMPLES_MOST:
            raise ValueError(f"input {name}: the function is not smooth enough to be sampled (the error is"
                             f" {error:.1e}); give its points as (times, values), or an expression as"
                             " `inputs` of Model.from_text")
