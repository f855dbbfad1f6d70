/* clocks/clocks.h - clocked equations: what the operators of clocks become at events.
 *
 * Responsibility: every call of a clock operator is an entry of a `clock_list` and stands in
 * expressions as a hidden variable.  When all equations are known, variables that occur in one
 * equation belong to one partition (partitions.c), the clock of every partition follows from the
 * constructors and the operators between partitions (grids.c, ticks.c), and the equations of
 * clocked partitions become assignments that are active at the ticks (clocked_equations.c).
 * Invariant: a clocked variable has its start value before the first tick, and the value of the
 * last tick afterwards.
 * Depends on: symbolic/context.h, graph/.                                           */
#ifndef DAEDAL_CLOCKS_CLOCKS_H
#define DAEDAL_CLOCKS_CLOCKS_H

#include "symbolic/context.h"

typedef enum clock_kind {
    CLOCK_EXACT,    /* Clock(counter, resolution): every counter / resolution seconds */
    CLOCK_REAL,     /* Clock(interval)                                                */
    CLOCK_EVENT,    /* Clock(condition, interval): where the operand becomes true     */
    CLOCK_INFERRED, /* Clock()                                                        */
    CLOCK_METHOD,   /* Clock(operand, method)                                         */
    CLOCK_SAMPLE,
    CLOCK_HOLD,
    CLOCK_PREVIOUS,
    CLOCK_SUB,   /* counter: the factor, 0 if it is to be found */
    CLOCK_SUPER, /* the same                                    */
    CLOCK_SHIFT, /* by counter / resolution intervals           */
    CLOCK_BACK,
    CLOCK_FREE, /* noClock(operand) */
    CLOCK_INTERVAL,
    CLOCK_FIRST /* firstTick() */
} clock_kind;

/* How derivatives in a clocked partition are computed. */
typedef enum clock_method {
    CLOCKED_WITHOUT_METHOD,
    CLOCKED_BY_EXPLICIT_EULER,
    CLOCKED_BY_IMPLICIT_EULER,
    CLOCKED_BY_IMPLICIT_TRAPEZOID
} clock_method;

typedef struct clock_operator {
    clock_kind kind;
    uint32_t result;             /* the variable that stands for the call          */
    expr operand, interval;      /* EXPR_NONE: none                                */
    uint32_t clock;              /* of sample(u, clock): its variable, or FLAT_NONE */
    int64_t counter, resolution; /* see clock_kind                                 */
    clock_method method;
    source_at at, end;
} clock_operator;

/* An equation inside `when clock then`. */
typedef struct clock_member {
    expr left, right;
    uint32_t clock;
} clock_member;

typedef struct clock_list {
    clock_operator *item;
    size_t n, capacity;
    clock_member *member;
    size_t n_members, member_capacity;
    bool *is_clocked; /* by variable, after clocks_finish; or NULL */
    size_t n_variables;
} clock_list;

/* The variable that stands for a new operator, as an expression; EXPR_NONE: out of memory. */
expr clocks_add(context *in, clock_operator op, flat_type kind);
void clocks_add_member(context *in, clock_member m);

/* An equation that a clocked partition may contain. */
typedef struct clock_equation {
    expr left, right;
    base_type base; /* of its sides */
    source_at at, end;
    bool is_done; /* it has become an assignment, or its sides are clocks */
} clock_equation;

/* What the flattener does for the equations. */
typedef struct clock_hooks {
    /* The expression that is true in the one moment in which the condition becomes true. */
    expr (*fires)(void *user, expr condition, source_at at);
    void (*assign)(void *user, uint32_t variable, expr e, source_at at, source_at end);
    bool (*is_assigned)(void *user, uint32_t variable);
    void *user;
} clock_hooks;

/* Rewrites the equations and assignments of clocked partitions.  Equations of loops stay, changed;
 * those that are added to the model are Real and stand behind the others in m->equations. */
void clocks_finish(context *in, const clock_hooks *hooks, clock_equation *equation, size_t n);
bool clocks_own(const context *in, uint32_t variable); /* it belongs to a clocked partition */
#endif
