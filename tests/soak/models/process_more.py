"""process_more.py - valves, pumps, reactors with switched cooling, precipitation."""
import math

from reference import Behaviour


def check_valve(p):
    """Two tanks with a valve that lets flow pass in one direction."""
    A1, A2, k, q = p.number("Aa", 0.5, 2.0), p.number("Ab", 0.5, 2.0), p.number("k", 0.3, 1.5), p.signal("q", 2.0)
    out_ = p.number("kout", 0.2, 0.8)
    h1, h2, f = p.state("ha", 1), p.state("hb", 1.5), p.real("f")
    form = p.c.index("form", 3)
    if form == 0:
        s = p.real("s")
        p.eq(f, f"if {s} > 0 then {k}*{s} else 0", mix=False)
        p.eq(s, f"{h1} - {h2}")
    elif form == 1:
        p.eq(f, f"{k}*max({h1} - {h2}, 0)")
    else:
        p.eq(f, f"semiLinear({h1} - {h2}, {k}, 0)")
    p.eq(f"{A1}*der({h1})", f"{q} - {f} - 0.3*{h1}")
    p.eq(f"{A2}*der({h2})", f"{f} - {out_}*{h2}")
    flow = lambda x, m: k.v * (x[0] - x[1]) if m else 0.0
    p.behaviour = Behaviour(
        x0=lambda u: [1.0, 1.5], mode=lambda u: False, jump=lambda n, t, x, m, u: (x, not m),
        slope=lambda t, x, m, u: [(q(t, u) - flow(x, m) - 0.3 * x[0]) / A1.v, (flow(x, m) - out_.v * x[1]) / A2.v],
        guards=lambda t, x, m, u: {"valve": (x[1] - x[0]) * (-1 if m else 1)},
        out=lambda t, x, m, u: {h1: x[0], h2: x[1], f: flow(x, m)})
    p.export(h2, 1.0)


def pump(p):
    """A pump empties a sump between two levels; its runs are counted and its time is summed up."""
    A, q, Q = p.number("A", 0.5, 2.0), p.number("q", 0.3, 0.8), p.number("Q", 1.2, 3.0)
    low, high = p.number("low", 0.3, 0.6), p.number("high", 1.0, 1.6)
    h, hours = p.state("h", 0.8), p.state("hours", 0)
    on, n = p.discrete("on", "Boolean", "false"), p.discrete("n", "Integer", 0)
    form = p.c.index("form", 2)
    if form == 0:
        p.block(f"{on} = {h} > {high} or pre({on}) and {h} > {low};")
        p.block(f"when {on} then\n  {n} = pre({n}) + 1;\nend when;")
    else:
        p.block(f"when {h} > {high} then\n  {on} = true;\n  {n} = pre({n}) + 1;\nelsewhen {h} < {low} then\n  {on} = false;\n  {n} = pre({n});\nend when;")
    p.eq(f"{A}*der({h})", f"{q} - (if {on} then {Q} else 0)")
    p.eq(f"der({hours})", f"if {on} then 1 else 0", mix=False)
    p.behaviour = Behaviour(
        x0=lambda u: [0.8, 0.0], mode=lambda u: (False, 0), jump=lambda k, t, x, m, u: (x, (not m[0], m[1] + (not m[0]))),
        slope=lambda t, x, m, u: [(q.v - (Q.v if m[0] else 0.0)) / A.v, float(m[0])],
        guards=lambda t, x, m, u: {"switch": x[0] - low.v if m[0] else high.v - x[0]},
        out=lambda t, x, m, u: {h: x[0], hours: x[1], on: float(m[0]), n: float(m[1])})
    p.export(h, 1.0)


def overflow(p):
    """A basin that spills over its edge; the spilt volume is integrated."""
    A, K, edge = p.number("A", 0.5, 2.0), p.number("K", 3.0, 20.0), p.number("edge", 0.8, 1.5)
    q = p.signal("q", 2.0)
    k = p.number("k", 0.2, 0.6)
    h, V, f = p.state("h", 0.5), p.state("V", 0), p.real("f")
    p.eq(f, p.pick("form", [f"if {h} > {edge} then {K}*({h} - {edge})^1.5 else 0", f"noEvent(if {h} > {edge} then {K}*({h} - {edge})^1.5 else 0)",
                            f"{K}*max({h} - {edge}, 0)^1.5"]))
    p.eq(f"{A}*der({h})", f"{q} - {f} - {k}*{h}")
    p.eq(f"der({V})", f)
    flow = lambda x, m: K.v * max(x[0] - edge.v, 0.0) ** 1.5 if m else 0.0
    p.behaviour = Behaviour(
        x0=lambda u: [0.5, 0.0], mode=lambda u: False, jump=lambda n, t, x, m, u: (x, not m),
        slope=lambda t, x, m, u: [(q(t, u) - flow(x, m) - k.v * x[0]) / A.v, flow(x, m)],
        guards=lambda t, x, m, u: {"edge": (edge.v - x[0]) * (-1 if m else 1)},
        out=lambda t, x, m, u: {h: x[0], V: x[1], f: flow(x, m)})
    p.export(h, 1.0)


def reactor(p):
    """An exothermic reactor with cooling that is switched by two temperatures."""
    k0, E, H = p.number("kz", 0.5, 2.0), p.number("E", 1.0, 3.0), p.number("H", 0.5, 1.5)
    cool, low, high = p.number("cool", 1.0, 3.0), p.number("low", 1.0, 1.15), p.number("high", 1.25, 1.5)
    feed = p.number("feed", 0.4, 1.2)
    c, T, r = p.state("c", 1), p.state("T", 1), p.real("r")
    on = p.discrete("cooling", "Boolean", "false")
    p.eq(r, f"{k0}*{c}*exp(-{E}/{T})")
    p.eq(f"der({c})", f"{feed}*(1 - {c}) - {r}")
    p.eq(f"der({T})", f"{feed}*(1 - {T}) + {H}*{r}*4 - (if {on} then {cool}*({T} - 0.8) else 0)")
    p.block(f"when {T} > {high} then\n  {on} = true;\nelsewhen {T} < {low} then\n  {on} = false;\nend when;")
    rate = lambda x: k0.v * x[0] * math.exp(-E.v / x[1])
    p.behaviour = Behaviour(
        x0=lambda u: [1.0, 1.0], mode=lambda u: False, jump=lambda n, t, x, m, u: (x, not m),
        slope=lambda t, x, m, u: [feed.v * (1 - x[0]) - rate(x), feed.v * (1 - x[1]) + 4 * H.v * rate(x) - (cool.v * (x[1] - 0.8) if m else 0.0)],
        guards=lambda t, x, m, u: {"switch": x[1] - low.v if m else high.v - x[1]},
        out=lambda t, x, m, u: {c: x[0], T: x[1], r: rate(x), on: float(m)})
    p.export(T, 1.0)


def precipitation(p):
    """A salt precipitates where its concentration would exceed the solubility: total = dissolved + solid."""
    sol, k = p.number("sol", 0.6, 1.2), p.number("k", 0.2, 0.8)
    f = p.signal("f", 1.5)
    total, c, solid = p.state("total", 0.5), p.real("c"), p.real("solid")
    p.eq(total, f"{c} + {solid}")
    if p.chance("min"):
        p.eq(c, f"min({total}, {sol})", mix=False)
    else:
        s = p.real("s")
        p.eq(solid, f"if {s} > 0 then {s} else 0", mix=False)
        p.eq(f"{sol} - {c}", f"if {s} > 0 then 0 else -{s}", mix=False)
    p.eq(f"der({total})", f"{f} - {k}*{c}")
    parts = lambda x, m: (sol.v, x[0] - sol.v) if m else (x[0], 0.0)
    p.behaviour = Behaviour(
        x0=lambda u: [0.5], mode=lambda u: False, jump=lambda n, t, x, m, u: (x, not m),
        slope=lambda t, x, m, u: [f(t, u) - k.v * parts(x, m)[0]], guards=lambda t, x, m, u: {"solid": (sol.v - x[0]) * (-1 if m else 1)},
        out=lambda t, x, m, u: {total: x[0], c: parts(x, m)[0], solid: parts(x, m)[1]})
    p.export(c, 0.8)


def network(p):
    """Pipes that meet in nodes: pressures and flows from algebraic equations with quadratic losses."""
    R1, R2, R3 = p.number("Ra", 0.5, 3.0), p.number("Rb", 0.5, 3.0), p.number("Rc", 0.5, 3.0)
    dp = p.wave("dp", 1.0, offset=False)
    base = p.number("base", 2.0, 5.0)
    q1, q2, q3, pn, vol = p.real("qa", start=1), p.real("qb", start=1), p.real("qc", start=1), p.real("pn"), p.state("vol", 0)
    total = f"({base} + {dp})"
    p.eq(q1, f"{q2} + {q3}")
    p.eq(f"{total} - {pn}", f"{R1}*{q1}*abs({q1})" if p.chance("abs") else f"{R1}*{q1}^2")
    p.eq(pn, f"{R2}*{q2}^2")
    p.eq(pn, f"{R3}*{q3}^2")
    p.eq(f"der({vol})", f"{q1} - 0.5*{vol}")
    def flows(t):
        g = 1 / math.sqrt(R2.v) + 1 / math.sqrt(R3.v)  # q1 = g sqrt(pn)
        P = base.v + dp(t)
        pressure = P / (1 + R1.v * g * g)
        return g * math.sqrt(pressure), math.sqrt(pressure / R2.v), math.sqrt(pressure / R3.v), pressure
    def out(t, x, m, u):
        a, b, c, n = flows(t)
        return {q1: a, q2: b, q3: c, pn: n, vol: x[0]}
    p.behaviour = Behaviour(x0=lambda u: [0.0], slope=lambda t, x, m, u: [flows(t)[0] - 0.5 * x[0]], out=out)
    p.export(vol, 1.0)


KINDS = [check_valve, pump, overflow, reactor, precipitation, network]
