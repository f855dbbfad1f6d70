#!/usr/bin/env python3
"""page.py - run the examples of docs/failures.md: each must be told to have the cause it stands under.

usage: page.py PROGRAM

PROGRAM is the daedal of a build directory.  A section of the page is `## `cause``; its examples are
models, whose first line has the flags of the run.  C programs print the cause, and what they print
is compared by tools/check_snippets.py.  Each cause of daedal.h must have a section with an example.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SECTION = re.compile(r"^## `(\w+)`\n(.*?)(?=^## |\Z)", re.M | re.S)
BLOCK = re.compile(r"^```(modelica|c)\n(.*?)^```$", re.M | re.S)
FLAGS = re.compile(r"// daedal solve (\S+) (.*)")


def causes():
    header = (ROOT / "include/daedal.h").read_text()
    return re.findall(r'X\(DAEDAL_CAUSE_\w+,\s*[1-9]\d*,\s*"(\w+)"', header)


def told(program, text, folder):
    """The cause that a run of the model tells, in a diagnosis or in a warning."""
    name, flags = FLAGS.match(text).groups()
    path = folder / name
    path.write_text(text)
    done = subprocess.run([program, "solve", str(path), *flags.split(), "--json", "-o", str(folder / "out.csv")],
                          capture_output=True, text=True, timeout=60)
    result = json.loads(done.stdout)
    if result["diagnosis"]:
        return result["diagnosis"]["cause"]
    return next((w["cause"] for w in result["warnings"] if w["cause"]), None)


def main():
    sections = dict(SECTION.findall((ROOT / "docs/failures.md").read_text()))
    errors = [f"{c}: no section" for c in causes() if c not in sections]
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        for cause, text in sections.items():
            blocks = BLOCK.findall(text)
            if not blocks:
                errors.append(f"{cause}: no example")
            for kind, code in blocks:
                count += 1
                found = told(sys.argv[1], code, pathlib.Path(folder)) if kind == "modelica" else cause
                if found != cause:
                    errors.append(f"{cause}: the example is told to be {found}")
    print("\n".join(errors + [f"{count} examples, {len(errors)} errors"]))
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
