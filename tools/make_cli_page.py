#!/usr/bin/env python3
"""make_cli_page.py - write docs/reference/cli.md from what `daedal help` prints.

With --check the page is compared and left alone.
"""
import re
import subprocess
import sys
from pathlib import Path

from repository import arguments

NOTE = "<!-- written by tools/make_cli_page.py from `daedal help`; do not edit -->\n"
INTRO = """# The command line

This page shows what `daedal help` prints for each verb. [The command line in
scripts](../howto/command-line.md) describes the exit status, the JSON members and where rows are
written. The options of the library are flags too; [options](options.md) lists them with their ranges.
"""


def help_text(program, *words):
    return subprocess.run([program, "help", *words], capture_output=True, text=True,
                          check=True).stdout


def page(program):
    overview = help_text(program)
    overview = overview.split("\n", 1)[1].strip("\n")  # without the version
    verbs = re.search(r"^verbs\n((?:  .*\n)+)", overview, re.M).group(1).split("\n")
    names = [line.split()[0] for line in verbs if line.strip()]
    parts = [NOTE, INTRO, f"```text\n{overview}\n```\n"]
    for name in [n for n in names if n != "help"] + ["options"]:
        parts.append(f"## {name}\n\n```text\n{help_text(program, name).strip(chr(10))}\n```\n")
    return "\n".join(parts)


def main():
    options = arguments(__doc__.splitlines()[0],
                        program={"type": Path, "required": True, "help": "build/daedal"},
                        check={"action": "store_true", "help": "only compare"})
    path, text = options.root / "docs/reference/cli.md", page(options.program.resolve())
    if options.check:
        if not path.is_file() or path.read_text() != text:
            sys.exit(f"{path.relative_to(options.root)}: not what the program says; run `make docs`")
        print("summary: 1 page")
        return
    path.write_text(text)
    print(f"wrote {path.name}")


if __name__ == "__main__":
    main()
