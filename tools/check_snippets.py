#!/usr/bin/env python3
"""check_snippets.py - compile and run the C code of the documentation and compare its output.

Every ```c block of README.md, ARCHITECTURE.md and docs/ is taken:
  * with a main() it is compiled against the library in the build directory and run; if the next
    block is ```text, that is its output (numbers may differ in the last digits, see CLOSE);
  * without one it must compile as a file of its own, after PREAMBLE.
"""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from repository import arguments, finish

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
NUMBER = re.compile(r"[-+]?\d+\.?\d*(?:[eE][-+]?\d+)?")
CLOSE = 1e-3  # relative difference two printed numbers may have
PREAMBLE = "".join(f"#include <{h}>\n" for h in
                   ("daedal.h", "math.h", "stdio.h", "stdlib.h", "string.h"))
WARNINGS = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function",
            "-Wno-unused-parameter"]


def snippets(path):
    """(line, code, expected output or None) of every C block of a file."""
    text = path.read_text()
    blocks = list(BLOCK.finditer(text))
    for block, following in zip(blocks, blocks[1:] + [None]):
        if block.group(1) == "c":
            prints = following.group(2) if following and following.group(1) == "text" else None
            yield text.count("\n", 0, block.start()) + 1, block.group(2), prints


def same(expected, actual):
    """Equal texts, up to blanks and the last digits of numbers."""
    if NUMBER.sub("#", expected).split() != NUMBER.sub("#", actual).split():
        return False
    pairs = zip(NUMBER.findall(expected), NUMBER.findall(actual))
    return all(abs(float(a) - float(b)) <= CLOSE * max(abs(float(a)), abs(float(b)))
               for a, b in pairs)


def compile_c(cc, source, options):
    run = subprocess.run([*cc, *WARNINGS, str(source), *options], capture_output=True, text=True)
    return run.returncode, run.stderr


def check_snippet(code, expected, cc, root, build):
    """None if the snippet is right, else what is wrong with it."""
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder, "snippet.c"), Path(folder, "snippet")
        include = f"-I{root / 'include'}"
        if "main(" not in code:
            source.write_text(PREAMBLE + code)
            status, errors = compile_c(cc, source, [include, "-fsyntax-only"])
            return f"does not compile:\n{errors}" if status else None
        source.write_text(code)
        link = [include, f"-L{build}", "-ldaedal", "-lm", f"-Wl,-rpath,{build}", "-o", str(program)]
        status, errors = compile_c(cc, source, link)
        if status:
            return f"does not compile:\n{errors}"
        environment = dict(os.environ, OPENBLAS_NUM_THREADS="1")
        run = subprocess.run([program], capture_output=True, text=True, timeout=60, cwd=folder,
                             env=environment)
        if run.returncode:
            return f"ended with status {run.returncode}:\n{run.stdout}{run.stderr}"
        if expected is not None and not same(expected, run.stdout):
            return f"printed\n{run.stdout}instead of\n{expected}"
    return None


def main():
    options = arguments(__doc__.splitlines()[0],
                        cc={"default": "cc", "help": "the C compiler"},
                        build={"type": Path, "required": True, "help": "directory with libdaedal"})
    pages = [options.root / "README.md", options.root / "ARCHITECTURE.md",
             *sorted((options.root / "docs").rglob("*.md"))]
    errors, count = [], 0
    for page in (p for p in pages if p.is_file()):
        for line, code, expected in snippets(page):
            count += 1
            wrong = check_snippet(code, expected, options.cc.split(), options.root,
                                   options.build.resolve())
            if wrong:
                errors.append(f"{page.relative_to(options.root)}:{line}: {wrong}")
    finish(errors, f"{count} snippets")


if __name__ == "__main__":
    sys.exit(main())
