/* hybrid/implicit_step.c - see discrete.h: an implicit Euler step of almost no length
 * (docs/theory/hybrid.md).
 *
 * In a mode whose equations do not determine x' and z from the states, the states may have to jump.
 *
 *     F(t, y, (y - y_held) / h) = 0,    y' = (y - y_held) / h for the states
 *
 * has a solution there, too: what the mode makes jump has a derivative of the order 1/h, and so has
 * everything that causes the jump.  The signs of these values tell whether the relations allow the
 * mode.  The memory is taken when the first such mode is met.                       */
#include <float.h>
#include <math.h>
#include <string.h>

#include "hybrid/discrete.h"
#include "linalg/linsolver.h"
#include "linalg/vector.h"

enum { ITERATIONS_MAX = 25 };
/* Of the span: short against the time constants of a model, and long enough that the rounding
 * errors of y, divided by it, stay below ordinary values of y'. */
static const double LENGTH = 1e-8;
static const double CONVERGED = 1e-7; /* relative to y, and to a thousandth of the largest y */

typedef struct implicit_step {
    const daedal_linsolver *solver;
    void *factors;
    double *matrix, *r, *y, *yp;
    const discrete_part *m;
    block mem;
} implicit_step;

static void lay_out(void *object, layout *l)
{
    implicit_step *s = object;
    size_t n = (size_t)s->m->reduced->n_system;
    size_t nnz = (size_t)pattern_nnz(&s->m->compiled->jacobian->pattern.view);
    s->matrix = layout_take(l, nnz + 1, sizeof(double));
    s->r = layout_take(l, n, sizeof(double));
    s->y = layout_take(l, n, sizeof(double));
    s->yp = layout_take(l, n, sizeof(double));
}

void implicit_step_free(discrete_part *m)
{
    implicit_step *s = m->step;
    if (!s)
        return;
    if (s->factors)
        s->solver->destroy(s->factors);
    block_free(&s->mem);
    memory_give(m->allocator, s, sizeof *s);
    m->step = NULL;
}

static bool create(discrete_part *m)
{
    if (m->step)
        return true;
    implicit_step *s = m->step = memory_take(m->allocator, sizeof *s);
    if (!s)
        return false;
    const daedal_pattern *at = &m->compiled->jacobian->pattern.view;
    *s = (implicit_step){.m = m};
    if (block_create(&s->mem, m->allocator, lay_out, s) &&
        linsolver_open(at, m->allocator, &s->solver, &s->factors) == DAEDAL_OK)
        return true;
    implicit_step_free(m);
    return false;
}

/* The correction of y into r; false: none. */
static bool correct(discrete_part *m, implicit_step *s, double c)
{
    const compiled_model *model = m->compiled;
    double t = m->values->x[0];
    int32_t nnz = pattern_nnz(&model->jacobian->pattern.view), n = m->reduced->n;
    if (program_run(model, model->residuals, t, s->y, s->yp) != 0 ||
        compiled_evaluate_jacobian(model, t, s->y, s->yp) != DAEDAL_CALL_OK)
        return false;
    for (int32_t q = 0; q < nnz; q++)
        s->matrix[q] = model->jacobian->dy[q] + c * model->jacobian->dyp[q];
    if (s->solver->factor(s->factors, s->matrix) != DAEDAL_OK)
        return false;
    memcpy(s->r, model->residuals->out, (size_t)n * sizeof(double));
    s->solver->solve(s->factors, s->r);
    return vector_all_finite(s->r, n);
}

static bool is_converged(const implicit_step *s, int32_t n)
{
    double floor = 1e-3 * vector_max_abs(s->y, n);
    for (int32_t j = 0; j < n; j++)
        if (fabs(s->r[j]) > CONVERGED * fmax(fabs(s->y[j]), floor))
            return false;
    return true;
}

static void set_slopes(const discrete_part *m, implicit_step *s, const double *held, double c)
{
    for (int32_t j = 0; j < m->reduced->n; j++)
        s->yp[j] = m->reduced->differential[j] ? c * (s->y[j] - held[j]) : 0.0;
}

bool implicit_step_take(discrete_part *m, const double *held)
{
    double c = 1.0 / (LENGTH * (m->t_stop - m->t_start));
    int32_t n = m->reduced->n;
    if (n == 0 || !m->compiled->jacobian->exists || !isfinite(c) || !create(m))
        return false;
    implicit_step *s = m->step;
    memcpy(s->y, held, (size_t)n * sizeof(double));
    for (int k = 0; k < ITERATIONS_MAX; k++) {
        set_slopes(m, s, held, c);
        if (!correct(m, s, c))
            return false;
        for (int32_t j = 0; j < n; j++)
            s->y[j] -= s->r[j];
        if (!is_converged(s, n))
            continue;
        set_slopes(m, s, held, c);
        memcpy(m->values->x + m->values->place.y, s->y, (size_t)n * sizeof(double));
        memcpy(m->values->x + m->values->place.yp, s->yp, (size_t)n * sizeof(double));
        return true;
    }
    return false;
}
