#!/usr/bin/env python3
"""run_library.py PROGRAM - the examples of models/library, built from the Modelica Standard Library.

They are solved where a directory of MODELICAPATH has the library (Modelica/package.mo, or
"Modelica 4..."), and must give the values in their comments (tests/rules/run_rules.py).  Without a
library the test is skipped: exit status 77.
"""
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
MODELS = HERE.parents[1] / "models" / "library"


def has_library(directory):
    return any(directory.glob("Modelica/package.mo")) or any(directory.glob("Modelica 4*/package.mo"))


def main():
    path = [Path(x) for x in os.environ.get("MODELICAPATH", "").split(":") if x]
    if not any(has_library(x) for x in path):
        print("skipped: MODELICAPATH names no directory with the Modelica Standard Library")
        sys.exit(77)
    files = sorted(str(x) for x in MODELS.glob("*.mo"))
    rules = HERE.parent / "rules" / "run_rules.py"
    sys.exit(subprocess.run([sys.executable, "-B", str(rules), sys.argv[1], *files]).returncode)


main()
