/* simulate/pole_factors.c - see simulation.h: divisors of the equations, whose signs are watched.
 *
 * In h - kw/h = c, the charge balance of an acid, there are two branches, h > 0 and h < 0, with the
 * pole h = 0 between them.  A step that is long compared with the distance to the pole can land on
 * the other branch, where all equations hold and the determinant of the block has the same sign.  A
 * continuous solution does not pass the pole, so that a divisor which depends on an algebraic
 * unknown keeps its sign, unless what is divided vanishes as well.
 *
 * h*oh = kw beside h - oh = c is the same with another unknown: oh = kw/h.  Both factors of a
 * product of unknowns that is equal to known terms are therefore divisors of these. */
#include <math.h>

#include "expr/terms.h"
#include "expr/walk.h"
#include "simulate/simulation.h"

enum { DIVISORS_MAX = 1000, UNKNOWNS_MAX = 4000 }; /* of a model: more are not watched */

/* The divisor of a quotient, or the base of a negative power; EXPR_NONE: e is neither. */
static expr divisor_of(expr_graph *g, expr e, expr *numerator)
{
    const expr *operand;
    expr_op op = expr_op_of(g, e);
    if (op != EXPR_DIV && op != EXPR_POW)
        return EXPR_NONE;
    expr_operands(g, e, &operand);
    expr a = operand[0], b = operand[1];
    bool is_power = op == EXPR_POW;
    *numerator = is_power ? expr_constant(g, 1.0) : a;
    if (is_power && (!expr_is_constant(g, b) || expr_value(g, b) >= 0.0))
        return EXPR_NONE;
    expr divisor = is_power ? a : b;
    return expr_is_constant(g, divisor) ? EXPR_NONE : divisor;
}

/* Append the algebraic unknowns of block b in the expression to the list of unknowns. */
static void add_unknowns(const simulation *m, expr_walker *w, expr e, const int32_t *block_of,
                         int32_t b)
{
    pole_factors *p = m->watch->poles;
    int32_t *n = &p->start[p->n + 1];
    *n = p->start[p->n];
    expr_walker_forget(w);
    if (!expr_depends(w, e, EXPR_INCIDENCE))
        return;
    for (size_t k = 0; k < w->n_found && *n < UNKNOWNS_MAX; k++) {
        uint32_t symbol = expr_index(&m->flat->graph, w->found[k]);
        int32_t j = compiled_slot(m->compiled, symbol) - (int32_t)m->values->place.y;
        if (j >= 0 && j < m->reduced->n && !m->reduced->differential[j] && block_of[j] == b)
            p->unknown[(*n)++] = j;
    }
}

/* Block number k of those watched, whose divisors are collected. */
typedef struct pole_search {
    simulation *m;
    expr_walker *walker;
    const int32_t *block_of; /* by unknown */
    int32_t k;
} pole_search;

/* The number of algebraic unknowns of the block in the expression; their list stands behind that of
 * the last divisor. */
static int32_t count_unknowns(const pole_search *s, expr e)
{
    const pole_factors *p = s->m->watch->poles;
    add_unknowns(s->m, s->walker, e, s->block_of, s->m->watch->block[s->k]);
    return p->start[p->n + 1] - p->start[p->n];
}

static void add_divisor(const pole_search *s, expr divisor, expr numerator)
{
    pole_factors *p = s->m->watch->poles;
    if (p->n >= DIVISORS_MAX || count_unknowns(s, divisor) == 0)
        return;
    p->divisor[p->n] = divisor;
    p->numerator[p->n] = numerator;
    p->block[p->n++] = s->k;
}

/* The terms of an equation 0 = sum: those that depend on unknowns of the block, and the others. */
typedef struct product_search {
    const pole_search *s;
    expr product, known; /* one of each kind */
    int32_t n_of_block, n_known;
} product_search;

static void sort_term(expr term, void *user)
{
    product_search *q = user;
    bool of_block = count_unknowns(q->s, term) > 0;
    *(of_block ? &q->product : &q->known) = term;
    *(of_block ? &q->n_of_block : &q->n_known) += 1;
}

/* Both factors, if the equation says that a product of different unknowns is equal to a known term.
 */
static void collect_factors(const pole_search *s, expr residual)
{
    expr_graph *g = &s->m->flat->graph;
    product_search q = {.s = s};
    const expr *operand;
    expr_each_term(g, residual, sort_term, &q);
    if (q.n_of_block != 1 || q.n_known != 1 || expr_op_of(g, q.product) != EXPR_MUL)
        return;
    expr_operands(g, q.product, &operand);
    expr a = operand[0], b = operand[1];
    int32_t n_a = count_unknowns(s, a), n_b = count_unknowns(s, b);
    if (n_a == 0 || n_b == 0 || count_unknowns(s, q.product) != n_a + n_b)
        return;
    add_divisor(s, a, q.known);
    add_divisor(s, b, q.known);
}

/* The divisors in block number k of those watched; true unless memory is short. */
static bool collect(simulation *m, int32_t k, expr_walker *outer, expr_walker *inner,
                    const int32_t *block_of)
{
    const model_order *o = &m->reduced->order;
    pole_search s = {m, inner, block_of, k};
    int32_t b = m->watch->block[k];
    for (int32_t i = o->start[b]; i < o->start[b + 1]; i++) {
        expr residual = m->reduced->residual[o->row[i]], numerator;
        if (!expr_walk(outer, residual, EXPR_INCIDENCE))
            return false;
        for (size_t q = 0; q < outer->n_found; q++) {
            expr divisor = divisor_of(&m->flat->graph, outer->found[q], &numerator);
            if (divisor != EXPR_NONE)
                add_divisor(&s, divisor, numerator);
        }
        collect_factors(&s, residual);
    }
    return !inner->failed;
}

bool poles_build(simulation *m)
{
    const model_order *o = &m->reduced->order;
    pole_factors *p = m->watch->poles = arena_take(m->mem, 1, sizeof *p);
    int32_t *block_of = arena_take(m->mem, (size_t)m->reduced->n, sizeof *block_of);
    if (m->mem->failed)
        return false;
    p->divisor = arena_take(m->mem, DIVISORS_MAX, sizeof *p->divisor);
    p->numerator = arena_take(m->mem, DIVISORS_MAX + 1, sizeof *p->numerator);
    p->block = arena_take(m->mem, DIVISORS_MAX, sizeof *p->block);
    p->sign = arena_take(m->mem, 2 * (size_t)DIVISORS_MAX, sizeof *p->sign);
    p->last = arena_take(m->mem, 2 * (size_t)DIVISORS_MAX, sizeof *p->last);
    p->start = arena_take(m->mem, DIVISORS_MAX + 1, sizeof *p->start);
    p->unknown = arena_take(m->mem, UNKNOWNS_MAX, sizeof *p->unknown);
    for (int32_t b = 0; b < o->n_blocks; b++)
        for (int32_t i = o->start[b]; i < o->start[b + 1]; i++)
            block_of[o->column[i]] = b;
    expr_walker outer, inner;
    expr_walker_create(&outer, &m->flat->graph);
    expr_walker_create(&inner, &m->flat->graph);
    bool fine = !m->mem->failed;
    for (int32_t k = 0; k < m->watch->n && fine; k++)
        fine = collect(m, k, &outer, &inner, block_of);
    expr_walker_free(&outer);
    expr_walker_free(&inner);
    return fine;
}

static signed char sign_of(double value)
{
    return (signed char)((value > 0.0) - (value < 0.0)); /* 0 for NaN, too */
}

void poles_set_reference(pole_factors *p, const double *value)
{
    for (int32_t k = 0; k < 2 * p->n; k++) {
        p->sign[k] = sign_of(value[k]);
        p->last[k] = value[k];
    }
}

static bool has_flipped(const pole_factors *p, int32_t k, const double *value)
{
    return p->sign[k] * sign_of(value[k]) < 0;
}

int32_t poles_find_flipped(const pole_factors *p, const double *value)
{
    for (int32_t k = 0; k < p->n; k++)
        if (has_flipped(p, k, value) && value[p->n + k] != 0.0 && !has_flipped(p, p->n + k, value))
            return k;
    return -1;
}

bool poles_change_strongly(const pole_factors *p, const double *value)
{
    const double good_part = 0.5;
    for (int32_t k = 0; k < p->n; k++) {
        double size = fmax(fabs(p->last[k]), fabs(value[k]));
        if (fabs(value[k] - p->last[k]) > good_part * size)
            return true;
    }
    return false;
}

double poles_numerator(const pole_factors *p, int32_t k, const double *value)
{
    return fmax(fabs(value[p->n + k]), fabs(p->last[p->n + k]));
}

static void lower(double rtol, double value, double *atol)
{
    const double far_below = 1e-8;
    if (value != 0.0)
        *atol = fmin(*atol, far_below * rtol * fabs(value));
}

void poles_lower_atol(const pole_factors *p, int32_t k, double rtol, const double *y, double *atol)
{
    for (int32_t i = p->start[k]; i < p->start[k + 1]; i++)
        lower(rtol, y[p->unknown[i]], &atol[p->unknown[i]]);
}

/* Known worse than the relative tolerance asks. */
static bool is_unresolved(double y, double rtol, double atol)
{
    return y != 0.0 && rtol * fabs(y) < atol;
}

int32_t poles_find_unresolved(const pole_factors *p, const double *value, double rtol,
                              const double *y, const double *atol)
{
    const double little = 0.1;
    for (int32_t k = 0; k < p->n; k++) {
        double now = value[p->n + k], before = p->last[p->n + k];
        if (now == 0.0 || !(fabs(now - before) <= little * fmax(fabs(now), fabs(before))))
            continue; /* what is divided is nothing, or varies */
        for (int32_t i = p->start[k]; i < p->start[k + 1]; i++)
            if (is_unresolved(y[p->unknown[i]], rtol, atol[p->unknown[i]]))
                return k;
    }
    return -1;
}

bool poles_lower_unresolved(const pole_factors *p, double rtol, const double *y, double *atol)
{
    bool found = false;
    for (int32_t i = 0; i < p->start[p->n]; i++) {
        int32_t j = p->unknown[i];
        if (y[j] == 0.0 || fabs(y[j]) >= atol[j])
            continue;
        lower(rtol, y[j], &atol[j]);
        found = true;
    }
    return found;
}

void poles_copy_state(pole_factors *p, state_copy *s)
{
    state_copy_bytes(s, p->sign, 2 * (size_t)p->n * sizeof *p->sign);
    state_copy_bytes(s, p->last, 2 * (size_t)p->n * sizeof *p->last);
}
