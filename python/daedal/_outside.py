"""What a function could change outside of itself, kept while it runs with symbols.

Lists, dictionaries, sets, arrays and attributes of objects that a function reaches are compared after the
run with what they were, and put back: a function that changes them has a memory, which equations have
not, and a symbol must not stay in what belongs to the user."""
from __future__ import annotations

import collections
import types
from typing import Any, Dict, List, Optional, Tuple

import numpy as np

ENTRIES_MOST = 100_000  # in all that is kept; what lies beyond is not compared
DEPTH_MOST = 4
PLAIN = (types.ModuleType, types.FunctionType, types.BuiltinFunctionType, type, str, bytes, float, int,
         complex, type(None), np.generic, np.ufunc)
MUTABLE = (list, dict, set, collections.deque, bytearray)


class Outside:
    """Everything of this kind that was found, with a copy."""

    def __init__(self) -> None:
        self.kept: List[Tuple[Any, Any, str]] = []
        self.seen: Dict[int, Any] = {}
        self.room = ENTRIES_MOST

    def keep(self, value: Any, name: str, depth: int = 0) -> None:
        """Remember a value, and what is inside of it."""
        if isinstance(value, PLAIN) or depth > DEPTH_MOST or id(value) in self.seen:
            return
        self.seen[id(value)] = value
        inside: Any = ()
        if isinstance(value, np.ndarray):
            self._copy(value, value.size, name)
        elif isinstance(value, MUTABLE):
            self._copy(value, len(value), name)
            inside = value.values() if isinstance(value, dict) else value
        elif isinstance(value, (tuple, frozenset)):
            inside = value
        elif type(getattr(value, "__dict__", None)) is dict:
            inside = (value.__dict__,)
        if isinstance(value, bytearray) or self.room <= 0:
            return
        for entry in inside:
            self.keep(entry, name, depth + 1)

    def _copy(self, value: Any, size: int, name: str) -> None:
        self.room -= size + 1
        if self.room > 0:
            self.kept.append((value, value.copy(), name))

    def restore(self) -> Optional[str]:
        """Put everything back; the name of something that was changed, or None."""
        changed = None
        for value, before, name in self.kept:
            if not _is_same(value, before):
                _put_back(value, before)
                changed = changed or name
        return changed


def _is_same(value: Any, before: Any) -> bool:
    if isinstance(value, np.ndarray):
        return value.shape == before.shape and value.tobytes() == before.tobytes()
    if isinstance(value, dict):
        return (len(value) == len(before)
                and all(a is c and b is d for (a, b), (c, d) in zip(value.items(), before.items())))
    if isinstance(value, (set, bytearray)):
        return bool(value == before)
    return len(value) == len(before) and all(a is b for a, b in zip(value, before))


def _put_back(value: Any, before: Any) -> None:
    if isinstance(value, np.ndarray):
        if value.shape == before.shape and value.flags.writeable:
            value[...] = before
    elif isinstance(value, (dict, set)):
        value.clear()
        value.update(before)
    elif isinstance(value, bytearray):
        value[:] = before
    else:
        value.clear()
        value.extend(before)
