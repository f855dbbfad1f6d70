/* expr/terms.c - see terms.h. */
#include "expr/terms.h"

enum { NESTED_MAX = 8 }; /* sums in right operands of sums: deeper ones count as one term */

static void visit(const expr_graph *g, expr sum, int nested, expr_term_fn *call, void *user)
{
    const expr *operands;
    while (expr_op_of(g, sum) == EXPR_ADD || expr_op_of(g, sum) == EXPR_SUB ||
           expr_op_of(g, sum) == EXPR_NEG) {
        if (expr_operands(g, sum, &operands) == 2) {
            expr left = operands[0], right = operands[1];
            if (nested < NESTED_MAX)
                visit(g, right, nested + 1, call, user);
            else
                call(right, user);
            sum = left;
        } else {
            sum = operands[0];
        }
    }
    call(sum, user);
}

void expr_each_term(const expr_graph *g, expr sum, expr_term_fn *call, void *user)
{
    visit(g, sum, 0, call, user);
}

typedef struct size_sum {
    expr_graph *g;
    expr size;
} size_sum;

static void add_size(expr term, void *user)
{
    size_sum *s = user;
    s->size = expr_add(s->g, s->size, expr_make1(s->g, EXPR_ABS, term));
}

expr expr_size_of_terms(expr_graph *g, expr sum)
{
    size_sum s = {g, expr_constant(g, 0.0)};
    expr_each_term(g, sum, add_size, &s);
    return s.size;
}
