#!/usr/bin/env python3
"""make_reference.py - write options.md, status.md and causes.md of docs/reference from include/daedal.h.

The tables of the header are the only place where an option, a status or a cause is described.
"""
import re

from repository import arguments

TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"|([^\s,()"]+)')
NOTE = "<!-- written by tools/make_reference.py from include/daedal.h; do not edit -->\n"


def rows(header, table):
    """The X(...) rows of `#define table(X)`, each a list of strings."""
    start = header.index(f"#define {table}(X)")
    body = re.match(r"(?:.*\\\n)*.*", header[start:]).group(0)
    body = body.replace("\\\n", "\n").split("\n", 1)[1]
    found, i = [], 0
    while (i := body.find("X(", i)) >= 0:
        cells, depth, i = [[]], 1, i + 2
        while depth:
            if body[i] == '"':
                match = TOKEN.match(body, i)
                cells[-1].append(match.group(1))
                i = match.end()
                continue
            depth += (body[i] == "(") - (body[i] == ")")
            if body[i] == "," and depth == 1:
                cells.append([])
            elif depth and not body[i].isspace():
                cells[-1].append(body[i])
            i += 1
        found.append(["".join(cell) for cell in cells])
    return found


def allowed(row):
    kind, _, _, low, high, choices, _ = row
    if choices:
        return ", ".join(f"`{c}`" for c in choices.split("|"))
    open_end = high in ("INT64_MAX", "INT32_MAX", "1e300")
    return f"at least {low}" if open_end else f"{low} to {high}"


def default(row):
    choices = row[5].split("|")
    return f"`{choices[int(row[2])]}`" if row[5] else f"`{row[2]}`"


def options_page(header):
    lines = [NOTE, "# Options\n",
             "Call `daedal_options_defaults(&options)` first, then set fields, or set them by name:"
             " `daedal_options_set(&options, \"method\", \"bdf\")`. An option with named values is a"
             " number in the struct, counted from 0 in the order below, and a word in"
             " `daedal_options_set`.\n",
             "| option | type | default | values | meaning |", "|---|---|---|---|---|"]
    for row in rows(header, "DAEDAL_OPTION_LIST"):
        lines.append(f"| `{row[1]}` | {row[0]} | {default(row)} | {allowed(row)} | {row[6]} |")
    lines += ["", "Arrays and callbacks are fields of the struct `daedal_options` too; they are"
              " described in `daedal.h`: `rtol_each` and `atol_each` (one tolerance per variable),"
              " `breakpoints`, `linsolver`, `allocator`, `progress`, `log`, `callback_user`."]
    return "\n".join(lines) + "\n"


def status_page(header):
    lines = [NOTE, "# Statuses\n",
             "Every function that can fail returns a `daedal_status`. It is 0 if the call"
             " succeeded, positive if it succeeded with information, and negative if it failed."
             " `daedal_status_name` and `daedal_status_text` give the name and the meaning below"
             " at run time; `daedal_solver_diagnosis` describes the place and the cause of a"
             " failure and what to try.\n",
             "| status | value | meaning |", "|---|---:|---|"]
    for name, value, text in rows(header, "DAEDAL_STATUS_LIST"):
        lines.append(f"| `{name}` | {value} | {text} |")
    return "\n".join(lines) + "\n"


def causes_page(header):
    lines = [NOTE, "# Causes\n",
             "A status says where a run ended, `diagnosis.cause` says what is wrong, in C and in"
             " the JSON object of the program. `daedal_cause_name` and `daedal_cause_text` give the"
             " word and the meaning at run time. [Failures](../failures.md) has an example of each,"
             " and what to do about it.\n",
             "| cause | in C | meaning |", "|---|---|---|"]
    for name, _, word, text in rows(header, "DAEDAL_CAUSE_LIST"):
        lines.append(f"| `{word}` | `{name}` | {text} |")
    return "\n".join(lines) + "\n"


def pages(root):
    """{path: text} of every generated page."""
    header = (root / "include/daedal.h").read_text()
    folder = root / "docs/reference"
    return {folder / "options.md": options_page(header), folder / "status.md": status_page(header),
            folder / "causes.md": causes_page(header)}


def main():
    for path, text in pages(arguments(__doc__.splitlines()[0]).root).items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        print(f"wrote {path.name}")


if __name__ == "__main__":
    main()
