/* consistent/stage_system.c - see stage_system.h.
 *
 * Stage k, from the largest c down to 0, has the equations F_i^(c_i - k) with c_i >= k and the
 * unknowns y_j^(d_j - k) with d_j >= k [Pry01].  In all stages the matrix is part of the same
 * system Jacobian J, with J_ij = dF_i/dy'_j where d_j - c_i = 1 and dF_i/dy_j where d_j = c_i: an
 * equation of a stage has entries in columns of the stage only.  J z = -r, with zeros in the rows
 * that have no equation, is therefore a correction of the stage; of those possible it is the one
 * that impulses of the variables without a place in it (forces, pressures, currents) would cause.
 * For M v' + G' l = f these are moves along M^-1 G', whatever the units: what violates no
 * constraint does not change. What a stage has changed acts on the equations of the stages after it
 * by the Jacobian of the array.
 */
#include "consistent/stage_system.h"

#include <math.h>
#include <string.h>

#include "index/derivative_array.h"
#include "linalg/linsolver.h"
#include "linalg/scaling.h"

enum { SWEEPS = 4 }; /* of the scaling */

static const double FACTORIAL[] = {1.0, 1.0, 2.0, 6.0, 24.0, 120.0, 720.0};

static void lay_out(void *object, layout *l)
{
    stage_system *s = object;
    size_t nnz = (size_t)pattern_nnz(&s->entries.view), n = (size_t)s->array->n;
    s->at = layout_take(l, nnz, sizeof(int32_t));
    s->values = layout_take(l, nnz, sizeof(double));
    double **vectors[] = {&s->row, &s->column, &s->z};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        *vectors[k] = layout_take(l, n, sizeof(double));
}

/* The part that an entry of J comes from: 0 dF/dy, 1 dF/dy', -1 none. */
static int part_of(const difference_array *x, int32_t i, int32_t j)
{
    int32_t apart = x->d[j] - x->c[i];
    return apart == 0 || apart == 1 ? (int)apart : -1;
}

static bool create_pattern(stage_system *s, const daedal_pattern *p, const daedal_allocator *a)
{
    const difference_array *x = s->array;
    int32_t nnz = 0;
    if (!pattern_create(&s->entries, x->n, x->n, pattern_nnz(p), a))
        return false;
    for (int32_t j = 0; j < x->n; j++) {
        s->entries.start[j] = nnz;
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            if (part_of(x, p->row[q], j) >= 0)
                s->entries.row[nnz++] = p->row[q];
    }
    s->entries.start[x->n] = nnz;
    return true;
}

bool stage_system_create(stage_system *s, const difference_array *array)
{
    const daedal_allocator *a = array->p->allocator;
    const daedal_pattern *p = &array->p->matrix->pattern.view;
    *s = (stage_system){.array = array};
    if (!create_pattern(s, p, a) || !block_create(&s->mem, a, lay_out, s))
        return false;
    for (int32_t j = 0, to = 0; j < array->n; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            if (part_of(array, p->row[q], j) >= 0)
                s->at[to++] = q;
    return linsolver_open_for_few(&s->entries.view, a, &s->solver, &s->factors) == DAEDAL_OK;
}

void stage_system_free(stage_system *s)
{
    if (s->factors)
        s->solver->destroy(s->factors);
    pattern_free(&s->entries);
    block_free(&s->mem);
}

daedal_status stage_system_factor(stage_system *s)
{
    const difference_array *x = s->array;
    const daedal_pattern *p = &s->entries.view;
    for (int32_t j = 0; j < x->n; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            s->values[q] = part_of(x, p->row[q], j) == 1 ? x->e[s->at[q]] : x->a[s->at[q]];
    scaling_by_roots_sparse(p, s->values, SWEEPS, s->row, s->column, s->z);
    return s->solver->factor(s->factors, s->values);
}

bool stage_system_copy(stage_system *s, const stage_system *from)
{
    block_copy(&s->mem, &from->mem);
    return linsolver_copy(s->solver, s->factors, from->factors) ||
           s->solver->factor(s->factors, s->values) == DAEDAL_OK;
}

/* Add to the right-hand side of a stage what the step of the stages before does to its equations.
 */
static void add_earlier_stages(const stage_system *s, int32_t stage, const double *step,
                               const bool *held)
{
    const difference_array *x = s->array;
    const daedal_pattern *p = &x->p->matrix->pattern.view;
    for (int32_t j = 0; j < x->n; j++)
        for (int32_t m = 0; m < x->d[j] - stage; m++) {
            int32_t col = x->col[j] + m;
            double moved = held && held[col] ? 0.0 : step[col] / FACTORIAL[m];
            if (moved == 0.0)
                continue;
            for (int32_t q = p->start[j]; q < p->start[j + 1]; q++) {
                int32_t i = p->row[q], k = x->c[i] - stage;
                if (k < 0)
                    continue;
                double entry = derivative_array_entry(x->e + q, x->a + q, (size_t)x->nnz, k, m);
                s->z[i] -= FACTORIAL[k] * entry * moved;
            }
        }
}

static double scale_and_solve(const stage_system *s)
{
    double size = 0.0;
    for (int32_t i = 0; i < s->array->n; i++) {
        s->z[i] *= s->row[i];
        size = fmax(size, fabs(s->z[i]));
    }
    s->solver->solve(s->factors, s->z);
    for (int32_t j = 0; j < s->array->n; j++)
        s->z[j] *= s->column[j];
    return size;
}

static void set_right(const stage_system *s, const double *r, int32_t stage)
{
    const difference_array *x = s->array;
    for (int32_t i = 0; i < x->n; i++)
        s->z[i] = x->c[i] >= stage ? -r[x->row[i] + x->c[i] - stage] : 0.0;
}

double stage_system_solve(stage_system *s, const double *r, int32_t stage)
{
    set_right(s, r, stage);
    return scale_and_solve(s);
}

void stage_system_step(stage_system *s, const double *r, const bool *held, double *step)
{
    const difference_array *x = s->array;
    memset(step, 0, (size_t)x->cols * sizeof(double));
    for (int32_t stage = x->level_max; stage >= 0; stage--) {
        set_right(s, r, stage);
        add_earlier_stages(s, stage, step, held);
        scale_and_solve(s);
        for (int32_t j = 0; j < x->n; j++)
            if (x->d[j] >= stage)
                step[x->col[j] + x->d[j] - stage] = s->z[j];
    }
}
