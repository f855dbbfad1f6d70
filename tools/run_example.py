#!/usr/bin/env python3
"""run_example.py SOURCE PROGRAM - run an example and check its output.

A comment line of the source such as `expect: the ball bounced` names text the output must contain
(runs of blanks count as one).  The program must end with status 0.
"""
import re
import subprocess
import sys


def expectations(source):
    return [" ".join(text.split()) for text in re.findall(r"expect:\s*(.+?)\s*(?:\*/)?\s*$", source, re.M)]


def main():
    source, program = sys.argv[1:3]
    with open(source, encoding="utf-8") as file:
        wanted = expectations(file.read())
    run = subprocess.run([program], capture_output=True, text=True, timeout=60)
    print(run.stdout + run.stderr)
    said = " ".join(run.stdout.split())
    missing = [text for text in wanted if text not in said]
    for text in missing:
        print(f"{source}: expected in the output: {text}")
    if not wanted:
        print(f"{source}: has no `expect:` line")
    if run.returncode:
        print(f"{program}: ended with status {run.returncode}")
    sys.exit(bool(missing or not wanted or run.returncode))


if __name__ == "__main__":
    main()
