"""The structure of equations: index, degrees of freedom, hidden constraints, incidence."""
from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from typing import Any, Dict, List, Optional, Sequence, Tuple

import numpy as np

from . import _native

SIGNS = {0: "x", 1: "'"}
RESIDUAL_SHARE = 1e-5  # of the residuals at the given values, that a start may leave
PICTURE_MOST = 60  # rows that are drawn as text


@dataclass
class Structure:
    """What `analyze` finds.

    Attributes
    ----------
    index, structural_index : int or None
        How often equations must be differentiated until all derivatives are known; what the sparsity
        alone says.
    degrees_of_freedom : int or None
        How many start values can be chosen.
    variable_index : dict
        The same by variable: 0 differential, 1 algebraic, 2 and more of a higher index.
    chain, reason, grade : str
        Of functions: the equations behind the index, how it was found, and how sure that is: A
        (confirmed by a second method) to D (no answer).
    class_name, hidden_constraints, blocks, largest_block
        Of models.
    equations, variables, entries : lists
        Incidence: entries are (equation, variable, derivative).
    """

    index: Optional[int]
    structural_index: Optional[int]
    degrees_of_freedom: Optional[int]
    variable_index: Dict[str, int]
    chain: str = ""
    reason: str = ""
    grade: str = ""
    class_name: str = ""
    hidden_constraints: List[str] = field(default_factory=list)
    blocks: int = 0
    largest_block: int = 0
    equations: List[str] = field(default_factory=list)
    variables: List[str] = field(default_factory=list)
    entries: List[Tuple[int, int, int]] = field(default_factory=list)
    equation_order: List[int] = field(default_factory=list)
    variable_order: List[int] = field(default_factory=list)

    def incidence(self) -> np.ndarray:
        """A matrix of equations and variables: -1 absent, 0 the value occurs, k a derivative."""
        matrix = np.full((len(self.equations), len(self.variables)), -1)
        for equation, variable, derivative in self.entries:
            matrix[equation, variable] = derivative
        return matrix

    def picture(self) -> str:
        """The incidence as text, in the order of the blocks: x a value, ' a derivative."""
        if not self.equations:
            return "no incidence is known"
        if len(self.equations) > PICTURE_MOST:
            return f"{len(self.equations)} equations are too many to draw"
        matrix = self.incidence()
        width = max(len(name) for name in self.equations)
        rows = [" " * width + "  " + " ".join(str(k % 10) for k in range(len(self.variables)))]
        for e in self.equation_order or range(len(self.equations)):
            marks = [" ." if matrix[e, v] < 0 else " " + SIGNS.get(int(matrix[e, v]), '"')
                     for v in (self.variable_order or range(len(self.variables)))]
            rows.append(f"{self.equations[e]:<{width}} " + "".join(marks))
        legend = [f"{k}: {self.variables[v]}" for k, v in
                  enumerate(self.variable_order or range(len(self.variables)))]
        return "\n".join([*rows, ", ".join(legend)])

    def __repr__(self) -> str:
        say = lambda value: "not known" if value is None else str(value)
        lines = [f"index {say(self.index)}, degrees of freedom {say(self.degrees_of_freedom)}"]
        lines += [text for text in (self.class_name, self.chain, self.reason) if text]
        lines += [f"hidden constraint: {text}" for text in self.hidden_constraints]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        matrix = self.incidence()
        head = "".join(f"<th>{escape(self.variables[v])}</th>" for v in self.variable_order)
        body = "".join(
            f"<tr><td>{escape(self.equations[e])}</td>" + "".join(
                f"<td>{'' if matrix[e, v] < 0 else SIGNS.get(int(matrix[e, v]), chr(34))}</td>"
                for v in self.variable_order) + "</tr>"
            for e in self.equation_order[:PICTURE_MOST])
        return f"<pre>{escape(repr(self))}</pre><table><tr><th></th>{head}</tr>{body}</table>"


def _or_none(value: int) -> Optional[int]:
    return None if value < 0 else int(value)


def structure_of_model(model: Any) -> Structure:
    """See Model.analyze."""
    found = _native.model_analyze(model._handle)
    indices = {name: k for name, k in zip(model.variables, found["variable_index"]) if k >= 0}
    return Structure(
        _or_none(found["index"]), _or_none(found["structural_index"]),
        _or_none(found["degrees_of_freedom"]), indices, class_name=found["class_name"],
        hidden_constraints=found["hidden_constraints"], blocks=found["blocks"],
        largest_block=found["largest_block"], equations=found["incidence_equations"],
        variables=found["incidence_variables"], equation_order=found["equation_order"],
        variable_order=found["variable_order"], entries=[entry[:3] for entry in found["entries"]])


def structure_of_function(problem: Any, incidence: np.ndarray) -> Structure:
    """What calls of a function reveal."""
    found = _native.analyze_function(problem.spec())
    n, names = problem.n, problem.names
    return Structure(
        _or_none(found["index"]), _or_none(found["structural_index"]),
        _or_none(found["degrees_of_freedom"]), dict(zip(names, found["variable_index"])),
        chain=found["chain"] or "", reason=found["reason"] or "", grade=found["grade"],
        equations=[f"equation {i}" for i in range(n)], variables=list(names),
        equation_order=list(range(n)), variable_order=list(range(n)),
        entries=[(int(i), int(j), int(incidence[i, j])) for i, j in np.argwhere(incidence >= 0)])


def incidence_by_calls(problem: Any, y: np.ndarray, yp: np.ndarray) -> np.ndarray:
    """-1, 0 or 1: which variables and derivatives an entry of F changes with, near a point."""
    from ._arrays import convert_result
    n, t = problem.n, problem.t0
    matrix = np.full((n, n), -1)
    if n > 200:
        return matrix
    shift = 1e-3 * (1.0 + np.arange(n) % 7 / 10.0)
    y, yp = y + shift * (1.0 + np.abs(y)), yp + shift * (1.0 + np.abs(yp))
    value = lambda a, b: convert_result(problem.call(problem.target.fun, t, a.copy(), b.copy())
                                        if not problem.target.has_rhs
                                        else problem.call(problem.target.fun, t, a.copy()), n)
    base = value(y, yp)
    for j in range(n):
        for level, vector in ((0, y), (1, yp)):
            old = vector[j]
            vector[j] = old + 1e-2 * (1.0 + abs(old))
            matrix[value(y, yp) != base, j] = level
            vector[j] = old
    if problem.target.has_rhs:
        matrix[np.arange(n), np.arange(n)] = 1
    return matrix


def analyze(fun: Any, y0: Any = None, t0: float = 0.0, yp0: Any = None, *, args: Any = (),
            params: Optional[Dict[str, Any]] = None, mass: Any = None, names: Any = None,
            **options: Any) -> Structure:
    """Index, degrees of freedom and incidence of a function near a point, or of a model.

    Parameters
    ----------
    fun : callable, str, path or Model
        As for `solve_dae`, or a `Model`.
    y0, t0, yp0
        Where a function is examined; the values need not be consistent.
    args, params, mass, names, **options
        As for `solve_dae`.
    """
    from ._functions import is_model
    from ._model import Model
    if isinstance(fun, Model):
        return structure_of_model(fun)
    if is_model(fun):
        is_text = isinstance(fun, str) and ("\n" in fun or ";" in fun)
        return structure_of_model(Model.from_text(fun) if is_text else Model.from_file(fun))
    problem = _problem(fun, y0, t0, yp0, args, params, mass, names, None, options)
    slope = np.zeros(problem.n) if problem.yp0 is None else problem.yp0
    known = problem.target.fun is not None
    incidence = (incidence_by_calls(problem, problem.y0, slope) if known
                 else np.full((problem.n, problem.n), -1))
    return structure_of_function(problem, incidence)


def _problem(fun: Any, y0: Any, t0: float, yp0: Any, args: Any, params: Any, mass: Any, names: Any,
             fixed: Any, options: Dict[str, Any]) -> Any:
    from ._solve import Problem
    given = dict(method="auto", t_eval=None, dense_output=False, events=None, args=args, params=params,
                 rtol=options.pop("rtol", 1e-6), atol=options.pop("atol", 1e-9),
                 jac=options.pop("jac", None), jac_sparsity=options.pop("jac_sparsity", None), mass=mass,
                 index=None, fixed=fixed, names=names, bounds=options.pop("bounds", None), max_step=None,
                 first_step=None, max_steps=None, timeout=None, progress=False)
    return Problem(fun, (t0, t0 + 1.0), y0, yp0, given, options)


def consistent_start(fun: Any, y0: Any, yp0: Any = None, t0: float = 0.0, *, fixed: Any = None,
                     args: Any = (), params: Optional[Dict[str, Any]] = None, mass: Any = None,
                     names: Any = None, **options: Any) -> Tuple[np.ndarray, np.ndarray]:
    """(y, y') that satisfy F(t0, y, y') = 0 and the constraints that follow from it, near the values
    that were given.

    `fixed` are entries of y0 that must be kept (names, numbers or a mask).  RuntimeError: there are no
    such values, or none were found.
    """
    from ._result import Diagnosis, doubles
    problem = _problem(fun, y0, t0, yp0, args, params, mass, names, fixed, options)
    spec = dict(problem.spec(), start_only=1)
    outcome = _native.run_function(spec)
    if outcome["ended"] != "end":
        raise RuntimeError(str(Diagnosis(**outcome["diagnosis"])))
    y, yp = doubles(outcome["y_reached"]), doubles(outcome["yp_reached"])
    _check_residual(problem, y, yp)
    return y, yp


def _check_residual(problem: Any, y: np.ndarray, yp: np.ndarray) -> None:
    """Values that were found must satisfy the equations."""
    from ._arrays import convert_result
    if problem.target.fun is None or problem.target.has_rhs:
        return
    value = lambda *point: np.abs(convert_result(
        problem.call(problem.target.fun, problem.t0, *(part.copy() for part in point)), problem.n))
    given = value(problem.y0, np.zeros(problem.n) if problem.yp0 is None else problem.yp0)
    left = value(y, yp)
    size = 1.0 + np.where(np.isfinite(given), given, 0.0).max()
    if not left.max() <= RESIDUAL_SHARE * size:
        worst = int(np.argmax(left))
        raise RuntimeError(f"no consistent start was found: equation {worst} has the residual"
                           f" {left[worst]:.3g} at the best values")
