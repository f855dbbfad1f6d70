"""Options of the solver: the table of the C library, with checks in the words of Python."""
from __future__ import annotations

from typing import Any, Dict, Iterable, NamedTuple, Optional

from . import _native


class Option(NamedTuple):
    """One row of the table of options."""

    name: str
    type: str
    choices: str
    default: float
    doc: str
    low: float
    high: float


TABLE: Dict[str, Option] = {}
_REMEMBERED: Dict[Any, Dict[bytes, bytes]] = {}  # settings that were checked


def table() -> Dict[str, Option]:
    """All options of the library by name; read once."""
    if not TABLE:
        for name, kind, choices, default, doc, low, high in _native.options():
            TABLE[name] = Option(name, kind, choices, default, doc, low, high)
    return TABLE


def nearest(word: str, words: Iterable[str]) -> str:
    """``", did you mean 'rtol'?"``, or nothing where no word is near."""
    import difflib
    found = difflib.get_close_matches(word, list(words), 1, 0.5)
    return f"; did you mean {found[0]!r}?" if found else ""


def _text(option: Option, value: Any) -> str:
    if option.choices:
        words = option.choices.split("|")
        word = str(value).lower()
        if isinstance(value, bool) and words == ["no", "yes"]:
            return words[value]
        if word not in words:
            raise ValueError(f"{option.name} = {value!r} is not one of {', '.join(words)}"
                             + nearest(word, words))
        return word
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{option.name} must be a number, not {type(value).__name__}") from None
    if not option.low <= number <= option.high:
        raise ValueError(f"{option.name} = {number:g} is outside {option.low:g} .. {option.high:g}")
    return repr(number) if option.type == "double" else str(int(number))


def settings(given: Dict[str, Any], known: Optional[Iterable[str]] = None) -> Dict[bytes, bytes]:
    """Options as the extension takes them.  Unknown names are a TypeError with the nearest one;
    `known` are further words that the caller understands, for that message."""
    try:
        key = tuple(given.items())
        if key in _REMEMBERED:
            return dict(_REMEMBERED[key])
    except TypeError:
        key = None
    result = {}
    for name, value in given.items():
        option = table().get(name)
        if option is None:
            raise TypeError(f"unknown option {name!r}"
                            + nearest(name, [*table(), *(known or ())]))
        if value is not None:
            result[name.encode()] = _text(option, value).encode()
    if key is not None and len(_REMEMBERED) < 1000:
        _REMEMBERED[key] = result
    return dict(result)
