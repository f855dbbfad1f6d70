#!/usr/bin/env python3
"""check_layers.py - who may include what.

The table in ARCHITECTURE.md (columns: module, ..., may include) is the law.  Checked:
  * src/<module>/ includes "daedal.h", its own module, and the modules its row names;
  * every path is written "module/file.h" and exists;
  * headers that are not standard C appear only in the modules of EXTERNAL;
  * programs see "daedal.h", their own files, and the modules that a row of their name allows
    (cli: output); examples/ have no row;
  * every module has a row, and no two C files share a name.
"""
import re
from collections import defaultdict

from repository import arguments, c_files, finish

STANDARD = set("""assert complex ctype errno fenv float inttypes limits locale math setjmp signal
    stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads
    time""".split())
EXTERNAL = {"linalg"}  # may include KLU's headers and the like
INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')


def read_table(text):
    """{module: set of modules it may include} from the Markdown table."""
    allowed, modules = {}, []
    for line in text.splitlines():
        cells = [c.strip().strip("`") for c in line.strip().strip("|").split("|")]
        if line.lstrip().startswith("|") and len(cells) >= 3 and re.fullmatch(r"[a-z]+", cells[0]):
            if cells[0] != "module":
                allowed[cells[0]] = set(re.findall(r"[a-z]+", cells[-1]))
                modules.append(cells[0])
    for row in allowed.values():
        if "all" in row:
            row.update(modules)
    return allowed


def includes(path):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1) == "<", match.group(2)


def complain_about_module(root, module, path, allowed):
    """Complaints about one file of src/<module>/."""
    for number, system, name in includes(path):
        where = f"{path.relative_to(root)}:{number}: "
        if system:
            if name.removesuffix(".h") not in STANDARD and module not in EXTERNAL:
                yield where + f"<{name}> is not standard C; only {sorted(EXTERNAL)} may use it"
        elif name == "daedal.h":
            continue
        elif "/" not in name:
            yield where + f'"{name}": write the module too, "{module}/{name}"'
        elif not (root / "src" / name).is_file():
            yield where + f'"{name}" does not exist below src/'
        elif name.split("/")[0] not in allowed | {module}:
            yield where + f"{module} may not include {name.split('/')[0]} (ARCHITECTURE.md)"


def complain_about_program(root, path, allowed):
    """Programs for people see the public header, and the modules their row names."""
    for number, system, name in includes(path):
        if name == "daedal.h" or system or (path.parent / name).is_file():
            continue
        if name.split("/")[0] not in allowed or not (root / "src" / name).is_file():
            yield f'{path.relative_to(root)}:{number}: "{name}": only daedal.h is public'


def complain(root):
    table = read_table((root / "ARCHITECTURE.md").read_text())
    for folder in sorted(p for p in (root / "src").iterdir() if p.is_dir()):
        if folder.name not in table:
            yield f"src/{folder.name}: has no row in the table of ARCHITECTURE.md"
            continue
        for path in c_files(root, f"src/{folder.name}"):
            yield from complain_about_module(root, folder.name, path, table[folder.name])
    for program in ("cli", "examples"):
        for path in c_files(root, program):
            yield from complain_about_program(root, path, table.get(program, set()))
    places = defaultdict(list)
    for path in c_files(root, "include", "src", "cli", "examples", "tests", "bench"):
        places[path.name].append(str(path.relative_to(root)))
    for name, paths in places.items():
        if len(paths) > 1:
            yield f"{name}: the name is used more than once: {', '.join(paths)}"


def main():
    root = arguments(__doc__.splitlines()[0]).root
    count = len(c_files(root, "src"))
    finish(list(complain(root)), f"{count} files")


if __name__ == "__main__":
    main()
