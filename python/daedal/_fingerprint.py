"""What a function depends on, as a value that can be compared.

Two functions with equal fingerprints compute the same: they have the same code, and what they read from
closures and globals is equal.  Where something is read whose content can change unseen, as that of an
object, there is none."""
from __future__ import annotations

import functools
import types
from typing import Any, Optional, Tuple

import numpy as np

from ._rebuild import used_names

SIMPLE = frozenset((float, int, bool, str, bytes, complex, type(None), np.float64, np.int64, np.bool_))
FIXED = (types.ModuleType, types.BuiltinFunctionType, np.ufunc, type)
ENTRIES_MOST = 4096
DEPTH_MOST = 8


class Unknown(Exception):
    """Something is read that has no fingerprint."""


def fingerprint(*values: Any) -> Optional[Tuple[Any, ...]]:
    """The fingerprint of functions and other values, or None."""
    try:
        return tuple([_of(value, 0) for value in values])
    except Unknown:
        return None


def _of(value: Any, depth: int) -> Any:
    kind = type(value)
    if kind in SIMPLE:
        return kind, value
    if isinstance(value, FIXED):
        return id(value)
    if depth > DEPTH_MOST:
        raise Unknown
    if kind is types.FunctionType:
        return _of_function(value, depth + 1)
    if kind is np.ndarray:
        if value.dtype == object or value.size > ENTRIES_MOST:
            raise Unknown
        return value.shape, value.dtype.str, value.tobytes()
    if kind in (tuple, list) and len(value) <= ENTRIES_MOST:
        return kind, tuple([_of(entry, depth + 1) for entry in value])
    if kind is dict and len(value) <= ENTRIES_MOST:
        return kind, tuple([(_of(a, depth + 1), _of(b, depth + 1)) for a, b in value.items()])
    if kind is functools.partial:
        return (kind, _of(value.func, depth + 1), _of(value.args, depth + 1),
                _of(value.keywords, depth + 1))
    raise Unknown


def _of_function(function: types.FunctionType, depth: int) -> Any:
    code, space = function.__code__, function.__globals__
    if (function.__module__ or "").startswith("numpy"):
        return id(function)
    names = used_names(code)
    parts = [_of(space[name], depth) for name in names
             if name in space and space[name] is not function]
    for cell in function.__closure__ or ():
        try:
            content = cell.cell_contents
        except ValueError:
            raise Unknown from None
        if content is not function:
            parts.append(_of(content, depth))
    if function.__defaults__:
        parts.append(_of(function.__defaults__, depth))
    if function.__kwdefaults__:
        parts.append(_of(function.__kwdefaults__, depth))
    return code, tuple(parts)
