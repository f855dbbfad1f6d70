/* tests/property/test_output_grids.c - what is seen at output points does not depend on how many
 * are asked for: one, a few, a thousand, at random; index 0 to 3, every method that takes the
 * index. */
#include <math.h>
#include <string.h>

#include "solver/after_step.h"

#include "harness.h"
#include "seeded.h"

enum { N_MAX = 5, POINTS_MAX = 1000 };

/* ---- systems with known solutions ---- */

/* y1' = w y2 q, y2' = -w y1 q with q = (1 + y1^2 + y2^2) / 2: sin wt, cos wt. */
static int wheel(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    double q = 0.5 * (1.0 + y[0] * y[0] + y[1] * y[1]);
    r[0] = yp[0] - 3.0 * y[1] * q;
    r[1] = yp[1] + 3.0 * y[0] * q;
    return DAEDAL_CALL_OK;
}

static void wheel_truth(double t, double *y)
{
    y[0] = sin(3.0 * t);
    y[1] = cos(3.0 * t);
}

/* The same with z^3 + z = y1, mixed. */
static int geared(double t, const double *y, const double *yp, double *r, void *user)
{
    wheel(t, y, yp, r, user);
    double g = y[2] * y[2] * y[2] + y[2] - y[0];
    r[2] = g + 0.3 * r[0];
    r[0] -= 0.2 * r[1];
    return DAEDAL_CALL_OK;
}

static void geared_truth(double t, double *y)
{
    wheel_truth(t, y);
    double z = y[0];
    for (int k = 0; k < 30; k++)
        z -= (z * z * z + z - y[0]) / (3.0 * z * z + 1.0);
    y[2] = z;
}

/* A force keeps x + 2 y = sin 5t, where x = sin t; the other forces follow. */
static int forced(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    double load = cos(t) + sin(t) - 0.1 * sin(3.0 * t);
    r[0] = yp[0] + y[0] - 0.1 * y[2] - load;
    r[1] = yp[1] + 3.0 * y[1] * y[0] - 2.0 * y[2] -
           (0.5 * (5.0 * cos(5.0 * t) - cos(t)) + 1.5 * (sin(5.0 * t) - sin(t)) * sin(t) -
            2.0 * sin(3.0 * t));
    r[2] = y[0] + 2.0 * y[1] - sin(5.0 * t);
    return DAEDAL_CALL_OK;
}

static void forced_truth(double t, double *y)
{
    y[0] = sin(t);
    y[1] = 0.5 * (sin(5.0 * t) - sin(t));
    y[2] = sin(3.0 * t);
}

/* A mass of 2 and one of 0.5 along the axes of an ellipse x^2 + 4 y^2 = 1: x = cos t, y = sin t / 2
 * with the force that takes.                                                      */
static int ellipse(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    double force = 1.0 + 0.5 * sin(t);
    r[0] = yp[0] - y[2];
    r[1] = yp[1] - y[3];
    r[2] = 2.0 * yp[2] + y[4] * y[0] - (force - 2.0) * cos(t);
    r[3] = 0.5 * yp[3] + 4.0 * y[4] * y[1] - (4.0 * force - 0.5) * 0.5 * sin(t);
    r[4] = y[0] * y[0] + 4.0 * y[1] * y[1] - 1.0;
    return DAEDAL_CALL_OK;
}

static void ellipse_truth(double t, double *y)
{
    y[0] = cos(t);
    y[1] = 0.5 * sin(t);
    y[2] = -sin(t);
    y[3] = 0.5 * cos(t);
    y[4] = 1.0 + 0.5 * sin(t);
}

typedef struct course {
    const char *name, *methods[7];
    int32_t n;
    daedal_residual_fn *residual;
    void (*truth)(double t, double *y);
} course;

static const course COURSES[] = {
    {"index 0", {"auto", "bdf", "radau", "rodas", "limex", "dopri"}, 2, wheel, wheel_truth},
    {"index 1", {"auto", "bdf", "radau", "rodas", "limex"}, 3, geared, geared_truth},
    {"index 2", {"auto", "bdf", "radau"}, 3, forced, forced_truth},
    {"index 3", {"auto", "radau"}, 5, ellipse, ellipse_truth},
};

/* ---- grids ---- */

static const int GRIDS[] = {1, 7, 1000, -60}; /* below zero: at random */
static const double END = 4.0;

static int make_grid(int grid, double *t)
{
    int n = grid > 0 ? grid : -grid;
    seeded g = seeded_begin(5);
    for (int k = 0; k < n; k++)
        t[k] =
            grid > 0 ? END * (k + 1) / n : (k > 0 ? t[k - 1] : 0.0) + seeded_uniform(&g, 0.0, 0.1);
    return n;
}

/* The largest error at the points, in tolerances. */
static double largest_error(const course *c, const char *method, double tol, int grid)
{
    daedal_system sys = {.n = c->n, .residual = c->residual};
    daedal_options options = defaults_with(tol, tol);
    double y0[N_MAX], truth[N_MAX], t[POINTS_MAX], worst = 0.0;
    daedal_options_set(&options, "method", method);
    c->truth(0.0, y0);
    daedal_solver *s = started(&sys, &options, 0.0, y0, NULL);
    int n = make_grid(grid, t);
    for (int k = 0; k < n; k++) {
        expect_status(s, daedal_solver_advance(s, t[k]), DAEDAL_OK);
        c->truth(t[k], truth);
        for (int32_t j = 0; j < c->n; j++)
            worst = fmax(worst, fabs(daedal_solver_state(s)->y[j] - truth[j]) / tol);
    }
    daedal_solver_free(s);
    return worst;
}

static void try_method(const course *c, const char *method)
{
    for (double tol = 1e-4; tol > 1e-9; tol *= 1e-2)
        for (size_t g = 0; g < COUNT(GRIDS); g++) {
            double error = largest_error(c, method, tol, GRIDS[g]);
            if (!(error <= 100.0))
                fail_msg("%s, %s, rtol %g, grid %d: off by %.0f tolerances", c->name, method, tol,
                         GRIDS[g], error);
        }
}

static void grids_do_not_matter(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(COURSES); k++)
        for (const char *const *m = COURSES[k].methods; *m; m++)
            try_method(&COURSES[k], *m);
}

/* A load jumps at a breakpoint; the force of a constraint x + 2 y = sin t is (cos t - 2 load) / 5.
 */
static int loaded(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = yp[0] - y[2];
    r[1] = yp[1] - 2.0 * y[2] - (t >= 1.0 ? 3.0 : 1.0);
    r[2] = y[0] + 2.0 * y[1] - sin(t);
    return DAEDAL_CALL_OK;
}

/* What is seen at a breakpoint is the value before it. */
static void breakpoints_are_not_passed(void **state)
{
    (void)state;
    const double at = 1.0, y0[] = {0.0, 0.0, -0.2};
    daedal_system sys = {.n = 3, .residual = loaded};
    daedal_options options = defaults_with(1e-6, 1e-6);
    options.breakpoints = (daedal_doubles){&at, 1};
    daedal_solver *s = started(&sys, &options, 0.0, y0, NULL);
    expect_status(s, daedal_solver_advance(s, at), DAEDAL_OK);
    expect_near(daedal_solver_state(s)->y[2], (cos(1.0) - 2.0) / 5.0, 1e-4);
    daedal_solver_free(s);
}

/* y1' = s1' - a (y1 - s1) with s1 = sin 2t, y2' = s2' - 2 (y2 - s2) + (y1 - s1) with s2 = cos 3t.
 */
static int followers(double t, const double *y, const double *yp, double *r, void *user)
{
    const double *a = user;
    double off = y[0] - sin(2.0 * t);
    r[0] = yp[0] - 2.0 * cos(2.0 * t) + *a * off;
    r[1] = yp[1] + 3.0 * sin(3.0 * t) + 2.0 * (y[1] - cos(3.0 * t)) - off;
    return DAEDAL_CALL_OK;
}

static double error_of_followers(const char *method, double tol, double a, int points)
{
    const double start[] = {0.0, 1.0};
    double most = 0.0;
    daedal_options o = defaults_with(tol, tol);
    assert_int_equal(daedal_options_set(&o, "method", method), DAEDAL_OK);
    daedal_system sys = {.n = 2, .residual = followers, .user = &a};
    daedal_solver *s = started(&sys, &o, 0.0, start, NULL);
    for (int k = 1; k <= points; k++) {
        double t = 6.0 * k / points;
        expect_status(s, daedal_solver_advance(s, t), DAEDAL_OK);
        const double *y = daedal_solver_state(s)->y;
        most = fmax(most, fmax(fabs(y[0] - sin(2.0 * t)), fabs(y[1] - cos(3.0 * t))));
    }
    daedal_solver_free(s);
    return most;
}

/* The defect of an interpolant passes zero inside every step, where its error is not zero: no
 * place between steps is worse than others. */
static void no_point_is_forgotten(void **state)
{
    static const char *const methods[] = {"bdf", "radau", "rodas", "limex"};
    static const double rates[] = {2.0, 60.0}, tolerances[] = {1e-4, 1e-6, 1e-8};
    (void)state;
    for (int m = 0; m < 4; m++)
        for (int a = 0; a < 2; a++)
            for (int k = 0; k < 3; k++) {
                double error = error_of_followers(methods[m], tolerances[k], rates[a], 1500);
                if (error > 100.0 * tolerances[k])
                    print_error("%s, rtol %g, rate %g: error %g\n", methods[m], tolerances[k],
                                rates[a], error);
                assert_true(error <= 100.0 * tolerances[k]);
            }
}

/* A pendulum of index 3 with gravity 9.81; x, y, u, v and the force. */
static int rod(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] - y[2];
    r[1] = yp[1] - y[3];
    r[2] = yp[2] + y[4] * y[0];
    r[3] = yp[3] + y[4] * y[1] + 9.81;
    r[4] = y[0] * y[0] + y[1] * y[1] - 1.0;
    return DAEDAL_CALL_OK;
}

static double energy_of_rod(const double *y)
{
    return 0.5 * (y[2] * y[2] + y[3] * y[3]) + 9.81 * y[1];
}

/* Velocities of steps violate the constraint, and are corrected along the forces of constraints of
 * the same instant, not of an earlier output point: that would change their energy.  points = 0:
 * at steps. */
static double energy_error(double tol, int points)
{
    const double t_end = 3.0, y0[] = {sin(0.8), -cos(0.8), 0.4 * cos(0.8), 0.4 * sin(0.8), 5.0};
    daedal_options options = defaults_with(tol, tol);
    daedal_system sys = {.n = 5, .residual = rod};
    daedal_solver *s = solver_of(&sys, &options);
    double worst = 0.0;
    expect_status(s, daedal_solver_start(s, 0.0, y0, NULL), DAEDAL_OK);
    const daedal_state *now = daedal_solver_state(s);
    for (int k = 1; now->t < t_end; k++) {
        daedal_status status = points == 0 ? daedal_solver_step(s, t_end)
                                           : daedal_solver_advance(s, t_end * k / points);
        expect_status(s, status, DAEDAL_OK);
        worst = fmax(worst, fabs(energy_of_rod(now->y) - energy_of_rod(y0)));
    }
    daedal_solver_free(s);
    return worst;
}

static void velocities_keep_their_energy(void **state)
{
    static const double tolerances[] = {1e-4, 1e-6, 1e-8};
    static const int points[] = {0, 1, 8, 40, 200};
    (void)state;
    for (int k = 0; k < 3; k++)
        for (int m = 0; m < 5; m++) {
            double error = energy_error(tolerances[k], points[m]);
            double allowed = 300.0 * tolerances[k]; /* velocities are up to 3 */
            if (error > allowed)
                print_error("rtol %g, %d points: %g\n", tolerances[k], points[m], error);
            assert_true(error <= allowed);
        }
}

/* The rod, and between which times F was asked. */
typedef struct span {
    double from, to;
} span;

static int watched_rod(double t, const double *y, const double *yp, double *r, void *user)
{
    span *asked = user;
    asked->from = fmin(asked->from, t);
    asked->to = fmax(asked->to, t);
    return rod(t, y, yp, r, NULL);
}

/* Hidden constraints are differences of F in time: at output points inside a step F is asked inside
 * that step alone, on both sides where there is room, else on the side that has it. */
static void nodes_lie_inside_the_step(void **state)
{
    const double y0[] = {sin(0.8), -cos(0.8), 0.4 * cos(0.8), 0.4 * sin(0.8), 5.0};
    span asked = {INFINITY, -INFINITY};
    daedal_system sys = {.n = 5, .residual = watched_rod, .user = &asked};
    daedal_options options = defaults_with(1e-5, 1e-5);
    const double edge = 1.0 + 1e-9;
    int in_the_middle = 0, at_ends = 0;
    (void)state;
    daedal_solver *s = started(&sys, &options, 0.0, y0, NULL);
    for (int k = 1; k <= 400; k++) {
        double t = 3.0 * k / 400.0;
        int64_t steps = daedal_solver_stats(s)->steps;
        asked = (span){INFINITY, -INFINITY};
        expect_status(s, daedal_solver_advance(s, t), DAEDAL_OK);
        double h = daedal_solver_stats(s)->h_last, part = 1.0 - (solver_step_end(s) - t) / h;
        if (daedal_solver_stats(s)->steps > steps || t < 0.5 || asked.from > asked.to)
            continue; /* a step was taken, too */
        assert_true(asked.from >= t - part * h * edge && asked.to <= t + (1.0 - part) * h * edge);
        if (part > 0.3 && part < 0.7) {
            assert_true(asked.from < t && asked.to > t);
            in_the_middle++;
        } else if (part < 0.2 || part > 0.8) {
            double to_room = part < 0.5 ? asked.to - t : t - asked.from;
            assert_true(to_room > (part < 0.5 ? t - asked.from : asked.to - t));
            at_ends++;
        }
    }
    assert_true(in_the_middle > 20 && at_ends > 20);
    daedal_solver_free(s);
}

/* Nor is it asked beyond the stop time, where very short first steps look farther ahead. */
static void stop_times_are_not_passed(void **state)
{
    const double y0[] = {sin(0.8), -cos(0.8), 0.4 * cos(0.8), 0.4 * sin(0.8), 5.0};
    (void)state;
    for (double end = 1e-6; end < 2.0; end *= 10.0)
        for (int points = 1; points < 30; points += 14) {
            span asked = {INFINITY, -INFINITY};
            daedal_system sys = {.n = 5, .residual = watched_rod, .user = &asked};
            daedal_options options = defaults_with(1e-6, 1e-6);
            daedal_solver *s = started(&sys, &options, 0.0, y0, NULL);
            expect_status(s, daedal_solver_set_stop_time(s, end), DAEDAL_OK);
            asked = (span){INFINITY, -INFINITY};
            for (int k = 1; k <= points; k++)
                expect_status(s, daedal_solver_advance(s, k < points ? end * k / points : end),
                              DAEDAL_OK);
            assert_true(asked.to <= end * (1.0 + 1e-12));
            daedal_solver_free(s);
        }
}

/* What jumps, or has no solution any more, from t = 1 on. */
static int ending(double t, const double *y, const double *yp, double *r, void *user)
{
    span *asked = user;
    asked->to = fmax(asked->to, t);
    r[0] = yp[0] - 1.0;
    r[1] = y[1] * y[1] + (t < 1.0 ? -1.0 : 1.0);
    return DAEDAL_CALL_OK;
}

/* Nor where it is found out why a run has failed close to that time. */
static void stop_times_hold_for_explanations(void **state)
{
    static const char *const methods[] = {"auto", "bdf", "bdf_classic", "radau", "rodas", "limex"};
    const double y0[] = {0.0, 1.0};
    (void)state;
    for (size_t k = 0; k < COUNT(methods); k++)
        for (double left = 1e-6; left < 1.0; left *= 10.0) {
            span asked = {INFINITY, -INFINITY};
            daedal_system sys = {.n = 2, .residual = ending, .user = &asked};
            daedal_options options = defaults_with(1e-6, 1e-6);
            daedal_options_set(&options, "method", methods[k]);
            daedal_solver *s = started(&sys, &options, 0.0, y0, NULL);
            expect_status(s, daedal_solver_set_stop_time(s, 1.0 + left), DAEDAL_OK);
            asked.to = 0.0;
            assert_true(daedal_solver_advance(s, 1.0 + left) < 0);
            assert_true(asked.to > 1.0 && asked.to <= 1.0 + left);
            daedal_solver_free(s);
        }
}

/* Chains x1 = sin(t + k/100), x2 = x1', x3 = x2', side by side. */
static int chains(double t, const double *y, const double *yp, double *r, void *user)
{
    int32_t count = *(int32_t *)user;
    for (int32_t k = 0; k < count; k++) {
        const double *x = y + 3 * k, *slope = yp + 3 * k;
        r[3 * k] = slope[0] - x[1];
        r[3 * k + 1] = slope[1] - x[2];
        r[3 * k + 2] = x[0] - sin(t + 0.01 * k);
    }
    return DAEDAL_CALL_OK;
}

/* Many equations have the accuracy of a few. */
static void copies_are_as_accurate_as_one(void **state)
{
    enum { COPIES = 60 };
    (void)state;
    for (int32_t count = 1; count <= COPIES; count *= COPIES)
        for (double tol = 1e-4; tol > 1e-9; tol *= 1e-2) {
            double y0[3 * COPIES], worst = 0.0;
            daedal_system sys = {.n = 3 * count, .residual = chains, .user = &count};
            daedal_options options = defaults_with(tol, tol);
            for (int32_t k = 0; k < count; k++) {
                y0[3 * k] = sin(0.01 * k);
                y0[3 * k + 1] = cos(0.01 * k);
                y0[3 * k + 2] = -sin(0.01 * k);
            }
            daedal_solver *s = started(&sys, &options, 0.0, y0, NULL);
            for (int q = 1; q <= 20; q++) {
                expect_status(s, daedal_solver_advance(s, 0.17 * q), DAEDAL_OK);
                for (int32_t k = 0; k < count; k++)
                    worst = fmax(worst, fabs(daedal_solver_state(s)->y[3 * k + 2] +
                                             sin(0.17 * q + 0.01 * k)));
            }
            assert_true(worst <= 10.0 * tol);
            daedal_solver_free(s);
        }
}

/* In steps so short that differences inside them are noise the force is found with wider ones. That
 * succeeds at nearly all points: of these few are off by more than a hundredth of the
 * force. */
static void forces_are_known_in_short_steps(void **state)
{
    const double y0[] = {sin(0.8), -cos(0.8), 0.4 * cos(0.8), 0.4 * sin(0.8), 5.0};
    int32_t asked = 0, wrong = 0;
    (void)state;
    for (double h = 0.1; h > 1e-7; h *= 0.37)
        for (double tol = 1e-4; tol > 1e-9; tol *= 0.1) {
            daedal_system sys = {.n = 5, .residual = rod};
            daedal_options options = defaults_with(tol, tol);
            options.max_step = h;
            daedal_solver *s = started(&sys, &options, 0.0, y0, NULL);
            const double *y = daedal_solver_state(s)->y;
            for (int k = 1; k <= 60; k++, asked++) {
                expect_status(s, daedal_solver_advance(s, 0.37 * h * k), DAEDAL_OK);
                double force = y[2] * y[2] + y[3] * y[3] - 9.81 * y[1];
                wrong += fabs(y[4] - force) > 0.1;
            }
            daedal_solver_free(s);
        }
    assert_in_range(wrong, 0, asked / 100); /* one in 500 was measured */
}

/* Two masses of 1 and 5 on a rod of length one that turns while they fly past: y has both
 * positions, both velocities and the force. */
static int dumbbell(double t, const double *y, const double *yp, double *r, void *user)
{
    double dx = y[0] - y[2], dz = y[1] - y[3];
    (void)t, (void)user;
    for (int32_t i = 0; i < 4; i++)
        r[i] = yp[i] - y[4 + i];
    r[4] = yp[4] + dx * y[8];
    r[5] = yp[5] + dz * y[8];
    r[6] = 5.0 * yp[6] - dx * y[8];
    r[7] = 5.0 * yp[7] - dz * y[8];
    r[8] = dx * dx + dz * dz - 1.0;
    return DAEDAL_CALL_OK;
}

static void dumbbell_at(double t, double *y)
{
    const double w = 0.7, light = 5.0 / 6.0, heavy = -1.0 / 6.0;
    double c = cos(w * t), s = sin(w * t), x = 100.0 - 3.0 * t, z = 20.0 + t;
    double at[] = {x + light * c,        z + light * s,        x + heavy * c,
                   z + heavy * s,        -3.0 - light * w * s, 1.0 + light * w * c,
                   -3.0 - heavy * w * s, 1.0 + heavy * w * c,  light * w * w};
    memcpy(y, at, sizeof at);
}

/* Steps that a stop time cuts are as short as the times between: then F is asked before them.
 * Without that the force was off by up to 3e7 tolerances. */
static void short_steps_to_stop_times_know_the_force(void **state)
{
    const double tol = 1e-8, far = 5e4 * tol;
    (void)state;
    for (double left = 1e-2; left > 1e-5; left *= 0.21) {
        double y[9];
        daedal_system sys = {.n = 9, .residual = dumbbell};
        daedal_options options = defaults_with(tol, 0.1 * tol);
        dumbbell_at(0.0, y);
        daedal_solver *s = started(&sys, &options, 0.0, y, NULL);
        for (int k = 1; k <= 6; k++) {
            double t = k / 2 + (k % 2 ? 1.0 : left);
            expect_status(s, daedal_solver_set_stop_time(s, t), DAEDAL_OK);
            expect_status(s, daedal_solver_advance(s, t), DAEDAL_OK);
            dumbbell_at(t, y);
            assert_true(fabs(daedal_solver_state(s)->y[8] - y[8]) < far * y[8]);
        }
        daedal_solver_free(s);
    }
}

/* y1 = |sin 2 t|, y0' = y1. */
static int cornered(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = y[1] - fabs(sin(2.0 * t));
    r[1] = yp[0] - y[1];
    return DAEDAL_CALL_OK;
}

/* An algebraic variable satisfies its equation at output points near a zero, too, where a
 * correction is large compared with the value. */
static void corners_at_zero_are_corrected(void **state)
{
    static const char *const methods[] = {"auto", "radau", "rodas", "limex"};
    (void)state;
    for (size_t k = 0; k < COUNT(methods); k++)
        for (int points = 100; points <= 1000; points += 300) {
            const double tol = 1e-8,
                         y0[] = {4.5 - 0.5 * cos(14.0 - 4.0 * acos(-1.0)), fabs(sin(14.0))};
            daedal_system sys = {.n = 2, .residual = cornered};
            daedal_options options = defaults_with(tol, 0.1 * tol);
            daedal_options_set(&options, "method", methods[k]);
            daedal_solver *s = started(&sys, &options, 7.0, y0, NULL);
            for (int i = 1; i <= points; i++) {
                double t = 7.0 * (points - i) / points;
                expect_status(s, daedal_solver_advance(s, t), DAEDAL_OK);
                assert_true(fabs(daedal_solver_state(s)->y[1] - fabs(sin(2.0 * t))) < 100.0 * tol);
            }
            daedal_solver_free(s);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(copies_are_as_accurate_as_one),
                                       cmocka_unit_test(forces_are_known_in_short_steps),
                                       cmocka_unit_test(short_steps_to_stop_times_know_the_force),
                                       cmocka_unit_test(corners_at_zero_are_corrected),
                                       cmocka_unit_test(stop_times_are_not_passed),
                                       cmocka_unit_test(stop_times_hold_for_explanations),
                                       cmocka_unit_test(nodes_lie_inside_the_step),
                                       cmocka_unit_test(grids_do_not_matter),
                                       cmocka_unit_test(velocities_keep_their_energy),
                                       cmocka_unit_test(no_point_is_forgotten),
                                       cmocka_unit_test(breakpoints_are_not_passed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
