"""manufactured.py - solutions that are chosen first, and equations made from them.

x' = s' + f(x) - f(s) has the solution s whatever f is; f is drawn from the whole language.
"""
import math

from reference import Behaviour


def expression(p, key, depth, names):
    """A random contraction of some variables: text, and a function of their values."""
    if depth == 0 or p.chance(f"{key}.leaf", 0.25):
        k = p.c.index(f"{key}.name", len(names))
        return names[k], lambda v: v[k]
    kind = p.c.index(f"{key}.op", 9)
    a, fa = expression(p, key + "l", depth - 1, names)
    if kind == 0:
        return f"sin({a})", lambda v: math.sin(fa(v))
    if kind == 1:
        return f"tanh({a})", lambda v: math.tanh(fa(v))
    if kind == 2:
        return f"{a}/sqrt(1 + ({a})^2)", lambda v: fa(v) / math.sqrt(1 + fa(v) ** 2)
    if kind == 3:
        return f"atan({a})", lambda v: math.atan(fa(v))
    if kind == 4:
        p.function("half", "function half\n  input Real x;\n  output Real y;\nprotected\n  Real w;\nalgorithm\n  w := 0;\n  for k in 1:2 loop\n    w := w + x/4;\n  end for;\n  y := w;\nend half;")
        return f"half({a})", lambda v: fa(v) / 2
    b, fb = expression(p, key + "r", depth - 1, names)
    if kind == 5:
        return f"(0.5*({a}) - 0.5*({b}))", lambda v: 0.5 * fa(v) - 0.5 * fb(v)
    if kind == 6:
        return f"sin({a})*cos({b})", lambda v: math.sin(fa(v)) * math.cos(fb(v))
    if kind == 7:
        return f"sum({{{a}, {b}}})/2", lambda v: (fa(v) + fb(v)) / 2
    return f"log(1 + exp({a}))", lambda v: math.log(1 + math.exp(fa(v)))


def slope_text(s, base, p):
    """The derivative of a wave as text."""
    b, w, q = s
    return f"{b}*{w}*cos({w}*time + {q})"


def wave(p, base):
    """A wave with the parts of its text."""
    b, w, q = p.number(base + "b", 0.3, 1.0, True), p.number(base + "w", 0.4, 4.0, True), p.number(base + "p", 0.1, 6.0, True)
    at = lambda k: (lambda t: b.v * w.v ** k * math.sin(w.v * t + q.v + k * math.pi / 2))
    return (b, w, q), f"{b}*sin({w}*time + {q})", at


def states(p):
    """One to four states, optionally stiff, nonlinear in der(x), with algebraic variables beside."""
    n, nz = p.whole("n", 1, 4), p.whole("nz", 0, 2)
    waves = [wave(p, f"s{k}") for k in range(n)]
    others = [wave(p, f"q{k}") for k in range(nz)]
    guess = p.chance("guesses", 0.5)
    x = [p.state(f"x{k}", repr(waves[k][2](0)(0.0))) for k in range(n)]
    z = [p.real(f"z{k}", start=repr(others[k][2](0)(0.0)) if guess else None) for k in range(nz)]
    stiff = p.chance("stiff", 0.25)
    for k in range(n):
        (b, w, q), text, at = waves[k]
        rate = p.number(f"r{k}", 1e2, 1e5, True) if stiff and k == 0 else p.number(f"r{k}", 0.5, 3.0, True)
        f, _ = expression(p, f"f{k}", 2, x)
        g, _ = expression(p, f"f{k}", 2, [f"({t})" for _, t, _ in waves])
        c = p.number(f"c{k}", 0.1, 0.5, True)
        right = f"{slope_text((b, w, q), '', p)} - {rate}*({x[k]} - {text}) + {c}*({f} - ({g}))"
        if nz and p.chance(f"with_z{k}"):
            right += f" + {c}*({z[0]} - {others[0][1]})"
        left = f"der({x[k]})"
        if p.chance(f"cubic{k}", 0.12):
            left += f" + 0.1*der({x[k]})^3"
            right += f" + 0.1*({slope_text((b, w, q), '', p)})^3"
        p.eq(left, right)
    for k in range(nz):
        _, text, at = others[k]
        c = p.number(f"e{k}", 0.1, 0.6, True)
        j = p.c.index(f"of{k}", n)
        coupling = f"{c}*({x[j]} - {waves[j][1]})"
        form = p.c.index(f"zform{k}", 3)
        if form == 0:
            p.eq(z[k], f"{text} + {coupling}")
        elif form == 1:
            p.eq(f"{z[k]} + {c}*{z[k]}^3", f"{text} + {c}*({text})^3 + {coupling}")
        else:
            p.eq(f"exp({c}*{z[k]}) + {z[k]}", f"exp({c}*{text}) + {text} + {coupling}")
    p.behaviour = Behaviour(out=lambda t, s, m, u: {**{x[k]: waves[k][2](0)(t) for k in range(n)}, **{z[k]: others[k][2](0)(t) for k in range(nz)}})
    p.export(x[-1], 1.0)


def bound(p):
    """States bound by a constraint with a multiplier: index 2, or index 3 with velocities."""
    three = p.chance("three")
    n = p.whole("n", 2, 3)
    waves = [wave(p, f"s{k}") for k in range(n)]
    mult = wave(p, "m")
    x = [p.real(f"x{k}", start=repr(waves[k][2](0)(0.0)), fixed=k > 0) for k in range(n)]
    v = [p.real(f"v{k}", start=repr(waves[k][2](1)(0.0)), fixed=k > 0) for k in range(n)] if three else x
    lam = p.real("mu")
    c = [p.number(f"c{k}", 0.6, 1.5, True) for k in range(n)]
    curved = p.chance("curved", 0.4)
    for k in range(n):
        (b, w, q), text, at = waves[k]
        r = p.number(f"r{k}", 0.3, 2.0, True)
        push = f"{c[k]}*({lam} - {mult[1]})" + (f"*(1 + {x[k]}^2)" if curved else "")
        if three:
            p.eq(f"der({x[k]})", v[k])
            p.eq(f"der({v[k]})", f"-{b}*{w}^2*sin({w}*time + {q}) - {r}*({v[k]} - {slope_text((b, w, q), '', p)}) - {r}*({x[k]} - {text}) + {push}")
        else:
            p.eq(f"der({x[k]})", f"{slope_text((b, w, q), '', p)} - {r}*({x[k]} - {text}) + {push}")
    cube = (lambda e: f"({e} + ({e})^3/3)") if curved else (lambda e: e)
    p.eq(" + ".join(f"{c[k]}*{cube(x[k])}" for k in range(n)), " + ".join(f"{c[k]}*{cube(waves[k][1])}" for k in range(n)), mix=p.chance("mix_constraint", 0.3))
    def out(t, s, m, u):
        r = {x[k]: waves[k][2](0)(t) for k in range(n)}
        r[lam] = mult[2](0)(t)
        if three:
            r.update({v[k]: waves[k][2](1)(t) for k in range(n)})
        return r
    p.behaviour = Behaviour(out=out)
    p.export(x[-1], 1.0)


def linear(p):
    """A full matrix, A x = b(t), as a matrix equation; its solution is chosen."""
    n = p.whole("n", 2, 4)
    waves = [wave(p, f"s{k}") for k in range(n)]
    rows = [[p.c.number(f"a{i}{j}", -0.5, 0.5) + (2.0 if i == j else 0.0) for j in range(n)] for i in range(n)]
    x, A = p.name("x"), p.name("A")
    p.model.declare(f"Real {x}[{n}];")
    p.model.declare(f"parameter Real {A}[{n}, {n}] = [{'; '.join(', '.join(repr(v) for v in r) for r in rows)}];")
    right = "{" + ", ".join(w[1] for w in waves) + "}"
    p.block(f"{A}*{x} = {A}*{right};")
    if p.chance("norm"):
        p.function("norm2", "function norm2\n  input Real v[:];\n  output Real r;\nprotected\n  Real s = 0;\nalgorithm\n  for i in 1:size(v, 1) loop\n    s := s + v[i]^2;\n  end for;\n  r := sqrt(s + 0.01);\nend norm2;")
        r = p.real("r")
        p.eq(r, f"norm2({x})")
    else:
        r = None
    def out(t, s, m, u):
        values = {f"{x}[{k + 1}]": waves[k][2](0)(t) for k in range(n)}
        if r:
            values[r] = math.sqrt(sum(v * v for v in values.values()) + 0.01)
        return values
    p.behaviour = Behaviour(out=out)
    p.export(f"{x}[1]", 1.0)


KINDS = [states, bound, linear]
