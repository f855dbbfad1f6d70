/* tests/property/test_velocities.c - velocities of mechanisms of index 3 between steps and at
 * steps: in the directions that constraints leave free they are as accurate as positions.
 * Corrections along forces of constraints do not reach these directions, in which all errors of the
 * iteration, of interpolation and of corrections that were given up are seen. */
#include <math.h>

#include "harness.h"
#include "seeded.h"

enum { N_MAX = 9 };

/* A pendulum on a cone: x, y, z, their velocities and the force. The vertical velocity is zero. */
static int conical(double t, const double *y, const double *yp, double *r, void *user)
{
    const double *turn = user; /* -1: backward in time */
    const double gravity[3] = {0.0, 0.0, 9.81};
    (void)t;
    for (int i = 0; i < 3; i++) {
        r[i] = *turn * yp[i] - y[3 + i];
        r[3 + i] = *turn * yp[3 + i] + y[6] * y[i] + gravity[i];
    }
    r[6] = y[0] * y[0] + y[1] * y[1] + y[2] * y[2] - 1.0;
    return DAEDAL_CALL_OK;
}

static void conical_truth(double t, double *y)
{
    const double height = 0.8, radius = 0.6, w = sqrt(9.81 / height);
    y[0] = radius * cos(w * t);
    y[1] = radius * sin(w * t);
    y[2] = -height;
    y[3] = -w * y[1];
    y[4] = w * y[0];
    y[5] = 0.0;
    y[6] = w * w;
}

/* Two masses, 1 and 3, at the ends of a rod that was thrown: two positions, two velocities and the
 * force in the rod. */
static int dumbbell(double t, const double *y, const double *yp, double *r, void *user)
{
    const double *turn = user, along[2] = {y[2] - y[0], y[3] - y[1]};
    (void)t;
    for (int i = 0; i < 4; i++)
        r[i] = *turn * yp[i] - y[4 + i];
    for (int i = 0; i < 2; i++) {
        double gravity = i * 9.81;
        r[4 + i] = *turn * yp[4 + i] + gravity - y[8] * along[i];
        r[6 + i] = 3.0 * (*turn * yp[6 + i] + gravity) + y[8] * along[i];
    }
    r[8] = along[0] * along[0] + along[1] * along[1] - 1.0;
    return DAEDAL_CALL_OK;
}

static void dumbbell_truth(double t, double *y)
{
    const double w = 4.0, of_first = -0.75, of_second = 0.25;
    double arm[2] = {cos(w * t), sin(w * t)}, turn[2] = {-w * arm[1], w * arm[0]};
    double centre[2] = {1.5 * t, 6.0 * t - 0.5 * 9.81 * t * t}, speed[2] = {1.5, 6.0 - 9.81 * t};
    for (int i = 0; i < 2; i++) {
        y[i] = centre[i] + of_first * arm[i];
        y[2 + i] = centre[i] + of_second * arm[i];
        y[4 + i] = speed[i] + of_first * turn[i];
        y[6 + i] = speed[i] + of_second * turn[i];
    }
    y[8] = 0.75 * w * w;
}

typedef struct mechanism {
    const char *name;
    int32_t n;
    daedal_residual_fn *residual;
    void (*truth)(double t, double *y);
    double end, size; /* of the largest variable */
} mechanism;

static const mechanism MECHANISMS[] = {{"conical", 7, conical, conical_truth, 5.0, 1.0},
                                       {"dumbbell", 9, dumbbell, dumbbell_truth, 2.0, 10.0}};

/* points = 0: at steps; below zero: at random. */
static double next_time(const mechanism *m, int points, int k, double t, seeded *random)
{
    return points > 0 ? m->end * k / points
                      : fmin(t + seeded_uniform(random, 0.0, 2.0 * m->end / -points), m->end);
}

/* The largest error of positions and velocities, in tolerances. */
static double largest_error(const mechanism *m, double tol, int points, double turn)
{
    double y[N_MAX], t = 0.0, worst = 0.0;
    daedal_options options = defaults_with(tol, tol);
    daedal_system sys = {.n = m->n, .residual = m->residual, .user = &turn};
    seeded random = seeded_begin(3);
    daedal_solver *s = solver_of(&sys, &options);
    m->truth(turn > 0.0 ? 0.0 : m->end, y);
    expect_status(s, daedal_solver_start(s, 0.0, y, NULL), DAEDAL_OK);
    const daedal_state *now = daedal_solver_state(s);
    for (int k = 1; now->t < m->end; k++) {
        t = points == 0 ? m->end : next_time(m, points, k, t, &random);
        expect_status(s, points == 0 ? daedal_solver_step(s, t) : daedal_solver_advance(s, t),
                      DAEDAL_OK);
        m->truth(turn > 0.0 ? now->t : m->end - now->t, y);
        for (int32_t j = 0; j < m->n - 1; j++)
            worst = fmax(worst, fabs(now->y[j] - y[j]) / (tol * (1.0 + m->size)));
    }
    daedal_solver_free(s);
    return worst;
}

static void free_velocities_are_accurate(void **state)
{
    static const double tolerances[] = {1e-4, 1e-6, 1e-8};
    static const int points[] = {0, 7, 200, -40};
    (void)state;
    for (size_t m = 0; m < sizeof MECHANISMS / sizeof *MECHANISMS; m++)
        for (int k = 0; k < 3; k++)
            for (int p = 0; p < 4; p++)
                for (double turn = 1.0; turn > -2.0; turn -= 2.0) {
                    double error = largest_error(&MECHANISMS[m], tolerances[k], points[p], turn);
                    if (error > 100.0)
                        fail_msg("%s, rtol %g, %d points, direction %g: off by %.0f tolerances",
                                 MECHANISMS[m].name, tolerances[k], points[p], turn, error);
                }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(free_velocities_are_accurate)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
