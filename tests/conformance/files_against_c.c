/* tests/conformance/files_against_c.c - equation files against the same systems written by hand
 * in C: residuals to a few ulp of the largest term, ends of trajectories within 10 rtol.
 *
 * The last n equations of a file are the n rows of the problem, in order, up to the sign.  The
 * equations before them define auxiliary variables v = e, which the hand-written code has as
 * locals; those that stay unknowns get the value their equation gives them.      */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loaded_model.h"

#include "harness.h"
#include "initial/start_problem.h"
#include "problems.h"
#include "seeded.h"

enum { MOST = 20, POINTS = 50, SWEEPS = 8, TOLERANCES = 3 };
static const double tolerances[TOLERANCES] = {1e-4, 1e-6, 1e-8};
#define ULPS 4.0 /* "a few" */

typedef struct pair {
    const char *file, *problem;
    double apart;         /* allowed at the end, in tolerances   */
    const char *names[2]; /* of the variables; NULL: y1, y2, ... */
} pair;

/* Measured: ulp; tolerances apart at 1e-4, 1e-6, 1e-8. */
static const pair pairs[] = {
    {"robertson", "rober_dae", 10.0, {NULL}},           /* 1.7; 0.04 0.008 4.1  */
    {"akzo_nobel", "chemakzo", 10.0, {NULL}},           /* 2.1; 0.004 0.1 0.03  */
    {"hires", "hires", 10.0, {NULL}},                   /* 1.5; 0.02 0.05 0.4   */
    {"pollution", "pollution", 10.0, {NULL}},           /* 3.4; 0.07 0.2 0.4    */
    {"oregonator", "oregonator", 10.0, {NULL}},         /* 1.2; 0.06 0.2 0.04   */
    {"transistor_amplifier", "transamp", 60.0, {NULL}}, /* 1.6; 0.03 0.1 0.05; up to 13 elsewhere */
    {"van_der_pol", "vdpol_mu1000", 10.0, {"x", "v"}},  /* 1.0; 0.004 0.7 0.4   */
    /* 0; 6.0 0.8 6.8, where either is wrong by 27 to 43 */
    {"ring_modulator", "ringmod", 30.0, {NULL}},
};

/* A file and a problem side by side. */
typedef struct couple {
    const problem *p;
    loaded_model l;
    seeded random;
    uint32_t variable[MOST]; /* by variable of the problem: its number in the file */
    int32_t column[MOST];    /* and among the unknowns */
    int32_t row[MOST];       /* by row of the problem                                 */
    double sign[MOST];       /* of the row; 0: not known yet                          */
    double *at;              /* y, y' of the model                                    */
    double *residual;
    double worst; /* in ulp */
} couple;

/* ---- matching --------------------------------------------------------------------------- */

static void match_variables(couple *c, const pair *names)
{
    for (int32_t i = 0; i < c->p->n; i++) {
        char name[20];
        snprintf(name, sizeof name, "y%d", (int)i + 1);
        c->variable[i] = loaded_model_variable(&c->l, names->names[0] ? names->names[i] : name);
        c->column[i] = c->l.m.reduced->column[c->variable[i]];
        assert_true(c->column[i] >= 0);
    }
}

static int32_t hand_row(const couple *c, int32_t row)
{
    return (int32_t)c->l.m.reduced->equation[row] - ((int32_t)c->l.flat->n_equations - c->p->n);
}

static void match_rows(couple *c)
{
    int32_t found = 0;
    for (int32_t row = 0; row < c->l.m.reduced->n; row++)
        if (hand_row(c, row) >= 0) {
            c->row[hand_row(c, row)] = row;
            found++;
        }
    assert_int_equal(found, c->p->n);
}

static void open_couple(couple *c, const pair *names)
{
    *c = (couple){.p = problem_find(names->problem), .random = seeded_begin(3)};
    assert_non_null(c->p);
    assert_true(c->p->n <= MOST);
    loaded_model_open(&c->l, names->file);
    loaded_model_start(&c->l);
    c->at = calloc(2 * (size_t)c->l.m.reduced->n_system, sizeof(double));
    c->residual = calloc((size_t)c->l.m.reduced->n_system, sizeof(double));
    assert_true(c->at && c->residual);
    match_variables(c, names);
    match_rows(c);
}

static void close_couple(couple *c)
{
    loaded_model_close(&c->l);
    free(c->at);
    free(c->residual);
}

/* ---- residuals --------------------------------------------------------------------------- */

/* The unknown that an equation v = e before the last n defines. */
static int32_t defined_by(const couple *c, int32_t row)
{
    const flat_model *f = c->l.flat;
    expr left = f->equations[c->l.m.reduced->equation[row]].left;
    assert_true(expr_is_variable(&f->graph, left));
    return c->l.m.reduced->column[flat_number(expr_index(&f->graph, left))];
}

static void evaluate(couple *c, double t)
{
    const compiled_model *m = c->l.m.compiled;
    const double *slopes = c->at + m->reduced->n_system;
    assert_int_equal(program_run(m, m->residuals, t, c->at, slopes), 0);
    memcpy(c->residual, m->residuals->out, (size_t)m->reduced->n * sizeof(double));
}

/* Each sweep settles one more level of definitions; the last ones are exact. */
static void define_auxiliaries(couple *c, double t)
{
    const reduced_model *m = c->l.m.reduced;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        evaluate(c, t);
        for (int32_t row = 0; row < m->n; row++)
            if (hand_row(c, row) < 0)
                c->at[defined_by(c, row)] -= c->residual[row];
    }
    evaluate(c, t);
    for (int32_t row = 0; row < m->n; row++)
        if (hand_row(c, row) < 0)
            assert_true(c->residual[row] == 0.0);
}

/* The largest term of e, multiplied out; what is under a function is one term. */
static double largest_term(couple *c, expr e)
{
    const expr_graph *g = &c->l.flat->graph;
    const expr_node *n = &g->node[e];
    switch (expr_op_of(g, e)) {
    case EXPR_ADD:
    case EXPR_SUB:
        return fmax(largest_term(c, n->a), largest_term(c, n->b));
    case EXPR_NEG:
        return largest_term(c, n->a);
    case EXPR_MUL:
        return largest_term(c, n->a) * largest_term(c, n->b);
    case EXPR_DIV:
        return largest_term(c, n->a) / fabs(compiled_evaluate(c->l.m.compiled, n->b));
    default:
        return fabs(compiled_evaluate(c->l.m.compiled, e));
    }
}

static void compare_row(couple *c, int32_t i, double by_hand)
{
    const reduced_model *m = c->l.m.reduced;
    double value = c->residual[c->row[i]], size = largest_term(c, m->residual[c->row[i]]);
    if (c->sign[i] == 0.0 && by_hand != 0.0)
        c->sign[i] = fabs(value - by_hand) <= fabs(value + by_hand) ? 1.0 : -1.0;
    double difference = fabs((c->sign[i] != 0.0 ? c->sign[i] : 1.0) * value - by_hand);
    double ulps = difference == 0.0 ? 0.0 : difference / (DBL_EPSILON * size);
    c->worst = fmax(c->worst, ulps);
    seeded_require(&c->random, ulps <= ULPS, "%s, row %d: %.17g in the file, %.17g by hand, %g ulp",
                   c->p->name, (int)i, value, by_hand, ulps);
}

static void compare_point(couple *c, double t, const double *y, const double *yp)
{
    model_values *v = c->l.m.compiled->values;
    size_t n = (size_t)c->l.m.reduced->n_system;
    double by_hand[MOST];
    memset(c->at, 0, 2 * n * sizeof(double));
    for (int32_t i = 0; i < c->p->n; i++) {
        c->at[c->column[i]] = y[i];
        c->at[(int32_t)n + c->column[i]] = yp[i];
    }
    define_auxiliaries(c, t);
    v->x[0] = t;
    memcpy(v->x + v->place.y, c->at, n * sizeof(double));
    memcpy(v->x + v->place.yp, c->at + n, n * sizeof(double));
    assert_int_equal(c->p->residual(t, y, yp, by_hand, c->p->user), 0);
    for (int32_t i = 0; i < c->p->n; i++)
        compare_row(c, i, by_hand[i]);
}

/* Beside the way from the start to the end, with slopes of the size of those at the start.  There
 * slopes and exponentials of diodes hide smaller terms, so every second point is close to the
 * end and at rest. */
static double choose_point(couple *c, bool close, double *y, double *yp)
{
    const problem *p = c->p;
    double part = close ? 1.0 : seeded_uniform(&c->random, 0.0, 1.0), off = close ? 1e-3 : 0.1;
    for (int32_t i = 0; i < p->n; i++) {
        double wobble = seeded_uniform(&c->random, 1.0 - off, 1.0 + off);
        y[i] = wobble * (p->y0[i] + part * (p->reference[i] - p->y0[i]));
        double slope = seeded_uniform(&c->random, -2.0, 2.0) * (fabs(p->yp0[i]) + fabs(y[i]));
        yp[i] = close ? 0.0 : slope;
    }
    return part * p->t_end;
}

static void test_residuals(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(pairs); k++) {
        couple c;
        double y[MOST], yp[MOST];
        open_couple(&c, &pairs[k]);
        for (int point = 0; point < POINTS; point++) {
            double t = choose_point(&c, point % 2, y, yp);
            compare_point(&c, t, y, yp);
        }
        compare_point(&c, c.p->t0, c.p->y0, c.p->yp0);
        print_message("%-22s %2d rows, %2d unknowns in the file: within %.2g ulp\n", pairs[k].file,
                      (int)c.p->n, (int)c.l.m.reduced->n, c.worst);
        close_couple(&c);
    }
}

/* ---- trajectories --------------------------------------------------------------------------- */

static void solve_by_hand(const problem *p, double tol, double *end)
{
    double atol[MOST];
    for (int32_t i = 0; i < p->n; i++)
        atol[i] = problem_atol(p, i, tol);
    daedal_options opt = defaults_with(tol, 0.0);
    opt.atol_each = (daedal_doubles){atol, p->n};
    daedal_system sys = {
        .n = p->n, .residual = p->residual, .jacobian = p->jacobian, .user = p->user};
    daedal_solver *s = started(&sys, &opt, p->t0, p->y0, p->yp0);
    expect_status(s, daedal_solver_advance(s, p->t_end), DAEDAL_OK);
    memcpy(end, daedal_solver_state(s)->y, (size_t)p->n * sizeof *end);
    daedal_solver_free(s);
}

/* The same absolute tolerances: atol of an unknown is opt.atol times its nominal value. */
static void solve_file(couple *c, double tol, double *end)
{
    daedal_options opt = defaults_with(tol, tol);
    for (int32_t i = 0; i < c->p->n; i++)
        c->l.m.compiled->nominal[c->column[i]] = problem_atol(c->p, i, tol) / tol;
    loaded_model_run(&c->l, c->p->t_end, &opt);
    for (int32_t i = 0; i < c->p->n; i++)
        end[i] = c->l.last[c->variable[i]];
}

/* How far the ends are apart: the worst variable, in tolerances. */
static double apart(const problem *p, double tol, const double *x, const double *y)
{
    double worst = 0.0;
    for (int32_t i = 0; i < p->n; i++)
        worst = fmax(worst,
                     fabs(x[i] - y[i]) / (tol * fabs(p->reference[i]) + problem_atol(p, i, tol)));
    return worst;
}

static void test_trajectories(void **state)
{
    (void)state;
    int bad = 0;
    for (size_t k = 0; k < COUNT(pairs); k++) {
        double worst[TOLERANCES];
        for (int i = 0; i < TOLERANCES; i++) {
            couple c;
            double by_hand[MOST], in_file[MOST];
            open_couple(&c, &pairs[k]);
            solve_by_hand(c.p, tolerances[i], by_hand);
            solve_file(&c, tolerances[i], in_file);
            worst[i] = apart(c.p, tolerances[i], in_file, by_hand);
            bad += !(worst[i] <= pairs[k].apart);
            close_couple(&c);
        }
        print_message("%-22s apart by %.2g, %.2g, %.2g tolerances\n", pairs[k].file, worst[0],
                      worst[1], worst[2]);
    }
    assert_int_equal(bad, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_residuals),
        cmocka_unit_test(test_trajectories),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
