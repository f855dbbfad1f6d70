/* api/model_handle.h - what a daedal_model is.
 *
 * Responsibility: the handle, shared by model_handle.c (reading), model_runs.c (whole runs) and
 * model_stepping.c (runs that the caller drives).
 * Depends on: flatten/, initial/, simulate/.                                      */
#ifndef DAEDAL_API_MODEL_HANDLE_H
#define DAEDAL_API_MODEL_HANDLE_H

#include "flatten/flatten.h"
#include "simulate/simulation.h"

/* A run that the caller drives. */
typedef struct model_stepping {
    daedal_status failed; /* of the call that ended it; DAEDAL_OK: none has               */
    daedal_diagnosis why; /* of that call                                                 */
    bool is_computed;     /* the variables that are computed only for the output are there */
    bool is_finished;     /* terminal() was seen                                          */
    daedal_model_event event;
    const char **relation_text, **when_text; /* of all of them, once they were asked for   */
    const char **relations, **whens;         /* those of the event                         */
    int32_t *when_lines;
} model_stepping;

struct daedal_model {
    daedal_allocator allocator;
    compilation front;
    flat_model *flat;
    model model;
    simulation simulation;
    daedal_incidence incidence; /* once it was asked for: then equations is not NULL */
    daedal_model_info info;
    daedal_model_variable *variables;
    uint32_t *shown;
    int32_t *variable_index;
    const char **warnings, **moved_names;
    simulation_outcome outcome;
    daedal_verification verification;
    char reason[160];        /* of the method */
    model_stepping stepping; /* model_stepping.c */
};

/* ---- model_runs.c ---- */

daedal_status model_check_times(const daedal_simulation *s, daedal_diagnosis *why);
void model_clear_outcome(daedal_model *d, double t_start);
/* The outcome of the run that has just ended. */
void model_report(daedal_model *d, daedal_status status, daedal_outcome *outcome);
/* DAEDAL_ERR_CALL_SEQUENCE while a run that the caller drives is under way. */
daedal_status model_check_idle(const daedal_model *d);
#endif
