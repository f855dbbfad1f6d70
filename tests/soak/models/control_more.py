"""control_more.py - pulse width modulation, filters in arrays, logic, delays that feed back."""
import math

from reference import Behaviour, Unfit


def pwm(p):
    """A carrier by mod or by integer division is compared with a modulating wave; a filter behind it."""
    T, tau = p.number("T", 0.3, 0.7), p.number("tau", 0.3, 1.0)
    a, b, w = p.number("a", 0.4, 0.6), p.number("b", 0.1, 0.3), p.number("w", 0.5, 2.0)
    y, u = p.state("y", 0), p.discrete("u", "Boolean")
    ref, saw = p.real("ref"), p.real("saw")
    p.eq(ref, f"{a} + {b}*sin({w}*time)")
    p.eq(saw, p.pick("form", [f"mod(time, {T})/{T}", f"time/{T} - floor(time/{T})", f"rem(time, {T})/{T}"]), mix=False)
    p.eq(u, f"{ref} > {saw}", mix=False)
    p.eq(f"{tau}*der({y})", f"(if {u} then 1 else 0) - {y}")
    level = lambda t: a.v + b.v * math.sin(w.v * t)
    saw_at = lambda t, m: t / T.v - m[1]
    p.behaviour = Behaviour(
        x0=lambda v: [0.0], mode=lambda v: (True, 0), slope=lambda t, x, m, v: [((1.0 if m[0] else 0.0) - x[0]) / tau.v],
        guards=lambda t, x, m, v: {"wrap": (m[1] + 1) * T.v - t, **({"off": level(t) - saw_at(t, m)} if m[0] else {})},
        jump=lambda n, t, x, m, v: (x, (True, m[1] + 1)) if n == "wrap" else (x, (False, m[1])),
        out=lambda t, x, m, v: {y: x[0], u: float(m[0]), ref: level(t), saw: saw_at(t, m)})
    p.export(y, 0.5)


def shift_register(p):
    """Samples of a wave move through an array; their mean drives a filter."""
    n, T = p.whole("n", 2, 4), p.number("T", 0.2, 0.5)
    s = p.wave("s", 1.0)
    x, mean, y = p.name("reg"), p.discrete("mean", "Real", 0), p.state("y", 0)
    p.model.declare(f"discrete Real {x}[{n}](each start = 0, each fixed = true);")
    src = p.real("src")
    p.eq(src, s)
    form = p.c.index("form", 2)
    if form == 0:
        body = f"  {x}[1] = {src};\n  for k in 2:{n} loop\n    {x}[k] = pre({x}[k - 1]);\n  end for;\n  {mean} = sum({x})/{n};\n"
    else:
        body = f"  {x} = cat(1, {{{src}}}, pre({x}[1:{n - 1}]));\n  {mean} = sum({x})/{n};\n"
    p.block(f"when sample({T}, {T}) then\n{body}end when;")
    p.eq(f"der({y})", f"{mean} - {y}")
    values = lambda m: [s((m - k) * T.v) if m - k > 0 else 0.0 for k in range(n)]
    p.behaviour = Behaviour(
        x0=lambda u: [0.0], mode=lambda u: 0, slope=lambda t, z, m, u: [sum(values(m)) / n - z[0]],
        guards=lambda t, z, m, u: {"tick": (m + 1) * T.v - t}, jump=lambda k, t, z, m, u: (z, m + 1),
        out=lambda t, z, m, u: {**{f"{x}[{k + 1}]": v for k, v in enumerate(values(m))}, mean: sum(values(m)) / n, y: z[0], src: s(t)})
    p.export(y, 1.0)


def logic(p):
    """Three comparators, gates between them, a latch and a counter of its changes."""
    w = [p.wave(f"w{k}", 1.0, offset=False) for k in range(2)]
    c = p.number("c", 0.05, 0.3)
    x = [p.real(f"x{k}") for k in range(2)]
    for k in range(2):
        p.eq(x[k], w[k])
    A, B = p.discrete("A", "Boolean"), p.discrete("B", "Boolean")
    p.eq(A, f"{x[0]} > {c}", mix=False)
    p.eq(B, f"{x[1]} > -{c}", mix=False)
    g, n = p.discrete("g", "Boolean"), p.discrete("n", "Integer", 0)
    form = p.c.index("gate", 4)
    text = [f"{A} and {B}", f"{A} or {B}", f"{A} <> {B}", f"{A} and not {B}"][form]
    gate = [lambda a, b: a and b, lambda a, b: a or b, lambda a, b: a != b, lambda a, b: a and not b][form]
    p.eq(g, text, mix=False)
    counting = p.c.index("count", 3)
    if counting == 0:
        p.block(f"when {g} then\n  {n} = pre({n}) + 1;\nend when;")
    elif counting == 1:
        p.block(f"when edge({g}) then\n  {n} = pre({n}) + 1;\nend when;")
    else:
        p.block(f"{n} = pre({n}) + (if edge({g}) then 1 else 0);")
    z = p.state("z", 0)
    p.eq(f"der({z})", f"(if {g} then 1 else -1) - {z}")
    state = lambda t, m: gate(m[0], m[1])

    def jump(k, t, s, m, u):
        new = (not m[0], m[1]) if k == "A" else (m[0], not m[1])
        rises = gate(*new) and not gate(m[0], m[1])
        return s, (*new, m[2] + (1 if rises else 0))
    def first(u):
        a, b = w[0](0.0) > c.v, w[1](0.0) > -c.v
        if counting == 2 and gate(a, b):
            raise Unfit("the first value of pre(g) is not given")
        return (a, b, 0)
    p.behaviour = Behaviour(
        x0=lambda u: [0.0], mode=first, jump=jump,
        slope=lambda t, s, m, u: [(1.0 if state(t, m) else -1.0) - s[0]],
        guards=lambda t, s, m, u: {"A": (w[0](t) - c.v) * (1 if m[0] else -1), "B": (w[1](t) + c.v) * (1 if m[1] else -1)},
        out=lambda t, s, m, u: {x[0]: w[0](t), x[1]: w[1](t), A: float(m[0]), B: float(m[1]), g: float(state(t, m)), n: float(m[2]), z: s[0]})
    p.export(z, 1.0)


def delay_feedback(p):
    """x' = -a x(t - T) with a constant history: a sum of powers by the method of steps."""
    a, T, x0 = p.number("a", 0.3, 1.2), p.number("T", 0.4, 1.0), p.number("x0", 0.5, 2.0)
    x = p.state("x", x0)
    if p.chance("variable"):
        d = p.real("d")
        p.eq(d, f"delay({x}, {T})")
        p.eq(f"der({x})", f"-{a}*{d}")
    else:
        p.eq(f"der({x})", f"-{a}*delay({x}, {T})")

    def value(t):
        total, k = 1.0, 1
        while t - (k - 1) * T.v > 0:
            total += (-a.v) ** k * (t - (k - 1) * T.v) ** k / math.factorial(k)
            k += 1
        return x0.v * total
    p.behaviour = Behaviour(out=lambda t, s, m, u: {x: value(t)})
    p.export(x, 1.0)


def varying_delay(p):
    """A delay whose time varies; and a jump that passes a delay."""
    s = p.wave("s", 1.0)
    c, b, w, t1 = p.number("c", 0.5, 0.8), p.number("b", 0.1, 0.3), p.number("w", 0.4, 0.9), p.number("t1", 0.3, 1.2)
    x, y, u, v = p.real("x"), p.real("y"), p.real("u"), p.real("v")
    lag = p.real("lag")
    p.eq(x, s)
    p.eq(lag, f"{c} + {b}*sin({w}*time)")
    p.eq(y, f"delay({x}, {lag}, 2)")
    p.eq(u, f"if time > {t1} then 1 + {x} else 0", mix=False)
    p.eq(v, f"delay({u}, {c})")
    back = lambda t: s(max(t - c.v - b.v * math.sin(w.v * t), 0.0))
    step = lambda t, on: 1 + s(t) if on else 0.0
    p.behaviour = Behaviour(
        mode=lambda q: 0, guards=lambda t, z, m, q: {"step": [t1.v, t1.v + c.v][m] - t} if m < 2 else {}, jump=lambda n, t, z, m, q: (z, m + 1),
        out=lambda t, z, m, q: {x: s(t), lag: c.v + b.v * math.sin(w.v * t), y: back(t), u: step(t, m > 0), v: step(t - c.v, m > 1)})
    p.export(v, 1.0)


def rate_limited(p):
    """A rate limiter: der(y) = limit((u - y)/T)."""
    u_ = p.signal("u", 2.0)
    T, r = p.number("T", 0.1, 0.4), p.number("r", 0.4, 1.2)
    y, v = p.state("y", 0), p.real("v")
    p.eq(v, f"({u_} - {y})/{T}")
    p.eq(f"der({y})", p.pick("form", [f"max(-{r}, min({r}, {v}))", f"if {v} > {r} then {r} elseif {v} < -{r} then -{r} else {v}",
                                      f"smooth(0, noEvent(if {v} > {r} then {r} elseif {v} < -{r} then -{r} else {v}))"]), mix=False)
    raw = lambda t, x, w: (u_(t, w) - x[0]) / T.v
    cut = lambda t, x, m, w: raw(t, x, w) if m == 0 else m * r.v

    def guards(t, x, m, w):
        c = raw(t, x, w)
        return {"up": r.v - c, "down": r.v + c} if m == 0 else {"back": m * c - r.v}
    def first(w):
        c = u_(0.0, w) / T.v
        return 0 if abs(c) < r.v else (1 if c > 0 else -1)
    p.behaviour = Behaviour(
        x0=lambda w: [0.0], mode=first, slope=lambda t, x, m, w: [cut(t, x, m, w)], guards=guards,
        jump=lambda n, t, x, m, w: (x, {"up": 1, "down": -1, "back": 0}[n]), out=lambda t, x, m, w: {y: x[0], v: raw(t, x, w)})
    p.export(y, 1.0)


def timers(p):
    """An integrator that is reset at a threshold; its resets are counted, another is reset by a tick."""
    a, lim, T, b = p.number("a", 0.5, 2.0), p.number("lim", 0.4, 1.2), p.number("T", 0.5, 1.2), p.number("b", 0.3, 1.0)
    x, y, n = p.state("x", 0), p.state("y", 0), p.discrete("n", "Integer", 0)
    p.eq(f"der({x})", f"{a} + 0.2*sin(time)")
    p.eq(f"der({y})", f"{b}*{x}")
    p.block(f"when {x} >= {lim} then\n  reinit({x}, 0);\n  {n} = pre({n}) + 1;\nend when;")
    p.block(f"when sample({T}, {T}) then\n  reinit({y}, 0.5*pre({y}));\nend when;")
    p.behaviour = Behaviour(
        x0=lambda u: [0.0, 0.0], mode=lambda u: (0, 0), slope=lambda t, z, m, u: [a.v + 0.2 * math.sin(t), b.v * z[0]],
        guards=lambda t, z, m, u: {"full": lim.v - z[0], "tick": (m[1] + 1) * T.v - t},
        jump=lambda k, t, z, m, u: ([0.0, z[1]], (m[0] + 1, m[1])) if k == "full" else ([z[0], 0.5 * z[1]], (m[0], m[1] + 1)),
        out=lambda t, z, m, u: {x: z[0], y: z[1], n: float(m[0])})
    p.export(y, 0.5)


KINDS = [pwm, shift_register, logic, delay_feedback, varying_delay, rate_limited, timers]
