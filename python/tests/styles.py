"""Twenty systems in the styles in which other packages show theirs: (name, fun, t_end, y0, options).

Helper functions, closures, classes, np.where, filled arrays, loops, matrices.  Two of them cannot be
run with symbols: they branch on values, or call a compiled function."""
import functools
import math
from math import cos, sin

import numpy as np
from numpy import array, exp, zeros

GRAVITY = 9.81
RATES = {"k1": 0.04, "k2": 3e7, "k3": 1e4}


def robertson(t, y, yp):  # a result that is filled
    res = np.zeros(3)
    k = RATES
    res[0] = yp[0] + k["k1"] * y[0] - k["k3"] * y[1] * y[2]
    res[1] = yp[1] - k["k1"] * y[0] + k["k3"] * y[1] * y[2] + k["k2"] * y[1] ** 2
    res[2] = y[0] + y[1] + y[2] - 1
    return res


def pendulum(t, vy, vyp):  # unpacking, common_type, a filled array of that type
    x, y, u, v, la = vy
    x_dot, y_dot, u_dot, v_dot, _ = vyp
    F = np.zeros(5, dtype=np.common_type(vy, vyp))
    F[0] = x_dot - u
    F[1] = y_dot - v
    F[2] = u_dot + la * x
    F[3] = v_dot + la * y + GRAVITY
    F[4] = x * x + y * y - 1.0
    return F


def pendulum_index_one(t, y, yp, length=1.0):  # index 1 by hand
    x, h, u, v, force = y
    return [yp[0] - u, yp[1] - v, yp[2] + force * x, yp[3] + force * h + GRAVITY,
            u ** 2 + v ** 2 - GRAVITY * h - force * length ** 2]


def make_circuit(R=1e3, C=1e-6, amplitude=0.4):  # closure with helpers
    def source(t):
        return amplitude * sin(200.0 * math.pi * t)

    def diode(u):
        return 1e-6 * (np.exp(u / 0.026) - 1.0)

    def fun(t, y, yp):
        u1, u2, i = y
        return np.array([C * yp[1] - i + u2 / R, u1 - source(t), diode(u1 - u2) - i])
    return fun


class Reactor:  # parameters in an object
    def __init__(self, k=2.0, ua=0.5):
        self.k, self.ua = k, ua

    def rate(self, c, T):
        return self.k * np.exp(-1.0 / T) * c

    def residual(self, t, y, yp):
        c, T, q = y
        return np.array([yp[0] + self.rate(c, T), yp[1] - self.rate(c, T) + q, q - self.ua * (T - 1.0)])


def saturation(t, y, yp):  # np.where and np.clip
    force = np.where(y[0] > 0.5, 0.5, y[0])
    return np.array([yp[0] - y[1], yp[1] + force + 0.1 * y[1], y[2] - np.clip(y[1], -0.2, 0.2)])


def friction(t, y, yp):  # abs, tanh, maximum
    v = y[1]
    return [yp[0] - v, yp[1] + y[0] + 0.3 * np.tanh(10 * v) * np.abs(v), y[2] - np.maximum(v, 0.0)]


A = np.array([[0.0, 1.0, 0.0], [-4.0, -0.2, 1.0], [1.0, 0.0, 1.0]])
E = np.diag([1.0, 1.0, 0.0])


def linear(t, y, yp):  # matrices
    return E @ yp - A @ y - np.array([0.0, np.sin(t), 0.0])


def chain(t, y, yp, n=5):  # a loop over masses, concatenate
    x, v = y[:n], y[n:2 * n]
    forces = np.zeros_like(x)
    for i in range(n):
        left = x[i] - (x[i - 1] if i > 0 else 0.0)
        right = (x[i + 1] if i < n - 1 else 0.0) - x[i]
        forces[i] = -100.0 * left + 100.0 * right
    return np.concatenate([yp[:n] - v, yp[n:2 * n] - forces, [y[-1] - x.sum()]])


def heat(t, y, yp):  # slices of arrays, boundary conditions as equations
    n = len(y)
    h = 1.0 / (n - 1)
    r = np.empty_like(y)
    r[1:-1] = yp[1:-1] - (y[2:] - 2 * y[1:-1] + y[:-2]) / h ** 2
    r[0] = y[0] - 1.0
    r[-1] = (y[-1] - y[-2]) / h
    return r


def double_pendulum(t, y, yp):  # a linear system for the accelerations
    a, b, wa, wb = y
    M = np.array([[2.0, np.cos(a - b)], [np.cos(a - b), 1.0]])
    f = np.array([-wb ** 2 * np.sin(a - b) - 2 * GRAVITY * np.sin(a),
                  wa ** 2 * np.sin(a - b) - GRAVITY * np.sin(b)])
    acceleration = np.linalg.solve(M, f)
    return np.hstack([yp[0] - wa, yp[1] - wb, yp[2:] - acceleration])


def predator(t, y, yp, params):  # a dictionary as argument
    prey, hunters, total = y
    growth, meet = params["growth"], params["meet"]
    return [yp[0] - growth * prey + meet * prey * hunters, yp[1] + hunters - meet * prey * hunters,
            total - sum([prey, hunters])]


def kinetics(t, y, yp):  # dot products, stoichiometry
    N = np.array([[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]])
    v = np.array([1.0 * y[0], 0.5 * y[1]])
    r = yp[:3] - N.dot(v)
    return np.append(r, y[3] - y[:3].sum())


def slider(t, q, qp):  # index 2, list comprehension
    rates = [qp[i] - q[i + 2] + q[4] * q[i] for i in range(2)]
    forces = [qp[2] + 0.1 * q[2], qp[3] + GRAVITY + 0.1 * q[3]]
    return array(rates + forces + [q[0] * q[2] + q[1] * q[3] - q[4]])


def orbit(t, y):  # right-hand side, norm
    r = np.linalg.norm(y[:2])
    return np.concatenate((y[2:], -y[:2] / r ** 3))


def switched(t, y, yp):  # conditions combined, np.select
    x = y[0]
    mode = np.logical_and(x > 0.2, x < 0.8)
    drive = np.where(mode, 1.0, 0.5)
    bend = np.select([x < 0.3, x < 0.6], [0.0, x - 0.3], 0.3)
    return [yp[0] - drive * exp(-x), y[1] - bend]


def tank(t, y, yp):  # square roots, integer powers, a polynomial
    level, flow, inflow = y
    return zeros(3) + [yp[0] - inflow + flow, flow - 0.3 * np.sqrt(2 * GRAVITY * level),
                       inflow - np.polyval([0.1, 0.0, 0.5], cos(t))]


def drive(gain, t, y, yp):  # for functools.partial
    return [yp[0] - gain * y[1], y[1] + y[0] - math.exp(-t)]


def brake(t, y, yp):  # branches on a value: cannot be traced
    force = 1.0 if y[0] > 0.5 else 2.0 * y[0]
    return [yp[0] + force, y[1] - force]


_table = np.linspace(0.0, 3.0, 200)


def looked_up(t, y, yp):  # a compiled function of a table: cannot be traced
    level = np.interp(y[0], _table, _table ** 2)
    return [yp[0] + level, y[1] - level]


STYLES = [
    ("robertson", robertson, 40.0, [1, 0, 0], {}),
    ("pendulum", pendulum, 3.0, [1, 0, 0, 0, 0], {}),
    ("pendulum_index_one", pendulum_index_one, 3.0, [1, 0, 0, 0, 0], {}),
    ("circuit", make_circuit(), 0.02, [0, 0, 0], {}),
    ("reactor", Reactor().residual, 5.0, [1, 1, 0], {}),
    ("saturation", saturation, 10.0, [1, 0, 0], {}),
    ("friction", friction, 6.0, [1, 0, 0], {}),
    ("linear", linear, 5.0, [1, 0, -1], {}),
    ("chain", chain, 2.0, [0.1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], {}),
    ("heat", heat, 0.2, [1.0] + [0.0] * 19, {}),
    ("double_pendulum", double_pendulum, 1.5, [1.0, 1.5, 0, 0], {}),
    ("predator", predator, 10.0, [1.0, 0.5, 0], {"args": ({"growth": 1.0, "meet": 1.5},)}),
    ("kinetics", kinetics, 4.0, [1, 0, 0, 0], {}),
    ("slider", slider, 1.0, [1.0, 0.0, 0.1, 0.0, 0.1], {}),
    ("orbit", orbit, 6.0, [1.0, 0.0, 0.0, 1.1], {}),
    ("switched", switched, 2.0, [0.0, 0.0], {}),
    ("tank", tank, 5.0, [1.0, 0.0, 0.0], {}),
    ("partial", functools.partial(drive, 2.0), 2.0, [0.5, 0.5], {}),
    ("brake", brake, 1.0, [1.0, 1.0], {}),
    ("looked_up", looked_up, 1.0, [2.0, 4.0], {}),
]
NOT_TRACED = {"brake", "looked_up"}
