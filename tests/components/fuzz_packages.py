#!/usr/bin/env python3
"""fuzz_packages.py PROGRAM [SEED [ROUNDS]] - packages that nobody would write.

First the bombs: packages that contain themselves, grow without end or are nested deeply.  Then
ROUNDS packages that are made at random (from SEED) from the rules of this folder: lines are left
out, repeated and exchanged, names are replaced by others of the text, classes are moved to files of
their own.  `PROGRAM check` must answer each in a bounded time and memory with an exit status of its
own, and with a message where it is not 0.
"""
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
SECONDS, BYTES = 10, 3 << 30  # of processor time and of address space, for each package
STATUSES = (0, 1, 2, 3, 4, 5)
NAME = re.compile(r"\b[A-Za-z_]\w*\b")
KEYWORDS = set("""model end package function record connector block type extends equation algorithm
parameter constant Real Integer Boolean String flow stream input output each final redeclare if then
else elseif for in loop when connect inner outer replaceable constrainedby import initial operator
protected public within partial encapsulated expandable class and or not true false der time""".split())


def chain(n, text, last):
    return "\n".join(text.format(i=i, j=i + 1) for i in range(n)) + "\n" + last.format(i=n)


BOMBS = {  # name of the file: text; the model is P.M
    "contains_itself": {"package.mo": "package P model M M m; end M; end P;"},
    "contains_in_turn": {"package.mo": "package P end P;", "M.mo": "within P; model M N n; end M;",
                         "N.mo": "within P; model N M m; end N;"},
    "extends_in_turn": {"package.mo": "package P end P;", "M.mo": "within P; model M extends N; end M;",
                        "N.mo": "within P; model N extends P.M; end N;"},
    "short_in_turn": {"package.mo": "package P type A = B; type B = A; model M A x; end M; end P;"},
    "imports_in_turn": {"package.mo": "package P import P.Q.*; package Q import P.*; end Q; "
                                      "model M Nothing x; end M; end P;"},
    "package_extends_child": {"package.mo": "package P extends P.Q; package Q extends P; end Q; "
                                            "model M Real x = 1; end M; end P;"},
    "size_of_itself": {"package.mo": "package P model M Real x[size(x, 1)]; end M; end P;"},
    "condition_of_itself": {"package.mo": "package P model A parameter Boolean b = true; end A; "
                                          "model M A a if a.b; end M; end P;"},
    "values_in_turn": {"package.mo": "package P constant Real a = Q.b; package Q constant Real b = "
                                     "P.a; end Q; model M Real x = a; end M; end P;"},
    "endless_function": {"package.mo": "package P function f input Integer n; output Integer y = f(n + 1);"
                                       " end f; model M parameter Integer n = f(1); Real x[n]; end M; end P;"},
    "endless_loop": {"package.mo": "package P function f output Integer y = 0; algorithm while true loop "
                                   "y := y + 1; end while; end f; model M Real x[f()]; end M; end P;"},
    "redeclared_as_itself": {"package.mo": "package P model A replaceable package Q = P; Q.A a(redeclare "
                                           "package Q = Q); end A; model M A a; end M; end P;"},
    "large_array": {"package.mo": "package P model A Real x; end A; model M A a[1000000, 1000000]; end M; end P;"},
    "large_doubling": {"package.mo": "package P " + chain(40, "model A{i} A{j} a, b; end A{i};", "model A{i} Real x; end A{i};")
                                     + " model M A0 a; end M; end P;"},
    "bases_doubling": {"package.mo": "package P " + chain(40, "model B{i} extends B{j}; end B{i}; model C{i} extends C{j}; extends B{j}; end C{i};",
                                                          "model B{i} Real x; end B{i}; model C{i} Real y; end C{i};")
                                     + " model M extends C0; end M; end P;"},
    "deep_components": {"package.mo": "package P " + chain(3000, "model A{i} A{j} a; end A{i};", "model A{i} Real x; end A{i};")
                                      + " model M A0 a; end M; end P;"},
    "deep_bases": {"package.mo": "package P " + chain(3000, "model A{i} extends A{j}; end A{i};", "model A{i} Real x; end A{i};")
                                 + " model M extends A0; end M; end P;"},
    "deep_classes": {"package.mo": "package P " + "".join(f"package Q{i} " for i in range(3000)) + "constant Real k = 1; "
                                   + "".join(f"end Q{i}; " for i in reversed(range(3000))) + "model M Real x = 1; end M; end P;"},
    "deep_modifiers": {"package.mo": "package P model M A a" + "(a" * 3000 + "=1" + ")" * 3000 + "; end M; model A Real a; end A; end P;"},
    "deep_expression": {"package.mo": "package P model M Real x = " + "(" * 20000 + "1" + ")" * 20000 + "; end M; end P;"},
    "file_of_another": {"package.mo": "package P end P;", "M.mo": "within P; model N end N;"},
    "folder_in_itself": {"package.mo": "within P; package P extends P; model M extends P.M; end M; end P;"},
    "not_text": {"package.mo": "package P end P;", "M.mo": "\0\1\2\3"},
}


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))


def ask(program, name, files, model):
    """What is wrong with the answer, or None."""
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder) / "P"
        package.mkdir()
        for file, text in files.items():
            (package / file).write_text(text, encoding="utf-8")
        sanitized = "SANITIZED" in os.environ
        p = subprocess.run([program, "check", model, "--path", folder], capture_output=True, check=False,
                           preexec_fn=None if sanitized else limit)
        said = p.stderr.decode("utf-8", "replace").strip()
        if p.returncode not in STATUSES or (p.returncode and not said) or b"Sanitizer" in p.stderr:
            return f"{name}: exit {p.returncode}, {said[-300:] or 'nothing said'}"
    return None


def changed(text, dice):
    lines = text.splitlines()
    for _ in range(dice.randint(1, 4)):
        k, j = dice.randrange(len(lines)), dice.randrange(len(lines))
        kind = dice.randrange(5)
        if kind == 0 and len(lines) > 3:
            del lines[k]
        elif kind == 1:
            lines.insert(k, lines[j])
        elif kind == 2:
            lines[k], lines[j] = lines[j], lines[k]
        else:
            names = [m for m in NAME.finditer(lines[k]) if m[0] not in KEYWORDS]
            others = [x for x in NAME.findall(text) if x not in KEYWORDS]
            if names and others:
                m = dice.choice(names)
                lines[k] = lines[k][:m.start()] + dice.choice(others) + lines[k][m.end():]
    return "\n".join(lines)


def random_package(rules, dice):
    """The classes of a rule, changed, some of them in files of their own."""
    text = re.sub(r"^//.*\n", "", dice.choice(rules), flags=re.M)
    text = changed(text, dice)
    files, inside = {}, []
    for part in re.split(r"(?m)^(?=\w[^\n]*$)(?!end\b|equation\b|algorithm\b|protected\b|public\b|initial\b)", text):
        head = re.match(r"(?:partial |expandable |encapsulated |operator )*(?:model|package|function|record|connector|block|type) (\w+)", part)
        if head and dice.random() < 0.5:
            files[head[1] + ".mo"] = "within P;\n" + part
        else:
            inside.append(part)
    files["package.mo"] = "package P\n" + "\n".join(inside) + "\nend P;\n"
    return files


def main():
    program, seed = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 150
    rules = [x.read_text(encoding="utf-8") for x in sorted(HERE.glob("*.mo"))]
    wrong = [ask(program, name, files, "P.M") for name, files in BOMBS.items()]
    for k in range(rounds):
        dice = random.Random(seed * 1000003 + k)
        wrong.append(ask(program, f"seed {seed}, package {k}", random_package(rules, dice), "P.Top"))
    wrong = [x for x in wrong if x]
    print("\n".join(wrong + [f"{len(BOMBS) + rounds - len(wrong)} of {len(BOMBS) + rounds} packages are answered"]))
    sys.exit(1 if wrong else 0)


main()
