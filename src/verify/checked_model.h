/* verify/checked_model.h - a run of a model, and others that it is compared with.
 *
 * Responsibility: the rows of the run, and how the runs of verdict.h are made of the same model.
 * Depends on: verdict.h, simulate/simulation.h.                                  */
#ifndef DAEDAL_VERIFY_CHECKED_MODEL_H
#define DAEDAL_VERIFY_CHECKED_MODEL_H

#include "simulate/simulation.h"
#include "verify/verdict.h"

typedef struct checked_model {
    simulation *m;
    const daedal_allocator *allocator;
    simulation_task task;      /* of the run; its rows are observed here                     */
    daedal_simulation request; /* of the run; its callbacks are watched here                 */
    daedal_options options;    /* of the run in question                                     */
    bool is_stopped;           /* a callback of the user asked for it                        */
    bool is_too_long;          /* a run for comparison took too many steps                   */
    int64_t steps_most;

    const daedal_simulation *asked;
    int32_t n;         /* variables that are compared: those that are not constant          */
    int32_t *which;    /* n: their places in a row                                          */
    const char **name; /* n                                                                 */
    bool *is_discrete; /* n */
    double *atol;      /* n                                                                 */
    double *spread;    /* by place in a row: size of the perturbation                       */
    recorded_run rows;
    recorded_run *into; /* of the run under way                                              */
    double *time;       /* of output points of the other runs */
    int32_t n_times;
    block mem;
} checked_model;

/* The task with its rows observed is c->task.  false: out of memory; checked_free in any case. */
bool checked_create(checked_model *c, simulation *m, const simulation_task *task,
                    const daedal_model_info *info);
void checked_free(checked_model *c);
/* After that task was run: make the other runs.  The statuses of verdict_find. */
daedal_status checked_verify(checked_model *c, const simulation_outcome *of,
                             daedal_verification *out);
#endif
