/* solver/distributed_run.h - runs of a system whose unknowns are spread over ranks.
 *
 * Responsibility: what such a run does in place of the ordinary start and the ordinary step, which
 * look at entries of matrices and try other methods after failures; that all ranks agree on the
 * options, on the arguments of a call, and on its status.
 * Invariant: every decision that ends or changes a run is made from reduced values, so that all
 * ranks make the same reductions in the same order.
 * Depends on: solver/run.h, consistent/held_states.h.                              */
#ifndef DAEDAL_SOLVER_DISTRIBUTED_RUN_H
#define DAEDAL_SOLVER_DISTRIBUTED_RUN_H

#include "solver/run.h"

static inline bool run_is_distributed(const run *r)
{
    return r->asked.parallel != NULL;
}

/* What cannot work without the whole system in one place is refused; looks at this rank only. */
daedal_status distributed_check(const daedal_system *sys, const daedal_options *opt,
                                daedal_diagnosis *why);

/* The gravest status of all ranks, with the same diagnosis on each of them. */
daedal_status distributed_agree(const daedal_parallel *parallel, daedal_status status,
                                daedal_diagnosis *why);

/* After a creation that succeeded everywhere: whether the ranks were given the same options, and
 * parts that fit together.                                                         */
daedal_status distributed_compare(const daedal_system *sys, const daedal_options *opt,
                                  daedal_diagnosis *why);

/* DAEDAL_ERR_ARGUMENT unless `t`, an argument called `name`, is the same on all ranks. */
daedal_status distributed_same_time(run *r, double t, const char *name);

/* DAEDAL_ERR_ARGUMENT in a distributed run: `what` needs the whole system in one place. */
daedal_status distributed_refuse(run *r, const char *what);

daedal_status distributed_start(run *r, const run_start_values *from);
daedal_status distributed_restart(run *r, const double *y, const double *yp);
daedal_status distributed_step(run *r, double limit);
#endif
