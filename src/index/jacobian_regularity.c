/* index/jacobian_regularity.c - see jacobian_regularity.h.
 *
 * Any row and column scaling is fair, since it changes neither rank nor offsets.  Up to three are
 * tried, the cheapest first, until one shows that the matrix is regular: columns, then rows divided
 * by their largest entries; logarithms balanced in the mean (curtis_reid.c); repeated division by
 * square roots of the largest entries.  The condition is estimated from solutions for a few
 * right-hand sides of size one with random signs: J^-1 b is as large as J^-1 unless b happens to
 * be nearly orthogonal to one direction, for all of them.
 *
 * With offsets c, d and a regular J the frozen pencil is, for s to infinity,
 *
 *     diag(s^c) (s E + A) diag(s^-d) = J + O(1/s),
 *
 * so that entry (j, i) of (s E + A)^-1 is s^(c_i - d_j) ((J^-1)_ji + O(1/s)).  The index is the
 * largest of these degrees plus one ([BCP96] section 2.3): it is the structural one, nu, if an
 * entry of J^-1 with c_i - d_j + 1 = nu is not zero.  J^-1 b with random b in the rows of one c_i
 * shows it, solved twice, the second time with the entries moved within their noise: what remains
 * the same is not zero.  No rank has to be decided.                                   */
#include "index/jacobian_regularity.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/status.h"
#include "linalg/curtis_reid.h"
#include "linalg/linsolver.h"
#include "linalg/scaling.h"
#include "linalg/vector.h"

enum { SWEEPS = 30, RIGHT_SIDES = 4 };
static const double LEAST = 1e-8, NOISES = 30.0; /* what a condition must exceed             */
static const double ROUNDOFF = 1e-15;            /* of entries, beside their noise            */
static const double SAME = 0.1;                  /* change of a solution that is not zero     */

static void lay_out(void *object, layout *l)
{
    system_jacobian *x = object;
    const daedal_pattern *p = &x->o->jacobian.view;
    double **by_entry[] = {&x->value, &x->noise, &x->scaled};
    double **by_line[] = {&x->row, &x->column, &x->b, &x->b_moved};
    for (size_t k = 0; k < sizeof by_entry / sizeof *by_entry; k++)
        *by_entry[k] = layout_take(l, (size_t)pattern_nnz(p), sizeof(double));
    for (size_t k = 0; k < sizeof by_line / sizeof *by_line; k++)
        *by_line[k] = layout_take(l, (size_t)p->n_cols, sizeof(double));
}

daedal_status system_jacobian_create(system_jacobian *x, const offsets *o,
                                     const daedal_allocator *a)
{
    *x = (system_jacobian){.o = o, .allocator = a};
    if (!block_create(&x->mem, a, lay_out, x))
        return DAEDAL_ERR_MEMORY;
    return linsolver_open_for_few(&o->jacobian.view, a, &x->solver, &x->factors);
}

void system_jacobian_free(system_jacobian *x)
{
    if (x->factors)
        x->solver->destroy(x->factors);
    block_free(&x->mem);
}

/* ---- a look ---- */

static void gather(system_jacobian *x, const pencil_entries *s)
{
    for (int32_t q = 0; q < pattern_nnz(&x->o->jacobian.view); q++) {
        int32_t at = x->o->jacobian_at[q], which = x->o->sigma[at];
        x->value[q] = s->value[which][at];
        x->noise[q] = s->noise[which][at];
    }
}

/* The scaled matrix, with rows of size one; the largest noise in it. */
static double scale_values(system_jacobian *x)
{
    const daedal_pattern *p = &x->o->jacobian.view;
    double noise = 0.0, *row_max = x->b;
    memset(row_max, 0, (size_t)p->n_cols * sizeof(double));
    for (int32_t j = 0; j < p->n_cols; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            row_max[p->row[q]] =
                larger_of(row_max[p->row[q]], fabs(x->value[q]) * x->row[p->row[q]] * x->column[j]);
    for (int32_t i = 0; i < p->n_cols; i++)
        x->row[i] /= row_max[i] > 0.0 ? row_max[i] : 1.0;
    for (int32_t j = 0; j < p->n_cols; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++) {
            double by = x->row[p->row[q]] * x->column[j];
            x->scaled[q] = x->value[q] * by;
            noise = larger_of(noise, x->noise[q] * by);
        }
    return noise;
}

static double estimate(system_jacobian *x)
{
    uint64_t state = RANDOM_SEED;
    int32_t n = x->o->n;
    double growth = 0.0;
    for (int k = 0; k < RIGHT_SIDES; k++) {
        for (int32_t i = 0; i < n; i++)
            x->b[i] = random_share(&state);
        x->solver->solve(x->factors, x->b);
        growth = vector_all_finite(x->b, n) ? fmax(growth, vector_max_abs(x->b, n)) : INFINITY;
    }
    return 1.0 / growth;
}

/* Pivots are chosen anew: those of another point would decide in place of the matrix. */
static daedal_status factor(system_jacobian *x)
{
    x->is_moved = false;
    linsolver_forget(x->solver, x->factors);
    return x->solver->factor(x->factors, x->scaled);
}

/* Better `out` by what the present scaling says. */
static daedal_status try_scaling(system_jacobian *x, regularity *out)
{
    double noise = scale_values(x);
    daedal_status status = factor(x);
    double found = status == DAEDAL_OK ? estimate(x) : 0.0;
    if (status == DAEDAL_ERR_SINGULAR && x->solver->singular_column)
        out->column = x->solver->singular_column(x->factors);
    out->reciprocal_condition = fmax(out->reciprocal_condition, found);
    out->regular = out->regular || found > fmax(LEAST, NOISES * noise);
    return status == DAEDAL_ERR_MEMORY ? status : DAEDAL_OK;
}

/* Columns by their largest entries; scale_values does the same to the rows. */
static void divide_columns(system_jacobian *x)
{
    const daedal_pattern *p = &x->o->jacobian.view;
    for (int32_t j = 0; j < p->n_cols; j++) {
        double largest = 0.0;
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            largest = larger_of(largest, fabs(x->value[q]));
        x->column[j] = scaling_factor(largest);
        x->row[j] = 1.0;
    }
}

daedal_status system_jacobian_look(system_jacobian *x, const pencil_entries *s, regularity *out)
{
    const daedal_pattern *p = &x->o->jacobian.view;
    *out = (regularity){.column = -1};
    gather(x, s);
    divide_columns(x);
    RETURN_UNLESS_OK(try_scaling(x, out));
    if (out->regular)
        return DAEDAL_OK;
    if (!curtis_reid_scale(p, x->value, x->row, x->column, x->allocator))
        return DAEDAL_ERR_MEMORY;
    RETURN_UNLESS_OK(try_scaling(x, out));
    if (out->regular)
        return DAEDAL_OK;
    memcpy(x->scaled, x->value, (size_t)pattern_nnz(p) * sizeof(double));
    scaling_by_roots_sparse(p, x->scaled, SWEEPS, x->row, x->column, x->b);
    return try_scaling(x, out);
}

/* ---- the index ---- */

/* The scaled matrix as it is, or with its entries moved within their noise; factored.  The look has
 * left the factors of the matrix as it is.                                           */
static daedal_status factor_moved(system_jacobian *x, bool moved)
{
    if (!moved && !x->is_moved)
        return DAEDAL_OK;
    const daedal_pattern *p = &x->o->jacobian.view;
    uint64_t state = RANDOM_SEED;
    for (int32_t j = 0; j < p->n_cols; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++) {
            double by = x->row[p->row[q]] * x->column[j], value = x->value[q] * by;
            double room = x->noise[q] * by + ROUNDOFF * fabs(value);
            x->scaled[q] = value + (moved ? room * random_uniform(&state, -1.0, 1.0) : 0.0);
        }
    daedal_status status = factor(x);
    x->is_moved = moved;
    return status;
}

/* J^-1 b, scaled, with random b in the rows that are differentiated `level` times. */
static daedal_status solve_level(system_jacobian *x, int32_t level, bool moved, double *b)
{
    uint64_t state = RANDOM_SEED;
    RETURN_UNLESS_OK(factor_moved(x, moved));
    for (int32_t i = 0; i < x->o->n; i++)
        b[i] = x->o->found.c[i] == level ? random_share(&state) : 0.0;
    x->solver->solve(x->factors, b);
    return DAEDAL_OK;
}

/* Whether a variable of offset d has the same value, not zero, in both solutions. */
static bool shows_entry(const system_jacobian *x, int32_t d)
{
    for (int32_t j = 0; j < x->o->n; j++)
        if (x->o->found.d[j] == d && x->b[j] != 0.0 &&
            fabs(x->b_moved[j] - x->b[j]) <= SAME * fabs(x->b[j]))
            return true;
    return false;
}

static bool contains(const int32_t *list, int32_t n, int32_t number)
{
    for (int32_t i = 0; i < n; i++)
        if (list[i] == number)
            return true;
    return false;
}

daedal_status system_jacobian_attains(system_jacobian *x, bool *attained)
{
    const int32_t *c = x->o->found.c, *d = x->o->found.d, n = x->o->n;
    int32_t highest = 0, lowest = x->o->index - 1; /* levels that may have such an entry */
    for (int32_t i = 0; i < n; i++)
        highest = c[i] > highest ? c[i] : highest;
    *attained = false;
    for (int32_t level = highest; level >= lowest && !*attained; level--) {
        if (!contains(c, n, level) || !contains(d, n, level - lowest))
            continue;
        daedal_status status = solve_level(x, level, false, x->b);
        if (status == DAEDAL_OK)
            status = solve_level(x, level, true, x->b_moved);
        if (status == DAEDAL_ERR_MEMORY)
            return status;
        *attained = status == DAEDAL_OK && shows_entry(x, level - lowest);
    }
    return DAEDAL_OK;
}
