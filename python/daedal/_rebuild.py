"""A function again, with stand-ins for the modules and functions that it uses.

The new function has the same code, but globals and closure cells of its own, which hold stand-ins; so
have the functions that it calls.  Nothing that the user can see is changed."""
from __future__ import annotations

import builtins
import dis
import functools
import types
from typing import Any, Dict, Iterator, Set, Tuple

from ._outside import Outside
from ._symbols import TraceError

MUTATORS = frozenset("append extend insert add update pop remove clear setdefault popitem discard"
                     " write appendleft put".split())
STORES = frozenset(("STORE_ATTR", "STORE_GLOBAL", "DELETE_ATTR", "DELETE_GLOBAL"))
FOREIGN = ("numpy", "scipy", "math", "builtins", "pandas", "functools", "itertools", "operator")
DEPTH_MOST = 50


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    """A code object and those inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _codes(constant)


@functools.lru_cache(maxsize=512)
def used_names(code: types.CodeType) -> Tuple[str, ...]:
    """Names that a function may look up in its globals.  TraceError if it changes something outside
    of itself."""
    names: Set[str] = set()
    for part in _codes(code):
        names.update(part.co_names)
        _check_effects(part)
    return tuple(sorted(names))


def _check_effects(code: types.CodeType) -> None:
    before = None
    for instruction in dis.get_instructions(code):
        name, value = instruction.opname, instruction.argval
        if name in STORES:
            raise TraceError(f"it changes {value}, which outlives the call")
        if name == "STORE_DEREF" and value in code.co_freevars:
            raise TraceError(f"it changes {value}, which outlives the call")
        if (name in ("LOAD_METHOD", "LOAD_ATTR") and value in MUTATORS and before is not None
                and before.opname in ("LOAD_GLOBAL", "LOAD_DEREF", "LOAD_ATTR", "LOAD_NAME")
                and not (before.opname == "LOAD_DEREF" and before.argval in code.co_cellvars)
                and not (before.opname == "LOAD_GLOBAL" and before.argval in ("np", "numpy"))):
            raise TraceError(f"it calls {value} of something that outlives the call")
        if name not in ("PRECALL", "CACHE", "RESUME", "PUSH_NULL"):
            before = instruction


class Rebuilder:
    """Makes functions with stand-ins; `table` has them by the identity of what they stand for."""

    def __init__(self, table: Dict[int, Any]) -> None:
        self.table = table
        self.done: Dict[int, Any] = {}
        self.outside = Outside()
        self.builtins = dict(vars(builtins), __import__=self._import)
        for name in ("max", "min", "float"):
            self.builtins[name] = self.replace(self.builtins[name])
        self.depth = 0

    def _import(self, name: str, *args: Any) -> Any:
        """import inside of a function."""
        return self.replace(builtins.__import__(name, *args))

    def replace(self, value: Any, name: str = "an argument") -> Any:
        """The stand-in for a value, a rebuilt function, or the value itself."""
        found = self.table.get(id(value))
        if found is not None:
            return found
        if isinstance(value, (types.FunctionType, types.MethodType, functools.partial)):
            return self.function(value)
        self.outside.keep(value, name)
        return value

    def function(self, value: Any) -> Any:
        """A function, method or partial again; other callables by their method __call__."""
        if isinstance(value, types.MethodType):
            self.outside.keep(value.__self__, "its object")
            return types.MethodType(self.function(value.__func__), value.__self__)
        if isinstance(value, functools.partial):
            self.outside.keep((value.args, value.keywords), "an argument")
            return functools.partial(self.function(value.func), *value.args, **value.keywords)
        if not isinstance(value, types.FunctionType):
            call = getattr(type(value), "__call__", None)
            if isinstance(call, types.FunctionType):
                self.outside.keep(value, "its object")
                return types.MethodType(self.function(call), value)
            raise TraceError(f"{type(value).__name__} is no Python function")
        if (value.__module__ or "").split(".")[0] in FOREIGN:
            return value
        known = self.done.get(id(value))
        return known if known is not None else self._rebuild(value)

    def _rebuild(self, value: types.FunctionType) -> types.FunctionType:
        code = value.__code__
        if code.co_flags & 0x2A0:  # generators and coroutines
            raise TraceError("it is a generator or a coroutine")
        space: Dict[str, Any] = {"__builtins__": self.builtins, "__name__": value.__module__}
        cells = tuple(types.CellType() for _ in value.__closure__ or ())
        new = types.FunctionType(code, space, value.__name__, value.__defaults__, cells or None)
        new.__kwdefaults__ = value.__kwdefaults__
        self.outside.keep((value.__defaults__, value.__kwdefaults__), "a default value")
        self.done[id(value)] = new
        self.depth += 1
        if self.depth > DEPTH_MOST:
            raise TraceError("it calls too many functions")
        for name in used_names(code):
            if name in value.__globals__:
                space[name] = self.replace(value.__globals__[name], name)
        for name, cell, old in zip(code.co_freevars, cells, value.__closure__ or ()):
            try:
                cell.cell_contents = self.replace(old.cell_contents, name)
            except ValueError:  # not assigned yet
                pass
        return new
