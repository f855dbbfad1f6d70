#!/usr/bin/env python3
"""group_sources.py - write files that include several sources each, so that they compile in less time.

    group_sources.py SOURCE_FOLDER OUTPUT_FOLDER [FOLDER_LEFT_OUT ...]

The sources of one folder are put together as long as no name is defined in two places: static functions
and variables, types, constants of enumerations and macros, of the sources and of the headers they include.
The folder of a group is the beginning of its name: integ_3.c.  The paths of the files are printed; a file
that has not changed is not written again.
"""
import functools
import re
import sys
from pathlib import Path

GROUP_MOST = 12  # sources: enough to save the start of the compiler, and small beside the whole
COMMENTS_AND_TEXTS = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
DEFINITIONS = (
    re.compile(r"^static\s[^;={()]*?\b(\w+)\s*(?:\(|\[|=|;)", re.M),  # functions and variables
    re.compile(r"^\s*#\s*define\s+(\w+)", re.M),
    re.compile(r"\}\s*(\w+)\s*;"),  # typedef struct { ... } name;
    re.compile(r"^typedef\s[^;{]*?\(?\*?\b(\w+)\)?(?:\([^;]*\))?;", re.M),
    re.compile(r"^\s*(?:typedef\s+|static\s+|const\s+)*(?:struct|union|enum)\s+(\w+)\s*\{", re.M),
)
VARIABLES = re.compile(r"^static\s+(?:const\s+)?\w+\s+([^;{()]*,[^;{()]*);", re.M)  # static double a = 1, b = 2;
ENUMERATION = re.compile(r"\benum\s*\w*\s*\{(.*?)\}", re.S)
CONSTANT = re.compile(r"(?:^|,)\s*(\w+)")
INCLUDED = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)
FEATURES = re.compile(r"^\s*#\s*define\s+_", re.M)  # must come before the first system header


@functools.lru_cache(maxsize=None)
def defined_names(path):
    """The names that a file defines for itself."""
    plain = COMMENTS_AND_TEXTS.sub(" ", path.read_text())
    names = {name for pattern in DEFINITIONS for name in pattern.findall(plain)}
    for constants in VARIABLES.findall(plain) + ENUMERATION.findall(plain):
        names.update(CONSTANT.findall(constants))
    return names


@functools.lru_cache(maxsize=None)
def included_files(path, root):
    """A file and the headers of the library that it includes, directly or not."""
    files = {path}
    for name in INCLUDED.findall(path.read_text()):
        header = root / name
        if header.is_file():
            files |= included_files(header, root)
    return files


def places_of_names(source):
    """Where the names that a source sees are defined: name -> file."""
    files = included_files(source, source.parents[1])
    return {name: path for path in files for name in defined_names(path)}


def fits(known, places):
    """Whether no name is defined in two files."""
    return all(known.get(name, path) == path for name, path in places.items())


def group(folder):
    """Lists of sources of a folder, each without a name that is defined twice."""
    groups = []  # (places of names, sources)
    for source in sorted(folder.glob("*.c")):
        places = places_of_names(source)
        is_first = FEATURES.search(source.read_text())
        fitting = [g for g in groups if not is_first and len(g[1]) < GROUP_MOST and fits(g[0], places)]
        if fitting:
            fitting[0][0].update(places)
            fitting[0][1].append(source)
        else:
            groups.append((places, [source]))
    return [sources for _, sources in groups]


def write(path, text):
    if not path.is_file() or path.read_text() != text:
        path.write_text(text)


def main():
    source_folder, output, left_out = Path(sys.argv[1]).resolve(), Path(sys.argv[2]), sys.argv[3:]
    output.mkdir(parents=True, exist_ok=True)
    for folder in sorted(path for path in source_folder.iterdir() if path.is_dir()):
        if folder.name in left_out:
            continue
        for k, sources in enumerate(group(folder)):
            path = output / f"{folder.name}_{k}.c"
            write(path, "".join(f'#include "{source}"\n' for source in sources))
            print(path)


if __name__ == "__main__":
    main()
