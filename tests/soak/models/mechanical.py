"""mechanical.py - impacts, friction, clutches, pendula and other constraints."""
import math

from reference import Behaviour


def ball(p):
    """A ball on a floor, with impacts by reinit; it ends before impacts accumulate."""
    h0, e, g = p.number("h0", 2.0, 20.0), p.number("e", 0.75, 0.95), p.number("g", 1.5, 9.81)
    h, v = p.state("h", h0), p.state("v", 0)
    n = p.discrete("n", "Integer", 0)
    p.eq(f"der({h})", v)
    p.eq(f"der({v})", f"-{g}")
    body = f"  {n} = pre({n}) + 1;\n  reinit({v}, -{e}*pre({v}));\n"
    if p.chance("flag", 0.3):
        hit = p.discrete("hit", "Boolean")
        p.eq(hit, f"{h} < 0 and {v} < 0", mix=False)
        p.block(f"when {hit} then\n{body}end when;")
    else:
        p.block(f"when {h} {p.pick('relation', ['<', '<='])} 0 then\n{body}end when;")
    p.behaviour = Behaviour(
        x0=lambda w: [h0.v, 0.0], mode=lambda w: 0, slope=lambda t, x, m, w: [x[1], -g.v],
        guards=lambda t, x, m, w: {"hit": x[0] if x[1] < 0 else 1.0},
        jump=lambda k, t, x, m, w: ([max(x[0], 0.0), -e.v * x[1]], m + 1),
        out=lambda t, x, m, w: {h: x[0], v: x[1], n: float(m)})
    p.stop_limit = lambda: 0.8 * (math.sqrt(2 * h0.v / g.v) * (1 + 2 * e.v / (1 - e.v)))
    p.export(h, 5.0)


def sled(p):
    """A mass with dry friction under a periodic force: slides, sticks, breaks away."""
    m_, Fc, Fs = p.number("m", 0.5, 3.0), p.number("Fc", 0.5, 1.5), p.number("Fs", 1.6, 2.5)
    f = p.wave("f", 4.0, offset=False, quick=2.0)
    v0 = p.number("v0", 1.0, 4.0)
    x_, v, fr, F = p.state("x", 0), p.state("v", v0), p.real("fr"), p.real("F")
    mode = p.discrete("mode", "Integer", 1)
    a = p.real("a")
    p.eq(F, f)
    p.eq(f"der({x_})", v)
    p.eq(f"der({v})", a)
    p.eq(f"{m_}*{a}", f"{F} - {fr}")
    p.block(f"if {mode} == 0 then\n  {a} = 0;\nelse\n  {fr} = {Fc}*{mode};\nend if;")
    p.block(f"when pre({mode}) == 1 and {v} < 0 or pre({mode}) == -1 and {v} > 0 then\n  {mode} = 0;\n  reinit({v}, 0);\n"
            f"elsewhen pre({mode}) == 0 and {fr} > {Fs} then\n  {mode} = 1;\nelsewhen pre({mode}) == 0 and {fr} < -{Fs} then\n  {mode} = -1;\nend when;")

    def guards(t, x, m, w):
        if m == 0:
            return {"forward": Fs.v - f(t, w), "backward": Fs.v + f(t, w)}
        started = abs(x[1]) < 1e-7 and m * f(t, w) > Fc.v
        return {"stop": m * x[1] + (1e-6 if started else 0)}

    def jump(n, t, x, m, w):
        if n == "stop":
            return [x[0], 0.0], 0
        return x, 1 if n == "forward" else -1
    acc = lambda t, m, w: (f(t, w) - Fc.v * m) / m_.v if m else 0.0
    p.behaviour = Behaviour(
        x0=lambda w: [0.0, v0.v], mode=lambda w: 1, slope=lambda t, x, m, w: [x[1], acc(t, m, w)], guards=guards, jump=jump,
        out=lambda t, x, m, w: {x_: x[0], v: x[1], F: f(t, w), mode: float(m), a: acc(t, m, w), fr: f(t, w) - m_.v * acc(t, m, w)})
    p.export(v, 2.0)


def clutch(p):
    """Two inertias: slipping until the speeds meet; or closed by force with an impulse."""
    J1, J2 = p.number("Ja", 0.5, 3.0), p.number("Jb", 0.5, 3.0)
    T1 = p.signal("T", 3.0)
    d1, d2 = p.number("da", 0.1, 0.6), p.number("db", 0.1, 0.6)
    wa0, wb0 = p.number("wa0", 8.0, 15.0), p.number("wb0", 0.5, 4.0)
    w1, w2, tau = p.state("wa", wa0), p.state("wb", wb0), p.real("tau")
    lock = p.discrete("lock", "Boolean", "false")
    p.eq(f"{J1}*der({w1})", f"{T1} - {d1}*{w1} - {tau}")
    p.eq(f"{J2}*der({w2})", f"{tau} - {d2}*{w2}")
    by_force = p.chance("force", 0.5)
    if by_force:
        t1 = p.number("t1", 0.5, 2.0)
        p.block(f"when time > {t1} then\n  {lock} = true;\nend when;")
        p.block(f"if {lock} then\n  {w1} = {w2};\nelse\n  {tau} = 0;\nend if;")
    else:
        Ts = p.number("Ts", 5.0, 9.0)
        p.block(f"when {w1} <= {w2} then\n  {lock} = true;\nend when;")
        p.block(f"if {lock} then\n  der({w1}) = der({w2});\nelse\n  {tau} = {Ts};\nend if;")
    slip = (lambda: 0.0) if by_force else (lambda: Ts.v)

    def torque(t, x, m, u):
        if not m:
            return slip()
        a = T1(t, u) - d1.v * x[0]
        b = -d2.v * x[1]
        return (a * J2.v - b * J1.v) / (J1.v + J2.v)

    def slope(t, x, m, u):
        k = torque(t, x, m, u)
        return [(T1(t, u) - d1.v * x[0] - k) / J1.v, (k - d2.v * x[1]) / J2.v]

    def jump(n, t, x, m, u):
        if not by_force:
            return x, True
        s = (J1.v * x[0] + J2.v * x[1]) / (J1.v + J2.v)
        return [s, s], True
    p.behaviour = Behaviour(
        x0=lambda u: [wa0.v, wb0.v], mode=lambda u: False, slope=slope, jump=jump,
        guards=lambda t, x, m, u: {} if m else {"lock": t1.v - t if by_force else x[0] - x[1]},
        out=lambda t, x, m, u: {w1: x[0], w2: x[1], tau: torque(t, x, m, u), lock: float(m)})
    p.export(w2, 5.0)


def pendulum(p):
    """A point on a circle in Cartesian coordinates, index 3; damped, or with a driven pivot."""
    L, g, phi0 = p.number("L", 0.5, 2.0), p.number("g", 3.0, 10.0), p.number("phi", 0.3, 1.2)
    m_ = p.number("m", 0.5, 2.0)
    x0, y0 = L.exact * math.sin(phi0.exact), -L.exact * math.cos(phi0.exact)
    driven = p.chance("driven", 0.35)
    d = p.number("d", 0.05, 0.5) if p.chance("damped", 0.4) else None
    drag = (lambda: d.v) if d else (lambda: 0.0)
    x, y, vx, vy = p.real("x", start=repr(x0), fixed=p.chance("fix_x", 0.7)), p.real("y", start=repr(y0)), p.real("vx"), p.real("vy")
    if "fixed = true" not in p.model.variables[x][2]:
        p.model.variables[y][2].append("fixed = true")
    lam = p.real("lam")
    pivot = None
    if driven:
        pivot = p.wave("pv", 0.3, offset=False, quick=2.5)
        px = p.real("px")
        p.eq(px, pivot)
        rel = f"({x} - {px})"
        p.model.variables[x][2][0] = f"start = {x0 + pivot(0.0)!r}"
        p.model.variables[vx][2] += [f"start = {pivot.slope(0.0)!r}", "fixed = true"]
    else:
        rel = x
        p.model.variables[vx][2] += ["start = 0", "fixed = true"]
    p.eq(f"der({x})", vx)
    p.eq(f"der({y})", vy)
    p.eq(f"{m_}*der({vx})", f"-{lam}*{rel}" + (f" - {d}*{vx}" if d else ""), mix=False)
    p.eq(f"{m_}*der({vy})", f"-{lam}*{y} - {m_}*{g}" + (f" - {d}*{vy}" if d else ""), mix=False)
    p.eq(f"{rel}^2 + {y}^2", f"{L}^2", mix=False)
    q = lambda t, k: 0.0 if not driven else (pivot(t), pivot.slope(t), pivot.curve(t))[k]

    def slope(t, s, mode, u):
        phi, w = s
        c, sn = math.cos(phi), math.sin(phi)
        velx, vely = q(t, 1) + L.v * c * w, L.v * sn * w
        force = -g.v * sn - drag() / m_.v * (velx * c + vely * sn) - q(t, 2) * c
        return [w, force / L.v]

    def out(t, s, mode, u):
        phi, w = s
        c, sn = math.cos(phi), math.sin(phi)
        acc = slope(t, s, mode, u)[1]
        velx, vely = q(t, 1) + L.v * c * w, L.v * sn * w
        ay = L.v * (c * w * w + sn * acc)
        ax = q(t, 2) + L.v * (c * acc - sn * w * w)
        # along the rod: m a = -lam r - d v - m g
        radial = (m_.v * ax + drag() * velx) * sn - (m_.v * ay + drag() * vely + m_.v * g.v) * c
        r = {x: q(t, 0) + L.v * sn, y: -L.v * c, vx: velx, vy: vely, lam: -radial / L.v}
        if driven:
            r[px] = q(t, 0)
        return r
    p.behaviour = Behaviour(x0=lambda u: [phi0.exact, 0.0], slope=slope, out=out)


def prescribed(p):
    """A prescribed motion of a mass on springs, or of a chain: forces follow, index 3 or more."""
    s = p.wave("s", 1.0)
    m_, d, k = p.number("m", 0.5, 3.0), p.number("d", 0.1, 2.0), p.number("k", 0.5, 5.0)
    x, v, F = p.real("x"), p.real("v"), p.real("F")
    p.eq(x, s)
    p.eq(v, f"der({x})")
    if p.chance("a"):
        a = p.real("a")
        p.eq(a, f"der({v})")
        p.eq(F, f"{m_}*{a} + {d}*{v} + {k}*{x}")
    else:
        a = None
        p.eq(F, f"{m_}*der({v}) + {d}*{v} + {k}*{x}")
    def out(t, w, mode, u):
        r = {x: s(t), v: s.slope(t), F: m_.v * s.curve(t) + d.v * s.slope(t) + k.v * s(t)}
        if a:
            r[a] = s.curve(t)
        return r
    p.behaviour = Behaviour(out=out)
    p.export(F, 5.0)


def geared(p):
    """Two inertias by a gear (index 2), or two masses by a rigid rod (index 3)."""
    J1, J2, n = p.number("Ja", 0.5, 3.0), p.number("Jb", 0.5, 3.0), p.number("ratio", 0.5, 4.0)
    d, c = p.number("d", 0.2, 1.0), p.number("c", 0.3, 3.0)
    T = p.signal("T", 3.0)
    w1, w2 = p.state("wa", 1), p.real("wb")
    t1, t2 = p.real("ta"), p.real("tb")
    p.eq(f"{J1}*der({w1})", f"{T} - {t1} - {d}*{w1}")
    p.eq(f"{J2}*der({w2})", f"{t2} - {c}*{w2}")
    p.eq(t2, f"{n}*{t1}")
    positions = p.chance("positions", 0.4)
    if positions:
        a, b = p.state("pa", 0), p.real("pb")
        p.eq(f"der({a})", w1)
        p.eq(f"der({b})", w2)
        p.eq(a, f"{n}*{b}")
    else:
        p.eq(w1, f"{n}*{w2}")

    def acc(t, x, u):
        return (T(t, u) - d.v * x[0] - c.v * x[0] / n.v ** 2) / (J1.v + J2.v / n.v ** 2)

    def out(t, x, m, u):
        r = {w1: x[0], w2: x[0] / n.v}
        r[t1] = T(t, u) - d.v * x[0] - J1.v * acc(t, x, u)
        r[t2] = n.v * r[t1]
        if positions:
            r.update({a: x[1], b: x[1] / n.v})
        return r
    p.behaviour = Behaviour(x0=lambda u: [1.0, 0.0], slope=lambda t, x, m, u: [acc(t, x, u), x[0]], out=out)
    p.export(w2, 1.0)


def contact(p):
    """A mass meets an elastic stop: max, an if, or noEvent with the same meaning."""
    m_, k, K, gap = p.number("m", 0.5, 2.0), p.number("k", 1.0, 5.0), p.number("K", 10.0, 200.0), p.number("gap", 0.2, 0.6)
    f = p.signal("f", 2.0)
    d = p.number("d", 0.1, 0.6)
    x_, v, N = p.state("x", 0), p.state("v", 1), p.real("N")
    form = p.c.index("form", 4)
    p.eq(N, [f"if {x_} > {gap} then {K}*({x_} - {gap}) else 0", f"{K}*max(0, {x_} - {gap})",
             f"noEvent(if {x_} > {gap} then {K}*({x_} - {gap}) else 0)", f"smooth(0, if {x_} > {gap} then {K}*({x_} - {gap}) else 0)"][form])
    p.eq(f"der({x_})", v)
    p.eq(f"{m_}*der({v})", f"{f} - {k}*{x_} - {d}*{v} - {N}")
    push = lambda x, m: K.v * (x[0] - gap.v) if m else 0.0
    p.behaviour = Behaviour(
        x0=lambda u: [0.0, 1.0], mode=lambda u: False,
        slope=lambda t, x, m, u: [x[1], (f(t, u) - k.v * x[0] - d.v * x[1] - push(x, m)) / m_.v],
        guards=lambda t, x, m, u: {"touch": (gap.v - x[0]) * (-1 if m else 1)},
        jump=lambda n, t, x, m, u: (x, not m),
        out=lambda t, x, m, u: {x_: x[0], v: x[1], N: push(x, m)})
    p.export(x_, 0.5)


def carts(p):
    """Two carts collide and keep momentum; one of them meets a wall."""
    m1, m2, e = p.number("ma", 0.5, 3.0), p.number("mb", 0.5, 3.0), p.number("e", 0.3, 1.0)
    xb, va0, vb0 = p.number("xb0", 1.0, 3.0), p.number("va0", 1.0, 3.0), p.number("vb0", 0.1, 0.6)
    wall = p.number("wall", 4.0, 6.0)
    x1, x2 = p.state("xa", 0), p.state("xb", xb)
    v1, v2 = p.state("va", va0), p.state("vb", vb0)
    p.eq(f"der({x1})", v1)
    p.eq(f"der({x2})", v2)
    p.eq(f"der({v1})", 0)
    p.eq(f"der({v2})", 0)
    m12 = f"({m1} + {m2})"
    p.block(f"when {x1} > {x2} then\n  reinit({v1}, ({m1}*pre({v1}) + {m2}*pre({v2}) - {m2}*{e}*(pre({v1}) - pre({v2})))/{m12});\n"
            f"  reinit({v2}, ({m1}*pre({v1}) + {m2}*pre({v2}) + {m1}*{e}*(pre({v1}) - pre({v2})))/{m12});\nend when;")
    p.block(f"when {x2} > {wall} then\n  reinit({v2}, -{e}*pre({v2}));\nend when;")

    def jump(n, t, x, m, u):
        a, b, v, w = x
        if n == "wall":
            return [a, b, v, -e.v * w], m
        s = m1.v * v + m2.v * w
        total = m1.v + m2.v
        return [a, b, (s - m2.v * e.v * (v - w)) / total, (s + m1.v * e.v * (v - w)) / total], m
    p.behaviour = Behaviour(
        x0=lambda u: [0.0, xb.v, va0.v, vb0.v], slope=lambda t, x, m, u: [x[2], x[3], 0.0, 0.0],
        guards=lambda t, x, m, u: {"hit": x[1] - x[0] if x[2] > x[3] else 1.0, "wall": wall.v - x[1] if x[3] > 0 else 1.0},
        jump=jump, out=lambda t, x, m, u: {x1: x[0], x2: x[1], v1: x[2], v2: x[3]})


KINDS = [ball, sled, clutch, pendulum, prescribed, geared, contact, carts]
