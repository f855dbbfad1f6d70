#!/usr/bin/env python3
"""check_unused.py - check that the library has no function that only tests use.

A function that a header of src/ declares must occur in src/, cli/ or python/source somewhere else than
in its declaration and its definition.
"""
import collections
import re

from repository import arguments, c_files, finish, without_comments

DECLARATION = re.compile(r"^(?!typedef\b|static\b)[A-Za-z_][\w *]*?\b([a-z]\w*)\([^;{}]*\);", re.M)
WORD = re.compile(r"\b[A-Za-z_]\w*\b")


def words(text):
    return WORD.findall(re.sub(r'"(?:\\.|[^"\\\n])*"', " ", text))


def main():
    root = arguments(__doc__.splitlines()[0]).root
    counts, declared, errors = collections.Counter(), [], []
    for path in c_files(root, "src", "cli", "python/source"):
        text = without_comments(path.read_text())
        counts.update(words(text))
        if path.suffix == ".h":
            declared += [(m.group(1), path, text.count("\n", 0, m.start()) + 1)
                         for m in DECLARATION.finditer(text) if not m.group(1).endswith("_")]
    for name, path, line in declared:
        if counts[name] <= 2:
            errors.append(f"{path.relative_to(root)}:{line}: {name} is used by no file of the library")
    finish(errors, f"{len(declared)} functions of headers are used")


if __name__ == "__main__":
    main()
