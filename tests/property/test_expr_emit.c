/* tests/property/test_expr_emit.c - emitted C, compiled by cc without contraction, gives the
 * same bits as the tape: random expressions, an array of equal equations with neighbours, a
 * long sum.  Skipped where there is no C compiler.                                */
#define _POSIX_C_SOURCE 200809L
#include "test_expr_random.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "expr/emit_c.h"
#include "tape_values.h"

enum { SCENES = 30, CELLS = 200, TERMS = 1200 };

/* ---- one program for all cases --------------------------------------------------- */

/* The roots of one graph at one point. */
typedef struct sample {
    const expr_graph *g;
    const expr *roots;
    size_t n_roots;
    const double *values;
    uint32_t n_values;
} sample;

typedef struct program {
    char folder[64];
    FILE *source;
    char calls[SCENES + 8][64];
    size_t n_samples, n_roots[SCENES + 8], longest;
    double *wanted[SCENES + 8];
} program;

static bool write_text(void *user, const char *text, size_t length)
{
    return fwrite(text, 1, length, user) == length;
}

static const char *function_name(void *user, uint32_t id)
{
    static char name[16];
    (void)user;
    snprintf(name, sizeof name, "call%u", (unsigned)id);
    return name;
}

static void open_program(program *p)
{
    char path[100];
    *p = (program){.folder = "/tmp/daedal_emit_XXXXXX"};
    assert_non_null(mkdtemp(p->folder));
    snprintf(path, sizeof path, "%s/emitted.c", p->folder);
    p->source = fopen(path, "w");
    assert_non_null(p->source);
    fputs("#include <stdio.h>\n", p->source);
    assert_true(emit_c_prelude(write_text, p->source));
    for (int id = 0; id <= 3; id++) /* as expressions_function */
        fprintf(p->source,
                "static inline void call%d(const double *a, double *o)\n{\n    double s = 1.0;\n"
                "    for (int k = 0; k < %d; k++)\n        s += a[k] * (k + 1.0);\n"
                "    for (int k = 0; k < 3; k++)\n        o[k] = s * (k + 0.5);\n}\n",
                id, id);
}

static double *tape_values(const sample *s)
{
    tape *t;
    tape_setup setup = {
        .g = s->g, .roots = s->roots, .n_roots = s->n_roots, .inputs = {.n = s->n_values}};
    assert_int_equal(tape_create(&t, &setup), DAEDAL_OK);
    double *out = malloc(s->n_roots * sizeof *out);
    double *work = malloc(tape_measure(t).work * sizeof *work);
    tape_calls calls = {.call = expressions_function};
    tape_prepare(t, work);
    assert_int_equal(tape_evaluate(t, s->values, work, out, &calls), 0);
    free(work);
    tape_free(t);
    return out;
}

static void add_sample(program *p, const sample *s)
{
    char name[32];
    size_t n = p->n_samples++;
    snprintf(name, sizeof name, "f%zu", n);
    emit_setup setup = {.g = s->g,
                        .roots = s->roots,
                        .n_roots = s->n_roots,
                        .name = name,
                        .function = function_name,
                        .write = write_text,
                        .user = p->source};
    assert_int_equal(emit_c_function(&setup), EXPR_OK);
    fprintf(p->source, "static const double v%zu[] = {", n);
    for (uint32_t k = 0; k < s->n_values; k++)
        fprintf(p->source, "%a,", s->values[k]);
    fputs("};\n", p->source);
    p->n_roots[n] = s->n_roots;
    p->longest = s->n_roots > p->longest ? s->n_roots : p->longest;
    p->wanted[n] = tape_values(s);
}

static void close_program(program *p)
{
    fprintf(p->source, "static double out[%zu];\nint main(void)\n{\n", p->longest + 1);
    for (size_t n = 0; n < p->n_samples; n++)
        fprintf(p->source,
                "    { static double w[f%zu_work]; f%zu(v%zu, w, out); }\n"
                "    for (int k = 0; k < %zu; k++) printf(\"%%a\\n\", out[k]);\n",
                n, n, n, p->n_roots[n]);
    fputs("    return 0;\n}\n", p->source);
    fclose(p->source);
}

static void compare(const program *p, const char *results)
{
    FILE *f = fopen(results, "r");
    char line[64];
    assert_non_null(f);
    for (size_t n = 0; n < p->n_samples; n++)
        for (size_t k = 0; k < p->n_roots[n]; k++) {
            assert_non_null(fgets(line, sizeof line, f));
            double got = strtod(line, NULL);
            if (!expressions_same(got, p->wanted[n][k]))
                fail_msg("%s: sample %zu root %zu: %a, not %a", p->folder, n, k, got,
                         p->wanted[n][k]);
        }
    fclose(f);
}

static void remove_program(program *p)
{
    static const char *const files[] = {"emitted.c", "emitted", "results"};
    char path[100];
    for (size_t k = 0; k < COUNT(files); k++) {
        snprintf(path, sizeof path, "%s/%s", p->folder, files[k]);
        remove(path);
    }
    rmdir(p->folder);
    for (size_t n = 0; n < p->n_samples; n++)
        free(p->wanted[n]);
}

/* Without builtins, since a compiler that evaluates sin(1) itself may round otherwise than libm. */
static void run_program(program *p, const char *options)
{
    char command[500], results[100];
    close_program(p);
    snprintf(
        command, sizeof command,
        "cd %s && cc -std=c11 -Wall -Wextra -Werror -ffp-contract=off -fno-builtin %s emitted.c"
        " -o emitted -lm"
        " && ./emitted > results",
        p->folder, options);
    assert_int_equal(system(command), 0);
    snprintf(results, sizeof results, "%s/results", p->folder);
    compare(p, results);
    remove_program(p);
}

static bool have_compiler(void)
{
    return system("cc --version > /dev/null 2>&1") == 0;
}

/* ---- cases --------------------------------------------------------------------------- */

static void test_random(void **state)
{
    (void)state;
    if (!have_compiler()) {
        print_message("no C compiler: skipped\n");
        skip();
    }
    program p;
    open_program(&p);
    for (uint32_t seed = 1; seed <= SCENES; seed++) {
        expressions x;
        expressions_make(&x, seed, seed % 2 == 1, false);
        sample s = {&x.g, x.roots, EXPRESSIONS_ROOTS, x.values, EXPRESSIONS_VARIABLES};
        add_sample(&p, &s);
        expr_graph_free(&x.g);
    }
    run_program(&p, "-O1");
}

/* u_i' - (k(u_i) (u_i+1 - 2 u_i + u_i-1) - max(u_i, limit_i)) with k = if u > 0 then sqrt.. */
static expr cell(expr_graph *g, uint32_t i)
{
    expr u = expr_variable(g, i), rate = expr_variable(g, CELLS + i);
    expr left = expr_variable(g, i - 1), right = expr_variable(g, i + 1);
    expr zero = expr_constant(g, 0.0), half = expr_constant(g, 0.01 * i);
    expr k = expr_if(g, expr_make2(g, EXPR_GT, u, zero), expr_make1(g, EXPR_SQRT, u),
                     expr_make1(g, EXPR_EXP, u));
    expr bend = expr_add(g, expr_sub(g, left, expr_mul(g, expr_constant(g, 2.0), u)), right);
    expr loss = expr_make2(g, EXPR_MAX, u, half);
    return expr_sub(g, rate, expr_sub(g, expr_mul(g, k, bend), loss));
}

static size_t count_functions(const expr_graph *g, const expr *roots, size_t n)
{
    FILE *f = tmpfile();
    emit_setup setup = {
        .g = g, .roots = roots, .n_roots = n, .name = "f", .write = write_text, .user = f};
    char line[400];
    size_t count = 0;
    assert_int_equal(emit_c_function(&setup), EXPR_OK);
    rewind(f);
    while (fgets(line, sizeof line, f))
        count += strncmp(line, "static void", 11) == 0;
    fclose(f);
    return count;
}

static void test_shapes(void **state)
{
    (void)state;
    expr_graph g;
    expr roots[CELLS];
    double values[2 * CELLS];
    seeded random = seeded_begin(1);
    assert_true(expr_graph_create(&g, NULL, 0));
    for (uint32_t i = 1; i + 1 < CELLS; i++)
        roots[i - 1] = cell(&g, i);
    seeded_fill(&random, values, 2 * CELLS, 1.0);
    assert_true(count_functions(&g, roots, CELLS - 2) <= 3);
    if (have_compiler()) {
        program p;
        open_program(&p);
        sample s = {&g, roots, CELLS - 2, values, 2 * CELLS};
        add_sample(&p, &s);
        run_program(&p, "-O2");
    }
    expr_graph_free(&g);
}

static void test_long_sum(void **state)
{
    (void)state;
    expr_graph g;
    double values[TERMS];
    seeded random = seeded_begin(2);
    if (!have_compiler())
        skip();
    assert_true(expr_graph_create(&g, NULL, 0));
    expr sum = expr_constant(&g, 0.0);
    for (uint32_t i = 0; i < TERMS; i++)
        sum = expr_add(&g, sum, expr_make1(&g, EXPR_SIN, expr_variable(&g, i)));
    expr roots[] = {sum, expr_mul(&g, sum, expr_variable(&g, 0)), expr_constant(&g, 1.0 / 3.0),
                    expr_variable(&g, 5),
                    expr_div(&g, expr_constant(&g, 1.0), expr_constant(&g, 0.0))};
    seeded_fill(&random, values, TERMS, 1.0);
    program p;
    open_program(&p);
    sample s = {&g, roots, COUNT(roots), values, TERMS};
    add_sample(&p, &s);
    run_program(&p, "-O0 -Wno-div-by-zero");
    expr_graph_free(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_long_sum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
