/* hybrid/when_loops.c - see discrete.h: when-equations for Reals that form a loop with ordinary
 * equations (docs/theory/hybrid.md).
 *
 * x + y = 4 and, at an event, y = 9 - 3 x: assigning y and solving for x in turns diverges.  With d
 * the discrete Reals that the equations read, and a(d) what their assignments give once the
 * equations are solved with d, a(d) = d is solved by Newton's method, its matrix by differences. */
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "hybrid/discrete.h"
#include "linalg/least_squares.h"

enum { LOOP_MAX = 24, ITERATIONS_MAX = 12 };
static const double CHANGE = 1e-6;     /* relative, for differences          */
static const double CONVERGED = 1e-12; /* relative: a(d) - d is rounding     */

typedef struct when_loop {
    discrete_part *m;
    size_t item[LOOP_MAX]; /* numbers in `assigned` */
    int32_t n;
    double first[LOOP_MAX], residual[LOOP_MAX], moved[LOOP_MAX];
    double matrix[LOOP_MAX * LOOP_MAX], b[2 * LOOP_MAX];
} when_loop;

static uint32_t slot_of(const when_loop *w, int32_t i)
{
    const discrete_part *m = w->m;
    return m->values->place.discrete + (uint32_t)m->reduced->discrete_of[m->assigned[w->item[i]]];
}

/* The Reals that are assigned and that the equations read; false: none, or too many. */
static bool collect(when_loop *w)
{
    const discrete_part *m = w->m;
    for (size_t k = 0; k < m->n_assigned; k++) {
        const flat_variable *v = &m->flat->variables[m->assigned[k]];
        uint32_t slot =
            m->values->place.discrete + (uint32_t)m->reduced->discrete_of[m->assigned[k]];
        if (v->type != FLAT_REAL || v->variability == FLAT_PARAMETER || !m->compiled->is_read[slot])
            continue;
        if (w->n == LOOP_MAX)
            return false;
        w->item[w->n++] = k;
    }
    return w->n > 0;
}

/* a(d) - d with the values d in x. */
static bool evaluate(when_loop *w, double *residual)
{
    discrete_part *m = w->m;
    if (discrete_solve_mode(m) < 0 || program_run(m->compiled, m->assigns, 0.0, NULL, NULL) != 0)
        return false;
    for (int32_t i = 0; i < w->n; i++) {
        residual[i] = m->assigns->out[w->item[i]] - m->values->x[slot_of(w, i)];
        if (!isfinite(residual[i]))
            return false;
    }
    return true;
}

static bool is_converged(const when_loop *w)
{
    for (int32_t i = 0; i < w->n; i++)
        if (fabs(w->residual[i]) >
            CONVERGED * fmax(fabs(w->m->values->x[slot_of(w, i)]), NOMINAL_LEAST))
            return false;
    return true;
}

static bool differentiate(when_loop *w)
{
    for (int32_t j = 0; j < w->n; j++) {
        uint32_t slot = slot_of(w, j);
        double before = w->m->values->x[slot], change = CHANGE * fmax(fabs(before), 1.0);
        values_set(w->m->values, slot, before + change);
        bool fine = evaluate(w, w->moved);
        values_set(w->m->values, slot, before);
        for (int32_t i = 0; i < w->n && fine; i++)
            w->matrix[j * w->n + i] = (w->moved[i] - w->residual[i]) / change;
        if (!fine)
            return false;
    }
    return true;
}

static bool correct(when_loop *w, least_squares *ls)
{
    if (!differentiate(w))
        return false;
    for (int32_t i = 0; i < w->n; i++)
        w->b[i] = -w->residual[i];
    least_squares_solve(ls, w->matrix, w->b);
    for (int32_t i = 0; i < w->n; i++)
        values_set(w->m->values, slot_of(w, i), w->m->values->x[slot_of(w, i)] + w->b[i]);
    return true;
}

daedal_status discrete_solve_loop(discrete_part *m, bool *found)
{
    when_loop w = {.m = m};
    least_squares ls;
    *found = false;
    if (!collect(&w))
        return DAEDAL_OK;
    if (!least_squares_create(&ls, w.n, w.n, m->allocator))
        return fail(m->why, DAEDAL_ERR_MEMORY, "out of memory at an event");
    for (int32_t i = 0; i < w.n; i++) { /* from the values before the event */
        uint32_t slot = slot_of(&w, i);
        values_set(m->values, slot,
                   m->values->x[slot - m->values->place.discrete + m->values->place.pre]);
    }
    bool fine = true;
    for (int k = 0; k < ITERATIONS_MAX && fine && !*found; k++) {
        fine = evaluate(&w, w.residual);
        *found = fine && is_converged(&w);
        fine = fine && (*found || correct(&w, &ls));
    }
    least_squares_free(&ls);
    return DAEDAL_OK;
}
