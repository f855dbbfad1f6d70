/* reduce/repair.h - systems whose numbers contradict their structure.
 *
 * Responsibility: test whether the system Jacobian (the derivatives with respect to the leading
 * unknowns x_j^(d_j), [Pry01]) is regular at a generic point; where it is not, replace one
 * equation by a combination of equations with constant coefficients in which the leading
 * unknowns cancel, so that the structural index is right ([TNP17]'s LC method;
 * docs/theory/index-reduction.md).
 * Depends on: reduce/equations.h, graph/signature.h, linalg/.                */
#ifndef DAEDAL_REDUCE_REPAIR_H
#define DAEDAL_REDUCE_REPAIR_H

#include "expr/derive.h"
#include "expr/evaluate.h"
#include "graph/signature.h"
#include "reduce/equations.h"

typedef struct repair_task {
    equations *system; /* its residuals may be rewritten */
    const signature *offsets;
    /* Values of all symbols at generic point number 0 or 1. */
    double (*value)(void *user, int sample, uint32_t symbol);
    expr_call_fn *call;
    expr_partials partials;
    /* The total time derivative; EXPR_NONE: there is none. */
    expr (*derivative)(void *user, expr e);
    /* True if the symbol changes at events: dependence on it need not hold at other times. */
    bool (*switches)(void *user, uint32_t symbol);
    /* Move the points onto solutions of the equations; false: they stay.  keep_states: only
     * unknowns without derivatives and the derivatives move.  May be NULL. */
    bool (*settle)(void *user, bool keep_states);
    void *user;
    const daedal_allocator *allocator;
    /* from repair_open: too expensive to be made for each of many parts */
    expr_deriver *deriver;
    expr_substituter *substituter;
    expr_walker *walker; /* of the substituter */
    int32_t *column;     /* by unknown: its column in the current part, or -1 */
} repair_task;

/* false: out of memory; repair_close in any case. */
bool repair_open(repair_task *task);
void repair_close(repair_task *task);

/* True if the expression chooses between branches, or reads values that change at events. */
bool repair_is_switching(const repair_task *task, expr e);

typedef enum repair_verdict {
    REPAIR_NOT_NEEDED, /* regular, or too large, or singular in one mode only           */
    REPAIR_DONE,       /* one equation was rewritten: analyse again                 */
    REPAIR_IMPOSSIBLE, /* singular, and no constant combination helps               */
    REPAIR_NO_MEMORY
} repair_verdict;

enum { REPAIR_MAX = 300 }; /* unknowns */

/* Equations whose derivatives with respect to the leading unknowns depend on one another, with
 * REPAIR_DONE and REPAIR_IMPOSSIBLE.  No c is smaller than that of the last one.   */
typedef struct repair_set {
    int32_t *row, n_rows;
    int32_t *col, n_cols; /* n_rows - 1 unknowns that the others can be solved for */
} repair_set;

/* Equations, and the same number of unknowns, which contain all their leading entries. */
typedef struct repair_part {
    const int32_t *row, *col;
    const int32_t *of; /* by place in these lists: number of its diagonal block */
    int32_t n;
} repair_part;

/* Of dependent equations, the last one of the part with the least c is replaced; the parts that
 * others need should come first.  The lists of `found` are the caller's: room for all equations of
 * the part in each.                                                 */
repair_verdict repair_once(const repair_task *task, const repair_part *part, repair_set *found);

/* True if the diagonal block is singular, without leading entries in other columns; false also if
 * it cannot be evaluated.                                                             */
bool repair_is_singular(const repair_task *task, const repair_part *part);

/* True if the unknown occurs in the row as x_j^(d_j - c_i). */
bool repair_is_leading(const repair_task *task, int32_t row, equations_place at);
/* f^(times); EXPR_NONE: a derivative does not exist. */
expr repair_differentiate(const repair_task *task, expr e, int32_t times);
#endif
