#!/usr/bin/env python3
"""make_msl_page.py FOLDER --program DAEDAL [--limit S] [--out PAGE] - docs/msl.md from runs of library models.

FOLDER has models/*.bmo (Base Modelica), reference/*.csv (signals over time), envelope/*.csv (their
ranges where rows were left out), compare.py, which compares a result with a reference, and
incomplete.txt, the models whose text lacks something.  It is no part of the repository.
"""
import argparse
import csv
import importlib.util
import re
import resource
import signal
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]
TOLERANCES = (0.02, 1e-6, 0.002)  # of compare.py: relative, absolute, in time
REMARK_MOST = 200
ORDER = ("differs", "failed", "match", "incomplete")

INTRO = """# Models of the Modelica Standard Library

This page is written by `tools/make_msl_page.py`, which solves the example models of the Modelica Standard Library 4.1.0, exported as Base Modelica by OpenModelica, and
compares them with the reference results of the Modelica Association, signal by signal. A signal matches if it stays within 2 % of its range of the reference.
Times are CPU seconds of the whole program on one core of a shared machine, so that only their order of size means something.

| result | models |
|---|---|
| match | {match} of {tried} |
| differs: the run ends, but some signal is off | {differs} |
| failed: no result, with the reason | {failed} |
| incomplete: the export lacks the body of a function that the model calls; not tried | {incomplete} |
"""


def load_compare(folder):
    spec = importlib.util.spec_from_file_location("compare", folder / "compare.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.compare


def children_seconds():
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime


def solve(program, model, reference, out, limit):
    """(exit status, or None where the CPU time was too long; first line said; CPU seconds)"""
    seconds = int(limit)
    with open(reference, newline="") as f:
        rows = [row for row in csv.reader(f) if row]
    names = out.with_suffix(".names")
    names.write_text("\n".join(rows[0][1:]) + "\n")
    before = children_seconds()
    run = subprocess.run([program, "solve", model, "--start", rows[1][0], "-t", rows[-1][0], "--vars",
                          f"@{names}", "-o", out, "--quiet"], capture_output=True, text=True,
                         errors="replace", check=False, cwd=out.parent,  # some models write files
                         preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1)))
    if run.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return None, f"stopped after {seconds} s", children_seconds() - before
    said = (run.stderr or run.stdout).strip().splitlines()
    return run.returncode, said[0] if said else "", children_seconds() - before


def shortened(said):
    """Without folders, and not longer than a line of a table should be."""
    text = re.sub(r"(?:/[\w .+-]+)+/", "", said).replace("|", "\\|")
    return text if len(text) <= REMARK_MOST else text[:REMARK_MOST] + " ..."


def judge(compare, out, reference, envelope):
    """("match", "") or ("differs", the worst signal)"""
    rows = list(compare(str(out), str(reference), *TOLERANCES, str(envelope) if envelope.exists() else None))
    bad = [row for row in rows if row[1] != "ok"]
    if not bad:
        return "match", ""
    worst = max(bad, key=lambda row: row[2] if row[2] == row[2] else float("inf"))
    return "differs", f"{len(bad)} of {len(rows)} signals, the worst {worst[0]} ({worst[1]}, {worst[2]:.2g})"


def examine(options, compare, model):
    """(result, detail, CPU seconds) of a model"""
    reference = options.folder / "reference" / f"{model.stem}.csv"
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "result.csv"
        code, said, seconds = solve(options.program, model, reference, out, options.limit)
        if code != 0:
            return "failed", said if code is None else f"exit status {code}: {shortened(said)}", seconds
        try:
            result, detail = judge(compare, out, reference, options.folder / "envelope" / reference.name)
        except (OSError, ValueError, IndexError) as error:
            result, detail = "failed", f"the result cannot be compared: {error}"
        return result, detail, seconds


def incomplete_models(folder):
    lines = (folder / "incomplete.txt").read_text().splitlines()
    return {words[0]: " ".join(words[1:]) for words in (line.split() for line in lines)
            if words and not words[0].startswith("#")}


def page(results):
    count = {kind: sum(1 for row in results if row[1] == kind) for kind in ORDER}
    count["tried"] = len(results) - count["incomplete"]
    parts = [INTRO.format(**count)]
    for kind in ORDER:
        rows = [row for row in results if row[1] == kind]
        if not rows:
            continue
        parts.append(f"\n## {kind.capitalize()}\n\n| model | {'seconds | ' if kind != 'incomplete' else ''}"
                     f"remark |\n|---|---|{'---|' if kind != 'incomplete' else ''}\n")
        for name, _, detail, seconds in rows:
            middle = f"{seconds:.2f} | " if kind != "incomplete" else ""
            parts.append(f"| {name} | {middle}{detail} |\n")
    return "".join(parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--limit", type=float, default=60.0, help="CPU seconds a model may take")
    parser.add_argument("--out", type=Path, default=HERE / "docs" / "msl.md")
    options = parser.parse_args()
    options.program = options.program.resolve()
    options.folder = options.folder.resolve()
    compare, lacking, results = load_compare(options.folder), incomplete_models(options.folder), []
    for model in sorted((options.folder / "models").glob("*.bmo")):
        if model.stem in lacking:
            results.append((model.stem, "incomplete", lacking[model.stem], 0.0))
            continue
        kind, detail, seconds = examine(options, compare, model)
        results.append((model.stem, kind, detail, seconds))
    options.out.write_text(page(results))
    print(f"wrote {options.out.name}: {sum(1 for row in results if row[1] == 'match')} models match")


if __name__ == "__main__":
    main()
