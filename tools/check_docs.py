#!/usr/bin/env python3
"""check_docs.py - what the text says must be true of the tree.

Checked: the generated reference pages are up to date; links between Markdown files lead
somewhere, to a heading too; docs/README.md leads to every page; keys cited as [KEY96] in comments
and pages stand in docs/bib/refs.bib, and every entry there is cited; ARCHITECTURE.md names every
file of the code; neither it nor theory nor a comment names one that does not exist; the messages
that howto/error-messages.md explains are still said; no tracked file names a path of somebody's
machine.
"""
import re

import make_reference
from repository import arguments, c_files, finish, tracked_files

MACHINE_PATH = re.compile(r"(?<![\w.}])/(?:work|root|home|Users)\b")
LINK = re.compile(r"\[[^\]\n]*\]\(([^)\s]+)\)")
KEY = re.compile(r"\[([A-Z][A-Za-z]*[0-9]{2}[a-z]?)\]")
FENCED = re.compile(r"^```.*?^```", re.M | re.S)
HEADING = re.compile(r"^#+ +(.*)$", re.M)
QUOTED = re.compile(r"`([^`\n]+)`")
PATH = re.compile(r"(?<![\w./])(?:docs|study|bench|tests|tools|examples|models)/[\w./-]*\w\.(?:md|[ch]|py|mo)\b")
NAMED_FILE = re.compile(r"[\w./-]*\w\.(?:c|h|py|sh|md|mo|bib)")


def complain_about_reference(root):
    for path, text in make_reference.pages(root).items():
        if not path.is_file() or path.read_text() != text:
            yield f"{path.relative_to(root)}: not what daedal.h says; run `make docs`"


def anchors(text):
    """The headings of a page as GitHub names them in links."""
    for heading in HEADING.findall(FENCED.sub("", text)):
        yield re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def complain_about_links(root, path, text):
    for target in LINK.findall(FENCED.sub("", text)):
        name, _, anchor = target.partition("#")
        file = path.parent / name if name else path
        if "://" in target:
            continue
        if not file.exists():
            yield f"{path.relative_to(root)}: link to {target}, which does not exist"
        elif anchor and file.suffix == ".md" and anchor not in anchors(file.read_text()):
            yield f"{path.relative_to(root)}: link to {target}, but there is no such heading"


def complain_about_index(root):
    """Decisions are a folder to look into; every other page is one click away from docs/README.md."""
    index = root / "docs/README.md"
    if not index.is_file():
        return
    linked = {(index.parent / target.split("#")[0]).resolve()
              for target in LINK.findall(index.read_text())}
    for page in tracked_files(root / "docs"):
        if page.suffix == ".md" and "decisions" not in page.parts and page != index:
            if page.resolve() not in linked:
                yield f"docs/README.md: no link to {page.relative_to(root / 'docs')}"


def complain_about_keys(root):
    bib = root / "docs/bib/refs.bib"
    known = set(re.findall(r"@\w+\{(\w+),", bib.read_text())) if bib.is_file() else set()
    cited = set()
    pages = [p for p in tracked_files(root) if p.suffix == ".md"]
    for path in c_files(root, "include", "src", "tests", "bench") + pages:
        for number, line in enumerate(path.read_text().splitlines(), 1):
            for key in KEY.findall(line):
                cited.add(key)
                if key not in known:
                    yield f"{path.relative_to(root)}:{number}: [{key}] is not in docs/bib/refs.bib"
    for key in sorted(known - cited):
        yield f"docs/bib/refs.bib: {key} is cited nowhere"


def complain_about_paths(root):
    for path in c_files(root, "include", "src", "cli", "tests", "bench", "examples"):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            for name in PATH.findall(line):
                if not (root / name).exists():
                    yield f"{path.relative_to(root)}:{number}: {name} does not exist"


def complain_about_named_files(root):
    """`name.c` on the pages that describe the code."""
    files = tracked_files(root)
    for page in [root / "ARCHITECTURE.md", *sorted((root / "docs/theory").glob("*.md"))]:
        quoted = QUOTED.findall(FENCED.sub("", page.read_text())) if page.is_file() else []
        for name in sorted({name for text in quoted for name in NAMED_FILE.findall(text)}):
            if not any(str(path).endswith("/" + name) for path in files):
                yield f"{page.relative_to(root)}: {name} does not exist"


def complain_about_messages(root):
    """What howto/error-messages.md explains in the first column of a table is still said."""
    page = root / "docs/howto/error-messages.md"
    said = "".join(re.sub(r'"\s*"', "", path.read_text()) for path in c_files(root, "src", "cli"))
    for line in page.read_text().splitlines() if page.is_file() else []:
        for message in QUOTED.findall(line.split("|")[1] if line.startswith("| ") else ""):
            for piece in re.split(r'"?\.\.\."?', message):
                if len(piece.strip()) > 3 and piece.strip(" :") not in said:
                    yield f"docs/howto/error-messages.md: nothing says `{piece.strip()}`"


def complain_about_tour(root):
    """ARCHITECTURE.md and the files: `name` stands for name.c and name.h."""
    tour = root / "ARCHITECTURE.md"
    if not tour.is_file():
        return
    quoted = QUOTED.findall(FENCED.sub("", tour.read_text()))
    words = {word for text in quoted for word in re.findall(r"\w+", text)}
    files = tracked_files(root)
    for path in c_files(root, "src", "cli"):
        if path.stem not in words and not path.stem.startswith("verb_"):
            yield f"ARCHITECTURE.md: does not say what {path.relative_to(root)} is for"
    known = {path.stem for path in files} | {path.parent.name for path in files}
    for header in c_files(root, "include", "src"):
        known.update(re.findall(r"\w+", header.read_text()) if header.suffix == ".h" else ())
    for word in sorted({text for text in quoted if re.fullmatch(r"[a-z]\w*", text)} - known):
        yield f"ARCHITECTURE.md: nothing is called {word}"


def complain(root):
    yield from complain_about_reference(root)
    yield from complain_about_keys(root)
    yield from complain_about_index(root)
    yield from complain_about_tour(root)
    yield from complain_about_named_files(root)
    yield from complain_about_messages(root)
    yield from complain_about_paths(root)
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
