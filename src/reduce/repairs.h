/* reduce/repairs.h - where numbers contradict the structure of a model.
 *
 * Responsibility: equations rewritten until their structure tells the truth; index and degrees of
 * freedom judged by numbers; messages about equations that determine too much and too little.
 * What is found stands in struct model.
 * Depends on: compile/model.h.                                                    */
#ifndef DAEDAL_REDUCE_MODEL_REPAIR_H
#define DAEDAL_REDUCE_MODEL_REPAIR_H

#include "reduce/reduced.h"

typedef enum index_verdict {
    JUDGED_UNKNOWN, /* too large, functions without derivatives, ranks not clear */
    JUDGED_SOLVABLE,
    JUDGED_SINGULAR,    /* linear, constant coefficients: det(lambda A + B) = 0 for all lambda */
    JUDGED_NOT_SOLVABLE /* equations and their derivatives depend on one another              */
} index_verdict;

/* What the equations as written determine, by numbers: numeric_index.c. */
typedef struct index_judgement {
    bool done, on_solution; /* at points on which they hold, or it does not matter */
    bool regular_pencil;    /* with the coefficients of one instant                */
    index_verdict verdict;
    int32_t index, freedom;
} index_judgement;

/* A point on which equations and derivatives of them hold, by unknown of the system. */
enum { SAMPLE_POINTS = 2 };
typedef struct sample_point {
    double *value, *slope;
} sample_point;

typedef struct sample_points {
    const struct equations *system; /* that is being repaired */
    const bool *switching;          /* by column: given by an expression that switches */
    bool moved;                     /* `at` is known          */
    sample_point at[SAMPLE_POINTS];
} sample_points;

/* The system before any repair. */
typedef struct plain_system {
    expr *residual;
    uint32_t *variable, *equation;
    int32_t n, n_rows;
} plain_system;

/* Unknowns and equations that wait to join the system: added_equations.c. */
typedef struct added_unknown {
    uint32_t variable, of; /* it stands for the derivative number `order` of `of`; a proxy */
    int32_t order;         /* (reduce/augment.h) has the order -1                       */
} added_unknown;

/* What a row was made of in repairs. */
typedef struct row_origin {
    int32_t *made_of; /* rows before any repair, ascending; NULL: of itself, or of nothing */
    int32_t n;
    int32_t order; /* how often these were differentiated                              */
} row_origin;

typedef struct added_row {
    expr residual;
    uint32_t equation;
    row_origin origin;
} added_row;

typedef struct added_items {
    added_unknown *unknown;
    added_row *row;
    size_t n_unknowns, unknown_room, n_rows, row_room;
    size_t n_equations; /* of the flat model behind its n_equations: copies of some of these */
    size_t kept_unknowns, kept_rows; /* of those above: model_forget_added leaves them          */
} added_items;

/* What repairs have found and done so far. */
typedef struct repair_record {
    int32_t measured_freedom; /* degrees of freedom where nothing is repaired, else -1      */
    int32_t n_repairs;        /* equations rewritten because the structure misled           */
    bool misled;              /* the leading matrix was singular at some time               */
    bool unrepairable;        /* solvable by numbers, but repairs led nowhere               */
    plain_system plain;
    uint32_t *rewritten; /* equations that became combinations of several              */
    int32_t n_rewritten;
    size_t rewritten_room;
    uint32_t *dependent; /* equations that depended on one another at the last repair  */
    int32_t n_dependent;
    row_origin *origins;            /* by row; NULL: no repair */
    int32_t n_plain;                /* rows before any repair  */
    const uint32_t *plain_equation; /* theirs */
    added_items added;
    sample_points points;
    index_judgement judgement;
} repair_record;

/* repair_rounds.c: rewrite one equation, or one in each of several blocks, if the structure
 * misleads.  The index as measured goes into the report.                          */
daedal_status reduced_repair(reduced_model *m, equations *system, const analysis *a, bool *changed);

/* The system as it is before repairs, and back to it; false: out of memory. */
bool reduced_keep_plain(reduced_model *m);
void reduced_restore_plain(reduced_model *m);
/* After repairs that ended in a singular structure: false, and m->repairs->unrepairable, if the
 * equations as written are solvable by numbers, so that it is not their fault.                 */
bool reduced_is_repairable(reduced_model *m);

/* sample_points.c: of any symbol at generic point number `sample` near the start. */
double reduced_sample_value(reduced_model *m, int sample, uint32_t symbol);

/* numeric_index.c: into m->repairs->judgement and the report, once, where the structure may be
 * wrong; false: out of memory.                                                                 */
bool reduced_judge(reduced_model *m);

/* The index of the pencil of the equations as they are, near the start, and the number of its
 * finite eigenvalues; -1: it cannot be told.                                     */
int32_t reduced_measure_index(reduced_model *m, const equations *system, int32_t *freedom);
/* Points for the unknowns of the system as it is now, with derivatives up to the order; false: none
 * were found.                                                                    */
bool reduced_find_points(reduced_model *m, const equations *system, int32_t order,
                         sample_point *points);

/* balance_errors.c: what is determined too often, and what not at all.  Of repaired equations, with
 * the analysis that failed; of those that run, where numbers contradict the structure.  All
 * answer DAEDAL_ERR_STRUCTURE with m->why->                                        */
daedal_status reduced_report_imbalance(reduced_model *m, const analysis *a);
daedal_status reduced_report_singular(reduced_model *m, const analysis *a);
daedal_status reduced_report_misled(reduced_model *m);

/* added_equations.c: unknowns and rows wait until they are taken or forgotten; false: out of
 * memory.
 */
bool reduced_add_unknown(reduced_model *m, const char *name, uint32_t of, int32_t order,
                         uint32_t *number);
bool reduced_add_row(reduced_model *m, added_row row);
/* A row with the place in the text of `like`, for model_add_row. */
bool reduced_copy_equation(reduced_model *m, expr residual, uint32_t like, uint32_t *number);
bool reduced_take_added(reduced_model *m);
void reduced_keep_added(reduced_model *m); /* so that they are not forgotten any more */
void reduced_forget_added(reduced_model *m);
#endif
