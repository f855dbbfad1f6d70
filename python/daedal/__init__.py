"""daedal solves differential-algebraic equations F(t, y, y') = 0 of any index.

>>> from daedal import solve_dae
>>> res = solve_dae(lambda t, y, yp: [yp[0] + y[0], y[1] - 2 * y[0]], (0, 1), [1, 0])
>>> print(f"{res.y[1, -1]:.4f}")
0.7358

`solve_dae` takes functions, as scipy.integrate.solve_ivp does, and `Model` equations in a file or
text.  See docs/python/README.md of the repository.
"""
from typing import TYPE_CHECKING, Any

from . import _native
from ._result import DenseSolution, Diagnosis, Solution
from ._solve import solve_dae

if TYPE_CHECKING:
    from ._model import MissingFileError, Model, Run
    from ._structure import Structure, analyze, consistent_start
    from ._studies import FitResult, LinearSystem, Sensitivities, SweepResult

__version__ = _native.version()
__all__ = ["solve_dae", "Solution", "DenseSolution", "Diagnosis", "Model", "Run", "analyze",
           "consistent_start", "Structure", "FitResult", "LinearSystem", "MissingFileError", "Sensitivities",
           "SweepResult"]

# What is imported where it is first used: `import daedal` shall be quick.
_LATER = {"Model": "_model", "Run": "_model", "MissingFileError": "_model", "analyze": "_structure",
          "consistent_start": "_structure", "Structure": "_structure", "FitResult": "_studies",
          "LinearSystem": "_studies", "Sensitivities": "_studies", "SweepResult": "_studies"}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'daedal' has no attribute {name!r}")
    from importlib import import_module
    value = getattr(import_module("." + _LATER[name], __name__), name)
    globals()[name] = value
    return value
