"""complementarity.py - linear complementarity problems, corners, monotone maps, integrated."""
import math

from reference import Behaviour


def lcp(p):
    """z >= 0, w = M z + q(t) >= 0, z w = 0 with a diagonally dominant M: one solution."""
    n = p.whole("n", 1, 3)
    M = [[(p.c.number(f"m{i}{j}", -0.4, 0.4) if i != j else p.c.number(f"m{i}{j}", 1.0, 3.0)) for j in range(n)] for i in range(n)]
    q = [p.wave(f"q{k}", 2.0, offset=False) for k in range(n)]
    s, z, w = p.name("sl"), p.name("z"), p.name("w")
    p.model.declare(f"Real {s}[{n}], {z}[{n}], {w}[{n}];")
    p.block(f"{w} = {{{', '.join('{' + ', '.join(repr(v) for v in row) + '}' for row in M)}}}*{z} + {{{', '.join(f.text for f in q)}}};")
    p.block(f"for k in 1:{n} loop\n  {z}[k] = if {s}[k] > 0 then {s}[k] else 0;\n  {w}[k] = if {s}[k] > 0 then 0 else -{s}[k];\nend for;")
    total = p.state("total", 0)
    p.eq(f"der({total})", f"sum({z}) - {total}")

    def solve(t):
        b = [f(t) for f in q]
        best = None
        for active in range(2 ** n):
            on = [k for k in range(n) if active >> k & 1]
            zz = gauss([[M[i][j] for j in on] for i in on], [-b[i] for i in on])
            full = [0.0] * n
            for k, v in zip(on, zz):
                full[k] = v
            ww = [sum(M[i][j] * full[j] for j in range(n)) + b[i] for i in range(n)]
            worst = min(min(full), min(ww))
            if best is None or worst > best[0]:
                best = (worst, full, [0.0 if k in on else ww[k] for k in range(n)])
        return best[1], best[2]

    def mode(t):
        zz, ww = solve(t)
        return tuple(a > b for a, b in zip(zz, ww))

    def held(t, m):
        on = [k for k in range(n) if m[k]]
        b = [f(t) for f in q]
        zz = gauss([[M[i][j] for j in on] for i in on], [-b[i] for i in on])
        full = [0.0] * n
        for k, v in zip(on, zz):
            full[k] = v
        return full, [sum(M[i][j] * full[j] for j in range(n)) + b[i] for i in range(n)]

    def guards(t, x, m, u):
        zz, ww = held(t, m)
        return {k: (zz[k] if m[k] else ww[k]) for k in range(n)}

    def jump(k, t, x, m, u):
        return x, tuple(not v if j == k else v for j, v in enumerate(m))

    def out(t, x, m, u):
        zz, ww = held(t, m)
        r = {f"{z}[{k + 1}]": zz[k] for k in range(n)}
        r.update({f"{w}[{k + 1}]": 0.0 if m[k] else ww[k] for k in range(n)})
        r[total] = x[0]
        return r
    p.behaviour = Behaviour(x0=lambda u: [0.0], mode=lambda u: mode(0.0), guards=guards, jump=jump, out=out,
                            slope=lambda t, x, m, u: [sum(held(t, m)[0]) - x[0]])
    p.export(total, 1.0)


def gauss(a, b):
    n = len(b)
    a = [row[:] + [v] for row, v in zip(a, b)]
    for k in range(n):
        for i in range(k + 1, n):
            f = a[i][k] / a[k][k]
            a[i] = [x - f * y for x, y in zip(a[i], a[k])]
    x = [0.0] * n
    for k in reversed(range(n)):
        x[k] = (a[k][n] - sum(a[k][j] * x[j] for j in range(k + 1, n))) / a[k][k]
    return x


def corner(p):
    """abs, max, min, sign or an if of a wave, integrated."""
    s = p.wave("s", 1.5)
    c = p.number("c", 0.1, 0.6)
    x, y = p.real("x"), p.state("y", 0)
    r = p.real("r")
    p.eq(x, s)
    kind = p.c.index("kind", 5)
    text = [f"abs({x} - {c})", f"max({x}, {c})", f"min({x}, {c})", f"if {x} > {c} then {x}^2 else {c}*{x}", f"max({{{x}, {c}, -10}})"][kind]
    if p.chance("no_event", 0.25):
        text = f"noEvent({text})"
    p.eq(r, text)
    p.eq(f"der({y})", f"{r} - {y}")

    def value(t, m):
        v = s(t)
        return [(v - c.v) * (1 if m else -1), v if m else c.v, c.v if m else v, v * v if m else c.v * v, v if m else c.v][kind]
    p.behaviour = Behaviour(
        x0=lambda u: [0.0], mode=lambda u: s(0.0) > c.v, slope=lambda t, z, m, u: [value(t, m) - z[0]],
        guards=lambda t, z, m, u: {"corner": (s(t) - c.v) * (1 if m else -1)}, jump=lambda n, t, z, m, u: (z, not m),
        out=lambda t, z, m, u: {x: s(t), y: z[0], r: value(t, m)})
    p.export(y, 1.0)


def monotone(p):
    """y + g(y) = u with a corner in g: one solution for every u."""
    u_ = p.signal("u", 3.0)
    a, b = p.number("a", 0.5, 3.0), p.number("b", 0.1, 0.9)
    y, w = p.real("y"), p.state("w", 0)
    p.eq(f"{y} + (if {y} > 0 then {a}*{y} else {b}*{y})", u_)
    p.eq(f"der({w})", f"{y} - 0.5*{w}")
    value = lambda t, m, u: u_(t, u) / (1 + (a.v if m else b.v))
    p.behaviour = Behaviour(
        x0=lambda u: [0.0], mode=lambda u: u_(0.0, u) > 0, slope=lambda t, x, m, u: [value(t, m, u) - 0.5 * x[0]],
        guards=lambda t, x, m, u: {"corner": u_(t, u) * (1 if m else -1)}, jump=lambda n, t, x, m, u: (x, not m),
        out=lambda t, x, m, u: {y: value(t, m, u), w: x[0]})
    p.export(w, 1.0)


KINDS = [lcp, corner, monotone]
