#!/usr/bin/env python3
"""reference_values.py - where the numbers in the `// reference:` lines of models/ come from.

Prints them.  Everything here is independent of daedal: closed forms, and an extrapolation method
(Gragg, Bulirsch, Stoer: explicit midpoint rule, order 16) at 1e-13 for the rest.  Algebraic
equations are solved inside the right-hand sides; events are located by bisection.  The values of
the published test problems (Robertson, HIRES, Akzo Nobel, ...) are not computed here: they are
those of the Test Set for IVP Solvers, recomputed with 20 digits.
"""
from math import asin, cos, exp, log, pi, sin, sqrt, tanh

SEQUENCE = (2, 4, 6, 8, 10, 12, 14, 16)


def midpoint(f, t, y, big, n):
    """n substeps of the explicit midpoint rule over a step of length `big`."""
    h = big / n
    before, now = y, [a + h * b for a, b in zip(y, f(t, y))]
    for k in range(1, n):
        before, now = now, [a + 2 * h * b for a, b in zip(before, f(t + k * h, now))]
    return [(a + b + h * c) / 2 for a, b, c in zip(before, now, f(t + big, now))]


def extrapolate(f, t, y, big):
    """The best value after a step and an estimate of its error, by Aitken and Neville."""
    rows = []
    for i, n in enumerate(SEQUENCE):
        row = [midpoint(f, t, y, big, n)]
        for k in range(1, i + 1):
            ratio = (n / SEQUENCE[i - k]) ** 2
            row.append([a + (a - b) / (ratio - 1) for a, b in zip(row[k - 1], rows[-1][k - 1])])
        rows.append(row)
    return rows[-1][-1], [a - b for a, b in zip(rows[-1][-1], rows[-1][-2])]


def integrate(f, t, y, t_end, tol=1e-13, first=None):
    """y(t_end) of y' = f(t, y), f smooth in between."""
    y, h = list(y), first or (t_end - t) / 100
    while t < t_end:
        h = min(h, t_end - t)
        try:
            new, error = extrapolate(f, t, y, h)
            size = max(abs(e) / (tol * (1e-3 + max(abs(a), abs(b))))
                       for e, a, b in zip(error, y, new))
        except (OverflowError, ValueError, ZeroDivisionError):
            size = float("inf")
        if size != size or size == float("inf"):
            h /= 8
        elif size <= 1:
            t, y = (t_end if h >= t_end - t else t + h), new
            h *= min(3, 0.8 * max(size, 1e-12) ** (-1 / 15))
        else:
            h *= max(0.1, 0.8 * size ** (-1 / 15))
    return y


def integrate_pieces(f, y, times):
    for a, b in zip(times, times[1:]):
        y = integrate(f, a, y, b)
    return y


def solve(g, low, high):
    """The root of an increasing function, to rounding."""
    for _ in range(200):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if g(middle) < 0 else (low, middle)
    return (low + high) / 2


def until(f, t, y, g, t_most, step):
    """Integrate until g(t, y) changes sign; (t, y, happened)."""
    sign = g(t, y) > 0
    while t < t_most:
        end = min(t + step, t_most)
        new = integrate(f, t, y, end)
        if (g(end, new) > 0) != sign:
            low, high = t, end
            while True:
                middle = (low + high) / 2
                if middle in (low, high):
                    return high, integrate(f, t, y, high), True
                crossed = (g(middle, integrate(f, t, y, middle)) > 0) != sign
                low, high = (low, middle) if crossed else (middle, high)
        t, y = end, new
    return t, y, False


# ---- one function a model -----------------------------------------------------------------


def rc_circuit():
    return "vC", 10 * (1 - exp(-2e-3 / (1e3 * 1e-6))), 2e-3


def rlc_circuit():
    R, L, C, t = 10.0, 1e-3, 1e-6, 5e-4
    a = R / (2 * L)
    w = sqrt(1 / (L * C) - a * a)
    return "vC", 5 * (1 - exp(-a * t) * (cos(w * t) + a / w * sin(w * t))), t


def opamp_lowpass():
    R1, R2, C, A, t = 1e3, 1e4, 1e-7, 1e5, 1e-3
    rate = (1 / (R1 * (1 + A)) + 1 / R2) / C
    u = (1 / (R1 * C)) / rate * (1 - exp(-rate * t))
    return "vOut", -u * A / (1 + A), t


def rectifier_diode():
    Rs, R, C, Is, Vt = 10.0, 1e3, 1e-4, 1e-9, 0.05

    def f(t, y):
        e = 10 * sin(2 * pi * 50 * t) - y[0]
        vd = e if e < -5 else solve(lambda v: Rs * Is * (exp(min(v / Vt, 600)) - 1) + v - e, -20, 3)
        return [(Is * (exp(vd / Vt) - 1) - y[0] / R) / C]
    return "v", integrate_pieces(f, [0.0], [k * 1e-4 for k in range(501)])[0], 0.05


def rectifier_ideal():
    Rs, R, C = 10.0, 1e3, 1e-4

    def source(t):
        return 10 * sin(2 * pi * 50 * t)

    def on(t, y):
        return [((source(t) - y[0]) / Rs - y[0] / R) / C]

    def off(t, y):
        return [-y[0] / R / C]
    t, y, conducts = 1e-12, [0.0], True  # v(1e-12) is below 1e-18
    while t < 0.05:
        t, y, _ = until(on if conducts else off, t, y, lambda s, z: source(s) - z[0], 0.05, 2e-4)
        conducts = not conducts
    return "v", y[0], 0.05


def thermostat():
    T, t, heating, out, tau, gain = 15.0, 0.0, True, 5.0, 3600.0, 25.0
    while True:
        end = out + (gain if heating else 0)
        limit = 21.0 if heating else 19.0
        dt = tau * log((T - end) / (limit - end))
        if t + dt > 2 * 3600:
            return "T", end + (T - end) * exp(-(7200 - t) / tau), 7200
        t, T, heating = t + dt, limit, not heating


def bouncing_ball():
    g, e, h = 9.81, 0.7, 1.0
    t, v = sqrt(2 * h / g), sqrt(2 * g * h) * 0.7
    while t + 2 * v / g < 2:
        t, v = t + 2 * v / g, v * e
    s = 2 - t
    return "h", v * s - g * s * s / 2, 2


def cstr():
    q, V, cin, Tin, Tc = 100.0, 100.0, 1.0, 350.0, 305.0
    k0, E, dH, rho_cp, UA = 7.2e10, 8750.0, 5e4, 239.0, 5e4

    def f(t, y):
        c, T = y
        r = k0 * exp(-E / T) * c
        return [q / V * (cin - c) - r,
                q / V * (Tin - T) + dH / rho_cp * r + UA / (V * rho_cp) * (Tc - T)]
    return "T", integrate(f, 0, [0.5, 350.0], 10)[1], 10


def combustion_ignition():
    A, Ta, T0, q, t = 1e9, 15000.0, 1000.0, 1500.0, 1.7e-4

    def f(t, y):
        return [-A * y[0] * exp(-Ta / (T0 + q * (1 - y[0])))]
    return "T", T0 + q * (1 - integrate(f, 0, [1.0], t)[0]), t


def heat_rod():
    n = 40
    rate = 4 * n * n * sin(pi / (2 * n)) ** 2
    return "u[21]", exp(-rate * 0.1), 0.1


def brusselator():
    n, A, B, alpha = 20, 1.0, 3.0, 0.02
    c = alpha * (n + 1) ** 2

    def f(t, y):
        u, v = [A] + y[:n] + [A], [B / A] + y[n:] + [B / A]
        du = [A + u[i] ** 2 * v[i] - (B + 1) * u[i] + c * (u[i - 1] - 2 * u[i] + u[i + 1])
              for i in range(1, n + 1)]
        dv = [B * u[i] - u[i] ** 2 * v[i] + c * (v[i - 1] - 2 * v[i] + v[i + 1])
              for i in range(1, n + 1)]
        return du + dv
    start = [1 + sin(2 * pi * i / (n + 1)) for i in range(1, n + 1)] + [3.0] * n
    return "u[11]", integrate(f, 0, start, 10)[10 - 1], 10


def moving_mesh():
    n, eps, tau = 20, 0.02, 0.05

    def f(t, y):
        u, x = [0.0] + y[:n] + [0.0], [0.0] + y[n:] + [1.0]
        m = [sqrt(1 + ((u[i + 1] - u[i]) / (x[i + 1] - x[i])) ** 2) for i in range(n + 1)]
        du, dx = [], []
        for i in range(1, n + 1):
            speed = (m[i] * (x[i + 1] - x[i]) - m[i - 1] * (x[i] - x[i - 1])) / tau
            slope = (u[i + 1] - u[i - 1]) / (x[i + 1] - x[i - 1])
            bend = 2 * ((u[i + 1] - u[i]) / (x[i + 1] - x[i]) - (u[i] - u[i - 1]) / (x[i] - x[i - 1])) \
                / (x[i + 1] - x[i - 1])
            dx.append(speed)
            du.append(eps * bend - u[i] * slope + slope * speed)
        return du + dx
    grid = [i / (n + 1) for i in range(1, n + 1)]
    y = integrate(f, 0, [sin(2 * pi * s) + 0.5 * sin(pi * s) for s in grid] + grid, 0.5)
    return "x[11]", y[n + 10 - 1], 0.5


def lotka_volterra():
    def f(t, y):
        return [y[0] * (1.1 - 0.4 * y[1]), y[1] * (0.1 * y[0] - 0.4)]
    return "prey", integrate(f, 0, [10.0, 10.0], 40)[0], 40


def sir_epidemic():
    def f(t, y):
        flow = 0.3 * y[0] * y[1] / 1e6
        return [-flow, flow - 0.1 * y[1]]
    return "I", integrate(f, 0, [1e6 - 10, 10.0], 60)[1], 60


def lorenz():
    def f(t, y):
        return [10 * (y[1] - y[0]), y[0] * (28 - y[2]) - y[1], y[0] * y[1] - 8 / 3 * y[2]]
    return "x", integrate(f, 0, [1.0, 1.0, 1.0], 5)[0], 5


def duffing():
    def f(t, y):
        return [y[1], 0.3 * cos(1.2 * t) - 0.2 * y[1] + y[0] - y[0] ** 3]
    return "x", integrate(f, 0, [0.5, 0.0], 20)[0], 20


def double_tank():
    A, a, g = 0.05, 5e-4, 9.81

    def f(inflow):
        def slopes(t, y):
            q1, q2 = a * sqrt(2 * g * y[0]), a * sqrt(2 * g * y[1])
            return [(inflow - q1) / A, (q1 - q2) / A]
        return slopes
    y = integrate(f(1.2e-3), 0, [0.1, 0.05], 300)
    return "h2", integrate(f(0.4e-3), 300, y, 500)[1], 500


def dc_motor():
    R, L, k, J, d, Kp, Ki, w = 1.0, 5e-3, 0.05, 1e-4, 1e-5, 0.2, 4.0, 100.0

    def f(t, y):
        i, speed, integral = y
        e = w - speed
        v = Kp * e + Ki * integral
        return [(v - R * i - k * speed) / L, (k * i - d * speed - (0.02 if t > 0.5 else 0)) / J, e]
    y = integrate(lambda t, z: f(0, z), 0, [0.0] * 3, 0.5)
    return "w", integrate(lambda t, z: f(1, z), 0.5, y, 0.6)[1], 0.6


def sampled_controller():
    x, z, h = 0.0, 0.0, 0.1
    for _ in range(20):
        e = 1 - x
        z += 0.5 * h * e
        u = 2 * e + z
        x = u + (x - u) * exp(-h / 1.0)
    return "x", x, 2


def battery_rc():
    Q, R0, R1, C1 = 2.0 * 3600, 0.05, 0.03, 1000.0

    def ocv(s):
        return 3.0 + 1.2 * s - 0.3 * tanh(10 * (s - 0.5)) * s * (1 - s) - 0.2 * exp(-30 * s)
    soc, v1 = 0.9, 0.0
    for _ in range(4):  # 300 s at 2 A, 300 s rest
        for current in (2.0, 0.0):
            soc -= current * 300 / Q
            v1 = R1 * current + (v1 - R1 * current) * exp(-300 / (R1 * C1))
    # at t = 2500: 100 s into the fifth pulse
    soc -= 2.0 * 100 / Q
    v1 = R1 * 2 + (v1 - R1 * 2) * exp(-100 / (R1 * C1))
    return "v", ocv(soc) - R0 * 2 - v1, 2500


def enzyme_kinetics():
    k1, k2, k3 = 1e3, 1.0, 0.5

    def f(t, y):  # s, c; e = 0.01 - c
        s, c = y
        r = k1 * (0.01 - c) * s - k2 * c
        return [-r, r - k3 * c]
    s, c = integrate(f, 0, [0.1, 0.0], 10)
    return "p", 0.1 - s - c, 10


def kepler():
    e, t = 0.6, 20.0
    M = t % (2 * pi)
    E = solve(lambda E: E - e * sin(E) - M, 0, 2 * pi)
    return "x", cos(E) - e, 20


def three_body():
    p, v = (0.97000436, -0.24308753), (0.93240737, 0.86473146)

    def f(t, y):
        out = list(y[6:])
        for i in range(3):
            ax = ay = 0.0
            for j in range(3):
                if i != j:
                    dx, dy = y[2 * j] - y[2 * i], y[2 * j + 1] - y[2 * i + 1]
                    r3 = (dx * dx + dy * dy) ** 1.5
                    ax, ay = ax + dx / r3, ay + dy / r3
            out += [ax, ay]
        return out
    y0 = [p[0], p[1], -p[0], -p[1], 0, 0, v[0] / 2, v[1] / 2, v[0] / 2, v[1] / 2, -v[0], -v[1]]
    return "x[1]", integrate(f, 0, y0, 2)[0], 2


def buck_converter():
    L, C, R, V, period, duty = 1e-4, 1e-4, 5.0, 12.0, 2e-5, 0.5

    def f(source):
        return lambda t, y: [(source - y[1]) / L, (y[0] - y[1] / R) / C]
    y = [0.0, 0.0]
    for k in range(50):
        t = k * period
        y = integrate(f(V), t, y, t + duty * period, first=period)
        y = integrate(f(0.0), t + duty * period, y, t + period, first=period)
    return "v", y[1], 1e-3


def pendulum_angle():
    def f(t, y):
        return [y[1], -9.81 * sin(y[0])]
    return "phi", integrate(f, 0, [2.0, 0.0], 9)[0], 9


def pendulum():
    """sin(phi/2) = k cd(w t, k), k = sin(phi(0)/2); cd by the arithmetic-geometric mean."""
    k, w, t = sin(pi / 4), sqrt(9.81), 9
    a, b, c = [1.0], sqrt(1 - k * k), [k]
    while c[-1] > 1e-12:  # converges quadratically
        a, b, c = a + [(a[-1] + b) / 2], sqrt(a[-1] * b), c + [(a[-1] - b) / 2]
    angle = 2 ** (len(a) - 1) * a[-1] * w * t
    for n in range(len(a) - 1, 0, -1):
        angle = (angle + asin(c[n] / a[n] * sin(angle))) / 2
    half = asin(k * cos(angle) / sqrt(1 - (k * sin(angle)) ** 2))
    return "x", sin(2 * half), t


MODELS = [rc_circuit, rlc_circuit, opamp_lowpass, rectifier_diode, rectifier_ideal, thermostat,
          bouncing_ball, cstr, combustion_ignition, heat_rod, brusselator, moving_mesh,
          lotka_volterra, sir_epidemic, lorenz, duffing, double_tank, dc_motor, sampled_controller,
          battery_rc, enzyme_kinetics, kepler, three_body, buck_converter, pendulum_angle,
          pendulum]

if __name__ == "__main__":
    for model in MODELS:
        name, value, t = model()
        print(f"{model.__name__:22} {name} = {value:.13g} at t = {t:g}", flush=True)
