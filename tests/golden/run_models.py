#!/usr/bin/env python3
"""run_models.py DAEDAL [NAME...] - every model of models/ gives its reference value.

Each file has a line
    // reference: VARIABLE = VALUE at t = T, tolerance REL
and is solved with its own experiment's tolerance; REL is relative to VALUE.
"""
import csv
import re
import subprocess
import sys
import time
from pathlib import Path

MODELS = Path(__file__).resolve().parents[2] / "models"
LINE = re.compile(r"^// reference: (\S+) = (\S+) at t = (\S+), tolerance (\S+)$", re.M)
SECONDS = 120


def value(program, path, variable, t):
    """The value of a variable at the end of a run to t."""
    run = subprocess.run([program, "solve", path, "--at", t, "--vars", variable],
                         capture_output=True, text=True, timeout=SECONDS)
    if run.returncode:
        first = (run.stderr.strip().splitlines() or ["no message"])[0]
        raise ValueError(f"exit {run.returncode}: {first}")
    rows = [row for row in csv.reader(run.stdout.splitlines()) if row]
    if rows[0] != ["time", variable] or len(rows) != 2 or float(rows[1][0]) != float(t):
        raise ValueError(f"unexpected rows: {rows[:3]}")
    return float(rows[1][1])


def check(program, path):
    """None if the model is right, else what is wrong."""
    found = LINE.findall(path.read_text())
    if not found:
        return "has no `// reference:` line"
    for variable, reference, t, tolerance in found:
        try:
            got, want = value(program, path, variable, t), float(reference)
        except (ValueError, IndexError, subprocess.TimeoutExpired) as wrong:
            return str(wrong)
        if not abs(got - want) <= float(tolerance) * abs(want):
            return f"{variable} = {got!r} at t = {t}, not {reference} (relative {abs(got / want - 1):.1e})"
    return None


def main():
    program, names = sys.argv[1], sys.argv[2:]
    failed = count = 0
    for path in sorted(MODELS.glob("*.mo")):
        if names and path.stem not in names:
            continue
        began = time.monotonic()
        wrong = check(program, path)
        count += 1
        failed += wrong is not None
        print(f"{'FAILED' if wrong else 'ok':7}{time.monotonic() - began:6.2f} s  {path.stem}"
              + (f": {wrong}" if wrong else ""), flush=True)
    print(f"{count - failed} of {count} models give their reference value")
    sys.exit(failed > 0 or count == 0)


if __name__ == "__main__":
    main()
