/* model/public.h - the public functions for equation models, until they are public.
 *
 * This becomes the last section of daedal.h, and DAEDAL_ERR_MODEL (-16, "the model text is
 * wrong") a row of its table of statuses, as soon as flattening (lang/flat.h) is complete
 * and the modules model and cli are built.
 * Depends on: daedal.h.                                                         */
#ifndef DAEDAL_MODEL_PUBLIC_H
#define DAEDAL_MODEL_PUBLIC_H

#include "daedal.h"

#define DAEDAL_ERR_MODEL ((daedal_status)-16)

/* ---- equation models -------------------------------------------------------- */

/* A model read from equations in a text (Base Modelica, or a flat Modelica model). */
typedef struct daedal_model daedal_model;

typedef struct daedal_setting {
    const char *name;
    double value;
} daedal_setting;

/* What a user changes before a model is built; zero-initialise.  */
typedef struct daedal_model_options {
    const daedal_setting *parameters; /* new values of parameters                  */
    int32_t n_parameters;
    const daedal_setting *starts; /* start values to be kept (fixed)               */
    int32_t n_starts;
    const daedal_allocator *allocator; /* borrowed; NULL: malloc                   */
} daedal_model_options;

/* Read a model from a file, or from `length` bytes of text that messages call `name`.
 * On failure *model is NULL and `message` (size bytes) says what is wrong and where:
 * file:line:column, the line and a caret.  DAEDAL_ERR_MODEL: the text is wrong;
 * DAEDAL_ERR_STRUCTURE: the equations cannot be solved as posed.                */
DAEDAL_API daedal_status daedal_model_read(daedal_model **model, const char *path,
                                           const daedal_model_options *options, char *message,
                                           size_t size);
DAEDAL_API daedal_status daedal_model_parse(daedal_model **model, const char *name,
                                            const char *text, size_t length,
                                            const daedal_model_options *options, char *message,
                                            size_t size);
DAEDAL_API void daedal_model_free(daedal_model *model); /* accepts NULL */

typedef enum daedal_value_type {
    DAEDAL_REAL,
    DAEDAL_INTEGER,
    DAEDAL_BOOLEAN,
    DAEDAL_ENUMERATION
} daedal_value_type;

typedef struct daedal_model_variable {
    const char *name, *unit, *description; /* unit, description: or NULL            */
    daedal_value_type type;
    int32_t is_constant; /* parameters and constants: their value does not change    */
} daedal_model_variable;

/* What is known of a model before it is run.  NAN where its text does not say.  */
typedef struct daedal_model_info {
    const char *name, *description;
    int32_t n_variables; /* everything that can be shown, parameters included       */
    const daedal_model_variable *variables;
    double start_time, stop_time, interval, tolerance; /* annotation experiment      */
    int32_t n_warnings;
    const char *const *warnings;
} daedal_model_info;

DAEDAL_API const daedal_model_info *daedal_model_describe(const daedal_model *model);

/* Structure of the equations. */
typedef struct daedal_model_structure {
    const char *class_name; /* "ODE", "semi-explicit index 1", ...                   */
    int32_t equations, unknowns, states, aliases;
    int32_t index, structural_index, degrees_of_freedom;
    int32_t blocks, largest_block;
    int32_t n_differentiated; /* equations to be differentiated for a start          */
} daedal_model_structure;

DAEDAL_API daedal_status daedal_model_analyze(daedal_model *model,
                                              daedal_model_structure *structure,
                                              daedal_diagnosis *why);

/* One row of a result: values of all variables in the order of the description. */
typedef enum daedal_row_kind {
    DAEDAL_ROW_POINT, /* an output point                                       */
    DAEDAL_ROW_STEP,  /* a step of the integrator                              */
    DAEDAL_ROW_BEFORE_EVENT,
    DAEDAL_ROW_AFTER_EVENT /* the same time as the row before                       */
} daedal_row_kind;

/* DAEDAL_CALL_STOP ends the run. */
typedef int daedal_row_fn(daedal_row_kind kind, double t, const double *values, void *user);

/* Where and how a model is run; zero-initialise. */
typedef struct daedal_simulation {
    double t_start, t_stop;
    int32_t intervals;             /* evenly spaced output points: intervals + 1      */
    daedal_doubles times;          /* instead: just these                             */
    int32_t every_step;            /* instead: every step                             */
    int32_t no_event_rows;         /* output points only                              */
    const daedal_options *options; /* tolerances, method, progress; NULL: defaults   */
    daedal_row_fn *row;
    void *row_user;
} daedal_simulation;

/* The outcome of a run; pointers belong to the model until its next run. */
typedef struct daedal_outcome {
    daedal_status status;
    double t; /* reached */
    daedal_stats stats;
    const char *method, *method_reason;
    double constraint_residual;
    int32_t n_moved; /* start values that were moved: names, guess and value         */
    const char *const *moved_names;
    const double *moved_from, *moved_to;
    daedal_diagnosis diagnosis;
} daedal_outcome;

DAEDAL_API daedal_status daedal_model_simulate(daedal_model *model,
                                               const daedal_simulation *simulation,
                                               daedal_outcome *outcome);

/* The consistent start only: values of all variables at t_start. */
DAEDAL_API daedal_status daedal_model_start(daedal_model *model,
                                            const daedal_simulation *simulation, double *values,
                                            daedal_outcome *outcome);
#endif
