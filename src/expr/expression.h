/* expr/expression.h - one hash-consed graph of all expressions of a compilation.
 *
 * Responsibility: build, simplify, query and rebuild expressions.  An expression is a
 * 32-bit id; equal expressions have equal ids.  Passes over them: expr/walk.h; text:
 * expr/print.h; values: expr/evaluate.h and expr/tape.h; derivatives: expr/derive.h.
 * Invariant: operands have smaller ids than what uses them, so a loop over ids is a
 * topological order.  Ids and the order of everything depend on the calls alone.
 * Out of memory: every maker returns EXPR_NONE, accepts EXPR_NONE as operand (and returns
 * it), and graph->failed stays set; check it once at the end of a phase.
 *
 * The graph knows no types: Booleans are 0 and 1, anything but 0 is true.  It knows no
 * kinds of variables either: a variable is an opaque 32-bit index of the caller, who
 * gives time, unknowns, their derivatives, parameters and frozen relations different ones.
 * Depends on: base/memory.h.                                                    */
#ifndef DAEDAL_EXPR_EXPRESSION_H
#define DAEDAL_EXPR_EXPRESSION_H

#include "base/memory.h"

typedef uint32_t expr;
#define EXPR_NONE ((expr)0)

/* X(name, number of operands, name in the modeller's notation) */
#define EXPR_OP_LIST(X)                                                                            \
    X(CONST, 0, "")                                                                                \
    X(VAR, 0, "")                                                                                  \
    X(ADD, 2, "+")                                                                                 \
    X(SUB, 2, "-")                                                                                 \
    X(MUL, 2, "*")                                                                                 \
    X(DIV, 2, "/")                                                                                 \
    X(NEG, 1, "-")                                                                                 \
    X(POW, 2, "^")                                                                                 \
    X(SIN, 1, "sin")                                                                               \
    X(COS, 1, "cos")                                                                               \
    X(TAN, 1, "tan")                                                                               \
    X(ASIN, 1, "asin")                                                                             \
    X(ACOS, 1, "acos")                                                                             \
    X(ATAN, 1, "atan")                                                                             \
    X(ATAN2, 2, "atan2")                                                                           \
    X(SINH, 1, "sinh")                                                                             \
    X(COSH, 1, "cosh")                                                                             \
    X(TANH, 1, "tanh")                                                                             \
    X(EXP, 1, "exp")                                                                               \
    X(LOG, 1, "log")                                                                               \
    X(LOG10, 1, "log10")                                                                           \
    X(SQRT, 1, "sqrt")                                                                             \
    X(ABS, 1, "abs")                                                                               \
    X(SIGN, 1, "sign")                                                                             \
    X(MIN, 2, "min")                                                                               \
    X(MAX, 2, "max")                                                                               \
    X(FLOOR, 1, "floor")                                                                           \
    X(CEIL, 1, "ceil")                                                                             \
    X(INTEGER, 1, "integer") /* the largest integer not above: floor */                            \
    X(IDIV, 2, "div")        /* quotient towards zero                */                            \
    X(MOD, 2, "mod")         /* x - floor(x/y)*y                     */                            \
    X(REM, 2, "rem")         /* x - div(x, y)*y                      */                            \
    X(LT, 2, "<")                                                                                  \
    X(LE, 2, "<=")                                                                                 \
    X(GT, 2, ">")                                                                                  \
    X(GE, 2, ">=")                                                                                 \
    X(EQ, 2, "==")                                                                                 \
    X(NE, 2, "<>")                                                                                 \
    X(AND, 2, "and")                                                                               \
    X(OR, 2, "or")                                                                                 \
    X(NOT, 1, "not")                                                                               \
    X(IF, 3, "if")                                                                                 \
    X(CALL, 0, "")   /* a function of the caller; its value is output 0    */                      \
    X(OUTPUT, 1, "") /* output b >= 1 of the call a                        */

typedef enum expr_op {
#define X(name, arity, text) EXPR_##name,
    EXPR_OP_LIST(X)
#undef X
        EXPR_N_OPS
} expr_op;

/* What occurs in an expression, itself included. */
enum {
    EXPR_HAS_VARIABLE = 1, /* else its value is fixed (and not folded only if not finite) */
    EXPR_HAS_IF = 2,       /* also min and max: gradients are joined there */
    EXPR_HAS_CALL = 4,
    EXPR_HAS_LIVE = 8,   /* a live constant */
    EXPR_IS_FROZEN = 16, /* of one formula alone: its value was taken as a number */
};

/* CONST: a, b are the bits, c the formula of a live constant or 0.  VAR: a is the index.  CALL: a
 * offset of the arguments in the pool, b their number, c the function, n its number of outputs.
 * OUTPUT: a, b.   */
typedef struct expr_node {
    uint8_t op, flags;
    uint16_t n;
    uint32_t a, b, c;
} expr_node;

typedef struct expr_slot {
    uint32_t id, tag;
} expr_slot;

/* How passes over the graph end. */
typedef enum expr_outcome {
    EXPR_OK = 0,
    EXPR_NOT_DIFFERENTIABLE = -1, /* a call without known derivative       */
    EXPR_NO_MEMORY = -2,
    EXPR_STOPPED = -3, /* the receiver of emitted text gave up             */
    EXPR_NO_NAME = -4  /* a call of a function that has no name in C       */
} expr_outcome;

/* A formula of parameters whose value decided something: it must keep this value. */
typedef struct expr_frozen {
    expr formula;
    double value;
} expr_frozen;

typedef struct expr_graph {
    expr_node *node; /* by id; node[0] is not an expression */
    uint32_t n;      /* ids are 1 .. n - 1 */
    size_t capacity;
    uint32_t *pool; /* arguments of calls */
    size_t n_pool, pool_capacity;
    expr_slot *slot; /* open addressing, load at most one half */
    size_t n_slots;  /* power of two; 0: see expr_graph_rest */
    expr *live;      /* live constants, ascending */
    size_t n_live, live_capacity;
    uint64_t live_version; /* how often their values changed */
    expr_frozen *frozen;
    size_t n_frozen, frozen_capacity;
    const daedal_allocator *allocator;
    bool failed; /* out of memory at some time */
} expr_graph;

/* `expected` nodes get room at once (0 is fine).  false: out of memory.         */
bool expr_graph_create(expr_graph *g, const daedal_allocator *allocator, size_t expected);
/* Gives the table back by which nodes are found; the next maker makes it again. */
void expr_graph_rest(expr_graph *g);
void expr_graph_free(expr_graph *g); /* accepts a zeroed or half-built graph     */

/* ---- makers --------------------------------------------------------------------
 * Simplified as they are made; the table of rules stands in expr/simplify.c.  In short:
 * no rule changes a value beyond roundoff; constants fold only to finite values, so
 * log(-1) and 1/0 stay and can be named; x - x and 0*x become 0 (unless a call is inside),
 * x/x and 0/x stay.                                                             */
expr expr_constant(expr_graph *g, double value); /* -0.0 becomes 0.0 */
expr expr_variable(expr_graph *g, uint32_t index);
expr expr_make1(expr_graph *g, expr_op op, expr a);
expr expr_make2(expr_graph *g, expr_op op, expr a, expr b);
expr expr_if(expr_graph *g, expr condition, expr yes, expr no);

/* Output number `output` of function `f` with n_outputs outputs.  All outputs of one call
 * with the same arguments are computed together.                                */
typedef struct expr_function {
    uint32_t id;
    uint16_t n_outputs, output;
} expr_function;
expr expr_call(expr_graph *g, expr_function f, const expr *args, uint32_t n_args);

/* The same operation on other operands (for n operands as expr_operands gives them).
 * `like` may belong to another graph, the operands belong to g and do not stand in its
 * pool.                                                                          */
expr expr_remake(expr_graph *g, const expr_graph *from, expr like, const expr *operands);

static inline expr expr_add(expr_graph *g, expr a, expr b)
{
    return expr_make2(g, EXPR_ADD, a, b);
}
static inline expr expr_sub(expr_graph *g, expr a, expr b)
{
    return expr_make2(g, EXPR_SUB, a, b);
}
static inline expr expr_mul(expr_graph *g, expr a, expr b)
{
    return expr_make2(g, EXPR_MUL, a, b);
}
static inline expr expr_div(expr_graph *g, expr a, expr b)
{
    return expr_make2(g, EXPR_DIV, a, b);
}
static inline expr expr_pow(expr_graph *g, expr a, expr b)
{
    return expr_make2(g, EXPR_POW, a, b);
}
static inline expr expr_neg(expr_graph *g, expr a)
{
    return expr_make1(g, EXPR_NEG, a);
}

/* ---- live constants -------------------------------------------------------------
 * The value of a parameter and everything folded from such values: constants that remember the
 * formula they came from, so that a new value of the parameter can be put into what was built
 * from them (expr/live.h).  To all makers and passes they are constants; equal formulas give equal
 * ids, equal values do not.  What depends on the value of one (a branch that is chosen, a size, an
 * exponent that becomes a product) freezes it: the parameter then decides the structure.  A live
 * constant is a normal number: 0 in particular is an ordinary constant with a frozen formula. */

/* The constant that the formula, which contains live constants or is the variable of a parameter,
 * has as its value. */
expr expr_live_constant(expr_graph *g, double value, expr formula);
static inline bool expr_is_live(const expr_graph *g, expr e)
{
    return g->node[e].op == EXPR_CONST && g->node[e].c != 0;
}
static inline expr expr_live_formula(const expr_graph *g, expr e)
{
    return g->node[e].c;
}
/* The same number as an ordinary constant; a live one is frozen. */
expr expr_settled(expr_graph *g, expr e);

/* ---- queries ------------------------------------------------------------------- */
static inline expr_op expr_op_of(const expr_graph *g, expr e)
{
    return (expr_op)g->node[e].op;
}
static inline bool expr_has(const expr_graph *g, expr e, unsigned flags)
{
    return (g->node[e].flags & flags) != 0;
}
static inline bool expr_is_constant(const expr_graph *g, expr e)
{
    return g->node[e].op == EXPR_CONST;
}
static inline bool expr_is_variable(const expr_graph *g, expr e)
{
    return g->node[e].op == EXPR_VAR;
}
/* Of a variable. */
static inline uint32_t expr_index(const expr_graph *g, expr e)
{
    return g->node[e].a;
}
/* The value of a constant, to decide something with: a live constant is frozen by it. */
double expr_value(expr_graph *g, expr e);
/* Whether it is the constant `value`; a live constant is frozen if so.  Live constants are not 0.
 */
bool expr_is_value(expr_graph *g, expr e, double value);
/* The value of a constant now.  Who keeps it follows the changes of live constants. */
double expr_value_now(const expr_graph *g, expr e);
const char *expr_op_text(expr_op op);

/* Number of operands, and where they stand, in order, until the next maker.  An output's
 * operand is its call.                                                           */
uint32_t expr_operands(const expr_graph *g, expr e, const expr **operands);

/* Of a call or an output: function, number of outputs, which one. */
expr_function expr_function_of(const expr_graph *g, expr e);
#endif
