#!/usr/bin/env python3
"""check_runs.py - libdaedal_petsc: its examples on several ranks, and PETSc's own tutorials.

The examples must take the same steps on 1, 2 and 4 ranks with a preconditioner that does not depend
on their number.  The tutorials, where they are installed (Debian: libpetsc3.18-dev-examples), are
compiled as they are, load the library by PETSc's option -dll_append, and must give the results of
PETSc's own methods with small tolerances.  What is not installed is said and not tested.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

TUTORIALS = Path("/usr/share/petsc/3.18/share/petsc/examples/src/ts/tutorials")
LIMIT = 120  # seconds of one run
TIGHT = "-ts_rtol 1e-8 -ts_atol 1e-8 -ts_exact_final_time matchstep -ts_max_steps 100000"
# name, options of both, options of PETSc's method, what is compared: the numbers at the end of the output
COMPARED = [
    ("ex16", TIGHT, "-ts_type bdf -ts_adapt_type basic", "van der Pol, explicit"),
    ("ex19", TIGHT, "-ts_type bdf -ts_adapt_type basic", "van der Pol, DAE"),
    ("ex20", TIGHT, "-ts_type bdf -ts_adapt_type basic", "van der Pol, stiff"),
    ("ex36", TIGHT, "-ts_type bdf -ts_adapt_type basic", "transistor amplifier, DAE"),
    ("power_grid/ex3", TIGHT, "-ts_type bdf -ts_adapt_type basic", "generator with a fault, events"),
    ("ex8", TIGHT + " -problem_type rober -ts_max_time 10", "-ts_type bdf -ts_adapt_type basic", "Robertson, DAE"),
    ("ex17", TIGHT + " -ts_max_time 0.1", "-ts_type bdf -ts_adapt_type basic", "heat with algebraic boundary values"),
    ("ex22", TIGHT + " -ts_max_time 0.2", "-ts_type bdf -ts_adapt_type basic", "advection and reaction"),
    ("ex42", TIGHT + " -ts_max_time 1", "-ts_type bdf -ts_adapt_type basic", "Meinhardt's model, domain errors"),
    ("power_grid/ex9", TIGHT + " -ts_max_time 1", "-ts_type bdf -ts_adapt_type basic", "generator, two phases"),
]
failures = []


def check(holds, text):
    print(("ok      " if holds else "FAILED  ") + text)
    if not holds:
        failures.append(text)


class Runner:
    def __init__(self, args, folder):
        self.args, self.folder = args, folder
        self.library = args.build / "libdaedal_petsc.so"
        self.environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                                OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_mpi_yield_when_idle="1",
                                OMP_NUM_THREADS="1")

    def run(self, program, options, ranks=1):
        """(status, output); a run that hangs is a failure."""
        command = [self.args.mpirun, "-n", str(ranks)] if ranks > 1 else []
        try:
            done = subprocess.run(command + [str(program)] + options.split(), cwd=self.folder, timeout=LIMIT,
                                  env=self.environment, capture_output=True, text=True)
            return done.returncode, done.stdout + done.stderr
        except subprocess.TimeoutExpired:
            return -1, "no end"

    def example(self, name, options, ranks=1):
        return self.run(self.args.build / "petsc" / name, options, ranks)

    def compile(self, name):
        """A tutorial, unchanged; None where it is not installed."""
        source = TUTORIALS / (name + ".c")
        program = Path(self.folder) / name.replace("/", "_")
        if not source.exists():
            return None
        flags = subprocess.run(["pkg-config", "--cflags", "--libs", "PETSc", "ompi-c"], capture_output=True,
                               text=True).stdout.split()
        done = subprocess.run([self.args.cc, "-w", f"-I{source.parent}", str(source), "-o", str(program)] + flags +
                              ["-lm"], capture_output=True, text=True)
        return program if done.returncode == 0 else None


def numbers(text):
    return [float(x) for x in re.findall(r"-?\d+\.?\d*(?:e[-+]?\d+)?", text)]


def last_vector(text):
    """The entries of the vector that is printed last."""
    return [float(x) for x in re.findall(r"^ *(-?[\d.]+(?:e[-+]?\d+)?)$", text.split("Vec Object")[-1], re.M)]


def same_steps(runner):
    for name, options in [("heat, bdf", "-problem heat -da_grid_x 40 -da_grid_y 40"),
                          ("Brusselator in 3D, bdf", "-dim 3 -da_grid_x 12 -da_grid_y 12 -da_grid_z 12 -ts_max_time 0.3"),
                          ("Brusselator, radau", "-daedal_method radau -da_grid_x 24 -da_grid_y 24 -ts_max_time 0.3")]:
        options += " -pc_type jacobi -daedal_krylov_length 60"
        outputs = [runner.example("reaction_diffusion", options, ranks) for ranks in (1, 2, 4)]
        check(all(status == 0 for status, _ in outputs), f"{name}: runs on 1, 2 and 4 ranks")
        found = [numbers(text) for _, text in outputs]
        alike = all(len(f) >= 6 and f[1] == found[0][1] and f[3:6] == found[0][3:6] and
                    abs(f[2] - found[0][2]) <= 1e-5 * f[2] for f in found)
        check(alike, f"{name}: the same steps and iterations, {[f[1:6] for f in found]}")
        if "heat" in name:
            check(all(f[6] > 4.0 for f in found), f"{name}: digits {[f[6] for f in found]}")


def hypre(runner):
    options = "-problem heat -da_grid_x 60 -da_grid_y 60 -pc_type hypre"
    outputs = [runner.example("reaction_diffusion", options, ranks) for ranks in (1, 2)]
    if "hypre" in outputs[0][1] and outputs[0][0]:
        print("notice  PETSc has no hypre: not tested")
        return
    digits = [numbers(text)[-1] for _, text in outputs]
    check(abs(digits[0] - digits[1]) <= 0.3 and min(digits) > 4.0, f"heat with hypre: digits {digits}")


def other_examples(runner):
    outputs = [runner.example("cavity_flow", "-da_grid_x 16 -da_grid_y 16 -ts_rtol 1e-5 -ts_atol 1e-5", n) for n in (1, 2)]
    energies = [numbers(text)[2] if status == 0 else -1.0 for status, text in outputs]
    check(min(energies) > 0.01 and abs(energies[0] - energies[1]) < 1e-5, f"cavity flow, index 2: energies {energies}")
    check(all("is below 1e-3" in text for _, text in outputs), "cavity flow: the divergence vanishes")
    outputs = [runner.example("power_network", "-ts_rtol 1e-6 -ts_atol 1e-6", n) for n in (1, 3)]
    texts = [text for status, text in outputs if status == 0]
    speeds = [re.search(r"speed is ([\d.]+)", t) for t in texts]
    check(len(texts) == 2 and all(speeds) and abs(float(speeds[0][1]) - float(speeds[1][1])) <= 2e-4,
          f"power network: {[t.strip().splitlines()[-1:] for _, t in outputs]}")
    check(all("1.000: short circuit" in t and "1.100: cleared" in t for t in texts), "power network: two events")


def words_of_failures(runner):
    status, text = runner.example("reaction_diffusion", "-daedal_method dopri", 2)
    check(status > 0 and text.count("a distributed run does not take this method") == 1,
          "an option that is refused is told once, by one of two ranks")
    status, text = runner.example("reaction_diffusion", "-daedal_rtol much")
    check(status > 0 and "daedal does not take rtol = much" in text, "a wrong value of an option")
    status, text = runner.example("reaction_diffusion", "-ts_view")
    check(status == 0 and "method bdf" in text and "Newton iterations" in text, "-ts_view shows the method")


def faults(runner):
    """Something goes wrong on the last rank only: all ranks say the same."""
    for name, words in [("nan", "the residual is NaN or Inf"), ("error", "the residual reported failure"),
                        ("domain", "kept asking for a smaller step"), ("pc", "the preconditioner reported failure"),
                        ("pc_nan", "could not be solved")]:
        status, text = runner.example("faults", f"-fault {name}", 2)
        said = re.findall(r"^rank \d: (.*)$", text, re.M)
        check(status == 0 and len(said) == 2 and said[0] == said[1] and words in said[0],
              f"fault {name} on one of two ranks: {said}")


def tutorials(runner):
    if not TUTORIALS.exists():
        print("notice  PETSc's tutorials are not installed (Debian: libpetsc3.18-dev-examples): not tested")
        return
    for name, both, petsc, what in COMPARED:
        program = runner.compile(name)
        if not program:
            check(False, f"{name}: compiles")
            continue
        ours = runner.run(program, f"-dll_append {runner.library} -ts_type daedal {both} -ts_view_solution")
        theirs = runner.run(program, f"{petsc} {both} -ts_view_solution")
        a, b = last_vector(ours[1]), last_vector(theirs[1])
        alike = len(a) == len(b) > 0 and all(abs(x - y) <= 1e-4 * max(abs(y), 1e-2) for x, y in zip(a, b))
        check(ours[0] == 0 and alike, f"{name}, {what}: {a[:3]} and {b[:3]}")
    for name, ranks in (("ex40", 1), ("ex41", 2)):
        program = runner.compile(name)
        ours = runner.run(program, f"-dll_append {runner.library} -ts_type daedal", ranks)
        theirs = runner.run(program, "", ranks)
        hits = [sorted(float(x) for x in re.findall(r"hit the ground at t = +([\d.]+)", text))[:6] for _, text in (ours, theirs)]
        check(len(hits[0]) == 6 and all(abs(x - y) <= 0.011 for x, y in zip(*hits)),
              f"{name}, bouncing ball on {ranks} rank(s), events: {hits}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--mpirun", default="mpirun")
    parser.add_argument("--cc", default="cc")
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(parser.parse_args(), folder)
        for group in (same_steps, hypre, other_examples, words_of_failures, faults, tutorials):
            group(runner)
    print(f"{len(failures)} failed")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
