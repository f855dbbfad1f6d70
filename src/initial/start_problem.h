/* initial/start_problem.h - the start of a model.
 *
 * Responsibility: from start values, initial equations and the discrete part to values that
 * satisfy the equations and all their needed derivatives.
 * Depends on: compile/model.h, hybrid/, linalg/, graph/, expr/.                   */
#ifndef DAEDAL_INITIAL_INITIAL_H
#define DAEDAL_INITIAL_INITIAL_H

#include "hybrid/discrete.h"

/* A discrete initial equation: x[slot] = root number `root` of the initial program. */
typedef struct initial_rule {
    uint32_t slot;
    size_t root;
    bool late; /* a parameter that says which of several solutions: reads unknowns */
} initial_rule;

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
    size_t n_initial_rows;
    initial_rule *rule;
    size_t n_rules;
    bool has_late_rules;
    program *rules_program;
    uint32_t *free_parameter; /* variables: parameters found by initial equations          */
    size_t n_free;

    /* start values, by unknown: of the variable with the best claim */
    double *start;
    expr *start_of; /* EXPR_NONE: zero                                             */
    double *start_factor;
    uint32_t *start_from; /* the variable */
    bool *start_fixed, *start_given;
    bool *start_said; /* by unknown: an initial equation says what its value is            */

    /* degrees of freedom of the start that no condition closes */
    const char **open_name;
    const char **open_instead; /* what could be fixed instead, or NULL                     */
    int32_t *open_kept;        /* whether their start values were kept                         */
    int32_t n_open;

    struct model_twin *twin; /* with homotopy() mixed, once it was needed                  */
    struct start_rows *rows; /* of the full start-value problem, once it was needed        */
} start_problem;

/* initialization.c */
/* The fields borrowed from the model are set by the caller; start_free in any case. */
daedal_status start_build(start_problem *m);
void start_free(start_problem *m);
daedal_status start_prepare_values(start_problem *m); /* start values, before any equation */
daedal_status start_initialize(start_problem *m);
/* From the values in x: equations, initial equations and the discrete part agree. */
daedal_status start_settle(start_problem *m);

/* block_solve.c: solve what can be solved equation by equation, in x: a first guess. */
void start_forward(start_problem *m);

/* start_attempts.c: the full start-value problem, with initial equations: into x. */
daedal_status start_solve(start_problem *m);

/* start_homotopy.c: guesses in x and m->start from the way along homotopy(actual, simplified);
 * m->why says nothing if there is none.                                          */
daedal_status start_follow_homotopy(start_problem *m);
void start_free_homotopy(start_problem *m);

/* start_levels.c: y in x onto the constraints, by as little as possible. */
daedal_status start_meet_constraints(start_problem *m);

/* start_index.c: the index of the local pencil at a generic point near the start, if the leading
 * unknowns are not determined there although the structure allows it; else -1.   */
int32_t start_check_index(start_problem *m);
#endif
