#!/usr/bin/env python3
"""run_golden.py DAEDAL [--update] [NAME...] - what the program prints, word for word.

A case is a shell script NAME.sh beside NAME.stdout, NAME.stderr and NAME.exit (the exit status; a
missing file means empty, and 0).  The script runs in an empty directory with `daedal` as the
program and $MODELS as the folder models/.  Text must agree exactly; numbers may differ by
TOLERANCE relative to their size, or by what a line `# tolerance: 1e-3` of the script says.
In the expected files `<number>` stands for any number (times, counts that tuning changes) and
`<any>` for the rest of a line.
--update rewrites the files that do not agree.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
MODELS = HERE.parents[1] / "models"
TOLERANCE, TINY, SECONDS = 1e-9, 1e-12, 60
# what the sanitizers, tools/mutants.py and tools/check_machines.sh say to the program
PASSED_ON = ("ASAN", "UBSAN", "LSAN", "LD_", "GCOV_", "MALLOC_", "GLIBC_", "OPENBLAS_", "PERTURBED_")
NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w])")


def close(a, b, tolerance):
    return abs(float(a) - float(b)) <= tolerance * max(abs(float(a)), abs(float(b))) + TINY


def same_line(want, got, tolerance):
    """Equal up to the last digits of numbers and the wildcards of `want`."""
    if want.endswith("<any>"):
        return got.startswith(want[:-5]) or NUMBER.sub("#", got).startswith(NUMBER.sub("#", want[:-5]))
    want_numbers = re.findall(r"<number>|" + NUMBER.pattern, want)
    shape = NUMBER.sub("#", want.replace("<number>", "#"))
    if shape != NUMBER.sub("#", got):
        return False
    pairs = zip(want_numbers, NUMBER.findall(got))
    return all(a == "<number>" or close(a, b, tolerance) for a, b in pairs)


def differences(want, got, tolerance):
    """Lines that disagree, as text; empty if none."""
    want, got = want.split("\n"), got.split("\n")
    out = []
    for k in range(max(len(want), len(got))):
        a, b = (lines[k] if k < len(lines) else None for lines in (want, got))
        if a is None or b is None or not same_line(a, b, tolerance):
            out += [f"    line {k + 1}: expected {a!r}", f"    {'':{len(str(k + 1)) + 5}} but got {b!r}"]
    return out


def run(program, script):
    """{extension: text} of what a script gives."""
    environment = {"PATH": os.environ.get("PATH", ""), "MODELS": str(MODELS), "LC_ALL": "C.UTF-8",
                   **{k: v for k, v in os.environ.items() if k.startswith(PASSED_ON)},
                   "OPENBLAS_NUM_THREADS": "1"}
    with tempfile.TemporaryDirectory() as folder:
        bin_folder = Path(folder, "bin")
        work = Path(folder, "work")
        bin_folder.mkdir()
        work.mkdir()
        (bin_folder / "daedal").symlink_to(Path(program).resolve())
        environment["PATH"] = f"{bin_folder}:{environment['PATH']}"
        done = subprocess.run(["sh", str(script)], cwd=work, env=environment, capture_output=True,
                              stdin=subprocess.DEVNULL, text=True, timeout=SECONDS, errors="replace")
    got = {"stdout": done.stdout, "stderr": done.stderr, "exit": f"{done.returncode}\n"}
    return {kind: text.replace(str(MODELS), "$MODELS") for kind, text in got.items()}


def expected(script, kind):
    path = script.with_suffix("." + kind)
    return path.read_text() if path.is_file() else "0\n" if kind == "exit" else ""


def write(script, kind, text):
    path = script.with_suffix("." + kind)
    if text == ("0\n" if kind == "exit" else ""):
        path.unlink(missing_ok=True)
    else:
        path.write_text(text)


def check(program, script, update):
    """Complaints about one case."""
    said = re.search(r"^# tolerance: (\S+)$", script.read_text(), re.M)
    tolerance = float(said.group(1)) if said else TOLERANCE
    errors = []
    for kind, got in run(program, script).items():
        wrong = differences(expected(script, kind), got, tolerance)
        if wrong and update:
            write(script, kind, got)
            print(f"updated {script.stem}.{kind}")
        elif wrong:
            errors += [f"  {kind} differs:"] + wrong[:20]
    return errors


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--update", action="store_true")
    options = parser.parse_intermixed_args()
    scripts = [s for s in sorted(HERE.glob("*.sh")) if not options.names or s.stem in options.names]
    failed = 0
    for script in scripts:
        errors = check(options.program, script, options.update)
        failed += bool(errors)
        for line in [f"FAILED {script.stem}"] * bool(errors) + errors:
            print(line)
    print(f"{len(scripts) - failed} of {len(scripts)} cases agree")
    sys.exit(failed > 0 or not scripts)


if __name__ == "__main__":
    main()
