/* newton/modified_newton.h - modified Newton for the implicit equations of one step.
 *
 * Responsibility: solve F(t, y_pred + e, yp_pred + c e) = 0 for e, deciding when the
 * parts of the matrix are evaluated and when they are factored.
 * Depends on: newton/iteration_matrix.h, linalg/vector.h.                    */
#ifndef DAEDAL_NEWTON_MODIFIED_NEWTON_H
#define DAEDAL_NEWTON_MODIFIED_NEWTON_H

#include "newton/iteration_matrix.h"

/* When to stop, when to refactor, when to evaluate anew: the classical DASSL rules, and
 * the thrifty ones with a variant for costly factorizations (docs/theory/newton.md).  */
typedef struct newton_rules {
    double tolerance;                  /* accept when rate/(1 - rate) ||delta|| is below this   */
    double unknown_rate;               /* assumed while no rate has been measured               */
    double least_rate;                 /* a measured rate counts at least this much             */
    double window;                     /* refactor when |c - c_f| / (c + c_f) exceeds this      */
    bool scale_by_c;                   /* multiply corrections by 2/(1 + c/c_f)                 */
    bool forget_rate;                  /* a changed c makes the rate unknown                    */
    bool window_is_rate;               /* |c - c_f|/(c + c_f) bounds the rate from below        */
    bool fresh_parts;                  /* evaluate the parts with every factorization           */
    int32_t single_max;                /* steps in a row that may do with one iteration         */
    int32_t age_max;                   /* steps after which a refactorization evaluates anew    */
    const struct newton_rules *costly; /* instead, where factorizations are dear    */
    const struct newton_rules *krylov; /* instead, where GMRES solves                */
} newton_rules;

extern const newton_rules newton_rules_classic;
extern const newton_rules newton_rules_thrifty;

typedef struct newton_step {
    double t, h, c;
    const double *y_pred, *yp_pred;
    const double *inverse_weight;
    const double *noise; /* roundoff in y: corrections of its norm mean convergence */
    double *y, *yp, *e;  /* the result; e = y - y_pred */
} newton_step;

typedef enum newton_outcome {
    NEWTON_DONE,
    NEWTON_SLOW,  /* no convergence, with parts evaluated at this prediction     */
    NEWTON_RETRY, /* a callback asked for a smaller step, or was not finite      */
    NEWTON_SINGULAR,
    NEWTON_STOP,
    NEWTON_FAIL, /* a callback failed                                           */
    NEWTON_MEMORY
} newton_outcome;

/* What an answer of a callback (daedal_answer), and what a factorization, means for an attempt. */
newton_outcome newton_outcome_of(int answer);
newton_outcome newton_outcome_of_factoring(daedal_status status);

typedef struct newton {
    evaluator *ev;
    iteration_matrix *matrix;
    const newton_rules *rules;
    double rate;      /* last measured convergence rate, < 0 unknown               */
    double c_last;    /* c of the last call                                        */
    double waste;     /* iterations an old matrix has cost so far, in residuals    */
    int32_t single;   /* steps since the rate was measured                         */
    int32_t age;      /* steps since the parts were evaluated                      */
    bool wants_parts; /* evaluate at the next opportunity                          */
    bool parts_are_new;
    double *delta; /* n, borrowed workspace                                     */
} newton;

/* Forget everything learnt: at a start, or when F has changed. */
void newton_reset(newton *nw);

newton_outcome newton_solve(newton *nw, const newton_step *st);
#endif
