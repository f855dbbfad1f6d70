/* tests/property/test_higher_index_start.c - starts of index 2 and 3 from random values: whatever
 * is given, what comes out satisfies the constraints of every level; what was consistent stays;
 * what is held is kept or refused; what contradicts a constraint gives way by an impulse.  */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "problems.h"
#include "seeded.h"
#include "solver/run.h"

enum { LARGEST = 27 };

static daedal_solver *solver_for(const problem *p)
{
    daedal_system sys = {.n = p->n, .residual = p->residual, .user = p->user};
    daedal_options options = defaults_with(1e-6, 1e-9);
    daedal_options_set(&options, "method", "radau");
    return solver_of(&sys, &options);
}

/* Length, velocity and acceleration of the pendulum of tests/support. */
static void levels_of_pendulum(const double *y, double *level)
{
    level[0] = y[0] * y[0] + y[1] * y[1] - 1.0;
    level[1] = y[0] * y[2] + y[1] * y[3];
    level[2] = y[2] * y[2] + y[3] * y[3] - y[4] * (y[0] * y[0] + y[1] * y[1]) - y[1];
}

/* Random places on and off the circle, random velocities, with and without y'. */
static void pendulum_from_anywhere(void **state)
{
    (void)state;
    const problem *p = problem_find("pendulum_ind3");
    for (uint32_t k = 0; k < 300; k++) {
        seeded g = seeded_begin(k + 1);
        double angle = seeded_uniform(&g, -3.0, 3.0), off = k % 3 == 0 ? 0.0 : 0.2, level[3];
        double y[5] = {cos(angle), sin(angle)}, yp[5];
        for (int j = 0; j < 5; j++)
            y[j] += j < 2 ? off * seeded_uniform(&g, -1.0, 1.0) : seeded_uniform(&g, -2.0, 2.0);
        seeded_fill(&g, yp, 5, 2.0);
        daedal_solver *s = solver_for(p);
        daedal_status status = daedal_solver_start(s, 0.0, y, k % 2 ? yp : NULL);
        seeded_require(&g, status == DAEDAL_OK, "%s", daedal_solver_diagnosis(s)->message);
        levels_of_pendulum(daedal_solver_state(s)->y, level);
        for (int j = 0; j < 3; j++)
            seeded_require(&g, fabs(level[j]) < 1e-9, "level %d is off by %.2e", j, level[j]);
        double moved =
            hypot(daedal_solver_state(s)->y[0] - y[0], daedal_solver_state(s)->y[1] - y[1]);
        seeded_require(&g, moved < 2.5 * off + 0.02, "x, y moved by %.2e", moved);
        daedal_solver_free(s);
    }
}

/* A bead on the ellipse x^2 / 4 + y^2 = 1. */
static int bead(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] - y[2];
    r[1] = yp[1] - y[3];
    r[2] = yp[2] + 0.5 * y[0] * y[4];
    r[3] = yp[3] + 2.0 * y[1] * y[4] + 1.0;
    r[4] = 0.25 * y[0] * y[0] + y[1] * y[1] - 1.0;
    return 0;
}

/* Off the ellipse the nearest point of it is taken: what was moved is normal to it. */
static void bead_to_the_nearest_point(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < 40; k++) {
        seeded g = seeded_begin(k + 1);
        double angle = seeded_uniform(&g, -3.0, 3.0), off = seeded_uniform(&g, 0.8, 1.3);
        double y0[5] = {2.0 * off * cos(angle), off * sin(angle), 0.0, 0.0, 0.0};
        daedal_system sys = {.n = 5, .residual = bead};
        daedal_options options = defaults_with(1e-8, 1e-6);
        daedal_options_set(&options, "method", "radau");
        daedal_solver *s = started(&sys, &options, 0.0, y0, NULL);
        const double *y = daedal_solver_state(s)->y;
        double dx = y[0] - y0[0], dy = y[1] - y0[1], nx = 0.5 * y[0], ny = 2.0 * y[1];
        double sine = (dx * ny - dy * nx) / (hypot(dx, dy) * hypot(nx, ny));
        seeded_require(&g, fabs(sine) < 0.05, "off %g: the sine of the angle is %g", off, sine);
        daedal_solver_free(s);
    }
}

/* x'' = -f, y'' = -2 f - 1 on x + x^2 / 10 + y = 1. */
static int on_a_curve(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] - y[2];
    r[1] = yp[1] - y[3];
    r[2] = yp[2] + y[4];
    r[3] = yp[3] + 2.0 * y[4] + 1.0;
    r[4] = y[0] + 0.1 * y[0] * y[0] + y[1] - 1.0;
    return 0;
}

/* With relative tolerances a zero has no size, but is not held for that; and the force is as
 * accurate as the rest, however near the other values were.                      */
static void zeros_move_too(void **state)
{
    (void)state;
    const struct {
        double y0[5], least;
    } rows[] = {{{0.0, 0.5, 0.0, 0.0, 0.0}, 0.0},
                {{0.0, 0.999, 0.0, 0.0, 0.0}, 0.0},
                {{0.0, 2.0, 0.0, 0.0, 0.0}, 0.0},
                {{0.0, 0.5, 1.0, 1.0, 1.0}, 1e-4}};
    for (size_t k = 0; k < COUNT(rows); k++) {
        daedal_system sys = {.n = 5, .residual = on_a_curve};
        daedal_options options = defaults_with(1e-6, 1e-14);
        daedal_options_set(&options, "method", "radau");
        daedal_solver *s = started(&sys, &options, 0.0, rows[k].y0, NULL);
        const double *y = daedal_solver_state(s)->y;
        assert_true(fabs(y[0]) >= rows[k].least);
        expect_near(y[0] + 0.1 * y[0] * y[0] + y[1], 1.0, 1e-9);
        double push = (0.2 * y[2] * y[2] - 1.0) / (3.0 + 0.2 * y[0]);
        expect_near(y[4], push, 1e-5);
        daedal_solver_free(s);
    }
}

/* Consistent values are left alone, to the noise of differences. */
static void consistent_values_stay(void **state)
{
    (void)state;
    const struct {
        const char *name;
        double tolerance; /* of each variable, relative to the largest of its kind */
    } rows[] = {{"pendulum_ind2", 1e-9}, {"pendulum_ind3", 1e-9}, {"caraxis", 1e-8}};
    for (size_t k = 0; k < COUNT(rows); k++) {
        const problem *p = problem_find(rows[k].name);
        daedal_solver *s = solver_for(p);
        expect_status(s, daedal_solver_start(s, p->t0, p->y0, p->yp0), DAEDAL_OK);
        for (int32_t j = 0; j < p->n; j++)
            expect_near(daedal_solver_state(s)->y[j], p->y0[j], rows[k].tolerance);
        daedal_solver_free(s);
    }
}

/* A second start from what the first one found finds it again. */
static void starts_are_repeatable(void **state)
{
    (void)state;
    const char *const names[] = {"pendulum_ind3", "caraxis", "andrews_ind3"};
    const double tolerance[] = {1e-8, 1e-6, 3e-6};
    for (size_t k = 0; k < COUNT(names); k++)
        for (uint32_t seed = 1; seed <= 10; seed++) {
            const problem *p = problem_find(names[k]);
            seeded g = seeded_begin(seed);
            double y[LARGEST], first[LARGEST], yp[LARGEST];
            for (int32_t j = 0; j < p->n; j++)
                y[j] = p->y0[j] * (1.0 + 1e-3 * seeded_uniform(&g, -1.0, 1.0));
            daedal_solver *s = solver_for(p);
            daedal_status status = daedal_solver_start(s, p->t0, y, p->yp0);
            seeded_require(&g, status == DAEDAL_OK, "%s: %s", p->name,
                           daedal_solver_diagnosis(s)->message);
            memcpy(first, daedal_solver_state(s)->y, (size_t)p->n * sizeof(double));
            memcpy(yp, daedal_solver_state(s)->yp, (size_t)p->n * sizeof(double));
            status = daedal_solver_start(s, p->t0, first, yp);
            seeded_require(&g, status == DAEDAL_OK, "%s again: %s", p->name,
                           daedal_solver_diagnosis(s)->message);
            double size = 1.0;
            for (int32_t j = 0; j < p->n; j++)
                size = fmax(size, fabs(first[j]));
            for (int32_t j = 0; j < p->n; j++) {
                double moved = fabs(daedal_solver_state(s)->y[j] - first[j]);
                seeded_require(&g, moved < tolerance[k] * size, "%s: y[%d] = %g moves by %.2e",
                               p->name, (int)j, first[j], moved);
            }
            daedal_solver_free(s);
        }
}

/* Links of length one, each hanging on the one before: x, y, then u, v, then the forces. */
enum { LINKS = 3, OF_FORCES = 4 * LINKS, LINKED = 5 * LINKS };

static int linked(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    const double *v = y + 2 * LINKS, *force = y + OF_FORCES;
    for (int i = 0; i < 2 * LINKS; i++) {
        int k = i / 2;
        double own = y[i] - (k > 0 ? y[i - 2] : 0.0);
        double next = k + 1 < LINKS ? (y[i + 2] - y[i]) * force[k + 1] : 0.0;
        r[i] = yp[i] - v[i];
        r[2 * LINKS + i] = yp[2 * LINKS + i] + own * force[k] - next + (i % 2 ? 9.81 : 0.0);
    }
    for (int k = 0; k < LINKS; k++) {
        double dx = y[2 * k] - (k > 0 ? y[2 * k - 2] : 0.0);
        double dy = y[2 * k + 1] - (k > 0 ? y[2 * k - 1] : 0.0);
        r[OF_FORCES + k] = dx * dx + dy * dy - 1.0;
    }
    return DAEDAL_CALL_OK;
}

/* Consistent positions and velocities stay, however little is known of the forces. */
static void forces_move_no_positions(void **state)
{
    (void)state;
    daedal_system sys = {.n = LINKED, .residual = linked};
    daedal_options options = defaults_with(1e-6, 1e-9);
    for (uint32_t seed = 1; seed <= 30; seed++) {
        seeded g = seeded_begin(seed);
        double y[LINKED] = {0.0}, x = 0.0, z = 0.0, u = 0.0, w = 0.0;
        for (int k = 0; k < LINKS; k++) {
            double angle = seeded_uniform(&g, -1.2, 1.2), turns = seeded_uniform(&g, -2.0, 2.0);
            y[2 * k] = x += sin(angle);
            y[2 * k + 1] = z -= cos(angle);
            y[2 * LINKS + 2 * k] = u += cos(angle) * turns;
            y[2 * LINKS + 2 * k + 1] = w += sin(angle) * turns;
            y[OF_FORCES + k] = seed % 2 ? 0.0 : seeded_uniform(&g, -100.0, 100.0);
        }
        daedal_solver *s = solver_of(&sys, &options);
        daedal_status status = daedal_solver_start(s, 0.0, y, NULL);
        seeded_require(&g, status == DAEDAL_OK, "%s", daedal_solver_diagnosis(s)->message);
        for (int j = 0; j < OF_FORCES; j++) {
            double moved = fabs(daedal_solver_state(s)->y[j] - y[j]);
            seeded_require(&g, moved < 1e-8, "y[%d] moves by %.2e", j, moved);
        }
        daedal_solver_free(s);
    }
}

/* Too much held: it contradicts the derivative of the length. */
static void contradictions_are_refused(void **state)
{
    (void)state;
    const problem *p = problem_find("pendulum_ind3");
    const double y[] = {0.6, -0.8, 1.0, 1.0, 0.0}, zero[5] = {0.0};
    const int32_t held[] = {DAEDAL_FIXED, DAEDAL_FIXED, DAEDAL_FIXED, DAEDAL_FIXED, DAEDAL_FREE};
    const int32_t slopes[] = {DAEDAL_FREE, DAEDAL_FREE, DAEDAL_FREE, DAEDAL_FREE, DAEDAL_FREE};
    daedal_solver *s = solver_for(p);
    expect_status(s,
                  daedal_solver_start_masked(s, 0.0, y, zero, (daedal_ints){held, 5},
                                             (daedal_ints){slopes, 5}),
                  DAEDAL_ERR_START);
    expect_text(daedal_solver_diagnosis(s)->message, "no consistent start");
    daedal_solver_free(s);
}

/* y0' = y1 and y0^2 = level: y1 is of index 2. */
static int squared_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    const double *level = user;
    (void)t;
    r[0] = yp[0] - y[1];
    r[1] = y[0] * y[0] - *level;
    return DAEDAL_CALL_OK;
}

/* A constraint without a solution is refused, also where least squares come to rest: a start that
 * is said to be consistent satisfies F.                                         */
static void unsolvable_constraints_are_refused(void **state)
{
    (void)state;
    static const struct {
        double level, guess;
        daedal_status status;
        int cause;
    } rows[] = {
        {1.0, 0.5, DAEDAL_OK, DAEDAL_CAUSE_NONE},
        {1.0, -3.0, DAEDAL_OK, DAEDAL_CAUSE_NONE},
        {-1.0, 1.0, DAEDAL_ERR_START, DAEDAL_CAUSE_NO_SOLUTION},
        {-1.0, 0.1, DAEDAL_ERR_START, DAEDAL_CAUSE_NO_SOLUTION},
        {-1e-3, 0.1, DAEDAL_ERR_START, DAEDAL_CAUSE_NO_SOLUTION},
        {1.0, 0.0, DAEDAL_ERR_START, DAEDAL_CAUSE_INCONSISTENT_START}, /* where the slope is zero */
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        double level = rows[k].level;
        const double y[] = {rows[k].guess, 0.0};
        daedal_system system = {.n = 2, .residual = squared_residual, .user = &level};
        daedal_solver *s = NULL;
        assert_int_equal(daedal_solver_create(&s, &system, NULL, NULL), DAEDAL_OK);
        expect_status(s, daedal_solver_start(s, 0.0, y, NULL), rows[k].status);
        if (rows[k].status == DAEDAL_OK)
            assert_true(fabs(fabs(daedal_solver_state(s)->y[0]) - sqrt(level)) < 1e-8);
        else
            assert_int_equal(daedal_solver_diagnosis(s)->cause, rows[k].cause);
        daedal_solver_free(s);
    }
}

/* That F is asked at a start changes nothing for the steps behind it: differences remember what
 * they have met, and this question leaves their memory alone.                         */
static void the_check_leaves_the_matrix(void **state)
{
    (void)state;
    const problem *p = problem_find("pendulum_ind3");
    daedal_solver *s = solver_for(p);
    assert_int_equal(daedal_solver_start(s, p->t0, p->y0, NULL), DAEDAL_OK);
    run *r = &s->run;
    size_t size = r->matrix.mem.size;
    void *before = malloc(size);
    assert_non_null(before);
    memcpy(before, r->matrix.mem.p, size);
    int64_t evaluations = r->stats.jacobians;
    double c = r->matrix.c;
    assert_int_equal(run_check_equations(r), DAEDAL_OK);
    assert_true(r->stats.jacobians > evaluations);
    assert_memory_equal(before, r->matrix.mem.p, size);
    assert_true(r->matrix.c == c || (isnan(c) && isnan(r->matrix.c)));
    free(before);
    daedal_solver_free(s);
}

/* Masses m on velocities v, bound by g v = 1: m v' = -g lambda. */
enum { MASSES = 5 };

typedef struct bound_masses {
    double m[MASSES], g[MASSES];
} bound_masses;

static int bound_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    const bound_masses *b = user;
    (void)t;
    r[MASSES] = -1.0;
    for (int j = 0; j < MASSES; j++) {
        r[j] = b->m[j] * yp[j] + b->g[j] * y[MASSES];
        r[MASSES] += b->g[j] * y[j];
    }
    return DAEDAL_CALL_OK;
}

/* Velocities that contradict the constraint jump as an impulse makes them, by g / m, in any units;
 * for a violation of the last digits this decides which of them stay right.       */
static void states_give_way_by_impulse(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < 100; k++) {
        seeded g = seeded_begin(k + 1);
        bound_masses b;
        double y[MASSES + 1] = {0.0}, violation = -1.0, softness = 0.0;
        for (int j = 0; j < MASSES; j++) {
            double unit = pow(10.0, seeded_uniform(&g, -2.0, 2.0)); /* of this velocity */
            b.m[j] = seeded_uniform(&g, 0.2, 3.0) / (unit * unit);
            b.g[j] = seeded_uniform(&g, 0.5, 2.0) / unit;
            y[j] = seeded_uniform(&g, 0.1, 1.0) * unit;
            violation += b.g[j] * y[j];
            softness += b.g[j] * b.g[j] / b.m[j];
        }
        daedal_system sys = {.n = MASSES + 1, .residual = bound_residual, .user = &b};
        daedal_options options = defaults_with(1e-6, 1e-9);
        daedal_solver *s = solver_of(&sys, &options);
        daedal_status status = daedal_solver_start(s, 0.0, y, NULL);
        seeded_require(&g, status == DAEDAL_OK, "%s", daedal_solver_diagnosis(s)->message);
        for (int j = 0; j < MASSES; j++) {
            double jump = -b.g[j] / b.m[j] * violation / softness;
            double off = fabs(daedal_solver_state(s)->y[j] - (y[j] + jump));
            seeded_require(&g, off < 1e-7 * (fabs(y[j]) + fabs(jump)), "v[%d] is off by %.2e", j,
                           off);
        }
        daedal_solver_free(s);
    }
}

/* x' = s' + A (x - s) + p z, p' x = p' s, with s = (sin t, cos t, sin 2t) and z = 0, or one
 * derivative further: index 2 or 3.  The variables are given in units of 1e-9 to 1e9, and the
 * equations are mixed by a dense matrix.                                          */
typedef struct in_units {
    int index, n;
    double unit[7], mix[7][7];
} in_units;

static const double of_constraint[3] = {1.0, -0.7, 1.6};

static double course(int j, double t, int derivative)
{
    double w = j == 2 ? 2.0 : 1.0,
           phase = w * t + (j == 1 ? 1.0 : 0.0) + 1.5707963267948966 * derivative;
    return pow(w, derivative) * sin(phase);
}

static int units_residual(double t, const double *y_seen, const double *yp_seen, double *r,
                          void *user)
{
    const in_units *d = user;
    int of_force = d->index - 1; /* which derivative of x the force z acts on */
    double y[7], yp[7], f[7] = {0.0};
    for (int j = 0; j < d->n; j++) {
        y[j] = y_seen[j] / d->unit[j];
        yp[j] = yp_seen[j] / d->unit[j];
    }
    const double *v = y + 3 * (of_force - 1), *vp = yp + 3 * (of_force - 1);
    for (int i = 0; i < 3; i++) {
        f[i] = yp[i] - y[3 + i];
        f[3 * (of_force - 1) + i] = vp[i] - course(i, t, of_force) +
                                    2.0 * (v[i] - course(i, t, of_force - 1)) -
                                    of_constraint[i] * y[d->n - 1];
        f[d->n - 1] += of_constraint[i] * (y[i] - course(i, t, 0));
    }
    for (int i = 0; i < d->n; i++) {
        r[i] = f[i];
        for (int j = 0; j < d->n; j++)
            r[i] += d->mix[i][j] * f[j];
    }
    return 0;
}

/* Units of 1, or of 1e-6 to 1e6. */
static in_units random_units(seeded *g, int index, bool scaled)
{
    in_units d = {.index = index, .n = index == 3 ? 7 : 4};
    for (int j = 0; j < d.n; j++) {
        d.unit[j] = scaled ? seeded_ratio(g, 1e-6, 1e6) : 1.0;
        for (int i = 0; i < d.n; i++)
            d.mix[i][j] = seeded_uniform(g, -0.6, 0.6) / d.n;
    }
    return d;
}

/* Started from the solution at t = 0, with absolute tolerances in the same units. */
static daedal_solver *start_in_units(seeded *g, in_units *d, double tol, double *y)
{
    double atol[7];
    for (int j = 0; j < d->n; j++) {
        atol[j] = tol * d->unit[j];
        y[j] = j < d->n - 1 ? course(j % 3, 0.0, j / 3) * d->unit[j] : 0.0;
    }
    daedal_system sys = {.n = d->n, .residual = units_residual, .user = d};
    daedal_options options = defaults_with(tol, tol);
    daedal_options_set(&options, "method", "radau");
    options.atol_each = (daedal_doubles){atol, d->n};
    daedal_solver *s = solver_of(&sys, &options);
    daedal_status status = daedal_solver_start(s, 0.0, y, NULL);
    seeded_require(g, status == DAEDAL_OK, "%s", daedal_solver_diagnosis(s)->message);
    return s;
}

static void units_do_not_matter(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < 40; k++) {
        seeded g = seeded_begin(k + 1);
        in_units d = random_units(&g, 2 + (int)(k % 2), true);
        double y[7];
        daedal_solver *s = start_in_units(&g, &d, 1e-6, y);
        for (int j = 0; j < d.n - 1; j++) {
            double off = fabs(daedal_solver_state(s)->y[j] - y[j]) / d.unit[j];
            seeded_require(&g, off < 1e-5, "y[%d] moved by %.2e units", j, off);
        }
        daedal_solver_free(s);
    }
}

/* The first steps are so short that differences inside them say nothing of multipliers. */
static void multipliers_in_first_steps(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < 30; k++) {
        seeded g = seeded_begin(k + 1);
        in_units d = random_units(&g, 3, false);
        double y[7], tol = k % 3 == 0 ? 1e-8 : 1e-6;
        daedal_solver *s = start_in_units(&g, &d, tol, y);
        for (double t = 1e-7; t < 1e-2; t *= 4.0) {
            daedal_status status = daedal_solver_advance(s, t);
            seeded_require(&g, status == DAEDAL_OK, "%s", daedal_solver_diagnosis(s)->message);
            double force = daedal_solver_state(s)->y[6] / (d.unit[6] * tol);
            seeded_require(&g, fabs(force) < 1e4, "force(%g) is off by %.2e tolerances", t, force);
        }
        daedal_solver_free(s);
    }
}

/* x + y = 1 + slope max(t, 0), kept by a multiplier; the equations are mixed. */
typedef struct ramp_data {
    double slope, mix[3][3];
} ramp_data;

static int ramp(double t, const double *y, const double *yp, double *r, void *user)
{
    const ramp_data *d = user;
    double f[3] = {yp[0] + y[0] - y[2], yp[1] - y[0] + 2.0 * y[2],
                   y[0] + y[1] - 1.0 - d->slope * fmax(t, 0.0)};
    for (int i = 0; i < 3; i++) {
        r[i] = f[i];
        for (int j = 0; j < 3; j++)
            r[i] += d->mix[i][j] * f[j];
    }
    return 0;
}

static void count_warnings(daedal_log_level level, const char *message, void *user)
{
    (void)message;
    *(int *)user += level == DAEDAL_LOG_WARNING;
}

/* F is another function before the start.  The multiplier is that of the slope behind it,
 * consistent states stay, and the user is told of states that do not. */
static void what_bends_at_the_start(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < 60; k++) {
        seeded g = seeded_begin(k + 1);
        double tol = k % 3 == 0 ? 1e-4 : k % 3 == 1 ? 1e-6 : 1e-8, x = seeded_uniform(&g, -1, 1);
        double off = k % 4 == 3 ? 0.5 : 0.0, y0[3] = {x, 1.0 - x + off, 0.0};
        ramp_data d = {.slope = seeded_uniform(&g, 1.0, 5.0)};
        for (int i = 0; i < 3; i++)
            seeded_fill(&g, d.mix[i], 3, 0.2);
        daedal_system sys = {.n = 3, .residual = ramp, .user = &d};
        daedal_options options = defaults_with(tol, tol);
        int warnings = 0;
        options.log = count_warnings;
        options.callback_user = &warnings;
        daedal_solver *s = started(&sys, &options, 0.0, y0, NULL);
        const double *y = daedal_solver_state(s)->y;
        seeded_require(&g, fabs(y[0] + y[1] - 1.0) < 1e-6, "x + y = %.9g", y[0] + y[1]);
        seeded_require(&g, fabs(y[2] + d.slope) < 1e-5, "%g instead of %g", y[2], -d.slope);
        seeded_require(&g, off > 0.0 || fabs(y[0] - x) < 1e-9, "x moved by %g", y[0] - x);
        seeded_require(&g, (warnings > 0) == (off > 0.0), "%d warnings", warnings);
        daedal_solver_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pendulum_from_anywhere),
        cmocka_unit_test(zeros_move_too),
        cmocka_unit_test(bead_to_the_nearest_point),
        cmocka_unit_test(consistent_values_stay),
        cmocka_unit_test(starts_are_repeatable),
        cmocka_unit_test(contradictions_are_refused),
        cmocka_unit_test(states_give_way_by_impulse),
        cmocka_unit_test(forces_move_no_positions),
        cmocka_unit_test(units_do_not_matter),
        cmocka_unit_test(multipliers_in_first_steps),
        cmocka_unit_test(what_bends_at_the_start),
        cmocka_unit_test(unsolvable_constraints_are_refused),
        cmocka_unit_test(the_check_leaves_the_matrix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
