#!/usr/bin/env python3
"""test_tools.py - the checks can fail: each is shown a small tree that is right, and wrong ones."""
import math
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOLS = Path(__file__).resolve().parent.parent.parent / "tools"
sys.path.insert(0, str(TOOLS))
import check_length  # noqa: E402
import check_sessions  # noqa: E402
import check_snippets  # noqa: E402
import check_structs  # noqa: E402
import check_symbols  # noqa: E402
import make_reference  # noqa: E402
import mutants  # noqa: E402
import mutate  # noqa: E402
import run_example  # noqa: E402

TABLE = """
| folder | purpose | may include (and what those may) |
|---|---|---|
| base | memory | libc |
| linalg | matrices | base |
| integ | methods | linalg |
| api | functions | all |
"""
HEADER = """
#define DAEDAL_STATUS_LIST(X) \\
    X(DAEDAL_OK, 0, "done") \\
    X(DAEDAL_ERR, -1, "failed, (badly)")
#define DAEDAL_CAUSE_LIST(X) \\
    X(DAEDAL_CAUSE_NONE, 0, "none", "no cause") \\
    X(DAEDAL_CAUSE_TEXT, 1, "text", "wrong text")
#define DAEDAL_OPTION_LIST(X) \\
    X(double, rtol, 1e-6, 0.0, 1.0, "", "relative " "tolerance") \\
    X(int32_t, method, 1, 0, 1, "a|b", "which")
DAEDAL_API int daedal_one(void); /* DAEDAL_API int daedal_comment(void); */
DAEDAL_API const char *daedal_two(int a,
                                  int b);
"""


class Tree(unittest.TestCase):
    """A made-up repository in a temporary folder."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = Path(self.folder.name)
        self.write("ARCHITECTURE.md", TABLE)
        self.write("include/daedal.h", HEADER)
        self.write("src/base/memory.h", "#include <stdlib.h>\n#include \"daedal.h\"\n")
        self.write("docs/bib/refs.bib", "@book{BCP96,\n}\n")

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def run_tool(self, name):
        run = subprocess.run([sys.executable, "-B", TOOLS / name, "--root", self.root],
                             capture_output=True, text=True)
        return run.returncode, run.stdout + run.stderr

    def assert_passes(self, tool):
        status, output = self.run_tool(tool)
        self.assertEqual(status, 0, output)

    def assert_fails(self, tool, *words):
        status, output = self.run_tool(tool)
        self.assertEqual(status, 1, output)
        for word in words:
            self.assertIn(word, output)


class Layers(Tree):
    def test_allowed(self):
        self.write("src/linalg/csc.c", '#include "base/memory.h"\n#include <klu.h>\n')
        self.write("src/api/solver.c", '#include "base/memory.h"\n')
        self.write("examples/c/one.c", '#include <daedal.h>\n#include <stdio.h>\n')
        self.assert_passes("check_layers.py")

    def test_upward(self):
        self.write("src/linalg/csc.h", "")
        self.write("src/base/bad.c", '\n#include "linalg/csc.h"\n')
        self.assert_fails("check_layers.py", "src/base/bad.c:2", "base may not include linalg")

    def test_path_without_module(self):
        self.write("src/base/bad.c", '#include "memory.h"\n')
        self.assert_fails("check_layers.py", "src/base/bad.c:1")

    def test_missing_file(self):
        self.write("src/linalg/bad.c", '#include "base/nothing.h"\n')
        self.assert_fails("check_layers.py", "does not exist")

    def test_external_header(self):
        self.write("src/integ/bad.c", "#include <klu.h>\n")
        self.assert_fails("check_layers.py", "src/integ/bad.c:1", "klu.h")

    def test_module_without_row(self):
        self.write("src/other/bad.c", "")
        self.assert_fails("check_layers.py", "src/other")

    def test_program_sees_inside(self):
        self.write("cli/bad.c", '#include "base/memory.h"\n')
        self.assert_fails("check_layers.py", "cli/bad.c:1")

    def test_name_used_twice(self):
        self.write("src/linalg/memory.h", "")
        self.assert_fails("check_layers.py", "memory.h")

    def test_what_a_row_names_may_include(self):
        self.write("src/integ/bdf.c", '#include "base/memory.h"\n')
        self.assert_passes("check_layers.py")

    def test_row_names_a_lower_one(self):
        self.write("ARCHITECTURE.md", TABLE.replace("| memory | libc |", "| memory | integ |"))
        self.assert_fails("check_layers.py", "the row of base names integ")

    def test_declared_in_another_folder(self):
        self.write("src/base/first.h", "/* int comment(void); */\nint first(int a,\n          int b);\n"
                                       "#define CALL(f) \\\n    f(1)\n"
                                       "static inline int third(void)\n{\n    return first(1, 2);\n}\n"
                                       "typedef int callback(int);\nstruct s {\n    int (*f)(int);\n};\n")
        self.write("src/base/first.c", "int first(int a, int b)\n{\n    return a + b;\n}\n")
        self.assert_passes("check_layers.py")
        self.write("src/linalg/own.c", "static int first(int a, int b)\n{\n    return a + b;\n}\n")
        self.assert_passes("check_layers.py")
        self.write("src/linalg/second.h", "int first(int a, int b);\n")
        self.assert_fails("check_layers.py",
                          "src/linalg/second.h: declares first, which src/base/first.c defines")

    def test_defined_nowhere(self):
        self.write("src/base/first.h", "int first(void);\n")
        self.assert_fails("check_layers.py", "declares first, which is defined nowhere")

    def test_name_begins_with_a_folder(self):
        self.write("src/linalg/base.c", "")
        self.assert_passes("check_layers.py")
        self.write("src/linalg/base_matrix.c", "")
        self.assert_fails("check_layers.py", "src/linalg/base_matrix.c", "the folder base")


class Structs(Tree):
    def test_fields_are_counted(self):
        text = """typedef struct pair { int a, *b; } pair;
            struct whole { pair one, *two; /* int no; */ unsigned long c[3];
                int (*call)(void *user, int n); struct { double x, y; struct { int z; } in; } d;
                enum { A, B } kind; struct whole *next; };"""
        known = {name: body for name, _, body in check_structs.structs(text)}
        self.assertEqual(check_structs.count(known, known["pair"], False), 2)
        self.assertEqual(check_structs.count(known, known["whole"], False), 9)
        self.assertEqual(check_structs.count(known, known["whole"], True), 10)

    def test_limit(self):
        fields = "".join(f"    int a{i};\n" for i in range(check_structs.LIMIT - 2))
        self.write("src/base/wide.h", "struct wide {\n" + fields + "    struct {\n        int b, c;\n    } d;\n};\n")
        self.assert_passes("check_structs.py")
        self.write("src/base/wide.h", "\nstruct wide {\n" + fields + "    struct {\n        int b, c, e;\n    } d;\n};\n")
        self.assert_fails("check_structs.py", "src/base/wide.h:2: wide: 41 fields")


class Unused(Tree):
    def test_functions_that_nobody_calls(self):
        self.write("src/base/thing.h", "int thing_make(int n);\nint thing_ask(int n); /* thing_ask */\n")
        self.write("src/base/thing.c", "int thing_make(int n)\n{\n    return n;\n}\n\n"
                                       "int thing_ask(int n)\n{\n    return n;\n}\n")
        self.write("cli/main.c", 'int main(void)\n{\n    return thing_make("thing_ask"[0]);\n}\n')
        self.assert_fails("check_unused.py", "src/base/thing.h:2: thing_ask is used by no file")
        self.write("src/base/other.c", "int other(void)\n{\n    return thing_ask(1);\n}\n")
        self.assert_passes("check_unused.py")


class Reductions(Tree):
    def test_loops_and_calls(self):
        self.write("src/newton/a.c", "void f(double *v, int n)\n{\n    for (int32_t i = 0; i < n; i++)\n"
                   "        v[i] = 2.0 * v[i];\n}\n")
        self.assert_passes("check_reductions.py")
        self.write("src/newton/a.c", "double f(double *v, int n)\n{\n    double s = 0.0;\n"
                   "    for (int32_t i = 0; i < n; i++)\n        s += v[i];\n    return s;\n}\n")
        self.assert_fails("check_reductions.py", "src/newton/a.c:4: f: the loop reduces a vector")
        self.write("src/newton/a.c", "double f(double *v, int n)\n{\n    return vector_max_abs(v, n);\n}\n")
        self.assert_fails("check_reductions.py", "src/newton/a.c:3: f: vector_max_abs sees the entries of one rank")


class Length(Tree):
    @staticmethod
    def function(lines, parameters="void"):
        return f"static int\nf({parameters})\n{{\n" + "    ;\n" * lines + "}\n"

    def test_limit(self):
        self.write("src/base/good.c", self.function(check_length.LIMIT - 1))
        self.assert_passes("check_length.py")
        self.write("src/base/bad.c", self.function(check_length.LIMIT))
        self.assert_fails("check_length.py", "src/base/bad.c:3: f: 81 lines")

    def test_parameters(self):
        found = list(check_length.functions(self.function(2, "int a, int (*b)(int, int),\n  int c")))
        self.assertEqual(found, [("f", 4, 3, 3)])
        self.write("src/base/wide.c", self.function(1, ", ".join(f"int a{i}" for i in range(7))))
        status, output = self.run_tool("check_length.py")
        self.assertEqual(status, 0)
        self.assertIn("warning: src/base/wide.c:3: f: 7 parameters", output)


class Docs(Tree):
    def setUp(self):
        super().setUp()
        for path, text in make_reference.pages(self.root).items():
            self.write(path.relative_to(self.root), text)
        self.write("docs/README.md", "[a](reference/options.md) [b](reference/status.md#statuses) "
                   "[c](reference/causes.md) [d](failures.md) [t](tour.md)\n")
        self.write("docs/failures.md", "# Failures\n")
        self.write("ARCHITECTURE.md", TABLE + "# `base` & co, now\n`memory`\n")
        self.write("docs/tour.md", "`memory`, `good.c`, `daedal_one`\n")
        self.write("src/base/good.c", "/* [BCP96] (5.2.4), docs/README.md */\n")

    def test_right(self):
        self.write("README.md", "[map](ARCHITECTURE.md#base--co-now) [web](https://example.org/x)\n")
        self.assert_passes("check_docs.py")

    def test_not_in_the_tour(self):
        self.write("src/base/heap.c", "")
        self.assert_fails("check_docs.py", "docs/tour.md", "src/base/heap.c")

    def test_tour_out_of_date(self):
        for page, text in (("ARCHITECTURE.md", TABLE), ("docs/tour.md", "`memory`, `good`")):
            self.write(page, text + " `base/pool.c`, `pattern`\n")
            self.assert_fails("check_docs.py", f"{page}: base/pool.c does not exist", f"{page}: nothing is called pattern")
            self.write(page, text + " `memory`, `good`\n")

    def test_page_without_a_link(self):
        self.write("docs/howto/x.md", "")
        self.assert_fails("check_docs.py", "docs/README.md: no link to howto/x.md")

    def test_comment_names_no_file(self):
        self.write("src/base/good.c", "/* [BCP96], docs/theory/x.md */\n")
        self.assert_fails("check_docs.py", "src/base/good.c:1: docs/theory/x.md")

    def test_message_of_the_past(self):
        self.write("docs/README.md", "[a](reference/options.md) [b](reference/status.md) [c](howto/error-messages.md) "
                   "[d](reference/causes.md) [e](failures.md) [t](tour.md)")
        self.write("docs/howto/error-messages.md", "| `the step at ... fell` | x |\n")
        self.write("src/base/good.c", "/* [BCP96] */ fail(\"the step \"\n  \"at %g fell\");\n")
        self.assert_passes("check_docs.py")
        self.write("docs/howto/error-messages.md", "| `the step at ... rose` | x |\n")
        self.assert_fails("check_docs.py", "no message contains `rose`")

    def test_conformance_rows(self):
        self.write("docs/README.md", "[a](reference/options.md) [b](reference/status.md) [c](conformance.md) "
                   "[d](reference/causes.md) [e](failures.md) [t](tour.md)")
        self.write("docs/conformance.md", "| C012 | statement | `textbook/c012_a` | theory |\n")
        self.write("tests/textbook/c012_a.c", "static void c012_b(void)\n{\n}\n")
        self.assert_passes("check_docs.py")
        self.write("tests/textbook/c012_a.c", "static void c013_b(void)\n{\n}\n")
        self.assert_fails("check_docs.py", "tests/textbook/c012_a.c does not contain C012", "no row C013")

    def test_dead_heading(self):
        self.write("README.md", "[map](ARCHITECTURE.md#co)\n")
        self.assert_fails("check_docs.py", "README.md", "no such heading")

    def test_cited_nowhere(self):
        self.write("src/base/good.c", "")
        self.assert_fails("check_docs.py", "docs/bib/refs.bib: BCP96")

    def test_reference_out_of_date(self):
        self.write("include/daedal.h", HEADER.replace('"which"', '"which one"'))
        self.assert_fails("check_docs.py", "docs/reference/options.md")

    def test_dead_link(self):
        self.write("README.md", "[map](NOTHING.md)\n")
        self.assert_fails("check_docs.py", "README.md", "NOTHING.md")

    def test_unknown_key(self):
        self.write("src/base/bad.c", "\n/* [Nob99] */\n")
        self.write("docs/x.md", "\n[Nob98]\n")
        self.assert_fails("check_docs.py", "src/base/bad.c:2: [Nob99]", "docs/x.md:2: [Nob98]")

    def test_machine_path(self):
        self.write("docs/x.md", "see /" + "home/me/notes\n")
        self.assert_fails("check_docs.py", "docs/x.md:1")


class Reference(unittest.TestCase):
    def test_rows(self):
        self.assertEqual(make_reference.rows(HEADER, "DAEDAL_STATUS_LIST")[1],
                         ["DAEDAL_ERR", "-1", "failed, (badly)"])
        page = make_reference.options_page(HEADER)
        self.assertIn("| `rtol` | double | `1e-6` | 0.0 to 1.0 | relative tolerance |", page)
        self.assertIn("| `text` | `DAEDAL_CAUSE_TEXT` | wrong text |", make_reference.causes_page(HEADER))
        self.assertIn("| `method` | int32_t | `b` | `a`, `b` | which |", page)


class Symbols(unittest.TestCase):
    GOOD = [("g     F", ".text", "daedal_one"), ("g     F", ".text", "daedal_two"),
            ("      F", "*UND*", "malloc")]

    def errors_of(self, dynamic, everything=()):
        return list(check_symbols.check(HEADER, dynamic, everything))

    def test_right(self):
        data = [("l     O", ".data.rel.ro", "table"), ("l     O", ".bss", "completed.0")]
        self.assertEqual(self.errors_of(self.GOOD, data), [])

    def test_wrong(self):
        for symbols, everything, name in [
                (self.GOOD[1:], [], "daedal_one"),
                (self.GOOD + [("g     F", ".text", "csc_sort")], [], "csc_sort"),
                (self.GOOD + [("      F", "*UND*", "printf")], [], "printf"),
                (self.GOOD, [("l     O", ".bss", "counter")], "counter")]:
            found = self.errors_of(symbols, everything)
            self.assertEqual(len(found), 1)
            self.assertTrue(found[0].startswith(name))


class Snippets(Tree):
    def test_found(self):
        self.write("docs/a.md", "x\n```c\nint a;\n```\n\n```text\n1\n```\n```sh\nls\n```\n")
        self.assertEqual(list(check_snippets.snippets(self.root / "docs/a.md")),
                         [(2, "int a;\n", "1\n")])

    def test_numbers(self):
        self.assertTrue(check_snippets.same("y = 1.0000  ok", "y =  1.0001 ok"))
        self.assertFalse(check_snippets.same("y = 1.00 ok", "y = 1.01 ok"))
        self.assertFalse(check_snippets.same("y = 1.00 ok", "y = 1.00 no"))

    def test_run(self):
        program = "#include <stdio.h>\nint main(void)\n{\n    puts(\"%s\");\n    return %d;\n}\n"
        cases = [(program % ("a", 0), "a\n", None), (program % ("a", 0), "b\n", "printed"),
                 (program % ("a", 1), None, "status 1"), ("int x = y;\n", None, "compile"),
                 ("int x = 1;\n", None, None)]
        self.write("empty.c", "void daedal_nothing(void);\nvoid daedal_nothing(void)\n{\n}\n")
        self.write("include/daedal.h", "")
        subprocess.run(["cc", "-shared", "-fPIC", self.root / "empty.c", "-o",
                        self.root / "libdaedal.so"], check=True)
        for code, expected, word in cases:
            wrong = check_snippets.check_snippet(code, expected, ["cc"], self.root, self.root)
            if word is None:
                self.assertIsNone(wrong)
            else:
                self.assertIn(word, wrong)


class Examples(Tree):
    def test_expectations(self):
        self.assertEqual(run_example.expectations("/* expect: a  b */\n * expect: c\nint x;\n"),
                         ["a b", "c"])

    def test_run(self):
        self.write("good.c", "/* expect: hello world */\n")
        self.write("bad.c", "/* expect: hello moon */\n")
        self.write("none.c", "\n")
        self.write("says", "#!/bin/sh\necho 'hello   world'\n")
        self.write("fails", "#!/bin/sh\necho 'hello   world'\nexit 3\n")
        for name in ("says", "fails"):
            (self.root / name).chmod(0o755)
        for source, program, good in [("good.c", "says", True), ("bad.c", "says", False),
                                      ("none.c", "says", False), ("good.c", "fails", False)]:
            run = subprocess.run([sys.executable, "-B", TOOLS / "run_example.py",
                                  self.root / source, self.root / program], capture_output=True)
            self.assertEqual(run.returncode == 0, good, (source, program))



class Sessions(Tree):
    """Pages with commands, and a program that echoes."""

    def errors_of(self, page):
        self.write("bin/daedal", "#!/bin/sh\necho \"$@\" 1.0001\nexit ${2:-0}\n")
        program = self.root / "bin/daedal"
        program.chmod(0o755)
        self.write("page.md", page)
        found = check_sessions.check_page(self.root / "page.md", program, self.root)
        return [what for line, what in found if line]

    def test_sessions(self):
        good = "```sh\ndaedal say\n```\n\n```text\nsay 1\n```\n"
        for page, count in [
                (good, 0), (good.replace("say 1", "..."), 0), (good.replace("say 1", "say 2"), 1),
                ("```sh\ndaedal say 3\n```\n", 1), ("```sh\nmake it 3\n```\n", 0),
                ("```sh\ndaedal say 3 | cat\n```\n", 1), ("```sh\ntrue | daedal say 3\n```\n", 1),
                ("| a | `daedal say` |\n", 0), ("| a | `daedal say 3` |\n", 1), ("| `daedal say 3` | a |\n", 0),
                ("```modelica\nmodel M\nend M;\n```\n", 1),
                ("`m.mo`\n\n<!-- file m.mo -->\n```modelica\nmodel M\nend M;\n```\n", 0),
                ("<!-- file m.mo -->\n```modelica\nmodel M\nend M;\n```\n", 1)]:
            with self.subTest(page=page):
                self.assertEqual(len(self.errors_of(page)), count)


class Mutants(unittest.TestCase):
    """What may be broken in a small function, and how the reasons of equivalent mutants are read."""
    SOURCE = """/* a + b */
static void move(double *x, int n)
{
    const char *text = "n < 3";
    for (int i = 0; i < n; i++)
        x[i] += fmin(x[i], 1e-9);
    if (n > 2 &&
        x[0] != 0.0)
        return;
    call(text,
         n);
}
"""

    def found(self):
        return [(m.line, m.after) for m in mutate.mutants("src/a/b.c", self.SOURCE)]

    def test_operators(self):
        self.assertIn((5, "for (int i = 0; i + 1 < n; i++)"), self.found())
        self.assertIn((7, "if (n >= 2 &&"), self.found())
        self.assertIn((5, "for (int i = 0; i < n; i--)"), self.found())
        self.assertIn((6, "x[i] -= fmin(x[i], 1e-9);"), self.found())
        self.assertIn((6, "x[i] += fmax(x[i], 1e-9);"), self.found())
        self.assertIn((7, "if (n > 2 ||"), self.found())

    def test_constants(self):
        self.assertIn((6, "x[i] += fmin(x[i], 1e-06);"), self.found())
        self.assertIn((7, "if (n > 3 &&"), self.found())

    def test_statements(self):
        self.assertIn((6, ";"), self.found())
        self.assertIn((10, ";"), self.found())
        self.assertIn((7, "if (!(n > 2 &&"), self.found())
        self.assertIn((3, "static void move(double *x, int n) { return;"), self.found())

    def test_texts_comments_and_declarations_stay(self):
        self.assertFalse([m for m in self.found() if m[0] in (1, 4)])

    def test_function(self):
        self.assertEqual({m.function for m in mutate.mutants("b.c", self.SOURCE)}, {"move"})

    def test_lines_stay(self):
        for mutant in mutate.mutants("b.c", self.SOURCE):
            self.assertEqual(mutant.apply(self.SOURCE).count("\n"), self.SOURCE.count("\n"))

    def test_order_depends_on_the_words_alone(self):
        def order(name, text):
            return [(m.before, m.after) for m in mutate.shuffled({name: text}, 7)]
        self.assertEqual(order("a.c", self.SOURCE), order("z.c", "\n\n" + self.SOURCE))

    def test_reasons(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "equivalent.txt")
            path.write_text("# head\n\nb.c: x = 1;\n=> ;\nbecause x is 1\nalready\n")
            self.assertEqual(mutants.read_equivalent(path),
                             {"b.c: x = 1;\n=> ;": "because x is 1 already"})
            path.write_text("b.c: x = 1;\n=> ;\n")
            with self.assertRaises(SystemExit):
                mutants.read_equivalent(path)


@unittest.skipIf("PERTURBED_LIBM_SEED" in os.environ, "the reference itself would be perturbed")
class PerturbedLibm(unittest.TestCase):
    """Results move by one unit in the last place, and those that every libm has exactly do not."""

    PROGRAM = """
import math
for k in range(1, 200):
    print(*(f(0.013 * k).hex() for f in (math.sin, math.cos, math.exp, math.log, math.atan, math.tanh)))
print("exact", math.exp(0.0), math.log(1.0), math.pow(3.0, 4.0), math.pow(0.1, 1.0), math.pow(2.0, -3.0),
      math.log10(1000.0), math.sin(1e-9), math.cos(0.0), math.atan2(0.0, -1.0), math.sin(-2.0) + math.sin(2.0))
"""

    def results(self, **settings):
        run = subprocess.run([sys.executable, "-c", self.PROGRAM], capture_output=True, text=True,
                             env={**os.environ, **settings}, check=True)
        lines = run.stdout.splitlines()
        return [float.fromhex(x) for line in lines[:-1] for x in line.split()], lines[-1]

    @unittest.skipUnless(sys.platform == "linux" and shutil.which("cc"), "needs LD_PRELOAD and cc")
    def test_one_unit(self):
        with tempfile.TemporaryDirectory() as folder:
            library = f"{folder}/perturbed_libm.so"
            subprocess.run(["cc", "-std=gnu11", "-shared", "-fPIC", "-O1", "-fno-builtin", "-o", library,
                            TOOLS / "perturbed_libm.c", "-ldl"], check=True)
            plain, exact = self.results()
            same, _ = self.results(LD_PRELOAD=library)
            one, exact_too = self.results(LD_PRELOAD=library, PERTURBED_LIBM_SEED="1")
            again, _ = self.results(LD_PRELOAD=library, PERTURBED_LIBM_SEED="1")
            two, _ = self.results(LD_PRELOAD=library, PERTURBED_LIBM_SEED="2")
        self.assertEqual(plain, same)
        self.assertEqual(one, again)
        self.assertEqual(exact, exact_too)
        self.assertNotEqual(one, two)
        moved = [(a, b) for a, b in zip(plain, one) if a != b]
        self.assertTrue(all(b in (math.nextafter(a, 0.0), math.nextafter(a, 2.0 * a)) for a, b in moved))
        self.assertTrue(0.3 * len(plain) < len(moved) < 0.7 * len(plain), len(moved))


class Machines(unittest.TestCase):
    def run_script(self, *words):
        return subprocess.run([TOOLS / "check_machines.sh", *words], capture_output=True, text=True)

    def test_names(self):
        listed = self.run_script("--list").stdout.split()
        for name in ("gcc", "clang-O0", "no-fma", "blas-reference", "blas-openblas", "libm-8"):
            self.assertIn(name, listed)
        for wrong in ("nothing", "libm-x", "--wrong"):
            self.assertEqual(self.run_script(wrong).returncode, 2)
        self.assertIn("libm-SEED", self.run_script("--help").stdout)


if __name__ == "__main__":
    unittest.main()
