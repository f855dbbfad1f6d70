#!/usr/bin/env python3
"""table.py - compare runs of daedal with recorded runs of other codes.

usage: table.py RESULTS.csv [--method auto] [--svg FILE] [--page FILE.md]

RESULTS.csv is written by build/bench/peers.  recorded.csv and calibration.csv in the folder of this script hold
the times of other codes on another machine; they are multiplied by the median ratio of the times of IDA on this
machine and on that one.  A cell is the least time to reach the given number of digits.
"""
import argparse
import csv
import math
import pathlib
import statistics
import sys

HERE = pathlib.Path(__file__).resolve().parent
DIGITS = (3, 5, 7, 9)
LARGE = ("heat2d",)


def read(path):
    with open(path, newline="") as f:
        return list(csv.DictReader(line for line in f if not line.startswith("#")))


def calibrate(results):
    """The median ratio of IDA's times here and there; 1 without common runs."""
    there = {(r["problem"], float(r["tol"])): float(r["milliseconds"]) for r in read(HERE / "calibration.csv")}
    ratios = [float(r["milliseconds"]) / there[key] for r in results
              if r["code"] == "ida" and r["status"] == "ok"
              for key in [(r["problem"], float(r["tol"]))] if key in there]
    return statistics.median(ratios) if ratios else 1.0


def least_times(results):
    """{(problem, code, digits): ms}"""
    best = {}
    for r in results:
        if r["status"] != "ok":
            continue
        for d in DIGITS:
            if float(r["digits"]) >= d:
                key = (r["problem"], r["code"], d)
                best[key] = min(best.get(key, math.inf), float(r["milliseconds"]))
    return best


def peers(factor):
    """{problem: {digits: (ms, solver)}}: the best of them."""
    best = {}
    for r in read(HERE / "recorded.csv"):
        for d in DIGITS:
            if r[f"d{d}"]:
                cell = (factor * float(r[f"d{d}"]), r["solver"])
                row = best.setdefault(r["problem"], {})
                row[d] = min(row.get(d, cell), cell)
    return best


def number(x):
    return f"{x:.3g}" if x < math.inf else "-"


def geometric(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def print_problem(problem, theirs, ours, methods, chosen):
    """One block; returns the ratios of the chosen method by digits."""
    ratios = {}
    print(f"\n{problem}: least milliseconds to reach")
    print(" " * 14 + "".join(f"{f'{d} digits':>24}" for d in DIGITS))
    cells = [f"{number(theirs[d][0])} {theirs[d][1]}" if d in theirs else "-" for d in DIGITS]
    print("  best peer   " + "".join(f"{c:>24}" for c in cells))
    for m in methods:
        times = [ours.get((problem, m, d), math.inf) for d in DIGITS]
        marks = []
        for d, t in zip(DIGITS, times):
            ratio = t / theirs[d][0] if d in theirs else None
            marks.append(number(t) + (f" ({ratio:.2f})" if ratio not in (None, math.inf) else ""))
            if m == chosen and d in theirs:
                ratios[d] = ratio
        print(f"  {m:<12}" + "".join(f"{c:>24}" for c in marks))
    return ratios


def print_summary(all_ratios, chosen):
    cells = [r for row in all_ratios.values() for r in row.values()]
    reached = [r for r in cells if r < math.inf]
    print(f"\n{chosen} against the best peer of each cell: {sum(r <= 1 for r in cells)} of {len(cells)} cells "
          f"not slower, {len(cells) - len(reached)} not reached, geometric mean {geometric(reached):.2f}")
    for problem, row in all_ratios.items():
        known = [r for r in row.values() if r < math.inf]
        if known:
            print(f"  {problem:<14} {geometric(known):6.2f}" + ("" if len(known) == len(row) else "  cells missing"))


def print_choice(ours, problems, methods, chosen):
    """What the automatic choice loses against the best single method of each problem."""
    singles = [m for m in methods if m != "auto"]
    if chosen != "auto" or not singles:
        return
    print("\nauto against the best single method of each problem (geometric mean over digits):")
    for problem in problems:
        scores = []
        for m in singles:
            pairs = [(ours.get((problem, "auto", d)), ours.get((problem, m, d))) for d in DIGITS]
            common = [a / b for a, b in pairs if a and b]
            if common and all(b or not a for a, b in pairs):
                scores.append((geometric(common), m))
        if scores:
            worst = max(scores)
            print(f"  {problem:<14} {worst[0]:6.2f}  ({worst[1]})")


def svg(path, results, factor, problems, methods):
    """Digits against time, one panel a problem."""
    colours = {"auto": "#000000", "bdf": "#1f77b4", "radau": "#d62728", "rodas": "#2ca02c", "limex": "#9467bd", "ida": "#999999"}
    width, height, columns = 300, 210, 3
    rows = -(-len(problems) // columns)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width * columns} {height * rows + 30}" '
           'font-family="sans-serif" font-size="11">', '<rect width="100%" height="100%" fill="white"/>']
    best = peers(factor)
    for k, problem in enumerate(problems):
        x0, y0 = width * (k % columns) + 45, height * (k // columns) + 25
        w, h = width - 65, height - 60
        mine = [r for r in results if r["problem"] == problem and r["status"] == "ok"]
        times = [float(r["milliseconds"]) for r in mine] + [t for t, _ in best.get(problem, {}).values()]
        if not times:
            continue
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
        for code in list(methods) + ["ida"]:
            points = [place(float(r["digits"]), float(r["milliseconds"])) for r in mine if r["code"] == code]
            if len(points) > 1:
                path_text = " ".join(f"{x:.1f},{y:.1f}" for x, y in sorted(points, key=lambda p: -p[1]))
                out.append(f'<polyline points="{path_text}" fill="none" stroke="{colours.get(code, "#888")}" '
                           f'stroke-width="{2 if code == "auto" else 1}"/>')
        for d, (ms, solver) in best.get(problem, {}).items():
            x, y = place(d, ms)
            out.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="orange"/>'
                       f'<text x="{x + 4:.0f}" y="{y - 4:.0f}" font-size="8" fill="#b60">{solver}</text>')
    y = height * rows + 15
    for i, code in enumerate(list(methods) + ["ida"]):
        out.append(f'<text x="{20 + 90 * i}" y="{y}" fill="{colours.get(code, "#888")}">{code}</text>')
    out.append(f'<text x="{20 + 90 * (len(methods) + 1)}" y="{y}" fill="#b60">best peer at 3, 5, 7, 9 digits</text>')
    out.append(f'<text x="20" y="{y + 13}" fill="#666">digits (across) against milliseconds</text></svg>')
    pathlib.Path(path).write_text("\n".join(out) + "\n")


def brief(ms):
    return "-" if ms == math.inf else f"{ms:.0f}" if ms >= 9.95 else f"{ms:.2g}"


def row_of(problem, theirs, ours, chosen):
    """A line of the table in docs/performance.md."""
    best = [f"{brief(theirs[d][0])} {theirs[d][1].replace('7.5.0', '')}" if d in theirs else "-" for d in DIGITS]
    times = [ours.get((problem, chosen, d), math.inf) for d in DIGITS]
    ratios = [t / theirs[d][0] for d, t in zip(DIGITS, times) if d in theirs and t < math.inf]
    return f"| {problem} | {' / '.join(best)} | {' / '.join(map(brief, times))} | {geometric(ratios):.2f} |"


def write_page(path, rows):
    """Put the rows in place of those below the head of the table."""
    lines = pathlib.Path(path).read_text().split("\n")
    first = next(i for i, line in enumerate(lines) if line.startswith("| problem | best other code")) + 2
    last = next(i for i in range(first, len(lines)) if not lines[i].startswith("|"))
    pathlib.Path(path).write_text("\n".join(lines[:first] + rows + lines[last:]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results")
    parser.add_argument("--method", default="auto")
    parser.add_argument("--svg")
    parser.add_argument("--page")
    a = parser.parse_args()
    results = read(a.results)
    factor = calibrate(results)
    ours, theirs = least_times(results), peers(factor)
    problems = list(dict.fromkeys(r["problem"] for r in results))
    methods = [m for m in dict.fromkeys(r["code"] for r in results) if m != "ida"]
    print(f"recorded times are multiplied by {factor:.3f}: what IDA takes here over what it took there")
    small = {}
    for problem in problems:
        ratios = print_problem(problem, theirs.get(problem, {}), ours, methods, a.method)
        if not problem.startswith(LARGE):
            small[problem] = ratios
    if any(small.values()):
        print_summary(small, a.method)
    print_choice(ours, problems, methods, a.method)
    if a.svg:
        svg(a.svg, results, factor, problems, methods)
    if a.page:
        write_page(a.page, [row_of(p, theirs[p], ours, a.method) for p in problems if p in theirs])
    return 0


if __name__ == "__main__":
    sys.exit(main())
