"""Results of runs: `Solution`, its dense output, and the diagnosis of a failure."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import _native
from ._options import nearest


@dataclass(frozen=True)
class Diagnosis:
    """Why a run failed.

    Attributes
    ----------
    cause : str
        What is wrong, as one word of the list in docs/reference/causes.md, or "none" if no cause
        is known.
    status : str
        Where the run ended, as a name of docs/reference/status.md.
    t : float
        The time of the failure.
    message, hint : str
        What went wrong, and what to try next; the hint may be empty.
    equation, variable : int
        Numbers (from 0) of what is to blame, or -1.
    """

    cause: str
    status: str
    t: float
    message: str
    hint: str = ""
    equation: int = -1
    variable: int = -1

    def __str__(self) -> str:
        if not self.hint:
            return self.message
        return self.message + (" " if self.message.endswith((".", "!", "?")) else "; ") + self.hint


class DenseSolution:
    """The solution at any time of the run: ``sol(t)`` has the shape (n,) or (n, len(t)).

    It consists of polynomials through points of every step, as many as the order of the method needs.
    Beyond the ends of the run the first and the last of them are continued, as by solve_ivp.
    """

    def __init__(self, n: int, bounds: np.ndarray, points: np.ndarray, values: np.ndarray) -> None:
        self.n = n
        self._bounds = np.ascontiguousarray(bounds)
        self._points = np.ascontiguousarray(points)
        self._offsets = np.concatenate(([0], np.cumsum(points))).astype(np.int64)
        self._values = np.ascontiguousarray(values)
        self._ends = self._bounds.reshape(-1, 2)[:, 1].copy()
        self._sign = 1.0 if len(self._ends) == 0 or self._bounds[1] >= self._bounds[0] else -1.0

    @property
    def t_min(self) -> float:
        """The earliest time of the run."""
        return float(self._bounds.min())

    @property
    def t_max(self) -> float:
        """The latest time of the run."""
        return float(self._bounds.max())

    def __call__(self, t: Any) -> np.ndarray:
        times = np.asarray(t, dtype=np.float64, order="C")
        flat = times.ravel()
        if times.ndim > 1:
            raise ValueError("t must be a number or a vector")
        piece = np.searchsorted(self._sign * self._ends, self._sign * flat)
        piece = np.minimum(piece, len(self._ends) - 1).astype(np.int64)
        out = np.empty((len(flat), self.n))
        if len(flat):
            _native.dense_values(self._bounds, self._points, self._offsets, self._values, piece, flat,
                                 len(flat), self.n, out)
        return out[0] if times.ndim == 0 else out.T

    def __repr__(self) -> str:
        return f"DenseSolution({self.n} variables, t = {self.t_min:g} .. {self.t_max:g})"


class Solution:
    """The result of a run, with the fields of SciPy's solve_ivp and some more.

    Attributes
    ----------
    t : array (points,)
    y, yp : arrays (n, points)
        The solution and its derivatives.  yp is NaN where the equations of a model do not contain
        the derivative of a variable.
    sol : DenseSolution or None
        The solution as a function of time, with ``dense_output=True``.
    t_events, y_events : lists of arrays, or None without events
        By event function: when it was zero, and y (points, n) there.
    nfev, njev, nlu : int
        Calls of the function, Jacobians, factorizations.
    status : int
        0: the end was reached; 1: a terminal event; 2: Ctrl-C or the time limit; -1: failure.
    success : bool
        Whether status >= 0 and the run was not cut short (status 0 or 1).
    message : str
        The reason of the end, in words.
    names : list of str
    index : int or None
        The differentiation index of the equations; None: not known.
    y0_moved : dict
        Start values that were changed to satisfy the equations: name -> (given, used).
    constraint_residual : float
        The largest residual of the equations without derivatives at output points.
    diagnosis : Diagnosis or None
        Of a failure: its cause, what is to blame, and a hint.
    warnings : list of str
    stats : dict
        Counts of the run, the method and why it was chosen, and how the function was treated:
        ``stats["function"]`` is "traced", "called", "native" or "model".
    """

    t: np.ndarray
    y: np.ndarray
    yp: np.ndarray
    sol: Optional[DenseSolution]
    t_events: Optional[List[np.ndarray]]
    y_events: Optional[List[np.ndarray]]
    nfev: int
    njev: int
    nlu: int
    status: int
    success: bool
    message: str
    names: List[str]
    index: Optional[int]
    y0_moved: Dict[str, Tuple[float, float]]
    constraint_residual: float
    diagnosis: Optional[Diagnosis]
    warnings: List[str]
    stats: Dict[str, Any]

    def __init__(self, **fields: Any) -> None:
        self.__dict__.update(fields)

    # ---- access ----

    def _row(self, name: str) -> Optional[Tuple[np.ndarray, int]]:
        if name in self.names:
            return self.y, self.names.index(name)
        inner = name[4:-1] if name.startswith("der(") and name.endswith(")") else ""
        return (self.yp, self.names.index(inner)) if inner in self.names else None

    def __getitem__(self, key: Union[str, int]) -> np.ndarray:
        """``res["x"]``: a variable over time; also "time" and "der(x)", or the number of a variable."""
        if isinstance(key, (int, np.integer)):
            return self.y[key]
        if key in ("time", "t") and key not in self.names:
            return self.t
        row = self._row(key)
        if row is None:
            raise KeyError(f"there is no variable {key!r}{nearest(key, self.names)}")
        return row[0][row[1]]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._row(name) is not None

    def keys(self) -> List[str]:
        """The names of the variables."""
        return list(self.names)

    # ---- output ----

    def to_pandas(self, names: Optional[Sequence[str]] = None) -> Any:
        """A pandas.DataFrame with one column for each variable and the time as its index."""
        try:
            import pandas
        except ImportError:
            raise RuntimeError("to_pandas needs pandas, which is not installed"
                               " (Debian: python3-pandas)") from None
        chosen = list(names) if names is not None else self.names
        columns = {name: self[name] for name in chosen}
        return pandas.DataFrame(columns, index=pandas.Index(self.t, name="time"))

    def plot(self, *names: str, ax: Any = None) -> Any:
        """Draw variables over time.

        With matplotlib: into `ax`, or a new figure; returns the axes.  Without it: the path of a page
        (HTML with an SVG picture) in the temporary folder.
        """
        chosen = list(names) or self.names[:8]
        rows = [(name, self[name]) for name in chosen]
        try:
            import matplotlib.pyplot as plt
        except ImportError:
            from ._picture import write_page
            return write_page(self.t, rows)
        if ax is None:
            _, ax = plt.subplots()
        for name, row in rows:
            ax.plot(self.t, row, label=name)
        ax.set_xlabel("time")
        ax.legend()
        return ax

    def save(self, file: Any) -> None:
        """Write a file: .csv, .npz (t, y, yp, names), .json or, with SciPy, .mat."""
        from ._files import save
        save(self, file)

    def __repr__(self) -> str:
        lines = [f"{name:>20}: {value}" for name, value in self._summary()]
        return "\n".join(["Solution", *lines])

    def _summary(self) -> List[Tuple[str, str]]:
        end = f"{self.t[0]:g} .. {self.t[-1]:g}" if len(self.t) else "no points"
        rows = [("message", self.message), ("success", str(self.success)),
                ("status", str(self.status)), ("t", f"{end} ({len(self.t)} points)"),
                ("names", ", ".join(self.names[:12]) + (", ..." if len(self.names) > 12 else "")),
                ("index", "not known" if self.index is None else str(self.index)),
                ("constraint_residual", f"{self.constraint_residual:.1e}"),
                ("nfev, njev, nlu", f"{self.nfev}, {self.njev}, {self.nlu}"),
                ("method", f"{self.stats.get('method')} ({self.stats.get('method_reason')})"),
                ("function", f"{self.stats.get('function')}"
                 + (f": {self.stats['function_reason']}" if self.stats.get("function_reason") else ""))]
        if self.y0_moved:
            rows.append(("y0_moved", ", ".join(f"{name}: {a:g} -> {b:g}" for name, (a, b)
                                               in list(self.y0_moved.items())[:8])))
        if self.diagnosis:
            rows.append(("cause", self.diagnosis.cause))
        rows += [("warning", text) for text in self.warnings[:4]]
        return rows

    def _repr_html_(self) -> str:
        from html import escape
        body = "".join(f"<tr><th style='text-align:left'>{escape(name)}</th>"
                       f"<td style='text-align:left'>{escape(value)}</td></tr>"
                       for name, value in self._summary())
        from ._picture import picture
        rows = [(name, self.y[i]) for i, name in enumerate(self.names[:8])]
        drawing = picture(self.t, rows) if len(self.t) > 1 else ""
        return f"<table>{body}</table>{drawing}"


def doubles(data: bytearray) -> np.ndarray:
    """The numbers that the extension returns as bytes."""
    return np.frombuffer(data, dtype=np.float64)
