"""electrical.py - circuits with switches, diodes and thyristors, ideal or not."""
import math

from reference import Behaviour, Unfit


def diode(p, voltage, current, tail="", forward=None):
    """Complementarity with a path parameter: voltage over the diode, current through it."""
    s = p.real("s" + tail, start=p.pick("s.start" + tail, [None, "-1", "1"]))
    off = p.discrete("off" + tail, "Boolean")
    knee = f" + {forward}" if forward else ""
    if p.chance("strict" + tail, 0.7):
        p.eq(off, f"{s} < 0", mix=False)
    else:
        p.eq(off, f"not {s} >= 0", mix=False)
    if p.chance("if_equation" + tail, 0.25):
        p.block(f"if {off} then\n  {voltage} = {s}{knee};\n  {current} = 0;\nelse\n  {voltage} = {forward or 0};\n  {current} = {s};\nend if;")
    elif p.chance("product" + tail, 0.3):
        p.eq(voltage, f"{s}*(if {off} then 1 else 0){knee}")
        p.eq(current, f"{s}*(if {off} then 0 else 1)")
    else:
        p.eq(voltage, f"(if {off} then {s} else 0){knee}")
        p.eq(current, f"if {off} then 0 else {s}", mix=False)
    return s, off


def rectifier(p):
    """A source, a diode and a load: R, RC with a source resistance, or RL."""
    load = p.pick("load", ["R", "RC", "RL"])
    u = p.signal("u", 10.0)
    R = p.number("R", 0.5, 5.0)
    forward = p.number("Vf", 0.3, 0.8) if p.chance("forward", 0.3) else None
    vf = (lambda: forward.v) if forward else (lambda: 0.0)
    vs, vd, i = p.real("vs"), p.real("vd"), None
    p.eq(vs, u)
    if load == "R":
        i = p.real("i")
        p.eq(vs, f"{vd} + {R}*{i}")
        diode(p, vd, i, forward=forward)
        def out(t, x, m, w):
            v = u(t, w)
            return {vs: v, i: 0.0 if m else (v - vf()) / R.v, vd: v if m else vf(), p.name("off"): float(m)}
        p.behaviour = Behaviour(
            mode=lambda w: u(0.0, w) < vf(), out=out,
            guards=lambda t, x, m, w: {"switch": (vf() - u(t, w)) * (1 if m else -1)},
            jump=lambda n, t, x, m, w: (x, not m))
        p.export(i, 3.0)
        return
    if load == "RC":
        C, G = p.number("C", 0.1, 1.0), p.number("Rl", 2.0, 9.0)
        v0 = p.number("v0", 0.5, 5.0)
        i = p.real("i")
        v = p.state("vC", v0)
        p.eq(vs, f"{R}*{i} + {vd} + {v}")
        p.eq(f"{C}*der({v})", f"{i} - {v}/{G}")
        diode(p, vd, i, forward=forward)
        flow = lambda t, x, m, w: 0.0 if m else (u(t, w) - vf() - x[0]) / R.v
        p.behaviour = Behaviour(
            x0=lambda w: [v0.v], mode=lambda w: u(0.0, w) - vf() < v0.v,
            slope=lambda t, x, m, w: [(flow(t, x, m, w) - x[0] / G.v) / C.v],
            guards=lambda t, x, m, w: {"switch": (vf() + x[0] - u(t, w)) * (1 if m else -1)},
            jump=lambda n, t, x, m, w: (x, not m),
            out=lambda t, x, m, w: {vs: u(t, w), v: x[0], i: flow(t, x, m, w), p.name("off"): float(m),
                                    vd: u(t, w) - x[0] if m else vf()})
        p.export(v, 5.0)
        return
    L = p.number("L", 0.2, 2.0)
    i = p.state("iL", 0) if p.chance("fixed", 0.7) else p.real("iL", start=0)
    if not p.model.variables[i][2][-1].startswith("fixed"):
        p.initial(f"{i} = 0;")
    p.eq(vs, f"{L}*der({i}) + {R}*{i} + {vd}")
    diode(p, vd, i, forward=forward)
    p.behaviour = Behaviour(
        x0=lambda w: [0.0], mode=lambda w: u(0.0, w) < vf(),
        slope=lambda t, x, m, w: [0.0 if m else (u(t, w) - vf() - R.v * x[0]) / L.v],
        guards=lambda t, x, m, w: {"switch": vf() - u(t, w) if m else x[0] + (1e-9 if x[0] < 1e-9 and u(t, w) > vf() else 0)},
        jump=lambda n, t, x, m, w: ([0.0], not m),
        out=lambda t, x, m, w: {vs: u(t, w), i: x[0], vd: u(t, w) if m else vf(), p.name("off"): float(m)})
    p.export(i, 3.0)


def converter(p):
    """Buck, boost or buck-boost, ideal switch and diode; on = [t0, t0 + D T)."""
    kind = p.pick("kind", ["buck", "boost", "inverting"])
    Vin, L, C = p.number("Vin", 5.0, 20.0), p.number("L", 0.3, 2.0), p.number("C", 0.3, 2.0)
    R, T, D = p.number("R", 1.0, 8.0), p.number("T", 0.3, 0.8), p.number("D", 0.3, 0.7)
    v0 = p.number("v0", 6.0, 15.0)
    iL, vC = p.state("iL", 0), p.state("vC", v0)
    vx, iD, iS = p.real("vx"), p.real("iD"), p.real("iS")
    on, t0 = p.discrete("on", "Boolean"), p.discrete("t0", "Real", 0)
    if p.chance("start_tick", 0.8):
        p.block(f"when sample(0, {T}) then\n  {t0} = time;\nend when;")
    else:
        p.block(f"when time >= pre({t0}) + {T} then\n  {t0} = pre({t0}) + {T};\nend when;")
    p.eq(on, f"time - {t0} < {D}*{T}" if p.chance("relation", 0.6) else f"time < {t0} + {D}*{T}", mix=False)
    closed = {"buck": f"{vx} = {Vin}", "boost": f"{vx} = 0", "inverting": f"{vx} = {Vin}"}[kind]
    p.block(f"if {on} then\n  {closed};\nelse\n  {iS} = 0;\nend if;")
    over = {"buck": f"-{vx}", "boost": f"{vx} - {vC}", "inverting": f"-{vx} - {vC}"}[kind]
    diode(p, over, iD)
    p.eq(iL, f"{iS} + {iD}")
    p.eq(f"{L}*der({iL})", {"buck": f"{vx} - {vC}", "boost": f"{Vin} - {vx}", "inverting": vx}[kind])
    p.eq(f"{C}*der({vC})", f"{iL if kind == 'buck' else iD} - {vC}/{R}")

    def node(x, m):  # the voltage at the switch
        if m[0]:
            return {"buck": Vin.v, "boost": 0.0, "inverting": Vin.v}[kind]
        if m[1]:
            return {"buck": 0.0, "boost": x[1], "inverting": -x[1]}[kind]
        return {"buck": x[1], "boost": Vin.v, "inverting": 0.0}[kind]  # no current: L der(iL) = 0

    def slope(t, x, m, w):
        drive = {"buck": node(x, m) - x[1], "boost": Vin.v - node(x, m), "inverting": node(x, m)}[kind]
        flow = x[0] if kind == "buck" or m[1] else 0.0
        return [drive / L.v if m[0] or m[1] else 0.0, (flow - x[1] / R.v) / C.v]

    def guards(t, x, m, w):
        tick = {"tick": (m[2] + 1) * T.v - t}
        if m[0]:
            return {"end": (m[2] + D.v) * T.v - t, **tick,
                    "reverse": 1.0 if kind != "boost" else x[1] + 1e-3}
        if m[1]:
            return {"empty": x[0] + (1e-9 if x[0] < 1e-9 else 0), **tick}
        return {"reverse": {"buck": x[1], "boost": x[1] - Vin.v, "inverting": x[1]}[kind] + 1e-9, **tick}

    def jump(n, t, x, m, w):
        if n == "tick":
            return x, (True, False, m[2] + 1)
        if n == "end" and x[0] < 0:
            raise Unfit("the switch cuts off a current that the diode cannot take over")
        if n == "end":
            return x, (False, x[0] > 0, m[2])
        if n == "empty":
            return [0.0, x[1]], (False, False, m[2])
        return x, (False, True, m[2])
    p.behaviour = Behaviour(
        x0=lambda w: [0.0, v0.v], mode=lambda w: (True, False, 0), slope=slope, guards=guards, jump=jump,
        out=lambda t, x, m, w: {iL: x[0], vC: x[1], vx: node(x, m), iD: x[0] if m[1] else 0.0, iS: x[0] if m[0] else 0.0,
                                on: float(m[0])})
    p.export(vC, 10.0)


def bridge(p):
    """Four ideal diodes and a load of R or RL."""
    u = p.wave("u", 10.0, offset=False)
    R = p.number("R", 1.0, 6.0)
    vs, vp, vn = p.real("vs"), p.real("vp"), p.real("vn")
    inductive = p.chance("L", 0.4)
    i = p.state("iL", 0) if inductive else p.real("iL")
    d = [p.real(f"i{k}d") for k in range(4)]
    p.eq(vs, u)
    # the source stands between a (at vs) and b (at 0)
    for k, over in enumerate([f"{vs} - {vp}", f"-{vp}", f"{vn} - {vs}", f"{vn}"]):
        diode(p, over, d[k], tail=str(k))
    p.eq(f"{d[0]} + {d[1]}", i)
    p.eq(f"{d[2]} + {d[3]}", i)
    total = p.real("isrc")
    p.eq(total, f"{d[0]} - {d[2]}")
    if inductive:
        L = p.number("L", 0.5, 3.0)
        p.eq(f"{L}*der({i})", f"{vp} - {vn} - {R}*{i}")
    else:
        p.eq(f"{vp} - {vn}", f"{R}*{i}")
    if not inductive:
        p.behaviour = Behaviour(
            mode=lambda w: u(0, w) > 0, jump=lambda n, t, x, m, w: (x, not m),
            guards=lambda t, x, m, w: {"sign": u(t, w) * (1 if m else -1)},
            out=lambda t, x, m, w: {vs: u(t, w), i: abs(u(t, w)) / R.v, total: u(t, w) / R.v})
    else:
        p.behaviour = Behaviour(
            x0=lambda w: [0.0], mode=lambda w: u(0, w) > 0, jump=lambda n, t, x, m, w: (x, not m),
            slope=lambda t, x, m, w: [((1 if m else -1) * u(t, w) - R.v * x[0]) / L.v],
            guards=lambda t, x, m, w: {"sign": u(t, w) * (1 if m else -1)},
            out=lambda t, x, m, w: {vs: u(t, w), i: x[0], total: (1 if m else -1) * x[0]})
    p.export(i, 3.0)


def joined(p):
    """Two charged capacitors, connected by an ideal switch, by time or by a threshold."""
    C1, C2 = p.number("Ca", 0.3, 3.0), p.number("Cb", 0.3, 3.0)
    R1, R2 = p.number("Ra", 1.0, 9.0), p.number("Rb", 1.0, 9.0)
    a, b = p.number("va0", 4.0, 9.0), p.number("vb0", 0.5, 3.0)
    va, vb, i = p.state("va", a), p.state("vb", b), p.real("i")
    closed = p.discrete("closed", "Boolean", "false" if p.chance("latched") else None)
    latched = len(p.model.variables[closed][2]) > 0
    t1 = p.number("t1", 0.5, 2.0)
    p.eq(f"{C1}*der({va})", f"-{va}/{R1} - {i}")
    p.eq(f"{C2}*der({vb})", f"-{vb}/{R2} + {i}")
    if latched:
        p.block(f"when time >= {t1} then\n  {closed} = true;\nend when;")
    else:
        p.eq(closed, f"time >= {t1}", mix=False)
    p.block(f"if {closed} then\n  {va} = {vb};\nelse\n  {i} = 0;\nend if;")

    def rate(x, m):
        if not m:
            return [-x[0] / R1.v / C1.v, -x[1] / R2.v / C2.v]
        r = -(x[0] / R1.v + x[1] / R2.v) / (C1.v + C2.v)
        return [r, r]

    def jump(n, t, x, m, w):
        v = (C1.v * x[0] + C2.v * x[1]) / (C1.v + C2.v)
        return [v, v], True
    p.behaviour = Behaviour(
        x0=lambda w: [a.v, b.v], mode=lambda w: False, slope=lambda t, x, m, w: rate(x, m), jump=jump,
        guards=lambda t, x, m, w: {} if m else {"close": t1.v - t},
        out=lambda t, x, m, w: {va: x[0], vb: x[1], closed: float(m), i: C2.v * rate(x, m)[1] + x[1] / R2.v if m else 0.0})
    p.export(vb, 3.0)


def thyristor(p):
    """Fired periodically by sample, blocks where its current ends."""
    R, L, T = p.number("R", 0.5, 2.0), p.number("L", 0.2, 1.0), p.number("T", 0.8, 2.0)
    A, phase = p.number("A", 5.0, 50.0), p.number("phase", 0.1, 0.35)
    v, i = p.real("v"), p.state("i", 0)
    on = p.discrete("on", "Boolean", "false")
    w = 2 * math.pi
    p.eq(v, f"{A}*sin(6.283185307179586*time/{T})")
    p.block(f"when sample({phase}*{T}, {T}) then\n  {on} = true;\nelsewhen {i} < 0 then\n  {on} = false;\nend when;")
    p.eq(f"{L}*der({i})", f"if {on} then {v} - {R}*{i} else 0", mix=False)
    source = lambda t: A.v * math.sin(w * t / T.v)
    p.behaviour = Behaviour(
        x0=lambda u: [0.0], mode=lambda u: (False, 0),
        slope=lambda t, x, m, u: [(source(t) - R.v * x[0]) / L.v if m[0] else 0.0],
        guards=lambda t, x, m, u: {"tick": (phase.v + m[1]) * T.v - t, "end": x[0] + (1e-9 if t < (phase.v + m[1] - 1) * T.v + 1e-6 else 0) if m[0] else 1},
        jump=lambda n, t, x, m, u: (x, (True, m[1] + 1)) if n == "tick" else (x, (False, m[1])),
        out=lambda t, x, m, u: {v: source(t), i: x[0], on: float(m[0])})
    p.export(i, 10.0)


def resonant(p):
    """R, L and C in series or a ladder with arrays; a capacitor across the source has index 2."""
    u = p.wave("u", 5.0)
    n = p.whole("n", 1, 4)
    R, L, C = p.number("R", 0.5, 3.0), p.number("L", 0.3, 2.0), p.number("C", 0.3, 2.0)
    vs = p.real("vs")
    p.eq(vs, u)
    v, i = p.name("v"), p.name("il")
    p.model.declare(f"Real {v}[{n}](each start = 0, each fixed = true);" if p.chance("each") else
                    f"Real {v}[{n}](start = zeros({n}), fixed = fill(true, {n}));")
    p.model.declare(f"Real {i}[{n}](each start = 0, each fixed = true);")
    p.block(f"{L}*der({i}[1]) = {vs} - {R}*{i}[1] - {v}[1];")
    if n > 1:
        p.block(f"for k in 2:{n} loop\n  {L}*der({i}[k]) = {v}[k - 1] - {v}[k] - {R}*{i}[k];\nend for;")
        p.block(f"for k in 1:{n - 1} loop\n  {C}*der({v}[k]) = {i}[k] - {i}[k + 1];\nend for;")
    p.block(f"{C}*der({v}[{n}]) = {i}[{n}] - {v}[{n}]/{R};")
    p.export(f"{v}[{n}]", 2.0)
    across = p.chance("across", 0.4)
    if across:
        ic, total = p.real("ic"), p.real("total")
        Cs = p.number("Cs", 0.1, 1.0)
        p.eq(f"{Cs}*der({vs})", ic)
        p.eq(total, f"{ic} + {i}[1]")

    def slope(t, x, m, w):
        vv, ii = x[:n], x[n:]
        left = [u(t, w)] + vv[:-1]
        return [(ii[k] - (ii[k + 1] if k + 1 < n else vv[k] / R.v)) / C.v for k in range(n)] + \
               [(left[k] - vv[k] - R.v * ii[k]) / L.v for k in range(n)]

    def out(t, x, m, w):
        r = {vs: u(t, w)}
        r.update({f"{v}[{k + 1}]": x[k] for k in range(n)})
        r.update({f"{i}[{k + 1}]": x[n + k] for k in range(n)})
        if across:
            r[ic] = Cs.v * u.slope(t)
            r[total] = r[ic] + x[n]
        return r
    p.behaviour = Behaviour(x0=lambda w: [0.0] * 2 * n, slope=slope, out=out)


def shockley(p):
    """A diode with an exponential characteristic limits the voltage of an RC element."""
    u = p.signal("u", 5.0)
    R, C, Vt, Is = p.number("R", 0.5, 3.0), p.number("C", 0.2, 2.0), p.number("Vt", 0.05, 0.3), p.number("Is", 1e-6, 1e-3)
    v, i = p.state("v", 0), p.real("id")
    with_capacitor = p.chance("C", 0.6)
    if p.chance("function", 0.4):
        p.function("characteristic", "function characteristic\n  input Real v;\n  input Real Is;\n  input Real Vt;\n  output Real i;\nalgorithm\n  i := Is*(exp(v/Vt) - 1);\nend characteristic;")
        p.eq(i, f"characteristic({v}, {Is}, {Vt})")
    else:
        p.eq(i, f"{Is}*(exp({v}/{Vt}) - 1)")
    flow = lambda x: Is.v * (math.exp(min(x / Vt.v, 300)) - 1)
    if with_capacitor:
        p.eq(f"{C}*der({v})", f"({u} - {v})/{R} - {i}")
        p.behaviour = Behaviour(x0=lambda w: [0.0], slope=lambda t, x, m, w: [((u(t, w) - x[0]) / R.v - flow(x[0])) / C.v],
                                out=lambda t, x, m, w: {v: x[0], i: flow(x[0])})
        p.export(v, 1.0)
        return
    p.model.variables[v][2] = ["start = 0"]
    p.eq(u, f"{v} + {R}*{i}")

    def solve(e):
        low, high = min(e, 0.0) - 1, max(e, 0.0) + 1
        for _ in range(200):
            mid = (low + high) / 2
            low, high = (low, mid) if mid + R.v * flow(mid) > e else (mid, high)
            if high - low < 1e-16:
                break
        return mid
    def out(t, x, m, w):
        r = solve(u(t, w))
        return {v: r, i: (u(t, w) - r) / R.v}
    p.behaviour = Behaviour(out=out)


KINDS = [rectifier, converter, bridge, joined, thyristor, resonant, shockley]
