"""chemical.py - kinetics, equilibria, dosing, flashes."""
import math

from reference import Behaviour


def chain(p):
    """A -> B -> C, with an optional reverse step, as a record or plain variables."""
    k1, k2, a0 = p.number("ka", 0.3, 3.0), p.number("kb", 0.3, 3.0), p.number("A0", 0.5, 2.0)
    kr = p.number("kr", 0.1, 1.0) if p.chance("reverse") else None
    back = (lambda: kr.v) if kr else (lambda: 0.0)
    A, B, C = p.state("cA", a0), p.state("cB", 0), p.real("cC")
    r1, r2 = p.real("ra"), p.real("rb")
    p.eq(r1, f"{k1}*{A}" + (f" - {kr}*{B}" if kr else ""))
    p.eq(r2, f"{k2}*{B}")
    p.eq(f"der({A})", f"-{r1}")
    p.eq(f"der({B})", f"{r1} - {r2}")
    if p.chance("balance"):
        p.eq(f"{A} + {B} + {C}", a0)
    else:
        p.model.variables[C][2] += ["start = 0", "fixed = true"]
        p.eq(f"der({C})", r2)
    rate = lambda x: (k1.v * x[0] - back() * x[1], k2.v * x[1])
    p.behaviour = Behaviour(
        x0=lambda u: [a0.v, 0.0], slope=lambda t, x, m, u: [-rate(x)[0], rate(x)[0] - rate(x)[1]],
        out=lambda t, x, m, u: {A: x[0], B: x[1], C: a0.v - x[0] - x[1], r1: rate(x)[0], r2: rate(x)[1]})
    p.export(B, 0.5)


def equilibrium(p):
    """A fast reversible reaction in equilibrium: b = K a, its rate follows (index 2)."""
    K, k, a0 = p.number("K", 0.3, 3.0), p.number("k", 0.3, 1.5), p.number("A0", 0.5, 2.0)
    feed = p.signal("feed", 1.0)
    square = p.chance("square", 0.4)
    a, b, r = p.state("a", a0), p.real("b"), p.real("r")
    p.eq(f"der({a})", f"{feed} - {r}")
    p.eq(f"der({b})", f"{r} - {k}*{b}")
    p.eq(b, f"{K}*{a}^2" if square else f"{K}*{a}", mix=False)
    f = lambda x: K.v * x * x if square else K.v * x
    d = lambda x: 2 * K.v * x if square else K.v
    rate = lambda t, x, u: (feed(t, u) - k.v * f(x[0])) / (1 + d(x[0]))
    p.behaviour = Behaviour(x0=lambda u: [a0.v], slope=lambda t, x, m, u: [rate(t, x, u)],
                            out=lambda t, x, m, u: {a: x[0], b: f(x[0]), r: feed(t, u) - rate(t, x, u)})
    p.export(b, 1.0)


def dosing(p):
    """A reactor gets a dose (reinit) at ticks, or whenever its concentration falls too low."""
    k, dose, c0 = p.number("k", 0.3, 1.5), p.number("dose", 0.3, 1.0), p.number("c0", 0.8, 2.0)
    c, n = p.state("c", c0), p.discrete("n", "Integer", 0)
    p.eq(f"der({c})", f"-{k}*{c}")
    ticks = p.chance("ticks")
    if ticks:
        T = p.number("T", 0.4, 1.2)
        condition = f"sample({T}, {T})"
    else:
        low = p.number("low", 0.2, 0.5)
        condition = f"{c} < {low}"
    p.block(f"when {condition} then\n  reinit({c}, pre({c}) + {dose});\n  {n} = pre({n}) + 1;\nend when;")
    p.behaviour = Behaviour(
        x0=lambda u: [c0.v], mode=lambda u: 0, slope=lambda t, x, m, u: [-k.v * x[0]],
        guards=lambda t, x, m, u: {"dose": (m + 1) * T.v - t if ticks else x[0] - low.v},
        jump=lambda name, t, x, m, u: ([x[0] + dose.v], m + 1), out=lambda t, x, m, u: {c: x[0], n: float(m)})
    p.export(c, 1.0)


def enzyme(p):
    """Michaelis-Menten kinetics with an inflow; or a logistic growth, in closed form."""
    if p.chance("logistic", 0.4):
        r, K, x0 = p.number("r", 0.5, 2.0), p.number("cap", 1.0, 5.0), p.number("x0", 0.1, 0.6)
        x = p.state("pop", x0)
        p.eq(f"der({x})", f"{r}*{x}*(1 - {x}/{K})")
        p.behaviour = Behaviour(out=lambda t, s, m, u: {x: K.v / (1 + (K.v / x0.v - 1) * math.exp(-r.v * t))})
        p.export(x, 2.0)
        return
    V, Km, s0 = p.number("V", 0.5, 2.0), p.number("Km", 0.2, 1.0), p.number("s0", 0.5, 2.0)
    f = p.number("f", 0.1, 0.4)
    s, v = p.state("s", s0), p.real("rate")
    if p.chance("implicit"):
        p.eq(f"{v}*({Km} + {s})", f"{V}*{s}")
    else:
        p.eq(v, f"{V}*{s}/({Km} + {s})")
    p.eq(f"der({s})", f"{f} - {v}")
    rate = lambda x: V.v * x[0] / (Km.v + x[0])
    p.behaviour = Behaviour(x0=lambda u: [s0.v], slope=lambda t, x, m, u: [f.v - rate(x)], out=lambda t, x, m, u: {s: x[0], v: rate(x)})
    p.export(s, 1.0)


def acid(p):
    """An implicit balance: h^2 + K h = K c, or a cubic, driven by a dilution."""
    K, c0, d = p.number("K", 0.05, 1.0), p.number("c0", 0.5, 2.0), p.number("d", 0.1, 0.8)
    c, h = p.state("c", c0), p.real("hp", start=p.pick("start", ["1", "0.1", "0.5"]), min="0")
    p.eq(f"der({c})", f"-{d}*{c}")
    cubic = p.chance("cubic", 0.4)
    p.eq(f"{h}^3 + {K}*{h}" if cubic else f"{h}^2/({c} - {h})", f"{K}*{c}" if cubic else K, mix=False)

    def root(v):
        low, high = 0.0, v if not cubic else v + 1
        f = (lambda y: y ** 3 + K.v * y - K.v * v) if cubic else (lambda y: y * y + K.v * y - K.v * v)
        for _ in range(120):
            mid = (low + high) / 2
            low, high = (low, mid) if f(mid) > 0 else (mid, high)
        return low
    p.behaviour = Behaviour(out=lambda t, s, m, u: {c: c0.v * math.exp(-d.v * t), h: root(c0.v * math.exp(-d.v * t))})
    p.export(h, 0.5)


def steady(p):
    """A stirred tank that starts in its steady state, or finds the heat that keeps it there."""
    F, V, Tin, k = p.number("F", 0.3, 1.0), p.number("V", 0.5, 2.0), p.number("Tin", 15.0, 25.0), p.number("kw", 0.1, 0.6)
    T0, t1, dT = p.number("T0", 40.0, 60.0), p.number("t1", 0.5, 2.0), p.number("dT", 3.0, 9.0)
    tin = p.real("tin")
    p.eq(tin, f"if time < {t1} then {Tin} else {Tin} - {dT}", mix=False)
    free = p.chance("free")
    if free:
        q = p.name("heat")
        p.model.declare(f"parameter Real {q}(fixed = false, start = 1);")
        T = p.state("T", T0)
        heat = lambda: -F.v * (Tin.v - T0.v) + k.v * T0.v
        begin = lambda: T0.v
    else:
        q = p.number("heat", 10.0, 40.0)
        T = p.real("T", start=T0)
        heat = lambda: q.v
        begin = lambda: (F.v * Tin.v + q.v) / (F.v + k.v)
    p.initial(f"der({T}) = 0;")
    p.eq(f"{V}*der({T})", f"{F}*({tin} - {T}) + {q} - {k}*{T}")
    inlet = lambda m: Tin.v - (dT.v if m else 0.0)
    p.behaviour = Behaviour(
        x0=lambda u: [begin()], mode=lambda u: False, slope=lambda t, x, m, u: [(F.v * (inlet(m) - x[0]) + heat() - k.v * x[0]) / V.v],
        guards=lambda t, x, m, u: {} if m else {"colder": t1.v - t}, jump=lambda n, t, x, m, u: (x, True),
        out=lambda t, x, m, u: {T: x[0], tin: inlet(m)})
    p.export(T, 40.0)


KINDS = [chain, equilibrium, dosing, enzyme, acid, steady]
