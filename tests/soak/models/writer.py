"""writer.py - a model text and its known solution, made of parts.

A part declares variables and equations (text) and a Behaviour (its solution).  The text is then
written in one of many equivalent ways: sides exchanged, equations added to each other, aliases,
arrays and records instead of scalars, numbers as parameters computed from others.
"""
import math
import re

from choices import Part


class Number:
    """A constant of a model: text where it is written, value where the reference computes."""
    disturbance = 0.0  # set for a second reference with slightly different data

    def __init__(self, text, value, direction):
        self.text, self.exact, self.direction = text, value, direction

    def __str__(self):
        return self.text

    def __float__(self):
        return self.exact * (1 + Number.disturbance * self.direction)

    v = property(__float__)


class Signal:
    """A function of time or of another part: text, and value of (t, values of earlier parts)."""

    def __init__(self, text, value, slope=None, curve=None):
        self.text, self.value, self.slope, self.curve = text, value, slope, curve

    def __str__(self):
        return f"({self.text})" if " " in self.text else self.text

    def __call__(self, t, u=None):
        return self.value(t, u)


def literal(v):
    return repr(v) if v != int(v) or abs(v) > 1e6 else str(int(v))


def rename(text, new):
    for name, other in new.items():
        text = re.sub(r"(?<![\w.'])" + name + r"(?![\w.'])", other, text)
    return text


class PartWriter:
    def __init__(self, model, label):
        self.model, self.label = model, label
        self.c = Part(model.choices, label)
        self.tail = label[1:] if model.several else ""
        self.equations = []  # [left, right] or a text
        self.behaviour = None

    # ---- decisions ----

    def chance(self, name, p=0.5):
        return self.c.chance(name, p)

    def pick(self, name, items, weights=None):
        return self.c.pick(name, items, weights)

    def whole(self, name, low, high):
        return self.c.whole(name, low, high)

    # ---- names and numbers ----

    def name(self, base):
        return base + self.tail

    def number(self, base, low, high, exact=False):
        value = self.c.number("n." + base, low, high)
        direction = 0.0 if exact else self.c.number("d." + base, -1.0, 1.0)
        if self.chance("literal." + base, 0.35):
            text = literal(value)
            return Number(f"({text})" if value < 0 else text, value, direction)
        name = self.name(base)
        if self.chance("computed." + base, 0.15):
            self.model.declare(f"parameter Real {name} = 2*{name}h;")
            self.model.declare(f"parameter Real {name}h = {literal(value / 2)};")
        else:
            self.model.declare(f"parameter Real {name} = {literal(value)};")
        return Number(name, value, direction)

    def time(self, base, low, high):
        return self.number(base, low, high)

    # ---- declarations ----

    def real(self, base, start=None, fixed=False, prefix="", value=None, **attributes):
        name = self.name(base)
        given = [f"{k} = {v}" for k, v in attributes.items()]
        if start is not None:
            given.append(f"start = {start}")
        if fixed:
            given.append("fixed = true")
        self.model.variable(name, prefix, "Real", given, value)
        return name

    def state(self, base, start, **attributes):
        return self.real(base, start, True, **attributes)

    def discrete(self, base, type_name, start=None, fixed=True):
        name = self.name(base)
        given = [] if start is None else [f"start = {start}"] + (["fixed = true"] if fixed else [])
        self.model.variable(name, "discrete" if type_name == "Real" else "", type_name, given, None)
        return name

    def eq(self, left, right, mix=True):
        self.equations.append([str(left), str(right), mix])

    def block(self, text):
        self.equations.append(text)

    def initial(self, text):
        self.model.initials.append(text)

    def function(self, name, text):
        self.model.functions.setdefault(name, text)

    def export(self, name, size=1.0):
        self.model.exports.append((name, size, self.label))

    # ---- functions of time ----

    def wave(self, base, size=1.0, offset=True, quick=4.0):
        """a + b sin(w t + p), with derivatives; w per unit of the time of the model."""
        b = self.number(base + "b", 0.3 * size, size)
        w = self.number(base + "w", 0.4, quick)
        p = self.number(base + "p", 0.1, 6.0)
        a = self.number(base + "a", 0.2 * size, size) if offset and self.chance(base + ".offset") else None
        text = f"{b}*sin({w}*time + {p})" + (f" + {a}" if a else "")
        base_value = (lambda: float(a)) if a else (lambda: 0.0)
        def at(k):
            return lambda t, u=None: (base_value() if k == 0 else 0.0) + \
                b.v * w.v ** k * math.sin(w.v * t + p.v + k * math.pi / 2)
        return Signal(text, at(0), at(1), at(2))

    def signal(self, base, size=1.0, quick=4.0):
        """An input: a wave, a decaying exponential, or the value of an earlier part."""
        others = [e for e in self.model.exports if e[2] != self.label]
        if others and self.chance(base + ".coupled", 0.6):
            name, other, _ = self.c.pick(base + ".of", others)
            k = self.number(base + "k", 0.4, 1.0)
            scale = float(f"{size / other:.3g}")
            more = self.wave(base + "m", 0.5 * size, quick=quick)  # the other value may rest at zero
            return Signal(f"{k}*{literal(scale)}*{name} + {more}", lambda t, u: k.v * scale * u[name] + more(t))
        kind = self.c.index(base + ".kind", 3, (3, 1, 1))
        if kind == 0:
            return self.wave(base, size, quick=quick)
        a, r = self.number(base + "a", 0.3 * size, size), self.number(base + "r", 0.3, 2.0)
        if kind == 1:
            return Signal(f"{a}*exp(-{r}*time)", lambda t, u: a.v * math.exp(-r.v * t))
        return Signal(f"{a}*(1 - exp(-{r}*time))*cos({r}*time)", lambda t, u: a.v * (1 - math.exp(-r.v * t)) * math.cos(r.v * t))


class ModelWriter:
    def __init__(self, choices):
        self.choices = choices
        self.declared, self.variables, self.initials, self.functions = [], {}, [], {}
        self.exports, self.parts, self.algorithms, self.several = [], [], [], True

    def declare(self, text):
        self.declared.append(text)

    def variable(self, name, prefix, type_name, given, value):
        self.variables[name] = [prefix, type_name, given, value]

    def behaviours(self):
        return [p.behaviour for p in self.parts]

    # ---- equivalent ways to write the same ----

    def mixed(self, part):
        """Equations of which one has been added to another."""
        pairs = [e for e in part.equations if isinstance(e, list) and e[2]]
        if len(pairs) > 1 and self.choices.chance(part.label + ".mix", 0.3):
            for k in range(self.choices.whole(part.label + ".mixes", 1, 2)):
                i = self.choices.index(f"{part.label}.mix{k}.to", len(pairs))
                j = self.choices.index(f"{part.label}.mix{k}.from", len(pairs))
                if i == j:
                    continue
                f = literal(self.choices.number(f"{part.label}.mix{k}.f", 0.2, 2.0))
                left, right = pairs[j][0], pairs[j][1]
                if pairs[i][1].startswith("if "):
                    pairs[i][1] = f"({pairs[i][1]})"
                pairs[i][0] = f"{pairs[i][0]} + {f}*({left})"
                pairs[i][1] = f"{pairs[i][1]} + {f}*({right})"

    def lines(self, part):
        self.mixed(part)
        lines = []
        for k, e in enumerate(part.equations):
            if isinstance(e, str):
                lines.append(e)
                continue
            form = self.choices.index(f"{part.label}.form{k}", 3, (6, 2, 1))
            left, right = e[0], e[1]
            if form > 0 and right.startswith("if "):
                right = f"({right})"
            if form == 0:
                lines.append(f"{left} = {right};")
            elif form == 1:
                lines.append(f"{right} = {left};")
            else:
                lines.append(f"{left} - ({right}) = 0;" if e[2] else f"{left} = {right};")
        return lines

    def aliases(self, lines):
        """In one line a variable gets another name, or a name with the other sign."""
        reals = sorted(n for n, v in self.variables.items() if v[1] == "Real" and not v[0])
        for k in range(2):
            if not reals or not self.choices.chance(f"alias{k}", 0.25):
                continue
            name = reals[self.choices.index(f"alias{k}.of", len(reals))]
            sign = self.choices.pick(f"alias{k}.sign", ["", "-"])
            other = f"{name}_also"
            if other in self.variables:
                continue
            use = re.compile(r"(?<![\w.'])" + name + r"(?![\w.'])")
            places = [i for i, l in enumerate(lines) if use.search(l) and "when" not in l and "reinit" not in l and "pre(" not in l and "der(" not in l and ":=" not in l]
            if not places:
                continue
            at = places[self.choices.index(f"alias{k}.at", len(places))]
            lines[at] = use.sub(f"({sign}{other})" if sign else other, lines[at])
            self.variable(other, "", "Real", [], None)
            lines.append(f"{other} = {sign}{name};")

    def packed(self, text):
        """Some scalars become elements of an array or members of a record."""
        how = self.choices.index("pack", 3, (6, 2, 2))
        if how == 0:
            return text, {}
        names = [n for n, v in self.variables.items() if v[1] == "Real" and not v[0] and v[3] is None and not n.endswith("]")]
        n = min(len(names), self.choices.whole("pack.n", 2, 4))
        if n < 2:
            return text, {}
        first = self.choices.index("pack.first", len(names) - n + 1)
        chosen = names[first:first + n]
        new = {}
        for k, name in enumerate(chosen):
            new[name] = f"pack[{k + 1}]" if how == 1 else f"rec.{name}"
        return rename(text, new), new

    def declarations(self, new):
        lines = []
        for name, (prefix, type_name, given, value) in self.variables.items():
            if name in new:
                continue
            head = f"{prefix} {type_name}".strip()
            lines.append(f"{head} {name}" + (f"({', '.join(given)})" if given else "") + (f" = {value}" if value else "") + ";")
        if new:
            given = [self.variables[n][2] for n in new]
            if next(iter(new.values())).startswith("pack["):
                start = [next((g[8:] for g in v if g.startswith("start = ")), "0") for v in given]
                fixed = ["true" if "fixed = true" in v else "false" for v in given]
                lines.append(f"Real pack[{len(new)}](start = {{{', '.join(start)}}}, fixed = {{{', '.join(fixed)}}});")
            else:
                inner = [f"{n}({', '.join(v)})" for n, v in zip(new, given) if v]
                self.functions["record Rec"] = "record Rec\n" + "".join(f"  Real {n};\n" for n in new) + "end Rec;"
                lines.append(f"Rec rec({', '.join(inner)});" if inner else "Rec rec;")
        return lines

    def text(self, head):
        """The text, and the names of columns by the names of the reference."""
        lines = [l for p in self.parts for l in self.lines(p)]
        self.aliases(lines)
        if self.choices.chance("order", 0.6):
            self.shuffle(lines)
        body, new = self.packed("\n".join(lines))
        initials = rename("\n".join(self.initials), new)
        declarations = self.declared + self.declarations(new)
        out = [head] if head else []
        out += [f for f in self.functions.values()]
        out.append("model M")
        out += ["  " + d for d in declarations]
        if initials:
            out += ["initial equation"] + ["  " + l for l in initials.split("\n")]
        out.append("equation")
        out += ["  " + l for l in body.split("\n")]
        for a in self.algorithms:
            out += ["algorithm"] + ["  " + l for l in rename(a, new).split("\n")]
        out.append("end M;")
        return "\n".join(out) + "\n", new

    def shuffle(self, lines):
        order = [self.choices.number(f"order{k}", 0.0, -1.0) for k in range(len(lines))]
        lines[:] = [l for _, l in sorted(zip(order, lines), key=lambda p: p[0])]
