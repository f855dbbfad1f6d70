#!/usr/bin/env python3
"""soak.py - the kinds of soak tests behind one command: make soak ARGS="..."

usage: soak.py BUILD [--kind functions|models|texts[,...]] [--minutes M] [--seed FIRST] [other arguments of the kind]

functions  random_systems.c: random systems as C functions, index 0 to 3 (--index K)
models     random_models.py: random model texts with known solutions (--part NAME, --out DIR, --methods ...)
texts      fuzz_pipeline: texts of a grammar and changes of their tokens, read, analysed and run briefly with the
           sanitizers (build-check/sanitize, built if need be): no crash, no leak, no error without a place
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


def run_texts(build, options, others):
    """A text that crashes or takes more than 20 s a step stays in BUILD/soak_text.mo."""
    folder = os.path.join("build-check", "sanitize")
    with open(os.path.join(build, "soak.log"), "w") as log:
        for command in (["cmake", "--preset", "sanitize"], ["cmake", "--build", folder, "-j2", "--target", "fuzz_pipeline"]):
            if subprocess.call(command, stdout=log, stderr=log) != 0:
                print(f"{' '.join(command)} failed, see {log.name}")
                return 1
    keep, seconds = os.path.join(build, "soak_text.mo"), max(1, round(60 * options.minutes))
    try:
        status = subprocess.call([os.path.join(folder, "tests", "fuzz", "fuzz_pipeline"), "--seconds", str(seconds), "--seed",
                                  str(options.seed), "--keep", keep] + others, timeout=seconds + 60)
    except subprocess.TimeoutExpired:
        status = 1
    if status != 0:
        print(f"status {status}; the text is in {keep}")
    return int(status != 0)


KINDS = {"functions": run_functions, "models": run_models, "texts": run_texts}


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("build")
    a.add_argument("--kind", default="functions,models")
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
