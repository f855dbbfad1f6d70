/* optimal_control.c - a control problem as a boundary value problem.
 *
 * x' = x + u is to be kept near zero from x(0) = 1 on, so that the integral of (x^2 + u^2)/2 over
 * 0 < t < 30 is least.  With the costate p the conditions of optimality are the equations below, of
 * index one: x is known at the start, p at the end.  Their solutions contain exp(sqrt(2) t) and
 * exp(-sqrt(2) t), so that a run from the start multiplies errors by 1e18; collocation does not.
 *
 * expect: u(0) = -2.414214
 * expect: by collocation
 * expect: error below one tolerance: yes
 */
#include <daedal.h>
#include <stdio.h>

static int optimality(double t, const double *y, const double *yp, double *r, void *user)
{
    double x = y[0], p = y[1], u = y[2];
    (void)t, (void)user;
    r[0] = yp[0] - x - u;
    r[1] = yp[1] + x + p;
    r[2] = u + p;
    return DAEDAL_CALL_OK;
}

static int ends(const double *const *y, double *r, void *user)
{
    (void)user;
    r[0] = y[0][0] - 1.0; /* x at the start */
    r[1] = y[1][1];       /* p at the end   */
    return DAEDAL_CALL_OK;
}

int main(void)
{
    daedal_system system = {.n = 3, .residual = optimality};
    daedal_bvp bvp = {.t_start = 0.0, .t_end = 30.0, .n_conditions = 2, .conditions = ends};
    daedal_bvp_solution *s;
    daedal_diagnosis why;
    if (daedal_bvp_solve(&system, NULL, &bvp, &s, &why) < 0) {
        printf("%s\n", why.message);
        return 1;
    }
    for (int i = 0; i <= 6; i++) {
        double y[3];
        daedal_bvp_solution_at(s, 0.5 * i, y, NULL);
        printf("t = %3.1f  x = %8.6f  u = %9.6f\n", 0.5 * i, y[0], y[2]);
    }
    printf("u(0) = %.6f\n", s->y[2]);
    printf("condition %.2f, %d intervals, by %s\n", s->condition, (int)s->intervals, s->method);
    printf("error below one tolerance: %s\n", s->error <= 1.0 ? "yes" : "no");
    daedal_bvp_solution_free(s);
    return 0;
}
