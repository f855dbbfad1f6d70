"""electrical_more.py - rectifiers with several diodes, transformers, amplifiers, toggled circuits."""
import math

from electrical import diode
from reference import Behaviour, Unfit


def three_phase(p):
    """Six ideal diodes, three sources in star, a resistive load."""
    A, w, R = p.number("A", 2.0, 10.0), p.number("w", 1.0, 3.0), p.number("R", 1.0, 6.0)
    phase = p.number("phi", 0.1, 0.9)
    v, vp, vn, i = p.name("v"), p.real("vp"), p.real("vn"), p.real("i")
    p.model.declare(f"Real {v}[3];")
    p.block(f"for k in 1:3 loop\n  {v}[k] = {A}*sin({w}*time + {phase} + (k - 1)*2.0943951023931953);\nend for;")
    up, down = [p.real(f"iu{k}x") for k in range(3)], [p.real(f"id{k}x") for k in range(3)]
    for k in range(3):
        diode(p, f"{v}[{k + 1}] - {vp}", up[k], tail=f"u{k}")
        diode(p, f"{vn} - {v}[{k + 1}]", down[k], tail=f"d{k}")
    p.eq(" + ".join(up), i)
    p.eq(" + ".join(down), i)
    p.eq(f"{vp} - {vn}", f"{R}*{i}")
    phases = lambda t: [A.v * math.sin(w.v * t + phase.v + k * 2.0943951023931953) for k in range(3)]

    def order(t):
        s = phases(t)
        return (s.index(max(s)), s.index(min(s)))

    def guards(t, x, m, u):
        s = phases(t)
        return {("top", k): s[m[0]] - s[k] for k in range(3) if k != m[0]} | {("low", k): s[k] - s[m[1]] for k in range(3) if k != m[1]}

    def jump(n, t, x, m, u):
        return x, (n[1], m[1]) if n[0] == "top" else (m[0], n[1])

    def out(t, x, m, u):
        s = phases(t)
        return {vp: s[m[0]], vn: s[m[1]], i: (s[m[0]] - s[m[1]]) / R.v}
    p.behaviour = Behaviour(mode=lambda u: order(0.0), guards=guards, jump=jump, out=out)
    p.export(i, 2.0)


def transformer(p):
    """Two coupled inductors with a matrix, or an ideal transformer with a load (index 2 in some forms)."""
    u = p.wave("u", 5.0)
    L1, L2, k = p.number("La", 0.5, 2.0), p.number("Lb", 0.5, 2.0), p.number("k", 0.3, 0.8)
    R1, R2 = p.number("Ra", 0.5, 3.0), p.number("Rb", 0.5, 3.0)
    i1, i2, M = p.state("ia", 0), p.state("ib", 0), p.name("Mu")
    p.model.declare(f"parameter Real {M} = {k}*sqrt({L1}*{L2});")
    v1, v2 = p.real("va"), p.real("vb")
    p.block(f"{{{v1}, {v2}}} = [{L1}, {M}; {M}, {L2}]*der({{{i1}, {i2}}});") if p.chance("matrix", 0.4) else (
        p.eq(v1, f"{L1}*der({i1}) + {M}*der({i2})"), p.eq(v2, f"{M}*der({i1}) + {L2}*der({i2})"))
    p.eq(u, f"{R1}*{i1} + {v1}")
    p.eq(v2, f"-{R2}*{i2}")

    def slope(t, x, m, w):
        mu = k.v * math.sqrt(L1.v * L2.v)
        a, b = u(t) - R1.v * x[0], -R2.v * x[1]
        det = L1.v * L2.v - mu * mu
        return [(L2.v * a - mu * b) / det, (L1.v * b - mu * a) / det]
    p.behaviour = Behaviour(x0=lambda w: [0.0, 0.0], slope=slope,
                            out=lambda t, x, m, w: {i1: x[0], i2: x[1], v1: u(t) - R1.v * x[0], v2: -R2.v * x[1]})
    p.export(i2, 1.0)


def amplifier(p):
    """An operational amplifier as integrator: a constraint makes both inputs equal (index 2)."""
    u = p.signal("u", 3.0)
    R, C, Rf = p.number("R", 0.5, 3.0), p.number("C", 0.2, 2.0), p.number("Rf", 1.0, 5.0)
    vm, vo, vc, ic = p.real("vm"), p.real("vo"), p.state("vc", 0), p.real("ic")
    p.eq(vm, 0, mix=False)
    p.eq(vc, f"{vm} - {vo}")
    p.eq(f"{C}*der({vc})", ic)
    p.eq(f"({u} - {vm})/{R}", f"{ic} + {vc}/{Rf}")
    current = lambda t, x, w: u(t, w) / R.v - x[0] / Rf.v
    p.behaviour = Behaviour(x0=lambda w: [0.0], slope=lambda t, x, m, w: [current(t, x, w) / C.v],
                            out=lambda t, x, m, w: {vm: 0.0, vo: -x[0], vc: x[0], ic: current(t, x, w)})
    p.export(vo, 2.0)


def toggled(p):
    """A switch alternates between charging an inductor and feeding a capacitor, by thresholds of the current."""
    V, L, C, R = p.number("V", 3.0, 9.0), p.number("L", 0.4, 2.0), p.number("C", 0.5, 2.0), p.number("R", 1.0, 5.0)
    low, high = p.number("low", 0.5, 1.0), p.number("high", 1.5, 3.0)
    i, v = p.state("i", 1), p.state("v", 1)
    charge = p.discrete("charge", "Boolean", "true")
    vl = p.real("vl")
    if p.chance("when"):
        p.block(f"when {i} > {high} then\n  {charge} = false;\nelsewhen {i} < {low} then\n  {charge} = true;\nend when;")
    else:
        p.block(f"{charge} = if pre({charge}) then {i} < {high} else {i} < {low};")
    if p.chance("if_equation"):
        p.block(f"if {charge} then\n  {vl} = {V};\n  {C}*der({v}) = -{v}/{R};\nelse\n  {vl} = -{v};\n  {C}*der({v}) = {i} - {v}/{R};\nend if;")
    else:
        p.eq(vl, f"if {charge} then {V} else -{v}", mix=False)
        p.eq(f"{C}*der({v})", f"(if {charge} then 0 else {i}) - {v}/{R}")
    p.eq(f"{L}*der({i})", vl)

    def guards(t, x, m, w):
        if not m and x[1] < 0.05:
            raise Unfit("the current would not fall")
        return {"switch": high.v - x[0] if m else x[0] - low.v}
    p.behaviour = Behaviour(
        x0=lambda w: [1.0, 1.0], mode=lambda w: True, guards=guards, jump=lambda n, t, x, m, w: (x, not m),
        slope=lambda t, x, m, w: [(V.v if m else -x[1]) / L.v, ((0.0 if m else x[0]) - x[1] / R.v) / C.v],
        out=lambda t, x, m, w: {i: x[0], v: x[1], charge: float(m), vl: V.v if m else -x[1]})
    p.export(v, 3.0)


def clamp(p):
    """Two diodes with resistances clamp the output of an RC element between two voltages."""
    u = p.signal("u", 6.0)
    R, C, r, top = p.number("R", 0.5, 2.0), p.number("C", 0.3, 1.5), p.number("r", 0.1, 0.5), p.number("top", 1.0, 2.5)
    v, iu, il = p.state("v", 0), p.real("iu"), p.real("il")
    su, sl = p.real("su"), p.real("sl")
    # a diode with resistance: voltage = if s < 0 then s else r s, current = if s < 0 then 0 else s
    p.eq(f"{v} - {top}", f"if {su} < 0 then {su} else {r}*{su}", mix=False)
    p.eq(iu, f"if {su} < 0 then 0 else {su}", mix=False)
    p.eq(f"-{top} - {v}", f"if {sl} < 0 then {sl} else {r}*{sl}", mix=False)
    p.eq(il, f"if {sl} < 0 then 0 else {sl}", mix=False)
    p.eq(f"{C}*der({v})", f"({u} - {v})/{R} - {iu} + {il}")
    upper = lambda x, m: (x[0] - top.v) / r.v if m == 1 else 0.0
    lower = lambda x, m: (-top.v - x[0]) / r.v if m == -1 else 0.0

    def guards(t, x, m, w):
        return {"up": top.v - x[0], "down": top.v + x[0]} if m == 0 else {"back": m * x[0] - top.v}
    p.behaviour = Behaviour(
        x0=lambda w: [0.0], mode=lambda w: 0, guards=guards, jump=lambda n, t, x, m, w: (x, {"up": 1, "down": -1, "back": 0}[n]),
        slope=lambda t, x, m, w: [((u(t, w) - x[0]) / R.v - upper(x, m) + lower(x, m)) / C.v],
        out=lambda t, x, m, w: {v: x[0], iu: upper(x, m), il: lower(x, m)})
    p.export(v, 2.0)


def freewheel(p):
    """An RL load behind a switch that opens and closes; a diode takes the current over."""
    V, R, L = p.number("V", 5.0, 20.0), p.number("R", 0.5, 3.0), p.number("L", 0.3, 2.0)
    t1, t2 = p.number("ta", 0.5, 1.5), p.number("tb", 1.7, 3.0)
    i, vx, iS, iD = p.state("i", 0), p.real("vx"), p.real("iS"), p.real("iD")
    closed = p.discrete("closed", "Boolean")
    p.eq(closed, f"time < {t1} or time > {t2}", mix=False)
    if p.chance("complementarity", 0.3):
        p.eq(f"0", f"if {closed} then {vx} - {V} else {iS}", mix=False)
    else:
        p.block(f"if {closed} then\n  {vx} = {V};\nelse\n  {iS} = 0;\nend if;")
    diode(p, f"-{vx}", iD)
    p.eq(f"{iS} + {iD}", i)
    p.eq(f"{L}*der({i})", f"{vx} - {R}*{i}")
    node = lambda m: 0.0 if m == 1 else V.v
    p.behaviour = Behaviour(
        x0=lambda w: [0.0], mode=lambda w: 0, slope=lambda t, x, m, w: [(node(m) - R.v * x[0]) / L.v],
        guards=lambda t, x, m, w: {"switch": [t1.v, t2.v][m] - t} if m < 2 else {}, jump=lambda n, t, x, m, w: (x, m + 1),
        out=lambda t, x, m, w: {i: x[0], vx: node(m), iS: 0.0 if m == 1 else x[0], iD: x[0] if m == 1 else 0.0, closed: float(m != 1)})
    p.export(i, 5.0)


KINDS = [three_phase, transformer, amplifier, toggled, clamp, freewheel]
