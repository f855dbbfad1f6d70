#!/usr/bin/env python3
"""run_flatten.py PROGRAM - flat models written as text behave as the models they come from.

Every rule of this folder that expects values is written by `PROGRAM flatten`; the text, with the
expectations of the rule above it, must be a rule that holds (tests/rules/run_rules.py).  Flattening
it once more must give the same text.
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
RULES = HERE.parent / "rules" / "run_rules.py"
SKIPPED = ("// run ", "// expect exit", "// expect error", "// expect warning")


def flatten(program, path):
    done = subprocess.run([program, "flatten", str(path), "--quiet"], capture_output=True, text=True,
                          timeout=20)
    if done.returncode != 0:
        sys.exit(f"{path.name}: flatten fails: {done.stderr.strip()}")
    return done.stdout


def classes(text):
    """The classes of a flat text.  They stand in the order in which sizes and equations need them,
    and sizes of components are known when the flat text is read."""
    return sorted(re.findall(r"^[a-z].*?^end '[^']*';$", text, flags=re.DOTALL | re.MULTILINE))


def main():
    program = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for path in sorted(HERE.glob("*.mo")):
            lines = path.read_text(encoding="utf-8").splitlines()
            comments = [line for line in lines if line.startswith("//")]
            if any(line.startswith(SKIPPED) for line in comments):
                continue
            flat = Path(folder) / path.name
            flat.write_text("\n".join(comments) + "\n" + flatten(program, path), encoding="utf-8")
            if classes(flatten(program, flat)) != classes(flatten(program, path)):
                sys.exit(f"{path.name}: the flat text is written differently when it is read again")
            files.append(str(flat))
        if len(files) < 40:
            sys.exit(f"only {len(files)} rules expect values")
        sys.exit(subprocess.run([sys.executable, "-B", str(RULES), program, *files]).returncode)


main()
