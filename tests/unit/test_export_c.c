/* tests/unit/test_export_c.c - exported C, compiled here, against the tapes: bit for bit. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exported_model.h"
#include "harness.h"
#include "seeded.h"

#define FLAGS "-O1 -ffp-contract=off -Wall -Wextra -Wconversion -Wshadow -Werror"

typedef struct row {
    const char *name, *text; /* text NULL: a file of models/ */
} row;

static const row rows[] = {
    {"robertson", NULL},
    {"ring_modulator", NULL},
    {"akzo_nobel", NULL},
    {"buck_converter", NULL},
    {"rectifier_ideal", NULL},
    {"sampled_controller", NULL},
    {"three_body", NULL},
    {"one", "model One Real x; equation der(x) = -x; end One;"},
    {"names", "model '*/ 1\\?' Real '/*a*/'; equation /* b */ der('/*a*/') = 1; end '*/ 1\\?';"},
    {"time", "model T Real x, y; equation der(x) = sin(time)*y; y^3 + y = x*time; end T;"},
    {"masses", "model Mass Real x, y; equation (1 + x*x)*der(x) + y*der(y) = x;"
               " der(x)*der(y) = y + time; end Mass;"},
    {"reduced", "model Red Real x, y, v; equation der(x) = v; der(v) = y; x = sin(time); end Red;"},
    {"operations",
     "model Ops Real x(start = 1), y, z; equation der(x) = -max(x, y) + min(x, 2) + abs(z)"
     " + noEvent(if x > y then sqrt(x*x + 1) else exp(-y)) + atan2(x, y + 3) + tanh(z);"
     " y + y^3 = cos(x) + 0.1*sinh(y*x); z + exp(z) = log(1 + x*x)*y^2; end Ops;"},
    {"inputs",
     "model In Real x(start = 1), y; discrete Real k; Boolean b; Integer i; equation"
     " b = x > 0.5; i = integer(3*x);"
     " when sample(0, 0.1) then k = pre(k) + 1; end when;"
     " der(x) = if b then -x*k + y else i*x; y + y^3 = if x > 2*y then k else x; end In;"},
    {"shapes",
     "model Shapes parameter Integer n = 40; Real u[n], i[n]; equation"
     " for k in 1:n loop i[k] + 0.01*i[k]^3 = (if k > 1 then u[max(k - 1, 1)] else 1) - u[k];"
     " end for; for k in 1:n-1 loop k*der(u[k]) = i[k] - i[k + 1]; end for;"
     " der(u[n]) = i[n]*exp(-sum(u)); end Shapes;"},
};

static bool same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

static void expect_same(const char *name, const char *what, const double *got, const double *want,
                        size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (!same(got[k], want[k]))
            fail_msg("%s, %s %zu: %a instead of %a", name, what, k, got[k], want[k]);
}

static double *room(size_t n)
{
    double *p = calloc(n + 1, sizeof *p);
    assert_non_null(p);
    return p;
}

/* Any values for everything: truths 0 or 1, the rest small integers and fractions. */
static void choose_point(exported_model *c, seeded *s, double *d)
{
    model_values *m = c->m.compiled->values;
    for (uint32_t slot = 0; slot < m->place.n; slot++)
        m->x[slot] = seeded_uniform(s, -2.0, 2.0);
    for (uint32_t slot = m->place.relation; slot < m->place.n; slot++)
        m->x[slot] = seeded_uniform(s, 0.0, 1.0) < 0.5;
    m->version++;
    for (int k = 0; k < c->size[2]; k++)
        d[k] = m->x[c->input[k]];
}

static void compare(exported_model *c, const char *name, seeded *s)
{
    const compiled_model *m = c->m.compiled;
    const model_values *v = m->values;
    const compiled_jacobian *j = m->jacobian;
    size_t n = (size_t)m->reduced->n, nnz = (size_t)pattern_nnz(&j->pattern.view);
    double *d = room((size_t)c->size[2]), *work = room((size_t)c->size[3]);
    double *r = room(n), *jac = room(2 * nnz);
    choose_point(c, s, d);
    const double *y = v->x + v->place.y, *yp = v->x + v->place.yp;
    assert_int_equal(program_run(m, m->residuals, 0.0, NULL, NULL), 0);
    c->residual(v->x[0], y, yp, d, work, r);
    expect_same(name, "residual", r, m->residuals->out, n);

    assert_int_equal(program_run(m, j->program, 0.0, NULL, NULL), 0);
    c->jacobian(v->x[0], y, yp, d, work, jac);
    expect_same(name, "entry of dF/dy", jac, j->dy, nnz);
    expect_same(name, "entry of dF/dy'", jac + nnz, j->dyp, nnz);
    free(d);
    free(work);
    free(r);
    free(jac);
}

static void compiled_equals_tape(void **state)
{
    (void)state;
    seeded s = seeded_begin(20);
    for (size_t k = 0; k < COUNT(rows); k++) {
        exported_model c;
        char path[512];
        snprintf(path, sizeof path, "%s/%s.mo", DAEDAL_TEST_MODELS, rows[k].name);
        if (!exported_model_open(&c, rows[k].text ? rows[k].name : path, rows[k].text, FLAGS))
            fail_msg("%s: %s", rows[k].name, c.error);
        const daedal_pattern *p = &c.m.compiled->jacobian->pattern.view;
        assert_int_equal(c.size[0], c.m.reduced->n);
        assert_int_equal(c.size[1], pattern_nnz(p));
        assert_memory_equal(c.start, c.m.compiled->jacobian->pattern.start,
                            ((size_t)c.m.reduced->n + 1) * sizeof *c.start);
        assert_memory_equal(c.row, c.m.compiled->jacobian->pattern.row,
                            (size_t)c.size[1] * sizeof *c.row);
        for (int point = 0; point < 5; point++)
            compare(&c, rows[k].name, &s);
        exported_model_close(&c);
    }
}

/* ---- the public function ---- */

static int count_text(const char *text, size_t length, void *user)
{
    (void)text;
    *(size_t *)user += length;
    return DAEDAL_CALL_OK;
}

static int stop_at_once(const char *text, size_t length, void *user)
{
    (void)text, (void)length;
    ++*(size_t *)user;
    return DAEDAL_CALL_STOP;
}

static daedal_model *parse(const char *text)
{
    daedal_model *m = NULL;
    char message[500];
    daedal_status status =
        daedal_model_parse(&m, "test", text, strlen(text), NULL, message, sizeof message);
    if (status != DAEDAL_OK)
        fail_msg("%s", message);
    return m;
}

static void refusals(void **state)
{
    (void)state;
    static const struct {
        const char *text, *reason;
    } refused[] = {
        {"model M parameter Real p = 1; end M;", "no unknowns"},
    };
    for (size_t k = 0; k < COUNT(refused); k++) {
        daedal_model *m = parse(refused[k].text);
        daedal_diagnosis why;
        size_t n = 0;
        assert_int_equal(daedal_model_export_c(m, count_text, &n, &why), DAEDAL_ERR_STRUCTURE);
        assert_non_null(strstr(why.message, refused[k].reason));
        assert_int_equal(n, 0);
        daedal_model_free(m);
    }
}

static void stopping_and_arguments(void **state)
{
    (void)state;
    daedal_model *m = parse("model M Real x; equation der(x) = -x; end M;");
    size_t calls = 0, first = 0, second = 0;
    assert_int_equal(daedal_model_export_c(m, stop_at_once, &calls, NULL), DAEDAL_STOPPED);
    assert_int_equal(calls, 1);
    assert_int_equal(daedal_model_export_c(m, count_text, &first, NULL), DAEDAL_OK);
    assert_int_equal(daedal_model_export_c(m, count_text, &second, NULL), DAEDAL_OK);
    assert_true(first > 0 && first == second);
    assert_int_equal(daedal_model_export_c(NULL, count_text, &first, NULL), DAEDAL_ERR_ARGUMENT);
    assert_int_equal(daedal_model_export_c(m, NULL, NULL, NULL), DAEDAL_ERR_ARGUMENT);
    daedal_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compiled_equals_tape),
        cmocka_unit_test(refusals),
        cmocka_unit_test(stopping_and_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
