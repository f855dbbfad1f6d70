/* initial/start_index.c - see start_problem.h: compares the index with the structural one.
 *
 * The structure depends on the pattern of the Jacobian, not on its values.  At a
 * generic point near the start the matrix of the leading unknowns (y' of states, y of the
 * others) is factored; if it is singular although the structure allows a pivot everywhere,
 * the index is that of the local pencil: the k from which on the rank of M^k stays,
 * M = (c E + A)^-1 E, E = dF/dy', A = dF/dy.                                    */
#include "base/random.h"
#include "index/dense_pencil.h"
#include "initial/start_problem.h"

/* Start values moved by a few percent, zeros by a part of the nominal value. */
static void choose_point(start_problem *m)
{
    double state = 0.0;
    for (uint32_t j = 0; j < (uint32_t)m->reduced->n; j++) {
        double share = spread_small(&state), y = m->start[j];
        double nominal = m->compiled->nominal[j] > 0.0 ? m->compiled->nominal[j] : 1.0;
        m->values->x[m->values->place.y + j] = y != 0.0 ? y * (1.0 + 0.2 * share) : share * nominal;
        m->values->x[m->values->place.yp + j] = spread_small(&state) * nominal;
    }
}

/* The index of the compiled system at the point of dy and dyp. */
static int32_t pencil_index(start_problem *m)
{
    dense_pencil p;
    const daedal_pattern *pat = &m->compiled->jacobian->pattern.view;
    int32_t index = -1, freedom = 0;
    if (dense_pencil_create(&p, m->reduced->n, m->allocator)) {
        for (int32_t j = 0; j < m->reduced->n; j++)
            for (int32_t q = pat->start[j]; q < pat->start[j + 1]; q++) {
                size_t at = (size_t)j * (size_t)m->reduced->n + (size_t)pat->row[q];
                p.e[at] = m->compiled->jacobian->dyp[q];
                p.a[at] = m->compiled->jacobian->dy[q];
            }
        index = dense_pencil_index(&p, m->allocator, &freedom);
    }
    dense_pencil_free(&p);
    return index;
}

/* Set a generic point near the start; false: the start values cannot be evaluated. */
static bool set_generic_point(start_problem *m)
{
    bool changed = false;
    if (start_prepare_values(m) != DAEDAL_OK) {
        diagnosis_clear(m->why);
        return false;
    }
    choose_point(m);
    return discrete_update_relations(m->discrete, true, &changed) == 0;
}

int32_t start_check_index(start_problem *m)
{
    const double singular = 1e12; /* growth: the matrix is singular up to rounding */
    int32_t most = -1;
    if (m->reduced->n == 0 || !m->compiled->jacobian->exists || !set_generic_point(m) ||
        compiled_leading_growth(m->compiled, &most) < singular || m->reduced->n > PENCIL_ROWS_MAX)
        return -1;
    return pencil_index(m);
}
