/* tests/unit/test_differentiation_index.c - the index of functions: the reference problems without
 * hints, chains, degrees of freedom, what cannot be answered, and what it costs.       */
#include <math.h>
#include <string.h>

#include "harness.h"
#include "link_chain.h"
#include "problems.h"

static daedal_analysis analyze(const daedal_system *sys, double t, const double *y,
                               const double *yp, daedal_solver **solver)
{
    daedal_options options = defaults_with(1e-6, 1e-9);
    daedal_analysis found;
    *solver = solver_of(sys, &options);
    expect_status(*solver, daedal_solver_analyze(*solver, t, y, yp, &found), DAEDAL_OK);
    return found;
}

/* ---- the reference problems ------------------------------------------------------------ */

static const struct {
    const char *name;
    int32_t index, freedom;
    char grade;
} PROBLEMS[] = {
    {"chemakzo", 1, 5, 'A'},
    {"rober_dae", 1, 2, 'A'},
    {"hires", 0, 8, 'A'},
    {"pollution", 0, 20, 'A'},
    {"e5", 0, 4, 'A'},
    {"oregonator", 0, 3, 'A'},
    {"robertson_ode", 0, 3, 'A'},
    {"transamp", 1, 5, 'B'},
    {"ringmod", 0, 15, 'A'},
    {"rc_ladder20", 1, 20, 'A'},
    {"pendulum_ind1", 1, 4, 'A'},
    {"vdpol", 0, 2, 'A'},
    {"oscdrv", 0, 2, 'A'},
    {"andrews_ind1", 1, 14, 'A'},
    {"andrews_ind3", 3, 2, 'A'},
    {"brenan_index1", 1, 1, 'A'},
    {"weissinger", 0, 1, 'A'},
    {"kamke_542", 0, 1, 'A'},
    {"heat2d_n100", 1, 64, 'A'},
    {"heat2d_n1024", 1, 900, 'A'},
    {"medakzo", 0, 400, 'A'},
    {"pendulum_ind2", 2, 3, 'A'},
    {"pendulum_ind3", 3, 2, 'A'},
    {"caraxis", 3, 4, 'A'},
};

/* With the consistent y', and with y' = 0. */
static void finds_the_index_of_problems(void **state)
{
    (void)state;
    for (size_t k = 0; k < 2 * COUNT(PROBLEMS); k++) {
        const problem *p = problem_find(PROBLEMS[k / 2].name);
        daedal_system sys = {.n = p->n, .residual = p->residual, .user = p->user};
        daedal_solver *s;
        daedal_analysis found = analyze(&sys, p->t0, p->y0, k % 2 ? NULL : p->yp0, &s);
        if (found.index != PROBLEMS[k / 2].index || found.grade != PROBLEMS[k / 2].grade ||
            found.degrees_of_freedom != PROBLEMS[k / 2].freedom)
            fail_msg("%s: index %d, grade %c, %d degrees of freedom: %s", p->name, (int)found.index,
                     found.grade, (int)found.degrees_of_freedom, found.reason);
        daedal_solver_free(s);
    }
}

/* Beyond the size up to which dense methods are asked. */
static void is_certain_of_large_mechanisms(void **state)
{
    enum { LINKS = 60 };
    int32_t links = LINKS;
    double y0[LINKS * OF_A_LINK];
    daedal_system sys = {.n = LINKS * OF_A_LINK, .residual = link_chain_residual, .user = &links};
    daedal_solver *s;
    (void)state;
    link_chain_start(LINKS, y0);
    daedal_analysis found = analyze(&sys, 0.0, y0, NULL, &s);
    assert_int_equal(found.index, 3);
    assert_int_equal(found.grade, 'A');
    assert_int_equal(found.degrees_of_freedom, 2 * LINKS);
    daedal_solver_free(s);
}

static void names_the_chain_of_mechanisms(void **state)
{
    (void)state;
    static const char *const names[] = {"x", "y", "u", "v", "lambda"};
    static const char *const equations[] = {"x' = u", "y' = v", "force x", "force y", "rod"};
    const problem *p = problem_find("pendulum_ind3");
    daedal_system sys = {
        .n = 5, .residual = p->residual, .variable_names = names, .equation_names = equations};
    const double y0[] = {0.6, -0.8, 0.8, 0.6, 1.0};
    static const int32_t indices[] = {1, 1, 2, 2, 3};
    daedal_solver *s;
    daedal_analysis found = analyze(&sys, 0.0, y0, NULL, &s);
    assert_memory_equal(found.variable_index, indices, sizeof indices);
    assert_true(strcmp(found.chain, "rod -> x -> u -> lambda") == 0 ||
                strcmp(found.chain, "rod -> y -> v -> lambda") == 0);
    daedal_solver_free(s);
}

/* ---- what misleads --------------------------------------------------------------------- */

/* C019: structurally 0, in truth 1. */
static int twins(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = yp[0] + yp[1] + y[0] + y[1] - cos(t);
    r[1] = yp[0] + yp[1] + y[0] + 2.0 * y[1] - t;
    return DAEDAL_CALL_OK;
}

/* [BCP96] example 2.4.1: the pencil is singular at every t, the index is 2. */
static int turning(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = y[0] - t * y[1] - sin(t);
    r[1] = yp[0] - t * yp[1] - t * t;
    return DAEDAL_CALL_OK;
}

/* Structural index 3 although no relation needs to be differentiated twice: Reissig's trick. */
static int cancelling(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    const double s = yp[1] + yp[2], w = yp[3] + yp[4];
    r[0] = s + y[0] - sin(t);
    r[1] = s + y[1] - cos(t);
    r[2] = w + y[2] - t;
    r[3] = w + y[3] + y[1] - 1.0;
    r[4] = y[4] - exp(-t);
    return DAEDAL_CALL_OK;
}

/* [BCP96] (3.1.13): index 2 for every eta, with a singular pencil for eta = -1. */
static void eta_problem(double eta, double t, const double *y, const double *yp, double *r)
{
    r[0] = yp[0] + eta * t * yp[1] + (1.0 + eta) * y[1] - exp(-t);
    r[1] = y[0] + eta * t * y[1] - sin(t);
}

static int eta_half(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    eta_problem(-0.5, t, y, yp, r);
    return DAEDAL_CALL_OK;
}

static int eta_one(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    eta_problem(-1.0, t, y, yp, r);
    return DAEDAL_CALL_OK;
}

/* z0' + z1 = sin t, z0 = cos t, with z turned by the angle t. */
static int turned_variables(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    const double c = cos(t), s = sin(t);
    const double z0 = c * y[0] + s * y[1], z1 = -s * y[0] + c * y[1];
    r[0] = c * yp[0] + s * yp[1] + z1 + z1 - sin(t);
    r[1] = z0 - cos(t);
    return DAEDAL_CALL_OK;
}

/* C023 with D = 0 and a blind weight: index 5. */
static int blind_control(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] - 0.1 * y[0] - y[1];
    r[1] = yp[1] + 0.5 * y[0] - 0.2 * y[1] - y[4];
    r[2] = yp[2] + y[0] + 0.1 * y[2] - 0.5 * y[3];
    r[3] = yp[3] + y[2] + 0.2 * y[3];
    r[4] = y[3];
    return DAEDAL_CALL_OK;
}

static const struct {
    const char *name;
    daedal_residual_fn *residual;
    int32_t n;
    double t;
    int32_t index, structural; /* -2: any */
} MISLEADING[] = {{"(3.1.13), eta = -1/2", eta_half, 2, 0.5, 2, 1},
                  {"(3.1.13), eta = -1/2, at 0", eta_half, 2, 0.0, 2, 1},
                  {"(3.1.13), eta = -1", eta_one, 2, 0.5, 2, 1},
                  {"(3.1.13), eta = -1, at 0", eta_one, 2, 0.0, 2, 1},
                  {"turned variables", turned_variables, 2, 0.2, 2, 1},
                  {"C023, blind", blind_control, 5, 0.0, 5, 5},
                  {"C019", twins, 2, 0.0, 1, 0},
                  {"example 2.4.1", turning, 2, 0.3, 2, 1},
                  {"cancelling", cancelling, 5, 0.4, 1, -2}};

static void is_not_misled(void **state)
{
    (void)state;
    const double y0[] = {0.3, 0.4, 0.5, 0.6, 0.7};
    for (size_t k = 0; k < COUNT(MISLEADING); k++) {
        daedal_system sys = {.n = MISLEADING[k].n, .residual = MISLEADING[k].residual};
        daedal_solver *s;
        daedal_analysis found = analyze(&sys, MISLEADING[k].t, y0, NULL, &s);
        if (found.index != MISLEADING[k].index || found.grade > 'B' ||
            (MISLEADING[k].structural != -2 && found.structural_index != MISLEADING[k].structural))
            fail_msg("%s: index %d, grade %c, structural %d: %s", MISLEADING[k].name,
                     (int)found.index, found.grade, (int)found.structural_index, found.reason);
        daedal_solver_free(s);
    }
}

/* ---- no answer --------------------------------------------------------------------------- */

/* C012: a regular pencil of index 2 at every t, and no unique solution. */
static int unsolvable(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = -t * yp[0] + t * t * yp[1] + y[0];
    r[1] = -yp[0] + t * yp[1] + y[1];
    return DAEDAL_CALL_OK;
}

static int repeated(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = yp[0] + y[0] + y[1] - t;
    r[1] = 3.0 * (yp[0] + y[0] + y[1] - t);
    r[2] = y[2] - y[0];
    return DAEDAL_CALL_OK;
}

static int unmatched(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = y[0] - t;
    r[1] = yp[0] - 1.0;
    r[2] = yp[1] + yp[2];
    return DAEDAL_CALL_OK;
}

static int noisy(double t, const double *y, const double *yp, double *r, void *user)
{
    int *calls = user;
    (void)t;
    r[0] = yp[0] + y[0];
    r[1] = y[1] - y[0] + 1e-9 * (double)(++*calls);
    return DAEDAL_CALL_OK;
}

static const struct {
    const char *name;
    daedal_residual_fn *residual;
    int32_t n;
    const char *reason; /* a part of it */
} SILENT[] = {{"C012", unsolvable, 2, "depend on one another"},
              {"repeated", repeated, 3, "equation 0, equation 1 depend on one another"},
              {"unmatched", unmatched, 3, "no equation determines"},
              {"noisy", noisy, 2, "equation 1 differs between two calls"}};

static void says_so_where_there_is_none(void **state)
{
    (void)state;
    const double y0[] = {0.3, 0.4, 0.5};
    for (size_t k = 0; k < COUNT(SILENT); k++) {
        int calls = 0;
        daedal_system sys = {.n = SILENT[k].n, .residual = SILENT[k].residual, .user = &calls};
        daedal_solver *s;
        daedal_analysis found = analyze(&sys, 0.4, y0, NULL, &s);
        if (found.index != -1 || found.grade != 'D' || !strstr(found.reason, SILENT[k].reason))
            fail_msg("%s: index %d, grade %c: %s", SILENT[k].name, (int)found.index, found.grade,
                     found.reason);
        daedal_solver_free(s);
    }
}

/* ---- arguments and cost --------------------------------------------------------------------- */

static int stops(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)y, (void)yp;
    r[0] = 0.0;
    return *(int *)user;
}

static void passes_on_what_a_callback_answers(void **state)
{
    (void)state;
    const struct {
        int answer;
        daedal_status status;
    } rows[] = {{DAEDAL_CALL_STOP, DAEDAL_STOPPED},
                {DAEDAL_CALL_FAIL, DAEDAL_ERR_CALLBACK},
                {DAEDAL_CALL_RETRY, DAEDAL_ERR_RETRY}};
    const double y0 = 1.0;
    for (size_t k = 0; k < COUNT(rows); k++) {
        int answer = rows[k].answer;
        daedal_system sys = {.n = 1, .residual = stops, .user = &answer};
        daedal_options options = defaults_with(1e-6, 1e-9);
        daedal_solver *s = solver_of(&sys, &options);
        daedal_analysis found;
        expect_status(s, daedal_solver_analyze(s, 0.0, &y0, NULL, &found), rows[k].status);
        expect_status(s, daedal_solver_analyze(s, NAN, &y0, NULL, &found), DAEDAL_ERR_ARGUMENT);
        expect_status(s, daedal_solver_analyze(s, 0.0, NULL, NULL, &found), DAEDAL_ERR_ARGUMENT);
        expect_status(s, daedal_solver_analyze(s, 0.0, &y0, NULL, NULL), DAEDAL_ERR_ARGUMENT);
        assert_int_equal(daedal_solver_analyze(NULL, 0.0, &y0, NULL, &found), DAEDAL_ERR_ARGUMENT);
        daedal_solver_free(s);
    }
}

/* A run is where it was, and goes on to the same end. */
static void leaves_a_run_alone(void **state)
{
    (void)state;
    const problem *p = problem_find("rober_dae");
    daedal_system sys = {.n = p->n, .residual = p->residual};
    daedal_options options = defaults_with(1e-6, 1e-9);
    double end[2][3];
    for (int k = 0; k < 2; k++) {
        daedal_solver *s = started(&sys, &options, 0.0, p->y0, NULL);
        expect_status(s, daedal_solver_advance(s, 1.0), DAEDAL_OK);
        daedal_analysis found;
        if (k == 1)
            expect_status(s, daedal_solver_analyze(s, 0.5, p->y0, NULL, &found), DAEDAL_OK);
        expect_status(s, daedal_solver_advance(s, 40.0), DAEDAL_OK);
        memcpy(end[k], daedal_solver_state(s)->y, sizeof end[k]);
        daedal_solver_free(s);
    }
    assert_memory_equal(end[0], end[1], sizeof end[0]);
}

/* A start that shows an index up to one by itself asks for nothing more: with the indices said,
 * which forbids a search, it takes as many calls.  The transistor amplifier hides relations below
 * the noise of its differences, and pays less than two per cent of its run.      */
static void ordinary_starts_pay_nothing(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(PROBLEMS); k++) {
        const problem *p = problem_find(PROBLEMS[k].name);
        if (PROBLEMS[k].index > 1 || strcmp(p->name, "e5") == 0) /* e5 finds no start at 1e-6 */
            continue;
        int32_t *said = test_calloc((size_t)p->n, sizeof *said);
        int64_t calls[2];
        for (int j = 0; j < 2; j++) {
            daedal_system sys = {.n = p->n, .residual = p->residual, .user = p->user};
            if (j == 1)
                sys.variable_index = (daedal_ints){said, p->n};
            daedal_options options = defaults_with(1e-6, 1e-9);
            daedal_solver *s = started(&sys, &options, p->t0, p->y0, NULL);
            calls[j] = daedal_solver_stats(s)->residuals;
            daedal_solver_free(s);
        }
        int64_t extra = strcmp(p->name, "transamp") == 0 ? 150 : 0;
        if (calls[0] > calls[1] + extra)
            fail_msg("%s: %d calls instead of %d", p->name, (int)calls[0], (int)calls[1]);
        test_free(said);
    }
}

/* Indices that the user gives are believed: no search with a start as given, and no run with a
 * method that does not take them.                                                */
static void believes_what_is_said(void **state)
{
    (void)state;
    const problem *p = problem_find("pendulum_ind3");
    const int32_t said[] = {1, 1, 2, 2, 3};
    const char *const methods[] = {"radau", "bdf"};
    for (int k = 0; k < 2; k++) {
        int64_t calls[2] = {0, 0};
        for (int j = 0; j < 2; j++) {
            daedal_system sys = {.n = 5, .residual = p->residual};
            if (j == 1)
                sys.variable_index = (daedal_ints){said, 5};
            daedal_options options = defaults_with(1e-6, 1e-9);
            daedal_options_set(&options, "method", methods[k]);
            daedal_options_set(&options, "start", "given");
            daedal_solver *s = solver_of(&sys, &options);
            expect_status(s, daedal_solver_start(s, 0.0, p->y0, p->yp0),
                          k == 0 ? DAEDAL_OK : DAEDAL_ERR_INDEX);
            calls[j] = daedal_solver_stats(s)->residuals;
            daedal_solver_free(s);
        }
        assert_true(calls[1] + 20 < calls[0]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_index_of_problems),
        cmocka_unit_test(is_certain_of_large_mechanisms),
        cmocka_unit_test(names_the_chain_of_mechanisms),
        cmocka_unit_test(is_not_misled),
        cmocka_unit_test(says_so_where_there_is_none),
        cmocka_unit_test(passes_on_what_a_callback_answers),
        cmocka_unit_test(leaves_a_run_alone),
        cmocka_unit_test(ordinary_starts_pay_nothing),
        cmocka_unit_test(believes_what_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
