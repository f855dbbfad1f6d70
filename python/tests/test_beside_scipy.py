"""ODEs beside scipy.integrate, and published problems with their reference values."""
import numpy as np
import pytest

from daedal import solve_dae

integrate = pytest.importorskip("scipy.integrate")


def lorenz(t, y):
    return [10 * (y[1] - y[0]), y[0] * (28 - y[2]) - y[1], y[0] * y[1] - 8 / 3 * y[2]]


def van_der_pol(t, y):
    return [y[1], 100 * (1 - y[0] ** 2) * y[1] - y[0]]


def brusselator(t, y):
    return [1 + y[0] ** 2 * y[1] - 4 * y[0], 3 * y[0] - y[0] ** 2 * y[1]]


def oregonator(t, y):
    return [77.27 * (y[1] + y[0] * (1 - 8.375e-6 * y[0] - y[1])), (y[2] - (1 + y[0]) * y[1]) / 77.27,
            0.161 * (y[0] - y[2])]


@pytest.mark.parametrize("trace", [False, True])
@pytest.mark.parametrize("fun, t_end, y0", [
    (lorenz, 1.0, [1.0, 1.0, 1.0]), (van_der_pol, 50.0, [2.0, 0.0]), (brusselator, 10.0, [1.5, 3.0]),
    (oregonator, 30.0, [1.0, 2.0, 3.0])])
def test_odes(fun, t_end, y0, trace):
    times = np.linspace(0, t_end, 11)
    ours = solve_dae(fun, (0, t_end), y0, rtol=1e-8, atol=1e-10, t_eval=times, trace=trace)
    theirs = integrate.solve_ivp(fun, (0, t_end), y0, method="Radau", rtol=1e-9, atol=1e-11, t_eval=times)
    size = np.abs(theirs.y).max(axis=1, keepdims=True)
    assert ours.success and (np.abs(ours.y - theirs.y) / size).max() < 2e-5


def test_events_as_solve_ivp():
    hit = lambda t, y: y[0]
    hit.terminal, hit.direction = True, -1
    fall = lambda t, y: [y[1], -9.81]
    ours = solve_dae(fall, (0, 10), [5.0, 1.0], events=hit)
    theirs = integrate.solve_ivp(fall, (0, 10), [5.0, 1.0], events=hit, rtol=1e-9)
    assert ours.status == theirs.status == 1 and ours.message == theirs.message
    assert abs(ours.t_events[0][0] - theirs.t_events[0][0]) < 1e-6
    assert ours.y_events[0].shape == theirs.y_events[0].shape


# Reference values of the test set for IVP solvers (Mazzia, Magherini 2008), as in problems_kinetics.c of the C tests.
def akzo(t, y, yp):
    y1, y2, y3, y4, y5, y6 = y
    r1, r5 = 18.7 * y1 ** 4 * np.sqrt(y2), 0.42 * y6 ** 2 * np.sqrt(y2)
    r2, r3, r4 = 0.58 * y3 * y4, 0.58 / 34.4 * y1 * y5, 0.09 * y1 * y4 ** 2
    return np.array([yp[0] + 2 * r1 - r2 + r3 + r4, yp[1] + 0.5 * r1 + r4 + 0.5 * r5 - 3.3 * (0.9 / 737 - y2),
                     yp[2] - r1 + r2 - r3, yp[3] + r2 - r3 + 2 * r4, yp[4] - r2 + r3 - r5,
                     115.83 * y1 * y4 - y6])


AKZO_START = [0.444, 0.00123, 0.0, 0.007, 0.0, 115.83 * 0.444 * 0.007]
AKZO_END = [0.1150794920661702, 0.1203831471567715e-2, 0.1611562887407974, 0.3656156421249283e-3,
            0.1708010885264404e-1, 0.4873531310307455e-2]


@pytest.mark.parametrize("trace", [False, True])
def test_akzo_nobel(trace):
    res = solve_dae(akzo, (0, 180), AKZO_START, rtol=1e-8, atol=1e-11, trace=trace)
    assert np.allclose(res.y[:, -1], AKZO_END, rtol=1e-6)


def transistor(t, y, yp):
    g = lambda x: 1e-6 * (np.exp(x / 0.026) - 1)
    C = [1e-6, 2e-6, 3e-6, 4e-6, 5e-6]
    ue = 0.1 * np.sin(200 * np.pi * t)
    return np.array([
        C[0] * (yp[0] - yp[1]) + (y[0] - ue) / 1000,
        C[0] * (yp[1] - yp[0]) + y[1] / 9000 - (6.0 - y[1]) / 9000 + 0.01 * g(y[1] - y[2]),
        C[1] * yp[2] - g(y[1] - y[2]) + y[2] / 9000,
        C[2] * (yp[3] - yp[4]) + (y[3] - 6.0) / 9000 + 0.99 * g(y[1] - y[2]),
        C[2] * (yp[4] - yp[3]) + y[4] / 9000 - (6.0 - y[4]) / 9000 + 0.01 * g(y[4] - y[5]),
        C[3] * yp[5] - g(y[4] - y[5]) + y[5] / 9000,
        C[4] * (yp[6] - yp[7]) + (y[6] - 6.0) / 9000 + 0.99 * g(y[4] - y[5]),
        C[4] * (yp[7] - yp[6]) + y[7] / 9000])


def test_transistor_amplifier_both_ways():
    y0 = [0, 3, 3, 6, 3, 3, 6, 0]
    traced = solve_dae(transistor, (0, 0.02), y0, rtol=1e-7, atol=1e-9, trace=True)
    called = solve_dae(transistor, (0, 0.02), y0, rtol=1e-7, atol=1e-9, trace=False)
    assert traced.index == called.index == 1
    assert np.allclose(traced.y[:, -1], called.y[:, -1], atol=1e-4)
