#!/usr/bin/env python3
"""run.py - run the corpus of causes and print how many were told rightly.

usage: run.py PROGRAM [--half open|sealed|all] [--only NAME] [--every N] [--include DIR] [--verbose]

PROGRAM is the daedal of a build directory; functions.c is compiled against the library that lies
beside it.  Each problem gets 20 seconds.  README.md says what the problems are and what counts.
Exit status 0: at least 95 % of the faulty problems right and every healthy one solved, without
an accusation; else 1.
"""
import argparse
import collections
import csv
import json
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
CAUSES = """inconsistent_start no_solution high_index redundant_equations undetermined_variable
structure impasse discontinuity chattering event_accumulation event_iteration contradiction
wrong_jacobian missed_sparsity bad_scaling tolerance_too_small domain_error blow_up branch_jump
bounds assertion callback_failed too_much_work text""".split()
NONE_TOLD = "none told"  # the run failed without a cause of this list
SECONDS = 20
BAR = 0.95
FIELD = re.compile(r"(problem|cause|culprits|time|expect|or|run|why): (.*)")
VALUE = re.compile(r"\s*(.+)\(([-\w.+]+)\) = (\S+) \+- (\S+)")
CAUSE_OF = "CAUSE_OF(d)=daedal_cause_name((d)->cause)"  # the accessor of the cause, once it exists


class Problem:
    """What the head of a file, or of a problem in a file of functions, says."""

    def __init__(self, name, file, fields):
        self.name = name
        self.file = file  # None: a C function
        self.accepted = [c.strip() for c in fields["cause"].split("|")]
        self.cause = self.accepted[0]
        self.culprits = [c.strip() for c in fields.get("culprits", "").split(",") if c.strip()]
        self.values = [read_value(v) for v in fields.get("expect", fields.get("or", "")).split(";") if v.strip()]
        self.time = read_time(fields["time"]) if "time" in fields else None
        self.arguments = fields.get("run", "").split()
        if any(c not in CAUSES + ["none"] for c in self.accepted):
            sys.exit(f"{name}: unknown cause in {self.accepted}")
        if self.cause == "none" and not self.values:
            sys.exit(f"{name}: a healthy problem needs an expected value")


class Outcome:
    """What a run said: told is a cause, "none" (solved, nothing said), or NONE_TOLD."""

    def __init__(self, told, words="", time=None, values=None, trouble=""):
        self.told, self.words, self.time, self.trouble = told, words, time, trouble
        self.values = values or (lambda name, t: None)  # of a variable at a time


def read_value(text):
    match = VALUE.fullmatch(text)
    if not match:
        sys.exit(f"not a value: {text}")
    return match[1].strip("'"), float(match[2]), float(match[3]), float(match[4])


def read_time(text):
    time, _, width = text.partition("+-")
    return float(time), float(width or 0)


def read_fields(lines):
    """Fields 'key: text', continued on lines without a key."""
    fields = {}
    key = None
    for line in lines:
        match = FIELD.match(line.strip())
        if match:
            key = match[1]
            fields[key] = match[2]
        elif key:
            fields[key] += " " + line.strip()
    return fields


def read_model(path):
    head = []
    for line in path.read_text().splitlines():
        if not line.startswith("//"):
            break
        head.append(line[2:])
    return Problem(path.stem, path, read_fields(head))


def read_functions(path):
    for comment in re.findall(r"/\* (problem: .*?)\*/", path.read_text(), re.S):
        fields = read_fields(line.strip().lstrip("*") for line in comment.splitlines())
        yield Problem(fields["problem"].strip(), None, fields)


def read_half(half):
    folder = HERE / half
    models = [read_model(p) for p in sorted(folder.glob("*.mo"))]
    return models + [f for p in sorted(folder.glob("*_functions.h")) for f in read_functions(p)]


def compile_functions(program, include, folder):
    """functions.c, linked with the library beside the program."""
    library = program.parent
    has_cause = "daedal_cause_name" in (include / "daedal.h").read_text()
    target = folder / "functions"
    subprocess.run(["cc", "-std=c11", "-O1", f"-I{include}", *(["-D" + CAUSE_OF] if has_cause else []),
                    str(HERE / "functions.c"), "-o", str(target), f"-L{library}", "-ldaedal",
                    f"-Wl,-rpath,{library}", "-lm"], check=True)
    return target


def run_command(command):
    """(exit status or None, stdout, stderr); None after the time limit."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, errors="replace")
        return done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired:
        return None, "", ""


def parse(status, out):
    """(the JSON object, trouble): one of them is empty."""
    if status is None:
        return None, f"no answer within {SECONDS} s"
    if status < 0:
        return None, f"crash: signal {-status}"
    try:
        return json.loads(out), ""
    except ValueError:
        return None, f"exit {status} without a JSON object: {out[:80]!r}"


def warnings_with_cause(result):
    return [w for w in result.get("warnings") or [] if isinstance(w, dict) and w.get("cause") in CAUSES]


def values_of_csv(path):
    """A function (name, time) -> the last value written for this time, or None."""
    rows = list(csv.reader(path.open())) if path.exists() else []
    if len(rows) < 2:
        return None
    names = {n.strip("'"): i for i, n in enumerate(rows[0])}

    def value(name, time):
        found = [r for r in rows[1:] if abs(float(r[0]) - time) <= 1e-9 * max(1e-6, abs(time))]
        return float(found[-1][names[name]]) if found and name in names else None
    return value


def run_model(problem, program, folder):
    target = folder / "result.csv"
    target.unlink(missing_ok=True)
    status, out, err = run_command([str(program), "solve", str(problem.file), "--json", "-o", str(target),
                                    *problem.arguments])
    result, trouble = parse(status, out)
    if trouble:
        return Outcome(NONE_TOLD, trouble=trouble)
    diagnosis = result.get("diagnosis")
    warned = warnings_with_cause(result)
    if diagnosis:
        told = diagnosis.get("cause") if diagnosis.get("cause") in CAUSES else NONE_TOLD
        words = json.dumps(diagnosis)
    else:
        told = warned[0]["cause"] if warned else "none" if result["status"] == "solved" else NONE_TOLD
        words = json.dumps(result.get("warnings")) + err
    time = (diagnosis or (warned[0] if warned else {})).get("t")
    return Outcome(told, words, time, values_of_csv(target))


def run_function(problem, functions):
    status, out, _ = run_command([str(functions), problem.name])
    result, trouble = parse(status, out)
    if trouble:
        return Outcome(NONE_TOLD, trouble=trouble)
    cause = result["cause"] if result["cause"] in CAUSES else None
    failed = result["status"] not in ("DAEDAL_OK", "DAEDAL_AT_STOP_TIME")
    told = cause or (NONE_TOLD if failed else "none")
    words = " ".join(str(result[k]) for k in ("message", "hint", "variable", "equation"))
    time = result["failed_at"] if failed or cause else None

    def value(name, time):
        near = result["t"] is not None and abs(result["t"] - time) <= 1e-9 * max(1e-6, abs(time))
        return result["values"].get(name) if near else None
    return Outcome(told, f"{result['status']} {words}", time, value)


def wrong_values(problem, outcome):
    """The expected values that did not come out, as text."""
    for name, time, expected, width in problem.values:
        value = outcome.values(name, time)
        if value is None or not abs(value - expected) <= width:
            yield f"{name}({time:g}) = {value}, expected {expected:.10g}"


def miss(problem, outcome):
    """Why the outcome is wrong, or "" if it is right."""
    if outcome.trouble:
        return outcome.trouble
    wrong = list(wrong_values(problem, outcome)) if problem.values else ["."]
    if problem.cause == "none":
        if outcome.told != "none":
            return f"healthy, but accused: {outcome.told}: {outcome.words[:240]}"
        return "silently wrong: " + "; ".join(wrong) if wrong else ""
    if outcome.told in problem.accepted or outcome.told == "none" and not wrong:
        return ""
    said = "nothing said" if outcome.told == "none" else f"told: {outcome.told}"
    return f"{said}, expected {' or '.join(problem.accepted)}: {outcome.words[:240]}"


def is_named(problem, outcome):
    return any(re.search(r"(?<!\w)" + re.escape(c) + r"(?!\w)", outcome.words) for c in problem.culprits)


def is_timed(problem, outcome):
    time, width = problem.time
    return outcome.time is not None and abs(outcome.time - time) <= max(width, 1e-9)


def print_matrix(results):
    """Rows: what is true; columns: what was told."""
    counts = collections.Counter((p.cause, o.told) for p, o, _ in results)
    rows = [c for c in CAUSES + ["none"] if any(p.cause == c for p, _, _ in results)]
    columns = [c for c in CAUSES + ["none", NONE_TOLD] if any(o.told == c for _, o, _ in results)]
    print("confusion matrix (rows: the truth, columns: what was told)")
    for i, c in enumerate(columns):
        print(f"  {chr(ord('A') + i)} = {c}")
    print(" " * 22 + "".join(f"{chr(ord('A') + i):>4}" for i in range(len(columns))) + "   right")
    for row in rows:
        these = [m for p, _, m in results if p.cause == row]
        cells = "".join(f"{counts[row, c] or '.':>4}" for c in columns)
        print(f"{row:22}{cells}{sum(not m for m in these):5} of {len(these)}")


def share(name, part, whole):
    print(f"{name}: {part} of {whole}" + (f" ({100 * part / whole:.1f} %)" if whole else ""))


def report(results):
    faulty = [r for r in results if r[0].cause != "none"]
    healthy = [r for r in results if r[0].cause == "none"]
    right = [r for r in faulty if not r[2]]
    told = [r for r in faulty if r[1].told in r[0].accepted]
    print_matrix(results)
    share("\nfaulty problems with the right cause", len(right), len(faulty))
    share("  of these with the first of the causes that fit", sum(o.told == p.cause for p, o, _ in told), len(told))
    share("  with a culprit named", *count(told, is_named, lambda p: p.culprits))
    share("  with the right time", *count(told, is_timed, lambda p: p.time))
    share("healthy problems solved without a word", sum(not m for _, _, m in healthy), len(healthy))
    share("healthy problems accused", sum(o.told != "none" for _, o, _ in healthy), len(healthy))
    for problem, _, why in results:
        if why:
            print(f"MISS {problem.name}: {why}")
    enough = len(right) >= BAR * len(faulty)
    return 0 if enough and not any(m for _, _, m in healthy) else 1


def count(results, holds, applies):
    these = [(p, o) for p, o, _ in results if applies(p)]
    return sum(holds(p, o) for p, o in these), len(these)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--half", choices=["open", "sealed", "all"], default="open")
    parser.add_argument("--only", help="problems whose name contains this")
    parser.add_argument("--every", type=int, default=1, help="the first of every N problems: a quick look")
    parser.add_argument("--include", type=pathlib.Path, default=HERE.parents[1] / "include")
    parser.add_argument("--verbose", action="store_true", help="print what each run said")
    arguments = parser.parse_args()
    program = arguments.program.resolve()
    problems = [p for half in ("open", "sealed") if arguments.half in (half, "all")
                for p in read_half(half)[::arguments.every]]
    results = []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        functions = compile_functions(program, arguments.include, folder)
        for problem in problems:
            if arguments.only and arguments.only not in problem.name:
                continue
            outcome = run_model(problem, program, folder) if problem.file else run_function(problem, functions)
            results.append((problem, outcome, miss(problem, outcome)))
            if arguments.verbose:
                print(f"{problem.name}: [{outcome.told}] t = {outcome.time} {outcome.trouble}{outcome.words}\n", flush=True)
    return report(results)


if __name__ == "__main__":
    sys.exit(main())
