"""Sensitivities, linearisation, fits and sweeps of models."""
from __future__ import annotations

import itertools
import os
from dataclasses import dataclass, field
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _native
from ._arrays import as_doubles, output_times
from ._options import nearest
from ._result import doubles
from ._signals import read_signal

POINTS = 501


@dataclass
class Sensitivities:
    """Derivatives of a solution by parameters.

    ``s["x", "k"]`` is dx/dk over ``s.t``, and ``s["x"]`` is x; ``s.values`` has the shape (parameters,
    variables, points).  ``s.units`` are the values of the parameters, or 1 where they are 0.
    After Ctrl-C or at the time limit ``success`` is False, and the result ends there.
    """

    t: np.ndarray
    y: np.ndarray
    names: List[str]
    by: List[str]
    values: np.ndarray
    success: bool
    message: str
    warnings: List[str]
    units: np.ndarray

    def __getitem__(self, key: Union[str, Tuple[str, str]]) -> np.ndarray:
        if isinstance(key, str):
            if key not in self.names:
                raise KeyError(f"{key!r} is not among {self.names}{nearest(key, self.names)}")
            return self.y[self.names.index(key)]
        if not isinstance(key, tuple) or len(key) != 2:
            raise KeyError(f"{key!r} is neither a variable nor a pair of a variable and a parameter")
        variable, parameter = key
        for name, names in ((variable, self.names), (parameter, self.by)):
            if name not in names:
                raise KeyError(f"{name!r} is not among {names}{nearest(name, names)}")
        return self.values[self.by.index(parameter), self.names.index(variable)]

    def ranking(self) -> List[Tuple[str, float]]:
        """Parameters by their influence, as ``daedal sens`` has it: the largest |p dy/dp| of a variable in
        units of its largest |y|, and of these the root mean square over the variables."""
        size = np.abs(self.y).max(axis=1, initial=0.0)
        largest = np.nanmax(np.abs(self.values), axis=2, initial=0.0) * self.units[:, None]
        influence = largest / np.where(size > 0, size, 1.0)
        overall = np.sqrt(np.mean(influence ** 2, axis=1))
        return sorted(zip(self.by, overall.tolist()), key=lambda pair: -pair[1])


def _units(model: Any, by: Sequence[str], given: Mapping[str, float]) -> np.ndarray:
    """Sizes of parameters, and of start values."""
    sizes = []
    for name in by:
        variable = model.variables[name]
        value = variable.start
        if variable.kind == "parameter":
            value = given.get(name, model.parameters[name])
        if not value or not np.isfinite(value):
            value = variable.nominal if variable.kind != "parameter" else 1.0
        sizes.append(abs(value) if value and np.isfinite(value) else 1.0)
    return np.array(sizes)


def _times(model: Any, span: Tuple[float, float], t_eval: Any) -> np.ndarray:
    return np.linspace(*span, POINTS) if t_eval is None else output_times(t_eval, *span)


def run_sensitivities(model: Any, by: Sequence[str], t_span: Any, t_eval: Any,
                      names: Optional[Sequence[str]], how: Dict[str, Any],
                      params: Optional[Mapping[str, float]], inputs: Optional[Mapping[str, Any]],
                      options: Dict[str, Any]) -> Sensitivities:
    """See Model.sensitivities."""
    chosen = [by] if isinstance(by, str) else list(by)
    if not chosen:
        raise ValueError("by must name at least one parameter")
    span = model._span(t_span)
    spec = model._request(span, how, options)
    model._apply(params, None, inputs, span, float(spec["options"][b"rtol"]))
    kept = model._kept(names)
    numbers = np.array([model._place[name] if name in model._place else -1 for name in chosen], np.int32)
    for name in chosen:
        model._variable(name)
    times = _times(model, span, t_eval)
    spec.update(t_eval=times, n_eval=len(times), by=numbers, n_by=len(chosen), n_kept=len(kept),
                kept=np.array([model._place[name] for name in kept], np.int32), derivatives=0)
    outcome = _native.model_run(model._handle, spec)
    from ._model import read_model_end
    status, success, message, _ = read_model_end(outcome)
    if status < 0:
        raise RuntimeError(message)
    t, y = doubles(outcome["t"]), doubles(outcome["y"]).reshape(-1, len(kept)).T
    values = doubles(outcome["derivatives"]).reshape(len(t), len(chosen), len(kept))
    return Sensitivities(t, y, kept, chosen, np.ascontiguousarray(values.transpose(1, 2, 0)), success,
                         message, list(outcome["warnings"]), _units(model, chosen, params or {}))


# ---- linearisation ----

@dataclass
class LinearSystem:
    """E x' = A x + B u, y = C x + D u for small deviations from a point of a run.

    ``eigenvalues`` are the finite ones; ``participation[k, i]`` is the share of variable i in mode k;
    ``index`` is that of the pencil; ``is_equilibrium`` says whether the point stands still, otherwise
    ``moving`` is a variable that does not.
    """

    t: float
    E: np.ndarray
    A: np.ndarray
    B: np.ndarray
    C: np.ndarray
    D: np.ndarray
    variables: List[str]
    equations: List[str]
    inputs: List[str]
    outputs: List[str]
    values: np.ndarray
    slopes: np.ndarray
    eigenvalues: np.ndarray
    participation: Optional[np.ndarray]
    index: int
    is_regular: bool
    is_linear: bool
    is_equilibrium: bool
    moving: Optional[str]

    def transfer(self, s: complex) -> np.ndarray:
        """C (s E - A)^-1 B + D."""
        return self.C @ np.linalg.solve(s * self.E - self.A, self.B.astype(complex)) + self.D


def run_linearize(model: Any, t: Optional[float], inputs: Optional[Sequence[str]],
                  outputs: Optional[Sequence[str]], params: Optional[Mapping[str, float]],
                  how: Dict[str, Any], options: Dict[str, Any]) -> LinearSystem:
    """See Model.linearize."""
    begin = 0.0 if np.isnan(model.start_time) else model.start_time
    end = begin if t is None else float(t)
    if params:
        model.set_parameters(params)
    chosen = [np.zeros(1, np.int32) if names is None or len(names) == 0 else model._numbers(names)
              for names in (inputs, outputs)]
    counts = [-1 if names is None else len(names) for names in (inputs, outputs)]
    spec = model._request((begin, max(end, begin + 1.0)), how, options)
    _native.model_begin(model._handle, spec)
    try:
        if end > begin:
            _native.model_advance(model._handle, end, 0)
        found = _native.model_linearize(model._handle, chosen[0], counts[0], chosen[1], counts[1])
    finally:
        _native.model_end(model._handle)
    return _linear_system(found)


def _linear_system(found: Dict[str, Any]) -> LinearSystem:
    n, u, y = found["n"], len(found["inputs"]), len(found["outputs"])
    matrix = lambda key, rows, columns: doubles(found[key]).reshape(columns, rows).T.copy()
    modes = doubles(found["real"]) + 1j * doubles(found["imaginary"])
    share = doubles(found["participation"])
    return LinearSystem(
        t=found["t"], E=matrix("E", n, n), A=matrix("A", n, n), B=matrix("B", n, u),
        C=matrix("C", y, n), D=matrix("D", y, u), values=doubles(found["values"]),
        slopes=doubles(found["slopes"]), eigenvalues=modes,
        participation=share.reshape(len(modes), n) if len(share) else None,
        **{key: found[key] for key in ("variables", "equations", "inputs", "outputs", "index",
                                       "is_regular", "is_linear", "is_equilibrium", "moving")})


# ---- fits ----

@dataclass
class Estimate:
    """An unknown of a fit: value, standard deviation and confidence interval."""

    name: str
    value: float
    deviation: float
    low: float
    high: float
    determination: str


@dataclass
class FitResult:
    """What a fit has found; ``fit["k"]`` is a value."""

    estimates: Dict[str, Estimate]
    correlation: np.ndarray
    predicted: List[Dict[str, np.ndarray]]
    undetermined: List[str]
    sum: float
    n_values: int
    degrees_of_freedom: int
    has_converged: bool
    iterations: int
    runs: int
    message: str

    def __getitem__(self, name: str) -> float:
        return self.estimates[name].value

    def __repr__(self) -> str:
        rows = [f"  {e.name} = {e.value:.6g} +- {e.deviation:.2g} ({e.low:.6g} .. {e.high:.6g})"
                + ("" if e.determination == "determined" else f", {e.determination}")
                for e in self.estimates.values()]
        return "\n".join([f"FitResult: {self.message}", *rows])


def _unknowns(model: Any, unknowns: Any) -> List[Tuple[int, float, float, float]]:
    given = unknowns if isinstance(unknowns, dict) else {name: None for name in (
        [unknowns] if isinstance(unknowns, str) else unknowns)}
    rows = []
    for name, value in given.items():
        start, low, high = (np.nan, 0.0, 0.0)
        if value is not None and np.ndim(value) == 0:
            start = float(value)
        elif value is not None:
            if len(value) != 3:
                raise ValueError(f"unknown {name}: give a start, or (start, lower, upper)")
            start, low, high = (float(part) for part in value)
        rows.append((model._number(name), start, low, high))
    if not rows:
        raise ValueError("unknowns is empty")
    return rows


def _columns(table: Any) -> Tuple[Dict[str, Any], Dict[str, Any]]:
    """Columns of a table, with "time", and what else a dictionary says of the experiment."""
    if hasattr(table, "columns") and hasattr(table, "index"):
        columns: Dict[str, Any] = {str(name): table[name].to_numpy() for name in table.columns}
        columns.setdefault("time", table.index.to_numpy())
        return columns, {}
    if not isinstance(table, Mapping):
        raise TypeError("data must be a pandas.DataFrame or a dictionary with 'time', or a list of them")
    extra = {key: table[key] for key in ("set", "deviations", "name") if key in table}
    columns = {str(name): value for name, value in table.items() if name not in extra}
    if "time" not in columns:
        raise ValueError("data: the column 'time' is missing")
    return columns, extra


def _experiment(model: Any, table: Any, number: int, span: Tuple[float, float]) -> Dict[str, Any]:
    columns, extra = _columns(table)
    times = as_doubles(columns.pop("time"), "time")
    fed = [name for name in columns if name in model.inputs]
    measured = [name for name in columns if name not in fed]
    for name in measured:
        model._variable(name)
    if not measured:
        raise ValueError(f"experiment {number}: no column is a variable of the model")
    rows = [as_doubles(columns[name], name) for name in measured]
    for name, row in zip(measured, rows):
        if row.shape != times.shape:
            raise ValueError(f"experiment {number}: {name} has the shape {row.shape}, time {times.shape}")
    signals: List[Any] = [tuple(read_signal(name, (times, columns[name]), span, 1e-6)) for name in fed]
    spec: Dict[str, Any] = dict(
        name=str(extra.get("name", f"experiment {number}")).encode(), times=times, n_times=len(times),
        measured=model._numbers(measured), n_measured=len(measured),
        values=np.ascontiguousarray(np.concatenate(rows)), names=measured)
    if fed:
        spec.update(fed=model._numbers(fed), n_fed=len(fed),
                    signals=[(s[0], s[1], len(s[0]), s[2], s[3]) for s in signals])
    if extra.get("set"):
        spec.update(set=model._numbers(list(extra["set"])), n_set=len(extra["set"]),
                    set_to=np.array([float(v) for v in extra["set"].values()]))
    if extra.get("deviations"):
        missing = [name for name in measured if name not in extra["deviations"]]
        if missing:
            raise ValueError(f"experiment {number}: deviations lack {', '.join(missing)}")
        spec["deviations"] = np.array([float(extra["deviations"][name]) for name in measured])
    return spec


def run_fit(model: Any, unknowns: Any, data: Any, t_start: Optional[float], search: Dict[str, Any],
            how: Dict[str, Any], options: Dict[str, Any]) -> FitResult:
    """See Model.fit."""
    begin = t_start if t_start is not None else (
        0.0 if np.isnan(model.start_time) else model.start_time)
    tables = list(data) if isinstance(data, (list, tuple)) else [data]
    experiments = [_experiment(model, table, k, (begin, begin + 1.0)) for k, table in enumerate(tables)]
    spec = model._request((float(begin), float(begin) + 1.0), how, options)
    spec.update(unknowns=_unknowns(model, unknowns), experiments=experiments, **search)
    found = _native.model_fit(model._handle, spec)
    estimates = {row[0]: Estimate(*row) for row in found["estimates"]}
    for name, estimate in estimates.items():
        if model.variables[name].kind == "parameter":
            model._set[name] = estimate.value
    predicted = [dict(zip(e["names"], doubles(values).reshape(e["n_measured"], -1)))
                 for e, values in zip(experiments, found["predicted"])]
    n = len(estimates)
    return FitResult(estimates, doubles(found["correlation"]).reshape(n, n), predicted,
                     found["undetermined"],
                     **{key: found[key] for key in ("sum", "n_values", "degrees_of_freedom",
                                                    "has_converged", "iterations", "runs", "message")})


# ---- sweeps ----

@dataclass
class SweepResult:
    """Results of many runs: ``sweep["x"]`` has the shape (runs, points).

    Runs that failed are NaN; ``messages`` says why, by the number of the run.
    """

    t: np.ndarray
    names: List[str]
    values: Dict[str, np.ndarray]
    y: np.ndarray
    t_reached: np.ndarray
    success: np.ndarray
    messages: Dict[int, str] = field(default_factory=dict)
    interrupted: bool = False

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self.names:
            raise KeyError(f"there is no variable {name!r}{nearest(name, self.names)}")
        return self.y[:, self.names.index(name)]

    def __len__(self) -> int:
        return len(self.y)

    def quantiles(self, name: str, probabilities: Sequence[float]) -> np.ndarray:
        """Quantiles over the runs: shape (probabilities, points)."""
        return np.nanquantile(self[name], probabilities, axis=0)


def _table(values: Mapping[str, Any], grid: bool) -> np.ndarray:
    """Rows of values, one for each run."""
    columns = [np.atleast_1d(as_doubles(value, name)) for name, value in values.items()]
    for name, column in zip(values, columns):
        if column.ndim != 1:
            raise ValueError(f"values of {name} must be a vector, not {column.shape}")
        if not np.isfinite(column).all():
            raise ValueError(f"{name}: {column[~np.isfinite(column)][0]} is not finite")
    if grid:
        return np.array(list(itertools.product(*columns)), dtype=float)
    n = max((len(column) for column in columns), default=0)
    for name, column in zip(values, columns):
        if len(column) not in (1, n):
            raise ValueError(f"{name} has {len(column)} values, others have {n}")
    return np.ascontiguousarray(np.column_stack([np.broadcast_to(c, (n,)) for c in columns]))


def run_sweep(model: Any, values: Mapping[str, Any], t_span: Any, t_eval: Any,
              names: Optional[Sequence[str]], plan: Dict[str, Any], how: Dict[str, Any],
              inputs: Optional[Mapping[str, Any]], options: Dict[str, Any]) -> SweepResult:
    """See Model.sweep."""
    if not values:
        raise ValueError("values is empty: name what varies")
    table = _table(values, plan["grid"])
    span = model._span(t_span)
    spec = model._request(span, how, options)
    model._apply(None, None, inputs, span, float(spec["options"][b"rtol"]))
    times, kept = _times(model, span, t_eval), model._kept(names)
    n_runs = len(table)
    results = np.full((n_runs, len(times), len(kept)), np.nan)
    reached, status = np.full(n_runs, np.nan), np.full(n_runs, 99, np.int32)
    threads = plan["threads"] or os.cpu_count() or 1
    spec.update(t_eval=times, n_eval=len(times), kept=model._numbers(kept), n_kept=len(kept),
                varied=model._numbers(list(values)), n_varied=len(values), values=table, n_runs=n_runs,
                results=results, t_reached=reached, status=status, threads=int(threads),
                one_by_one=int(plan["one_by_one"]), report=_report(plan["progress"], n_runs),
                stop=np.zeros(1, np.int32))
    messages, interrupted = _watched_sweep(model._handle, spec)
    return SweepResult(times, kept, {name: table[:, k].copy() for k, name in enumerate(values)},
                       results.transpose(0, 2, 1), reached, (status >= 0) & (status != 99), messages,
                       interrupted)


def _watched_sweep(handle: Any, spec: Dict[str, Any]) -> Tuple[Dict[int, str], bool]:
    """The sweep in a thread of its own, while this one waits: signals come here, and Ctrl-C ends all
    runs at their next step."""
    import threading
    results: List[Any] = []
    done = threading.Event()

    def work() -> None:
        try:
            results.append(_native.model_sweep(handle, spec))
        except BaseException as error:  # it belongs to the caller
            results.append(error)
        finally:
            done.set()
    threading.Thread(target=work).start()
    while not results:
        try:
            done.wait()
        except KeyboardInterrupt:
            spec["stop"][0] = 1
    if isinstance(results[0], BaseException):
        raise results[0]
    return results[0]


def _report(wish: Any, n_runs: int) -> Any:
    if not wish or callable(wish):
        return wish or None
    import sys

    def show(done: int) -> None:
        sys.stderr.write(f"\r{done} of {n_runs} runs ")
        sys.stderr.flush()
    return show
