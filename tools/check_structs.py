#!/usr/bin/env python3
"""check_structs.py - check the number of fields of structs.

No struct of src/ or cli/ has more than LIMIT fields.  The fields of structs and unions that are
written inside it count; a member whose type has a name of its own counts as one, and so does an
array.  With --deep the fields of such members count as well, if they are held by value: a list to
read, since a struct that is composed of modules is no fault.
"""
import re

from repository import arguments, c_files, finish, without_comments

LIMIT = 40
KNOWN = set()  # structs that are larger for a reason
WORD = re.compile(r"[A-Za-z_]\w*|[{};,()*=\[\]:]|\d[\w.]*|\S")
SKIPPED = {"const", "volatile", "struct", "union", "enum", "signed", "unsigned", "_Atomic"}


def tokens(text):
    """The words and marks of C text without comments and preprocessor lines, with line numbers."""
    text = re.sub(r"^[ \t]*#(?:.*\\\n)*.*", lambda m: "\n" * m.group().count("\n"),
                  without_comments(text), flags=re.M)
    line, last = 1, 0
    for match in WORD.finditer(text):
        line += text.count("\n", last, match.start())
        last = match.start()
        yield match.group(), line


def closing(words, start, pair="{}"):
    """The place behind the mark that closes the one at `start`."""
    depth = 0
    for place in range(start, len(words)):
        depth += (words[place] == pair[0]) - (words[place] == pair[1])
        if depth == 0:
            return place + 1
    return len(words)


def members(words):
    """The members of a struct body: (type: its name or the words of a nested body, by value)."""
    place = 0
    while place < len(words):
        end = place
        body = None
        while end < len(words) and words[end] != ";":
            if words[end] == "{":
                behind = closing(words, end)
                if "enum" not in words[place:end]:
                    body = words[end + 1:behind - 1]
                end = behind
            else:
                end += 1
        yield from declarators(words[place:end], body)
        place = end + 1


def declarators(words, body):
    """One entry for each name that a member declaration declares."""
    if "{" in words:
        behind = closing(words, words.index("{"))
        kind, rest = body, words[behind:]
    else:
        names = [k for k, w in enumerate(words) if re.match(r"[A-Za-z_]", w) and w not in SKIPPED]
        kind, rest = (words[names[0]], words[names[0] + 1:]) if names else (None, [])
    depth, pointer, seen = 0, False, False
    for word in rest + [","]:
        depth += (word in "([") - (word in ")]")
        pointer = pointer or word in "*("
        seen = seen or word != ","
        if word == "," and depth == 0:
            if seen or body is not None:
                yield kind, not pointer
            pointer = seen = False


def structs(text):
    """(name, line, body) of every struct and union with a body outside of functions, and
    (alias, None, name) of typedefs of structs that have theirs elsewhere."""
    listed = list(tokens(text))
    words = [word for word, _ in listed]
    place = 0
    while place < len(words):
        if words[place] in ("struct", "union"):
            tag = words[place + 1] if words[place + 1] != "{" else None
            brace = place + (2 if tag else 1)
            if brace < len(words) and words[brace] == "{":
                behind = closing(words, brace)
                body = words[brace + 1:behind - 1]
                alias = words[behind] if behind < len(words) and words[place - 1] == "typedef" else None
                for name in {tag, alias} - {None}:
                    yield name, listed[place][1], body
                place = behind
                continue
            if words[place - 1] == "typedef" and brace + 1 < len(words) and words[brace + 1] == ";":
                if words[brace] != tag:
                    yield words[brace], None, tag
        elif words[place] == "{":  # the body of a function or an initializer
            place = closing(words, place)
            continue
        place += 1


def count(known, kind, deep, under=()):
    """The number of fields of a struct, given by its name or its body."""
    if isinstance(kind, str):
        if not deep or kind in under or kind not in known:
            return 1
        return count(known, known[kind], deep, under + (kind,))
    return sum(count(known, type_, deep, under) if by_value and type_ is not None else 1
               for type_, by_value in members(kind))


def main():
    options = arguments(__doc__.splitlines()[0], deep={"action": "store_true"})
    root, known, places = options.root, {}, {}
    for path in c_files(root, "src", "cli"):
        for name, line, body in structs(path.read_text()):
            known[name] = body
            if line:
                places[f"{path.relative_to(root)}:{line}"] = name, body
    sizes = [(count(known, body, options.deep), name, where)
             for where, (name, body) in places.items()]
    errors = [f"{where}: {name}: {n} fields, the limit is {LIMIT}" for n, name, where in sizes
                  if n > LIMIT and name not in KNOWN]
    largest = max([n for n, name, _ in sizes if name not in KNOWN], default=0)
    finish(errors, f"{len(sizes)} structs, the largest has {largest} fields"
                       + f", {len(KNOWN)} known to be larger" * (len(KNOWN) > 0))


if __name__ == "__main__":
    main()
