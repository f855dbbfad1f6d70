#!/usr/bin/env python3
"""check_sessions.py - run the commands of the documentation and compare their output.

For README.md and docs/, page by page, in an empty folder with models/ beside it:
  * a ```modelica or ```csv block behind a line `<!-- file NAME -->` is written to the file NAME,
    which the text names before it;
    another ```modelica block that begins with a whole model must pass `daedal analyze`;
  * the lines of a ```sh block that call `daedal` or `build/daedal`, alone or behind a pipe, are
    run; every command of a pipe must succeed.  If the next
    block is ```text, that is what they print (stdout and stderr), numbers up to the last digits
    and a line `...` for any lines; else they must end with status 0;
  * a command in the last cell of a row of a table, "| `daedal solve models/pendulum.mo` |", must end
    with status 0.
"""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from repository import arguments, finish

BLOCK = re.compile(r"^(?:<!-- file (\S+) -->\n+)?```(\w*)\n(.*?)^```$", re.M | re.S)
NUMBER = re.compile(r"[-+]?\d+\.?\d*(?:[eE][-+]?\d+)?")
CELL = re.compile(r"^\|.*\| `(daedal [^`]+)` \|$", re.M)
WHOLE_MODEL = re.compile(r"\s*(?://.*\n\s*)*model\s")
CLOSE, TINY, SECONDS = 1e-3, 1e-9, 60


def same_line(want, got):
    if NUMBER.sub("#", want).split() != NUMBER.sub("#", got).split():
        return False
    pairs = zip(map(float, NUMBER.findall(want)), map(float, NUMBER.findall(got)))
    return all(abs(a - b) <= CLOSE * max(abs(a), abs(b)) + TINY for a, b in pairs)


def same(want, got):
    """Equal lists of lines, where `...` in `want` stands for any lines."""
    if not want:
        return not got
    if want[0].strip() == "...":
        return any(same(want[1:], got[k:]) for k in range(len(got) + 1))
    return bool(got) and same_line(want[0], got[0]) and same(want[1:], got[1:])


def lines_of(text):
    return [line.rstrip() for line in text.splitlines() if line.strip()]


def run(command, folder, program):
    environment = dict(os.environ, OPENBLAS_NUM_THREADS="1", LC_ALL="C.UTF-8",
                       PATH=f"{program.parent}{os.pathsep}{os.environ.get('PATH', '')}")
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=folder, env=environment, text=True,
                          encoding="utf-8", stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          stdin=subprocess.DEVNULL, timeout=SECONDS)
    return done.returncode, done.stdout


def commands_of(code):
    """The lines that call the program, which stands in PATH."""
    lines = (re.sub(r"(^|\| *)build/daedal ", r"\1daedal ", line) for line in code.splitlines())
    return [line for line in lines if re.search(r"(^|\| *)daedal ", line)]


def check_page(page, program, models):
    """(line, what is wrong) of every session of a page; the last item counts the commands."""
    text, count = page.read_text(encoding="utf-8"), 0
    blocks = list(BLOCK.finditer(text))
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "models").symlink_to(models)
        for block, following in zip(blocks, blocks[1:] + [None]):
            name, kind, code = block.groups()
            line = text.count("\n", 0, block.start()) + 1
            if name and f"`{name}`" not in text[:block.start()]:
                yield line, f"the reader is not told that this is `{name}`"
            if kind == "csv" and name:
                Path(folder, name).write_text(code, encoding="utf-8")
                continue
            if kind == "modelica" and (name or WHOLE_MODEL.match(code)):
                Path(folder, name or "block.mo").write_text(code, encoding="utf-8")
                commands, prints = ([] if name else ["daedal analyze block.mo"]), None
            elif kind == "sh":
                commands = commands_of(code)
                prints = following.group(3) if following and following.group(2) == "text" else None
            else:
                continue
            printed = ""
            for command in commands:
                status, output = run(command, folder, program)
                printed, count = printed + output, count + 1
                if status and prints is None:
                    yield line, f"`{command}` ends with status {status}:\n{output}"
            if commands and prints is not None and not same(lines_of(prints), lines_of(printed)):
                yield line, f"printed\n{printed}instead of\n{prints}"
        for cell in CELL.finditer(text):
            status, output = run(cell.group(1), folder, program)
            count += 1
            if status:
                yield text.count("\n", 0, cell.start()) + 1, f"`{cell.group(1)}` ends with status {status}:\n{output}"
    yield 0, count


def main():
    options = arguments(__doc__.splitlines()[0],
                        program={"type": Path, "required": True, "help": "build/daedal"})
    root, errors, total = options.root, [], 0
    for page in [root / "README.md", *sorted((root / "docs").rglob("*.md"))]:
        for line, what in check_page(page, options.program.resolve(), root / "models"):
            if line:
                errors.append(f"{page.relative_to(root)}:{line}: {what}")
            else:
                total += what
    finish(errors, f"{total} commands")


if __name__ == "__main__":
    sys.exit(main())
