#!/usr/bin/env python3
"""check_reductions.py - no reduction over a vector of unknowns outside of linalg/vector.h.

A system may be spread over ranks (options.parallel).  In the files that such a run executes, a
number that is made from all entries of a vector must come from the functions space_... of
linalg/vector.h, which ask the other ranks.  Reported in these files:
  * calls of vector_..., which see this rank only;
  * loops over n that add up, compare or search: an assignment to a name that is declared outside of
    the loop, or a return or break inside of it.
ALLOWED lists functions that may do so, with the reason.
"""
import re

from check_length import functions
from repository import arguments, c_files, finish, without_comments

FILES = re.compile(r"src/(newton/(?!difference_jacobian|central_jacobian|missing_entries).*"
                   r"|krylov/gmres\.c|integ/(bdf|radau|step_attempts|step_size|weights|limiters).*"
                   r"|consistent/held_states\.c|solver/distributed_run\.c)$")
LOCAL = r"dot|wrms|weighted_square|max_abs|all_finite|first_not_finite|largest_weighted|largest_rate|count_nonzero|median"
CALL = re.compile(rf"\bvector_({LOCAL})\s*\(")
LOOP = re.compile(r"\bfor \((?:int32_t|size_t) (\w+) = [^;]*; *\w+ <=? (?:\w+(?:\.|->))*n\b[^;]*;[^{;]*?\)(?= *[\n{])")
CHANGE = re.compile(r"(?<![\w.>\]\*] )(?<![\w.>\]*])\b([a-z_]\w*) *(?:[-+*|&]?=(?!=)|\+\+|--)|\b(?:return|break)\b")
DECLARED = re.compile(r"\b(?:double|int32_t|int64_t|bool|size_t|int|char)\b[ *]+(?:const )?([^;]*);")
WHOLE = "entries of a matrix, which only a run in one process has"
ALLOWED = {
    "evaluator_residual": "serial branch",
    "evaluator_judge": "agree() asks the other ranks",
    "evaluator_mass": WHOLE,
    "add_mass_product": WHOLE,
    "call_jacobian": WHOLE,
    "overflown_entries_mend": WHOLE,
    "from_user_jacobian": WHOLE,
    "dyp_is_indexed": WHOLE,
    "index_dyp": WHOLE,
    "matrix_condition": WHOLE,
    "matrix_term_noise": WHOLE,
    "matrix_slopes_are_single": WHOLE,
    "largest_residual": WHOLE,
    "measure_rows": WHOLE,
    "inner_here": "inner() and project_at_once() ask the other ranks",
    "limiters_count_newton": "counted where the entry is",
    "limiters_rank_variables": "the list of this rank",
    "limiters_rank_equations": "the list of this rank",
    "bounds_way_back": "space_any() at its end",
    "set_tolerances": "space_min() at its end",
    "check_system": "distributed_agree() follows",
    "classify": "n_differential is that of this rank",
    "sift_down": "a list, no vector",
    "compare_systems": "breakpoints, which are the same on all ranks",
    "create_matrices": "ranks that lack memory do not come here",
}


def body_of(text, start):
    """The statement behind a loop's head."""
    place = start
    while text[place] in " \n":
        place += 1
    if text[place] != "{":
        inner = LOOP.match(text, place)
        if inner:
            return text[place:inner.end()] + body_of(text, inner.end())
        return text[place:text.index(";", place) + 1]
    depth = 0
    for end in range(place, len(text)):
        depth += (text[end] == "{") - (text[end] == "}")
        if depth == 0:
            return text[place:end + 1]
    return text[place:]


def declared_in(body):
    """Names that are declared inside the loop, its counters included."""
    names = set(re.findall(r"for \((?:int32_t|size_t|int) (\w+) =", body))
    for match in DECLARED.finditer(body):
        names.update(re.findall(r"(?:^|,)[\s*]*(\w+)(?=\s*(?:=|,|$|\[))", match.group(1)))
    return names


def faults(text):
    """(position, what) of each reduction in the text of a function."""
    for match in CALL.finditer(text):
        yield match.start(), f"vector_{match.group(1)} sees the entries of one rank"
    for match in LOOP.finditer(text):
        body = body_of(text, match.end())
        inside = declared_in(body) | {match.group(1)}
        for change in CHANGE.finditer(body):
            name = change.group(1)
            if name is None or name not in inside:
                yield match.start(), f"the loop reduces a vector: {change.group().strip()}"
                break


def main():
    args = arguments(__doc__.splitlines()[0])
    errors, count = [], 0
    for path in c_files(args.root, "src"):
        name = path.relative_to(args.root).as_posix()
        if not FILES.match(name):
            continue
        count += 1
        text = without_comments(path.read_text())
        lines = text.splitlines(keepends=True)
        for function, first, length, _ in functions(text):
            if function in ALLOWED:
                continue
            part = "".join(lines[first - 1:first + length])
            for at, what in faults(part):
                line = first + part.count("\n", 0, at)
                errors.append(f"{name}:{line}: {function}: {what}; use space_... of linalg/vector.h")
    finish(errors, f"{count} files of distributed runs reduce vectors in linalg/vector.h alone")


if __name__ == "__main__":
    main()
