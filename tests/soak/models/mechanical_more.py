"""mechanical_more.py - friction as libraries write it, stick-slip, backlash, more constraints."""
import math

from reference import Behaviour, Unfit


def library_friction(p):
    """Coulomb friction with a path parameter and discrete modes, as the Modelica library writes it."""
    J, tau0 = p.number("J", 0.5, 3.0), p.number("taun", 0.5, 1.5)
    f = p.wave("T", 4.0, offset=False, quick=2.0)
    w0 = p.number("w0", 1.0, 4.0)
    w, a, sa, tau, drive = p.state("w", w0), p.real("a"), p.real("sa"), p.real("tau"), p.real("drive")
    phi = p.state("phi", 0)
    fw, bw, locked = p.discrete("sf", "Boolean", "false"), p.discrete("sb", "Boolean", "false"), p.discrete("locked", "Boolean", "false")
    mode = p.discrete("mode", "Integer", 1)  # 1 forward, 0 stuck, -1 backward
    p.eq(drive, f)
    p.eq(f"der({phi})", w)
    p.eq(f"der({w})", a)
    p.eq(f"{J}*{a}", f"{drive} - {tau}")
    p.block(f"{fw} = pre({mode}) == 0 and ({sa} > {tau0} or pre({fw}) and {sa} > {tau0}) or initial() and {w} > 0;")
    p.block(f"{bw} = pre({mode}) == 0 and ({sa} < -{tau0} or pre({bw}) and {sa} < -{tau0}) or initial() and {w} < 0;")
    p.block(f"{locked} = not (pre({mode}) == 1 or pre({mode}) == -1 or {fw} or {bw});")
    p.block(f"{a} = if {locked} then 0 else if {fw} then {sa} - {tau0} else if {bw} then {sa} + {tau0} else if pre({mode}) == 1 then {sa} - {tau0} else {sa} + {tau0};")
    p.block(f"{tau} = if {locked} then {sa} else if {fw} then {tau0} else if {bw} then -{tau0} else if pre({mode}) == 1 then {tau0} else -{tau0};")
    p.block(f"{mode} = if (pre({mode}) == 1 or {fw}) and {w} > 0 then 1 else if (pre({mode}) == -1 or {bw}) and {w} < 0 then -1 else 0;")

    def guards(t, x, m, u):
        if m == 0:
            return {"forward": tau0.v - f(t), "backward": tau0.v + f(t)}
        started = abs(x[1]) < 1e-7 and m * f(t) > tau0.v
        return {"stop": m * x[1] + (1e-6 if started else 0)}

    def jump(n, t, x, m, u):
        if n == "stop":
            return [x[0], 0.0], 0
        return x, 1 if n == "forward" else -1
    acc = lambda t, m: (f(t) - tau0.v * m) / J.v if m else 0.0
    p.behaviour = Behaviour(
        x0=lambda u: [0.0, w0.v], mode=lambda u: 1, slope=lambda t, x, m, u: [x[1], acc(t, m)], guards=guards, jump=jump,
        out=lambda t, x, m, u: {phi: x[0], w: x[1], a: acc(t, m), drive: f(t), tau: f(t) - J.v * acc(t, m)})
    p.export(w, 2.0)


def stick_slip(p):
    """A mass on a belt, pulled by a spring: sticks until the spring is strong enough."""
    k, vb, Fs, Fk, m_ = p.number("k", 4.0, 10.0), p.number("vb", 0.3, 0.8), p.number("Fs", 1.2, 2.0), p.number("Fk", 0.4, 1.0), p.number("m", 0.3, 1.0)
    x_, v = p.state("x", 0), p.state("v", vb)
    slip = p.discrete("slip", "Boolean", "false")
    p.eq(f"der({x_})", v)
    p.eq(f"{m_}*der({v})", f"if {slip} then -{k}*{x_} + {Fk} else 0", mix=False)
    p.block(f"when not pre({slip}) and {k}*{x_} > {Fs} then\n  {slip} = true;\nelsewhen pre({slip}) and {v} > {vb} then\n  {slip} = false;\n  reinit({v}, {vb});\nend when;")
    p.behaviour = Behaviour(
        x0=lambda u: [0.0, vb.v], mode=lambda u: False,
        slope=lambda t, x, m, u: [x[1], (-k.v * x[0] + Fk.v) / m_.v if m else 0.0],
        guards=lambda t, x, m, u: {"stick": vb.v - x[1] + (1e-6 if x[0] > Fk.v / k.v else 0)} if m else {"slip": Fs.v - k.v * x[0]},
        jump=lambda n, t, x, m, u: (x, True) if n == "slip" else ([x[0], vb.v], False),
        out=lambda t, x, m, u: {x_: x[0], v: x[1], slip: float(m)})
    p.export(x_, 0.3)


def backlash(p):
    """Two masses joined by a spring with play."""
    m1, m2, c, b = p.number("ma", 0.5, 2.0), p.number("mb", 0.5, 2.0), p.number("c", 5.0, 60.0), p.number("play", 0.1, 0.4)
    d = p.number("d", 0.2, 1.0)
    f = p.signal("f", 3.0)
    x1, x2, v1, v2, F, dx = p.state("xa", 0), p.state("xb", 0), p.state("va", 0.5), p.state("vb", 0), p.real("F"), p.real("dx")
    p.eq(dx, f"{x1} - {x2}")
    form = p.c.index("form", 3)
    p.eq(F, [f"if {dx} > {b} then {c}*({dx} - {b}) else if {dx} < -{b} then {c}*({dx} + {b}) else 0",
             f"{c}*({dx} - max(-{b}, min({b}, {dx})))",
             f"if abs({dx}) < {b} then 0 else {c}*({dx} - {b}*sign({dx}))"][form])
    p.eq(f"der({x1})", v1)
    p.eq(f"der({x2})", v2)
    p.eq(f"{m1}*der({v1})", f"{f} - {F} - {d}*{v1}")
    p.eq(f"{m2}*der({v2})", f"{F} - {d}*{v2} - {x2}")
    force = lambda x, m: c.v * (x[0] - x[1] - m * b.v) if m else 0.0

    def guards(t, x, m, u):
        e = x[0] - x[1]
        return {"up": b.v - e, "down": b.v + e} if m == 0 else {"back": m * e - b.v}
    p.behaviour = Behaviour(
        x0=lambda u: [0.0, 0.0, 0.5, 0.0], mode=lambda u: 0, guards=guards, jump=lambda n, t, x, m, u: (x, {"up": 1, "down": -1, "back": 0}[n]),
        slope=lambda t, x, m, u: [x[2], x[3], (f(t, u) - force(x, m) - d.v * x[2]) / m1.v, (force(x, m) - d.v * x[3] - x[1]) / m2.v],
        out=lambda t, x, m, u: {x1: x[0], x2: x[1], v1: x[2], v2: x[3], dx: x[0] - x[1], F: force(x, m)})
    p.export(x2, 1.0)


def bead(p):
    """A bead on a wire y = f(x), index 3; the force of the wire follows."""
    k, g, m_, x0 = p.number("k", 0.3, 1.2), p.number("g", 3.0, 10.0), p.number("m", 0.5, 2.0), p.number("x0", 0.3, 1.0)
    cosine = p.chance("cosine", 0.4)
    shape = (lambda x: -k.v * math.cos(x)) if cosine else (lambda x: k.v * x * x / 2)
    slope1 = (lambda x: k.v * math.sin(x)) if cosine else (lambda x: k.v * x)
    slope2 = (lambda x: k.v * math.cos(x)) if cosine else (lambda x: k.v)
    slope_text = (lambda x: f"{k}*sin({x})") if cosine else (lambda x: f"{k}*{x}")
    x, y, vx, vy, lam = p.state("x", x0), p.real("y"), p.state("vx", 0), p.real("vy"), p.real("lam")
    p.eq(f"der({x})", vx)
    p.eq(f"der({y})", vy)
    p.eq(f"{m_}*der({vx})", f"-{lam}*{slope_text(x)}", mix=False)
    p.eq(f"{m_}*der({vy})", f"{lam} - {m_}*{g}", mix=False)
    p.eq(y, f"-{k}*cos({x})" if cosine else f"{k}*{x}^2/2", mix=False)

    def acc(s):
        d, dd = slope1(s[0]), slope2(s[0])
        return -(d * dd * s[1] ** 2 + g.v * d) / (1 + d * d)

    def out(t, s, m, u):
        d, dd = slope1(s[0]), slope2(s[0])
        return {x: s[0], y: shape(s[0]), vx: s[1], vy: d * s[1], lam: m_.v * (d * acc(s) + dd * s[1] ** 2 + g.v)}
    p.behaviour = Behaviour(x0=lambda u: [x0.v, 0.0], slope=lambda t, s, m, u: [s[1], acc(s)], out=out)
    p.export(x, 0.5)


def double_pendulum(p):
    """Two points on rods in Cartesian coordinates, two constraints of index 3."""
    a, b, g = p.number("La", 0.5, 1.5), p.number("Lb", 0.5, 1.5), p.number("g", 3.0, 10.0)
    f1, f2 = p.number("phia", 0.2, 0.8), p.number("phib", 0.2, 0.8)
    xa, ya = a.exact * math.sin(f1.exact), -a.exact * math.cos(f1.exact)
    xb, yb = xa + b.exact * math.sin(f2.exact), ya - b.exact * math.cos(f2.exact)
    x1, y1, x2, y2 = p.state("xa", repr(xa)), p.real("ya", start=repr(ya)), p.state("xb", repr(xb)), p.real("yb", start=repr(yb))
    u1, v1, u2, v2 = p.state("ua", 0), p.real("va", start=0), p.state("ub", 0), p.real("vb", start=0)
    l1, l2 = p.real("la"), p.real("lb")
    for q, r in ((x1, u1), (y1, v1), (x2, u2), (y2, v2)):
        p.eq(f"der({q})", r)
    p.eq(f"der({u1})", f"-{l1}*{x1} + {l2}*({x2} - {x1})", mix=False)
    p.eq(f"der({v1})", f"-{l1}*{y1} + {l2}*({y2} - {y1}) - {g}", mix=False)
    p.eq(f"der({u2})", f"-{l2}*({x2} - {x1})", mix=False)
    p.eq(f"der({v2})", f"-{l2}*({y2} - {y1}) - {g}", mix=False)
    p.eq(f"{x1}^2 + {y1}^2", f"{a}^2", mix=False)
    p.eq(f"({x2} - {x1})^2 + ({y2} - {y1})^2", f"{b}^2", mix=False)

    def acc(s):
        p1, p2, w1, w2 = s
        c, sn = math.cos(p1 - p2), math.sin(p1 - p2)
        # equal masses 1: [2 a, b c; a c, b] [w1'; w2'] = r
        r1 = -b.v * sn * w2 * w2 - 2 * g.v * math.sin(p1)
        r2 = a.v * sn * w1 * w1 - g.v * math.sin(p2)
        det = 2 * a.v * b.v - a.v * b.v * c * c
        return [(b.v * r1 - b.v * c * r2) / det, (2 * a.v * r2 - a.v * c * r1) / det]

    def out(t, s, m, u):
        p1, p2, w1, w2 = s
        A1, A2 = acc(s)
        s1, c1, s2, c2 = math.sin(p1), math.cos(p1), math.sin(p2), math.cos(p2)
        r = {x1: a.v * s1, y1: -a.v * c1, x2: a.v * s1 + b.v * s2, y2: -a.v * c1 - b.v * c2, u1: a.v * c1 * w1, v1: a.v * s1 * w1}
        r[u2], r[v2] = r[u1] + b.v * c2 * w2, r[v1] + b.v * s2 * w2
        ax2 = a.v * (c1 * A1 - s1 * w1 * w1) + b.v * (c2 * A2 - s2 * w2 * w2)
        ay2 = a.v * (s1 * A1 + c1 * w1 * w1) + b.v * (s2 * A2 + c2 * w2 * w2)
        r[l2] = -(ax2 * s2 - (ay2 + g.v) * c2) / b.v
        ax1, ay1 = a.v * (c1 * A1 - s1 * w1 * w1), a.v * (s1 * A1 + c1 * w1 * w1)
        r[l1] = -((ax1 - r[l2] * b.v * s2) * s1 - (ay1 + g.v + r[l2] * b.v * c2) * c1) / a.v
        return r
    p.behaviour = Behaviour(x0=lambda u: [f1.exact, f2.exact, 0.0, 0.0], slope=lambda t, s, m, u: [s[2], s[3]] + acc(s), out=out)


def pendulum_wall(p):
    """A pendulum of index 3 strikes a wall; both velocities turn round."""
    L, g, phi0, e = p.number("L", 0.6, 1.5), p.number("g", 3.0, 10.0), p.number("phi", 0.5, 1.1), p.number("e", 0.5, 1.0)
    wall = p.number("wall", 0.1, 0.25)
    x0, y0 = -L.exact * math.sin(phi0.exact), -L.exact * math.cos(phi0.exact)
    x, y, vx, vy, lam = p.state("x", repr(x0)), p.real("y", start=repr(y0)), p.state("vx", 0), p.real("vy"), p.real("lam")
    p.eq(f"der({x})", vx)
    p.eq(f"der({y})", vy)
    p.eq(f"der({vx})", f"-{lam}*{x}", mix=False)
    p.eq(f"der({vy})", f"-{lam}*{y} - {g}", mix=False)
    p.eq(f"{x}^2 + {y}^2", f"{L}^2", mix=False)
    body = f"  reinit({vx}, -{e}*pre({vx}));\n"
    if p.chance("both"):
        body += f"  reinit({vy}, -{e}*pre({vy}));\n"
    p.block(f"when {x} > {wall} then\n{body}end when;")

    def out(t, s, m, u):
        phi, w = s
        c, sn = math.cos(phi), math.sin(phi)
        return {x: L.v * sn, y: -L.v * c, vx: L.v * c * w, vy: L.v * sn * w, lam: w * w + g.v * c / L.v}
    p.behaviour = Behaviour(
        x0=lambda u: [-phi0.exact, 0.0], slope=lambda t, s, m, u: [s[1], -g.v / L.v * math.sin(s[0])],
        guards=lambda t, s, m, u: {"hit": wall.v - L.v * math.sin(s[0]) if s[1] > 0 else 1.0},
        jump=lambda n, t, s, m, u: ([s[0], -e.v * s[1]], m), out=out)


def lifted(p):
    """A mass rests on a support until it is pulled up; complementarity of force and gap."""
    m_, g, k = p.number("m", 0.5, 2.0), p.number("g", 3.0, 9.0), p.number("k", 5.0, 30.0)
    s = p.wave("s", 1.0, offset=False, quick=2.0)
    pull, N, top = p.real("pull"), p.real("N"), p.real("top")
    # a spring that is pulled at its top by s(t) carries a part of the weight; it can only pull
    p.eq(top, s)
    p.eq(pull, f"max(0, {k}*{top})" if p.chance("max") else f"if {top} > 0 then {k}*{top} else 0", mix=False)
    z = p.real("z")
    p.eq(f"{N} - {z}", f"{m_}*{g} - {pull}")
    q = p.real("q")
    p.eq(N, f"if {q} > 0 then {q} else 0", mix=False)
    p.eq(z, f"if {q} > 0 then 0 else -{q}", mix=False)

    def parts(t):
        f = k.v * max(s(t), 0.0)
        rest = m_.v * g.v - f
        return f, max(rest, 0.0), max(-rest, 0.0)
    def out(t, x, m, u):
        f, n, over = parts(t)
        return {top: s(t), pull: f, N: n, z: over}
    p.behaviour = Behaviour(out=out)
    p.export(N, 5.0)


KINDS = [library_friction, stick_slip, backlash, bead, double_pendulum, pendulum_wall, lifted]
