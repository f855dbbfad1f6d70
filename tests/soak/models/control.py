"""control.py - sampled and continuous controllers, logic, delays, quantisers."""
import math

from reference import Behaviour


def sampled(p):
    """A sampled PI controller and a continuous plant."""
    T, kp, ki, a = p.number("Ts", 0.1, 0.4), p.number("kp", 0.3, 1.5), p.number("ki", 0.1, 0.8), p.number("a", 0.4, 1.5)
    ref = p.number("ref", 0.5, 2.0)
    x, u, i = p.state("x", 0), p.discrete("u", "Real", 0), p.discrete("ii", "Real", 0)
    e = p.discrete("e", "Real", 0)
    p.eq(f"der({x})", f"{u} - {a}*{x}")
    first = p.pick("first", ["0", f"{T}/2"])
    body = [f"{e} = {ref} - {x};", f"{i} = pre({i}) + {ki}*{e}*{T};", f"{u} = {kp}*{e} + {i};"]
    if p.chance("algorithm", 0.3):
        p.model.algorithms.append(f"when sample({first}, {T}) then\n" + "".join("  " + b.replace(" = ", " := ", 1).replace(f"pre({i})", i) + "\n" for b in body) + "end when;")
    else:
        p.block(f"when sample({first}, {T}) then\n  " + "\n  ".join(body) + "\nend when;")
    offset = 0.0 if first == "0" else 0.5

    def jump(n, t, s, m, w):
        error = ref.v - s[0]
        integral = m[2] + ki.v * error * T.v
        return s, (m[0] + 1, kp.v * error + integral, integral, error)
    p.behaviour = Behaviour(
        x0=lambda w: [0.0], mode=lambda w: (0, 0.0, 0.0, 0.0), slope=lambda t, s, m, w: [m[1] - a.v * s[0]],
        guards=lambda t, s, m, w: {"tick": (offset + m[0]) * T.v - t - 1e-9 * (m[0] == 0 and offset == 0)},
        jump=jump, out=lambda t, s, m, w: {x: s[0], u: m[1], i: m[2], e: m[3]})
    p.export(x, 1.0)


def counters(p):
    """Counting crossings of a wave with pre, edge and change; a flip-flop beside."""
    s = p.wave("s", 1.0, offset=False)
    level = p.number("level", 0.05, 0.25)
    x, n, b, q = p.real("x"), p.discrete("n", "Integer", 0), p.discrete("b", "Boolean"), p.discrete("q", "Boolean", "false")
    p.eq(x, s)
    p.eq(b, f"{x} > {level}", mix=False)
    form = p.c.index("form", 3)
    condition = [b, f"edge({b})", f"change({b})"][form]
    p.block(f"when {condition} then\n  {n} = pre({n}) + 1;\n  {q} = not pre({q});\nend when;")
    both = form == 2

    def jump(name, t, y, m, w):
        count = m[1] + (1 if both or not m[0] else 0)
        return y, (not m[0], count)
    p.behaviour = Behaviour(
        mode=lambda w: (s(0.0) > level.v, 0), guards=lambda t, y, m, w: {"cross": (level.v - s(t)) * (-1 if m[0] else 1)}, jump=jump,
        out=lambda t, y, m, w: {x: s(t), b: float(m[0]), n: float(m[1]), q: float(m[1] % 2)})
    p.export(n, 4.0)


def saturated(p):
    """A PI loop with a limiter: max and min, an if-expression, or a function."""
    K, Ti, lim, T = p.number("K", 0.5, 3.0), p.number("Ti", 0.5, 3.0), p.number("lim", 0.5, 1.2), p.number("T", 0.5, 2.0)
    r = p.signal("r", 2.0)
    y, i, e, u, v = p.state("y", 0), p.state("ii", 0), p.real("e"), p.real("u"), p.real("v")
    p.eq(e, f"{r} - {y}")
    p.eq(f"der({i})", f"{e}/{Ti} + ({v} - {u})")
    p.eq(u, f"{K}*{e} + {i}")
    form = p.c.index("form", 4)
    if form == 3:
        p.function("limiter", "function limiter\n  input Real u;\n  input Real top = 1;\n  output Real y;\nalgorithm\n  y := u;\n  if u > top then\n    y := top;\n  elseif u < -top then\n    y := -top;\n  end if;\nend limiter;")
    p.eq(v, [f"if {u} > {lim} then {lim} else if {u} < -{lim} then -{lim} else {u}", f"max(-{lim}, min({lim}, {u}))",
             f"smooth(0, if {u} > {lim} then {lim} else if {u} < -{lim} then -{lim} else {u})", f"limiter({u}, top = {lim})"][form])
    p.eq(f"{T}*der({y})", f"{v} - {y}")
    raw = lambda t, x, w: K.v * (r(t, w) - x[0]) + x[1]
    cut = lambda t, x, m, w: raw(t, x, w) if m == 0 else m * lim.v

    def guards(t, x, m, w):
        c = raw(t, x, w)
        return {"up": lim.v - c, "down": lim.v + c} if m == 0 else {"back": m * c - lim.v}
    p.behaviour = Behaviour(
        x0=lambda w: [0.0, 0.0], mode=lambda w: 0 if abs(K.v * r(0.0, w)) < lim.v else (1 if r(0.0, w) > 0 else -1),
        slope=lambda t, x, m, w: [(cut(t, x, m, w) - x[0]) / T.v, (r(t, w) - x[0]) / Ti.v + cut(t, x, m, w) - raw(t, x, w)],
        guards=guards, jump=lambda n, t, x, m, w: (x, {"up": 1, "down": -1, "back": 0}[n]),
        out=lambda t, x, m, w: {y: x[0], i: x[1], e: r(t, w) - x[0], u: raw(t, x, w), v: cut(t, x, m, w)})
    p.export(y, 1.0)


def quantised(p):
    """floor, ceil, integer, mod and div of a rising or oscillating quantity."""
    s = p.wave("s", 3.0)
    k = p.number("step", 0.6, 1.5)
    x, y = p.real("x"), p.real("y")
    p.eq(x, s)
    form = p.c.index("form", 3)
    name = ["floor", "ceil", "integer"][form]
    z = p.discrete("z", "Integer") if form == 2 else p.real("z")
    p.eq(z, f"{name}({x}/{k})", mix=False)
    p.eq(y, f"{x} - {k}*{z}")
    cell = lambda v: math.floor(v / k.v) + (1 if form == 1 else 0)

    def guards(t, y_, m, w):
        low = (m - (1 if form == 1 else 0)) * k.v
        return {"down": s(t) - low, "up": low + k.v - s(t)}
    p.behaviour = Behaviour(
        mode=lambda w: cell(s(0.0)), guards=guards, jump=lambda n, t, y_, m, w: (y_, m + (1 if n == "up" else -1)),
        out=lambda t, y_, m, w: {x: s(t), z: float(m), y: s(t) - k.v * m})
    p.export(z, 3.0)


def delayed(p):
    """Delays of waves, of delays, and of a step; history before the start is the first value."""
    s = p.wave("s", 1.0)
    d1, d2 = p.number("da", 0.2, 0.8), p.number("db", 0.2, 0.8)
    x, y, z, a = p.real("x"), p.real("y"), p.real("z"), p.number("a", 0.5, 2.0)
    v = p.state("v", 0)
    p.eq(x, s)
    p.eq(y, f"delay({x}, {d1})")
    p.eq(z, f"delay({y}, {d2})" if p.chance("twice") else f"delay({x}, {d1} + {d2})")
    p.eq(f"der({v})", f"{z} - {a}*{v}")
    back = lambda t, d: s(max(t - d, 0.0))
    p.behaviour = Behaviour(
        x0=lambda w: [0.0], mode=lambda w: 0, slope=lambda t, c, m, w: [back(t, d1.v + d2.v) - a.v * c[0]],
        guards=lambda t, c, m, w: {"a": d1.v + d2.v - t} if m == 0 else {}, jump=lambda n, t, c, m, w: (c, 1),
        out=lambda t, c, m, w: {x: s(t), y: back(t, d1.v), z: back(t, d1.v + d2.v), v: c[0]})
    p.export(v, 1.0)


def machine(p):
    """A machine with four states: an enumeration, timers and thresholds."""
    up, down, hold, rest = p.number("up", 0.5, 2.0), p.number("down", 0.5, 2.0), p.number("hold", 0.2, 0.9), p.number("rest", 0.2, 0.9)
    top = p.number("top", 0.5, 1.5)
    phase = p.name("phase")
    names = ["idle", "rising", "holding", "falling"]
    p.model.declare(f"type Phase{p.tail} = enumeration({', '.join(names)});")
    P = f"Phase{p.tail}"
    p.model.declare(f"{P} {phase}(start = {P}.idle, fixed = true);")
    x, since = p.state("x", 0), p.discrete("since", "Real", 0)
    p.eq(f"der({x})", f"if {phase} == {P}.rising then {up} else if {phase} == {P}.falling then -{down} else 0", mix=False)
    p.block(f"when pre({phase}) == {P}.idle and time >= pre({since}) + {rest} then\n  {phase} = {P}.rising;\n  {since} = time;\n"
            f"elsewhen pre({phase}) == {P}.rising and {x} >= {top} then\n  {phase} = {P}.holding;\n  {since} = time;\n"
            f"elsewhen pre({phase}) == {P}.holding and time >= pre({since}) + {hold} then\n  {phase} = {P}.falling;\n  {since} = time;\n"
            f"elsewhen pre({phase}) == {P}.falling and {x} <= 0 then\n  {phase} = {P}.idle;\n  {since} = time;\nend when;")

    def guards(t, s, m, w):
        return {"go": [m[1] + rest.v - t, top.v - s[0], m[1] + hold.v - t, s[0]][m[0]]}
    p.behaviour = Behaviour(
        x0=lambda w: [0.0], mode=lambda w: (0, 0.0), slope=lambda t, s, m, w: [[0.0, up.v, 0.0, -down.v][m[0]]], guards=guards,
        jump=lambda n, t, s, m, w: (s, ((m[0] + 1) % 4, t)), out=lambda t, s, m, w: {x: s[0], phase: float(m[0] + 1), since: m[1]})
    p.export(x, 1.0)


def steps(p):
    """A staircase or pulse source by several ways of writing it; a filter behind it."""
    t1, t2, a, b, T = p.number("ta", 0.3, 1.0), p.number("tb", 1.1, 2.5), p.number("a", 0.5, 2.0), p.number("b", 0.5, 2.0), p.number("T", 0.2, 1.0)
    u, y = p.real("u"), p.state("y", 0)
    form = p.c.index("form", 3)
    if form == 0:
        p.eq(u, f"if time < {t1} then 0 elseif time < {t2} then {a} else {b}", mix=False)
    elif form == 1:
        p.eq(u, f"(if time >= {t1} then {a} else 0) + (if time >= {t2} then {b} - {a} else 0)", mix=False)
    else:
        p.block(f"if time < {t1} then\n  {u} = 0;\nelseif time < {t2} then\n  {u} = {a};\nelse\n  {u} = {b};\nend if;")
    p.eq(f"{T}*der({y})", f"{u} - {y}")
    level = lambda m: [0.0, a.v, b.v][m]
    p.behaviour = Behaviour(
        x0=lambda w: [0.0], mode=lambda w: 0, slope=lambda t, x, m, w: [(level(m) - x[0]) / T.v],
        guards=lambda t, x, m, w: {"step": [t1.v, t2.v][m] - t} if m < 2 else {}, jump=lambda n, t, x, m, w: (x, m + 1),
        out=lambda t, x, m, w: {u: level(m), y: x[0]})
    p.export(u, 1.0)


def relay(p):
    """Double integrator with a hysteresis relay, a limit cycle by pre or by reinit of a timer."""
    a, w0, k = p.number("a", 0.3, 1.0), p.number("w", 0.8, 2.0), p.number("k", 0.2, 0.6)
    x, v = p.state("x", 0), p.state("v", 1)
    hi = p.discrete("hi", "Boolean", "true")
    p.block(f"when {x} > {a} then\n  {hi} = false;\nelsewhen {x} < -{a} then\n  {hi} = true;\nend when;" if p.chance("when") else
            f"{hi} = if pre({hi}) then not {x} > {a} else {x} < -{a};")
    F = p.real("F")
    p.eq(F, f"if {hi} then 1 else -1", mix=False)
    p.eq(f"der({x})", v)
    p.eq(f"der({v})", f"{F} - {k}*{v} - {w0}*{x}*0.1")
    p.behaviour = Behaviour(
        x0=lambda u: [0.0, 1.0], mode=lambda u: True,
        slope=lambda t, s, m, u: [s[1], (1 if m else -1) - k.v * s[1] - 0.1 * w0.v * s[0]],
        guards=lambda t, s, m, u: {"switch": a.v - s[0] if m else a.v + s[0]}, jump=lambda n, t, s, m, u: (s, not m),
        out=lambda t, s, m, u: {x: s[0], v: s[1], hi: float(m), F: 1.0 if m else -1.0})
    p.export(x, 1.0)


KINDS = [sampled, counters, saturated, quantised, delayed, machine, steps, relay]
