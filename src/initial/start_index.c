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
    if (start_prepare_values(m) != DAEDAL_OK) {
        diagnosis_clear(m->why);
        return false;
    }
    choose_point(m);
    return discrete_settle_values(m->discrete, true) == 0;
}

static bool is_singular(const start_problem *m)
{
    const double singular = 1e12; /* growth: the matrix is singular up to rounding */
    int32_t most = -1;
    return !(compiled_leading_growth(m->compiled, &most) < singular);
}

/* True if the matrix is regular with other values of the relations: then the index is high in some
 * modes only, and the run finds it where it meets them. */
static bool is_regular_in_some_mode(start_problem *m)
{
    enum { MODES = 12 }; /* the first with all relations reversed, the others with half of them */
    uint64_t random = RANDOM_SEED;
    for (int mode = 0; mode < MODES && m->flat->n_relations > 0; mode++) {
        bool changed = false;
        for (uint32_t k = 0; k < m->flat->n_relations; k++) {
            uint32_t slot = m->values->place.relation + k;
            if (mode == 0 || random_next(&random) % 2)
                values_set(m->values, slot, m->values->x[slot] == 0.0);
        }
        if (discrete_assign(m->discrete, &changed) == 0 && !is_singular(m))
            return true;
    }
    return false;
}

/* True if the equations read something that changes at events. */
static bool has_modes(const start_problem *m)
{
    const value_places *at = &m->values->place;
    for (uint32_t k = at->discrete; k < at->sample; k++)
        if (m->compiled->is_read[k] &&
            (k >= at->relation || k >= at->pre ||
             m->flat->variables[m->reduced->discrete_variable[k - at->discrete]].variability !=
                 FLAT_PARAMETER))
            return true;
    return false;
}

bool start_is_determined(start_problem *m)
{
    int32_t most = -1;
    if (m->reduced->n == 0 || m->reduced->n > PENCIL_ROWS_MAX || !m->compiled->jacobian->exists)
        return false;
    (void)compiled_leading_growth(m->compiled, &most); /* evaluates the Jacobian */
    return pencil_index(m) >= 0;
}

/* An index of two or three that depends on the mode is left to the solver, which finds it at each
 * restart. */
int32_t start_check_index(start_problem *m)
{
    enum { SOLVER_MAX = 3 };
    if (m->reduced->n == 0 || m->reduced->n > PENCIL_ROWS_MAX || !m->compiled->jacobian->exists ||
        !set_generic_point(m) || !is_singular(m))
        return -1;
    int32_t index = pencil_index(m);
    bool may_change = has_modes(m) && index > 1 && index <= SOLVER_MAX;
    return may_change || is_regular_in_some_mode(m) ? -1 : index;
}
