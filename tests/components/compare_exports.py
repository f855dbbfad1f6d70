#!/usr/bin/env python3
"""compare_exports.py PROGRAM MODELS LIBRARY [PATTERN] [--list] - flat models against exported ones.

MODELS is a folder with flat models NAME.bmo (or NAME.mo) that another tool has exported, LIBRARY the
directory of the Modelica library from which NAME is put together.  Of both are compared: the names of
parameters, constants and variables, the values of parameters, the number of equations.  Every
difference is put into a class below, which has its reason; what fits none is printed as unexplained,
and the exit status is then 1.
"""
import argparse
import collections
import concurrent.futures
import json
import math
import re
import subprocess
import sys
from pathlib import Path

SECONDS, CLOSE = 60, 1e-9
REASONS = {
    "unreadable export": "the exporter failed there: the model is empty or cannot be read",
    "enumeration subscripts": "a[Type.literal] is a[1] here",
    "infinity": "ModelicaServices.Machine.inf belongs to each tool: 1e60, or the largest number here",
}


def ask(program, verb, *words):
    done = subprocess.run([program, verb, *words, "--json"], capture_output=True, text=True,
                          timeout=SECONDS, errors="replace")
    return json.loads(done.stdout) if done.returncode == 0 else None


def plain(name):
    """Subscripts by literals of enumerations have no common spelling: a['E'.'x'] is a[1] here."""
    return re.sub(r"\[('.*|[\d,]*)\]$", "[#]", name)


def describe(program, *words):
    found, structure = ask(program, "describe", *words, "--all"), ask(program, "analyze", *words)
    if found is None or structure is None:
        return None
    values = {x["name"]: x["value"] for x in found["parameters"]}
    names = set(values) | {x["name"] for x in found["variables"]}
    names |= {x["name"] for part in ("states", "inputs", "outputs") for x in found[part]}
    return names, values, structure["equations"]


def same(a, b):
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return a == b or abs(a - b) <= CLOSE * max(abs(a), abs(b))
    return a == b or a is None or b is None


def is_infinite(a, b):
    numbers = [abs(x) for x in (a, b) if isinstance(x, (int, float))]
    return len(numbers) == 2 and min(numbers) >= 1e59


def compare(program, path, library):
    """The differences of one model: (class, text)."""
    name = path.stem
    export, own = describe(program, str(path)), describe(program, name, "--path", library)
    if export is None:
        return [("unreadable export", name)], 0
    if own is None:
        return [("refused", name)], 0
    found = []
    lost, new = export[0] - own[0], own[0] - export[0]
    there, here = (collections.Counter(map(plain, x)) for x in (lost, new))
    for kind, names in (("name lost", lost), ("name added", new)):
        for x in sorted(names):
            is_spelling = there[plain(x)] == here[plain(x)]
            found.append(("enumeration subscripts" if is_spelling else kind, x))
    for x in sorted(set(export[1]) & set(own[1])):
        a, b = export[1][x], own[1][x]
        if not same(a, b):
            found.append(("infinity" if is_infinite(a, b) else "value", f"{x}: {a} there, {b} here"))
    if export[2] != own[2]:
        found.append(("equations", f"{export[2]} there, {own[2]} here"))
    return found, len(export[1])


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("program")
    p.add_argument("models")
    p.add_argument("library")
    p.add_argument("pattern", nargs="?", default="")
    p.add_argument("--list", action="store_true", help="print all differences")
    a = p.parse_args()
    paths = sorted(x for x in Path(a.models).iterdir() if x.suffix in (".mo", ".bmo") and a.pattern in x.name)
    counts, models, equal, values, unexplained = collections.Counter(), {}, 0, 0, 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = pool.map(lambda x: compare(a.program, x, a.library), paths)
        for path, (found, n) in zip(paths, results):
            values += n
            equal += not found
            for kind, text in found:
                counts[kind] += 1
                models.setdefault(kind, set()).add(path.stem)
                unexplained += kind not in REASONS
                if a.list or kind not in REASONS:
                    print(f"{path.stem}: {kind}: {text}", flush=True)
    print(f"{equal} of {len(paths)} models agree in all names, parameter values and the number of equations; "
          f"{values} values compared")
    for kind, n in counts.most_common():
        print(f"  {n:6} {kind}, in {len(models[kind])} models: {REASONS.get(kind, 'not explained')}")
    sys.exit(unexplained > 0)


main()
