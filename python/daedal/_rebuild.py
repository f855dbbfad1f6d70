"""A function again, with stand-ins for the modules and functions that it uses.

The new function has the same code, but globals and closure cells of its own, which hold stand-ins; so
have the functions that it calls.  Nothing that the user can see is changed."""
from __future__ import annotations

import abc
import builtins
import dis
import functools
import types
from typing import Any, Callable, Dict, Iterator, Optional, Set, Tuple

import numpy as np

from ._arrays import is_sparse
from ._outside import Outside
from ._sparse import SparseMatrix
from ._symbols import TraceError

MUTATORS = frozenset("append extend insert add update pop remove clear setdefault popitem discard"
                     " write appendleft put".split())
STORES = frozenset(("STORE_ATTR", "STORE_GLOBAL", "DELETE_ATTR", "DELETE_GLOBAL"))
FOREIGN = ("numpy", "scipy", "math", "builtins", "pandas", "functools", "itertools", "operator")
DEPTH_MOST = 50
HEAP_TYPE = 1 << 9  # Py_TPFLAGS_HEAPTYPE: a class written in Python
ENTRIES_MOST = 1000  # of containers and objects that are made again
KEPT_METHODS = frozenset("__new__ __init__ __del__ __eq__ __hash__ __setattr__ __delattr__ __set_name__"
                         " __class_getitem__ __reduce__ __reduce_ex__ __getstate__ __setstate__".split())
CACHED = type(functools.lru_cache(maxsize=1)(lambda: None))


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


@functools.lru_cache(maxsize=512)
def changing_calls(code: types.CodeType) -> Tuple[Tuple[str, str], ...]:
    """Names of what outlives the call, with methods called of it that may change it: as those of modules
    have the same names, `operator.add` for one, this depends on what the names stand for."""
    return tuple(call for part in _codes(code) for call in _changing_calls(part))


def _changing_calls(code: types.CodeType) -> Iterator[Tuple[str, str]]:
    before = None
    for instruction in dis.get_instructions(code):
        name, value = instruction.opname, instruction.argval
        if (name in ("LOAD_METHOD", "LOAD_ATTR") and value in MUTATORS and before is not None
                and before.opname in ("LOAD_GLOBAL", "LOAD_DEREF", "LOAD_NAME")
                and not (before.opname == "LOAD_DEREF" and before.argval in code.co_cellvars)):
            yield before.argval, value
        if name not in ("PRECALL", "CACHE", "RESUME", "PUSH_NULL"):
            before = instruction


def _check_effects(code: types.CodeType) -> None:
    before = None
    for instruction in dis.get_instructions(code):
        name, value = instruction.opname, instruction.argval
        if name in STORES and not (name == "STORE_ATTR" and _is_of_local(before, code)):
            raise TraceError(f"it changes {value}, which outlives the call")
        if name == "STORE_DEREF" and value in code.co_freevars:
            raise TraceError(f"it changes {value}, which outlives the call")
        if (name in ("LOAD_METHOD", "LOAD_ATTR") and value in MUTATORS and before is not None
                and before.opname == "LOAD_ATTR"):
            raise TraceError(f"it calls {value} of something that outlives the call")
        if name not in ("PRECALL", "CACHE", "RESUME", "PUSH_NULL"):
            before = instruction


@functools.lru_cache(maxsize=256)
def _is_own_class(cls: type) -> bool:
    """Whether a class is one whose objects can be made again: written in Python, without effects of
    making a subclass, and with nothing but attributes."""
    bases = cls.__mro__[:-1]
    return (type(cls) in (type, abc.ABCMeta) and cls.__module__.split(".")[0] not in (*FOREIGN, "daedal")
            and all(base.__flags__ & HEAP_TYPE and "__init_subclass__" not in vars(base)
                    and "__slots__" not in vars(base) and "__getattribute__" not in vars(base)
                    for base in bases))


def _check_calls(function: types.FunctionType) -> None:
    """TraceError if a function calls a method that changes something outside of it."""
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
    for name, method in changing_calls(function.__code__):
        try:
            value = cells[name].cell_contents if name in cells else function.__globals__.get(name)
        except ValueError:  # not assigned yet
            value = None
        if not isinstance(value, types.ModuleType):
            raise TraceError(f"it calls {method} of something that outlives the call")


class Method:
    """A function of a class, made again where it is first used; if that cannot be, the function itself,
    whose effects are seen after the run."""

    def __init__(self, rebuilder: "Rebuilder", original: types.FunctionType) -> None:
        self.rebuilder, self.original = rebuilder, original

    def function(self) -> Any:
        try:
            return self.rebuilder.function(self.original)
        except TraceError:
            return self.original

    def __get__(self, owner: Any, cls: Any = None) -> Any:
        function = self.function()
        return function if owner is None else types.MethodType(function, owner)


def _methods_again(cls: type, rebuilder: "Rebuilder") -> Dict[str, Any]:
    """The methods of a class and its bases, in place of which come methods made again."""
    found: Dict[str, Any] = {}
    for base in cls.__mro__[-2::-1]:
        for name, value in vars(base).items():
            if name in KEPT_METHODS:
                continue
            if isinstance(value, types.FunctionType):
                found[name] = Method(rebuilder, value)
            elif isinstance(value, staticmethod) and isinstance(value.__func__, types.FunctionType):
                found[name] = _StaticMethod(rebuilder, value.__func__)
            elif isinstance(value, property) and isinstance(value.fget, types.FunctionType):
                found[name] = _Property(rebuilder, value.fget)
            else:
                found.pop(name, None)
    return found


class _StaticMethod(Method):
    def __get__(self, owner: Any, cls: Any = None) -> Any:
        return self.function()


class _Property(Method):
    def __get__(self, owner: Any, cls: Any = None) -> Any:
        return self if owner is None else self.function()(owner)


def _is_of_local(before: Optional[dis.Instruction], code: types.CodeType) -> bool:
    """Whether the instruction before loads a local variable that is no argument.  If what it holds has
    outlived an earlier call, that is seen after the run (_outside.py)."""
    n_arguments = code.co_argcount + code.co_kwonlyargcount
    return (before is not None and before.opname in ("LOAD_FAST", "LOAD_FAST_CHECK")
            and before.argval in code.co_varnames[n_arguments:])


class Rebuilder:
    """Makes functions with stand-ins; `table` has them by the identity of what they stand for."""

    def __init__(self, table: Dict[int, Any]) -> None:
        self.table = table
        self.done: Dict[int, Any] = {}
        self.again: Dict[int, Tuple[Any, Any]] = {}  # containers and objects, with what stands for them
        self.classes: Dict[type, type] = {}
        self.room = ENTRIES_MOST
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
        if isinstance(value, (types.FunctionType, types.MethodType, functools.partial, CACHED)):
            return self.function(value)
        if type(value) is np.vectorize:
            return self._vectorized(value)
        self.outside.keep(value, name)
        return SparseMatrix(value) if is_sparse(value) else self._made_again(value, name)

    def _vectorized(self, value: Any) -> Any:
        """np.vectorize of a function made again, whose results may be symbols."""
        if value.signature is not None or value.excluded:
            raise TraceError("it uses np.vectorize with a signature or with excluded arguments")
        return np.vectorize(self.function(value.pyfunc), otypes="O" if value.otypes else None)

    def _made_again(self, value: Any, name: str) -> Any:
        """A container or an object that holds functions, with stand-ins in their places; others as they
        are."""
        known = self.again.get(id(value))
        if known is not None:
            return known[1]
        kind = type(value)
        make: Optional[Callable[..., Any]] = None
        if kind in (list, tuple, dict, types.SimpleNamespace):
            make = self._container
        elif _is_own_class(kind):
            make = self._object
        if make is None or self.room <= 0:
            return value
        self.again[id(value)] = (value, value)  # where it contains itself
        new = make(value, name)
        self.again[id(value)] = (value, new)
        if new is not value:
            self.outside.keep(new, name)
        return new

    def _container(self, value: Any, name: str) -> Any:
        kind = type(value)
        inside = vars(value) if kind is types.SimpleNamespace else value
        entries = inside.values() if isinstance(inside, dict) else inside
        self.room -= len(entries)
        if self.room <= 0:
            return value
        new = [self.replace(entry, name) for entry in entries]
        if all(a is b for a, b in zip(entries, new)):
            return value
        if kind is types.SimpleNamespace:
            return types.SimpleNamespace(**dict(zip(inside, new)))
        return dict(zip(value, new)) if kind is dict else kind(new)

    def _object(self, value: Any, name: str) -> Any:
        kind = type(value)
        if kind not in self.classes:
            self.classes[kind] = type(kind)(kind.__name__, (kind,), _methods_again(kind, self))
        new = object.__new__(self.classes[kind])
        self.again[id(value)] = (value, new)
        self.room -= 1 + len(vars(value))
        for key, entry in vars(value).items():
            vars(new)[key] = self.replace(entry, name)
        return new

    def function(self, value: Any) -> Any:
        """A function, method or partial again; other callables by their method __call__."""
        if isinstance(value, types.MethodType):
            return types.MethodType(self.function(value.__func__),
                                    self.replace(value.__self__, "its object"))
        if isinstance(value, functools.partial):
            given = [self.replace(entry) for entry in value.args]
            named = {key: self.replace(entry) for key, entry in value.keywords.items()}
            return functools.partial(self.function(value.func), *given, **named)
        if isinstance(value, CACHED):  # a symbol must not stay in the cache
            return self.function(value.__wrapped__)
        if not isinstance(value, types.FunctionType):
            call = getattr(type(value), "__call__", None)
            if isinstance(call, types.FunctionType):
                return types.MethodType(self.function(call), self.replace(value, "its object"))
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
        new = types.FunctionType(code, space, value.__name__, None, cells or None)
        self.done[id(value)] = new
        self.depth += 1
        if self.depth > DEPTH_MOST:
            raise TraceError("it calls too many functions")
        new.__defaults__ = self.replace(value.__defaults__, "a default value")
        new.__kwdefaults__ = self.replace(value.__kwdefaults__, "a default value")
        for name in used_names(code):
            if name in value.__globals__:
                space[name] = self.replace(value.__globals__[name], name)
        _check_calls(value)
        for name, cell, old in zip(code.co_freevars, cells, value.__closure__ or ()):
            try:
                cell.cell_contents = self.replace(old.cell_contents, name)
            except ValueError:  # not assigned yet
                pass
        return new
