#!/usr/bin/env python3
"""table.py - compare runs of daedal with runs of other codes.

usage: table.py RESULTS.csv [--recorded FILE] [--calibration FILE] [--method auto] [--svg FILE] [--page FILE.md --mark NAME]

RESULTS.csv is written by build/bench/peers.  The recorded times of other codes on another machine are multiplied by the
median ratio of the times of IDA 6.4.1 on this machine and on that one (the calibration), problem by problem where IDA
ran on it.  Codes of SUNDIALS in
RESULTS.csv ran here and count as they are.  A cell is the least time to reach the given number of digits; it is given
twice, for the run alone and with creating and starting.
"""
import argparse
import csv
import math
import pathlib
import statistics
import sys

HERE = pathlib.Path(__file__).resolve().parent
DIGITS = (3, 5, 7, 9)
OURS = ("auto", "bdf", "radau", "rodas", "limex", "dopri")
COLUMNS = ("run only", "with create and start")


def read(path):
    with open(path, newline="") as f:
        return list(csv.DictReader(line for line in f if not line.startswith("#")))


def runs_here(path):
    """Runs of this machine: dictionaries with problem, code, tol, digits, times (run; with create and start)."""
    out = []
    for r in read(path):
        run, setup = float(r["run_ms"]), float(r["setup_ms"])
        out.append({"problem": r["problem"], "code": r["code"], "tol": float(r["tol"]), "done": r["status"] == "ok",
                    "digits": float(r["digits"]), "times": (run, run + setup)})
    return out


def runs_recorded(path, factors):
    """Runs of other codes on another machine, in the same form."""
    out = []
    for r in read(path):
        if r["code"] in OURS:
            continue
        factor = factors.get(r["problem"], factors[None])
        run, setup = factor * float(r["ms_run"]), factor * float(r["ms_setup"])
        out.append({"problem": r["problem"], "code": r["code"], "tol": 10.0 ** -float(r["mlog10tol"]),
                    "done": r["finished"] == "1", "digits": float(r["scd"]), "times": (run, run + setup)})
    return out


def calibrate(results, path):
    """{problem: median ratio of the run times of IDA 6.4.1 here and there}; under None that of all problems, 1 without any."""
    there = {(r["problem"], float(r["tol"])): float(r["run_ms"]) for r in read(path)} if path else {}
    ratios = {}
    for r in results:
        if r["code"] == "ida" and r["done"] and (r["problem"], r["tol"]) in there:
            ratios.setdefault(r["problem"], []).append(r["times"][0] / there[(r["problem"], r["tol"])])
    factors = {problem: statistics.median(values) for problem, values in ratios.items()}
    factors[None] = statistics.median(factors.values()) if factors else 1.0
    return factors


def least_times(results):
    """{(problem, digits): {code: (run only, with create and start)}}"""
    best = {}
    for r in results:
        for d in DIGITS:
            if r["done"] and r["digits"] >= d:
                cell = best.setdefault((r["problem"], d), {})
                old = cell.get(r["code"], (math.inf, math.inf))
                cell[r["code"]] = tuple(map(min, old, r["times"]))
    return best


def best_peer(best, problem, digits, column):
    """(milliseconds, code), or None where no other code gets there."""
    cell = best.get((problem, digits), {})
    return min(((t[column], code) for code, t in cell.items() if code not in OURS), default=None)


def ratio(best, problem, digits, column, method):
    """Ours over the best of the others; None where no other code gets there, infinite where we do not."""
    peer = best_peer(best, problem, digits, column)
    ours = best.get((problem, digits), {}).get(method, (math.inf, math.inf))[column]
    return ours / peer[0] if peer else None


def geometric(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan


def number(x):
    return "-" if x == math.inf else f"{x:.0f}" if x >= 99.5 else f"{x:.2g}"


def summary(best, problems, method):
    """Rows of the table of means, one a column of times."""
    rows = []
    for column, title in enumerate(COLUMNS):
        cells = {(p, d): q for p in problems for d in DIGITS for q in [ratio(best, p, d, column, method)] if q is not None}
        reached = [q for q in cells.values() if q < math.inf]
        each = [geometric([q for (_, d), q in cells.items() if d == digits and q < math.inf]) for digits in DIGITS]
        means = {p: geometric([q for (r, _), q in cells.items() if r == p and q < math.inf]) for p in problems}
        worst = max((m, p) for p, m in means.items() if not math.isnan(m))
        rows.append([title, f"{geometric(reached):.2f}", f"{sum(q <= 1 for q in cells.values())} of {len(cells)}",
                     " / ".join(f"{e:.2f}" for e in each), f"{worst[0]:.2f} {worst[1]}",
                     str(len(cells) - len(reached))])
    return rows


SUMMARY_HEAD = ["times", "geometric mean", "cells not slower", "at 3 / 5 / 7 / 9 digits", "worst problem", "cells not reached"]


def details(best, problems, method):
    """Rows of the table of problems."""
    rows = []
    for p in problems:
        peers = [best_peer(best, p, d, 1) for d in DIGITS]
        ours = [best.get((p, d), {}).get(method, (math.inf, math.inf)) for d in DIGITS]
        row = [p, " / ".join(f"{number(q[0])} {q[1]}" if q else "-" for q in peers)]
        for column in (0, 1):
            row.append(" / ".join(number(t[column]) for t in ours))
        for column in (0, 1):
            known = [q for d in DIGITS for q in [ratio(best, p, d, column, method)] if q is not None and q < math.inf]
            row.append(f"{geometric(known):.2f}" if known else "-")
        rows.append(row)
    return rows


def details_head(method):
    return ["problem", "best other code, ms at 3 / 5 / 7 / 9 digits, with create and start", f"{method}, run only",
            f"{method}, with create and start", "ratio, run only", "ratio, with create and start"]


def markdown(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows]


def write_page(path, mark, lines):
    """Put the lines between `<!-- NAME -->` and `<!-- end NAME -->`."""
    page = pathlib.Path(path)
    text = page.read_text()
    begin, end = f"<!-- {mark} -->\n", f"<!-- end {mark} -->"
    head, rest = text.split(begin)
    page.write_text(head + begin + "\n".join(lines) + "\n" + rest[rest.index(end):])


def print_cells(best, problems, codes):
    """Every cell with create and start: the best of the others, then each method of ours."""
    for p in problems:
        print(f"\n{p}: least milliseconds, with create and start, to reach")
        print(" " * 14 + "".join(f"{f'{d} digits':>24}" for d in DIGITS))
        peers = [best_peer(best, p, d, 1) for d in DIGITS]
        print("  best peer   " + "".join(f"{f'{number(q[0])} {q[1]}' if q else '-':>24}" for q in peers))
        for code in codes:
            marks = []
            for d, q in zip(DIGITS, peers):
                t = best.get((p, d), {}).get(code, (math.inf, math.inf))[1]
                marks.append(number(t) + (f" ({t / q[0]:.2f})" if q and t < math.inf else ""))
            print(f"  {code:<12}" + "".join(f"{m:>24}" for m in marks))


def print_choice(best, problems, codes, method):
    """What the automatic choice loses against the best single method of each problem."""
    singles = [c for c in codes if c != "auto"]
    if method != "auto" or not singles:
        return
    print("\nauto against the best single method of each problem (run only, geometric mean over digits):")
    for p in problems:
        scores = []
        for m in singles:
            pairs = [(best.get((p, d), {}).get("auto"), best.get((p, d), {}).get(m)) for d in DIGITS]
            common = [a[0] / b[0] for a, b in pairs if a and b]
            if common and all(b or not a for a, b in pairs):
                scores.append((geometric(common), m))
        if scores:
            print(f"  {p:<16} {max(scores)[0]:6.2f}  ({max(scores)[1]})")


# ---- the figure ----------------------------------------------------------------------------------------------------

COLOURS = {"auto": "#000000", "bdf": "#1f77b4", "radau": "#d62728", "rodas": "#2ca02c", "limex": "#9467bd",
           "dopri": "#17becf"}
WIDTH, HEIGHT, PANELS = 300, 210, 3


def panel(out, k, problem, runs, best, codes):
    """One problem: digits across, milliseconds of the run upwards."""
    x0, y0 = WIDTH * (k % PANELS) + 45, HEIGHT * (k // PANELS) + 25
    w, h = WIDTH - 65, HEIGHT - 60
    peers = [(d, q) for d in DIGITS for q in [best_peer(best, problem, d, 0)] if q]
    times = [r["times"][0] for r in runs] + [q[0] for _, q in peers]
    if not times:
        return
    low, high = math.floor(math.log10(min(times)) * 2) / 2, math.ceil(math.log10(max(times)) * 2) / 2

    def place(digits, ms):
        x = x0 + w * min(max(digits, 0), 12) / 12
        return x, y0 + h * (1 - (math.log10(ms) - low) / (high - low or 1))
    out.append(f'<rect x="{x0}" y="{y0}" width="{w}" height="{h}" fill="none" stroke="#ccc"/>')
    out.append(f'<text x="{x0}" y="{y0 - 6}" font-weight="bold">{problem}</text>')
    for d in range(0, 13, 3):
        x, _ = place(d, 10 ** low)
        out.append(f'<text x="{x:.0f}" y="{y0 + h + 13}" text-anchor="middle" fill="#666">{d}</text>')
    for e in range(math.ceil(low), math.floor(high) + 1):
        _, y = place(0, 10 ** e)
        out.append(f'<text x="{x0 - 4}" y="{y + 4:.0f}" text-anchor="end" fill="#666">{10.0 ** e:g}</text>')
    for code in codes:
        points = sorted((place(r["digits"], r["times"][0]) for r in runs if r["code"] == code), key=lambda q: -q[1])
        if len(points) > 1:
            line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
            out.append(f'<polyline points="{line}" fill="none" stroke="{COLOURS.get(code, "#888")}" '
                       f'stroke-width="{2 if code == "auto" else 1}"/>')
    for d, (ms, solver) in peers:
        x, y = place(d, ms)
        out.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="orange"/>'
                   f'<text x="{x + 4:.0f}" y="{y - 4:.0f}" font-size="8" fill="#b60">{solver}</text>')


def svg(path, results, best, problems, codes):
    rows = -(-len(problems) // PANELS)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH * PANELS} {HEIGHT * rows + 30}" '
           'font-family="sans-serif" font-size="11">', '<rect width="100%" height="100%" fill="white"/>']
    for k, problem in enumerate(problems):
        mine = [r for r in results if r["problem"] == problem and r["done"] and r["code"] in codes]
        panel(out, k, problem, mine, best, codes)
    y = HEIGHT * rows + 15
    for i, code in enumerate(codes):
        out.append(f'<text x="{20 + 90 * i}" y="{y}" fill="{COLOURS.get(code, "#888")}">{code}</text>')
    out.append(f'<text x="{20 + 90 * len(codes)}" y="{y}" fill="#b60">best other code at 3, 5, 7, 9 digits</text>')
    out.append(f'<text x="20" y="{y + 13}" fill="#666">digits (across) against milliseconds of the run</text></svg>')
    pathlib.Path(path).write_text("\n".join(out) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results")
    parser.add_argument("--recorded", default=HERE / "recorded.csv")
    parser.add_argument("--calibration", default=HERE / "calibration.csv")
    parser.add_argument("--method", default="auto")
    parser.add_argument("--svg")
    parser.add_argument("--page")
    parser.add_argument("--mark", default="known")
    a = parser.parse_args()
    results = runs_here(a.results)
    factors = calibrate(results, a.calibration)
    best = least_times(results + runs_recorded(a.recorded, factors))
    problems = list(dict.fromkeys(r["problem"] for r in results))
    codes = [c for c in dict.fromkeys(r["code"] for r in results) if c in OURS]
    print("recorded times are multiplied by what IDA takes here over what it took there: "
          + ", ".join(f"{factor:.2f} {problem or 'elsewhere'}" for problem, factor in factors.items()))
    print_cells(best, problems, codes)
    print_choice(best, problems, codes, a.method)
    short, long = markdown(SUMMARY_HEAD, summary(best, problems, a.method)), \
        markdown(details_head(a.method), details(best, problems, a.method))
    print(f"\n{a.method} over the best other code of each cell\n" + "\n".join(short))
    print("\n" + "\n".join(long))
    if a.svg:
        svg(a.svg, results, best, problems, codes)
    if a.page:
        write_page(a.page, a.mark, short + [""] + long)
    return 0


if __name__ == "__main__":
    sys.exit(main())
