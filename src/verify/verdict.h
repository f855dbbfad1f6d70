/* verify/verdict.h - whether other solutions of the same problem confirm a solution.
 *
 * Responsibility: which runs are made for comparison, and what follows from them
 * (docs/theory/verification.md).  How a run is made is up to the caller.
 * Depends on: run_comparison.h, integ/method.h (names).                           */
#ifndef DAEDAL_VERIFY_VERDICT_H
#define DAEDAL_VERIFY_VERDICT_H

#include "verify/run_comparison.h"

/* A run for comparison. */
typedef struct comparison_run {
    int32_t method;          /* a value of the option                                    */
    double tighter;          /* factor of both tolerances                                */
    const double *tolerance; /* by variable: the equations see values that differ by as much; or
                                NULL: the equations as they are                          */
    int32_t number;          /* of such a run                                            */
} comparison_run;

/* How many steps such a run may take, by those of the solution in question. */
static inline int64_t comparison_steps_most(int64_t steps)
{
    const int64_t factor = 30, more = 20000;
    return factor * steps + more;
}

/* Make a run and record its rows; a failure is explained in *why. */
typedef daedal_status comparison_run_fn(const comparison_run *how, recorded_run *into,
                                        daedal_diagnosis *why, void *user);

typedef struct verified_solution {
    const recorded_run *rows; /* of the solution in question                            */
    const char *const *names; /* by variable, or NULL                                    */
    const char *method;       /* that it was computed with                               */
    double rtol, atol;        /* and with which tolerances                               */
    const double *atol_each;  /* by variable                                             */
    const bool *is_discrete;  /* by variable, or NULL: none is                           */
    comparison_run_fn *run;
    void *user;
    const daedal_allocator *allocator;
} verified_solution;

/* DAEDAL_OK, or DAEDAL_ERR_MEMORY; DAEDAL_STOPPED if a callback asked to stop. */
daedal_status verdict_find(const verified_solution *s, daedal_verification *out);
/* What it says where that was not DAEDAL_OK. */
void verdict_unknown(daedal_verification *out, daedal_status status);
#endif
