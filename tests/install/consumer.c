/* A program that uses the installed library: y' = -y, y(0) = 1. */
#include <daedal.h>
#include <stdio.h>

static int decay(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] + y[0];
    return DAEDAL_CALL_OK;
}

int main(void)
{
    daedal_system system = {.n = 1, .residual = decay};
    daedal_solver *solver = NULL;
    const double y0 = 1.0;
    daedal_status status = daedal_solver_create(&solver, &system, NULL, NULL);
    if (status >= 0)
        status = daedal_solver_start(solver, 0.0, &y0, NULL);
    if (status >= 0)
        status = daedal_solver_advance(solver, 1.0);
    if (status >= 0)
        printf("daedal %s: y(1) = %.4f\n", daedal_version(), daedal_solver_state(solver)->y[0]);
    daedal_solver_free(solver);
    return status < 0;
}
