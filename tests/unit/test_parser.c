/* tests/unit/test_parser.c - lang/parser*.c, lang/ast*.c: trees as written out here, round
 * trips of the fuzz corpus, the errors named inside tests/lang/ *.mo, limits.
 *
 * Each says what must be reported, in order and completely:
 *     // expect-error: 3:7: the beginning of the message
 *     // expect-warning: 4:1: ...                                               */
#define _POSIX_C_SOURCE 200809L /* opendir */

#include "ast_text.h"
#include "lang/parser.h"

#include "harness.h" /* behind the line above: cmocka defines fail() as a macro */

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LANG_FOLDER DAEDAL_TEST_DATA "/../lang"
#define CORPUS_FOLDER DAEDAL_TEST_DATA "/../fuzz/corpus"

/* ---- expressions as trees --------------------------------------------------------- */

typedef struct dump {
    const intern_table *names;
    char text[2000];
} dump;

static void put(dump *d, const char *text)
{
    size_t n = strlen(d->text);
    snprintf(d->text + n, sizeof d->text - n, "%s", text);
}

static void dump_expr(dump *d, const ast_expr *e);

static void dump_items(dump *d, ast_expr *const *item, int32_t n)
{
    for (int32_t i = 0; i < n; i++) {
        put(d, " ");
        if (item[i])
            dump_expr(d, item[i]);
        else
            put(d, "_");
    }
}

static void dump_parts(dump *d, const ast_expr *e)
{
    put(d, e->kind == AST_REF && e->flag ? "." : "");
    for (int32_t i = 0; i < e->n; i++) {
        const ast_part *part = &e->part[i];
        put(d, i > 0 || e->kind == AST_ACCESS ? "." : "");
        put(d, part->name == INTERN_NONE ? "" : intern_text(d->names, part->name));
        if (part->n_subs > 0) {
            put(d, "[");
            dump_items(d, part->sub, part->n_subs);
            put(d, " ]");
        }
    }
}

static void dump_args(dump *d, const ast_expr *e)
{
    for (int32_t i = 0; i < e->n; i++) {
        put(d, " ");
        if (e->arg[i].name != INTERN_NONE) {
            put(d, intern_text(d->names, e->arg[i].name));
            put(d, "=");
        }
        dump_expr(d, e->arg[i].value);
    }
}

static void dump_literal(dump *d, const ast_expr *e)
{
    char text[100] = "";
    if (e->kind == AST_REAL)
        snprintf(text, sizeof text, "%.17g", e->real);
    else if (e->kind == AST_STRING)
        snprintf(text, sizeof text, "\"%s\"", e->text);
    else if (e->kind == AST_BOOLEAN)
        snprintf(text, sizeof text, "%s", e->integer ? "true" : "false");
    else if (e->kind == AST_INTEGER)
        snprintf(text, sizeof text, "%lld", (long long)e->integer);
    else
        snprintf(text, sizeof text, "%s",
                 e->kind == AST_COLON ? ":"
                 : e->kind == AST_END ? "end"
                                      : "#EMPTY#");
    put(d, text);
}

static const char *expr_kind_name(ast_expr_kind kind)
{
    static const char *const names[] = {
#define X(name, what) [name] = #name,
        AST_EXPR_LIST(X)
#undef X
    };
    return names[kind] + strlen("AST_");
}

/* (kind operands): sums and products with the operator before each operand. */
static void dump_nested(dump *d, const ast_expr *e)
{
    put(d, "(");
    if (e->kind == AST_UNARY) {
        put(d, ast_op_text((ast_op)e->op));
        dump_items(d, (ast_expr *const[]){e->base}, 1);
    } else if (e->kind == AST_CHAIN) {
        for (int32_t i = 0; i < e->n; i++) {
            put(d, i > 0 ? " " : "");
            put(d, ast_op_text((ast_op)e->item[i]->joint));
            put(d, i > 0 ? " " : "");
            dump_expr(d, e->item[i]);
        }
    } else if (e->kind == AST_CALL || e->kind == AST_FUNCTION) {
        put(d, e->kind == AST_CALL ? "call " : "function ");
        dump_parts(d, e->base);
        dump_args(d, e);
    } else if (e->kind == AST_ACCESS) {
        dump_expr(d, e->base);
        dump_parts(d, e);
    } else {
        put(d, expr_kind_name((ast_expr_kind)e->kind));
        if (e->kind == AST_ITERATED || e->kind == AST_DECORATED)
            dump_items(d, (ast_expr *const[]){e->base}, 1);
        else
            dump_items(d, e->item, e->n);
        for (int32_t i = 0; e->kind == AST_ITERATED && i < e->n; i++) {
            put(d, " ");
            put(d, intern_text(d->names, e->iterator[i].name));
            dump_items(d, &e->iterator[i].range, e->iterator[i].range ? 1 : 0);
        }
    }
    put(d, ")");
}

static void dump_expr(dump *d, const ast_expr *e)
{
    if (e->kind <= AST_EMPTY)
        dump_literal(d, e);
    else if (e->kind == AST_REF)
        dump_parts(d, e);
    else
        dump_nested(d, e);
}

static const struct {
    const char *text, *tree;
} expr_rows[] = {
    {"a + b - c", "(a + b - c)"},
    {"a - (b - c)", "(a - (b - c))"},
    {"(a - b) - c", "((a - b) - c)"},
    {"a*b/c + d", "((a * b / c) + d)"},
    {"-a*b", "(- (a * b))"},
    {"-a + b", "((- a) + b)"},
    {"-x^2", "(- (x ^ 2))"},
    {"a * -0.0", "(a * (- 0))"},
    {"a + -b*c", "(a + (- (b * c)))"},
    {"10^-3", "(10 ^ (- 3))"},
    {"(2^3)^4", "((2 ^ 3) ^ 4)"},
    {"3.*x", "(3 * x)"},
    {"a .+ b .* c .^ d ./ e .- f", "(a .+ (b .* (c .^ d) ./ e) .- f)"},
    {"not a and b or c", "(((not a) and b) or c)"},
    {"not a < b", "(not (a < b))"},
    {"a <> b and c >= -d", "((a <> b) and (c >= (- d)))"},
    {"1:n", "(RANGE 1 n)"},
    {"1:2*k:n+1", "(RANGE 1 (2 * k) (n + 1))"},
    {"if a then 1 else if b then 2 else 3", "(IF a 1 b 2 3)"},
    {"if a then 1 elseif b then 2 else 3", "(IF a 1 b 2 3)"},
    {"if a then if b then 1 else 2 else 3", "(IF a (IF b 1 2) 3)"},
    {"if a then 1 else (if b then 2 else 3)", "(IF a 1 (IF b 2 3))"},
    {"a.b[i, 2].c", "a.b[ i 2 ].c"},
    {".a.b", ".a.b"},
    {"x[:, end, 1:end - 1]", "x[ : end (RANGE 1 (end - 1)) ]"},
    {"x[min(end, 3)]", "x[ (call min end 3) ]"},
    {"'a.b[1].c' + 'end'", "(a.b[1].c + end)"},
    {"(f(x))[2]", "((call f x).[ 2 ])"},
    {"f(x)[2].y[3]", "((call f x).[ 2 ].y[ 3 ])"},
    {"(if a then b else c).T", "((IF a b c).T)"},
    {"(a)[1]", "(a.[ 1 ])"},
    {"der(x) + initial() + pure(f(1))", "((call der x) + (call initial) + (call pure (call f 1)))"},
    {"f(1, k = 2, 'm n' = 3)", "(call f 1 k=2 m n=3)"},
    {"A.B.f()", "(call A.B.f)"},
    {"f(function g(a = 1), h)", "(call f (function g a=1) h)"},
    {"sum(x[i] for i in 1:n, j)", "(call sum (ITERATED x[ i ] i (RANGE 1 n) j))"},
    {"{i^2 for i in 1:3}", "(ARRAY (ITERATED (i ^ 2) i (RANGE 1 3)))"},
    {"{1, {2}, {}}", "(ARRAY 1 (ARRAY 2) (ARRAY))"},
    {"[1, 2; 3, 4]", "(MATRIX (ROW 1 2) (ROW 3 4))"},
    {"{1, 2}[1]", "((ARRAY 1 2).[ 1 ])"},
    {"(a, , b)", "(TUPLE a _ b)"},
    {"()", "(TUPLE)"},
    {"\"a\" + \"b\\n\"", "(\"a\" + \"b\n\")"},
    {"true and false", "(true and false)"},
    {"#EMPTY#", "#EMPTY#"},
    {"9223372036854775807 + 9223372036854775808", "(9223372036854775807 + 9.2233720368547758e+18)"},
    {"x @3", "(DECORATED x)"},
    {"((((a))))", "a"},
};

static ast_file *parse(compilation *c, const char *text)
{
    return parse_text(c, "t.mo", text, strlen(text));
}

static void require_tree(const compilation *c, const ast_file *file, const char *what)
{
    char message[1000] = "";
    if (file)
        return;
    source_format(&c->sources, sources_first_error(&c->sources), message, sizeof message);
    fail_msg("%s: %s", what, message);
}

static void expressions_have_their_trees(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(expr_rows); i++) {
        compilation c;
        char text[500];
        assert_true(compilation_create(&c, NULL, 0));
        snprintf(text, sizeof text, "model M Real x = %s; end M;", expr_rows[i].text);
        const ast_file *file = parse(&c, text);
        require_tree(&c, file, text);
        dump d = {.names = &c.names};
        dump_expr(&d, file->classes->elements->binding);
        assert_string_equal(d.text, expr_rows[i].tree);
        compilation_free(&c);
    }
}

/* ---- round trips --------------------------------------------------------------------- */

/* Calls `check` with every file of a folder whose name ends in .mo, in order of name. */
static int each_file(const char *folder, void (*check)(const char *path, const char *name))
{
    struct dirent **entries;
    int n = scandir(folder, &entries, NULL, alphasort), count = 0;
    assert_true(n > 0);
    for (int i = 0; i < n; i++) {
        const char *name = entries[i]->d_name, *dot = strrchr(name, '.');
        if (dot && strcmp(dot, ".mo") == 0) {
            char path[1000];
            snprintf(path, sizeof path, "%s/%s", folder, name);
            check(path, name);
            count++;
        }
        free(entries[i]);
    }
    free(entries);
    return count;
}

static void check_round_trip(const char *path, const char *name)
{
    compilation c;
    assert_true(compilation_create(&c, NULL, 0));
    const ast_file *file = parse_file(&c, path);
    if (strncmp(name, "broken", 6) == 0 || strcmp(name, "empty.mo") == 0) {
        assert_null(file);
        assert_non_null(sources_first_error(&c.sources));
    } else {
        require_tree(&c, file, path);
        const char *text = ast_print(file, &c.names, &c.mem);
        const ast_file *again = parse(&c, text);
        require_tree(&c, again, "printed");
        assert_true(ast_equal(file, again));
    }
    compilation_free(&c);
}

static void printed_text_parses_to_the_same_tree(void **state)
{
    (void)state;
    assert_true(each_file(CORPUS_FOLDER, check_round_trip) >= 16);
}

static void different_trees_differ(void **state)
{
    (void)state;
    static const char *const variants[] = {
        "x = 1;",
        "x = 1.0;",
        "x = y;",
        "x = 'y';",
        "y = x;",
        "x = -1;",
        "x = y + 1;",
        "x = y - 1;",
        "x = f(1);",
        "x = f(k = 1);",
        "x = {1};",
        "x = {1, 2};",
        "x = y[1];",
        "x = (y)[1];",
        "x = \"1\";",
        "f(x);",
        "x = 1 \"c\";",
        "x = 1 @1;",
        "@1 x = 1;",
        "x = 1 annotation(a);",
        "x = y.z;",
        "x = .y;",
        "(x, ) = 1;",
        "x = 1:2;",
        "x = [1];",
        "x = [1; 2];",
        "x = (1 + 2) + 3;",
        "x = 1 + 2 + 3;",
        "x = {1 for i};",
        "x = {1 for j};",
        "for i in 1:2 loop x = 1; end for;",
        "if a then x = 1; end if;",
        "if a then x = 1; else end if;",
        "when a then x = 1; end when;",
    };
    compilation c;
    const ast_file *file[COUNT(variants)];
    assert_true(compilation_create(&c, NULL, 0));
    for (size_t i = 0; i < COUNT(variants); i++) {
        char text[200];
        snprintf(text, sizeof text, "model M equation %s end M;", variants[i]);
        file[i] = parse(&c, text);
        require_tree(&c, file[i], text);
        for (size_t j = 0; j <= i; j++)
            if (ast_equal(file[i], file[j]) != (i == j))
                fail_msg("%s and %s", variants[i], variants[j]);
    }
    compilation_free(&c);
}

/* ---- declarations ---------------------------------------------------------------------- */

static void declarations_are_kept(void **state)
{
    (void)state;
    static const char text[] =
        "class 'A.b'\n"
        "  parameter Real[2] a.b[2].c[3](start = 1.5, each final unit = \"m\") = 7 \"text\";\n"
        "protected\n"
        "  'T.x' 'q.r' if false annotation(Evaluate = true), 's';\n"
        "  annotation(experiment(StopTime = 10, Tolerance = 1e-6), smoothOrder = 2);\n"
        "end 'A.b';";
    compilation c;
    assert_true(compilation_create(&c, NULL, 0));
    const ast_file *file = parse(&c, text);
    require_tree(&c, file, text);
    const ast_class *class = file->classes;
    assert_string_equal(intern_text(&c.names, class->name), "A.b");
    assert_true(class->quoted);
    const ast_element *a = class->elements, *q = a->next, *s = q->next;
    assert_string_equal(intern_text(&c.names, a->name), "a.b[2].c");
    assert_int_equal(a->prefixes, AST_PARAMETER);
    assert_int_equal(a->dims.item[0]->integer, 3);
    assert_int_equal(a->type_dims.item[0]->integer, 2);
    assert_true(ast_mod_find(a->mods, &c.names, "start")->value->real == 1.5);
    assert_true(ast_mod_find(a->mods, &c.names, "unit")->is_each);
    assert_int_equal(a->binding->integer, 7);
    assert_string_equal(a->comment.text, "text");
    assert_string_equal(intern_text(&c.names, q->name), "q.r");
    assert_int_equal(q->prefixes, AST_PROTECTED);
    assert_non_null(q->condition);
    assert_non_null(ast_mod_find(q->comment.annotation, &c.names, "Evaluate"));
    assert_ptr_equal(q->type, s->type);
    assert_null(s->next);
    const ast_mod *e = ast_mod_find(class->comment.annotation, &c.names, "experiment");
    assert_int_equal(ast_mod_find(e->mods, &c.names, "StopTime")->value->integer, 10);
    assert_null(ast_mod_find(e->mods, &c.names, "Interval"));
    compilation_free(&c);
}

/* A dotted reference has the name of the declaration in all three dialects. */
static void flat_names_agree(void **state)
{
    (void)state;
    static const char text[] = "class M Real a.b[2].c; equation a.b[2].c = 'a.b[2].c' "
                               "+ 'a'.'b'[2].c + a.b[i].c; end M;";
    compilation c;
    assert_true(compilation_create(&c, NULL, 0));
    const ast_file *file = parse(&c, text);
    require_tree(&c, file, text);
    const ast_clause *eq = file->classes->sections->clauses;
    int32_t name = file->classes->elements->name;
    assert_int_equal(ast_flat_name(eq->left, &c.names), name);
    assert_int_equal(ast_flat_name(eq->right->item[0], &c.names), name);
    assert_int_equal(ast_flat_name(eq->right->item[1], &c.names), name);
    assert_int_equal(ast_flat_name(eq->right->item[2], &c.names), INTERN_NONE);
    assert_int_equal(ast_simple_name(eq->right->item[0]), name);
    assert_int_equal(ast_simple_name(eq->left), INTERN_NONE);
    compilation_free(&c);
}

static void the_dialect_is_seen(void **state)
{
    (void)state;
    compilation c;
    assert_true(compilation_create(&c, NULL, 0));
    assert_string_equal(parse(&c, "//! base 0.1.0\r\nmodel M end M;")->base_version, "0.1.0");
    assert_null(parse(&c, "// base\nmodel M end M;")->base_version);
    assert_true(parse(&c, "within A.B; model M end M;")->has_within);
    compilation_free(&c);
}

/* ---- positions -------------------------------------------------------------------------- */

static void expect_stretch(const compilation *c, source_at from, source_at to, const char *wanted)
{
    size_t n = 0;
    const char *text = source_stretch(&c->sources, from, to, &n);
    assert_non_null(text);
    assert_int_equal(n, strlen(wanted));
    assert_memory_equal(text, wanted, n);
}

static void nodes_know_their_text(void **state)
{
    (void)state;
    static const char text[] = "model M Real x(start = 2) = f(3);\nequation\n"
                               "  der(x) = (a + b)*c \"why\"; end M;";
    compilation c;
    assert_true(compilation_create(&c, NULL, 0));
    const ast_file *file = parse(&c, text);
    require_tree(&c, file, text);
    const ast_class *class = file->classes;
    const ast_clause *eq = class->sections->clauses;
    expect_stretch(&c, class->elements->at, class->elements->end, "x(start = 2) = f(3)");
    expect_stretch(&c, class->elements->mods->at, class->elements->mods->end, "start = 2");
    expect_stretch(&c, eq->at, eq->end, "der(x) = (a + b)*c \"why\"");
    expect_stretch(&c, eq->left->at, eq->left->end, "der(x)");
    expect_stretch(&c, eq->right->at, eq->right->end, "(a + b)*c");
    expect_stretch(&c, eq->right->item[0]->at, eq->right->item[0]->end, "(a + b)");
    source_place at = sources_place(&c.sources, eq->at);
    assert_int_equal(at.line, 3);
    assert_int_equal(at.column, 3);
    compilation_free(&c);
}

/* ---- errors --------------------------------------------------------------------------------- */

/* The i-th expectation of a file, "error: 3:7: text"; false if there are no more. */
static bool expectation(const char *text, int i, char *to, size_t size)
{
    static const char mark[] = "// expect-";
    for (; text && i >= 0; i--) {
        text = strstr(text, mark);
        text = text ? text + strlen(mark) : NULL;
    }
    if (!text)
        return false;
    snprintf(to, size, "%.*s", (int)strcspn(text, "\r\n"), text);
    return true;
}

static void check_errors(const char *path, const char *name)
{
    compilation c;
    assert_true(compilation_create(&c, NULL, 0));
    const ast_file *file = parse_file(&c, path);
    const sources *s = &c.sources;
    assert_int_equal(s->n, 1);
    assert_true((file == NULL) == (s->n_errors > 0));
    char wanted[500];
    int n = 0;
    for (; expectation(s->source[0]->text, n, wanted, sizeof wanted); n++) {
        char found[500] = "nothing";
        if (n < s->n_messages) {
            const source_message *m = &s->message[n];
            source_place at = sources_place(s, m->at);
            snprintf(found, sizeof found, "%s: %u:%u: %s",
                     m->severity == SOURCE_ERROR ? "error" : "warning", at.line, at.column,
                     m->text);
        }
        if (strncmp(found, wanted, strlen(wanted)) != 0)
            fail_msg("%s: expected %s\nfound %s", name, wanted, found);
    }
    if (n != s->n_messages)
        fail_msg("%s: also %s", name, s->message[n].text);
    compilation_free(&c);
}

static void errors_are_as_the_files_say(void **state)
{
    (void)state;
    assert_true(each_file(LANG_FOLDER, check_errors) >= 10);
}

static void empty_files_are_named(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "\xEF\xBB\xBF", " \n\n", "// only a comment\n"};
    for (size_t i = 0; i < COUNT(texts); i++) {
        compilation c;
        assert_true(compilation_create(&c, NULL, 0));
        assert_null(parse(&c, texts[i]));
        assert_string_equal(sources_first_error(&c.sources)->text, "empty file");
        assert_int_equal(c.sources.n_errors, 1);
        compilation_free(&c);
    }
}

static void a_second_text_is_not_hurt_by_the_first(void **state)
{
    (void)state;
    compilation c;
    assert_true(compilation_create(&c, NULL, 0));
    assert_null(parse(&c, "model M equation x = ; end M;"));
    assert_non_null(parse(&c, "model M equation x = 1; end M;"));
    assert_int_equal(c.sources.n_errors, 1);
    compilation_free(&c);
}

/* ---- limits -----------------------------------------------------------------------------------
 */

/* before + n times open + middle + n times close + after, on the heap */
static char *nested(const char *const part[5], size_t n)
{
    size_t size = (strlen(part[1]) + strlen(part[3])) * n + 200;
    char *text = malloc(size), *p = text;
    p += sprintf(p, "%s", part[0]);
    for (size_t i = 0; i < n; i++)
        p += sprintf(p, "%s", part[1]);
    p += sprintf(p, "%s", part[2]);
    for (size_t i = 0; i < n; i++)
        p += sprintf(p, "%s", part[3]);
    sprintf(p, "%s", part[4]);
    return text;
}

static void depth_is_limited(void **state)
{
    (void)state;
    static const char *const rows[][5] = {
        {"model M equation x = ", "(", "1", ")", "; end M;"},
        {"model M equation x = ", "{", "1", "}", "; end M;"},
        {"model M equation x = ", "[", "1", "]", "; end M;"},
        {"model M equation x = ", "f(", "1", ")", "; end M;"},
        {"model M equation x = ", "a[", "1", "]", "; end M;"},
        {"model M equation x = ", "-(", "1", ")", "; end M;"},
        {"model M equation x = ", "f(function g(a = ", "1", "))", "; end M;"},
        {"model M equation x = ", "if a then ", "1", " else 2", "; end M;"},
        {"model M equation ", "if a then ", "x = 1;", "end if;", " end M;"},
        {"model M algorithm ", "while a loop ", "x := 1;", "end while;", " end M;"},
        {"model M algorithm ", "for i in 1:2 loop ", "x := 1;", "end for;", " end M;"},
        {"", "model M ", "", "end M;", ""},
        {"model M Real x", "(a", "(b = 1)", ")", "; end M;"},
        {"model M annotation", "(a", "(b = 1)", ")", "; end M;"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        for (size_t n = 50; n <= 100000; n *= 40) {
            compilation c;
            char *text = nested(rows[i], n);
            assert_true(compilation_create(&c, NULL, (size_t)256 << 20));
            const ast_file *file = parse(&c, text);
            if (n <= 50)
                require_tree(&c, file, text);
            else
                assert_null(file);
            if (!file)
                expect_text(sources_first_error(&c.sources)->text, "(PARSER_DEPTH_MAX)");
            compilation_free(&c);
            free(text);
        }
    }
}

/* What is long but not deep: sums, else-if chains, lists, subscripts. */
static void length_is_not_limited(void **state)
{
    (void)state;
    static const char *const rows[][5] = {
        {"model M equation x = 1", " + 1", "", "", "; end M;"},
        {"model M equation x = ", "if a then 1 else ", "2", "", "; end M;"},
        {"model M equation x = 1", " elseif", "", "", ""}, /* broken */
        {"model M equation x = a", ".b[1]", "", "", "; end M;"},
        {"model M equation x = f()", "[1]", "", "", "; end M;"},
        {"model M equation x = {1", ", 1", "}", "", "; end M;"},
        {"model M equation if a then ", "elseif a then ", "end if;", "", " end M;"},
        {"model M equation ", "x = 1;", "", "", " end M;"},
        {"model M \"a\"", " + \"b\"", "", "", " end M;"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        compilation c;
        char *text = nested(rows[i], 50000);
        assert_true(compilation_create(&c, NULL, 0));
        const ast_file *file = parse(&c, text);
        assert_true((file != NULL) == (i != 2));
        if (file)
            assert_true(ast_equal(file, parse(&c, ast_print(file, &c.names, &c.mem))));
        compilation_free(&c);
        free(text);
    }
}

static const char *const busy[5] = {
    "//! base 1.2\nfunction f.g.h end f.g.h; model M Real x; equation ",
    "y[1].z = if a then {1, 2, \"a\\n\"} else f('q r', k = 3.5) \"c\" annotation(b(c = 1)); "
    "algorithm (a, ) := g(function h(i = 1), j for k in 1:2); "
    "initial equation when a then x = 1; elsewhen b then y = 2; end when; equation ",
    "x = 1; ", "annotation(a); function F input Real x, y(z = 1); external \"C\" a = b(c); end F; ",
    "end M;"};

/* Refuse the k-th allocation, or all from it on: an error and nothing lost. */
static void no_memory_is_an_error(void **state)
{
    (void)state;
    char *text = nested(busy, 300);
    for (int rest = 0; rest < 2; rest++) {
        bool done = false;
        for (long k = 1; !done; k++) {
            ledger books;
            compilation c;
            ledger_open(&books);
            books.refuse = k;
            books.refuse_rest = rest;
            bool made = compilation_create(&c, &books.allocator, 0);
            const ast_file *file = made ? parse(&c, text) : NULL;
            done = file != NULL;
            assert_true(done != (c.mem.failed || !made));
            assert_true(done || !made || sources_first_error(&c.sources));
            compilation_free(&c);
            ledger_expect_empty(&books);
        }
    }
    free(text);
}

static void memory_is_limited(void **state)
{
    (void)state;
    char *text = nested(busy, 2000);
    for (size_t limit = (size_t)1 << 16; limit < (size_t)1 << 24; limit += limit / 7) {
        compilation c;
        bool made = compilation_create(&c, NULL, limit);
        const ast_file *file = made ? parse(&c, text) : NULL;
        assert_true(file || !made || sources_first_error(&c.sources));
        assert_true(c.mem.taken <= limit);
        compilation_free(&c);
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expressions_have_their_trees),
        cmocka_unit_test(printed_text_parses_to_the_same_tree),
        cmocka_unit_test(different_trees_differ),
        cmocka_unit_test(declarations_are_kept),
        cmocka_unit_test(flat_names_agree),
        cmocka_unit_test(the_dialect_is_seen),
        cmocka_unit_test(nodes_know_their_text),
        cmocka_unit_test(errors_are_as_the_files_say),
        cmocka_unit_test(empty_files_are_named),
        cmocka_unit_test(a_second_text_is_not_hurt_by_the_first),
        cmocka_unit_test(depth_is_limited),
        cmocka_unit_test(length_is_not_limited),
        cmocka_unit_test(no_memory_is_an_error),
        cmocka_unit_test(memory_is_limited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
