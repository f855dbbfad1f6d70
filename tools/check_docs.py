#!/usr/bin/env python3
"""check_docs.py - check that the documentation agrees with the repository.

The generated reference pages must be up to date.  Links between Markdown files must have a
target, headings included, and docs/README.md must link to every page.  Keys cited as [KEY96] in
comments and pages must be in docs/bib/refs.bib, and every entry there must be cited.
docs/tour.md must name every file of the code; it, ARCHITECTURE.md, the theory pages and comments must not name a
file that does not exist.  The messages that howto/error-messages.md explains must occur in the
code.  The tests that docs/conformance.md names must contain the number of their item, and each number
that a test contains must be there.  No tracked file may contain a path of a developer's machine.
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
TOUR = "docs/tour.md"


def check_reference(root):
    for path, text in make_reference.pages(root).items():
        if not path.is_file() or path.read_text() != text:
            yield f"{path.relative_to(root)}: not what daedal.h says; run `make docs`"


def anchors(text):
    """The headings of a page as GitHub names them in links."""
    for heading in HEADING.findall(FENCED.sub("", text)):
        yield re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def check_links(root, path, text):
    for target in LINK.findall(FENCED.sub("", text)):
        name, _, anchor = target.partition("#")
        file = path.parent / name if name else path
        if "://" in target:
            continue
        if not file.exists():
            yield f"{path.relative_to(root)}: link to {target}, which does not exist"
        elif anchor and file.suffix == ".md" and anchor not in anchors(file.read_text()):
            yield f"{path.relative_to(root)}: link to {target}, but there is no such heading"


def check_index(root):
    """docs/README.md must link to every page, except those of the folder decisions."""
    index = root / "docs/README.md"
    if not index.is_file():
        return
    linked = {(index.parent / target.split("#")[0]).resolve()
              for target in LINK.findall(index.read_text())}
    for page in tracked_files(root / "docs"):
        if page.suffix == ".md" and "decisions" not in page.parts and page != index:
            if page.resolve() not in linked:
                yield f"docs/README.md: no link to {page.relative_to(root / 'docs')}"


def check_keys(root):
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


def check_paths(root):
    for path in c_files(root, "include", "src", "cli", "tests", "bench", "examples"):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            for name in PATH.findall(line):
                if not (root / name).exists():
                    yield f"{path.relative_to(root)}:{number}: {name} does not exist"


def quoted_on(page):
    """What stands in backquotes on a page."""
    return QUOTED.findall(FENCED.sub("", page.read_text())) if page.is_file() else []


def check_named_files(root):
    """Files named as `name.c` on the pages that describe the code must exist."""
    files = tracked_files(root)
    for page in [root / "ARCHITECTURE.md", root / TOUR, *sorted((root / "docs/theory").glob("*.md"))]:
        for name in sorted({name for text in quoted_on(page) for name in NAMED_FILE.findall(text)}):
            if not any(str(path).endswith("/" + name) for path in files):
                yield f"{page.relative_to(root)}: {name} does not exist"


def check_messages(root):
    """The messages in the first column of tables of howto/error-messages.md must occur in the code."""
    page = root / "docs/howto/error-messages.md"
    said = "".join(re.sub(r'"\s*"', "", path.read_text()) for path in c_files(root, "src", "cli"))
    for line in page.read_text().splitlines() if page.is_file() else []:
        for message in QUOTED.findall(line.split("|")[1] if line.startswith("| ") else ""):
            for piece in re.split(r'"?\.\.\."?', message):
                if len(piece.strip()) > 3 and piece.strip(" :") not in said:
                    yield f"docs/howto/error-messages.md: no message contains `{piece.strip()}`"


def items_of(text):
    """Numbers of conformance items in a test: C012, c012_name, C012 to C015."""
    items = {int(n) for n in re.findall(r"\b[Cc](\d{3})(?:\b|_)", text)}
    for first, last in re.findall(r"\bC(\d{3}) to C(\d{3})", text):
        items.update(range(int(first), int(last) + 1))
    return items


def check_conformance(root):
    """Rows `| C012 | statement | tests | ..` of docs/conformance.md name tests that contain C012."""
    page = root / "docs/conformance.md"
    rows = re.findall(r"^\| C(\d{3}) \|.*\| (`.*`) \|", page.read_text(), re.M) if page.is_file() else []
    for number, tests in rows:
        for name in QUOTED.findall(tests):
            test = root / "tests" / f"{name}.c"
            if not test.is_file() or int(number) not in items_of(test.read_text()):
                yield f"docs/conformance.md: tests/{name}.c does not contain C{number}"
    listed = {int(number) for number, _ in rows}
    for test in c_files(root, "tests/conformance", "tests/textbook") if rows else []:
        named = {int(n) for n in re.findall(r"static void c(\d{3})_", test.read_text())}
        for number in sorted(named - listed):
            yield f"docs/conformance.md: no row C{number:03}, which {test.relative_to(root)} tests"


def check_tour(root):
    """docs/tour.md must name every file; `name` stands for name.c and name.h."""
    if not (root / TOUR).is_file():
        return
    quoted = quoted_on(root / TOUR)
    words = {word for text in quoted for word in re.findall(r"\w+", text)}
    files = tracked_files(root)
    for path in c_files(root, "src", "cli"):
        if path.stem not in words and not path.stem.startswith("verb_"):
            yield f"{TOUR}: does not say what {path.relative_to(root)} is for"
    known = {path.stem for path in files} | {path.parent.name for path in files}
    for header in c_files(root, "include", "src"):
        known.update(re.findall(r"\w+", header.read_text()) if header.suffix == ".h" else ())
    for page in (TOUR, "ARCHITECTURE.md"):
        names = {text for text in quoted_on(root / page) if re.fullmatch(r"[a-z]\w*", text)}
        for word in sorted(names - known):
            yield f"{page}: nothing is called {word}"


def check(root):
    yield from check_reference(root)
    yield from check_keys(root)
    yield from check_index(root)
    yield from check_tour(root)
    yield from check_named_files(root)
    yield from check_messages(root)
    yield from check_conformance(root)
    yield from check_paths(root)
    for path in tracked_files(root):
        try:
            text = path.read_text()
        except UnicodeDecodeError:
            continue
        if path.suffix == ".md":
            yield from check_links(root, path, text)
        for number, line in enumerate(text.splitlines(), 1):
            if MACHINE_PATH.search(line):
                yield f"{path.relative_to(root)}:{number}: names a path of one machine"


def main():
    root = arguments(__doc__.splitlines()[0]).root
    errors = list(check(root))
    finish(errors, f"{len(tracked_files(root))} files")


if __name__ == "__main__":
    main()
