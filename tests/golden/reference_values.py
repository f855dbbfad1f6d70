#!/usr/bin/env python3
"""reference_values.py - where the numbers in the `// reference:` lines of models/ come from.

Prints them, or those of the models named.  Everything here is independent of daedal: closed forms, and an extrapolation method
(Gragg, Bulirsch, Stoer: explicit midpoint rule, order 16) at 1e-13 for the rest.  Algebraic
equations are solved inside the right-hand sides; events are located by bisection.  The values of
the published test problems (Robertson, HIRES, Akzo Nobel, ...) are not computed here: they are
those of the Test Set for IVP Solvers, recomputed with 20 digits.
"""
import cmath
import math
import sys
from math import (acos, asin, atan2, cos, cosh, exp, hypot, log, pi, sin, sinh, sqrt, tanh)

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


def kepler_perturbed():
    def f(t, y):
        r = hypot(y[0], y[1])
        a = -1 / r**3 - 3 * 0.005 / r**5
        return [y[2], y[3], a * y[0], a * y[1]]
    return "x", integrate(f, 0, [0.4, 0.0, 0.0, 2.0], 50)[0], 50


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

# ---- higher index: what the constraints determine is eliminated by hand ----------------------


def linear_solve(a, b):
    """x of a x = b; a is overwritten.  Gauss with row pivots."""
    n, a = len(b), [row + [right] for row, right in zip(a, b)]
    for k in range(n):
        best = max(range(k, n), key=lambda i: abs(a[i][k]))
        a[k], a[best] = a[best], a[k]
        for i in range(k + 1, n):
            f = a[i][k] / a[k][k]
            if f:
                a[i] = [p - f * q for p, q in zip(a[i], a[k])]
    x = [0.0] * n
    for k in reversed(range(n)):
        x[k] = (a[k][n] - sum(a[k][j] * x[j] for j in range(k + 1, n))) / a[k][k]
    return x


def double_pendulum():
    m1, m2, a, b, g = 1.0, 0.5, 1.0, 0.8, 9.81

    def f(t, y):  # Lagrange's equations of the two angles from the vertical
        p, q, w, z = y
        c, s = cos(p - q), sin(p - q)
        dw, dz = linear_solve(
            [[(m1 + m2) * a, m2 * b * c], [a * c, b]],
            [-m2 * b * z * z * s - (m1 + m2) * g * sin(p), a * w * w * s - g * sin(q)])
        return [w, z, dw, dz]
    p, q, _, _ = integrate(f, 0, [pi / 2, pi / 2, 0.0, 0.0], 5)
    return "x2", a * sin(p) + b * sin(q), 5


def pendulum_over_top():
    def f(t, y):
        return [y[1], -9.81 * sin(y[0])]
    return "x", sin(integrate(f, 0, [0.0, 7.0], 19.9)[0]), 19.9


def one_degree(inertia, force):
    """phi'' of T = J(phi) w^2/2: inertia gives J and J', force the generalised force."""
    def f(t, y):
        J, dJ = inertia(y[0])
        return [y[1], (force(*y) - dJ * y[1] ** 2 / 2) / J]
    return f


def slider_crank():
    r, l, J1, m2, m3, g, tau, d = 0.3, 1.0, 0.1, 1.0, 2.0, 9.81, 5.0, 10.0

    def rod(phi):
        """Angle of the rod and its first two derivatives by phi: l sin(th) = -r sin(phi)."""
        th = -asin(r * sin(phi) / l)
        d1 = -r * cos(phi) / (l * cos(th))
        return th, d1, (r * sin(phi) / l + sin(th) * d1 ** 2) / cos(th)

    def slopes(phi):
        """First and second derivatives by phi of the centre of the rod and of the slider."""
        th, d1, d2 = rod(phi)
        x, xx = -l * sin(th) * d1, -l * (cos(th) * d1 ** 2 + sin(th) * d2)
        y, yy = l / 2 * cos(th) * d1, l / 2 * (cos(th) * d2 - sin(th) * d1 ** 2)
        c, s = r * cos(phi), r * sin(phi)
        return (-s + x / 2, -c + xx / 2), (c + y, -s + yy), (-s + x, -c + xx), (d1, d2)

    def inertia(phi):
        x2, y2, x3, th = slopes(phi)
        parts = ((m2, x2), (m2, y2), (m3, x3), (m2 * l * l / 12, th))
        return (J1 + sum(m * q[0] ** 2 for m, q in parts),
                sum(2 * m * q[0] * q[1] for m, q in parts))

    def force(phi, w):
        _, y2, x3, _ = slopes(phi)
        return tau - m2 * g * y2[0] - d * x3[0] ** 2 * w
    phi = integrate(one_degree(inertia, force), 0, [0.5, 0.0], 2)[0]
    return "x3", r * cos(phi) + l * cos(rod(phi)[0]), 2


def four_bar():
    r1, r2, r3, d, g, m1, m2, m3 = 1.0, 2.5, 2.0, 2.5, 9.81, 1.0, 2.5, 2.0

    def joints(phi):
        """Both joints with their first and second derivatives by the angle of the crank."""
        a = r1 * cos(phi), r1 * sin(phi)
        da, dda = (-a[1], a[0]), (-a[0], -a[1])
        e = d - a[0], -a[1]  # from the first joint to the second fixed one
        far = hypot(*e)
        along = (far + (r2 * r2 - r3 * r3) / far) / 2
        up = sqrt(r2 * r2 - along * along)
        b = (a[0] + (along * e[0] - up * e[1]) / far, a[1] + (along * e[1] + up * e[0]) / far)
        ab, db_ = (b[0] - a[0], b[1] - a[1]), (b[0] - d, b[1])

        def moved(right):
            return linear_solve([list(ab), list(db_)], right)
        db = moved([ab[0] * da[0] + ab[1] * da[1], 0.0])
        ddb = moved([ab[0] * dda[0] + ab[1] * dda[1] - (db[0] - da[0]) ** 2 - (db[1] - da[1]) ** 2,
                     -db[0] ** 2 - db[1] ** 2])
        return a, da, dda, b, db, ddb

    def inertia(phi):
        _, da, dda, _, db, ddb = joints(phi)
        J = dJ = 0.0
        for k in range(2):
            J += (m1 + m2) / 3 * da[k] ** 2 + (m2 + m3) / 3 * db[k] ** 2 + m2 / 3 * da[k] * db[k]
            dJ += (2 * (m1 + m2) / 3 * da[k] * dda[k] + 2 * (m2 + m3) / 3 * db[k] * ddb[k]
                   + m2 / 3 * (dda[k] * db[k] + da[k] * ddb[k]))
        return J, dJ

    def force(phi, w):
        _, da, _, _, db, _ = joints(phi)
        return -g * ((m1 + m2) / 2 * da[1] + (m2 + m3) / 2 * db[1])
    phi = integrate(one_degree(inertia, force), 0, [atan2(0.8, 0.6), -7.5], 3)[0]
    return "x2", joints(phi)[3][0], 3


EARTH, MU, OMEGA = 20902900.0, 0.1407653916e17, 7.2921159e-5


def flight(H, lat, V, gam, A, drag, lift_up, lift_side, f=None):
    """Rates of H, xi, lat, V, gam, A; drag and lift by mass.  f: the module of the functions."""
    f = f or math
    r = H + EARTH
    g = MU / r ** 2
    sl, cl, sa, ca, sg, cg = (k(a) for a in (lat, A, gam) for k in (f.sin, f.cos))
    spin = OMEGA ** 2 * r * cl
    return [V * sg, V * cg * sa / (r * cl), V / r * cg * ca,
            -drag - g * sg - spin * (sl * ca * cg - cl * sg),
            lift_up / V + cg / V * (V * V / r - g) + 2 * OMEGA * cl * sa
            + spin / V * (sl * ca * sg + cl * cg),
            lift_side / (V * cg) + V / r * cg * sa * sl / cl
            - 2 * OMEGA * (cl * ca * sg / cg - sl) + spin * sl * sa / (V * cg)]


def shuttle_index2():
    m, k = 2.890532728, pi / 180

    def controls(t, y):
        """What slope and azimuth need: lift upwards, lift sideways, and the drag that follows."""
        H, _, lat, V = y
        gam, A = -(1 + 9 * (t / 300) ** 2) * k, (45 + 90 * (t / 300) ** 2) * k
        free = flight(H, lat, V, gam, A, 0.0, 0.0, 0.0)
        up, side = V * (-18 * t / 9e4 * k - free[4]), V * cos(gam) * (180 * t / 9e4 * k - free[5])
        pressure = 0.5 * 0.002378 * exp(-H / 23800) * V * V / m
        CL = hypot(up, side) / pressure
        return gam, A, pressure * (0.04 + 0.1 * CL * CL), up, side

    def f(t, y):
        gam, A, drag, up, side = controls(t, y)
        return flight(y[0], y[2], y[3], gam, A, drag, up, side)[:4]
    y = integrate(f, 0, [1e5, 0.0, 0.0, 12000.0], 300)
    _, _, _, up, side = controls(300, y)
    return ("beta", atan2(side, up) / k, 300), ("H", y[0], 300)


def shuttle_index3():
    m, S, k, V0, t0 = 5964.496499824, 2690.0, pi / 180, 24317.0798, 332.868734542
    CL, CD = 0.84 + 0.96 / 26, 0.78 + 1.16 / 26
    C = (3.974960446019, -0.01448947694635, -0.2156171551995e-4, -0.1089609507291e-7)

    def drag(H, V, f):
        return 0.5 * 0.002378 * f.exp(-H / 23800) * CD * S * V * V / m

    def hidden(y, f=cmath):
        """The first derivative of drag - C(V)."""
        H, _, lat, V, gam, A = y
        D, v = drag(H, V, f), V - V0
        rate = flight(H, lat, V, gam, A, D, 0.0, 0.0, f)
        return -D / 23800 * rate[0] + (2 * D / V - C[1] - 2 * C[2] * v - 3 * C[3] * v * v) * rate[3]

    def along(y, direction):
        """Its derivative in a direction: complex step, exact to rounding."""
        step = 1e-30
        return hidden([a + 1j * step * b for a, b in zip(y, direction)]).imag / step

    def rates(y):
        """beta from the second derivative 0 = free + up cos(beta) + side sin(beta)."""
        H, _, lat, V, gam, A = y
        D = drag(H, V, math)
        still = flight(H, lat, V, gam, A, D, 0.0, 0.0)
        L = D * CL / CD
        free = along(y, still)
        up = along(y, [0, 0, 0, 0, L / V, 0])
        side = along(y, [0, 0, 0, 0, 0, L / (V * cos(gam))])
        beta = atan2(side, up) + acos(-free / hypot(up, side))
        if not 0 < beta < pi / 2:
            beta = atan2(side, up) - acos(-free / hypot(up, side))
        return beta, flight(H, lat, V, gam, A, D, L * cos(beta), L * sin(beta))

    def consistent(y):
        """Altitude and slope moved until constraint and first derivative hold."""
        y = list(y)
        for _ in range(6):
            y[0] += 23800 * log(drag(y[0], y[3], math) / C[0])
            y[4] -= hidden(y).real / along(y, [0, 0, 0, 0, 1, 0])
        return y
    y = consistent([264039.328, 177.718047 * k, 32.0417885 * k, V0, -0.749986488 * k, 62.7883367 * k])
    y = integrate(lambda t, z: rates(z)[1], t0, y, t0 + 68)
    return ("beta", rates(y)[0] / k, t0 + 68), ("H", y[0], t0 + 68)


def differentiator(n):
    return f"v[{n + 1}]", (-1) ** n * sin(10 * 0.3 + n * pi / 2), 0.3


def differentiator_index2():
    return differentiator(1)


def differentiator_index3():
    return differentiator(2)


def differentiator_index4():
    return differentiator(3)


def differentiator_index5():
    return differentiator(4)


def reactor_prescribed():
    K1, K2, K3, K4, KA, C0, T0, t = 1.0, 2.0, 0.5, 3.0, 10.0, 1.0, 1.5, 1.0
    C, dC, ddC = 0.5 + 0.1 * sin(t), 0.1 * cos(t), -0.1 * sin(t)
    R, dR = K1 * (C0 - C) - dC, -K1 * dC - ddC
    T = K4 / log(KA * C / R)
    dT = -T * T / K4 * (dC / C - dR / R)
    return ("Tc", T + (dT - K1 * (T0 - T) - K2 * R) / K3, 1), ("R", R, 1)


def lq_control_index3():
    # p1 = -x2 and p2 = 0 leave x1' = 0.1 x1 + x2, x2' = x1 - 0.1 x2, whose matrix squared is 1.01
    w, t, x1, x2 = sqrt(1.01), 2.0, 1.0, -1.0
    c, s = cosh(w * t), sinh(w * t) / w
    x1, x2 = c * x1 + s * (0.1 * x1 + x2), c * x2 + s * (x1 - 0.1 * x2)
    return "u", x1 - 0.1 * x2 + 0.5 * x1 - 0.2 * x2, 2


def lq_control_index5():
    r, dr, ddr = sin(2.0), cos(2.0), -sin(2.0)
    x2, dx2 = dr - 0.1 * r, ddr - 0.1 * dr
    return "u", dx2 + 0.5 * r - 0.2 * x2, 2


def cavity_flow():
    n, nu, ramp = 6, 0.02, 0.2
    h = 1 / n
    faces_u = [(i, j) for i in range(1, n) for j in range(1, n + 1)]
    faces_v = [(i, j) for i in range(1, n + 1) for j in range(1, n)]
    cells = [(i, j) for i in range(n) for j in range(n)][1:]  # p = 0 in the first
    place = {cell: k for k, cell in enumerate(cells)}

    def extended(t, y):
        """Both velocities with walls and the values half a cell outside."""
        u = [[0.0] * (n + 2) for _ in range(n + 1)]
        v = [[0.0] * (n + 1) for _ in range(n + 2)]
        for (i, j), a in zip(faces_u, y):
            u[i][j] = a
        for (i, j), a in zip(faces_v, y[len(faces_u):]):
            v[i][j] = a
        for i in range(1, n):
            u[i][0], u[i][n + 1] = -u[i][1], 2 * (1 - exp(-t / ramp)) - u[i][n]
            v[0][i], v[n + 1][i] = -v[1][i], -v[n][i]
        return u, v

    def forces(t, y):
        """Rates of the velocities without pressure."""
        u, v = extended(t, y)
        du = [-((u[i + 1][j] + u[i][j]) ** 2 - (u[i][j] + u[i - 1][j]) ** 2) / (4 * h)
              - ((u[i][j + 1] + u[i][j]) * (v[i + 1][j] + v[i][j])
                 - (u[i][j] + u[i][j - 1]) * (v[i + 1][j - 1] + v[i][j - 1])) / (4 * h)
              + nu * (u[i + 1][j] + u[i - 1][j] + u[i][j + 1] + u[i][j - 1] - 4 * u[i][j]) / h ** 2
              for i, j in faces_u]
        dv = [-((v[i][j + 1] + v[i][j]) ** 2 - (v[i][j] + v[i][j - 1]) ** 2) / (4 * h)
              - ((u[i][j + 1] + u[i][j]) * (v[i + 1][j] + v[i][j])
                 - (u[i - 1][j + 1] + u[i - 1][j]) * (v[i][j] + v[i - 1][j])) / (4 * h)
              + nu * (v[i + 1][j] + v[i - 1][j] + v[i][j + 1] + v[i][j - 1] - 4 * v[i][j]) / h ** 2
              for i, j in faces_v]
        return du + dv

    # gradient[face]: cells on its two sides; the divergence is minus its transpose
    sides = [((i - 1, j - 1), (i, j - 1)) for i, j in faces_u] \
        + [((i - 1, j - 1), (i - 1, j)) for i, j in faces_v]

    def divergence(y):
        out = [0.0] * len(cells)
        for (low, high), a in zip(sides, y):
            if low in place:
                out[place[low]] += a
            if high in place:
                out[place[high]] -= a
        return out

    def gradient(p):
        return [((p[place[high]] if high in place else 0.0)
                 - (p[place[low]] if low in place else 0.0)) / h for low, high in sides]
    columns = [divergence(gradient([float(k == c) for k in range(len(cells))]))
               for c in range(len(cells))]
    unit = [[float(i == j) for i in range(len(cells))] for j in range(len(cells))]
    inverse = [linear_solve([[columns[j][i] for j in range(len(cells))] for i in range(len(cells))], e)
               for e in unit]  # its columns

    def f(t, y):
        a = forces(t, y)
        b = divergence(a)
        p = [sum(col[i] * c for col, c in zip(inverse, b)) for i in range(len(cells))]
        return [s - q for s, q in zip(a, gradient(p))]
    y = integrate(f, 0, [0.0] * len(sides), 1, tol=1e-11)
    return "u[3,5]", y[faces_u.index((2, 4))], 1



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


def arm_matrix(c2):
    """Mass matrix of an arm of two rods, with the cosine of its second angle."""
    m1, m2, L1, L2 = 2.0, 1.5, 1.0, 0.8
    off = m2 * (L2 * L2 / 3 + L1 * L2 / 2 * c2)
    return [[m1 * L1 * L1 / 3 + m2 * (L1 * L1 + L2 * L2 / 3 + L1 * L2 * c2), off], [off, m2 * L2 * L2 / 3]]


def arm_rest(q1, q2, w1, w2, sine=sin, cosine=cos):
    """Coriolis, centrifugal and gravitational terms of the same arm, on the left side."""
    m1, m2, L1, L2, g = 2.0, 1.5, 1.0, 0.8, 9.81
    weight2 = m2 * g * L2 / 2 * cosine(q1 + q2)
    weight1 = (m1 / 2 + m2) * g * L1 * cosine(q1) + weight2
    return [-m2 * L1 * L2 * sine(q2) * (w1 * w2 + w2 * w2 / 2) + weight1,
            m2 * L1 * L2 / 2 * sine(q2) * w1 * w1 + weight2], [weight1, weight2]


def robot_contact():
    L1, L2, push, d = 1.0, 0.8, 15.0, 1.2

    def accelerations(t, y):
        q1, q2, w1, w2 = y
        M, (rest, weight) = arm_matrix(cos(q2)), arm_rest(*y)
        G = [-L1 * sin(q1) - L2 * sin(q1 + q2), -L2 * sin(q1 + q2)]
        curve = -L1 * cos(q1) * w1 * w1 - L2 * cos(q1 + q2) * (w1 + w2) ** 2
        u = [weight[0] + push * G[0] - 3 * w1 + 4 * sin(2 * t), weight[1] + push * G[1] - w2]
        return linear_solve([[*M[0], G[0]], [*M[1], G[1]], [*G, 0.0]],
                            [u[0] - rest[0], u[1] - rest[1], -curve])

    def f(t, y):
        return [y[2], y[3], *accelerations(t, y)[:2]]
    q2 = -acos((d - L1 * cos(0.9)) / L2) - 0.9
    y = integrate(f, 0, [0.9, q2, 0.0, 0.0], 2)
    return [("q1", y[0], 2), ("force", accelerations(2, y)[2], 2)]


def derivatives(f, t, count):
    """f(t), f'(t), ... of an analytic function, by Cauchy's integrals over a circle."""
    points, radius = 64, 0.15
    values = [f(t + radius * cmath.exp(2j * pi * k / points)) for k in range(points)]
    out, factorial = [], 1.0
    for m in range(count):
        factorial *= max(m, 1)
        mean = sum(v * cmath.exp(-2j * pi * k * m / points) for k, v in enumerate(values)) / points
        out.append((mean * factorial / radius ** m).real)
    return out


def robot_flexible_joints():
    L1, L2, k, J, t = 1.0, 0.8, 500.0, 0.3, 1.0

    def angles(s):
        x, y = 1 + 0.2 * cmath.cos(2 * s), 0.8 + 0.2 * cmath.sin(2 * s)
        q2 = cmath.acos((x * x + y * y - L1 * L1 - L2 * L2) / (2 * L1 * L2))
        return cmath.atan(y / x) - cmath.atan(L2 * cmath.sin(q2) / (L1 + L2 * cmath.cos(q2))), q2

    def torque(s, i):
        """Of the springs, with derivatives of the angles in complex times by central formulas."""
        h = 1e-2
        q = [angles(s + j * h) for j in range(-4, 5)]
        first = (1 / 280, -4 / 105, 1 / 5, -4 / 5, 0, 4 / 5, -1 / 5, 4 / 105, -1 / 280)
        second = (-1 / 560, 8 / 315, -1 / 5, 8 / 5, -205 / 72, 8 / 5, -1 / 5, 8 / 315, -1 / 560)
        w = [sum(c * p[j] for c, p in zip(first, q)) / h for j in range(2)]
        a = [sum(c * p[j] for c, p in zip(second, q)) / h ** 2 for j in range(2)]
        M = arm_matrix(cmath.cos(q[4][1]))
        rest, _ = arm_rest(*q[4], *w, sine=cmath.sin, cosine=cmath.cos)
        return M[i][0] * a[0] + M[i][1] * a[1] + rest[i]
    out = []
    for i in range(2):
        spring = derivatives(lambda s: torque(s, i), t, 1)[0]
        bent = derivatives(lambda s: angles(s)[i] + torque(s, i) / k, t, 3)[2]
        out.append((f"u{i + 1}", J * bent + spring, t))
    return out


def lq_control_index1():
    """x'' = 2 x with x(0) = 1, x'(0) = 1 - p(0)."""
    w, p = sqrt(2), 1.689498391594383
    return "x", cosh(w) + (1 - p) / w * sinh(w), 1


def rlc_network():
    C1, C2, R1, R2, L = 1.0, 0.5, 1.0, 2.0, 0.3

    def f(t, y):  # voltages of the capacitors, current of the coil
        return [((sin(2 * t) - y[0]) / R1 - y[2]) / C1,
                (y[2] - y[1] / R2 + 0.2 * cos(3 * t)) / C2, (y[0] - y[1]) / L]
    return "e[3]", integrate(f, 0, [0.0, 0.0, 0.0], 2)[1], 2


def rlc_network_loop():
    """(C1 + C2) v' + v/R = C1 e', e = sin 2t; the current of the source is -C1 (e' - v')."""
    C1, C2, R, t = 1.0, 0.5, 2.0, 2.0
    a = 1 / (R * (C1 + C2))
    b = 2 * C1 / (C1 + C2)
    c, s = b * a / (a * a + 4), 2 * b / (a * a + 4)  # v = c cos 2t + s sin 2t - c e^(-at)
    rate = -2 * c * sin(2 * t) + 2 * s * cos(2 * t) + a * c * exp(-a * t)
    return "i[1]", -C1 * (2 * cos(2 * t) - rate), t


def opamp_resistors():
    G1, G2, G3, G4, C = 1.0, 0.5, 1.0, 1.0, 1.0
    return "v[1]", exp(G1 * G2 * G3 / (C * (G1 * G4 - G2 * G3))), 1


def unicursal_circuit():
    def tau1(tau2):
        return pi - asin((2 * sin(tau2)) ** (1 / 3))

    def f(t, y):
        return [(cos(tau1(y[0])) ** 3 - cos(y[1]) + 1) / sin(y[0]), 2 * sin(y[0]) / (1 - cos(y[1]))]
    y = integrate(f, 0, [0.3, 0.5], 0.3)
    return [("tau2", y[0], 0.3), ("tau1", tau1(y[0]), 0.3)]


def hazony_section():
    """G v2 = u + g w and C w' = u - g v2, w the voltage of the capacitor."""
    C, g, G, u, t = 2.0, 1.0, 0.5, 1.0, 2.0
    rest = u * (G - g) / (g * g)
    w = rest * (1 - exp(-g * g / (G * C) * t))
    return "v2", (u + g * w) / G, t


def nonsmooth_input():
    return "x1", 1.5, 2.5


def steering_wheel():
    def f(t, y):  # (1.9a, d) of the text
        y1, y2, z = y
        f1, f2 = 0.7 * y2 + sin(2.5 * z), 1.4 * y1 + cos(2.5 * z)
        turn = 2.5 * (y1 * cos(2.5 * z) - y2 * sin(2.5 * z))
        return [f1, f2, -(f1 * f1 + f2 * f2 + 0.7 * y1 * f2 + 1.4 * y2 * f1) / turn]
    return "z", integrate(f, 0, [1.0, 0.0, 0.0], 0.3)[2], 0.3


def ignition_lagrangian():
    N, cp, conductivity = 30, 3.5, 0.2
    dpsi = 0.5 / N

    def pressure(T):
        return 2 * dpsi * sum(T[1:])

    def f(t, inner):
        T = [inner[0], *inner, 1.0]
        p = pressure(T)
        rho, r2 = [p / x for x in T], [0.0]
        for j in range(1, N + 1):
            r2.append(r2[-1] + 2 * dpsi / rho[j])
        flux = [conductivity * (rho[j + 1] + rho[j]) / 2 * (r2[j + 1] + r2[j]) / 2 * (T[j + 1] - T[j]) / dpsi
                for j in range(N)]
        heat = [(flux[j] - flux[j - 1]) / (cp * dpsi) for j in range(1, N)]
        # T' = heat + T p'/(p cp), p' = 2 dpsi sum of T' over all but the axis and the wall
        share = 2 * dpsi * sum(T[1:N]) / (p * cp)
        slope = 2 * dpsi * sum(heat) / (1 - share)
        return [h + x * slope / (p * cp) for h, x in zip(heat, T[1:N])]
    y = integrate(f, 0, [1 + 2 * exp(-40 * (j / N) ** 2) for j in range(1, N)], 0.2, tol=1e-10)
    return [("p[1]", pressure([y[0], *y, 1.0]), 0.2), ("T[2]", y[0], 0.2)]


def flame_moving_mesh():
    n, d, penalty, push = 40, 30.0, 1e-3, 1e-6
    D = 5 * exp(d) / d

    def f(t, y):
        T, x = [*y[:n], 1.0], [0.0, *y[n:], 1.0]
        dx = [x[j + 1] - x[j] for j in range(n)]
        low, mid, high, right = [], [], [], []
        slopes, rates = [], []
        for j in range(1, n):
            s = (T[j + 1] - T[j - 1]) / (x[j + 1] - x[j - 1])
            bent = 2 * ((T[j + 1] - T[j]) / dx[j] - (T[j] - T[j - 1]) / dx[j - 1]) / (x[j + 1] - x[j - 1])
            rate = bent + D * (2 - T[j]) * exp(-d / T[j])
            slopes.append(s)
            rates.append(rate)
            low.append(-penalty / dx[j - 1] ** 2)
            high.append(-penalty / dx[j] ** 2)
            mid.append(1 + s * s - low[-1] - high[-1])
            right.append(-s * rate + push * (1 / dx[j - 1] ** 2 - 1 / dx[j] ** 2))
        for j in range(1, n - 1):
            factor = low[j] / mid[j - 1]
            mid[j] -= factor * high[j - 1]
            right[j] -= factor * right[j - 1]
        v = [0.0] * (n - 1)
        for j in range(n - 2, -1, -1):
            v[j] = (right[j] - (high[j] * v[j + 1] if j < n - 2 else 0.0)) / mid[j]
        first = 2 * (T[1] - T[0]) / dx[0] ** 2 + D * (2 - T[0]) * exp(-d / T[0])
        return [first, *(r + s * w for r, s, w in zip(rates, slopes, v)), *v]
    y = integrate(f, 0, [1.0] * n + [j / n for j in range(1, n)], 0.2, tol=1e-9)
    return "T[1]", y[0], 0.2


def gas_network():
    c, k = (0.4, 0.6, 0.5, 0.5), (8.0, 6.0, 4.0, 4.0, 3.0)
    ends = ((0, 1), (0, 2), (1, 2), (1, 3), (2, 3))

    def f(demand):
        def slopes(t, p):
            q = [a * (p[i] ** 2 - p[j] ** 2) / sqrt(abs(p[i] ** 2 - p[j] ** 2) + 100) / 10
                 for a, (i, j) in zip(k, ends)]
            compressor = (50 - p[0] / 1.2) / 0.1
            into = (compressor - q[0] - q[1], q[0] - q[2] - q[3] - demand[0],
                    q[1] + q[2] - q[4] - demand[1], q[3] + q[4] - demand[2])
            return [a / b for a, b in zip(into, c)]
        return slopes
    y, t = [50.0, 50.0, 48.0, 47.0], 0.0
    for end, demand in ((6, (2, 1, 3)), (7, (12, 1, 3)), (12, (12, 8, 3)), (17, (12, 8, 5)),
                        (18, (12, 3, 5)), (20, (4, 3, 5))):
        y, t = integrate(f(demand), t, y, end, tol=1e-11), end
    return "p[4]", y[3], 20


def pipe_entry_flow():
    N, mu, beta = 20, 1.0, 1e-3
    dpsi = 0.5 / N

    def f(x, y):
        u, p = y[:N], y[N]
        rho = 1 + beta * p
        r2 = [0.0]
        for v in u:
            r2.append(r2[-1] + 2 * dpsi / (rho * v))
        r = [sqrt(a) for a in r2]
        m = [(a + b) / 2 for a, b in zip(r, r[1:])]
        stress = [0.0] + [mu * r[j] * (u[j] - u[j - 1]) / (m[j] - m[j - 1]) for j in range(1, N)]
        stress.append(-mu * r[N] * u[N - 1] / (r[N] - m[N - 1]))
        force = [(stress[j + 1] - stress[j]) / dpsi for j in range(N)]
        # u' = force - p'/(rho u), and the sum of 1/(rho u) stays
        s2 = sum(a / (v * v) for a, v in zip(force, u))
        s3 = sum(1 / v ** 3 for v in u) / rho
        s1 = sum(1 / v for v in u) * beta / rho
        slope = s2 / (s3 - s1)
        return [a - slope / (rho * v) for a, v in zip(force, u)] + [slope]
    y = integrate(f, 0, [1.0] * N + [0.0], 0.05, tol=1e-11)
    return [("u[1]", y[0], 0.05), ("p", y[N], 0.05)]


MODELS = [rc_circuit, rlc_circuit, opamp_lowpass, rectifier_diode, rectifier_ideal, thermostat,
          bouncing_ball, cstr, combustion_ignition, heat_rod, brusselator, moving_mesh,
          lotka_volterra, sir_epidemic, lorenz, duffing, double_tank, dc_motor, sampled_controller,
          battery_rc, enzyme_kinetics, kepler, kepler_perturbed, three_body, buck_converter, pendulum_angle,
          pendulum,
          double_pendulum, pendulum_over_top, slider_crank, four_bar, shuttle_index2, shuttle_index3,
          differentiator_index2, differentiator_index3, differentiator_index4,
          differentiator_index5, reactor_prescribed, lq_control_index3, lq_control_index5,
          cavity_flow,
          robot_contact, robot_flexible_joints, lq_control_index1, rlc_network,
          rlc_network_loop, opamp_resistors, unicursal_circuit, hazony_section,
          nonsmooth_input, steering_wheel, ignition_lagrangian, flame_moving_mesh,
          gas_network, pipe_entry_flow]

if __name__ == "__main__":
    for model in MODELS:
        if sys.argv[1:] and model.__name__ not in sys.argv[1:]:
            continue
        found = model()
        for name, value, t in [found] if isinstance(found[0], str) else found:
            print(f"{model.__name__:22} {name} = {value:.13g} at t = {t:.12g}", flush=True)
