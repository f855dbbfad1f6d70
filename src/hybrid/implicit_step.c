/* hybrid/implicit_step.c - see discrete.h: an implicit Euler step of almost no length
 * (docs/theory/hybrid.md).
 *
 * In a mode whose equations do not determine x' and z from the states, the states may have to jump.
 *
 *     F(t, y, (y - y_held) / h) = 0,    y' = (y - y_held) / h for the states
 *
 * has a solution there, too: what the mode makes jump has a derivative of the order 1/h, and so has
 * everything that causes the jump.  The signs of these values tell whether the relations allow the
 * mode.
 *
 * The jump itself is that of a violated constraint which is met little by little.  One step meets
 * it at once: where the factors of y' change on the way, as those of a capacitor that is not
 * linear, the result depends on the number of steps, and is extrapolated to infinitely many.  In
 * step k of n
 *
 *     F(t, y, (y - y_before) n / h) = (1 - k/n) F(t, y_held, 0).
 *
 * In the time of the step states also move by their ordinary derivatives.  That is in proportion to
 * its length, a jump is not: steps of two lengths tell them apart.
 *
 * The memory is taken when the first such mode is met.                               */
#include <float.h>
#include <math.h>
#include <string.h>

#include "hybrid/discrete.h"
#include "linalg/linsolver.h"
#include "linalg/vector.h"

enum { ITERATIONS_MAX = 25, PARTS = 11 };
/* Of the span: short against the time constants of a model, and long enough that the rounding
 * errors of y, divided by it, stay below ordinary values of y'. */
static const double LENGTH = 1e-8;
static const double CONVERGED = 1e-7; /* relative to y, and to a thousandth of the largest y */
static const double SETTLED = 0.1; /* of the tolerance: the change of an extrapolated jump        */

typedef struct implicit_step {
    const daedal_linsolver *solver;
    void *factors;
    double *matrix, *r, *y, *yp;
    double *from;         /* y where the step begins                    */
    double *r_held;       /* F(t, y_held, 0)                            */
    double *table[PARTS]; /* y after steps of several numbers           */
    double *whole;        /* y after a step of the whole length         */
    double share;         /* of the length, of the step being taken     */
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
    s->from = layout_take(l, n, sizeof(double));
    s->r_held = layout_take(l, n, sizeof(double));
    s->whole = layout_take(l, n, sizeof(double));
    for (int k = 0; k < PARTS; k++)
        s->table[k] = layout_take(l, n, sizeof(double));
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

/* The correction of y into r, for the residual share * r_held; false: none. */
static bool correct(discrete_part *m, implicit_step *s, double c, double share)
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
    for (int32_t i = 0; i < n; i++)
        s->r[i] = model->residuals->out[i] - share * s->r_held[i];
    s->solver->solve(s->factors, s->r);
    return vector_all_finite(s->r, n);
}

/* Whether y changes by little: each relative to itself and to a thousandth of the largest.  Values
 * that cause a jump are of the order 1/h, and no measure for states.                 */
static bool is_small(const discrete_part *m, const double *by, const double *y, double limit)
{
    const double share = 1e-3;
    const bool *is_state = m->reduced->differential;
    double largest[2] = {0.0, 0.0};
    for (int32_t j = 0; j < m->reduced->n; j++)
        largest[is_state[j]] = fmax(largest[is_state[j]], fabs(y[j]));
    for (int32_t j = 0; j < m->reduced->n; j++) {
        double floor = share * (is_state[j] ? largest[1] : fmax(largest[0], largest[1]));
        if (fabs(by[j]) > limit * fmax(fabs(y[j]), floor))
            return false;
    }
    return true;
}

static void set_slopes(const discrete_part *m, implicit_step *s, double c)
{
    for (int32_t j = 0; j < m->reduced->n; j++)
        s->yp[j] = m->reduced->differential[j] ? c * (s->y[j] - s->from[j]) : 0.0;
}

/* Solve the equations of a step from s->from, with s->y as the guess. */
static bool solve(discrete_part *m, implicit_step *s, double c, double share)
{
    bool converged = false;
    for (int k = 0; k < ITERATIONS_MAX && !converged; k++) {
        set_slopes(m, s, c);
        if (!correct(m, s, c, share))
            return false;
        for (int32_t j = 0; j < m->reduced->n; j++)
            s->y[j] -= s->r[j];
        converged = is_small(m, s->r, s->y, CONVERGED);
    }
    set_slopes(m, s, c);
    return converged;
}

/* The whole way in a number of steps. */
static bool go(discrete_part *m, implicit_step *s, const double *held, int parts)
{
    double c = parts / (s->share * LENGTH * (m->t_stop - m->t_start));
    size_t bytes = (size_t)m->reduced->n * sizeof(double);
    bool fine = true;
    memcpy(s->y, held, bytes);
    for (int k = 1; k <= parts && fine; k++) {
        memcpy(s->from, k == 1 ? held : s->y, bytes);
        fine = solve(m, s, c, 1.0 - (double)k / parts);
    }
    return fine;
}

bool implicit_step_take(discrete_part *m, const double *held)
{
    size_t bytes = (size_t)m->reduced->n * sizeof(double);
    if (bytes == 0 || !m->compiled->jacobian->exists || !(m->t_stop != m->t_start) || !create(m))
        return false;
    implicit_step *s = m->step;
    s->share = 1.0;
    memset(s->r_held, 0, bytes);
    if (!go(m, s, held, 1))
        return false;
    memcpy(m->values->x + m->values->place.y, s->y, bytes);
    memcpy(m->values->x + m->values->place.yp, s->yp, bytes);
    return true;
}

/* ---- the jump ---- */

/* The next line of the table by Aitken and Neville; r: by how much the result in table[0] changes.
 */
static void extrapolate(const discrete_part *m, implicit_step *s, const int *parts, int line)
{
    for (int32_t j = 0; j < m->reduced->n; j++) {
        double before = s->table[0][j];
        s->table[line][j] = s->y[j];
        for (int k = line; k > 0; k--)
            s->table[k - 1][j] = s->table[k][j] + (s->table[k][j] - s->table[k - 1][j]) /
                                                      ((double)parts[line] / parts[k - 1] - 1.0);
        s->r[j] = m->reduced->differential[j] ? s->table[0][j] - before : 0.0;
    }
}

/* In a share of the length; y in table[0]. */
static bool jump_in(discrete_part *m, implicit_step *s, const double *held, double share,
                    bool *settled)
{
    static const int parts[PARTS] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48};
    double limit = fmax(CONVERGED, SETTLED * m->rtol);
    *settled = false;
    s->share = share;
    for (int line = 0; line < PARTS && !*settled; line++) {
        if (!go(m, s, held, parts[line]))
            return false;
        extrapolate(m, s, parts, line);
        *settled = line > 0 && is_small(m, s->r, s->table[0], limit);
    }
    return true;
}

/* out: y of a step of no length, from those of the whole and of half the length. */
static void shrink(const discrete_part *m, const double *whole, const double *half, double *out)
{
    for (int32_t j = 0; j < m->reduced->n; j++)
        out[j] = 2.0 * half[j] - whole[j];
}

bool implicit_step_jump(discrete_part *m, const double *held, double *y, bool *settled)
{
    implicit_step *s = m->step; /* of implicit_step_take */
    size_t bytes = (size_t)m->reduced->n * sizeof(double);
    bool whole_settled = false;
    memset(s->yp, 0, bytes);
    if (program_run(m->compiled, m->compiled->residuals, m->values->x[0], held, s->yp) != 0)
        return false;
    memcpy(s->r_held, m->compiled->residuals->out, bytes);
    if (!jump_in(m, s, held, 1.0, &whole_settled))
        return false;
    memcpy(s->whole, s->table[0], bytes);
    if (!jump_in(m, s, held, 0.5, settled))
        return false;
    *settled = *settled && whole_settled;
    shrink(m, s->whole, s->table[0], y);
    return true;
}

const double *implicit_step_states(discrete_part *m, const double *held)
{
    implicit_step *s = m->step; /* of implicit_step_take */
    memcpy(s->whole, m->values->x + m->values->place.y,
           (size_t)m->reduced->n_system * sizeof(double));
    s->share = 0.5;
    if (!go(m, s, held, 1))
        return NULL;
    shrink(m, s->whole, s->y, s->whole);
    return s->whole;
}
