/* tests/conformance/c030_singular_points.c - messages where the equations cease to determine the
 * solution: C030, C037, C067; pencils that are similar but differ in rank: C013, C036, C038.  */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driving.h"
#include "modelling.h"

/* ---- what a run says ---- */

typedef struct heard {
    int jumps, crossings, singular_starts;
} heard;

static void listen(daedal_log_level level, const char *message, void *user)
{
    heard *h = user;
    h->jumps += level == DAEDAL_LOG_WARNING && strstr(message, "jumped to another branch");
    h->crossings += level == DAEDAL_LOG_WARNING && strstr(message, "goes through a singular point");
    h->singular_starts += level == DAEDAL_LOG_WARNING && strstr(message, "is a singular point");
}

static int keep_row(daedal_row_kind kind, double time, const double *values, void *user)
{
    trial *t = user;
    (void)kind;
    (void)time;
    memcpy(t->values, values, (size_t)t->info->n_variables * sizeof *values);
    return DAEDAL_CALL_OK;
}

static daedal_status run_with(trial *t, double to, double rtol, const char *options, heard *h)
{
    daedal_options with = options_of(options);
    with.rtol = rtol;
    with.atol = 1e-3 * rtol;
    with.log = listen;
    with.callback_user = h;
    daedal_simulation plan = {
        .t_stop = to, .intervals = 1, .options = &with, .row = keep_row, .row_user = t};
    *h = (heard){0};
    return daedal_model_simulate(t->model, &plan, &t->outcome);
}

static daedal_status run_and_listen(trial *t, double to, double rtol, heard *h)
{
    return run_with(t, to, rtol, "method=bdf", h);
}

static const double RTOLS[] = {1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10};

/* ---- ends ---- */

typedef struct ending {
    const char *name, *declarations, *equations;
    double t;
} ending;

static const ending ENDINGS[] = {
    {"c030_steering_wheel", "Real y1(start = 1, fixed = true), y2(start = 0), z(start = 0);",
     "der(y1) = 0.7*y2 + sin(2.5*z); der(y2) = 1.4*y1 + cos(2.5*z); y1^2 + y2^2 = 1;", 0.3724897},
    {"c030_fold", "Real x(start = -1, fixed = true), z(start = -1.3);", "der(x) = 1; z^3 - z = x;",
     1.3849001795},
    {"c037_square_root", "Real x(start = 1, fixed = true), y(start = 1);", "der(x) = -1; y^2 = x;",
     1.0},
};

/* Whatever method and tolerance: the run ends there, not in an endless row of ever smaller steps,
 * and calls it by its name.  Linearly implicit methods do not solve the equations of a step, and
 * with loose tolerances they may end farther away, in numbers that are not finite. */
static void ends(void **state)
{
    static const struct {
        const char *method;
        double loosest;
    } METHODS[] = {{"method=bdf", 1e-2},
                   {"method=radau", 1e-2},
                   {"method=rodas", 1e-6},
                   {"method=limex", 1e-6}};
    const ending *e = *state;
    for (size_t i = 0; i < COUNT(METHODS); i++)
        for (size_t k = 0; k < COUNT(RTOLS); k++) {
            if (RTOLS[k] > METHODS[i].loosest)
                continue;
            trial t;
            heard h;
            trial_open(&t, e->declarations, e->equations);
            daedal_status status = run_with(&t, 4.0, RTOLS[k], METHODS[i].method, &h);
            const daedal_diagnosis *why = &t.outcome.diagnosis;
            if (status >= 0 || !strstr(why->message, "impasse"))
                fail_msg("%s rtol %g: t = %.10g: %s", METHODS[i].method, RTOLS[k], t.outcome.t,
                         why->message);
            expect_near(why->t, e->t, fmax(0.1 * RTOLS[k], 1e-6));
            assert_non_null(t.outcome.blamed_variable);
            assert_in_range(t.outcome.stats.steps, 5, 3000);
            trial_close(&t);
        }
}

/* y^2 = t begins at its own end, which is said; one of its branches may be followed from there. */
static void c037_singular_start(void **state)
{
    (void)state;
    trial t;
    heard h;
    trial_open(&t, "Real y(start = 0);", "y^2 = time;");
    daedal_status status = run_and_listen(&t, 1.0, 1e-6, &h);
    assert_int_equal(h.singular_starts, 1);
    if (status < 0) {
        assert_non_null(strstr(t.outcome.diagnosis.message, "impasse at t = 0"));
        assert_string_equal(t.outcome.blamed_variable, "y");
    }
    trial_close(&t);
}

/* The analysis foresees it from the start values; on a branch beside it there is nothing to say. */
static void c037_foreseen(void **state)
{
    (void)state;
    static const struct {
        const char *declarations, *equations, *says; /* NULL: nothing */
    } rows[] = {
        {"Real y(start = 0);", "y^2 = time;", "\"y^2 = time\" (line 1) does not determine y"},
        {"Real y(start = 1);", "y^2 = 1 + time;", NULL},
        {"Real x(start = 0);", "x*der(x) = 1;", "does not determine der(x)"},
        {"Real x(start = 1);", "x*der(x) = 1;", NULL},
        {"Real x(start = 0);", "x*der(x) = 1; initial equation x = 1;", NULL},
        {"Real x(start = 0);", "der(x) = x^2;", NULL},
    };
    for (size_t k = 0; k < COUNT(rows); k++) {
        trial t;
        trial_open(&t, rows[k].declarations, rows[k].equations);
        const char *said = trial_structure(&t).singular_start;
        if (!rows[k].says && said)
            fail_msg("%s: %s", rows[k].equations, said);
        if (rows[k].says && (!said || !strstr(said, rows[k].says)))
            fail_msg("%s: %s", rows[k].equations, said ? said : "nothing said");
        trial_close(&t);
    }
}

/* ---- branches ---- */

/* Two branches at a distance of 2e-3 and 0.06: the run stays on its own at every tolerance; if a
 * step had left it, that was said. */
static void c067_branch_jump(void **state)
{
    (void)state;
    static const char *const gaps[] = {"z^2 = (time - 1)^2 + 1e-6;", "z^2 = (time - 1)^2 + 1e-3;"};
    int jumps = 0;
    for (size_t g = 0; g < COUNT(gaps); g++)
        for (size_t k = 0; k < COUNT(RTOLS); k++) {
            trial t;
            heard h;
            written equations = {0};
            write_text(&equations, "der(x) = z; %s", gaps[g]);
            trial_open(&t, "Real x(start = 0, fixed = true), z(start = -1);", equations.text);
            assert_true(run_and_listen(&t, 2.0, RTOLS[k], &h) >= 0);
            trial_expect(&t, "z", -1.0, 2e-3);
            assert_int_equal(h.crossings, 0);
            jumps += h.jumps;
            trial_close(&t);
            written_free(&equations);
        }
    assert_true(jumps >= 2); /* else nothing was tested */
}

/* The text of models/shuttle_index3.mo with another guess of the bank angle. */
static void open_shuttle(trial *t, const char *guess)
{
    char path[500], *text = calloc(1, 20000);
    snprintf(path, sizeof path, "%s/../../models/shuttle_index3.mo", DAEDAL_TEST_DATA);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    assert_true(fread(text, 1, 19990, f) > 0);
    fclose(f);
    char *at = strstr(text, "beta(start = 41)");
    assert_non_null(at);
    memcpy(at + strlen("beta(start = "), guess, strlen(guess)); /* ")" and a blank follow */
    *t = (trial){0};
    if (daedal_model_parse(&t->model, "shuttle", text, strlen(text), NULL, t->message,
                           sizeof t->message) != DAEDAL_OK)
        fail_msg("%s", t->message);
    t->info = daedal_model_describe(t->model);
    t->values = calloc((size_t)t->info->n_variables, sizeof(double));
    free(text);
}

/* The bank angle of the shuttle has two solutions: the guess decides, and the run stays there. */
static void c067_bank_angle(void **state)
{
    (void)state;
    static const char *const guesses[] = {"41) ", "-41)"};
    const double t0 = 332.868734542, beta0[] = {41.0999891598, -41.1168784881};
    for (int k = 0; k < 2; k++) {
        trial t;
        open_shuttle(&t, guesses[k]);
        trial_start(&t, t0);
        expect_near(trial_value(&t, "beta"), beta0[k], 1e-4);
        trial_run(&t, t0, 400.868734542, "rtol=1e-3 atol=1e-6");
        expect_near(trial_value(&t, "beta"), k == 0 ? 51.736 : -51.736, 1.0);
        trial_close(&t);
    }
}

/* Where branches cross the solution goes straight on, and says that it need not.  1 - cos(z) would
 * be the same but for half of its digits, which cancel where z passes 0.  A step that ends within
 * the rounding errors of the crossing can see a jump there or come out on the other branch: then
 * this must be told, and it must be the exception. */
static void c067_crossing(void **state)
{
    (void)state;
    const double end = 0.7227342478134157;
    int straight = 0;
    for (size_t k = 0; k < COUNT(RTOLS); k++) {
        trial t;
        heard h;
        trial_open(&t, "Real x(start = 0, fixed = true), z(start = -1);",
                   "der(x) = z; 2*sin(z/2)^2 = (time - 1)^2/4;");
        assert_true(run_and_listen(&t, 2.0, RTOLS[k], &h) >= 0);
        double z = trial_value(&t, "z");
        print_message("rtol %g: z = %.12g, %d crossings, %d jumps\n", RTOLS[k], z, h.crossings,
                      h.jumps);
        expect_near(fabs(z), end, fmax(0.1 * RTOLS[k], 1e-8));
        assert_true(z > 0.0 ? h.crossings == 1 : h.jumps > 0);
        straight += z > 0.0 && h.jumps == 0;
        trial_close(&t);
    }
    assert_true(straight >= (int)COUNT(RTOLS) - 2);
}

/* Constraints that lose rank for an instant.  On b = -a the sum of the equations of w and wb gives
 * l2*cos(a) = 0, so that l2 = 0 and a, w follow an ordinary differential equation through a = pi/2,
 * 3*pi/2, ..., where nothing determines l2.  There a run divides rounding errors by cos(a)^2: it
 * depends on the last digit whether it comes across.  What must hold: a run that arrives is right,
 * and one that ends does so at one of these points and names l2.  The numbers are from 30
 * digits. */
static void loss_of_rank_in_passing(void **state)
{
    (void)state;
    static const double upright[] = {0.3129658902986, 1.8843917756566, 3.7243962995285,
                                     5.9439972692369};
    static const char *const methods[] = {"method=bdf", "method=radau"};
    enum { RUNS = 27 }; /* from 1e-4 to 1e-10 */
    for (size_t k = 0; k < COUNT(methods) * RUNS; k++) {
        const char *name = methods[k / RUNS];
        double rtol = pow(10.0, -4.0 - 6.0 * (double)(k % RUNS) / (RUNS - 1)), nearest = HUGE_VAL;
        trial t;
        heard h;
        trial_open(&t,
                   "Real a(start = 1, fixed = true), b(start = -1), w(start = 2, fixed = true), "
                   "wb, x, vx, l1, l2;",
                   "der(a) = w; der(b) = wb; der(x) = vx; der(w) = -l1*sin(a) + l2*cos(a); "
                   "der(wb) = -l1*sin(b) + l2*cos(b); der(vx) = -l1 - 0.2*vx; "
                   "x = cos(a) + cos(b); 0 = sin(a) + sin(b);");
        daedal_status status = run_with(&t, 6.0, rtol, name, &h);
        const daedal_diagnosis *why = &t.outcome.diagnosis;
        for (size_t i = 0; i < COUNT(upright); i++)
            nearest = fmin(nearest, fabs(why->t - upright[i]));
        if (status >= 0)
            trial_expect(&t, "a", 11.0526352007642, fmax(300.0 * rtol, 1e-7));
        else if (!strstr(why->message, "impasse") || nearest > 0.03 ||
                 strcmp(t.outcome.blamed_variable, "l2") != 0)
            fail_msg("%s rtol %g: %s", name, rtol, why->message);
        trial_close(&t);
    }
}

/* ---- pencils ---- */

typedef struct pencil_row {
    const char *name, *declarations, *equations;
    int32_t structural, index, freedom;
} pencil_row;

static const pencil_row PENCILS[] = {
    /* local index 1 everywhere: index 1 */
    {"c013_4_3_33", "Real x, y;", "der(x) - time*der(y) + x - (1 + time)*y = 0; y = sin(time);", 1,
     1, 1},
    {"c013_rc", "Real u, v, i;", "u = sin(time); i = 2*der(v); u - v = 3*i;", 1, 1, 1},
    /* N strictly triangular up to a permutation: its structure is nilpotent; equations N x' + x */
    {"c036_triangular", "Real a, b, c;",
     "der(b) + 2*der(c) + a = sin(time); b + 3*der(c) = cos(time); c = time;", 3, 3, 0},
    {"c036_permuted", "Real a, b, c;",
     "a = time; 2*der(a) + der(c) + b = sin(time); 3*der(a) + c = cos(time);", 3, 3, 0},
    /* [[1, 1], [-1, -1]] is nilpotent, its structure is not */
    {"c036_not_structurally", "Real x, y;",
     "der(x) + der(y) + x = sin(time); -der(x) - der(y) + y = cos(time);", 0, 2, 0},
    /* commuting pairs without a common kernel */
    {"c038_diagonal", "Real x, y;", "der(x) = 0; 2*y + sin(time) = 0;", 1, 1, 1},
    {"c038_full", "Real x, y;",
     "der(x) + der(y) + x - y = sin(time); der(x) + der(y) - x + y = cos(time);", 0, 1, 1},
};

static void pencil(void **state)
{
    const pencil_row *p = *state;
    trial t;
    trial_open(&t, p->declarations, p->equations);
    daedal_model_structure s = trial_structure(&t);
    assert_int_equal(s.structural_index, p->structural);
    assert_int_equal(s.index, p->index);
    assert_int_equal(s.degrees_of_freedom, p->freedom);
    trial_close(&t);
}

int main(void)
{
    struct CMUnitTest tests[6 + COUNT(ENDINGS) + COUNT(PENCILS)] = {
        cmocka_unit_test(c037_singular_start), cmocka_unit_test(c037_foreseen),
        cmocka_unit_test(c067_branch_jump),    cmocka_unit_test(c067_crossing),
        cmocka_unit_test(c067_bank_angle),     cmocka_unit_test(loss_of_rank_in_passing),
    };
    size_t n = 6;
    for (size_t k = 0; k < COUNT(ENDINGS); k++)
        tests[n++] = (struct CMUnitTest){ENDINGS[k].name, ends, NULL, NULL, (void *)&ENDINGS[k]};
    for (size_t k = 0; k < COUNT(PENCILS); k++)
        tests[n++] = (struct CMUnitTest){PENCILS[k].name, pencil, NULL, NULL, (void *)&PENCILS[k]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
