/* property/test_expr_random.h - random expressions from a seed, for test_expr_*.c.
 *
 * Responsibility: a graph with every operation in it, roots that share parts, a point, and
 * the function that calls in it mean.
 * Depends on: expr/evaluate.h, seeded.h.                                        */
#ifndef DAEDAL_PROPERTY_TEST_EXPR_RANDOM_H
#define DAEDAL_PROPERTY_TEST_EXPR_RANDOM_H

#include <math.h>
#include <string.h>

#include "expr/evaluate.h"
#include "harness.h"
#include "seeded.h"

enum { EXPRESSIONS_VARIABLES = 6, EXPRESSIONS_STEPS = 60, EXPRESSIONS_ROOTS = 8 };

typedef struct expressions {
    seeded random;
    expr_graph g;
    expr made[EXPRESSIONS_VARIABLES + EXPRESSIONS_STEPS];
    int32_t n_made;
    expr roots[EXPRESSIONS_ROOTS];
    double values[EXPRESSIONS_VARIABLES]; /* the first is 0 or 1 */
    bool calls;                           /* with calls of expressions_function        */
    bool smooth; /* no operation that jumps, conditions are the first variable      */
} expressions;

static inline expr pick(expressions *x)
{
    int32_t n = x->n_made, recent = n > 12 ? n - 12 : 0;
    int32_t low = seeded_int(&x->random, 0, 2) ? recent : 0;
    return x->made[seeded_int(&x->random, low, n - 1)];
}

/* Logic works on Booleans: anything else is made one. */
static inline expr pick_for(expressions *x, expr_op op)
{
    expr e = pick(x);
    if (op != EXPR_AND && op != EXPR_OR && op != EXPR_NOT)
        return e;
    return expr_make2(&x->g, EXPR_LT, e, pick(x));
}

static inline expr random_constant(expressions *x)
{
    static const double nice[] = {0.0, 1.0, -1.0, 2.0, 0.5, -3.0, 4.0, 1e-3};
    if (seeded_int(&x->random, 0, 1))
        return expr_constant(&x->g, nice[seeded_int(&x->random, 0, (int32_t)COUNT(nice) - 1)]);
    return expr_constant(&x->g, seeded_uniform(&x->random, -3.0, 3.0));
}

static inline expr random_call(expressions *x)
{
    expr args[3] = {pick(x), pick(x), pick(x)};
    uint32_t n = (uint32_t)seeded_int(&x->random, 0, 3);
    expr_function f = {n, 3, (uint16_t)seeded_int(&x->random, 0, 2)};
    return expr_call(&x->g, f, args, n);
}

/* Operands are picked one by one: C does not say in which order arguments are evaluated. */
static inline expr random_operation(expressions *x, expr_op op)
{
    expr a = pick_for(x, op), b = pick_for(x, op);
    switch (op) {
#define X(name, arity, text)                                                                       \
    case EXPR_##name:                                                                              \
        return (arity) == 1 ? expr_make1(&x->g, op, a) : expr_make2(&x->g, op, a, b);
        EXPR_OP_LIST(X)
#undef X
    default:
        return EXPR_NONE;
    }
}

static inline expr random_if(expressions *x)
{
    expr c = x->smooth ? x->made[0] : pick(x), yes = pick(x), no = pick(x);
    return expr_if(&x->g, c, yes, no);
}

static inline expr random_step(expressions *x)
{
    static const expr_op common[] = {EXPR_ADD, EXPR_SUB, EXPR_MUL, EXPR_DIV, EXPR_NEG};
    int32_t dice = seeded_int(&x->random, 0, 19);
    if (dice < 2)
        return random_constant(x);
    if (dice < 6)
        return random_if(x);
    if (dice < 7 && x->calls)
        return random_call(x);
    if (dice < 13)
        return random_operation(x, common[seeded_int(&x->random, 0, (int32_t)COUNT(common) - 1)]);
    int32_t last = x->smooth ? EXPR_ABS : EXPR_NOT;
    return random_operation(x, (expr_op)seeded_int(&x->random, EXPR_POW, last));
}

static inline void expressions_make(expressions *x, uint32_t seed, bool calls, bool smooth)
{
    *x = (expressions){.random = seeded_begin(seed), .calls = calls, .smooth = smooth};
    assert_true(expr_graph_create(&x->g, NULL, 0));
    for (uint32_t k = 0; k < EXPRESSIONS_VARIABLES; k++) {
        x->made[x->n_made++] = expr_variable(&x->g, k);
        x->values[k] = seeded_uniform(&x->random, -3.0, 3.0);
    }
    x->values[0] = seeded_int(&x->random, 0, 1);
    for (int32_t k = 0; k < EXPRESSIONS_STEPS; k++) {
        expr e = random_step(x);
        x->made[x->n_made++] = e;
    }
    for (int32_t k = 0; k < EXPRESSIONS_ROOTS; k++)
        x->roots[k] = k < 2 ? x->made[x->n_made - 1 - k] : pick(x);
    assert_false(x->g.failed);
}

/* Function `id` has id arguments and three outputs; user, if given, counts calls. */
static inline int expressions_function(void *user, uint32_t id, const double *args, double *outputs)
{
    if (user)
        ++*(long *)user;
    double sum = 1.0;
    for (uint32_t k = 0; k < id; k++)
        sum += args[k] * (k + 1.0);
    for (int k = 0; k < 3; k++)
        outputs[k] = sum * (k + 0.5);
    return 0;
}

/* The same bits; zeros of either sign are told apart, NaNs are not. */
static inline bool expressions_same(double x, double y)
{
    return (isnan(x) && isnan(y)) || memcmp(&x, &y, sizeof x) == 0;
}
#endif
