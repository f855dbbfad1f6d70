/* reduce/reduced.h - the equations of a model, reduced to a system of index one at most.
 *
 * Responsibility: from the flat model to the equations that are solved: variables that are
 * copies of others or constants are eliminated, the structure is analysed, equations are
 * rewritten where numbers contradict the structure (repairs.h), differentiated where the index is
 * above one, and explicit variables are taken out (docs/theory/index-reduction.md).
 * Owner of reduced_model: this folder.  It is const for the others once it is built, except for
 * reduced_find_numeric_index and reduced_check_runnable, which add the numeric index on demand.
 * Depends on: base/, graph/, expr/, flat/.                                      */
#ifndef DAEDAL_REDUCE_REDUCED_H
#define DAEDAL_REDUCE_REDUCED_H

#include "base/arena.h"
#include "base/pattern.h"
#include "base/status.h"
#include "expr/walk.h"
#include "flat/flat.h"
#include "reduce/alias.h"
#include "reduce/analysis.h"

/* The options of the reduction. */
typedef struct model_setup {
    const daedal_allocator *allocator;
    daedal_reduction reduction;
    daedal_levels levels;
    double baumgarte; /* rate; 0: to be chosen */
} model_setup;

/* Which rows determine which unknowns, in an order in which they can be solved: block b has
 * the rows row[start[b]] .. row[start[b + 1] - 1] and as many columns.          */
typedef struct model_order {
    int32_t *row, *column, *start;
    int32_t n_blocks;
} model_order;

static inline int32_t order_size(const model_order *o, int32_t b)
{
    return o->start[b + 1] - o->start[b];
}

/* f^(order) of an equation that was differentiated more often: it follows from the
 * differentiated equation, but only if the integrator keeps it.                 */
typedef struct model_constraint {
    expr value;
    uint32_t equation;
    int32_t order;
    int32_t level; /* order - times differentiated: below 0, the most negative first */
    int32_t row;   /* of the highest derivative; -1: it is no equation of the system   */
} model_constraint;

/* In the list of equations: the derivative of this variable is the next variable. */
#define EQUATION_OF_DERIVATIVE (1u << 31)
/* The number belongs to an equation that was set aside as redundant. */
#define EQUATION_REDUNDANT (1u << 30)

/* A variable that is computed for the output: its value in terms of the others. */
typedef struct computed_variable {
    uint32_t variable, equation;
    expr value;
} computed_variable;

typedef struct reduced_model {
    /* borrowed from the model as a whole */
    flat_model *flat;
    const daedal_allocator *allocator;
    arena *mem;
    arena *scratch; /* what is needed during the reduction only; freed at its end */
    daedal_diagnosis *why;
    model_setup setup;
    expr_walker *walker; /* working memory, in proportion to the graph */

    /* the variables as written */
    size_t variable_room; /* of all tables by variable, once some were added          */
    int32_t *unknown_of;  /* by variable: number among the unknowns as written, or -1 */
    uint32_t *unknown;    /* their variables                                          */
    int32_t n_unknowns;
    int32_t *discrete_of;        /* by variable, or -1 */
    uint32_t *discrete_variable; /* n_discrete */
    int32_t n_discrete;
    alias_outcome *aliases;
    int32_t *variable_index; /* by unknown as written */

    /* the system that is solved */
    int32_t n;               /* unknowns and equations; may be 0                              */
    int32_t n_rows;          /* while the structure is analysed: may differ from n            */
    int32_t n_system;        /* max(n, 1): a model without unknowns has one that is constant  */
    uint32_t *variable;      /* of each unknown                                               */
    int32_t *column;         /* by variable: its unknown, or -1                               */
    uint32_t *equation;      /* of each row: where it came from                               */
    int32_t *differentiated; /* by row: how often; NULL: none was                             */
    expr *residual;
    bool *differential; /* n_system: the derivative of the unknown occurs */
    model_order order;
    model_constraint *constraint;
    int32_t n_constraints;
    int32_t *depth; /* by unknown: which derivative - the highest one; with constraints only */
    computed_variable *computed;
    int32_t n_computed;

    int32_t index_left; /* structural, after elimination and reduction; above 1: cannot be run */
    daedal_model_structure *report;
    struct repair_record *repairs;
} reduced_model;

/* DAEDAL_OK; DAEDAL_ERR_STRUCTURE with errors in the sources of the compilation and in *why;
 * DAEDAL_ERR_MEMORY.  The fields borrowed from the model are set by the caller; everything
 * else lives in the arena.                                                      */
daedal_status reduced_build(reduced_model *m);

/* DAEDAL_ERR_STRUCTURE with *m->why if the model cannot be run. */
daedal_status reduced_check_runnable(reduced_model *m);

/* The numeric index and degrees of freedom, into the report; computed once, and only where the
 * structure may be wrong.  false: out of memory. */
bool reduced_find_numeric_index(reduced_model *m);

/* The values at the start show a higher index than the structure. */
void reduced_raise_index(reduced_model *m, int32_t index_left, int32_t index);

/* names.c */
const char *variable_text(const reduced_model *m, uint32_t variable);
const char *equation_text(const reduced_model *m, uint32_t number);

/* reduction_steps.c: the equations as written, all of them, in scratch memory; false: out of
 * memory. */
bool reduced_as_written(const reduced_model *m, equations *system);

/* For expr/derive.h, user is the reduced model: the symbol is an unknown or its derivative. */
bool reduced_is_unknown(void *user, uint32_t symbol);

/* ---- inside the folder ---- */

/* From the equations as written to the system that is solved. */
daedal_status reduced_lower_system(reduced_model *m, equations *system);

/* lowering.c: differentiate equations according to the offsets of the system. */
daedal_status reduced_lower_index(reduced_model *m, const signature *offsets);

/* redundant_equations.c: before the first analysis, equations that follow from others go from
 * flat->equations to flat->redundant; after everything else those between states become
 * constraints.  false: out of memory.                                           */
bool reduced_set_redundant_aside(reduced_model *m);
bool reduced_hold_invariants(reduced_model *m);

/* explicit_variables.c */
daedal_status reduced_eliminate_explicit(reduced_model *m);

/* clamped_arguments.c: before the first analysis; false: out of memory. */
bool reduced_inline_clamped(reduced_model *m);

/* guarded_arguments.c: before that; false: out of memory. */
bool reduced_clamp_guarded(reduced_model *m);

/* substitution.c: places of expressions in the flat model. */
typedef struct exprs {
    expr **at;
    size_t n, capacity;
} exprs;
/* All expressions outside the equations that read variables, in scratch memory. */
exprs reduced_list_others(reduced_model *m);
/* Substitute in the current equations and in all those; false: out of memory. */
bool reduced_substitute(reduced_model *m, expr_image_fn *image, void *user);

/* added_variables.c: variables beside those of the text, each hidden, Real, with the place in the
 * text of another.  false: out of memory.                                              */
bool reduced_reserve_variables(reduced_model *m, size_t more);
bool reduced_add_variable(reduced_model *m, const char *name, uint32_t like, uint32_t *number);

/* variable_indices.c: of the equations as written, with their analysis; of repaired ones, with the
 * analysis of the current system, where the largest one is the index.                    */
bool reduced_note_indices(reduced_model *m, const analysis *a);
bool reduced_note_repaired_indices(reduced_model *m, const analysis *a);
#endif
