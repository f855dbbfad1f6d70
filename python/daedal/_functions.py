"""What kind of function the user has given, and how it is called."""
from __future__ import annotations

import inspect
import os
from typing import Any, Dict, NamedTuple, Optional, Tuple

import numpy as np


class Target(NamedTuple):
    """A function as the extension calls it."""

    fun: Any  # a Python function, or None: `address`
    address: int
    user: int  # the address that a native function gets as its last argument
    has_rhs: bool  # fun(t, y), else fun(t, y, yp)


def is_model(fun: Any) -> bool:
    """Whether it is the text of a model or the path of a file."""
    return isinstance(fun, (str, os.PathLike))


def native_address(fun: Any) -> int:
    """The address of a C function: of ctypes, cffi or a numba cfunc; 0 for anything else."""
    kind = type(fun)
    address = getattr(fun, "address", None)
    if isinstance(address, int) and hasattr(fun, "native_name"):
        return address  # numba
    if kind.__module__ == "_cffi_backend" or kind.__name__ == "_CDataBase":
        import cffi
        return int(cffi.FFI().cast("uintptr_t", fun))
    if kind.__module__ in ("ctypes", "_ctypes") or hasattr(fun, "argtypes"):
        import ctypes
        return ctypes.cast(fun, ctypes.c_void_p).value or 0
    return 0


def _positional(fun: Any) -> Optional[Tuple[int, int]]:
    """The least and the most positional arguments of a function; None: not known."""
    code = getattr(fun, "__code__", None)
    if code is not None and not code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS):
        most = code.co_argcount - (getattr(fun, "__self__", None) is not None)
        return most - len(fun.__defaults__ or ()), most
    try:
        parameters = inspect.signature(fun).parameters.values()
    except (TypeError, ValueError):
        return None
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):
        return None
    places = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    return sum(p.default is p.empty for p in places), len(places)


def classify(fun: Any, mass: Any, args: Tuple[Any, ...], keywords: Dict[str, Any]) -> Target:
    """Find out how `fun` is called; TypeError if it cannot be."""
    address = native_address(fun)
    if address:
        user = _user_address(args)
        return Target(None, address, user, mass is not None)
    if not callable(fun):
        raise TypeError("fun must be a function, a C function pointer, or the text or file of a model,"
                        f" not {type(fun).__name__}")
    counts = _positional(fun)
    if mass is not None:
        if counts is not None and counts[0] - len(args) - len(keywords) > 2:
            raise TypeError(f"with `mass` the function is fun(t, y), the right-hand side of M y' = f; it takes"
                            f" {counts[0]} arguments, and args has {len(args)}")
        return Target(fun, 0, 0, True)
    if counts is None:
        return Target(fun, 0, 0, False)
    least, most = (count - len(args) - len(keywords) for count in counts)
    if most == 2 or (least <= 2 < most and counts[0] <= 2):  # fun(t, y), fun(t, y, k=1.0)
        return Target(fun, 0, 0, True)
    if least > 3 or most < 2:
        raise TypeError(f"fun must be fun(t, y, yp) or, with `mass` or for y' = f, fun(t, y);"
                        f" it takes {counts[0]} arguments, and args has {len(args)}")
    return Target(fun, 0, 0, False)


def _user_address(args: Tuple[Any, ...]) -> int:
    if not args:
        return 0
    if len(args) == 1 and isinstance(args[0], np.ndarray):
        return int(args[0].__array_interface__["data"][0])
    if len(args) == 1 and isinstance(args[0], int):
        return args[0]
    raise TypeError("args of a C function must be one NumPy array or one address, which becomes the"
                    " last argument `void *user`")
