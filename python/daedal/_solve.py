"""solve_dae: differential-algebraic equations with the habits of scipy.integrate.solve_ivp."""
from __future__ import annotations

import functools
import math
import sys
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import _native
from ._arrays import (FLOAT64, check_column, convert_columns, convert_result, new_array, output_times, per_variable, vector)
from ._events import Events, read_events, split_events
from ._functions import Target, classify, is_model
from ._matrices import add_jacobian, add_mass
from ._options import nearest, settings
from ._result import DenseSolution, Diagnosis, Solution, doubles

INDEX_UNKNOWNS_MOST = 100  # larger systems are not analysed unless it is asked for
RESIDUAL_POINTS = 4  # output points at which the constraints are looked at: each costs a call
FREE, GUESS, FIXED = 0, 1, 2
KEYWORDS = ("method", "t_eval", "dense_output", "events", "args", "params", "rtol", "atol", "jac",
            "jac_sparsity", "mass", "index", "fixed", "names", "bounds", "vectorized", "max_step",
            "first_step", "max_steps", "timeout", "progress", "trace", "breakpoints")


class Problem:
    """A system of functions with all that was said about it, checked."""

    def __init__(self, fun: Any, t_span: Any, y0: Any, yp0: Any, given: Dict[str, Any],
                 options: Dict[str, Any]) -> None:
        self.t0, self.t_end = read_span(t_span)
        self.y0 = vector(y0, None, "y0")
        self.n = len(self.y0)
        if self.n == 0:
            raise ValueError("y0 is empty: there must be at least one unknown")
        self.yp0 = None if yp0 is None else vector(yp0, self.n, "yp0")
        self.args = given["args"] if isinstance(given["args"], tuple) else (given["args"],)
        self.keywords = read_params(given["params"])
        self.target: Target = classify(fun, given["mass"], self.args, self.keywords)
        self.names = read_names(given["names"], self.n)
        self.events: Events = read_events(given["events"])
        self.given = given
        self.options = options
        self.t_eval = (None if given["t_eval"] is None
                       else output_times(given["t_eval"], self.t0, self.t_end))
        self.breakpoints = read_breakpoints(given.get("breakpoints"))
        self.max_steps = read_max_steps(given["max_steps"])
        self.rtol, self.rtol_each = per_variable(given["rtol"], self.n, "rtol")
        self.atol, self.atol_each = per_variable(given["atol"], self.n, "atol")

    def spec(self) -> Dict[str, Any]:
        """The description that the extension reads."""
        given, target = self.given, self.target
        spec: Dict[str, Any] = dict(
            n=self.n, t0=self.t0, t_end=self.t_end, y0=self.y0, yp0=self.yp0,
            has_rhs=int(target.has_rhs), fun=target.fun, native=target.address,
            native_user=target.user, extra=self.args, keywords=self.keywords or None,
            new_array=new_array, convert=convert_result, float64=FLOAT64,
            many=self.many() if given.get("vectorized") and target.fun else None,
            t_eval=self.t_eval if self.t_eval is None or len(self.t_eval) else np.zeros(1),
            n_eval=0 if self.t_eval is None else len(self.t_eval),
            dense=int(bool(given["dense_output"])), max_steps=self.max_steps,
            rtol_each=self.rtol_each, atol_each=self.atol_each,
            timeout=read_timeout(given["timeout"]), progress=self.progress())
        if not target.fun:
            spec["extra"] = ()
        self.add_breakpoints(spec)
        spec["options"] = settings(
            {"rtol": self.rtol, "atol": self.atol, "method": given["method"],
             "max_step": finite_or_none(given["max_step"], "max_step"),
             "first_step": finite_or_none(given["first_step"], "first_step"), **self.options},
            KEYWORDS)
        if given["names"] is not None:
            spec["names"] = [name.encode() for name in self.names]
        self._add_events(spec)
        self._add_start(spec)
        self._add_bounds(spec)
        self._add_index(spec)
        slope = np.zeros(self.n) if self.yp0 is None else self.yp0.copy()
        add_mass(spec, given["mass"], self.n, (self.t0, self.y0))
        add_jacobian(spec, given["jac"], given["jac_sparsity"], self.n, target.has_rhs,
                     (self.t0, self.y0.copy(), slope), self.call)
        return spec

    def many(self) -> Callable[..., np.ndarray]:
        """The values of a vectorised function at many points, which are columns."""
        n, fun, is_checked = self.n, self.target.fun, [False]

        def values(t: float, y: np.ndarray, yp: Optional[np.ndarray], count: int) -> np.ndarray:
            points = [rows.reshape(count, n).T for rows in (y, yp) if rows is not None]
            found = convert_columns(self.call(fun, t, *points), n, count)
            if not is_checked[0]:
                is_checked[0] = True
                single = convert_result(self.call(fun, t, *(p[:, 0].copy() for p in points)), n)
                check_column(found[0], single)
            return found
        return values

    def call(self, function: Any, *point: Any) -> Any:
        """A function of the user with the further arguments."""
        return function(*point, *self.args, **self.keywords)

    def progress(self) -> Optional[Callable[[float, int], None]]:
        """What shows how far the run has come: the user's function, or a line on the terminal."""
        wish = self.given["progress"]
        if not wish:
            return None
        if callable(wish):
            return lambda t, steps: wish(t, steps)
        span = self.t_end - self.t0

        def show(t: float, steps: int) -> None:
            sys.stderr.write(f"\rt = {t:.6g} ({100.0 * (t - self.t0) / span:.1f} %), {steps} steps ")
            sys.stderr.flush()
        return show

    def add_breakpoints(self, spec: Dict[str, Any]) -> None:
        """Times at which the function may jump."""
        if len(self.breakpoints):
            spec.update(breakpoints=self.breakpoints, n_breakpoints=len(self.breakpoints))

    def _add_events(self, spec: Dict[str, Any]) -> None:
        events = self.events
        spec["actions"] = events.actions
        if self.target.has_rhs:
            spec["actions"] = tuple(None if action is None else drop_slopes(action)
                                    for action in events.actions)
        spec["terminal"] = events.terminal if len(events.terminal) else np.zeros(1, np.int64)
        if not events.functions:
            return
        functions = events.functions
        if self.target.has_rhs:
            functions = tuple(drop_slopes(function) for function in functions)
        spec.update(events=functions, event_direction=events.direction)

    def fixed_mask(self) -> np.ndarray:
        """Which start values must be kept."""
        mask = np.zeros(self.n, bool)
        if self.given["fixed"] is not None:
            mask[choose(self.given["fixed"], self.names, self.n, "fixed")] = True
        return mask

    def _add_start(self, spec: Dict[str, Any]) -> None:
        if self.given["fixed"] is None:
            return
        spec["y_mask"] = np.where(self.fixed_mask(), FIXED, GUESS).astype(np.int32)
        spec["yp_mask"] = np.full(self.n, FREE if self.yp0 is None else GUESS, np.int32)

    def _add_bounds(self, spec: Dict[str, Any]) -> None:
        bounds = self.given["bounds"]
        if bounds is None:
            return
        spec["lower"], spec["upper"] = read_bounds(bounds, self.names, self.n)

    def _add_index(self, spec: Dict[str, Any]) -> None:
        index = self.given["index"]
        if index is None or np.ndim(index) == 0:
            return
        each = np.asarray(index)
        if each.shape != (self.n,) or each.dtype.kind not in "iu":
            raise ValueError(f"index must be a number, or {self.n} integers, one for each variable")
        spec["variable_index"] = np.ascontiguousarray(each, np.int32)


# ---- reading arguments ----

def read_span(t_span: Any) -> Tuple[float, float]:
    """Begin and end of a run."""
    try:
        first, last = t_span
        t0, t_end = float(first), float(last)
    except (TypeError, ValueError):
        raise ValueError(f"t_span must be two numbers (t0, t_end), not {t_span!r}") from None
    if not (math.isfinite(t0) and math.isfinite(t_end)):
        raise ValueError(f"t_span = ({t0}, {t_end}) must be finite")
    return t0, t_end


def read_params(params: Any) -> Dict[str, Any]:
    """Parameters by name: they are passed to the function as keywords."""
    if params is None:
        return {}
    if not isinstance(params, dict) or not all(isinstance(name, str) for name in params):
        raise TypeError("params must be a dictionary: name -> value")
    return dict(params)


def read_names(names: Any, n: int) -> List[str]:
    """Names of the variables; y[0], y[1], ... where none are given."""
    if names is None:
        return list(numbered_names(n))
    if isinstance(names, str):
        names = names.replace(",", " ").split()
    result = [str(name) for name in names]
    if len(result) != n:
        raise ValueError(f"names has {len(result)} entries, expected {n}")
    if len(set(result)) != n:
        raise ValueError("names must differ from each other")
    return result


@functools.lru_cache(maxsize=16)
def numbered_names(n: int) -> Tuple[str, ...]:
    """The names of variables that have none."""
    return tuple(f"y[{i}]" for i in range(n))


def read_breakpoints(times: Any) -> np.ndarray:
    """Times at which the function may jump: in any order, each once."""
    if times is None:
        return np.empty(0)
    times = [times] if np.ndim(times) == 0 else times
    return np.unique(vector(times, None, "breakpoints"))


def read_max_steps(value: Any) -> int:
    """The largest number of steps."""
    if value is None:
        return 2**62
    if not isinstance(value, (int, np.integer)) or value < 1:
        raise ValueError(f"max_steps must be a positive integer, not {value!r}")
    return int(value)


def read_timeout(value: Any) -> Optional[float]:
    """Seconds, or None."""
    if value is None:
        return None
    if not float(value) > 0.0:
        raise ValueError(f"timeout must be a positive number of seconds, not {value!r}")
    return float(value)


def finite_or_none(value: Any, what: str) -> Optional[float]:
    """A step size; infinity and None mean that there is no limit."""
    if value is None or value == np.inf:
        return None
    number = float(value)
    if not number > 0.0:
        raise ValueError(f"{what} must be positive, not {value!r}")
    return number


def choose(which: Any, names: Sequence[str], n: int, what: str) -> np.ndarray:
    """Numbers of variables that are given by numbers, names or a mask."""
    if isinstance(which, (str, int)):
        which = [which]
    if isinstance(which, np.ndarray) and which.dtype == bool:
        if which.shape != (n,):
            raise ValueError(f"{what} must have {n} entries, but its shape is {which.shape}")
        return np.flatnonzero(which)
    return np.array([number_of(one, names, n, what) for one in which], int)


def number_of(one: Any, names: Sequence[str], n: int, what: str) -> int:
    """The number of one variable."""
    if isinstance(one, str):
        if one not in names:
            raise ValueError(f"{what}: there is no variable {one!r}{nearest(one, names)}")
        return list(names).index(one)
    if not isinstance(one, (int, np.integer)) or not -n <= one < n:
        raise ValueError(f"{what}: {one!r} is no variable; there are {n}")
    return int(one) % n


def read_bounds(bounds: Any, names: Sequence[str], n: int) -> Tuple[np.ndarray, np.ndarray]:
    """Lower and upper bounds from (lower, upper), or from a dictionary name -> (lower, upper)."""
    lower, upper = np.full(n, -np.inf), np.full(n, np.inf)
    if isinstance(bounds, dict):
        for one, (low, high) in bounds.items():
            i = number_of(one, names, n, "bounds")
            lower[i] = -np.inf if low is None else low
            upper[i] = np.inf if high is None else high
    else:
        try:
            low, high = bounds
            lower[:] = -np.inf if low is None else low
            upper[:] = np.inf if high is None else high
        except (TypeError, ValueError):
            raise ValueError("bounds must be (lower, upper), numbers or vectors of"
                             f" {n} entries, or a dictionary name -> (lower, upper)") from None
    if np.isnan(lower).any() or np.isnan(upper).any() or (lower > upper).any():
        raise ValueError("bounds: a lower bound exceeds the upper one, or is NaN")
    return lower, upper


def drop_slopes(function: Any) -> Any:
    """Events and actions of fun(t, y) are called as event(t, y) and action(t, y)."""
    def event(t: float, y: np.ndarray, yp: np.ndarray, *rest: Any, **keywords: Any) -> Any:
        return function(t, y, *rest, **keywords)
    return event


# ---- the run ----

def solve_dae(fun: Any, t_span: Any, y0: Any = None, yp0: Any = None, *, method: str = "auto",
              t_eval: Any = None, dense_output: bool = False, events: Any = None, args: Any = (),
              params: Optional[Dict[str, Any]] = None, rtol: Any = 1e-6, atol: Any = 1e-9,
              jac: Any = None, jac_sparsity: Any = None, mass: Any = None,
              index: Union[None, int, Sequence[int]] = None, fixed: Any = None, names: Any = None,
              bounds: Any = None, vectorized: bool = False, max_step: Optional[float] = None,
              first_step: Optional[float] = None, max_steps: Optional[int] = None,
              timeout: Optional[float] = None, progress: Any = False, trace: Any = "auto",
              breakpoints: Any = None, **options: Any) -> Solution:
    """Solve F(t, y, y') = 0, or M y' = f(t, y), from t_span[0] to t_span[1].

    Parameters
    ----------
    fun : callable, str, path or C function
        ``fun(t, y, yp)`` returns the residuals F, as many as there are unknowns.  ``fun(t, y)``
        returns f of M y' = f(t, y); without `mass` M is the unit matrix.  A string or path is the
        text or file of a model (see `Model`).  A function of ctypes or cffi or a numba cfunc with the
        signature ``int f(double t, const double *y, const double *yp, double *r, void *user)``
        (without yp if there is a `mass`) is called directly.
    t_span : (float, float)
        Begin and end; the end may be earlier than the beginning.
    y0 : array (n,)
        Start values.  Those of algebraic variables are guesses: all of them are made consistent with
        the equations, and with the constraints that follow from them, by changes that are reported in
        ``y0_moved``.  For a model: a dictionary of start values, or None.
    yp0 : array (n,), optional
        Start values of the derivatives; they are found if missing.
    method : str
        "auto", "bdf", "bdf_classic", "radau", "rodas", "limex", "dopri" or "array".
    t_eval : array, optional
        Times of the output, in the direction of the run; without it every step is an output point.
    dense_output : bool
        Whether ``sol`` of the result is a function of time.
    events : function or list of functions
        ``event(t, y, yp)`` (``event(t, y)`` with ``fun(t, y)``) is located where it changes its sign.
        Attributes: ``terminal`` (True, or the count after which the run ends), ``direction`` (+1, -1,
        0) and ``action(t, y, yp)`` (``action(t, y)`` with ``fun(t, y)``), which returns the y to
        continue with, or None.
    args : tuple
        Further arguments of fun, jac, events and actions.
    params : dict
        Further arguments by keyword; for a model: values of its parameters.
    rtol, atol : float or array (n,)
        Tolerances.
    jac : callable or matrices
        ``jac(t, y, yp)`` returns (dF/dy, dF/dyp), ``jac(t, y)`` of fun(t, y) df/dy: arrays or
        scipy.sparse matrices.  Constant matrices may be given instead.  Without it: exact if `fun` can
        be traced, else by differences.
    jac_sparsity : matrix, or two matrices
        Where the entries of the Jacobian are; found by calls if missing.
    mass : matrix or callable
        M: dense or sparse, ``mass(t)`` or ``mass(t, y)``; it may be singular.
    index : int or sequence of int, optional
        An int is the index that you expect: another one is a ValueError.  A sequence is the index of
        each variable, which is then not looked for.
    fixed : names, numbers or mask
        Entries of y0 that must be kept; all others are guesses.
    names : list of str
        Names of the variables, for ``res["x"]`` and for messages.
    bounds : (lower, upper) or dict
        No value that is returned lies outside.
    vectorized : bool
        Whether fun may also be called with y (and yp) of shape (n, k), and returns (n, k) then: all
        columns of a Jacobian by differences cost one call.
    max_step, first_step : float
    max_steps : int
    timeout : float
        Seconds after which the run ends with status 2 and what was computed so far.
    progress : bool or callable
        True shows a line on the terminal; a function is called as progress(t, steps).
    trace : "auto", True or False
        Whether the function is run with symbols, so that its equations are known: see
        docs/python/functions.md.  True makes it an error if that fails.
    breakpoints : float or array, optional
        Times at which fun may jump, in any order.  A step ends at each of them, fun is called just
        before and just after them, never there, and algebraic variables jump with it.  The values at
        such a time are those before the jump.  They are not for models, whose equations tell when
        they jump.
    **options
        Further options of the solver (docs/reference/options.md).

    Returns
    -------
    Solution
        It has the fields of solve_ivp and some more.  A failure is ``success=False`` with the part that
        was computed, and ``diagnosis``.

    Raises
    ------
    ValueError, TypeError
        For arguments that cannot be meant.  Exceptions of functions come out as they are.
    """
    given = dict(method=method, t_eval=t_eval, dense_output=dense_output, events=events, args=args,
                 params=params, rtol=rtol, atol=atol, jac=jac, jac_sparsity=jac_sparsity, mass=mass,
                 index=index, fixed=fixed, names=names, bounds=bounds, vectorized=vectorized,
                 max_step=max_step,
                 first_step=first_step, max_steps=max_steps, timeout=timeout, progress=progress,
                 breakpoints=breakpoints)
    if is_model(fun):
        from ._model import solve_model
        return solve_model(fun, t_span, y0, yp0, given, options)
    if y0 is None:
        raise TypeError("y0 is missing: the start values, one for each unknown")
    problem = Problem(fun, t_span, y0, yp0, given, options)
    return run_problem(problem, trace)


def run_problem(problem: Problem, trace: Any) -> Solution:
    """Solve, by equations that tracing has found, or by calling the function."""
    if trace not in ("auto", True, False):
        raise ValueError(f"trace must be 'auto', True or False, not {trace!r}")
    reason = "trace=False"
    if trace is not False:
        from ._traced import solve_traced
        result, reason = solve_traced(problem, trace is True)
        if result is not None:
            return result
        if trace is True:
            raise ValueError(f"the function cannot be traced: {reason}")
    result = run_called(problem)
    result.stats["function_reason"] = reason
    return result


def run_called(problem: Problem) -> Solution:
    """Solve by calling the function."""
    spec = problem.spec()
    if problem.t_end == problem.t0:
        spec["start_only"] = 1
    expected = problem.given["index"]
    index = None if expected is None else check_index(problem, spec, expected)
    result = make_solution(problem, _native.run_function(spec))
    result.index = known_index(problem, spec, result) if expected is None else index
    result.constraint_residual = measure_residual(problem, result)
    return result


def check_index(problem: Problem, spec: Dict[str, Any], expected: Any) -> Optional[int]:
    """Compare the index near the start with what the user expects."""
    if np.ndim(expected):
        return int(np.max(np.append(expected, 0)))
    answer = _native.analyze_function(spec)
    if answer["index"] >= 0 and answer["index"] != expected:
        raise ValueError(f"index = {expected} is expected, but the equations have index"
                         f" {answer['index']}: {answer['reason']}")
    return int(expected)


def known_index(problem: Problem, spec: Dict[str, Any], result: Solution) -> Optional[int]:
    """The index that the start of the run has shown; it is looked for if there was none."""
    shown = result.stats.pop("index", -1)
    return int(shown) if shown >= 0 else find_index(problem, spec)


def find_index(problem: Problem, spec: Dict[str, Any]) -> Optional[int]:
    """The index of the function near its start; None: not known, or not looked for."""
    if problem.n > INDEX_UNKNOWNS_MOST:
        return None
    try:
        found = int(_native.analyze_function(spec)["index"])
    except ValueError:
        return None
    return found if found >= 0 else None


def make_solution(problem: Problem, outcome: Dict[str, Any]) -> Solution:
    """The result from what the extension returns."""
    n, names = problem.n, problem.names
    t, y, yp = doubles(outcome["t"]), doubles(outcome["y"]), doubles(outcome["yp"])
    status, success, message, diagnosis = read_end(outcome)
    dense = outcome.get("dense")
    n_events = len(problem.events.functions)
    times = states = None
    if n_events:
        times, states = split_events(doubles(outcome["events"]), n_events, n)
    stats = dict(outcome.get("stats") or {})
    stats.update(outcome.get("structure") or {})
    stats["function"] = "called" if problem.target.fun else "native"
    return Solution(
        t=t, y=y.reshape(-1, n).T, yp=yp.reshape(-1, n).T,
        sol=DenseSolution(n, *(doubles(dense[key]) for key in ("bounds", "points", "values")))
        if dense and len(dense["points"]) else None,
        t_events=times, y_events=states, nfev=stats.get("residuals", 0),
        njev=stats.get("jacobians", 0), nlu=stats.get("factorizations", 0), status=status,
        success=success, message=message, names=names, index=None,
        y0_moved=read_moved(outcome.get("moved") or [], names, problem.yp0 is not None),
        constraint_residual=float("nan"), diagnosis=diagnosis, warnings=list(outcome["warnings"]),
        stats=stats)


MESSAGES = {"end": "The solver successfully reached the end of the integration interval.",
            "event": "A termination event occurred.",
            "interrupted": "Interrupted (Ctrl-C): the result ends at t = {t:.10g}.",
            "timeout": "The time limit was reached: the result ends at t = {t:.10g}.",
            "stopped": "A function stopped the run at t = {t:.10g}."}
STATUS = {"end": 0, "event": 1, "interrupted": 2, "timeout": 2, "stopped": 2, "failed": -1}


def read_end(outcome: Dict[str, Any]) -> Tuple[int, bool, str, Optional[Diagnosis]]:
    """How a run ended: status, success, message, diagnosis."""
    ended = outcome["ended"]
    if ended == "failed":
        why = outcome["diagnosis"]
        n_steps = (outcome.get("stats") or {}).get("steps", 0)
        at_start = why["status"] == "DAEDAL_ERR_NOT_FINITE" and n_steps == 0
        if why["status"] == "DAEDAL_ERR_ARGUMENT" or at_start:
            raise ValueError(why["message"])
        diagnosis = Diagnosis(**why)
        return -1, False, str(diagnosis), diagnosis
    message = MESSAGES[ended].format(t=outcome.get("t_reached", float("nan")))
    return STATUS[ended], STATUS[ended] in (0, 1), message, None


def read_moved(moved: Any, names: Sequence[str], with_slopes: bool) -> Dict[str, Tuple[float, float]]:
    """Start values that were changed; of derivatives only if the user gave any."""
    return {(f"der({names[i]})" if slope else names[i]): (before, after)
            for i, slope, before, after in moved if with_slopes or not slope}


def measure_residual(problem: Problem, result: Solution) -> float:
    """The largest |F| of the equations without derivatives, at some output points."""
    if problem.target.fun is None or problem.target.has_rhs or result.t.size == 0:
        return float("nan")
    fun, n, last = problem.target.fun, problem.n, result.t.size - 1
    rows: Optional[List[int]] = None
    worst = 0.0
    for k in sorted({last - last * i // RESIDUAL_POINTS for i in range(RESIDUAL_POINTS)}):
        t, y, yp = float(result.t[k]), result.y[:, k].copy(), result.yp[:, k].copy()
        if t in problem.breakpoints:  # the values are those of one side, the function shows the other
            continue
        value = convert_result(problem.call(fun, t, y.copy(), yp.copy()), n).tolist()
        if rows is None:
            moved = convert_result(problem.call(fun, t, y, yp + _shift(n)), n).tolist()
            rows = [i for i in range(n) if moved[i] == value[i]]
        worst = max(worst, max((abs(value[i]) for i in rows), default=0.0))
    return worst


@functools.lru_cache(maxsize=64)
def _shift(n: int) -> np.ndarray:
    """What derivatives are moved by, to see which equations contain some."""
    return 1.0 + np.arange(n) % 7 / 8.0
