#!/usr/bin/env python3
"""run_counts.py DAEDAL [--update] [NAME...] - what runs cost, in steps, calls and factorizations.

Each line of counts.txt is a model of models/, or of tests/rules/ if its name begins with @, flags of
`daedal solve`, and the counts of KEYS that the run had.  They may differ by TOLERANCE, or by one: a rule of step or order
control, of an iteration or of an event search that breaks changes them by more.  A last bit, as of another libm, can change
a single run as much: a run that differs is repeated with relative tolerances that differ in their thirteenth digit, and most
of these runs must differ, too.  NAMEs are models.

--update measures all lines anew, and drops those whose counts depend on the last bits: each is run
a few times with a relative tolerance that differs in its thirteenth digit.
"""
import argparse
import concurrent.futures
import json
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
TABLE = HERE / "counts.txt"
MODELS, RULES = HERE.parents[1] / "models", HERE.parent / "rules"
KEYS = "steps", "rejected", "residuals", "jacobians", "factorizations", "events"
TOLERANCE, STABLE, SECONDS, WORKERS = 0.02, 0.005, 60, 2
NUDGES = 1.0 + 1e-13, 1.0 - 1e-13, 1.0 + 3e-13, 1.0 + 1e-12
ALIKE = 3  # of the NUDGES
HEAD = f"""# What runs cost: model, flags: {' '.join(KEYS)}.  See run_counts.py, which writes this file.
"""


def read_table():
    rows = []
    for line in TABLE.read_text().splitlines():
        if line and not line.startswith("#"):
            run, counts = line.split(":")
            rows.append((tuple(run.split()), [int(x) for x in counts.split()]))
    return rows


def path_of(name):
    return str(RULES / f"{name[1:]}.mo" if name.startswith("@") else MODELS / f"{name}.mo")


def solve(program, run, nudge=None):
    """The counts of a run, or None if it fails."""
    name, *flags = run
    command = [program, "solve", path_of(name), *flags]
    if nudge is not None:
        command += ["--rtol", repr(nudge)]
    try:
        done = subprocess.run([*command, "--json"], capture_output=True, text=True, timeout=SECONDS,
                              env={**os.environ, "OPENBLAS_NUM_THREADS": "1"})
    except subprocess.TimeoutExpired:
        return None
    if done.returncode:
        return None
    told = json.loads(done.stdout)
    return [told[key] for key in KEYS]


def close(got, want, tolerance):
    return got is not None and all(
        abs(a - b) <= max(1, tolerance * max(a, b)) for a, b in zip(got, want))


def given_rtol(program, run):
    """The tolerance that a run has without a nudge."""
    flags = list(run[1:])
    if "--rtol" in flags:
        return float(flags[flags.index("--rtol") + 1])
    command = [program, "solve", path_of(run[0]), *flags, "--stats", "--quiet"]
    told = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS).stderr
    return next((float(x.split()[1]) for x in told.splitlines() if x.split()[:1] == ["rtol"]), 1e-6)


def measure(program, run):
    """The counts of a run, or None if they depend on the last bits."""
    want, rtol = solve(program, run), given_rtol(program, run)
    stable = want is not None and all(
        close(solve(program, run, rtol * nudge), want, STABLE) for nudge in NUDGES)
    return want if stable else None


def differs(program, run, want):
    """The counts of a run that differs from what it should cost, and does not by a last bit; or None."""
    got = solve(program, run)
    if close(got, want, TOLERANCE):
        return None
    rtol = given_rtol(program, run)
    alike = sum(close(solve(program, run, rtol * nudge), want, TOLERANCE) for nudge in NUDGES)
    return None if alike >= ALIKE else [got]


def update(program, rows, pool):
    found = pool.map(lambda row: measure(program, row[0]), rows)
    lines = []
    for (run, _), counts in zip(rows, found):
        if counts:
            lines.append(f"{' '.join(run)}: {' '.join(map(str, counts))}\n")
        else:
            print(f"dropped: {' '.join(run)}")
    TABLE.write_text(HEAD + "".join(lines))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--update", action="store_true")
    options = parser.parse_intermixed_args()
    program = str(Path(options.program).resolve())
    rows = [r for r in read_table() if not options.names or r[0][0] in options.names]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        if options.update:
            update(program, rows, pool)
            return
        for (run, want), found in zip(rows, pool.map(lambda row: differs(program, *row), rows)):
            if found:
                failed += 1
                print(f"{' '.join(run)}: {' '.join(KEYS)} are {found[0]}, not {want}")
    print(f"{len(rows) - failed} of {len(rows)} runs cost what they did")
    sys.exit(failed > 0 or not rows)


if __name__ == "__main__":
    main()
