"""Event functions with SciPy's attributes `terminal` and `direction`, and an `action`."""
from __future__ import annotations

from typing import Any, List, NamedTuple, Tuple

import numpy as np


class Events(NamedTuple):
    """Event functions and what they ask for."""

    functions: Tuple[Any, ...]
    terminal: np.ndarray  # int64: the run ends after so many; 0: never
    direction: np.ndarray  # int32
    actions: Tuple[Any, ...]  # action(t, y, yp) -> new y or None; or None


NO_EVENTS = Events((), np.zeros(0, np.int64), np.zeros(0, np.int32), ())


def read_events(events: Any) -> Events:
    """One event function, or a sequence of them."""
    if events is None:
        return NO_EVENTS
    if callable(events):
        functions: List[Any] = [events]
    else:
        try:
            functions = list(events)
        except TypeError:
            raise TypeError("events must be a function or a list of functions") from None
    for i, function in enumerate(functions):
        if not callable(function):
            raise TypeError(f"event {i} is no function: {function!r}")
    terminal = [_terminal(function, i) for i, function in enumerate(functions)]
    direction = [int(np.sign(getattr(function, "direction", 0))) for function in functions]
    actions = tuple(getattr(function, "action", None) for function in functions)
    for i, action in enumerate(actions):
        if action is not None and not callable(action):
            raise TypeError(f"the action of event {i} is no function: {action!r}")
    return Events(tuple(functions), np.array(terminal, np.int64), np.array(direction, np.int32),
                  actions)


def _terminal(function: Any, i: int) -> int:
    value = getattr(function, "terminal", False)
    if value is None or value is False:
        return 0
    if value is True:
        return 1
    if isinstance(value, (int, np.integer, float)) and value == int(value) and value >= 0:
        return int(value)
    raise ValueError(f"event {i}: terminal must be a bool or a count, not {value!r}")


def split_events(data: np.ndarray, n_events: int, n: int) -> Tuple[List[np.ndarray], List[np.ndarray]]:
    """Times and states by event function, from rows (number, t, y)."""
    rows = data.reshape(-1, n + 2)
    chosen = [rows[rows[:, 0] == i] for i in range(n_events)]
    return [r[:, 1].copy() for r in chosen], [r[:, 2:].copy() for r in chosen]
