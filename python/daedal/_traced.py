"""Runs of traced functions."""
from __future__ import annotations

from typing import Any, Dict, List, Optional, Tuple

import numpy as np

from . import _native
from ._arrays import all_finite, convert_result
from ._events import split_events
from ._matrices import given_pattern
from ._model import read_model_end
from ._options import settings
from ._result import DenseSolution, Solution, doubles
from ._solve import KEYWORDS, find_index, finite_or_none, read_timeout
from ._symbols import TraceError, evaluate
from ._tracing import (Trace, TracedModel, compare, is_worth_it, random_points, refusal,
                       remembered_trace, return_model, take_model)

NO_EVENT = np.zeros(1, np.int64)  # an array that has an address, where there are no events


def solve_traced(problem: Any, is_asked: bool) -> Tuple[Optional[Solution], str]:
    """The solution, or None and the reason why the function must be called."""
    reason = refusal(problem)
    if reason is None and not is_asked and not is_worth_it(problem):
        reason = "calls of it are quick for their number of unknowns"
    if reason is not None:
        return None, reason
    options = run_options(problem)  # errors of arguments come before all others
    given_pattern(problem.given["jac_sparsity"], problem.n, problem.target.has_rhs)
    try:
        found, is_known = remembered_trace(problem)
    except TraceError as error:
        return None, str(error)
    enough = 1 if is_known else 2
    if not compare(problem, found, random_points(problem, enough), enough):
        return None, "its values are not those of its equations: it depends on something that changes"
    try:
        model = take_model(found.text, problem.y0, len(found.events))
    except ValueError as error:
        return None, f"its equations cannot be solved as a model: {str(error)[:200]}"
    expected = problem.given["index"]
    if expected is not None and model.index() != expected:
        raise ValueError(f"index = {expected} is expected, but the equations have index {model.index()}")
    result = TracedRun(problem, found, model, options).solve()
    if result.status == 2:
        return result, ""
    return_model(found.text, model)
    if result.status < 0 and result.stats["steps"] == 0:
        return None, f"its equations have no start as a model: {result.message[:200]}"
    if not compare(problem, found, last_points(problem, result), enough):
        return None, "its values have changed during the run: it depends on something that changes"
    return result, ""


def run_options(problem: Any) -> Dict[bytes, bytes]:
    """The options of the run."""
    given = problem.given
    return settings({"rtol": problem.rtol, "atol": problem.atol, "method": given["method"],
                     "max_step": finite_or_none(given["max_step"], "max_step"),
                     "first_step": finite_or_none(given["first_step"], "first_step"),
                     **problem.options}, KEYWORDS)


def last_points(problem: Any, result: Solution) -> List[Tuple[float, np.ndarray, np.ndarray]]:
    """A point beside the end of the run, where the residuals are not small, and the end itself."""
    if not len(result.t):
        return random_points(problem, 1)
    y, yp = result.y[:, -1], result.yp[:, -1]
    if not all_finite(yp):
        yp = np.where(np.isfinite(yp), yp, 0.25)
    if not all_finite(y):
        return random_points(problem, 1)
    t = float(result.t[-1])
    return [(t, y + 1e-3 * (1.0 + np.abs(y)), yp + 0.125), (t, y, yp)]


class TracedRun:
    """A run in pieces: each ends at the end, at a terminal event, or at an event with an action."""

    def __init__(self, problem: Any, found: Trace, model: TracedModel,
                 options: Dict[bytes, bytes]) -> None:
        self.problem, self.found, self.model, self.options = problem, found, model, options
        self.has_actions = any(action is not None for action in problem.events.actions)
        self.dense = bool(problem.given["dense_output"]) or (self.has_actions
                                                             and problem.t_eval is not None)
        self.outcomes: List[Dict[str, Any]] = []
        self.happened = np.zeros(len(found.events), np.int64)

    def solve(self) -> Solution:
        """All pieces."""
        t, y, problem = self.problem.t0, self.problem.y0, self.problem
        while True:
            outcome = self.piece(t, y)
            self.outcomes.append(outcome)
            if outcome["ended"] != "stopped" or outcome["ended_by"] < 0:
                break
            rows = doubles(outcome["events"]).reshape(-1, problem.n + 2)
            t = float(rows[-1, 1])
            y, has_ended = self.act(outcome, rows[rows[:, 1] == t])
            if has_ended or y is None or t >= problem.t_end:
                outcome["ended"] = "event" if has_ended else "end"
                break
        return self.solution()

    def piece(self, t: float, y: np.ndarray) -> Dict[str, Any]:
        """From t to the end, or to an event that ends it."""
        problem, events = self.problem, self.problem.events
        spec: Dict[str, Any] = dict(
            t0=t, t_end=problem.t_end, options=self.options, scale_atol=1,
            timeout=read_timeout(problem.given["timeout"]), progress=problem.progress(),
            kept=self.model.columns, n_kept=problem.n, derivatives=1, dense=int(self.dense),
            event_column=self.model.events, n_events=len(self.found.events), event_direction=NO_EVENT,
            terminal=NO_EVENT)
        if problem.t_eval is not None and not self.has_actions:
            times = problem.t_eval
            spec.update(t_eval=times if len(times) else np.zeros(1), n_eval=len(times))
            if len(times) == 0:
                spec.update(dense=1)
        problem.add_breakpoints(spec)
        if self.found.events:
            spec.update(at_zero=self.zero_events(t, y), event_direction=events.direction,
                        terminal=self.terminal())
        self.model.set_start(y)
        return _native.model_run(self.model.handle, spec)

    def terminal(self) -> np.ndarray:
        """After how many further times each event ends a piece; 0: never."""
        terminal = self.problem.events.terminal.copy()
        counted = terminal > 0
        terminal[counted] = np.maximum(terminal[counted] - self.happened[counted], 1)
        for k, action in enumerate(self.problem.events.actions):
            if action is not None:
                terminal[k] = 1
        return terminal

    def zero_events(self, t: float, y: np.ndarray) -> np.ndarray:
        """Which event functions are zero at the beginning of a piece."""
        found = self.found
        values = dict(zip(found.symbols, [t, *y.tolist(), *[0.0] * len(found.y)]))
        nodes = evaluate(found.graph, values)
        return np.array([abs(nodes[k]) <= 1e-14 for k in found.events], np.int32)

    def act(self, outcome: Dict[str, Any], rows: np.ndarray) -> Tuple[Optional[np.ndarray], bool]:
        """The actions of the events at the end of a piece: the new state, and whether the run ends."""
        problem, events = self.problem, self.problem.events
        everything = doubles(outcome["events"]).reshape(-1, problem.n + 2)
        for k in range(len(self.happened)):
            self.happened[k] += int((everything[:, 0] == k).sum())
        has_ended = False
        y = rows[-1, 2:].copy()
        yp = doubles(outcome["yp"]).reshape(-1, problem.n)
        slope = yp[-1].copy() if len(yp) else np.zeros(problem.n)
        for row in rows:
            k = int(row[0])
            has_ended = has_ended or 0 < events.terminal[k] <= self.happened[k]
            action = events.actions[k]
            if action is not None:
                point = (float(row[1]), y.copy()) if problem.target.has_rhs else (
                    float(row[1]), y.copy(), slope)
                new = problem.call(action, *point)
                y = y if new is None else convert_result(new, problem.n, f"the action of event {k}")
        return y, has_ended

    # ---- the result ----

    def joined(self, key: str, width: int) -> np.ndarray:
        parts = [doubles(outcome[key]).reshape(-1, width) for outcome in self.outcomes]
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def dense_solution(self) -> Optional[DenseSolution]:
        if not self.dense:
            return None
        parts = [outcome["dense"] for outcome in self.outcomes if len(outcome["dense"]["points"])]
        if not parts:
            return None
        return DenseSolution(self.problem.n, *(np.concatenate([doubles(part[key]) for part in parts])
                                               for key in ("bounds", "points", "values")))

    def rows(self, sol: Optional[DenseSolution]) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
        n, problem = self.problem.n, self.problem
        t, y, yp = self.joined("t", 1)[:, 0], self.joined("y", n), self.joined("yp", n)
        if problem.t_eval is None:
            return t, y.T, yp.T
        if not self.has_actions:
            return (t, y.T, yp.T) if len(problem.t_eval) else (t[:0], y[:0].T, yp[:0].T)
        times = problem.t_eval[problem.t_eval <= (t[-1] if len(t) else -np.inf)]
        values = sol(times) if sol is not None else np.empty((n, 0))
        slopes = np.array([np.interp(times, t, row) for row in yp.T]).reshape(n, -1)
        return times, values, slopes

    def index(self) -> Optional[int]:
        """The index of the equations as the function has them."""
        if self.model.has_parts and self.model.index() == 1:
            return find_index(self.problem, self.problem.spec())
        return self.model.index()

    def statistics(self) -> Dict[str, Any]:
        last = self.outcomes[-1]
        stats = dict(last["stats"])
        for outcome in self.outcomes[:-1]:
            for key, value in outcome["stats"].items():
                if isinstance(value, int) and key != "order_last":
                    stats[key] += value
        stats.update(method=last["method"], method_reason=last["method_reason"], function="traced",
                     nodes=len(self.found.graph.nodes))
        return stats

    def moved(self) -> Dict[str, Tuple[float, float]]:
        """Start values that were changed, by the names of the user."""
        moved = self.outcomes[0]["moved"]
        if not moved:
            return {}
        names = {self.model.names[2 * i + 1]: name for i, name in enumerate(self.problem.names)}
        return {names[a]: (b, c) for a, b, c in moved if a in names}

    def solution(self) -> Solution:
        problem, last = self.problem, self.outcomes[-1]
        sol = self.dense_solution()
        t, y, yp = self.rows(sol)
        status, success, message, diagnosis = read_model_end(last)
        stats = self.statistics()
        times = states = None
        if self.found.events:
            times, states = split_events(self.joined("events", problem.n + 2).ravel(),
                                         len(self.found.events), problem.n)
        return Solution(
            t=t, y=y, yp=yp, sol=sol if problem.given["dense_output"] else None, t_events=times,
            y_events=states, nfev=stats["residuals"], njev=stats["jacobians"],
            nlu=stats["factorizations"], status=status, success=success, message=message,
            names=problem.names, index=self.index(),
            y0_moved=self.moved(),
            constraint_residual=max(outcome["constraint_residual"] for outcome in self.outcomes),
            diagnosis=diagnosis, warnings=[w for outcome in self.outcomes for w in outcome["warnings"]],
            stats=stats)
