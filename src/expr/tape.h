/* expr/tape.h - values of many expressions, many times.
 *
 * Responsibility: compile expressions into a run-length tape and evaluate it.  A tape is
 * data: no pointer into the graph, no hidden state, any number of threads with a work
 * array each.  Evaluation allocates nothing.
 * Method: operations whose results are always needed are scheduled so that equal operations
 * stand together (a run: operation, count, first destination, sources); what only a branch
 * of an if needs is kept, with the if, in a unit that a small interpreter executes, so that
 * a branch not taken is never evaluated.  Measured by bench/tape/tape_bench.c.
 *
 * The work array: [0, n_inputs) the inputs, then constants, then results.  src/lanes/ evaluates
 * several points side by side, with loops of its own.
 * Depends on: expr/expression.h, expr/evaluate.h.                                    */
#ifndef DAEDAL_EXPR_TAPE_H
#define DAEDAL_EXPR_TAPE_H

#include "expr/evaluate.h"
#include "threads/crew.h"

typedef struct tape tape;

enum { TAPE_LEVELS = 4 };

/* Where the caller keeps its variables and how often they change. */
typedef struct tape_inputs {
    uint32_t n;                                       /* size of the input area        */
    uint32_t (*place)(void *user, uint32_t variable); /* < n; NULL: the index itself   */
    /* 0 .. TAPE_LEVELS - 1, larger: changes more often (parameters 0, discrete 1,
     * continuous 3, say); NULL: all 0                                                 */
    uint32_t (*level)(void *user, uint32_t variable);
    void *user;
} tape_inputs;

typedef struct tape_setup {
    const expr_graph *g;
    const expr *roots;
    size_t n_roots;
    const uint32_t *target; /* where root k goes in out (copied); NULL: k */
    tape_inputs inputs;
    const daedal_allocator *allocator;
} tape_setup;

/* *out is NULL unless DAEDAL_OK.  DAEDAL_ERR_MEMORY otherwise.                    */
daedal_status tape_create(tape **out, const tape_setup *setup);
void tape_free(tape *t); /* accepts NULL */

typedef struct tape_size {
    size_t n_inputs, n_constants, n_roots;
    size_t work;     /* items of the work array                                     */
    size_t ops;      /* operations, those inside units included                     */
    size_t in_units; /* those inside units                                         */
    size_t runs;
    size_t bytes;
} tape_size;
tape_size tape_measure(const tape *t);

/* Takes the values that live constants of the graph have now.  Work arrays are prepared again. */
void tape_follow(tape *t, const expr_graph *g);

/* Once for every new work array: writes the constants, zeroes the rest.           */
void tape_prepare(const tape *t, double *work);

/* How functions are called, and the answer to give up with: expr_call_fn.         */
typedef struct tape_calls {
    expr_call_fn *call; /* NULL: results are NaN */
    void *user;
    crew *crew; /* threads that share long runs; NULL: none.  Functions are called by one of them */
} tape_calls;

/* The inputs stand in work[0 .. n_inputs).  Computes what depends on variables of
 * `level` and above (the rest is as the last run left it; 0: everything), then writes the
 * roots to out.  Answers 0, or what a call answered.  calls may be NULL.          */
int tape_run(const tape *t, double *work, double *out, uint32_t level, const tape_calls *calls);
#endif
