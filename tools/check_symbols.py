#!/usr/bin/env python3
"""check_symbols.py HEADER LIBRARY - check the symbols of the shared library.

The library must export exactly the functions marked DAEDAL_API, hold no writable data, and call
no function that prints, exits or reads the environment.
"""
import re
import subprocess
import sys

FORBIDDEN = set("""printf vprintf puts putchar fprintf vfprintf fputs fputc perror stdout stderr
    __printf_chk __fprintf_chk __vfprintf_chk exit _exit quick_exit abort getenv secure_getenv
    setenv signal system rand srand time clock""".split())
WRITABLE = {".data", ".bss", ".tdata", ".tbss", "*COM*"}
RUNTIME = re.compile(r"^_|^completed\.")  # the compiler's own start-up code
ROW = re.compile(r"^[0-9a-f]+ (.{7}) (\S+)\s+[0-9a-f]+\s+(?:\S+\s+)?(?:\.hidden )?(\S+)$", re.M)


def table(library, option):
    """(flags, section, name) rows of objdump: -T the dynamic symbols, -t all of them."""
    text = subprocess.run(["objdump", option, library], capture_output=True, check=True,
                          text=True).stdout
    return ROW.findall(text)


def promised(header):
    text = re.sub(r"/\*.*?\*/", "", header, flags=re.S)
    return set(re.findall(r"^DAEDAL_API[^;{]*?(\w+)\s*\(", text, flags=re.M))


def check(header, dynamic, everything):
    exported = {name for _, section, name in dynamic if section != "*UND*"}
    imported = {name for _, section, name in dynamic if section == "*UND*"}
    for name in sorted(promised(header) - exported):
        yield f"{name}: declared in daedal.h, not in the library"
    for name in sorted(exported - promised(header)):
        yield f"{name}: exported, not declared in daedal.h"
    for name in sorted(imported & FORBIDDEN):
        yield f"{name}: the library must not call it"
    for flags, section, name in everything:
        if section in WRITABLE and "d" not in flags and not RUNTIME.search(name):
            yield f"{name}: writable data; the library keeps no globals"


def main():
    header_path, library = sys.argv[1:3]
    with open(header_path, encoding="utf-8") as header:
        errors = list(check(header.read(), table(library, "-T"), table(library, "-t")))
    print("\n".join(errors) or "the symbols of the library agree with the header")
    sys.exit(bool(errors))


if __name__ == "__main__":
    main()
