/* initial/start_slopes.c - see start_problem.h: derivatives of algebraic unknowns in initial
 * equations, as der(p) = 0 where the equations contain der(m) and m = V*d(p) only.
 *
 * The derivative of an algebraic unknown occurs in none of the equations.  With the leading
 * unknowns z, which are y' of the differential unknowns and y of the algebraic ones, the equations
 * F(t, y, z) = 0 determine z block by block, and the derivatives of the rows of a block determine
 * the derivatives of its z.  These rows and those of the earlier blocks that they read are
 * differentiated with respect to time.  y'' of a differential unknown has no place among the
 * values: where it would be needed, the start is refused.  */
#include <string.h>

#include "expr/derive.h"
#include "initial/start_problem.h"

typedef struct slope_search {
    start_problem *m;
    start_slopes *to;
} slope_search;

/* The derivative of a value, or of a derivative, with respect to time. */
static expr slope_of(void *user, uint32_t symbol)
{
    const slope_search *s = user;
    const reduced_model *r = s->m->reduced;
    uint32_t v = flat_number(symbol);
    int32_t j = r->column[v];
    if (j < 0)
        return EXPR_NONE;
    if (flat_kind(symbol) == FLAT_DER) {
        s->to->obstacle = "the second derivative of a state is needed";
        return EXPR_NONE;
    }
    if (!r->differential[j])
        s->to->is_wanted[j] = true;
    return expr_variable(&s->m->flat->graph, flat_symbol(FLAT_DER, v));
}

/* Mark the algebraic unknowns whose derivatives occur in initial equations. */
static bool find_wanted(slope_search *s, bool *any)
{
    start_problem *m = s->m;
    const reduced_model *r = m->reduced;
    expr_walker w;
    expr_walker_create(&w, &m->flat->graph);
    bool fine = true;
    for (size_t i = 0; i < m->n_initial_rows && fine; i++) {
        fine = expr_depends(&w, m->initial_row[i], EXPR_ALL);
        for (size_t k = 0; k < w.n_found && fine; k++) {
            uint32_t symbol = expr_index(&m->flat->graph, w.found[k]);
            int32_t j = flat_kind(symbol) == FLAT_DER ? r->column[flat_number(symbol)] : -1;
            if (j >= 0 && !r->differential[j])
                *any = s->to->is_wanted[j] = true;
        }
    }
    expr_walker_free(&w);
    return fine;
}

static bool is_block_wanted(const slope_search *s, int32_t b)
{
    const model_order *o = &s->m->reduced->order;
    bool wanted = false;
    for (int32_t k = o->start[b]; k < o->start[b + 1]; k++)
        wanted = wanted || s->to->is_wanted[o->column[k]];
    return wanted;
}

static expr_outcome differentiate_row(slope_search *s, expr_differ *differ, int32_t row)
{
    start_slopes *to = s->to;
    expr slope = EXPR_NONE;
    expr_outcome outcome = expr_differ_of(differ, s->m->reduced->residual[row], &slope, NULL);
    if (outcome == EXPR_NOT_DIFFERENTIABLE) {
        to->obstacle = "a function without derivative is called";
        return EXPR_OK;
    }
    to->equation[to->n] = row;
    to->row[to->n++] = slope;
    return outcome;
}

/* All derivatives of z in this block are unknown, those of algebraic ones have a place. */
static void want_block(slope_search *s, int32_t b)
{
    const reduced_model *r = s->m->reduced;
    for (int32_t k = r->order.start[b]; k < r->order.start[b + 1]; k++) {
        int32_t j = r->order.column[k];
        s->to->is_wanted[j] = !r->differential[j];
        if (r->differential[j])
            s->to->obstacle = "the second derivative of a state is needed";
    }
}

/* From the last block to the first one: what a block reads is determined by earlier ones. */
static expr_outcome differentiate_blocks(slope_search *s)
{
    const model_order *o = &s->m->reduced->order;
    flat_motion motion = {.slope = slope_of, .user = s};
    expr_direction direction = flat_in_time(s->m->flat, &motion);
    expr_differ *differ = expr_differ_create(&s->m->flat->graph, &direction);
    expr_outcome outcome = differ ? EXPR_OK : EXPR_NO_MEMORY;
    for (int32_t b = o->n_blocks; b-- > 0 && outcome == EXPR_OK && !s->to->obstacle;) {
        if (!is_block_wanted(s, b))
            continue;
        want_block(s, b);
        for (int32_t k = o->start[b]; k < o->start[b + 1] && outcome == EXPR_OK; k++)
            outcome = differentiate_row(s, differ, o->row[k]);
        if (motion.met_delay)
            s->to->obstacle = "the derivative of a delay is needed";
    }
    expr_differ_free(differ);
    return outcome;
}

bool start_find_slopes(start_problem *m)
{
    size_t n = (size_t)m->reduced->n + 1;
    start_slopes *to = arena_take(m->mem, 1, sizeof *to);
    bool any = false;
    if (!to)
        return false;
    slope_search s = {m, to};
    to->is_wanted = arena_take(m->mem, n, sizeof *to->is_wanted);
    m->slopes = to;
    if (m->mem->failed || !find_wanted(&s, &any))
        return false;
    if (!any)
        return true;
    to->row = arena_take(m->mem, n, sizeof *to->row);
    to->equation = arena_take(m->mem, n, sizeof *to->equation);
    return !m->mem->failed && differentiate_blocks(&s) == EXPR_OK && !m->flat->graph.failed;
}

bool start_has_slope(const start_problem *m, int32_t j)
{
    return m->reduced->differential[j] || m->slopes->is_wanted[j];
}
