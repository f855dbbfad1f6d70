"""daedal solves differential-algebraic equations F(t, y, y') = 0 of any index.

>>> from daedal import solve_dae
>>> res = solve_dae(lambda t, y, yp: [yp[0] + y[0], y[1] - 2 * y[0]], (0, 1), [1, 0])
>>> print(f"{res.y[1, -1]:.4f}")
0.7358

`solve_dae` takes functions, as scipy.integrate.solve_ivp does, and `Model` equations in a file or
text.  See docs/python/README.md of the repository.
"""
from . import _native
from ._result import DenseSolution, Diagnosis, Solution
from ._solve import solve_dae

__version__ = _native.version()
__all__ = ["solve_dae", "Solution", "DenseSolution", "Diagnosis"]
