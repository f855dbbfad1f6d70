/* pendulum_index1.c - a start that is made consistent, and the values that change.
 *
 * A pendulum of length 1 in Cartesian coordinates.  Its constraint x^2 + y^2 = 1 has
 * been differentiated twice by hand, which leaves an equation for the rod's force per
 * length, and a system of index 1.  Only x, y and the velocities are known at the
 * start; the force is found, and reported as what moved.
 *
 * After differentiating by hand the length is no longer a constraint, and it drifts by
 * the size of the error; the last column shows it.
 *
 * expect: force moved from 0 to 7.848
 * expect: length kept to 1e-4: yes
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

static const char *const names[] = {"x", "y", "u", "v", "force"};

static void print_moved(const daedal_solver *solver)
{
    int32_t count;
    const daedal_moved *moved = daedal_solver_moved(solver, &count);
    for (int32_t i = 0; i < count; i++)
        if (!moved[i].is_derivative)
            printf("%s moved from %g to %.4g\n", names[moved[i].variable], moved[i].from,
                   moved[i].to);
}

static daedal_status run(daedal_solver *solver)
{
    const double y0[N] = {[X] = 0.6, [Y] = -0.8};
    daedal_status status = daedal_solver_start(solver, 0.0, y0, NULL);
    double worst = 0.0;
    if (status >= 0)
        print_moved(solver);
    printf("   t       x         y       force    length - 1\n");
    for (int k = 1; k <= 10 && status >= 0; k++) {
        status = daedal_solver_advance(solver, 0.5 * k);
        const daedal_state *at = daedal_solver_state(solver);
        double drift = hypot(at->y[X], at->y[Y]) - 1.0;
        printf("  %4.1f  %8.5f  %8.5f  %8.4f  %9.1e\n", at->t, at->y[X], at->y[Y], at->y[FORCE],
               drift);
        worst = fmax(worst, fabs(drift));
    }
    printf("length kept to 1e-4: %s\n", worst < 1e-4 ? "yes" : "no");
    return status;
}

int main(void)
{
    daedal_system system = {.n = N, .residual = pendulum, .variable_names = names};
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
