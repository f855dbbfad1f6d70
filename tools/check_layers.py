#!/usr/bin/env python3
"""check_layers.py - who may include what, and who declares what.

The table in ARCHITECTURE.md (first column: folder, last column: may include) is the rule.  It is
read from the top down.  Checked:
  * a row names only folders whose rows stand above it, so the folders form no cycle;
  * src/<folder>/ includes "daedal.h", its own folder, the folders its row names, and what those
    may include;
  * a function declared in a header of src/<folder>/ is defined in a file of the same folder;
  * no file name begins with the name of a folder: flatten/expressions.c, not flatten_expr.c;
  * every path is written "folder/file.h" and exists;
  * headers that are not standard C appear only in the folders of EXTERNAL;
  * programs see "daedal.h", their own files, and the folders that a row of their name allows
    (cli: output); examples/ have no row;
  * every folder has a row, and no two C files share a name.
"""
import re
from collections import defaultdict

from check_length import functions, head
from repository import arguments, c_files, finish, without_comments

STANDARD = set("""assert complex ctype errno fenv float inttypes limits locale math setjmp signal
    stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads
    time""".split())
# may include headers of KLU, zlib, libffi, pthread, directories
EXTERNAL = {"linalg", "tables", "foreign", "sweep", "instantiate", "threads"}
INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')
PROTOTYPE = re.compile(r"(?<![\w.>])([a-z_]\w*)\s*\((?!\s*\*)")


def read_table(text):
    """{folder: list of the folders its row names} from the Markdown table, from the top down."""
    rows = {}
    for line in text.splitlines():
        cells = [c.strip().strip("`") for c in line.strip().strip("|").split("|")]
        if line.lstrip().startswith("|") and len(cells) >= 3 and re.fullmatch(r"[a-z]+", cells[0]):
            if cells[0] not in ("module", "folder"):
                words = re.findall(r"[a-z]+", cells[-1])
                rows[cells[0]] = list(rows) if "all" in words else words
    return rows


def check_order(rows):
    """A row may name only rows above it."""
    above = set()
    for folder, named in rows.items():
        for name in named:
            if name in rows and name not in above:
                yield (f"ARCHITECTURE.md: the row of {folder} names {name}, whose row must then stand "
                       "above it")
        above.add(folder)


def allowed_includes(rows):
    """{folder: set of folders}: what a row names, and what those may include."""
    allowed = {}
    for folder, named in rows.items():
        allowed[folder] = set(named).union(*(allowed.get(name, set()) for name in named))
    return allowed


def includes(path):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1) == "<", match.group(2)


def check_module(root, module, path, allowed):
    """Errors in the includes of one file of src/<module>/."""
    for number, system, name in includes(path):
        where = f"{path.relative_to(root)}:{number}: "
        if system:
            if name.removesuffix(".h") not in STANDARD and module not in EXTERNAL:
                yield where + f"<{name}> is not standard C; only {sorted(EXTERNAL)} may use it"
        elif name == "daedal.h":
            continue
        elif "/" not in name:
            yield where + f'"{name}": write the folder too, "{module}/{name}"'
        elif not (root / "src" / name).is_file():
            yield where + f'"{name}" does not exist below src/'
        elif name.split("/")[0] not in allowed | {module}:
            yield where + f"{module} may not include {name.split('/')[0]} (ARCHITECTURE.md)"


def check_program(root, path, allowed):
    """Programs for people see the public header, and the folders their row names."""
    for number, system, name in includes(path):
        if name == "daedal.h" or system or (path.parent / name).is_file():
            continue
        if name.split("/")[0] not in allowed or not (root / "src" / name).is_file():
            yield f'{path.relative_to(root)}:{number}: "{name}": only daedal.h is public'


def prototypes(text):
    """The names of the functions that a header declares without defining them."""
    text = re.sub(r"^\s*#(?:.*\\\n)*.*", "", without_comments(text), flags=re.M)
    while re.search(r"\{[^{}]*\}", text):  # what remains stands outside of all braces
        text = re.sub(r"\{[^{}]*\}", "\0", text)
    for statement in re.split(r";", text):
        statement = statement.rsplit("\0", 1)[-1]  # behind a body, if there is one
        if "typedef" in statement or "extern" in statement or "=" in statement:
            continue
        match = PROTOTYPE.search(statement)
        if match:
            yield match.group(1)


def definitions(path):
    """The names of the functions with external linkage that a file defines."""
    text = path.read_text()
    for name, line, _, _ in functions(text):
        if not re.search(r"\bstatic\b", head(text.splitlines(), line)):
            yield name


def check_declarations(root):
    """Functions that a header of one folder declares and a file of another defines."""
    defined = {}
    for path in c_files(root, "src"):
        if path.suffix == ".c":
            for name in definitions(path):
                defined[name] = path
    for path in c_files(root, "src"):
        if path.suffix != ".h":
            continue
        for name in prototypes(path.read_text()):
            place = defined.get(name)
            if place is None and path.parent.name not in EXTERNAL:
                yield f"{path.relative_to(root)}: declares {name}, which is defined nowhere"
            elif place is not None and place.parent != path.parent:
                yield (f"{path.relative_to(root)}: declares {name}, which "
                       f"{place.relative_to(root)} defines")


def check_names(root, folders):
    """Files whose names begin with the name of a folder, or that share a name."""
    for path in c_files(root, "src"):
        prefix = path.stem.split("_")[0]
        if "_" in path.stem and prefix in folders:
            yield f"{path.relative_to(root)}: the name begins with that of the folder {prefix}"
    places = defaultdict(list)
    for path in c_files(root, "include", "src", "cli", "examples", "tests", "bench"):
        places[path.name].append(str(path.relative_to(root)))
    for name, paths in places.items():
        if len(paths) > 1:
            yield f"{name}: the name is used more than once: {', '.join(paths)}"


def check(root):
    rows = read_table((root / "ARCHITECTURE.md").read_text())
    yield from check_order(rows)
    allowed = allowed_includes(rows)
    folders = sorted(p for p in (root / "src").iterdir() if p.is_dir())
    for folder in folders:
        if folder.name not in rows:
            yield f"src/{folder.name}: has no row in the table of ARCHITECTURE.md"
            continue
        for path in c_files(root, f"src/{folder.name}"):
            yield from check_module(root, folder.name, path, allowed[folder.name])
    for program in ("cli", "examples"):
        for path in c_files(root, program):
            yield from check_program(root, path, allowed.get(program, set()))
    yield from check_declarations(root)
    yield from check_names(root, {p.name for p in folders})


def main():
    root = arguments(__doc__.splitlines()[0]).root
    count = len(c_files(root, "src"))
    finish(list(check(root)), f"{count} files")


if __name__ == "__main__":
    main()
