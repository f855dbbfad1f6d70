#!/usr/bin/env python3
"""random_models.py - random model texts with known solutions, solved by every method.

usage: random_models.py DAEDAL [--seed FIRST] [--count N | --minutes M] [--part NAME[,NAME]] [--methods auto,bdf]
                        [--out DIR] [--limit SECONDS] [--no-shrink] [--verbose] [--show SEED]

A run is WRONG if it succeeds without a warning and a value is off by more than 100 tolerances at an
output point (a tolerance is rtol times the largest value of the variable, plus atol), WARNED if it is
off but there was a warning, REFUSED if a healthy model is not solved (DECLINED if rodas or limex name an index
above 1 as the reason, which varies with the modes), HANG or CRASH.  README.md in this folder
says how to read a report.  The exit status is 1 if there was a wrong run, a crash, a hang, or more than 0.5 % refused.
"""
import argparse
import collections
import csv
import math
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "models"))
import chemical, complementarity, control, control_more, electrical, electrical_more  # noqa: E402
import fluid, manufactured, mechanical, mechanical_more, process_more  # noqa: E402
from choices import Choices  # noqa: E402
from reference import Truth, Unfit  # noqa: E402
from writer import ModelWriter, Number, PartWriter  # noqa: E402

FIELDS = [electrical, mechanical, fluid, control, chemical, manufactured, complementarity,
          electrical_more, mechanical_more, process_more, control_more]
KINDS = {f.__name__: f for field in FIELDS for f in field.KINDS}
METHODS = ["auto", "bdf", "radau", "rodas", "limex"]
TOLERANCES = ["1e-4", "1e-6", "1e-8"]
HARMLESS = ("right", "declined")
DISTURBANCE = 1e-7
AMPLIFICATION = 30.0  # of disturbed data, above which a model is not used


class Case:
    """A model text with its known solution."""

    def __init__(self, seed, fixed=None, kinds=None):
        self.seed = seed
        self.choices = c = Choices(seed, fixed)
        names = kinds or list(KINDS)
        model = ModelWriter(c)
        model.several = len(names) > 0
        self.kinds = []
        parts = []
        for k in range(c.whole("parts", 1, 3)):
            kind = c.pick(f"part{k}", names)
            if c.keep(f"keep{k}"):
                parts.append((f"c{k}", kind))
        model.several = len(parts) > 1
        for label, kind in parts:
            p = PartWriter(model, label)
            p.stop_limit = None
            KINDS[kind](p)
            model.parts.append(p)
            self.kinds.append(kind)
        self.model = model
        limits = [p.stop_limit() for p in model.parts if p.stop_limit]
        self.stop = float(f"{min(limits + [c.number('stop', 2.0, 6.0)]):.3g}")
        self.text, self.new = model.text("")

    def grids(self):
        g = random.Random(f"{self.seed}/grids")
        at = sorted({float(f"{g.uniform(0, self.stop):.4g}") for _ in range(25)} | {self.stop})
        return {"1": [self.stop * k for k in (0, 1)], "7": [self.stop * k / 7 for k in range(8)],
                "1000": [self.stop * k / 1000 for k in sorted(g.sample(range(1001), 40))], "at": at}

    def solve_reference(self):
        # a little further than the stop time: an event there may happen before the last output point or after it
        times = sorted({t for ts in self.grids().values() for t in ts} | {0.0, self.stop * (1 + 1e-9)})
        Number.disturbance = 0.0
        self.truth = Truth(self.model.behaviours(), 0.0, times)
        Number.disturbance = DISTURBANCE
        try:
            other = Truth(self.model.behaviours(), 0.0, times)
        finally:
            Number.disturbance = 0.0
        self.compare_disturbed(other)

    def compare_disturbed(self, other):
        """How much small changes of the data change the solution and the times of events."""
        events = self.truth.events
        if [e[3] for e in events] != [e[3] for e in other.events]:
            raise Unfit("the order of events depends on small changes")
        self.shift = [abs(a[0] - b[0]) / DISTURBANCE for a, b in zip(events, other.events)]
        for a, b in zip(events, events[1:]):
            if 0 < b[0] - a[0] < 1e-3 * self.stop and a[3][0] == b[3][0]:
                raise Unfit("events too close to each other")
        if any(s > AMPLIFICATION * self.stop for s in self.shift):
            raise Unfit("times of events are ill-conditioned")
        jumps = [(e[0], s * DISTURBANCE * 2 + 1e-9) for e, s in zip(events, self.shift)]
        self.sensitivity = {}
        for t, row in self.truth.rows.items():
            if any(abs(t - te) < w for te, w in jumps):
                continue
            for name, v in row.items():
                change = abs(v - other.rows[t].get(name, v)) / DISTURBANCE
                self.sensitivity[name] = max(self.sensitivity.get(name, 0.0), change)
        for name, s in self.sensitivity.items():
            if s > AMPLIFICATION * (self.truth.size[name] + 1e-3):
                raise Unfit(f"{name} is ill-conditioned")

    # ---- judging ----

    def allowed(self, name, rtol):
        size = self.truth.size[name]
        return 100 * rtol * (size + 1e-3) + 10 * rtol * self.sensitivity.get(name, 0.0) + 1e-12 * size

    def near_events(self, t, rtol):
        return [e for e, s in zip(self.truth.events, self.shift)
                if abs(t - e[0]) <= 100 * rtol * (0.2 * self.stop + s) + 1e-9 * self.stop]

    def judge_row(self, t, got, rtol):
        """What is wrong with the values at one time, as (excess, words), or None."""
        want = self.truth.rows[t]
        near = self.near_events(t, rtol)
        worst = None
        for name, v in want.items():
            column = self.new.get(name, name)
            if column not in got:
                continue
            around = [v] + [r[name] for e in near for r in e[1:3]]
            low, high = min(around), max(around)
            off = max(low - got[column], got[column] - high, 0.0)
            if math.isnan(got[column]):
                off = math.inf
            limit = self.allowed(name, rtol)
            if off > limit and (worst is None or off / limit > worst[0]):
                worst = (off / limit, f"{column}({t:.6g}) = {got[column]:.8g}, not {v:.8g}: {off / limit:.3g} times what is allowed")
        return worst

    def judge(self, rows, grid, rtol):
        worst = None
        by_time = collections.defaultdict(list)
        for r in rows:
            by_time[round(r["time"] / self.stop, 9)].append(r)
        for t in self.grids()[grid]:
            found = by_time.get(round(t / self.stop, 9))
            if not found:
                return math.inf, f"no row at t = {t:.9g}"
            wrong = self.judge_row(t, found[-1], rtol)
            if wrong and (worst is None or wrong[0] > worst[0]):
                worst = wrong
        return worst


class Runner:
    def __init__(self, daedal, limit, folder):
        self.daedal, self.limit, self.folder = daedal, limit, folder

    def run(self, case, method, rtol, grid):
        """(kind, words); kind is right, wrong, warned, refused, hang or crash."""
        path, out = os.path.join(self.folder, "m.mo"), os.path.join(self.folder, "m.csv")
        with open(path, "w") as f:
            f.write(case.text)
        if os.path.exists(out):
            os.remove(out)
        points = ["--at", ",".join(map(repr, case.grids()["at"]))] if grid == "at" else ["-n", grid]
        command = [self.daedal, "solve", path, "-t", repr(case.stop), "--rtol", rtol, "--method", method, "-o", out] + points
        status, said = call(command, self.limit)
        if status is None:
            return "hang", f"more than {self.limit:g} s"
        if status < 0 or status > 100:
            return "crash", f"status {status}: {first_line(said)}"
        if status != 0 and method in ("rodas", "limex") and ": the index " in said:
            return "declined", "a mode of the model has an index that the method does not take"
        if status != 0:
            return "refused", f"status {status}: {first_line(said)}"
        wrong = case.judge(read_rows(out), grid, float(rtol))
        if not wrong:
            return "right", ""
        return ("warned" if "warning:" in said else "wrong"), wrong[1]


def call(command, limit):
    environment = dict(os.environ, OPENBLAS_NUM_THREADS="1")
    p = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, start_new_session=True, env=environment)
    try:
        said, _ = p.communicate(timeout=limit)
        return p.returncode, said.decode(errors="replace")
    except subprocess.TimeoutExpired:
        os.killpg(p.pid, signal.SIGKILL)
        p.communicate()
        return None, ""


def first_line(text):
    for line in text.splitlines():
        if line.strip() and not line.startswith("start:"):
            return line.strip()[:200]
    return ""


def read_rows(path):
    with open(path, newline="") as f:
        rows = [r for r in csv.reader(f) if r]
    names = [n.strip().strip('"').strip("'") for n in rows[0]]
    names[0] = "time"
    return [dict(zip(names, map(float, r))) for r in rows[1:]]


# ---- shrinking ----

def make(seed, fixed, kinds):
    """A case with its reference, or None if it is unfit."""
    try:
        case = Case(seed, fixed, kinds)
        if not case.kinds:
            return None
        case.solve_reference()
        return case
    except (Unfit, ZeroDivisionError, OverflowError, ValueError, IndexError, KeyError):
        return None


def shrink(case, runner, how, kinds, seconds=40.0):
    """Replace choices by simpler ones as long as the same kind of failure remains."""
    until = time.monotonic() + seconds
    failure = nature(*runner.run(case, *how))
    fixed, best, changed = dict(case.choices.fixed), case, True
    while changed and time.monotonic() < until:
        changed = False
        for name, (value, simpler) in sorted(best.choices.made.items(), key=importance):
            if value == simpler or name.startswith("part") or time.monotonic() > until or name not in best.choices.made:
                continue
            trial = make(case.seed, {**fixed, name: simpler}, kinds)
            if trial and nature(*runner.run(trial, *how)) == failure:
                fixed[name] = simpler
                best, changed = trial, True
    return best


def nature(kind, words):
    """What two failures of one kind have in common: a refusal has its words without numbers."""
    return kind, "".join(ch for ch in words if ch.isalpha())[:40] if kind == "refused" else ""


def importance(item):
    """Parts first, then features, then numbers."""
    name, (value, _) = item
    return (0 if name.startswith("keep") else 1 if isinstance(value, bool) else 2 if isinstance(value, int) else 3, name)


# ---- the driver ----

class Tally:
    def __init__(self):
        self.counts = collections.defaultdict(collections.Counter)

    def add(self, case, method, kind):
        self.counts["all"][kind] += 1
        self.counts["method " + method][kind] += 1
        for k in sorted(set(case.kinds)):
            self.counts["kind " + k][kind] += 1

    def table(self):
        columns = ["right", "wrong", "warned", "refused", "declined", "hang", "crash"]
        lines = [f"{'':24}" + "".join(f"{c:>9}" for c in ["runs"] + columns)]
        for name in sorted(self.counts, key=lambda n: (n != "all", not n.startswith("method"), n)):
            c = self.counts[name]
            lines.append(f"{name:24}{sum(c.values()):9}" + "".join(f"{c[k] or '-':>9}" for k in columns))
        return "\n".join(lines)


def trials(case, methods):
    g = random.Random(f"{case.seed}/trials")
    for method in METHODS:
        for rtol in TOLERANCES:
            grid = g.choice(["1", "7", "1000", "at"])
            if method in methods:
                yield method, rtol, grid


def write_report(folder, case, how, kind, words, original):
    os.makedirs(folder, exist_ok=True)
    method, rtol, grid = how
    points = "--at ..." if grid == "at" else f"-n {grid}"
    path = os.path.join(folder, f"{kind}_{case.seed}_{method}_{rtol}.mo")
    with open(path, "w") as f:
        f.write(f"// {kind.upper()}: {words}\n// seed {case.seed}, parts {', '.join(case.kinds)} (before shrinking: {', '.join(original)})\n")
        f.write(f"// daedal solve THIS -t {case.stop!r} --rtol {rtol} --method {method} {points}\n")
        f.write("".join(expectations(case)))
        f.write(case.text)
    return path


def expectations(case):
    """Lines for a rule file: values at two times away from events."""
    quiet = [t for t in sorted(case.truth.rows) if t > 0 and not case.near_events(t, 1e-4)]
    for t in quiet[len(quiet) // 2:len(quiet) // 2 + 1] + quiet[-1:]:
        for name, v in case.truth.rows[t].items():
            yield f"// expect {case.new.get(name, name)}({t!r}) = {v!r}\n"


def try_case(case, options, runner, tally):
    reported = set()
    for how in trials(case, options.methods):
        kind, words = runner.run(case, *how)
        tally.add(case, how[0], kind)
        if options.verbose or kind not in HARMLESS:
            print(f"seed {case.seed} ({', '.join(case.kinds)}), {how[0]}, rtol {how[1]}, grid {how[2]}: {kind.upper()} {words}", flush=True)
        if kind in HARMLESS + ("warned",) or options.out is None or (kind, how[0]) in reported or len(reported) >= options.reports:
            continue
        reported.add((kind, how[0]))
        small = case if options.no_shrink or kind == "hang" else shrink(case, runner, how, options.kinds)
        words = runner.run(small, *how)[1]
        print("    written to", write_report(options.out, small, how, kind, words, case.kinds), flush=True)


def read_arguments():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("daedal")
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--count", type=int, default=100)
    a.add_argument("--minutes", type=float)
    a.add_argument("--part", default="")
    a.add_argument("--methods", default=",".join(METHODS))
    a.add_argument("--out")
    a.add_argument("--limit", type=float, default=20.0)
    a.add_argument("--no-shrink", action="store_true")
    a.add_argument("--reports", type=int, default=1, help="files written for each model")
    a.add_argument("--verbose", action="store_true")
    a.add_argument("--show", type=int)
    options = a.parse_args()
    options.methods = options.methods.split(",")
    options.kinds = options.part.split(",") if options.part else None
    unknown = [k for k in options.kinds or [] if k not in KINDS]
    if unknown:
        a.error(f"unknown part {unknown[0]}; the parts are {', '.join(KINDS)}")
    return options


def show(options):
    case = make(options.show, None, options.kinds)
    if not case:
        print("this seed gives no well-conditioned model")
        return 1
    print(case.text + f"// -t {case.stop!r}, events at {', '.join(f'{e[0]:.6g}' for e in case.truth.events)}")
    for t in (case.stop / 3, case.stop):
        near = min(case.truth.rows, key=lambda s: abs(s - t))
        print(f"// t = {near!r}: " + ", ".join(f"{n} = {v:.9g}" for n, v in case.truth.rows[near].items()))
    return 0


def main():
    options = read_arguments()
    if options.show is not None:
        return show(options)
    tally, models, unfit, seed = Tally(), 0, 0, options.seed
    until = time.monotonic() + 60 * options.minutes if options.minutes else None
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(os.path.abspath(options.daedal), options.limit, folder)
        while time.monotonic() < until if until else models < options.count:
            case = make(seed, None, options.kinds)
            seed += 1
            if not case:
                unfit += 1
                continue
            models += 1
            try_case(case, options, runner, tally)
    print(tally.table())
    c = tally.counts["all"]
    print(f"{models} models, seeds {options.seed} to {seed - 1} ({unfit} of them unfit), {sum(c.values())} runs: {c['wrong']} silently wrong, "
          f"{c['refused']} refused, {c['hang']} hung, {c['crash']} crashed")
    return int(c["wrong"] + c["hang"] + c["crash"] > 0 or c["refused"] * 200 > sum(c.values()))


if __name__ == "__main__":
    sys.exit(main())
