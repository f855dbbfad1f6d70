#!/usr/bin/env python3
"""check_docs.py - what the text says must be true of the tree.

Checked: the generated reference pages are up to date; links between Markdown files lead
somewhere; keys cited in comments as [KEY96] stand in docs/bib/refs.bib; no tracked file names a
path of somebody's machine.
"""
import re

import make_reference
from repository import arguments, c_files, finish, tracked_files

MACHINE_PATH = re.compile(r"(?<![\w.}])/(?:work|root|home|Users)\b")
LINK = re.compile(r"\[[^\]\n]*\]\(([^)\s]+)\)")
KEY = re.compile(r"\[([A-Z][A-Za-z]*[0-9]{2}[a-z]?)\]")
FENCED = re.compile(r"^```.*?^```", re.M | re.S)


def complain_about_reference(root):
    for path, text in make_reference.pages(root).items():
        if not path.is_file() or path.read_text() != text:
            yield f"{path.relative_to(root)}: not what daedal.h says; run `make docs`"


def complain_about_links(root, path, text):
    for target in LINK.findall(FENCED.sub("", text)):
        file = target.split("#")[0]
        if file and "://" not in file and not (path.parent / file).exists():
            yield f"{path.relative_to(root)}: link to {target}, which does not exist"


def complain_about_keys(root):
    bib = root / "docs/bib/refs.bib"
    known = set(re.findall(r"@\w+\{(\w+),", bib.read_text())) if bib.is_file() else set()
    for path in c_files(root, "include", "src", "tests", "bench"):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            for key in KEY.findall(line):
                if key not in known:
                    yield f"{path.relative_to(root)}:{number}: [{key}] is not in docs/bib/refs.bib"


def complain(root):
    yield from complain_about_reference(root)
    yield from complain_about_keys(root)
    for path in tracked_files(root):
        try:
            text = path.read_text()
        except UnicodeDecodeError:
            continue
        if path.suffix == ".md":
            yield from complain_about_links(root, path, text)
        for number, line in enumerate(text.splitlines(), 1):
            if MACHINE_PATH.search(line):
                yield f"{path.relative_to(root)}:{number}: names a path of one machine"


def main():
    root = arguments(__doc__.splitlines()[0]).root
    complaints = list(complain(root))
    finish(complaints, f"{len(tracked_files(root))} files")


if __name__ == "__main__":
    main()
