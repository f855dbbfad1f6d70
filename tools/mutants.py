#!/usr/bin/env python3
"""mutants.py - break lines of src/ one by one; which breaks does no fast test see?

    tools/mutants.py                      300 mutants of the default folders and seed
    tools/mutants.py --count 50 --seed 7 --folders integ,hybrid
    tools/mutants.py --part 1/4           the first quarter of them; --part 2/4 later or elsewhere
    tools/mutants.py --only integ,solver  those of the 300 that lie in these folders
    tools/mutants.py --again              forget what is known of this commit
    tools/mutants.py --list               what is known, without running anything

A mutant (tools/mutate.py) counts if it compiles and its object code differs.  It is killed by the
first fast test that fails or takes much longer than it should; tests that never execute the line
are not asked.  A survivor needs a test, or a paragraph in tests/mutants/equivalent.txt that says why
nobody could tell the difference:

    file.c function: the line as it stands
    => the line as it would be
    because ...

Everything lives in build-mutants/: base/ is a build in which tests and program use the shared
library, so that a mutant costs one compilation and one link; results.json and coverage.json are what is
known.  A run that is interrupted, or done in parts, goes on where it was as long as src/ is the same;
survivors are shown to tests that are new since.  After a change of src/ all mutants are run anew, each
beginning with the test that killed it before; which test executes which line is measured for new tests
only, and else follows the lines that have moved.  With --budget S a mutant survives for the time being
after tests of S seconds; the next run goes on with the tests that are left.
    tools/mutants.py --measure            measure anew which test executes which line
"""
import argparse
import concurrent.futures
import difflib
import hashlib
import json
import os
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import mutate
from repository import ROOT

FOLDERS = "consistent,initial,hybrid,integ,solver"  # where a mistake is seen last
SEED, COUNT = 11, 300
BUILD = ROOT / "build-mutants"
BASE, RESULTS = BUILD / "base", BUILD / "results.json"
COVERED, OF_COVERAGE = BUILD / "coverage.json", ("seen", "lines", "texts")  # large, and seldom new
EQUIVALENT = ROOT / "tests" / "mutants" / "equivalent.txt"
GROUPS = {"cli/rules": "tests/rules/*.mo", "cli/golden": "tests/golden/*.sh",
          "cli/models": "models/*.mo", "cli/counts": "tests/golden/counts.txt",
          "cli/starts": "tests/golden/starts.txt"}
# tests that take names, of files or of the lines of a table: each name is a test of its own here
SLOWER, SECONDS = 3.0, 3.0  # a test may take so many times its usual time, and so many seconds more
WALL_SLOWER, WALL_SECONDS = 40.0, 30.0  # likewise by the clock, which other programs share
MEMORY = 4 << 30
ALSO_RUN = "causes/open", "fault/model_allocation", "property/index_random", "soak/random_models"
# slower tests that see what no fast one does
PORTIONS = 4, 20  # files of a group that are tried before the rest
FILE_COUNTS = 20  # a mutant of the same file that a test has killed counts as so many others


# ---- running tests ----------------------------------------------------------------------------


def limited(cpu):
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 1))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return limit


def run_test(command, library, wall=600.0, cpu=300, extra=None):
    """Does a command pass with the shared library of a folder?"""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "LD_LIBRARY_PATH": str(library),
                   "MALLOC_PERTURB_": "165",  # what was never written is never zero
                   **(extra or {})}
    process = subprocess.Popen(command, cwd=BASE, env=environment, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               start_new_session=True, preexec_fn=limited(int(cpu)))
    try:
        status = process.wait(timeout=wall)
    except subprocess.TimeoutExpired:
        status = None
    try:
        os.killpg(process.pid, signal.SIGKILL)  # whatever it started and left behind
    except ProcessLookupError:
        pass
    process.wait()
    return status == 0


def processor_time():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def fast_tests():
    """{unit: command}: the fast tests and ALSO_RUN, those of GROUPS file by file as group/name."""
    shown = subprocess.run(["ctest", "--test-dir", BASE, "--show-only=json-v1"],
                           capture_output=True, text=True, check=True).stdout
    units = {}
    for test in json.loads(shown)["tests"]:
        name, command = test["name"], test.get("command")
        if not command or name.startswith(("install/", "tools/")):
            continue
        if not is_fast(test) and name not in ALSO_RUN:
            continue
        if name in GROUPS:
            for one in sorted(group_members(name)):
                units[f"{name}/{one}"] = [*command, one]
        else:
            units[name] = command
    return units


def is_fast(test):
    labels = [p["value"] for p in test["properties"] if p["name"] == "LABELS"]
    return labels == [["fast"]]


def group_members(group):
    """{name: what it is made of} of a group."""
    pattern, members = GROUPS[group], {}
    if pattern.endswith(".txt"):
        for line in (ROOT / pattern).read_text().splitlines():
            name = line.split()[0].rstrip(":") if line else "#"
            members[name] = members.get(name, "") + line
        members.pop("#", None)
    else:
        for path in ROOT.glob(pattern):
            members[path.stem] = "".join(p.read_text(errors="replace")
                                         for p in sorted(path.parent.glob(path.stem + ".*")))
    return members


def group_of(unit):
    return next((g for g in GROUPS if unit.startswith(g + "/")), unit)


def digest(paths):
    whole = hashlib.sha256()
    for path in paths:
        whole.update(Path(path).read_bytes())
    return whole.hexdigest()[:16]


def unit_digests(units):
    """{unit: digest of what it is made of, as far as it is seen here: its programs and files}."""
    members, programs, out = {g: group_members(g) for g in GROUPS}, {}, {}
    for unit, command in units.items():
        group = group_of(unit)
        if group not in programs or group == unit:
            programs[group] = digest(w for w in command if os.path.isfile(w)
                                     and not os.path.samefile(w, sys.executable))
        text = members[group][unit[len(group) + 1:]] if group in GROUPS else ""
        out[unit] = programs[group] + hashlib.sha256(text.encode()).hexdigest()[:8]
    return out


# ---- building ---------------------------------------------------------------------------------


def build_base(jobs):
    """Compile everything once.  Returns {source: command} and the command that links."""
    configure = ["cmake", "-S", ROOT, "-B", BASE, "-G", "Unix Makefiles", "-DCMAKE_BUILD_TYPE=Release",
                 "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
                 "-DDAEDAL_TESTS=ON", "-DDAEDAL_BENCH=OFF", "-DDAEDAL_MUTANTS=ON"]
    log = BUILD / "build.log"
    BUILD.mkdir(exist_ok=True)
    with open(log, "w") as out:
        for command in (configure, ["cmake", "--build", BASE, "-j", str(jobs)]):
            if subprocess.run(command, stdout=out, stderr=out).returncode:
                sys.exit(f"the build failed, see {log}")
    compile_with = {}
    for entry in json.loads((BASE / "compile_commands.json").read_text()):
        words = shlex.split(entry["command"])
        words = words[1:] if words[0].endswith("ccache") else words
        at = words.index("-o")
        if "daedal_objects" in words[at + 1]:
            compile_with[entry["file"]] = words[:at]
    link = shlex.split((BASE / "CMakeFiles" / "daedal.dir" / "link.txt").read_text())
    if shutil.which("ld.lld"):
        link.insert(1, "-fuse-ld=lld")
    return compile_with, link


class Builder:
    """Makes shared libraries with some of the objects replaced."""

    def __init__(self, compile_with, link, folder):
        self.compile_with, self.link, self.folder = compile_with, link, folder
        folder.mkdir(parents=True, exist_ok=True)

    def compile(self, file, text, *flags):
        """The object of a text that stands for a file of src/, or None if it is not C."""
        path = ROOT / file
        source = self.folder / path.name
        target = source.with_suffix(".o")
        source.write_text(text)
        command = [*self.compile_with[str(path)], "-O1", *flags, "-w", "-iquote", str(path.parent), "-o",
                   str(target), "-c", path.name]
        done = subprocess.run(command, cwd=self.folder, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL)
        return target if done.returncode == 0 else None

    def join(self, objects, *flags):
        """Link the library, with {file: object} instead of its own; False if that fails."""
        at = self.link.index("-o") + 1
        words = list(self.link)
        words[at] = str(self.folder / "libdaedal.so.0")
        for k, word in enumerate(words):
            for file, object_ in objects.items():
                if word.endswith("/" + file + ".o"):
                    words[k] = str(object_)
        done = subprocess.run([*words, *flags], cwd=BASE, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL)
        return done.returncode == 0


# ---- which test executes which line --------------------------------------------------------------


def moved_lines(old, new):
    """{number of a line: numbers of the lines that stand there now}, from 1."""
    moved = {}
    for _, i, j, k, q in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        for n in range(i, j):
            moved[n + 1] = [k + n - i + 1] if j - i == q - k else list(range(k + 1, q + 1))
    return moved


class Coverage:
    """Lines that each test executes, by gcov, and how long it takes; kept between runs."""

    def __init__(self, state, files, units, build):
        self.units, self.seen = units, state.setdefault("seen", {})
        self.files, self.known = sorted(files), state.setdefault("lines", {})
        self.follow_lines(files, state.setdefault("texts", {}))
        wanted = unit_digests(units)
        for unit in [u for u in self.seen if u not in units or self.seen[u]["key"] != wanted[u]]:
            del self.seen[unit]
        missing = [u for u in units if u not in self.seen]
        if missing:
            folder = BUILD / "coverage"
            self.prepare(Builder(*build, folder))
            for k, unit in enumerate(missing):
                self.seen[unit] = {"key": wanted[unit], **self.measure(unit, folder)}
                if k % 20 == 19 or k + 1 == len(missing):
                    print(f"  lines that tests execute: {k + 1} of {len(missing)}", flush=True)
                    write(COVERED, {key: state[key] for key in OF_COVERAGE})

    def follow_lines(self, files, texts):
        """What was measured on earlier texts, in the numbers of the present lines."""
        for file, text in files.items():
            if texts.get(file, text) != text:
                moved = moved_lines(texts[file].splitlines(), text.splitlines())
                for lines in [self.known, *(s["lines"] for s in self.seen.values())]:
                    if file in lines:
                        lines[file] = sorted({n for old in lines[file] for n in moved.get(old, ())})
            texts[file] = text

    def prepare(self, builder):
        objects = {}
        for file in self.files:
            source = (ROOT / file).read_text()
            objects[file] = builder.compile(file, source, "-O0", "--coverage")
        if not all(objects.values()) or not builder.join(objects, "--coverage"):
            sys.exit("the build for gcov failed")

    def measure(self, unit, folder):
        for old in folder.glob("*.gcda"):
            old.unlink()
        began = processor_time()
        passed = run_test(self.units[unit], folder,
                          extra={"GCOV_PREFIX": str(folder), "GCOV_PREFIX_STRIP": "99"})
        seconds = processor_time() - began
        if not passed:
            print(f"  {unit} fails without a mutant: left out", flush=True)
        return {"passed": passed, "seconds": seconds, "lines": self.lines(folder) if passed else {}}

    def lines(self, folder):
        counted = sorted(p.name for p in folder.glob("*.gcda"))
        if not counted:
            return {}
        shown = subprocess.run(["gcov", "--json-format", "--stdout", *counted], cwd=folder,
                               capture_output=True, text=True).stdout
        by_name = {Path(f).name: f for f in self.files}
        lines = {}
        for text in shown.splitlines():
            for file in json.loads(text)["files"]:
                name = by_name.get(Path(file["file"]).name)
                if name:
                    lines[name] = sorted({x["line_number"] for x in file["lines"] if x["count"]})
                    self.known[name] = sorted({x["line_number"] for x in file["lines"]})
        return lines

    def of(self, mutant, source):
        """Units that execute the line of a mutant, or the statement that it continues."""
        last = mutant.line + source[mutant.begin:mutant.end].count("\n")
        known = self.known.get(mutant.file, ())
        first = max((n for n in known if n <= mutant.line), default=mutant.line)
        if mutant.kind == "early return":
            first, last = mutant.line - 4, mutant.line + 1
        return [u for u, s in self.seen.items() if s["passed"]
                and any(first <= n <= last for n in s["lines"].get(mutant.file, ()))]


# ---- one mutant ----------------------------------------------------------------------------------


class Order:
    """Which test first: those that killed most for their time, in the same file above all."""

    def __init__(self, state, coverage):
        self.kills, self.coverage = state.setdefault("kills", {}), coverage
        self.in_file = state.setdefault("kills_in_file", {})  # {"unit file": how many}

    def steps(self, units, first, file):
        """[units that are run together]: first the one that killed this mutant before, then what is
        likely to kill for its time.  The files of a group share an interpreter: a few, more, all."""
        seen, groups, steps = self.coverage.seen, {}, [[first]] if first in units else []
        for unit in units:
            groups.setdefault(group_of(unit), []).append(unit)

        def cost(members):
            seconds = sum(seen[u]["seconds"] for u in members)
            return seconds / (1 + sum(self.kills.get(u, 0) for u in members)
                              + FILE_COUNTS * sum(self.in_file.get(f"{u} {file}", 0) for u in members))
        portions = []
        for members in groups.values():
            members.sort(key=lambda u: cost([u]))
            cuts = [0, *(n for n in PORTIONS if n < len(members)), len(members)]
            portions += [members[i:k] for i, k in zip(cuts, cuts[1:])]
        return steps + sorted(portions, key=cost)

    def killed_by(self, unit, file):
        self.kills[unit] = self.kills.get(unit, 0) + 1
        self.in_file[f"{unit} {file}"] = self.in_file.get(f"{unit} {file}", 0) + 1


def command_of(units, members):
    command = list(units[members[0]])
    return command + [u.rsplit("/", 1)[1] for u in members[1:]]


def limits(members, coverage):
    usual = sum(coverage.seen[u]["seconds"] for u in members)
    return {"wall": WALL_SECONDS + WALL_SLOWER * usual, "cpu": SECONDS + SLOWER * usual}


def try_tests(steps, coverage, library, budget):
    """(the unit that notices, or None; units that did not)."""
    silent = []
    for members in steps:
        command = command_of(coverage.units, members)
        if run_test(command, library, **limits(members, coverage)):
            silent += members
            budget -= sum(coverage.seen[u]["seconds"] for u in members)
            if budget < 0.0:
                break
        else:
            return members[0] if len(members) == 1 else narrow(members, coverage, library), silent
    return None, silent


def narrow(members, coverage, library):
    """The first of several units that notices by itself, to begin with another time."""
    for unit in members:
        if not run_test(coverage.units[unit], library, **limits([unit], coverage)):
            return unit
    return members[0]


def key_of(mutant):
    return f"{Path(mutant.file).name} {mutant.function}: {mutant.before}\n=> {mutant.after}"


class Run:
    """The mutants of one command line, over one or more threads."""

    def __init__(self, options):
        self.options, self.state, self.reasons = options, load(), read_equivalent()
        self.files = {str(p.relative_to(ROOT)): p.read_text() for f in options.folders.split(",")
                      for p in sorted((ROOT / "src" / f).glob("*.c"))}
        if not self.files:
            sys.exit(f"no files in {options.folders}")
        self.source_key = digest(sorted((ROOT / "src").rglob("*.[ch]")))
        if self.state.get("source") != self.source_key or options.again:
            self.state.update(source=self.source_key, results={}, valid={})
        if options.measure:
            self.state.update(seen={}, lines={}, texts={})
        self.state.setdefault("history", {})
        self.lock = threading.Lock()

    def go(self):
        """Take mutants in the order of the seed until there are enough; returns them."""
        build = build_base(self.options.jobs)
        self.coverage = Coverage(self.state, self.files, fast_tests(), build)
        self.order = Order(self.state, self.coverage)
        self.plain, self.waiting = {}, list(reversed(self.candidates()))
        self.taken, self.lines, self.survivors, self.excused = 0, set(), [], []
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            def work(k):
                builder = Builder(*build, BUILD / f"worker{k}")
                while mutant := self.next():
                    self.judge(mutant, builder)
            list(pool.map(work, range(self.options.jobs)))
        return self.chosen()

    def candidates(self):
        """All mutants of this part in the order of the seed, whether they compile or not."""
        part, parts = map(int, self.options.part.split("/"))
        return [m for m in mutate.shuffled(self.files, self.options.seed)
                if int(hashlib.sha256(m.before.encode()).hexdigest(), 16) % parts == part - 1]

    def wanted(self):
        return -(-self.options.count // int(self.options.part.split("/")[1]))

    def key(self, mutant):
        text = f"{self.source_key} {mutant.file} {mutant.begin} {mutant.text}"
        return hashlib.sha256(text.encode()).hexdigest()[:20]

    def next(self):
        """The next mutant that something must be done for, or None; survivors again at the end, and
        those that are listed as equivalent last of all."""
        valid = self.state["valid"]
        with self.lock:
            while self.taken < self.wanted() and self.waiting:
                mutant = self.waiting.pop()
                known = valid.get(self.key(mutant))
                if known is False or (mutant.file, mutant.line) in self.lines:
                    continue
                if not known:
                    return mutant
                self.take(mutant)
                if self.is_asked(mutant) and not self.result(mutant).get("killed"):
                    self.postpone(mutant)
            late = self.survivors or self.excused
            return late.pop(0) if late else None

    def postpone(self, mutant):
        (self.excused if key_of(mutant) in self.reasons else self.survivors).append(mutant)

    def is_asked(self, mutant):
        """Is it in one of the folders of --only?  The others are drawn, and not tried."""
        return Path(mutant.file).parent.name in self.options.only.split(",")

    def result(self, mutant):
        return self.state["results"].get(self.key(mutant), {})

    def take(self, mutant):
        self.taken += 1
        self.lines.add((mutant.file, mutant.line))

    def chosen(self):
        """The first mutants of the seed that compile to something else, one of each line."""
        valid, lines, out = self.state["valid"], set(), []
        for mutant in self.candidates():
            if len(out) < self.wanted() and valid.get(self.key(mutant)) and (
                    mutant.file, mutant.line) not in lines:
                lines.add((mutant.file, mutant.line))
                out.append(mutant)
        return out

    def differs(self, file, made, builder):
        """Is the object other than that of the file as it is?"""
        if made and file not in self.plain:
            mutated = made.read_bytes()
            self.plain[file] = builder.compile(file, self.files[file]).read_bytes()
            made.write_bytes(mutated)
        return bool(made) and made.read_bytes() != self.plain[file]

    def judge(self, mutant, builder):
        """Kill one mutant, or show that nobody does; the result goes into the state."""
        key, results = self.key(mutant), self.state["results"]
        made = builder.compile(mutant.file, mutant.apply(self.files[mutant.file]))
        if key not in self.state["valid"]:
            counts = self.differs(mutant.file, made, builder)
            with self.lock:
                self.state["valid"][key] = counts
                if not counts:
                    return
                self.take(mutant)
                if self.is_asked(mutant) and key_of(mutant) in self.reasons:
                    self.postpone(mutant)
                    return
        if not self.is_asked(mutant):
            return
        past = self.state["history"].get(key_of(mutant))
        survived = self.result(mutant).get("survived", {})
        seen = self.coverage.seen
        ask = [u for u in self.coverage.of(mutant, self.files[mutant.file])
               if survived.get(u) != seen[u]["key"]]
        killer, silent = None, []
        if ask and not builder.join({mutant.file: made}):
            killer = "link"
        elif ask:
            steps = self.order.steps(ask, past, mutant.file)
            killer, silent = try_tests(steps, self.coverage, builder.folder, self.options.budget)
        with self.lock:
            results[key] = {"killed": killer, "survived": {} if killer else
                            {**survived, **{u: seen[u]["key"] for u in silent}}}
            if killer:
                self.order.killed_by(killer, mutant.file)
                self.state["history"][key_of(mutant)] = killer
            print(f"  {self.taken:4} {killer or 'SURVIVES':36} {mutant.file}:{mutant.line}", flush=True)
            save(self.state)


# ---- what is known -------------------------------------------------------------------------------


def load():
    state = {}
    for path in (RESULTS, COVERED):
        try:
            state.update(json.loads(path.read_text()))
        except (OSError, ValueError):
            pass
    return state


def write(path, values):
    BUILD.mkdir(exist_ok=True)
    new = path.with_suffix(".new")
    new.write_text(json.dumps(values))
    new.replace(path)


def save(state):
    write(RESULTS, {key: state[key] for key in state if key not in OF_COVERAGE})


def read_equivalent(path=EQUIVALENT):
    """{file and lines: reason} of the paragraphs of equivalent.txt."""
    reasons = {}
    text = path.read_text() if path.is_file() else ""
    for paragraph in text.split("\n\n"):
        lines = [line for line in paragraph.strip().splitlines() if not line.startswith("#")]
        if not lines:
            continue
        if len(lines) < 3 or not lines[1].startswith("=> ") or not lines[2].startswith("because "):
            sys.exit(f"{path.name}: cannot read the paragraph of '{lines[0]}'")
        reasons["\n".join(lines[:2])] = " ".join(lines[2:])
    return reasons


def report(run, mine, seconds):
    """Survivors and the rate; returns how many survivors have no reason."""
    killed, equivalent, survivors, unknown = 0, 0, [], 0
    for mutant in mine:
        result = run.result(mutant)
        if result.get("killed"):
            killed += 1
        elif key_of(mutant) in run.reasons:
            equivalent += 1
        elif not result:
            unknown += 1
        else:
            survivors.append((mutant, len(result["survived"])))
    for mutant, asked in survivors:
        said = f"{asked} tests see nothing" if asked else "no test executes it"
        print(f"\n{mutant.file}:{mutant.line}: {mutant.kind}; {said}\n{key_of(mutant)}")
    tried = killed + equivalent + len(survivors)
    rate = 100.0 * killed / max(1, tried - equivalent)
    print(f"\nseed {run.options.seed}: {tried} mutants in {run.options.only}: {killed} killed, "
          f"{equivalent} equivalent, {len(survivors)} survive; {rate:.1f} % of those that can be "
          f"killed" + (f"; {unknown} not tried yet" if unknown else "")
          + (f" ({seconds:.0f} s)" if seconds else ""))
    texts = "\n".join(run.files.values())
    for key in run.reasons:
        if key.split(": ", 1)[1].split("\n=> ")[0].removesuffix(" {") not in texts:
            print(f"stale in {EQUIVALENT.name}: {key.splitlines()[0]}")
    return len(survivors)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument("--folders", help=f"folders of src/, default {FOLDERS}, those that exist")
    parser.add_argument("--only", help="of the mutants drawn, try those in these folders")
    parser.add_argument("--part", default="1/1", help="k/n: the k-th of n parts, with count / n mutants each")
    parser.add_argument("--jobs", type=int, default=1, help="mutants at the same time")
    parser.add_argument("--budget", type=float, default=1e9,
                        help="a mutant survives after tests of so many seconds; go on another time")
    parser.add_argument("--measure", action="store_true", help="measure anew what tests execute")
    parser.add_argument("--again", action="store_true", help="forget earlier results")
    parser.add_argument("--list", action="store_true", help="show what is known, run nothing")
    options = parser.parse_args()
    options.folders = options.folders or ",".join(
        f for f in FOLDERS.split(",") if (ROOT / "src" / f).is_dir())
    options.only = options.only or options.folders
    began, run = time.monotonic(), Run(options)
    mine = [m for m in (run.chosen() if options.list else run.go()) if run.is_asked(m)]
    sys.exit(report(run, mine, 0.0 if options.list else time.monotonic() - began) > 0)


if __name__ == "__main__":
    main()
