"""Published problems as Python functions, traced and called, with their reference values.

problems.json has the equations and end values of 40 problems, most of them of the Test Set for IVP
Solvers (Mazzia, Magherini 2008); the end values have been computed twice with other methods, in most
cases with 113 bits.
"""
import json
import re
from pathlib import Path

import numpy as np
import pytest

from daedal import solve_dae

PROBLEMS = {p["name"]: p for p in json.loads(Path(__file__).with_name("problems.json").read_text())}
WHEN = re.compile(r"\bif (.*) then (.*) else (.*)$")


def translate(text, places):
    """An expression of the file as Python; a conditional one becomes np.where."""
    found = WHEN.search(text)
    if found:
        parts = (translate(part, places) for part in found.groups())
        return f"{translate(text[:found.start()], places)}np.where({', '.join(parts)})"
    text = re.sub(r"der\((\w+)\)", lambda m: f"yp[{places[m[1]]}]", text)
    for name in ("sin", "cos", "tan", "tanh", "exp", "log", "log10", "sqrt", "abs", "sign", "mod"):
        text = re.sub(rf"\b{name}\(", f"np.{name}(", text)
    text = re.sub(r"\batan\(", "np.arctan(", text)
    text = re.sub(r"\bmin\(", "np.minimum(", text)
    text = re.sub(r"\bmax\(", "np.maximum(", text)
    return text.replace("^", "**")


def function_of(problem):
    """The function that a user would write for it."""
    places = {name: i for i, name in enumerate(problem["variables"])}
    lines = ["def fun(t, y, yp):", f"    {', '.join(problem['variables'])}, = y"]
    lines += [f"    {name} = {translate(text, places)}" for name, text in problem["definitions"]]
    lines.append("    return np.array([")
    for equation in problem["equations"]:
        left, right = re.split(r"(?<![<>=])=(?!=)", equation, maxsplit=1)
        lines.append(f"        ({translate(left, places)}) - ({translate(right, places)}),")
    lines.append("    ])")
    known = {"np": np, "pi": np.pi, **problem["parameters"]}
    exec("\n".join(lines), known)
    return known["fun"]


def digits(y, end, size):
    """Of the worst variable that is not as good as zero."""
    return -np.log10(max(np.max(np.abs(y - end) / np.maximum(size, 1e-8)), 1e-16))


# What takes too long for a test when it is called from Python: thousands of steps.
TRACED_ONLY = {"crank_index2", "ringmod", "water_tube"}
# e5 has values from 1e-3 to 1e-23: no one atol suits all of them.
CASES = [(name, trace) for name in PROBLEMS for trace in (True, False)
         if name != "e5" and (trace or name not in TRACED_ONLY)]


@pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")
@pytest.mark.parametrize("name, trace", CASES)
def test_problem(name, trace):
    problem, measured = PROBLEMS[name], []
    end = np.array(problem["end"])
    # Accelerations and multipliers carry the errors of a step of index 3 divided by the square of its
    # size, which differ by a factor of three from one tolerance to the next: the median of some is
    # asked for, relative to the largest values of the run as a tolerance is.
    is_magnified = problem["index"] > 2
    for share in (0.7, 0.85, 1.0, 1.2, 1.45) if is_magnified else (1.0,):
        res = solve_dae(function_of(problem), problem["t"], problem["y0"], rtol=1e-7 * share,
                        atol=1e-10 * share, trace=trace, t_eval=np.linspace(*problem["t"], 21)[1:])
        assert res.success, res.message
        assert res.index == problem["index"]
        assert res.stats["function"] == ("traced" if trace else "called")
        size = np.max(np.abs(res.y), axis=1) if is_magnified else np.abs(end)
        measured.append(digits(res.y[:, -1], end, size))
    assert np.median(measured) > (4.0 if is_magnified else 3.5), measured
