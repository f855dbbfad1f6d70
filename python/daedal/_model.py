"""Models: equations in a file or text, with parameters, inputs and outputs by name."""
from __future__ import annotations

import math
import os
from dataclasses import dataclass
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Set, Tuple, Union

import numpy as np

from . import _native
from ._arrays import as_doubles, output_times
from ._options import nearest, settings
from ._result import DenseSolution, Diagnosis, Solution, doubles
from ._solve import KEYWORDS, STATUS, read_end, read_max_steps, read_span, read_timeout
from ._signals import Signal, read_signal

REDUCTIONS = ("auto", "project", "dummy", "ggl", "baumgarte", "differentiate")
POINTS = 501  # of the output of a simulation, unless something else is asked for


@dataclass(frozen=True)
class Variable:
    """A variable, parameter or constant of a model; NaN and None where the text says nothing."""

    name: str
    type: str
    kind: str
    unit: Optional[str]
    description: Optional[str]
    tuning: str
    is_output: bool
    is_fixed: bool
    has_derivative: bool
    value: float
    start: float
    minimum: float
    maximum: float
    nominal: float


class Parameters(Mapping[str, float]):
    """The parameters of a model: ``model.parameters["k"]`` reads one, ``... = 2.0`` sets it."""

    def __init__(self, model: "Model") -> None:
        self._model = model

    def __getitem__(self, name: str) -> float:
        variable = self._model._variable(name, "parameter", KeyError)
        return self._model._set.get(name, variable.value)

    def __setitem__(self, name: str, value: float) -> None:
        self._model.set_parameters({name: value})

    def __iter__(self) -> Iterator[str]:
        return (name for name, v in self._model.variables.items() if v.kind == "parameter")

    def __len__(self) -> int:
        return sum(v.kind == "parameter" for v in self._model.variables.values())

    def __repr__(self) -> str:
        return repr(dict(self))


class MissingFileError(FileNotFoundError, ValueError):
    """There is no model file of this name: an argument that cannot be meant, so a ValueError too."""


class Model:
    """Equations in a file or text (Modelica without libraries; docs/reference/language.md).

    Made by `Model.from_file` or `Model.from_text`.  One thread uses a model at a time; `copy` makes
    another one for another thread.

    >>> model = Model.from_text('''model Decay
    ...   parameter Real k = 1; Real x(start = 1, fixed = true);
    ... equation der(x) = -k*x; end Decay;''')
    >>> model.parameters["k"] = 2.0
    >>> print(f'{model.simulate(1.0)["x"][-1]:.4f}')
    0.1353
    """

    def __init__(self, spec: Dict[str, Any]) -> None:
        self._spec = spec
        self._set: Dict[str, float] = {}
        self._fed: Set[str] = set()
        self._handle = _native.model_read(spec)
        self._describe()

    @classmethod
    def from_file(cls, path: Union[str, "os.PathLike[str]"], *, model_name: Optional[str] = None,
                  parameters: Optional[Mapping[str, float]] = None,
                  starts: Optional[Mapping[str, float]] = None,
                  inputs: Optional[Mapping[str, Optional[str]]] = None, reduction: str = "auto",
                  allow_external: bool = False) -> "Model":
        """Read a file; see `from_text` for the arguments.  ValueError with the line and a caret where
        the text is wrong; MissingFileError, a FileNotFoundError and a ValueError, where there is no
        file."""
        name = os.fspath(path)
        try:
            with open(name, "rb"):
                pass
        except FileNotFoundError as error:
            raise MissingFileError(*error.args, error.filename) from None
        return cls(_spec(name, None, model_name, parameters, starts, inputs, reduction, allow_external))

    @classmethod
    def from_text(cls, text: str, name: str = "text", *, model_name: Optional[str] = None,
                  parameters: Optional[Mapping[str, float]] = None,
                  starts: Optional[Mapping[str, float]] = None,
                  inputs: Optional[Mapping[str, Optional[str]]] = None, reduction: str = "auto",
                  allow_external: bool = False) -> "Model":
        """Read a text, which messages call `name`.

        Parameters
        ----------
        model_name : str
            Which model of the text is meant; the last one otherwise.
        parameters, starts : dict
            Values of parameters, and start values that are kept.
        inputs : dict
            Values of inputs as expressions, "2*sin(time)", or None: from outside.
        reduction : str
            How an index above one is reduced: auto, project, dummy, ggl, baumgarte, differentiate.
        allow_external : bool
            Whether functions of shared objects may be loaded and called.
        """
        return cls(_spec(name, text, model_name, parameters, starts, inputs, reduction, allow_external))

    def copy(self) -> "Model":
        """Another model of the same text with the same parameters, for another thread."""
        other = type(self)(self._spec)
        other.set_parameters(self._set)
        return other

    def __reduce__(self) -> Tuple[Any, ...]:
        return _restore, (type(self), self._spec, self._set)

    # ---- what it is ----

    def _describe(self) -> None:
        info = _native.model_describe(self._handle)
        self.name: str = info["name"]
        self.description: Optional[str] = info["description"]
        self.warnings: List[str] = info["warnings"]
        self.start_time, self.stop_time = info["start_time"], info["stop_time"]
        self.interval, self.tolerance = info["interval"], info["tolerance"]
        self._first = info["first_number"]
        self.variables: Dict[str, Variable] = {
            row["name"]: Variable(**row) for row in info["variables"]}
        self._place = {name: i for i, name in enumerate(self.variables)}

    @property
    def parameters(self) -> Parameters:
        """Parameters by name, with their values in the runs that follow."""
        return Parameters(self)

    @property
    def inputs(self) -> List[str]:
        """Names of the inputs."""
        return [name for name, v in self.variables.items() if v.kind == "input"]

    @property
    def outputs(self) -> List[str]:
        """Names of the outputs."""
        return [name for name, v in self.variables.items() if v.is_output]

    @property
    def states(self) -> List[str]:
        """Names of the states: variables that are determined by their derivatives."""
        return [name for name, v in self.variables.items() if v.kind == "state"]

    def _variable(self, name: str, kind: str = "", error: type = ValueError) -> Variable:
        found = self.variables.get(name)
        if found is None or (kind and found.kind != kind):
            names = [n for n, v in self.variables.items() if not kind or v.kind == kind]
            raise error(f"{self.name} has no {kind or 'variable'} {name!r}{nearest(name, names)}")
        return found

    def _number(self, name: str) -> int:
        self._variable(name)
        return self._first + self._place[name]

    def _numbers(self, names: Sequence[str]) -> np.ndarray:
        return np.array([self._number(name) for name in names], np.int32)

    def __repr__(self) -> str:
        kinds = [v.kind for v in self.variables.values()]
        return (f"Model({self.name!r}, {kinds.count('parameter')} parameters, {len(self.inputs)} inputs,"
                f" {kinds.count('state')} states, {len(kinds)} variables in all)")

    def _repr_html_(self) -> str:
        from html import escape
        rows = "".join(
            f"<tr><td>{escape(v.name)}</td><td>{v.kind}</td><td>{escape(v.unit or '')}</td>"
            f"<td>{'' if np.isnan(v.value) else format(v.value, 'g')}</td>"
            f"<td>{escape(v.description or '')}</td></tr>" for v in list(self.variables.values())[:60])
        return (f"<b>{escape(self.name)}</b> {escape(self.description or '')}<table><tr><th>name</th>"
                f"<th>kind</th><th>unit</th><th>value</th><th>description</th></tr>{rows}</table>")

    # ---- settings ----

    def set_parameters(self, values: Mapping[str, float]) -> None:
        """Set parameters of the runs that follow, all of them or none.  Where a value decides what the
        equations are, the text is read again."""
        pairs = [(name.encode(), float(value)) for name, value in values.items()]
        for name, value in pairs:
            self._variable(name.decode(), "parameter")
            if math.isnan(value):
                raise ValueError(f"{name.decode()} cannot be set: the value is not a number")
        _native.model_set_parameters(self._handle, pairs)
        self._set.update({name: float(value) for name, value in values.items()})
        if pairs:
            self._describe()

    def set_start(self, name: str, value: float) -> None:
        """Let a variable begin with a value, which is kept; NaN takes it back."""
        _native.model_set(self._handle, self._number(name), float(value))

    def _signals(self, inputs: Optional[Mapping[str, Any]], span: Tuple[float, float],
                 rtol: float) -> Dict[str, Signal]:
        named = {} if inputs is None else dict(inputs.items())  # of a pandas table: its columns
        for name in named:
            self._variable(name, "input")
        return {name: read_signal(name, value, span, rtol) for name, value in named.items()}

    def _feed(self, signals: Mapping[str, Signal]) -> None:
        for name in self._fed - set(signals):
            _native.model_feed(self._handle, self._number(name), np.zeros(1), np.zeros(1), 0, 0, 0)
            self._fed.discard(name)
        for name, signal in signals.items():
            _native.model_feed(self._handle, self._number(name), signal.times, signal.values,
                               len(signal.times), signal.interpolation, signal.extrapolation)
            self._fed.add(name)

    def _apply(self, params: Optional[Mapping[str, float]], starts: Optional[Mapping[str, float]],
               inputs: Optional[Mapping[str, Any]], span: Tuple[float, float], rtol: float) -> None:
        signals = self._signals(inputs, span, rtol)  # what is wrong is found before anything changes
        for name in starts or {}:
            self._number(name)
        if params:
            self.set_parameters(params)
        for name, value in (starts or {}).items():
            self.set_start(name, value)
        self._feed(signals)

    # ---- runs ----

    def _span(self, t_span: Any) -> Tuple[float, float]:
        begin = 0.0 if np.isnan(self.start_time) else self.start_time
        if t_span is None:
            if np.isnan(self.stop_time):
                raise ValueError(f"{self.name} has no stop time: give t_span")
            return begin, self.stop_time
        return (begin, float(t_span)) if np.ndim(t_span) == 0 else read_span(t_span)

    def _request(self, span: Tuple[float, float], how: Dict[str, Any],
                 options: Dict[str, Any]) -> Dict[str, Any]:
        """What all runs need; `how` has method, rtol, atol, max_step, timeout, progress."""
        rtol = how.get("rtol")
        if rtol is None:
            rtol = 1e-6 if np.isnan(self.tolerance) else self.tolerance
        atol = how.get("atol")
        chosen = {"rtol": rtol, "atol": 1e-3 * float(rtol) if atol is None else atol,
                  "method": how.get("method"), "max_step": how.get("max_step"),
                  "first_step": how.get("first_step"), "max_steps": how.get("max_steps"), **options}
        return dict(t0=span[0], t_end=span[1], options=settings(chosen, KEYWORDS),
                    scale_atol=int(atol is None), timeout=read_timeout(how.get("timeout")),
                    progress=_progress(how.get("progress"), span))

    def simulate(self, t_span: Any = None, *, t_eval: Any = None, every_step: bool = False,
                 dense_output: bool = False, params: Optional[Mapping[str, float]] = None,
                 starts: Optional[Mapping[str, float]] = None,
                 inputs: Optional[Mapping[str, Any]] = None, names: Optional[Sequence[str]] = None,
                 method: str = "auto", rtol: Optional[float] = None, atol: Optional[float] = None,
                 max_step: Optional[float] = None, timeout: Optional[float] = None,
                 progress: Any = False, verify: bool = False, **options: Any) -> Solution:
        """Run the model from its start to its end.

        Parameters
        ----------
        t_span : (begin, end), end, or None
            None: as the annotation `experiment` of the model says.
        t_eval : array
            Output times; otherwise 501 evenly spaced ones and the events, or with ``every_step=True``
            the steps of the integrator.
        params, starts : dict
            Values of parameters and start values, for this run and those that follow.
        inputs : dict
            For this run: name -> number, (times, values), a pandas Series or a function of time; or a
            pandas table whose columns are the inputs and whose index is the time.
        names : list
            Variables of the result; all that vary otherwise.
        rtol, atol : float
            By default those of the model, else 1e-6; atol is multiplied by nominal values if it is
            not given.
        verify : bool
            Whether the model is solved again by another method and compared: ``stats["verification"]``.
        Other arguments are those of `solve_dae`.
        """
        span = self._span(t_span)
        if span[1] <= span[0]:
            raise ValueError(f"a model runs forward: t_span = {span}")
        spec = self._request(span, dict(rtol=rtol, atol=atol, method=method, max_step=max_step,
                                        timeout=timeout, progress=progress), options)
        self._apply(params, starts, inputs, span, float(spec["options"][b"rtol"]))
        kept = self._kept(names)
        if t_eval is not None:
            spec["t_eval"] = output_times(t_eval, *span)
        elif not every_step and not dense_output:
            spec["t_eval"] = np.linspace(*span, POINTS)
        return self._run(spec, kept, dense_output, verify)

    def _kept(self, names: Optional[Sequence[str]]) -> List[str]:
        if names is None:
            fixed = ("parameter", "constant")
            return [name for name, v in self.variables.items() if v.kind not in fixed]
        for name in names:
            self._variable(name)
        return list(names)

    def _run(self, spec: Dict[str, Any], kept: List[str], dense: bool, verify: bool) -> Solution:
        columns = np.array([self._place[name] for name in kept] or [0], np.int32)
        spec.update(kept=columns, n_kept=len(kept), derivatives=1, dense=int(dense),
                    n_eval=len(spec.get("t_eval", ())), verify=int(verify))
        return self._solution(_native.model_run(self._handle, spec), kept)

    def _solution(self, outcome: Dict[str, Any], kept: List[str]) -> Solution:
        n = len(kept)
        stats = dict(outcome["stats"], method=outcome["method"], function="model",
                     method_reason=outcome["method_reason"], limiting=outcome["limiting"],
                     open=outcome["open"], verification=outcome["verification"])
        status, success, message, diagnosis = read_model_end(outcome)
        dense = outcome.get("dense")
        return Solution(
            t=doubles(outcome["t"]), y=doubles(outcome["y"]).reshape(-1, n).T,
            yp=doubles(outcome["yp"]).reshape(-1, n).T,
            sol=DenseSolution(n, *(doubles(dense[key]) for key in ("bounds", "points", "values")))
            if dense and len(dense["points"]) else None,
            t_events=None, y_events=None, nfev=stats["residuals"], njev=stats["jacobians"],
            nlu=stats["factorizations"], status=status, success=success, message=message, names=kept,
            index=self._index(), y0_moved={a: (b, c) for a, b, c in outcome["moved"]},
            constraint_residual=outcome["constraint_residual"], diagnosis=diagnosis,
            warnings=list(outcome["warnings"]), stats=stats)

    def _index(self) -> Optional[int]:
        try:
            found = int(_native.model_analyze(self._handle)["index"])
        except (ValueError, RuntimeError):
            return None
        return found if found >= 0 else None

    def start(self, t0: Optional[float] = None, *, params: Optional[Mapping[str, float]] = None,
              starts: Optional[Mapping[str, float]] = None) -> Dict[str, float]:
        """Consistent values of all variables at the start, and of derivatives as "der(x)"."""
        begin = self._span((0.0, 1.0))[0] if t0 is None else float(t0)
        spec = self._request((begin, begin + 1.0), {}, {})
        self._apply(params, starts, None, (begin, begin + 1.0), 1e-6)
        n = len(self.variables)
        values = np.full(2 * n, np.nan)
        outcome = _native.model_start(self._handle, spec, values)
        if outcome["ended"] != "end":
            _, _, message, _ = read_model_end(outcome)
            raise RuntimeError(message)
        found = dict(zip(self.variables, values[:n].tolist()))
        found.update({f"der({name})": value for name, value
                      in zip(self.variables, values[n:].tolist()) if not np.isnan(value)})
        return found

    def begin(self, t_span: Any = None, *, params: Optional[Mapping[str, float]] = None,
              starts: Optional[Mapping[str, float]] = None,
              inputs: Optional[Mapping[str, Any]] = None, method: str = "auto",
              rtol: Optional[float] = None, atol: Optional[float] = None,
              stop_at_events: bool = False, **options: Any) -> "Run":
        """Begin a run that is driven step by step; see `Run`."""
        span = self._span(t_span)
        spec = self._request(span, dict(rtol=rtol, atol=atol, method=method), options)
        spec["stop_at_events"] = int(stop_at_events)
        self._apply(params, starts, inputs, span, 1e-6)
        _native.model_begin(self._handle, spec)
        return Run(self, span)

    # ---- studies ----

    def analyze(self) -> "Any":
        """Index, degrees of freedom, hidden constraints, blocks and incidence: a `Structure`."""
        from ._structure import structure_of_model
        return structure_of_model(self)

    def sensitivities(self, by: Sequence[str], t_span: Any = None, *, t_eval: Any = None,
                      names: Optional[Sequence[str]] = None, rtol: Optional[float] = None,
                      atol: Optional[float] = None, method: str = "auto",
                      params: Optional[Mapping[str, float]] = None,
                      inputs: Optional[Mapping[str, Any]] = None, **options: Any) -> "Sensitivities":
        """Derivatives of the solution by parameters, or by start values of variables."""
        from ._studies import run_sensitivities
        how = dict(rtol=rtol, atol=atol, method=method)
        return run_sensitivities(self, by, t_span, t_eval, names, how, params, inputs, options)

    def linearize(self, t: Optional[float] = None, *, inputs: Optional[Sequence[str]] = None,
                  outputs: Optional[Sequence[str]] = None,
                  params: Optional[Mapping[str, float]] = None, rtol: Optional[float] = None,
                  **options: Any) -> "LinearSystem":
        """E x' = A x + B u, y = C x + D u near the point of the run at time t, by default the start.

        inputs (also parameters) and outputs are those declared as such if not given."""
        from ._studies import run_linearize
        return run_linearize(self, t, inputs, outputs, params, dict(rtol=rtol), options)

    def fit(self, unknowns: Any, data: Any, *, t_start: Optional[float] = None, starts: int = 1,
            seed: int = 0, confidence: float = 0.95, rtol: Optional[float] = None,
            max_iterations: int = 100, progress: Any = False, **options: Any) -> "FitResult":
        """Find parameters for which the runs come closest to measured data.

        Parameters
        ----------
        unknowns : list of names, or dict name -> start, or name -> (start, lower, upper)
            Parameters, or variables whose start value is sought.
        data : table or list of tables
            One table for each experiment: a pandas.DataFrame with the time as index or in a column
            "time", or a dictionary name -> array with "time".  NaN: not measured.  Columns of inputs
            are fed to them.  A dictionary may also have "set": {name: value} for this experiment, and
            "deviations": {name: standard deviation}.
        starts, seed : int
            Searches from several values.
        confidence : float
            Probability of the intervals.
        """
        from ._studies import run_fit
        how = dict(rtol=rtol, progress=progress)
        return run_fit(self, unknowns, data, t_start,
                       dict(starts=starts, seed=seed, confidence=confidence,
                            iterations_most=max_iterations), how, options)

    def sweep(self, values: Mapping[str, Any], t_span: Any = None, *, t_eval: Any = None,
              names: Optional[Sequence[str]] = None, grid: bool = False,
              threads: Optional[int] = None, one_by_one: bool = False,
              rtol: Optional[float] = None, atol: Optional[float] = None, method: str = "auto",
              inputs: Optional[Mapping[str, Any]] = None, progress: Any = False,
              **options: Any) -> "SweepResult":
        """Run the model with many values of parameters and start values.

        Parameters
        ----------
        values : dict name -> array
            All arrays have the same length, one entry for each run, or with ``grid=True`` all their
            combinations are run; numbers hold for all runs.
        threads : int
            By default as many as there are processors.  A result does not depend on it.
        one_by_one : bool
            Each run by itself; otherwise small models may be run several at a time by a method of
            their own.
        progress : bool or callable
            Called as progress(number of runs that are done).
        """
        from ._studies import run_sweep
        how = dict(rtol=rtol, atol=atol, method=method)
        return run_sweep(self, values, t_span, t_eval, names, dict(
            grid=grid, threads=threads, one_by_one=one_by_one, progress=progress), how, inputs, options)


def _restore(kind: type, spec: Dict[str, Any], values: Dict[str, float]) -> Model:
    model: Model = kind(spec)
    model.set_parameters(values)
    return model


def _spec(path: str, text: Optional[str], model_name: Optional[str],
          parameters: Optional[Mapping[str, float]], starts: Optional[Mapping[str, float]],
          inputs: Optional[Mapping[str, Optional[str]]], reduction: str,
          allow_external: bool) -> Dict[str, Any]:
    if reduction not in REDUCTIONS:
        raise ValueError(f"reduction = {reduction!r} is not one of {', '.join(REDUCTIONS)}"
                         + nearest(str(reduction), REDUCTIONS))
    if text is not None and "\0" in text:
        raise ValueError("the text of the model contains a zero byte")
    pairs = lambda given: [(name.encode(), float(value)) for name, value in (given or {}).items()]
    return dict(path=os.fsencode(path), text=None if text is None else text.encode(),
                model_name=None if model_name is None else model_name.encode(),
                parameters=pairs(parameters), starts=pairs(starts),
                inputs=[(name.encode(), None if value is None else str(value).encode())
                        for name, value in (inputs or {}).items()],
                reduction=REDUCTIONS.index(reduction), allow_external=int(allow_external))


def _progress(wish: Any, span: Tuple[float, float]) -> Optional[Callable[[float, int], Any]]:
    if not wish:
        return None
    if callable(wish):
        return lambda t, steps: wish(t, steps)
    import sys

    def show(t: float, steps: int) -> None:
        share = 100.0 * (t - span[0]) / (span[1] - span[0])
        sys.stderr.write(f"\rt = {t:.6g} ({share:.1f} %), {steps} steps ")
        sys.stderr.flush()
    return show


def read_model_end(outcome: Dict[str, Any]) -> Tuple[int, bool, str, Optional[Diagnosis]]:
    """How the run of a model ended; what is to blame is told by name."""
    if outcome["ended"] == "stopped" and outcome.get("ended_by", -1) >= 0:
        outcome = dict(outcome, ended="event")
    return read_end(outcome)


class Run:
    """A run of a model that the caller drives.

    >>> model = Model.from_text('model M input Real u; Real x(start = 0, fixed = true);'
    ...                         ' equation der(x) = u; end M;')
    >>> with model.begin((0, 2)) as run:
    ...     run["u"] = 1.0
    ...     reached = run.advance(1.0)
    ...     run["u"] = 2.0
    ...     reached = run.advance(2.0)
    ...     print(f"{run['x']:.3f}")
    3.000
    """

    def __init__(self, model: Model, span: Tuple[float, float]) -> None:
        self.model, self.span = model, span
        self.t = span[0]
        self.outcome: Optional[Dict[str, Any]] = None

    def __getitem__(self, name: str) -> float:
        """The value of a variable, a parameter or "der(x)" now."""
        return float(_native.model_get(self.model._handle, self._find(name)))

    def __setitem__(self, name: str, value: float) -> None:
        """Set an input or a parameter from now on."""
        _native.model_set(self.model._handle, self._find(name), float(value))

    def _find(self, name: str) -> int:
        if name in self.model._place:
            return self.model._first + self.model._place[name]
        return int(_native.model_find(self.model._handle, name))

    def advance(self, t: float) -> bool:
        """Continue to t.  False: the end of the run was reached before, or an event, with
        ``stop_at_events``; ``run.t`` is the time."""
        self.t, status = _native.model_advance(self.model._handle, float(t), 0)
        return status == 0

    def step(self, t_limit: Optional[float] = None) -> float:
        """One step of the integrator at most, which does not pass t_limit; the time it came to."""
        limit = self.span[1] if t_limit is None else float(t_limit)
        self.t, _ = _native.model_advance(self.model._handle, limit, 1)
        return self.t

    def end(self) -> Dict[str, Any]:
        """End the run; counts, method and warnings."""
        if self.outcome is None:
            self.outcome = _native.model_end(self.model._handle)
        return self.outcome

    def __enter__(self) -> "Run":
        return self

    def __exit__(self, *error: Any) -> None:
        self.end()


def solve_model(fun: Any, t_span: Any, y0: Any, yp0: Any, given: Dict[str, Any],
                options: Dict[str, Any]) -> Solution:
    """solve_dae of a model text or file."""
    if y0 is not None and not isinstance(y0, dict):
        raise TypeError("y0 of a model must be a dictionary: name -> start value")
    refused = [name for name in ("jac", "jac_sparsity", "mass", "bounds", "events", "fixed", "index",
                            "breakpoints")
               if given[name] is not None]
    if yp0 is not None or refused:
        raise TypeError(f"a model has its own equations: {', '.join(refused or ['yp0'])} cannot be given")
    is_text = isinstance(fun, str) and ("\n" in fun or ";" in fun)
    model = Model.from_text(fun) if is_text else Model.from_file(fun)
    tolerances = {name: given[name] for name, default in (("rtol", 1e-6), ("atol", 1e-9))
                  if given[name] != default}
    if given["max_steps"] is not None:
        options = dict(options, max_steps=read_max_steps(given["max_steps"]))
    return model.simulate(
        t_span, t_eval=given["t_eval"], every_step=given["t_eval"] is None,
        dense_output=given["dense_output"], params=given["params"], starts=y0, names=given["names"],
        method=given["method"], max_step=given["max_step"], timeout=given["timeout"],
        progress=given["progress"], **tolerances, **options)


from ._studies import FitResult, LinearSystem, Sensitivities, SweepResult  # noqa: E402 (for types)
