#!/usr/bin/env python3
"""beside_scipy.py - daedal's Python package beside SciPy's solvers, at equal digits.

    PYTHONPATH=build/python python3 bench/python/beside_scipy.py [--quick]

Robertson, chemical Akzo Nobel and the pendulum.  SciPy has no DAE solver: it gets the rate equations of
Robertson, Akzo Nobel with y6 eliminated by hand, and the pendulum with the force eliminated by hand,
in the same coordinates and in its angle.  daedal gets the
equations as they are.  Functions for both are written in the same style, as one np.array of numbers: what
a function itself takes is most of the time (np.append, for one, takes 3 of the 8 microseconds of a function
of Akzo Nobel that uses it).  The time is processor time, the least of several solves, tracing and reading included only in the
column "first"; digits are those of the worst variable at the end, against a solution with rtol 1e-12.
Times at six digits are interpolated between tolerances.
"""
import argparse
import math
import time

import numpy as np
from scipy.integrate import solve_ivp

from daedal import _tracing, solve_dae

GRAVITY = 9.81
TOLERANCES = (1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9)
DIGITS = 6.0


def robertson(t, y, yp):
    return np.array([yp[0] + 0.04 * y[0] - 1e4 * y[1] * y[2],
                     yp[1] - 0.04 * y[0] + 1e4 * y[1] * y[2] + 3e7 * y[1] ** 2, y[0] + y[1] + y[2] - 1.0])


def robertson_ode(t, y):
    a, b = 0.04 * y[0] - 1e4 * y[1] * y[2], 3e7 * y[1] ** 2
    return np.array([-a, a - b, b])


def akzo_rates(y1, y2, y3, y4, y5, y6):
    r1 = 18.7 * y1 ** 4 * np.sqrt(y2)
    r2 = 0.58 * y3 * y4
    r3 = 0.58 / 34.4 * y1 * y5
    r4 = 0.09 * y1 * y4 ** 2
    r5 = 0.42 * y6 ** 2 * np.sqrt(y2)
    return (-2 * r1 + r2 - r3 - r4, -0.5 * r1 - r4 - 0.5 * r5 + 3.3 * (0.9 / 737 - y2), r1 - r2 + r3,
            -r2 + r3 - 2 * r4, r2 - r3 + r5)


def akzo(t, y, yp):
    f = akzo_rates(*y)
    return np.array([yp[0] - f[0], yp[1] - f[1], yp[2] - f[2], yp[3] - f[3], yp[4] - f[4],
                     115.83 * y[0] * y[3] - y[5]])


def akzo_ode(t, y):
    return np.array(akzo_rates(*y, 115.83 * y[0] * y[3]))


def pendulum(t, y, yp):
    x, h, u, v, force = y
    return np.array([yp[0] - u, yp[1] - v, yp[2] + force * x, yp[3] + force * h + GRAVITY,
                     x * x + h * h - 1.0])


def pendulum_forced(t, y):
    x, h, u, v = y
    force = u * u + v * v - GRAVITY * h
    return np.array([u, v, -force * x, -force * h - GRAVITY])


def pendulum_ode(t, y):
    return np.array([y[1], -GRAVITY * math.sin(y[0])])


PROBLEMS = {
    "Robertson": (robertson, 40.0, [1.0, 0.0, 0.0], robertson_ode, [1.0, 0.0, 0.0],
                  lambda y: y, lambda y: y, 1e-6),
    "Akzo Nobel": (akzo, 180.0, [0.444, 0.00123, 0.0, 0.007, 0.0, 115.83 * 0.444 * 0.007], akzo_ode,
                   [0.444, 0.00123, 0.0, 0.007, 0.0], lambda y: y[:5], lambda y: y, 1e-3),
    "pendulum, same coordinates": (pendulum, 10.0, [1.0, 0.0, 0.0, 0.0, 0.0], pendulum_forced,
                                   [1.0, 0.0, 0.0, 0.0], lambda y: y[:2], lambda y: y[:2], 1e-3),
    "pendulum, SciPy with the angle": (pendulum, 10.0, [1.0, 0.0, 0.0, 0.0, 0.0], pendulum_ode, [math.pi / 2, 0.0],
                 lambda y: y[:2], lambda y: np.array([math.sin(y[0]), -math.cos(y[0])]), 1e-3),
}


def least(run, count):
    """The least time of several runs in milliseconds, and the last result."""
    best, result = math.inf, None
    for _ in range(count):
        began = time.process_time()
        result = run()
        best = min(best, time.process_time() - began)
    return 1e3 * best, result


def digits(value, exact):
    return -math.log10(max(np.max(np.abs(value - exact) / np.maximum(np.abs(exact), 1e-8)), 1e-16))


def at_digits(rows):
    """Time at DIGITS digits, between the rows (digits, milliseconds)."""
    rows = sorted(rows)
    xs, ts = [r[0] for r in rows], [math.log(r[1]) for r in rows]
    if xs[0] > DIGITS:
        return math.exp(ts[0])
    return math.exp(np.interp(DIGITS, xs, ts)) if xs[-1] >= DIGITS else math.nan


def measure(name, count):
    fun, t_end, y0, ode, ode_y0, take, take_ode, share = PROBLEMS[name]
    exact = take(solve_dae(fun, (0, t_end), y0, rtol=1e-12, atol=1e-15).y[:, -1])
    table = {}
    for method in ("Radau", "BDF", "LSODA"):
        rows = []
        for rtol in TOLERANCES:
            ms, res = least(lambda: solve_ivp(ode, (0, t_end), ode_y0, method=method, rtol=rtol,
                                              atol=rtol * share * 1e-3), max(count // 4, 1))
            rows.append((digits(take_ode(res.y[:, -1]), exact), ms))
        table["SciPy " + method] = at_digits(rows)
    for word, trace in (("called", False), ("traced", True)):
        rows = []
        for rtol in TOLERANCES:
            ms, res = least(lambda: solve_dae(fun, (0, t_end), y0, rtol=rtol, atol=rtol * share * 1e-3,
                                              trace=trace), count)
            rows.append((digits(take(res.y[:, -1]), exact), ms))
        table["daedal, " + word] = at_digits(rows)

    def first():
        _tracing._models.clear()
        _tracing._traces.clear()
        return solve_dae(fun, (0, t_end), y0, rtol=1e-8, atol=1e-8 * share * 1e-3)
    table["first, rtol 1e-8"] = least(first, count)[0]
    table["repeat, rtol 1e-8"] = least(lambda: solve_dae(fun, (0, t_end), y0, rtol=1e-8,
                                                         atol=1e-8 * share * 1e-3), count)[0]
    return table


def overhead():
    """Nanoseconds of a call beyond the function itself: the same run with a C function subtracted."""
    import ctypes
    import os
    import subprocess
    import tempfile
    import timeit
    source = ("int f(double t, const double *y, const double *yp, double *r, void *u)"
              "{ (void)t; (void)u; (void)y; for (int i = 0; i < 6; i++) r[i] = yp[i]; return 0; }")
    with tempfile.TemporaryDirectory() as folder:
        path, library = os.path.join(folder, "f.c"), os.path.join(folder, "f.so")
        with open(path, "w") as out:
            out.write(source)
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", path, "-o", library], check=True)
        native = ctypes.CDLL(library).f
        fun = lambda t, y, yp: yp
        solve = lambda f: solve_dae(f, (0, 1), np.zeros(6), trace=False, method="bdf", index=[0] * 6,
                                    max_step=5e-5, t_eval=[1.0])
        called, res = least(lambda: solve(fun), 10)
        compiled, _ = least(lambda: solve(native), 10)
    empty = np.zeros(6)
    body = min(timeit.repeat("fun(0.0, empty, empty)", globals=dict(fun=fun, empty=empty), number=20000,
                             repeat=20, timer=time.process_time)) / 20000
    return 1e6 * (called - compiled) / res.nfev - 1e9 * body


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer repetitions")
    count = 5 if parser.parse_args().quick else 40
    print(f"milliseconds at {DIGITS:g} digits")
    for name in PROBLEMS:
        table = measure(name, count)
        print(name)
        for column, value in table.items():
            print(f"  {column:20} {value:8.3f}")
    print(f"overhead of a call beyond the function: {overhead():.0f} ns")


if __name__ == "__main__":
    main()
