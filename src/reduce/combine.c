/* reduce/combine.c - see combine.h. */
#include "reduce/combine.h"

#include <math.h>
#include <string.h>

enum { DEPTH_MAX = 400, FACTORS_MAX = 16, STEPS_MAX = 50000 };

void combination_create(combination *c, expr_graph *g, const daedal_allocator *a)
{
    *c = (combination){.g = g, .allocator = a};
}

void combination_free(combination *c)
{
    memory_give(c->allocator, c->term, c->capacity * sizeof *c->term);
    *c = (combination){0};
}

static combined_term *term_of(combination *c, expr term)
{
    for (size_t k = 0; k < c->n; k++)
        if (c->term[k].term == term)
            return &c->term[k];
    if (c->most > 0 && c->n == c->most) {
        c->crowded = true;
        return NULL;
    }
    if (c->n == c->capacity) {
        size_t more = c->capacity ? 2 * c->capacity : 32;
        combined_term *grown = memory_take_array(c->allocator, more, sizeof *grown);
        if (!grown) {
            c->failed = true;
            return NULL;
        }
        if (c->n)
            memcpy(grown, c->term, c->n * sizeof *grown);
        memory_give(c->allocator, c->term, c->capacity * sizeof *c->term);
        c->term = grown;
        c->capacity = more;
    }
    c->term[c->n] = (combined_term){.term = term};
    return &c->term[c->n++];
}

static void add_term(combination *c, expr term, double factor)
{
    combined_term *t = term_of(c, term);
    if (!t)
        return;
    t->factor += factor;
    t->size = fmax(t->size, fabs(factor));
}

/* A product as a constant times factors in the order of their ids: one form for each. */
typedef struct product {
    double constant;
    expr factor[FACTORS_MAX];
    int n;
} product;

static bool take_factors(expr_graph *g, expr e, product *p, int depth)
{
    const expr *x;
    expr_op op = expr_op_of(g, e);
    expr_operands(g, e, &x);
    if (op == EXPR_CONST) {
        p->constant *= expr_value(g, e);
        return true;
    }
    if (op == EXPR_NEG && depth < DEPTH_MAX) {
        p->constant = -p->constant;
        return take_factors(g, x[0], p, depth + 1);
    }
    if (op == EXPR_DIV && expr_is_constant(g, x[1]) && depth < DEPTH_MAX) {
        p->constant /= expr_value(g, x[1]);
        return take_factors(g, x[0], p, depth + 1);
    }
    if (op == EXPR_MUL && depth < DEPTH_MAX) {
        expr second = x[1];
        return take_factors(g, x[0], p, depth + 1) && take_factors(g, second, p, depth + 1);
    }
    if (p->n == FACTORS_MAX)
        return false;
    int k = p->n++;
    for (; k > 0 && p->factor[k - 1] > e; k--)
        p->factor[k] = p->factor[k - 1];
    p->factor[k] = e;
    return true;
}

static bool is_sum(const expr_graph *g, expr e)
{
    expr_op op = expr_op_of(g, e);
    return op == EXPR_ADD || op == EXPR_SUB;
}

static void add(combination *c, expr e, double factor, int depth);

/* (a + b) f becomes a f + b f: equal terms cancel only when products of sums are expanded. */
static bool distribute(combination *c, const product *p, double factor, int depth)
{
    for (int k = 0; k < p->n && depth < DEPTH_MAX; k++) {
        if (!is_sum(c->g, p->factor[k]))
            continue;
        const expr *x;
        expr_operands(c->g, p->factor[k], &x);
        expr a = x[0], b = x[1];
        bool minus = expr_op_of(c->g, p->factor[k]) == EXPR_SUB;
        for (int i = 0; i < p->n; i++)
            if (i != k) {
                a = expr_mul(c->g, a, p->factor[i]);
                b = expr_mul(c->g, b, p->factor[i]);
            }
        add(c, a, factor, depth + 1);
        add(c, b, minus ? -factor : factor, depth + 1);
        return true;
    }
    return false;
}

static void add_product(combination *c, expr e, double factor, int depth)
{
    product p = {.constant = 1.0};
    if (!take_factors(c->g, e, &p, 0)) {
        add_term(c, e, factor);
        return;
    }
    factor *= p.constant;
    if (distribute(c, &p, factor, depth))
        return;
    expr term = p.n ? p.factor[0] : EXPR_NONE;
    for (int k = 1; k < p.n; k++)
        term = expr_mul(c->g, term, p.factor[k]);
    add_term(c, term, factor);
}

static void add(combination *c, expr e, double factor, int depth)
{
    c->crowded = c->crowded || ++c->steps > STEPS_MAX;
    if (c->crowded)
        return;
    const expr *x;
    expr_op op = expr_op_of(c->g, e);
    expr_operands(c->g, e, &x);
    if (depth < DEPTH_MAX && is_sum(c->g, e)) {
        expr second = x[1];
        add(c, x[0], factor, depth + 1);
        add(c, second, op == EXPR_SUB ? -factor : factor, depth + 1);
    } else if (op == EXPR_DIV && expr_is_constant(c->g, x[1])) {
        add(c, x[0], factor / expr_value(c->g, x[1]), depth + 1);
    } else {
        add_product(c, e, factor, depth);
    }
}

void combination_add(combination *c, expr e, double factor)
{
    add(c, e, factor, 0);
}

expr combination_sum(const combination *c)
{
    const double roundoff = 1e-12; /* relative: rounding errors of sums of many terms */
    expr_graph *g = c->g;
    expr sum = expr_constant(g, 0.0);
    for (size_t k = 0; k < c->n; k++) {
        const combined_term *t = &c->term[k];
        if (fabs(t->factor) <= roundoff * t->size)
            continue;
        expr constant = expr_constant(g, t->factor);
        sum = expr_add(g, sum, t->term == EXPR_NONE ? constant : expr_mul(g, constant, t->term));
    }
    return sum;
}
