#!/usr/bin/env python3
"""run_starts.py DAEDAL [--update] [NAME...] - where models start.

Each line of starts.txt is a model (of models/ or tests/rules/), flags of `daedal init`, and what that
answers: values of the first variables, which start values moved, what was left open; or the cause of
the failure and the equations, variables and lines that are named.  Numbers may differ by TOLERANCE.  NAMEs are models.  --update measures all lines anew.
"""
import argparse
import concurrent.futures
import json
import os
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
TABLE = HERE / "starts.txt"
FOLDERS = HERE.parents[1] / "models", HERE.parent / "rules"
TOLERANCE, SECONDS, WORKERS, VARIABLES = 1e-5, 30, 2, 8
HEAD = """# Where models start: model, flags: answer of `daedal init`.  Written by run_starts.py.
"""


def read_table():
    lines = [line.split(": ", 1) for line in TABLE.read_text().splitlines() if line[:1] != "#"]
    return [(tuple(run.split()), json.loads(answer)) for run, answer in lines]


def start(program, run):
    """What `daedal init` answers, as far as it is compared."""
    name, *flags = run
    path = next(f / f"{name}.mo" for f in FOLDERS if (f / f"{name}.mo").is_file())
    try:
        done = subprocess.run([program, "init", str(path), *flags, "--json"], capture_output=True,
                              text=True, timeout=SECONDS,
                              env={**os.environ, "OPENBLAS_NUM_THREADS": "1"})
        told = json.loads(done.stdout)
    except (subprocess.TimeoutExpired, ValueError) as problem:
        return {"status": type(problem).__name__}
    if done.returncode:
        why = told["diagnosis"]
        return {"status": told["status"], "cause": why["cause"], "equations": why["equations"],
                "variables": why["variables"], "lines": re.findall(r"line (\d+)", why["message"]),
                "times": re.findall(r"t = (\S*\w)", why["message"])}
    first = list(told["values"].items())[:VARIABLES]
    return {"values": dict(first), "moved": told["start_moved"], "open": told["start_open"]}


def close(a, b):
    """Equal but for the last digits of numbers."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(close(a[k], b[k]) for k in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(close, a, b))
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return abs(a - b) <= TOLERANCE * max(1.0, abs(a), abs(b))
    return a == b


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--update", action="store_true")
    options = parser.parse_intermixed_args()
    program = str(Path(options.program).resolve())
    rows = [r for r in read_table() if not options.names or r[0][0] in options.names]
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        answers = list(pool.map(lambda row: start(program, row[0]), rows))
    if options.update:
        TABLE.write_text(HEAD + "".join(f"{' '.join(run)}: {json.dumps(answer)}\n"
                                        for (run, _), answer in zip(rows, answers)))
        return
    failed = 0
    for (run, want), got in zip(rows, answers):
        if not close(want, got):
            failed += 1
            print(f"{' '.join(run)}: {json.dumps(got)}, not {json.dumps(want)}")
    print(f"{len(rows) - failed} of {len(rows)} models start where they did")
    sys.exit(failed > 0 or not rows)


if __name__ == "__main__":
    main()
