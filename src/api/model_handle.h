/* api/model_handle.h - what a daedal_model is.
 *
 * Responsibility: the handle, shared by model_handle.c (reading), model_runs.c (whole runs),
 * model_stepping.c (runs that the caller drives) and model_rebuild.c (the model read again with
 * other parameters).  After that `now` of the handle is another one, which no caller holds; all
 * functions of the interface work on it.
 * Depends on: flatten/, initial/, simulate/.                                      */
#ifndef DAEDAL_API_MODEL_HANDLE_H
#define DAEDAL_API_MODEL_HANDLE_H

#include "api/model_text.h"
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

/* Values of parameters, by name. */
typedef struct model_settings {
    arena mem; /* of everything here */
    daedal_setting *at;
    int32_t n;
} model_settings;

struct daedal_model {
    daedal_allocator allocator;
    struct daedal_model *now; /* the model in use: this one, or one that was made of its text  */
    daedal_model_options options; /* it was read with; copies                                  */
    model_settings settings;      /* with which `now` was read, those in the options included  */
    int32_t first_number;         /* of the variables: that of the first one                   */
    bool has_moved;               /* parameters have other values than those it was read with  */
    compilation front;
    const ast_file *text; /* syntax of the flat model */
    bool is_instantiated; /* from a text with components */
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

/* ---- model_handle.c ---- */

/* As daedal_model_read. */
daedal_status model_make(daedal_model **handle, const text_source *from,
                         const daedal_model_options *o, char *message, size_t size);

/* ---- model_rebuild.c ---- */

/* Read the model again with the parameters as they are, and n of them changed; NAN: as it was read
 * first.  Start values and inputs that were set are kept.  On failure nothing has changed, and the
 * diagnosis says why.  Not while a run is under way.                              */
daedal_status model_rebuild(daedal_model *handle, const daedal_setting *changed, int32_t n);
/* The same after a start has failed, if parameters have other values than those the model was read
 * with: the equations may be others with these.  true: it was read again.          */
bool model_refresh(daedal_model *handle);
/* Another model that begins as this one: the same text, options, parameters, start values and
 * inputs.  On failure *twin is NULL, and the diagnosis of the handle says why.        */
daedal_status model_twin(daedal_model *handle, daedal_model **twin);
/* Whether two handles were made of the same text with the same options and parameters, apart from
 * parameters that were set without reading again.                                 */
bool model_is_twin(const daedal_model *a, const daedal_model *b);

/* ---- model_runs.c ---- */

daedal_status model_check_times(const daedal_simulation *s, daedal_diagnosis *why);
void model_clear_outcome(daedal_model *d, double t_start);
/* The outcome of the run that has just ended. */
void model_report(daedal_model *d, daedal_status status, daedal_outcome *outcome);
/* DAEDAL_ERR_CALL_SEQUENCE while a run that the caller drives is under way. */
daedal_status model_check_idle(const daedal_model *d);
#endif
