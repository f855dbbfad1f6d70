/* compile/compiled.h - a reduced model as tapes.
 *
 * Responsibility: a slot for every value; tapes of the residual, the exact sparse Jacobian, the
 * constraints and the computed variables; evaluation at a point; messages with names and values of
 * the model.
 * Owner of compiled_model: this folder.  It is const for the others once it is built; what
 * evaluation changes (values, the Jacobian at a point, the last point without values) stands
 * behind pointers.
 * Depends on: base/, linalg/, expr/, flat/, reduce/.                            */
#ifndef DAEDAL_COMPILE_COMPILED_H
#define DAEDAL_COMPILE_COMPILED_H

#include "base/state_copy.h"
#include "compile/program.h"
#include "compile/values.h"
#include "expr/evaluate.h"
#include "reduce/reduced.h"

/* Constraints as functions of (t, y). */
typedef struct constraint_set {
    int32_t n;
    int32_t *level;
    pattern pattern;
    program *values, *slopes;
} constraint_set;

typedef struct compiled_constraints {
    int32_t *level;
    double *size;      /* by constraint: its residual is relative to it */
    pattern pattern;   /* unknowns that a constraint may move */
    bool *is_constant; /* by entry of the pattern: its slope */
    program *values, *slopes;
    constraint_set held; /* those that the integrator satisfies, if n > 0; else all */
} compiled_constraints;

/* Both parts of the Jacobian, and the point at which they were evaluated last. */
/* An entry of the Jacobian that is a live constant. */
typedef struct live_entry {
    uint32_t place;
    expr e;
} live_entry;

typedef struct compiled_jacobian {
    bool exists;
    program *program;
    pattern pattern, dyp_pattern; /* of both parts; of dF/dy' alone                      */
    double *dy, *dyp; /* by entry of the pattern: what the tape writes, dyp behind dy; entries that
                         are constant stand there already */
    double *dy_kept;  /* copy of both, for points where some derivative is not finite */
    expr *root;       /* entries that are not constant, n_roots */
    uint32_t *target; /* their places in dy and dyp together */
    size_t n_roots;
    live_entry *live; /* constant entries that follow parameters, n_live */
    size_t n_live;
    uint64_t live_version; /* of the parameters they were computed with */
    double *at;            /* t, y, y' where dy and dyp were evaluated */
    bool known;            /* they are valid */
    bool is_finite;        /* and are numbers */
    uint64_t count;        /* evaluations */
    uint64_t version;      /* of the values they were computed with */
} compiled_jacobian;

/* The last point at which the equations were not finite, for the message. */
typedef struct bad_point {
    bool known;
    double t;
    double *x; /* y and y' there */
} bad_point;

/* The values of delays at a point, which the discrete part provides. */
typedef struct delay_source {
    int (*fill)(void *user, double t, const double *y, const double *yp, double *values);
    void *user;
} delay_source;

/* The values of inputs that vary by themselves, at a time: those of all inputs, with derivatives.
 */
typedef struct signal_source {
    void (*fill)(void *user, double t, double *values);
    void *user;
} signal_source;

typedef struct compiled_model {
    const reduced_model *reduced;
    flat_model *flat;
    const daedal_allocator *allocator;
    arena *mem;
    daedal_diagnosis *why;
    model_values *values;
    delay_source *delayed;  /* fill NULL: no delays */
    crew *crew;             /* threads that share the work of tapes; NULL: none */
    signal_source *signals; /* fill NULL: inputs change at events only */

    daedal_reduction reduction; /* as requested, or as stateSelect requires */
    const char **variable_name, **equation_name;
    double *nominal;       /* by unknown */
    bool *is_read;         /* by slot: the equations read it */
    bool *shapes;          /* by slot: a derivative of an equation, or a constraint, reads it */
    bool *slope_is_read;   /* by input: some value or equation contains a derivative of it */
    value_origin *origin;  /* by variable */
    double *row_size;      /* by equation: its residual is relative to it */
    int32_t *state_select; /* by unknown: stateSelect; NULL: all default */
    bad_point *bad;
    program *residuals, *computed_program;
    bool shows_slopes; /* variables that are computed only for the output contain derivatives */
    compiled_constraints *constraints;
    compiled_jacobian *jacobian;
} compiled_model;

/* The fields borrowed from the model (up to why) are set by the caller.  DAEDAL_OK or
 * DAEDAL_ERR_MEMORY; compiled_free in any case.                                  */
daedal_status compiled_build(compiled_model *m);
void compiled_free(compiled_model *m);

int32_t compiled_slot(const compiled_model *m, uint32_t symbol); /* in x, or -1 */
/* The slot of the derivative of a variable, with its factor; slot -1 and NAN: it is not known. */
value_origin compiled_slope_origin(const compiled_model *m, uint32_t variable);

/* ---- evaluation at the current values ---- */

expr_source compiled_source(const compiled_model *m); /* the values of symbols, and functions */
double compiled_evaluate(const compiled_model *m, expr e); /* EXPR_NONE: 0; NAN: no value */
bool compiled_is_known(const compiled_model *m, expr e);   /* reads no unknown */
/* Solve one equation for x[slot]; false: no solution was found, x[slot] is as before. */
bool compiled_solve_one(const compiled_model *m, expr residual, uint32_t slot);
/* The variables that are computed only for the output. */
daedal_status compiled_compute(const compiled_model *m);
/* The largest residual of a constraint, relative to its terms. */
double compiled_constraint_residual(const compiled_model *m);
/* The largest residual of a constraint or of an equation without derivatives, likewise. */
double compiled_algebraic_residual(const compiled_model *m);

/* How sensitive the leading unknowns (y' of states, y of others) are to the equations; large near
 * singular points.  *most: the unknown that is worst determined. */
double compiled_leading_growth(const compiled_model *m, int32_t *most);

/* By how much rounding in the equations may move the unknowns within this time, n values of either
 * sign.  false: that is not known. */
bool compiled_rounding_effect(const compiled_model *m, double span, double *effect);

/* After new values of parameters: what is shown of constants.  Programs notice by themselves. */
void compiled_follow_parameters(compiled_model *m);

/* ---- at any point ---- */

/* Writes the constant entries that follow parameters into both parts, dyp behind dy. */
void compiled_write_live_entries(const compiled_model *m, double *both);
/* Both parts of the Jacobian, into dy and dyp.  A daedal_answer. */
int compiled_evaluate_jacobian(const compiled_model *m, double t, const double *y,
                               const double *yp);
void compiled_keep_bad_point(const compiled_model *m, double t, const double *y, const double *yp);
void compiled_copy_state(const compiled_model *m, state_copy *s); /* all but versions */
/* Discard the stored Jacobian and bad point, before a new run. */
void compiled_forget(const compiled_model *m);

/* Whether constraint i is one that the integrator satisfies, if only some are. */
bool compiled_is_held(const compiled_model *m, int32_t i);

/* All derivatives of the constraints that the integrator satisfies, with their pattern; the caller
 * frees both, after a failure too.                                               */
expr_outcome compiled_complete_slopes(const compiled_model *m, pattern *p, program **to);

/* The option `constraint_method` of the solver of this model. */
int32_t compiled_constraint_method(const compiled_model *m);

/* ---- messages ---- */

/* Add the text and the values of the equation to a diagnosis of the solver. */
void compiled_explain(const compiled_model *m, daedal_diagnosis *why);
/* At the current values; e is the residual of `name`. */
daedal_status compiled_fail_not_finite(const compiled_model *m, expr e, const char *name);
/* A function called by the model answered RETRY, STOP or FAIL. */
daedal_status compiled_fail_call(const compiled_model *m, int answer);
/* Relation or rounding number k of the memories, with its line, in buffer. */
const char *compiled_relation_text(const compiled_model *m, size_t k, char *buffer, size_t size);
const char *compiled_constraint_text(const compiled_model *m, int32_t i, char *text, size_t size);

/* ---- inside the folder ---- */

bool compiled_add_constraints(compiled_model *m);
bool compiled_add_computed(compiled_model *m);
daedal_status compiled_add_jacobian(compiled_model *m);
#endif
