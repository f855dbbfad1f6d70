/* pendulum_constraints.c - an index reduced by hand, with the constraints kept by projection.
 *
 * The pendulum of pendulum_index1.c: its constraint was differentiated twice, so that the
 * length drifts.  Here length and velocity are given as constraints on two levels, and y is
 * projected on them after every step: first x and y, then u and v.
 *
 * expect: length and velocity kept to 1e-10: yes
 */
#include <daedal.h>
#include <math.h>
#include <stdio.h>

enum { X, Y, U, V, FORCE, N };

static const double gravity = 9.81;

static int pendulum(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[X] - y[U];
    r[1] = yp[Y] - y[V];
    r[2] = yp[U] + y[FORCE] * y[X];
    r[3] = yp[V] + y[FORCE] * y[Y] + gravity;
    r[4] = y[U] * y[U] + y[V] * y[V] - y[FORCE] * (y[X] * y[X] + y[Y] * y[Y]) - gravity * y[Y];
    return DAEDAL_CALL_OK;
}

/* What differentiation has lost: the constraint, and its first derivative. */
static int constraints(double t, const double *y, double *g, void *user)
{
    (void)t, (void)user;
    g[0] = y[X] * y[X] + y[Y] * y[Y] - 1.0;
    g[1] = y[X] * y[U] + y[Y] * y[V];
    return DAEDAL_CALL_OK;
}

/* By columns, in the order of the pattern: the length moves x and y, the velocity u and v. */
static int constraint_slopes(double t, const double *y, double *values, void *user)
{
    (void)t, (void)user;
    values[0] = 2.0 * y[X];
    values[1] = 2.0 * y[Y];
    values[2] = y[X];
    values[3] = y[Y];
    return DAEDAL_CALL_OK;
}

static const int32_t column_start[N + 1] = {0, 1, 2, 3, 4, 4}, row[] = {0, 0, 1, 1};
static const daedal_pattern pattern = {.n_rows = 2, .n_cols = N, .start = column_start, .row = row};
static const int32_t levels[] = {0, 1};

static daedal_status run(daedal_solver *solver)
{
    const double y0[N] = {[X] = 0.6, [Y] = -0.8};
    daedal_status status = daedal_solver_start(solver, 0.0, y0, NULL);
    double worst = 0.0;
    for (int k = 1; k <= 10 && status >= 0; k++) {
        double g[2];
        status = daedal_solver_advance(solver, 0.5 * k);
        const daedal_state *at = daedal_solver_state(solver);
        constraints(at->t, at->y, g, NULL);
        printf("  %4.1f  %8.5f  %8.5f  length %8.1e  velocity %8.1e\n", at->t, at->y[X], at->y[Y],
               g[0], g[1]);
        worst = fmax(worst, fmax(fabs(g[0]), fabs(g[1])));
    }
    printf("length and velocity kept to 1e-10: %s\n", worst < 1e-10 ? "yes" : "no");
    return status;
}

int main(void)
{
    daedal_system system = {.n = N,
                            .residual = pendulum,
                            .n_constraints = 2,
                            .constraints = constraints,
                            .constraint_jacobian = constraint_slopes,
                            .constraint_pattern = &pattern,
                            .constraint_level = {levels, 2}};
    daedal_solver *solver;
    daedal_diagnosis why;
    if (daedal_solver_create(&solver, &system, NULL, &why) < 0) {
        fprintf(stderr, "%s\n", why.message);
        return 1;
    }
    daedal_status status = run(solver);
    if (status < 0)
        fprintf(stderr, "%s\n", daedal_solver_diagnosis(solver)->message);
    daedal_solver_free(solver);
    return status < 0;
}
