#!/usr/bin/env python3
"""run_rules.py PROGRAM [FILE...] - the rules of the language, one small model each.

Every FILE (default: all *.mo of this folder; a name without .mo will do) is solved by
`PROGRAM solve FILE`, and must give what the comment lines inside it say:
  // expect x(1.5) = 0.25        the value of x at time 1.5; a following `+- 1e-3` says how exactly,
                                relative to max(1, |value|), else TOLERANCE; true is 1, false is 0
  // expect x(1-) = 2            left and right limit at an event: the first and the last of the
  // expect x(1+) = 3            rows that are written for its time
  // expect begin 0 | end 0.5    first and last time written
  // expect rows 5 | events 0    number of rows, and of times written twice
  // expect exit 3               the exit status, else 0; also `exit not 0`
  // expect error 5:9 'text'     a message on stderr; the position (`5`: the line alone) and the
                                text, a part of the message, may each be missing
  // expect warning 'text'       likewise, on a line of stderr that says warning
  // expect no warning           no line of stderr says warning
  // run solve -p k=2            other words than `solve`; FILE comes behind the verb.  Several such
                                lines are several runs, and each must give all that is expected
Values and times may be written as Python writes them, with the functions of its module math.
Values at times come from a run with --at, all the rest from one without.
"""
import argparse
import concurrent.futures
import csv
import io
import math
import os
import re
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOLERANCE = 1e-5
TIME_TOLERANCE = 1e-4  # how far an event may lie from where it is expected
SECONDS, WORKERS = 20, 2

LINE = re.compile(r"^\s*//\s*(expect|run)\b\s*(.*?)\s*$", re.M)
VALUE = re.compile(r"(?P<name>\S.*)\((?P<time>[^()]+?)(?P<side>[-+]?)\)\s*=\s*(?P<value>.+?)"
                   r"(?:\s+\+-\s*(?P<tolerance>\S+))?$")
TABLE = re.compile(r"(?P<what>begin|end|rows|events)\s+(?P<value>\S+)$")
EXIT = re.compile(r"exit\s+(?P<negated>not\s+)?(?P<status>\d+)$")
MESSAGE = re.compile(r"(?P<kind>error|warning)(?:\s+(?P<line>\d+)(?::(?P<column>\d+))?)?"
                     r"(?:\s+'(?P<text>.+)')?$")
NAMES = {**{k: v for k, v in vars(math).items() if not k.startswith("_")}, "true": 1, "false": 0}


def number(text):
    return float(eval(text, {"__builtins__": {}}, NAMES))  # our own files


class Rule:
    """The expectations of one file."""

    def __init__(self, path):
        self.path, self.runs = path, []
        self.status, self.negated, self.is_quiet = 0, False, False
        self.values, self.limits, self.tables, self.messages = [], [], [], []
        lines = LINE.findall(path.read_text(encoding="utf-8"))
        if not any(kind == "expect" for kind, _ in lines):
            raise ValueError("nothing is expected of this file")
        for kind, text in lines:
            if kind == "run":
                self.runs.append(text.split())
            else:
                self.read(text)
        self.runs = self.runs or [["solve"]]

    def read(self, text):
        if found := EXIT.match(text):
            self.status, self.negated = int(found["status"]), bool(found["negated"])
        elif text == "no warning":
            self.is_quiet = True
        elif found := TABLE.match(text):
            self.tables.append((found["what"], number(found["value"])))
        elif found := MESSAGE.match(text):
            self.messages.append((text, found))
        elif found := VALUE.match(text):
            tolerance = number(found["tolerance"]) if found["tolerance"] else TOLERANCE
            entry = (text, found["name"].strip(), number(found["time"]), found["side"],
                     number(found["value"]), tolerance)
            (self.limits if found["side"] else self.values).append(entry)
        else:
            raise ValueError(f"cannot read 'expect {text}'")


# ---- one run ------------------------------------------------------------------------------


def run(program, path, words, more=()):
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "OPENBLAS_NUM_THREADS": "1"}
    command = [program, words[0], str(path), *words[1:], *more]
    return subprocess.run(command, env=environment, capture_output=True, stdin=subprocess.DEVNULL,
                          text=True, errors="replace", timeout=SECONDS)


def plain(name):
    """A column's name without quotes and blanks."""
    return name.replace("'", "").replace(" ", "")


def cell(text):
    return {"true": 1.0, "false": 0.0}[text] if text in ("true", "false") else float(text)


class Table:
    """What a run wrote: times, and columns by name."""

    def __init__(self, text):
        rows = [row for row in csv.reader(io.StringIO(text)) if row]
        names = [plain(name) for name in rows[0]] if rows else []
        self.rows = [[cell(c) for c in row] for row in rows[1:]]
        self.columns = {name: k for k, name in enumerate(names)}
        self.times = [row[0] for row in self.rows]

    def twice(self):
        """Indices of rows whose time is that of the row before or behind."""
        t = self.times
        same = [k for k in range(1, len(t)) if t[k] == t[k - 1]]
        return sorted({k - 1 for k in same} | set(same))

    def row_at(self, t, side):
        """Index of the row at time t, or before (-) or behind (+) the events there; or None."""
        where = self.twice() if side else range(len(self.times))
        reach = TIME_TOLERANCE if side else 1e-9
        unit = min(1.0, max(map(abs, self.times), default=1.0))  # runs may take nanoseconds
        near = [k for k in where if abs(self.times[k] - t) <= reach * max(unit, abs(t))]
        return None if not near else near[-1] if side == "+" else near[0]

    def events(self):
        return len({self.times[k] for k in self.twice()})


# ---- comparison ---------------------------------------------------------------------------


def compare_value(table, entry):
    """What is wrong with one expected value, or None."""
    text, name, t, side, want, tolerance = entry
    column = table.columns.get(plain(name))
    if column is None:
        return f"{text}: no column {name}"
    row = table.row_at(t, side)
    if row is None:
        return f"{text}: no {'event' if side else 'row'} at {t:g}"
    got = table.rows[row][column]
    if abs(got - want) <= tolerance * max(1.0, abs(want)):
        return None
    return f"{text}: got {got:.10g}"


def compare_table(table, what, want):
    if what in ("begin", "end"):
        got = table.times[0 if what == "begin" else -1] if table.times else math.nan
        good = abs(got - want) <= TIME_TOLERANCE * max(1.0, abs(want))
    else:
        got = len(table.rows) if what == "rows" else table.events()
        good = got == want
    return None if good else f"{what} {want:g}: got {got:.10g}"


def says(line, found):
    """Is this line of stderr the message that is expected?"""
    if found["kind"] == "warning" and "warning" not in line.lower():
        return False
    if found["line"]:
        place = re.search(r":(\d+):(\d+):(.*)", line)
        if not place or place[1] != found["line"] or found["column"] not in (None, place[2]):
            return False
        line = place[3]
    return not found["text"] or found["text"].lower() in line.lower()


def compare_end(rule, done):
    """Exit status and messages."""
    wrong = []
    if done.returncode < 0:
        wrong.append(f"killed by signal {-done.returncode}")
    elif (done.returncode == rule.status) == rule.negated:
        wrong.append(f"exit {'not ' * rule.negated}{rule.status}: got {done.returncode}")
    lines = done.stderr.splitlines()
    missing = [text for text, found in rule.messages if not any(says(x, found) for x in lines)]
    wrong += [f"{text}: not said" for text in missing]
    if rule.is_quiet and any("warning" in x.lower() for x in lines):
        wrong.append("no warning: there is one")
    if wrong:
        said = next((x.strip() for x in lines if x.strip()), "nothing")
        wrong[-1] += f" (stderr: {said[:160]})"
    return wrong


def table_of(done, wrong):
    try:
        return Table(done.stdout)
    except (ValueError, IndexError, csv.Error) as problem:
        wrong.append(f"the result cannot be read: {problem}")
        return None


def check_run(program, rule, words):
    """Complaints about one run."""
    wrong = []
    try:
        if rule.values:
            times = sorted({entry[2] for entry in rule.values})
            done = run(program, rule.path, words, ["--at", ",".join(map(repr, times))])
            wrong += compare_end(rule, done)
            table = None if wrong else table_of(done, wrong)
            wrong += [w for e in rule.values if table and (w := compare_value(table, e))]
        if rule.limits or rule.tables or not rule.values:
            done = run(program, rule.path, words)
            wrong += [w for w in compare_end(rule, done) if w not in wrong]
            table = None if wrong or not (rule.limits or rule.tables) else table_of(done, wrong)
            wrong += [w for e in rule.limits if table and (w := compare_value(table, e))]
            wrong += [w for e in rule.tables if table and (w := compare_table(table, *e))]
    except subprocess.TimeoutExpired:
        wrong.append(f"no answer within {SECONDS} s")
    return [f"{' '.join(words)}: {w}" for w in wrong] if len(rule.runs) > 1 else wrong


def check(program, path):
    """Complaints about one file."""
    try:
        rule = Rule(path)
    except (ValueError, ArithmeticError, SyntaxError, NameError, OSError) as problem:
        return [str(problem)]
    return [wrong for words in rule.runs for wrong in check_run(program, rule, words)]


def find(name):
    path = Path(name)
    return path if path.is_file() else HERE / (path.name if path.suffix == ".mo" else f"{name}.mo")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    if not os.access(options.program, os.X_OK):
        sys.exit(f"{options.program} cannot be run")
    program = str(Path(options.program).resolve())
    paths = [find(name) for name in options.files] or sorted(HERE.glob("*.mo"))
    began, failed = time.monotonic(), 0
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        for path, wrong in zip(paths, pool.map(lambda p: check(program, p), paths)):
            failed += bool(wrong)
            for what in wrong:
                print(f"{path.name}: {what}")
    print(f"{len(paths) - failed} of {len(paths)} rules hold ({time.monotonic() - began:.1f} s)")
    sys.exit(failed > 0 or not paths)


if __name__ == "__main__":
    main()
