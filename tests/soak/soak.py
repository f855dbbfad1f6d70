#!/usr/bin/env python3
"""soak.py - the kinds of soak tests behind one command: make soak ARGS="..."

usage: soak.py BUILD [--kind functions|models|texts[,...]] [--minutes M] [--seed FIRST] [other arguments of the kind]

functions  random_systems.c: random systems as C functions, index 0 to 3 (--index K)
models     random_models.py: random model texts with known solutions (--part NAME, --out DIR, --methods ...)
Each kind gets M minutes (1 without --minutes and --count).  README.md says how to read the reports.
"""
import argparse
import os
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))


def run_functions(build, options, others):
    program = os.path.join(build, "tests", "soak_random_systems")
    until, status, seed = time.monotonic() + 60 * options.minutes, 0, options.seed
    while time.monotonic() < until:
        status |= subprocess.call([program, "--seed", str(seed), "--count", "50"] + others)
        seed += 50
    return status


def run_models(build, options, others):
    return subprocess.call([sys.executable, "-B", os.path.join(HERE, "random_models.py"), os.path.join(build, "daedal"), "--seed",
                            str(options.seed), "--minutes", str(options.minutes), "--out", os.path.join(build, "soak")] + others)


KINDS = {"functions": run_functions, "models": run_models}


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("build")
    a.add_argument("--kind", default=",".join(KINDS))
    a.add_argument("--minutes", type=float, default=1.0)
    a.add_argument("--seed", type=int, default=1)
    options, others = a.parse_known_args()
    status = 0
    for kind in options.kind.split(","):
        if kind not in KINDS:
            a.error(f"unknown kind {kind}; the kinds are {', '.join(KINDS)}")
        print(f"---- {kind}, from seed {options.seed}, {options.minutes:g} minutes", flush=True)
        status |= KINDS[kind](options.build, options, others)
    return status


if __name__ == "__main__":
    sys.exit(main())
