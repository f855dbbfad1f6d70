/* pendulum_index3.c - analysis and integration of a system of index 3 without reduction.
 *
 * The pendulum of pendulum_index1.c with its constraint x^2 + y^2 = 1 as written, not
 * differentiated.  The index of the system and of each variable is found by calling the
 * function; the start is made consistent on all levels (length, velocity, force); the
 * method radau integrates it directly.
 *
 * expect: index 3, grade A: rod -> x -> u -> force
 * expect: velocity along the rod 0.4, then zero: yes
 * expect: length kept to 1e-6: yes
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
    r[4] = y[X] * y[X] + y[Y] * y[Y] - 1.0;
    return DAEDAL_CALL_OK;
}

static const char *const names[] = {"x", "y", "u", "v", "force"};
static const char *const equations[] = {"dx", "dy", "du", "dv", "rod"};

/* x and y are on the circle; the velocity must become tangential. */
static const double first[N] = {[X] = 0.6, [Y] = -0.8, [U] = 2.0, [V] = 1.0};

static daedal_status print_index(daedal_solver *solver)
{
    daedal_analysis found;
    daedal_status status = daedal_solver_analyze(solver, 0.0, first, NULL, &found);
    if (status < 0)
        return status;
    printf("index %d, grade %c: %s\n", (int)found.index, found.grade, found.chain);
    for (int i = 0; i < N; i++)
        printf("  %-5s has index %d\n", names[i], (int)found.variable_index[i]);
    return status;
}

static daedal_status run(daedal_solver *solver)
{
    daedal_status status = daedal_solver_start(solver, 0.0, first, NULL);
    const double *begun = daedal_solver_state(solver)->y;
    double given = first[X] * first[U] + first[Y] * first[V];
    double along = begun[X] * begun[U] + begun[Y] * begun[V];
    if (status >= 0)
        printf("velocity along the rod %.1f, then zero: %s\n", given,
               fabs(along) < 1e-10 ? "yes" : "no");
    double worst = 0.0;
    for (int k = 1; k <= 10 && status >= 0; k++) {
        status = daedal_solver_advance(solver, 0.5 * k);
        const double *y = daedal_solver_state(solver)->y;
        printf("  t = %3.1f  x = %8.5f  y = %8.5f  force = %7.3f\n", 0.5 * k, y[X], y[Y], y[FORCE]);
        worst = fmax(worst, fabs(hypot(y[X], y[Y]) - 1.0));
    }
    printf("length kept to 1e-6: %s\n", worst < 1e-6 ? "yes" : "no");
    return status;
}

int main(void)
{
    daedal_system system = {
        .n = N, .residual = pendulum, .variable_names = names, .equation_names = equations};
    daedal_options options;
    daedal_options_defaults(&options);
    daedal_options_set(&options, "method", "radau");
    daedal_solver *solver;
    daedal_diagnosis why;
    if (daedal_solver_create(&solver, &system, &options, &why) < 0) {
        fprintf(stderr, "%s\n", why.message);
        return 1;
    }
    daedal_status status = print_index(solver);
    if (status >= 0)
        status = run(solver);
    if (status < 0)
        fprintf(stderr, "%s\n", daedal_solver_diagnosis(solver)->message);
    daedal_solver_free(solver);
    return status < 0;
}
