"""fluid.py - tanks, pipes, heat conduction, thermostats."""
import math

from reference import Behaviour


def tanks(p):
    """Tanks in a row, outflow by a square root, as an array."""
    n = p.whole("n", 1, 4)
    A, k = p.number("A", 0.5, 3.0), p.number("k", 0.2, 0.8)
    q = p.number("q", 0.5, 1.5)
    h0 = p.number("h0", 1.0, 4.0)
    h, f = p.name("h"), p.name("f")
    p.model.declare(f"Real {h}[{n}](each start = {h0}, each fixed = true);")
    p.model.declare(f"Real {f}[{n}];")
    if p.chance("function", 0.4):
        p.function("outflow", "function outflow\n  input Real h;\n  input Real k;\n  output Real q;\nalgorithm\n  if h > 0 then\n    q := k*sqrt(h);\n  else\n    q := 0;\n  end if;\nend outflow;")
        p.block(f"for j in 1:{n} loop\n  {f}[j] = outflow({h}[j], {k});\nend for;")
    else:
        form = p.pick("form", [f"{k}*sqrt({h}[j])", f"{k}*sqrt(max({h}[j], 0))", f"noEvent(if {h}[j] > 0 then {k}*sqrt({h}[j]) else 0)"])
        p.block(f"for j in 1:{n} loop\n  {f}[j] = {form};\nend for;")
    t1 = p.number("t1", 0.5, 3.0)
    p.block(f"{A}*der({h}[1]) = (if time < {t1} then {q} else 0.5*{q}) - {f}[1];")
    if n > 1:
        p.block(f"for j in 2:{n} loop\n  {A}*der({h}[j]) = {f}[j - 1] - {f}[j];\nend for;")
    flow = lambda x: k.v * math.sqrt(max(x, 0.0))

    def slope(t, x, m, u):
        feed = [q.v * (1.0 if m else 0.5)] + [flow(v) for v in x[:-1]]
        return [(a - flow(v)) / A.v for a, v in zip(feed, x)]
    p.behaviour = Behaviour(
        x0=lambda u: [h0.v] * n, mode=lambda u: True, slope=slope, guards=lambda t, x, m, u: {"less": t1.v - t} if m else {},
        jump=lambda name, t, x, m, u: (x, False),
        out=lambda t, x, m, u: {**{f"{h}[{j + 1}]": v for j, v in enumerate(x)}, **{f"{f}[{j + 1}]": flow(v) for j, v in enumerate(x)}})
    p.export(f"{h}[{n}]", 2.0)


def thermostat(p):
    """A heater with hysteresis keeps a room warm."""
    C, G = p.number("C", 0.5, 2.0), p.number("G", 0.3, 1.0)
    low, band, P = p.number("low", 18.0, 20.0), p.number("band", 0.5, 2.0), p.number("P", 20.0, 40.0)
    Ta = p.signal("Ta", 6.0)
    T = p.state("T", 15)
    on = p.discrete("on", "Boolean", "true")
    form = p.c.index("form", 3)
    if form == 0:
        p.block(f"when {T} > {low} + {band} then\n  {on} = false;\nelsewhen {T} < {low} then\n  {on} = true;\nend when;")
    elif form == 1:
        p.eq(on, f"{T} < {low} or pre({on}) and {T} < {low} + {band}", mix=False)
    else:
        p.eq(on, f"if pre({on}) then {T} < {low} + {band} else {T} < {low}", mix=False)
    Q = p.real("Q")
    p.eq(Q, f"if {on} then {P} else 0", mix=False)
    p.eq(f"{C}*der({T})", f"{Q} - {G}*({T} - {Ta})")
    heat = lambda m: P.v if m else 0.0
    p.behaviour = Behaviour(
        x0=lambda u: [15.0], mode=lambda u: True, slope=lambda t, x, m, u: [(heat(m) - G.v * (x[0] - Ta(t, u))) / C.v],
        guards=lambda t, x, m, u: {"switch": low.v + band.v - x[0] if m else x[0] - low.v},
        jump=lambda n, t, x, m, u: (x, not m), out=lambda t, x, m, u: {T: x[0], on: float(m), Q: heat(m)})
    p.export(T, 20.0)


def rod(p):
    """Heat conduction in slices between two given temperatures, as an array."""
    n = p.whole("n", 2, 6)
    c = p.number("cond", 0.5, 4.0)
    left, right = p.signal("Tl", 20.0), p.number("Tr", 5.0, 20.0)
    T = p.name("T")
    start = p.pick("start", ["each", "comprehension"])
    p.model.declare(f"Real {T}[{n}](each start = 10, each fixed = true);" if start == "each" else
                    f"Real {T}[{n}](start = {{10.0 for k in 1:{n}}}, each fixed = true);")
    p.block(f"der({T}[1]) = {c}*({left} - 2*{T}[1] + {T}[2]);")
    if n > 2 and p.chance("slices"):
        p.block(f"der({T}[2:{n - 1}]) = {c}*({T}[1:{n - 2}] - 2*{T}[2:{n - 1}] + {T}[3:{n}]);")
    elif n > 2:
        p.block(f"for k in 2:{n - 1} loop\n  der({T}[k]) = {c}*({T}[k - 1] - 2*{T}[k] + {T}[k + 1]);\nend for;")
    p.block(f"der({T}[{n}]) = {c}*({T}[{n - 1}] - 2*{T}[{n}] + {right});")
    mean = p.real("mean")
    p.eq(mean, f"sum({T})/{n}")

    def slope(t, x, m, u):
        e = [left(t, u)] + x + [right.v]
        return [c.v * (e[k] - 2 * e[k + 1] + e[k + 2]) for k in range(n)]
    p.behaviour = Behaviour(x0=lambda u: [10.0] * n, slope=slope,
                            out=lambda t, x, m, u: {**{f"{T}[{k + 1}]": v for k, v in enumerate(x)}, mean: sum(x) / n})
    p.export(mean, 10.0)


def pipe(p):
    """Flow in a pipe with inertia and quadratic friction, which may turn round."""
    I, R = p.number("I", 0.3, 2.0), p.number("R", 0.3, 2.0)
    dp = p.signal("dp", 4.0)
    q, loss = p.state("q", 0), p.real("loss")
    p.eq(loss, p.pick("form", [f"{R}*abs({q})*{q}", f"{R}*{q}^2*sign({q})", f"if {q} > 0 then {R}*{q}^2 else -{R}*{q}^2",
                               f"smooth(1, noEvent(if {q} > 0 then {R}*{q}^2 else -{R}*{q}^2))"]))
    p.eq(f"{I}*der({q})", f"{dp} - {loss}")
    drop = lambda v: R.v * abs(v) * v
    p.behaviour = Behaviour(
        x0=lambda u: [0.0], mode=lambda u: dp(0.0, u) > 0, slope=lambda t, x, m, u: [(dp(t, u) - R.v * x[0] ** 2 * (1 if m else -1)) / I.v],
        guards=lambda t, x, m, u: {"turn": x[0] * (1 if m else -1) + 1e-10}, jump=lambda n, t, x, m, u: (x, not m),
        out=lambda t, x, m, u: {q: x[0], loss: drop(x[0])})
    p.export(q, 1.5)


def levels(p):
    """Two tanks joined without resistance have one level: index 2; the flow follows."""
    A1, A2, k = p.number("Aa", 0.5, 3.0), p.number("Ab", 0.5, 3.0), p.number("k", 0.2, 1.0)
    q = p.signal("q", 1.0)
    a, b, f = p.state("ha", 2), p.real("hb"), p.real("fl")
    p.eq(f"{A1}*der({a})", f"{q} - {f}")
    p.eq(f"{A2}*der({b})", f"{f} - {k}*{b}")
    p.eq(a, b)
    rate = lambda t, x, u: (q(t, u) - k.v * x[0]) / (A1.v + A2.v)
    p.behaviour = Behaviour(x0=lambda u: [2.0], slope=lambda t, x, m, u: [rate(t, x, u)],
                            out=lambda t, x, m, u: {a: x[0], b: x[0], f: q(t, u) - A1.v * rate(t, x, u)})
    p.export(f, 1.0)


def emptying(p):
    """A tank runs empty by Torricelli's law, and is empty from then on."""
    A, k, h0 = p.number("A", 0.5, 2.0), p.number("k", 0.5, 1.5), p.number("h0", 0.5, 2.0)
    h, out_ = p.state("h", h0), p.real("qo")
    p.eq(f"{A}*der({h})", f"-{out_}")
    p.eq(out_, p.pick("form", [f"{k}*sqrt(max({h}, 0))", f"{k}*sqrt(noEvent(if {h} > 0 then {h} else 0))",
                               f"noEvent(if {h} > 0 then {k}*sqrt({h}) else 0)"]))
    root = lambda t: max(math.sqrt(h0.v) - k.v / (2 * A.v) * t, 0.0)
    p.behaviour = Behaviour(out=lambda t, x, m, u: {h: root(t) ** 2})
    p.export(h, 1.0)


def relief(p):
    """A vessel with a relief valve: complementarity of opening and pressure margin."""
    C, K, lim = p.number("C", 0.5, 2.0), p.number("K", 2.0, 9.0), p.number("lim", 1.0, 2.0)
    q = p.signal("q", 3.0)
    leak = p.number("leak", 0.2, 0.8)
    P, f = p.state("P", 0.5), p.real("fr")
    form = p.c.index("form", 3)
    if form == 0:
        p.eq(f, f"max(0, {K}*({P} - {lim}))")
    elif form == 1:
        p.eq(f, f"if {P} > {lim} then {K}*({P} - {lim}) else 0")
    else:
        s = p.real("s")
        p.eq(f, f"if {s} > 0 then {s} else 0", mix=False)
        p.eq(f"{K}*({P} - {lim})", f"{s}")
    p.eq(f"{C}*der({P})", f"{q} - {f} - {leak}*{P}")
    flow = lambda x, m: K.v * (x[0] - lim.v) if m else 0.0
    p.behaviour = Behaviour(
        x0=lambda u: [0.5], mode=lambda u: False, slope=lambda t, x, m, u: [(q(t, u) - flow(x, m) - leak.v * x[0]) / C.v],
        guards=lambda t, x, m, u: {"open": (lim.v - x[0]) * (-1 if m else 1)}, jump=lambda n, t, x, m, u: (x, not m),
        out=lambda t, x, m, u: {P: x[0], f: flow(x, m)})
    p.export(P, 1.5)


KINDS = [tanks, thermostat, rod, pipe, levels, emptying, relief]
