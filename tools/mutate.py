"""mutate.py - small deliberate mistakes in a C text, for mutants.py.

A mutant changes one operator, constant or statement inside a function body and keeps the number
of lines.  Nothing here compiles: what is not C, or makes no difference, the compiler finds.
"""
import hashlib
import re
from dataclasses import dataclass

SWAPS = {  # operator: what takes its place, the nearest mistake first
    "<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"],
    "==": ["!="], "!=": ["=="], "&&": ["||"], "||": ["&&"],
    "+": ["-"], "-": ["+"], "*": ["/"], "/": ["*"], "%": ["*"],
    "+=": ["-="], "-=": ["+="], "*=": ["/="], "/=": ["*="], "|=": ["&="], "&=": ["|="],
    "++": ["--"], "--": ["++"]}
LOOP = {"<": ["+ 1 <", ">="], ">": ["<="]}  # one round more is for the sanitizers to see
NAMES = {"fmin": "fmax", "fmax": "fmin", "min": "max", "max": "min", "true": "false",
         "false": "true"}
OPERATOR = re.compile(r"->|\+\+|--|<<=?|>>=?|&&|\|\||[-+*/%<>=!|&]=|[-+*/%<>]")
NUMBER = re.compile(r"(?<![\w.])(?:\d+\.\d*(?:[eE][-+]?\d+)?|\d+[eE][-+]?\d+|\d+)(?![\w.])")
SIGNATURE = re.compile(r"^[A-Za-z_][^\n;{}]*?\b([A-Za-z_]\w*)\([^;{}]*\Z", re.M)
CONDITION = re.compile(r"\b(if|while) \(")
STATEMENT = re.compile(r"^[ \t]+(?=[\w*(+-])", re.M)
NOT_STATEMENT = re.compile(
    r"(?:return|if|else|for|while|do|switch|case|default|goto|typedef|static|const|struct|enum|union"
    r"|unsigned|signed|char|short|int|long|float|double|bool|void|size_t|u?int\d+_t|sizeof)\b"
    r"|\w+ +\**\w|\w+ *:")
FAR = 1e-2  # smaller numbers are thresholds: twice as much would do as well, so they grow a thousandfold


@dataclass(frozen=True)
class Mutant:
    """One mistake: what stands at [begin, end) of the text of a file becomes `text`."""
    file: str
    line: int
    begin: int
    end: int
    text: str
    kind: str
    before: str  # the line as it stands
    after: str   # and as it would
    function: str = ""
    nth: int = 0  # of several with these words in a file

    def apply(self, source):
        return source[:self.begin] + self.text + source[self.end:]

    def rank(self, seed):
        """Where it stands in the random order of a seed: decided by the words of the line alone, so
        that the choice outlives edits elsewhere and files that move."""
        words = f"{seed}|{self.before}|{self.after}" + (f"|{self.nth}" if self.nth else "")
        return hashlib.sha256(words.encode()).hexdigest()


def masked(source):
    """The text with comments, literals and preprocessor lines blanked out, position by position."""
    pattern = r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|^[ \t]*#(?:\\\n|[^\n])*'
    return re.sub(pattern, lambda m: re.sub(r"[^\n]", " ", m.group()), source, flags=re.S | re.M)


def bodies(mask):
    """(position of the opening brace, of the closing one, head) of every function: the format puts
    both alone in the first column."""
    for found in re.finditer(r"^\{$(.*?)^\}$", mask, re.M | re.S):
        yield found.start(), found.end(), mask[:found.start()].rstrip().rsplit("\n", 1)[-1]


def closing(mask, at):
    """The position behind the bracket that closes the one at `at`."""
    depth = 0
    for k in range(at, len(mask)):
        depth += (mask[k] in "([{") - (mask[k] in ")]}")
        if depth == 0:
            return k + 1
    return len(mask)


def operators(mask, begin, end):
    for found in OPERATOR.finditer(mask, begin, end):
        sign = found.group()
        unary = not mask[found.end()].isspace() and sign not in ("++", "--")  # so is the format
        if sign in SWAPS and not unary:
            line = mask[mask.rfind("\n", 0, found.start()) + 1:found.start()]
            loop = sign in LOOP and line.lstrip().startswith("for (")
            for other in LOOP[sign] if loop else SWAPS[sign]:
                yield found.start(), found.end(), other, "operator"
    for found in re.finditer(r"\b(?:%s)\b" % "|".join(NAMES), mask[begin:end]):
        yield begin + found.start(), begin + found.end(), NAMES[found.group()], "name"
    for found in re.finditer(r"!(?=[\w(])", mask[begin:end]):
        yield begin + found.start(), begin + found.end(), "", "negation"


def constants(mask, begin, end):
    for found in NUMBER.finditer(mask, begin, end):
        text = found.group()
        if text.isdigit():
            other = str(int(text) + 1)
        else:
            value = float(text)
            factor = 2.0 if FAR < value < 1.0 / FAR else 1000.0
            other = f"{value * factor:.12g}" if value else "1.0"
            other += "" if "." in other or "e" in other else ".0"
        yield found.start(), found.end(), other, "constant"


def conditions(mask, begin, end):
    for found in CONDITION.finditer(mask, begin, end):
        last = closing(mask, found.end() - 1)
        yield found.end() - 1, last, None, "condition"


def statement_end(mask, at, end):
    depth = 0
    for k in range(at, end):
        depth += (mask[k] in "([{") - (mask[k] in ")]}")
        if depth < 0:
            return None
        if depth == 0 and mask[k] == ";":
            return k + 1
    return None


def statements(mask, begin, end):
    """Calls, assignments and jumps that can be left out."""
    for found in STATEMENT.finditer(mask, begin + 1, end):
        at = found.end()
        before = mask[:at].rstrip()
        if not (before[-1] in ";{})" or before.endswith("else")) or NOT_STATEMENT.match(mask, at):
            continue
        last = statement_end(mask, at, end)
        if last:
            yield at, last, ";" + "\n" * mask[at:last].count("\n"), "deleted"


def returns(mask, begin, end, head):
    """Returned values, and functions of no value that end before they begin."""
    if re.match(r"(static )?void \w", head) or re.match(r"(static )?(inline )?void\b", head):
        yield begin, begin + 1, "{ return;", "early return"
    for found in re.finditer(r"\breturn ([^;]+);", mask[begin:end]):
        value = found.group(1).strip()
        at = begin + found.start(1)
        if value in ("0", "NULL", "DAEDAL_OK"):
            continue
        yield at, at + len(found.group(1)), "0" + "\n" * found.group(1).count("\n"), "returned"


def mutants(file, source):
    """Every mutant of a file that the rules above know."""
    mask, seen = masked(source), {}
    for begin, end, head in bodies(mask):
        named = SIGNATURE.search(mask[max(0, begin - 600):begin])
        function = named.group(1) if named else ""
        found = [*operators(mask, begin, end), *constants(mask, begin, end),
                 *conditions(mask, begin, end), *statements(mask, begin, end),
                 *returns(mask, begin, end, head)]
        for first, last, text, kind in found:
            if text is None:
                text = "(!" + source[first:last] + ")"
            line = source.count("\n", 0, first) + 1
            start = source.rfind("\n", 0, first) + 1
            changed = source[:first] + text + source[last:]
            before, after = (s[start:(s + "\n").index("\n", start)].strip() for s in (source, changed))
            if kind == "early return":
                before, after = head.strip() + " {", head.strip() + " { return;"
            nth = seen[before, after] = seen.get((before, after), -1) + 1
            yield Mutant(file, line, first, last, text, kind, before, after, function, nth)


def shuffled(files, seed):
    """All mutants of {name: text}, in the random order of the seed."""
    every = [m for name, text in files.items() for m in mutants(name, text)]
    return sorted(every, key=lambda m: (m.rank(seed), m.file, m.line))
