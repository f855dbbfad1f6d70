#!/usr/bin/env python3
"""check_length.py - check the length of functions.

No function of src/, cli/ or examples/ is longer than LIMIT lines (from the line after its opening
brace to its closing brace), except those in LONG; more than PARAMETERS parameters is a warning.
"""
import re
import statistics

from repository import arguments, c_files, finish

LIMIT = 80
PARAMETERS = 6
LONG = {  # function: why it may be longer
}
NAME = re.compile(r"([A-Za-z_]\w*)\s*\(")


def functions(text):
    """(name, line of the opening brace, length, number of parameters) of every function.

    Relies on the format: a function's braces stand alone in the first column.
    """
    lines = text.splitlines()
    opened = None
    for number, line in enumerate(lines, 1):
        if line == "{":
            opened = number
        elif line == "}" and opened:
            signature = head(lines, opened)
            match = NAME.search(signature)
            if match:
                yield match.group(1), opened, number - opened, count_parameters(signature)
            opened = None


def head(lines, opened):
    """The lines before the brace that belong to the signature, joined."""
    first = opened - 1
    while first > 0 and lines[first - 1].strip() and not re.search(r"[;}/]$|^#", lines[first - 1]):
        first -= 1
    return " ".join(lines[first:opened - 1])


def count_parameters(signature):
    inside = signature[signature.index("(") + 1:signature.rindex(")")].strip()
    depth, count = 0, 1
    for c in inside:
        depth += (c == "(") - (c == ")")
        count += c == "," and depth == 0
    return 0 if inside in ("", "void") else count


def main():
    root = arguments(__doc__.splitlines()[0]).root
    errors, lengths, seen = [], [], set()
    for path in c_files(root, "src", "cli", "examples"):
        for name, line, length, parameters in functions(path.read_text()):
            where = f"{path.relative_to(root)}:{line}: {name}"
            lengths.append(length)
            seen.add(name)
            if length > LIMIT and name not in LONG:
                errors.append(f"{where}: {length} lines, the limit is {LIMIT}")
            if parameters > PARAMETERS:
                print(f"warning: {where}: {parameters} parameters, {PARAMETERS} are enough")
    errors += [f"tools/check_length.py: LONG names {n}, which is gone" for n in LONG if n not in seen]
    if len(lengths) < 2:
        finish(errors, "fewer than two functions")
        return
    finish(errors, f"{len(lengths)} functions, median {statistics.median(lengths):.0f}, "
                       f"p90 {statistics.quantiles(lengths, n=10)[-1]:.0f}, longest {max(lengths)}")


if __name__ == "__main__":
    main()
