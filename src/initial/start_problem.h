/* initial/start_problem.h - the start of a model.
 *
 * Responsibility: from start values, initial equations and the discrete part to values that
 * satisfy the equations and all their needed derivatives.
 * Owner of start_problem: this folder.
 * Depends on: reduce/, compile/, hybrid/, linalg/, graph/, expr/.                */
#ifndef DAEDAL_INITIAL_START_PROBLEM_H
#define DAEDAL_INITIAL_START_PROBLEM_H

#include "hybrid/discrete.h"

/* A discrete initial equation: x[slot] = root number `root` of the initial program. */
typedef struct initial_rule {
    uint32_t slot;
    size_t root;
    bool late; /* a parameter whose value depends on unknowns: evaluated after the first solution */
} initial_rule;

/* Derivatives of algebraic unknowns that initial equations contain (start_slopes.c). */
typedef struct start_slopes {
    bool *is_wanted;      /* by unknown: algebraic, and its derivative is an unknown of the start */
    expr *row;            /* derivatives of equations that determine them                        */
    int32_t *equation;    /* of which each is the derivative                                     */
    int32_t n;            /* rows, as many as wanted unknowns                                    */
    const char *obstacle; /* why they cannot be determined, or NULL                              */
} start_slopes;

typedef struct start_problem {
    /* borrowed from the model as a whole */
    const reduced_model *reduced;
    const compiled_model *compiled;
    discrete_part *discrete;
    model_values *values;
    flat_model *flat;
    const daedal_allocator *allocator;
    arena *mem;
    daedal_diagnosis *why;
    const message_log *log;

    /* initial equations */
    expr *initial_row;    /* residuals of the continuous ones, n_initial_rows              */
    uint32_t *initial_of; /* the flat_initial of each                                      */
    bool *is_read;        /* by slot: an initial equation reads it                         */
    size_t n_initial_rows;
    start_slopes *slopes;
    initial_rule *rule;
    size_t n_rules;
    bool has_late_rules;
    program *rules_program;
    uint32_t *free_parameter; /* variables: parameters found by initial equations          */
    size_t n_free;

    /* start values, by unknown: of the variable with the highest priority */
    double *start;
    expr *start_of; /* EXPR_NONE: zero                                             */
    double *start_factor;
    uint32_t *start_from; /* the variable */
    bool *start_fixed, *start_given;
    int *start_priority;
    double *override; /* by variable: a start value of the caller, kept; NAN: none; or NULL */
    bool *given_by_initial_equation; /* by unknown */

    /* degrees of freedom of the start that no condition determines */
    const char **open_name;
    const char **open_instead; /* what could be fixed instead, or NULL                     */
    int32_t *open_kept;        /* 1: the start value was kept                              */
    int32_t n_open;

    struct homotopy_model *homotopy_model; /* with homotopy() as a mixture, once it was needed */
    struct start_rows *rows; /* of the full start-value problem, once it was needed        */
} start_problem;

/* initialization.c */
/* The fields borrowed from the model are set by the caller; start_free in any case. */
daedal_status start_build(start_problem *m);
void start_free(start_problem *m);
daedal_status start_prepare_values(start_problem *m); /* start values, before any equation */
daedal_status start_initialize(start_problem *m);
/* What a report on a large start reads of the structure of the equations, while there is room:
 * before the solver takes its memory.  DAEDAL_ERR_MEMORY. */
daedal_status start_foresee_report(start_problem *m);
/* From the values in x: make equations, initial equations and the discrete part consistent. */
daedal_status start_settle(start_problem *m);

/* The start value of a variable of the next runs, kept as with fixed = true; NAN: as written.
 * DAEDAL_ERR_ARGUMENT, without a message: it is computed from others.             */
daedal_status start_override(start_problem *m, uint32_t variable, double value);
bool start_is_overridden(const start_problem *m, uint32_t variable);
double start_written(const start_problem *m, uint32_t variable); /* or given by the caller */

/* start_modes.c: after start_settle has failed numerically, or found a singular mode: another mode
 * in which it succeeds.  Where *found is false then, the values are those of the last trial, and
 * the status and the diagnosis those from before.  at_equality: operands that are equal agree with
 * both values of their relation. */
daedal_status start_search_modes(start_problem *m, daedal_status status, bool at_equality,
                                 bool *found);
/* True if there are state relations, and the equations do not determine derivatives and algebraic
 * unknowns in the mode that they give. */
bool start_is_singular(start_problem *m);

/* start_slopes.c: m->slopes, from the initial rows.  false: out of memory. */
bool start_find_slopes(start_problem *m);
/* The derivative of this unknown occurs in the equations, or in initial equations. */
bool start_has_slope(const start_problem *m, int32_t unknown);

/* block_solve.c: a first guess in x, by solving block by block. */
void start_forward(start_problem *m);

/* start_attempts.c: the full start-value problem, with initial equations: into x. */
/* is_mode_known: the relations have the values that an earlier solution gave them, and keep them.
 */
daedal_status start_solve(start_problem *m, bool is_mode_known);

/* start_homotopy.c: guesses in x and m->start, by continuation from simplified to actual equations;
 * m->why stays empty if that fails.                                          */
daedal_status start_follow_homotopy(start_problem *m);
void start_free_homotopy(start_problem *m);

/* start_levels.c: move y in x onto the constraints by the smallest change. */
daedal_status start_satisfy_constraints(start_problem *m);
/* The same at an event, for a discrete_hooks: the marked unknowns keep their values while the
 * others can follow; otherwise an impulse moves all.                                    */
daedal_status start_satisfy_after_reinit(void *start, const bool *is_set);

/* start_index.c: the index of the local pencil at a generic point near the start, if the leading
 * unknowns are not determined there although the structure allows it; else -1.   */
int32_t start_check_index(start_problem *m);
/* True if the equations of this mode determine all unknowns, though some of them perhaps only when
 * they are differentiated: their local pencil is regular. */
bool start_is_determined(start_problem *m);

/* Why a row of the start cannot be satisfied: values that were fixed, or the equations themselves.
 * of_states: the row is a constraint among states, or a condition.  start_conflict.c */
daedal_cause start_cause_of_row(const start_problem *m, bool of_states);
#endif
