/* api/parameter_sweep.h - a sweep under way; shared by model_sweep.c and runs_in_lanes.c.
 *
 * Depends on: api/model_handle.h, threads/crew.h.                                  */
#ifndef DAEDAL_API_PARAMETER_SWEEP_H
#define DAEDAL_API_PARAMETER_SWEEP_H

#include <stdatomic.h>

#include "api/model_handle.h"
#include "threads/crew.h"

typedef struct sweep_lanes sweep_lanes;

/* A variable, or its derivative, by its name in the model of the caller. */
typedef struct named_variable {
    const char *name;
    bool is_slope;
} named_variable;

typedef struct sweep_worker {
    struct sweep_state *shared;
    daedal_model *model;
    daedal_simulation simulation;
    daedal_options options;
    int32_t first_number; /* of the model when the numbers were found              */
    int32_t *varied;      /* numbers of what varies; -1: the model has no such variable now */
    int32_t *kept;        /* places in a row; -1: likewise                          */
    bool *is_set;         /* by what varies: its value of this run                  */
    double *results;
    int32_t point;       /* output point of the last row                           */
    bool is_interrupted; /* the run ended because a callback asked for it          */
    sweep_lanes *lanes;  /* runs_in_lanes.c; NULL: each run by itself                 */
} sweep_worker;

typedef struct sweep_state {
    const daedal_sweep *sweep;
    daedal_model *model;
    daedal_options options; /* of all runs */
    named_variable *varied, *kept;
    double *times;
    int32_t n_points;
    int32_t n_workers;
    sweep_worker *workers;
    crew *crew;
    atomic_int_fast64_t next; /* run to be taken                       */
    atomic_bool is_stopped;
    block mem;
} sweep_state;

/* ---- model_sweep.c ---- */

/* The next run that is to be done, or -1. */
int64_t sweep_next_run(sweep_state *s);
/* Values and simulation of a run, by itself; the results in w->results. */
void sweep_run_one(sweep_worker *w, const double *values, daedal_outcome *outcome);
void sweep_deliver(sweep_worker *w, int64_t number, const double *results,
                   const daedal_outcome *outcome);
/* Whether a callback has asked for an end, asked now. */
bool sweep_is_interrupted(sweep_worker *w);

/* ---- runs_in_lanes.c ---- */

/* If the model and the task allow it, w->lanes for all workers.  DAEDAL_OK, also where they do not.
 * Afterwards the results of some runs in lanes have been compared with those of the same runs by
 * themselves.                                                                     */
daedal_status sweep_lanes_create(sweep_state *s);
void sweep_lanes_free(sweep_worker *w);
/* Do runs until none is left. */
void sweep_lanes_work(sweep_worker *w);
#endif
