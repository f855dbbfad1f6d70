/* heat.c - a partial differential equation by the method of lines, with detected sparsity.
 *
 * u_t = u_xx on 0 < x < 1 with u = 0 at both ends and u(x, 0) = sin(pi x), on
 * N points.  The inner points are differential equations, the two ends algebraic
 * ones.  No Jacobian is given: the solver probes F, finds three
 * diagonals of dF/dy and one of dF/dy', and needs four calls of F for a Jacobian,
 * whatever N is.
 * The exact solution is exp(-pi^2 t) sin(pi x).
 *
 * expect: 4 calls of F for a Jacobian
 * expect: 2 algebraic
 * expect: largest error below 1e-4: yes
 */
#include <daedal.h>
#include <math.h>
#include <stdio.h>

enum { N = 201 };
static const double pi = 3.14159265358979323846;

static int heat(double t, const double *u, const double *up, double *r, void *user)
{
    (void)t, (void)user;
    const double per_dx2 = (N - 1.0) * (N - 1.0);
    r[0] = u[0];
    r[N - 1] = u[N - 1];
    for (int i = 1; i < N - 1; i++)
        r[i] = up[i] - (u[i - 1] - 2.0 * u[i] + u[i + 1]) * per_dx2;
    return DAEDAL_CALL_OK;
}

static double largest_error(const daedal_state *at)
{
    double worst = 0.0;
    for (int i = 0; i < N; i++) {
        double exact = exp(-pi * pi * at->t) * sin(pi * i / (N - 1.0));
        worst = fmax(worst, fabs(at->y[i] - exact));
    }
    return worst;
}

static daedal_status run(daedal_solver *solver)
{
    double u0[N], worst = 0.0;
    for (int i = 0; i < N; i++)
        u0[i] = sin(pi * i / (N - 1.0));
    daedal_status status = daedal_solver_start(solver, 0.0, u0, NULL);
    printf("   t    u(1/2)     error\n");
    for (int k = 1; k <= 10 && status >= 0; k++) {
        status = daedal_solver_advance(solver, 0.05 * k);
        const daedal_state *at = daedal_solver_state(solver);
        double error = largest_error(at);
        printf("  %4.2f  %.6f  %8.1e\n", at->t, at->y[N / 2], error);
        worst = fmax(worst, error);
    }
    printf("largest error below 1e-4: %s\n", worst < 1e-4 ? "yes" : "no");
    return status;
}

int main(void)
{
    daedal_system system = {.n = N, .residual = heat};
    daedal_solver *solver;
    daedal_diagnosis why;
    if (daedal_solver_create(&solver, &system, NULL, &why) < 0) {
        fprintf(stderr, "%s\n", why.message);
        return 1;
    }
    daedal_status status = run(solver);
    const daedal_structure *found = daedal_solver_structure(solver);
    printf("%d unknowns, %d algebraic, %d entries, %d calls of F for a Jacobian, solver %s\n",
           (int)found->n, (int)(found->n - found->n_differential), (int)found->nnz,
           (int)found->n_colours, found->linear_solver);
    if (status < 0)
        fprintf(stderr, "%s\n", daedal_solver_diagnosis(solver)->message);
    daedal_solver_free(solver);
    return status < 0;
}
