/* simulate/invariant_watch.h - quantities that should keep their values during a run.
 *
 * Responsibility: equations that were set aside because they follow from the others
 * (reduce/redundant_equations.c) must hold, else the run ends; variables that the caller calls
 * conserved should stay where they began.  Of both the largest deviation is noted.
 * Depends on: compile/, simulate/simulation.h.                                   */
#ifndef DAEDAL_SIMULATE_INVARIANT_WATCH_H
#define DAEDAL_SIMULATE_INVARIANT_WATCH_H

#include "simulate/simulation.h"

typedef struct invariant_watch {
    int32_t n_equations, n_variables;
    program *sides;       /* by equation: the difference of its sides, the size of its terms */
    double *size;         /* by equation: the largest size of its terms so far              */
    const char **text;    /* by equation: for messages                                      */
    uint32_t *variable;   /* the variables; this array and the next one belong to a run     */
    daedal_invariant *at; /* of all, equations first                                        */
    block mem;
} invariant_watch;

/* false: out of memory; invariants_free in any case. */
bool invariants_create(simulation *m);
void invariants_free(simulation *m);

/* A run begins; the values at its start are those that should stay.  invariants_prepare comes
 * before the solver is made.                                                    */
daedal_status invariants_prepare(simulation *m, const simulation_task *task);
daedal_status invariants_begin(simulation *m);

/* After a step that ends at t.  DAEDAL_ERR_INCONSISTENT with *m->why: an equation does not hold. */
daedal_status invariants_check(simulation *m, double t);

void invariants_copy_state(simulation *m, state_copy *s);
#endif
