/* solver/perturbed_system.c - see perturbed_system.h. */
#include "solver/perturbed_system.h"

#include <math.h>
#include <string.h>

#include "base/random.h"

/* Three to seven oscillations in the run, different for every variable.  A constant w would be a
 * change of the start alone.                                                     */
void perturbation_add(const perturbation *p, double t, double *y, int32_t n)
{
    const double turn = 6.283185307179586;
    uint64_t state = RANDOM_SEED + (uint64_t)p->number;
    double x = p->span > 0.0 ? (t - p->t_start) / p->span : 0.0;
    for (int32_t i = 0; i < n; i++) {
        double rate = random_uniform(&state, 3.0, 7.0), phase = random_uniform(&state, 0.0, 1.0);
        y[i] += p->size[i] * sin(turn * (rate * x + phase));
    }
}

static const double *moved(perturbed_system *p, double t, const double *y)
{
    memcpy(p->y, y, (size_t)p->given.n * sizeof *y);
    perturbation_add(&p->by, t, p->y, p->given.n);
    return p->y;
}

static int residual(double t, const double *y, const double *yp, double *r, void *user)
{
    perturbed_system *p = user;
    return p->given.residual(t, moved(p, t, y), yp, r, p->given.user);
}

static int jacobian(double t, const double *y, const double *yp, double c, double *values,
                    void *user)
{
    perturbed_system *p = user;
    return p->given.jacobian(t, moved(p, t, y), yp, c, values, p->given.user);
}

static int jacobian_product(double t, const double *y, const double *yp, double c, const double *v,
                            double *out, void *user)
{
    perturbed_system *p = user;
    return p->given.jacobian_product(t, moved(p, t, y), yp, c, v, out, p->given.user);
}

static int parameter_derivative(double t, const double *y, const double *yp, double *values,
                                void *user)
{
    perturbed_system *p = user;
    return p->given.parameter_derivative(t, moved(p, t, y), yp, values, p->given.user);
}

static int rhs(double t, const double *y, double *f, void *user)
{
    perturbed_system *p = user;
    return p->given.rhs(t, moved(p, t, y), f, p->given.user);
}

static int rhs_jacobian(double t, const double *y, double *values, void *user)
{
    perturbed_system *p = user;
    return p->given.rhs_jacobian(t, moved(p, t, y), values, p->given.user);
}

static int mass(double t, const double *y, double *values, void *user)
{
    perturbed_system *p = user;
    return p->given.mass(t, moved(p, t, y), values, p->given.user);
}

static int events(double t, const double *y, const double *yp, double *g, void *user)
{
    const perturbed_system *p = user;
    return p->given.events(t, y, yp, g, p->given.user);
}

static int constraints(double t, const double *y, double *g, void *user)
{
    const perturbed_system *p = user;
    return p->given.constraints(t, y, g, p->given.user);
}

static int constraint_jacobian(double t, const double *y, double *values, void *user)
{
    const perturbed_system *p = user;
    return p->given.constraint_jacobian(t, y, values, p->given.user);
}

static int constraint_parameter_derivative(double t, const double *y, double *values, void *user)
{
    const perturbed_system *p = user;
    return p->given.constraint_parameter_derivative(t, y, values, p->given.user);
}

static void lay_out(void *object, layout *l)
{
    perturbed_system *p = object;
    p->y = layout_take(l, (size_t)p->given.n, sizeof(double));
}

bool perturbed_create(perturbed_system *p, daedal_system *sys, const perturbation *by,
                      const daedal_allocator *a)
{
    *p = (perturbed_system){.given = *sys, .by = *by};
    if (!block_create(&p->mem, a, lay_out, p))
        return false;
    sys->residual = sys->residual ? residual : NULL;
    sys->jacobian = sys->jacobian ? jacobian : NULL;
    sys->rhs = sys->rhs ? rhs : NULL;
    sys->rhs_jacobian = sys->rhs_jacobian ? rhs_jacobian : NULL;
    sys->mass = sys->mass ? mass : NULL;
    sys->events = sys->events ? events : NULL;
    sys->constraints = sys->constraints ? constraints : NULL;
    sys->constraint_jacobian = sys->constraint_jacobian ? constraint_jacobian : NULL;
    sys->jacobian_product = sys->jacobian_product ? jacobian_product : NULL;
    sys->parameter_derivative = sys->parameter_derivative ? parameter_derivative : NULL;
    sys->constraint_parameter_derivative =
        sys->constraint_parameter_derivative ? constraint_parameter_derivative : NULL;
    sys->taylor = NULL;
    sys->user = p;
    return true;
}

void perturbed_free(perturbed_system *p)
{
    block_free(&p->mem);
}
