/* index/structural_offsets.c - see structural_offsets.h.
 *
 * sigma_ij = 1 where y'_j occurs in F_i, 0 where only y_j does.  graph/signature.c gives the
 * offsets c, d of [Pry01] and a transversal.  The index of a variable is the pole order of its
 * row of (E + h A)^-1 at h = 0, and that is combinatorial as well: by Cramer's rule entry (j, i)
 * of (s E + A)^-1 has, for entries in general position, the degree c_i - d_j - dist(j, i), where
 * dist is the length of the shortest alternating path from column j to row i, an entry costing
 * its slack w_ij = d_j - c_i - sigma_ij.  With s = 1/h and the factor 1/h of (E + hA)^-1,
 *
 *     nu_j = max(0, 1 - d_j + max_i (c_i - dist(j, i))).
 *
 * One sweep gives all of it: best_i = max over rows k of c_k less the distance from i to k,
 * found in the order of falling values.  The way back from a variable of the highest index to
 * the row where its sweep began is the chain of equations that must be differentiated.
 *
 * The matrix J with J_ij = E_ij where d_j - c_i = 1 = sigma_ij, A_ij where d_j = c_i and
 * sigma_ij = 0, decides: where it is regular, the index is at most the structural one [Pry01];
 * where it is singular the offsets mean nothing.  Property:
 * tests/property/test_differentiation_index_random.c. */
#include "index/structural_offsets.h"

#include "base/status.h"

#define NONE MATCHING_NONE

static void lay_out(void *object, layout *l)
{
    offsets *o = object;
    size_t n = (size_t)o->n, nnz = (size_t)pattern_nnz(o->pattern);
    o->sigma = layout_take(l, nnz, sizeof(int32_t));
    o->jacobian_at = layout_take(l, nnz, sizeof(int32_t));
    o->variable_index = layout_take(l, n, sizeof(int32_t));
    o->chain = layout_take(l, n, sizeof(int32_t));
    o->best = layout_take(l, n, sizeof(int32_t));
    o->from = layout_take(l, n, sizeof(int32_t));
}

static void set_sigma(offsets *o, const daedal_pattern *dyp)
{
    pattern_locate(dyp, o->pattern, o->sigma);
    for (int32_t q = 0; q < pattern_nnz(o->pattern); q++)
        o->sigma[q] = o->sigma[q] >= 0;
}

/* Pass the value of a row on to the rows of its column; those that reach `level` come onto the
 * stack.  How many there are now.                                                */
static int32_t pass_on(offsets *o, int32_t row, int32_t level, int32_t *stack, int32_t n_stack)
{
    const daedal_pattern *p = o->pattern;
    int32_t j = o->found.transversal.col_of[row];
    for (int32_t q = p->start[j]; q < p->start[j + 1]; q++) {
        int32_t i = p->row[q], slack = o->found.d[j] - o->found.c[i] - o->sigma[q];
        if (o->best[row] - slack <= o->best[i])
            continue;
        o->best[i] = o->best[row] - slack;
        o->from[i] = row;
        if (o->best[i] == level)
            stack[n_stack++] = i;
    }
    return n_stack;
}

/* Compute `best`, which the head of this file defines, level by level from the highest. */
static void sweep(offsets *o)
{
    int32_t highest = 0, *stack = o->chain; /* not in use yet */
    for (int32_t i = 0; i < o->n; i++) {
        o->best[i] = o->found.c[i];
        o->from[i] = NONE;
        highest = o->best[i] > highest ? o->best[i] : highest;
    }
    for (int32_t level = highest; level > 0; level--)
        for (int32_t i = 0; i < o->n; i++) {
            if (o->best[i] != level)
                continue;
            int32_t n_stack = pass_on(o, i, level, stack, 0);
            while (n_stack > 0) {
                int32_t row = stack[--n_stack];
                n_stack = pass_on(o, row, level, stack, n_stack);
            }
        }
}

static void set_indices(offsets *o)
{
    for (int32_t j = 0; j < o->n; j++) {
        int32_t nu = 1 - o->found.d[j] + o->best[o->found.transversal.row_of[j]];
        o->variable_index[j] = nu > 0 ? nu : 0;
        o->index = nu > o->index ? nu : o->index;
    }
}

/* From the equation that is differentiated most to the first variable of highest index. */
static void set_chain(offsets *o)
{
    int32_t j = 0, length = 0;
    while (o->variable_index[j] < o->index)
        j++;
    int32_t last = o->found.transversal.row_of[j];
    for (int32_t i = last; i != NONE; i = o->from[i])
        length++;
    o->n_chain = length;
    for (int32_t i = last; i != NONE; i = o->from[i]) {
        o->chain[--length] = o->found.transversal.col_of[i];
        o->chain_equation = i;
    }
}

daedal_status offsets_create(offsets *o, const daedal_pattern *both, const daedal_pattern *dyp,
                             const daedal_allocator *a)
{
    *o = (offsets){.n = both->n_cols, .pattern = both, .chain_equation = -1};
    if (!block_create(&o->mem, a, lay_out, o))
        return DAEDAL_ERR_MEMORY;
    set_sigma(o, dyp);
    signature_matrix matrix = {both, o->sigma};
    RETURN_UNLESS_OK(signature_create(&o->found, &matrix, a));
    if (!signature_essential(&o->jacobian, &matrix, &o->found, a))
        return DAEDAL_ERR_MEMORY;
    pattern_locate(o->pattern, &o->jacobian.view, o->jacobian_at);
    sweep(o);
    set_indices(o);
    set_chain(o);
    return DAEDAL_OK;
}

void offsets_free(offsets *o)
{
    signature_free(&o->found);
    pattern_free(&o->jacobian);
    block_free(&o->mem);
}
