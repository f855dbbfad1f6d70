/* reduce/repairs.h - where numbers contradict the structure of a model.
 *
 * Responsibility: equations are rewritten until their structural index is right; index and degrees
 * of freedom by numbers; messages about over- and underdetermined equations.  The results are in
 * the repair_record of the reduced model.
 * Depends on: reduce/reduced.h.                                                    */
#ifndef DAEDAL_REDUCE_REPAIRS_H
#define DAEDAL_REDUCE_REPAIRS_H

#include "reduce/reduced.h"

typedef enum numeric_index_verdict {
    NUMERIC_INDEX_UNKNOWN, /* too large, functions without derivatives, ranks not clear */
    NUMERIC_INDEX_SOLVABLE,
    NUMERIC_INDEX_SINGULAR, /* linear, constant coefficients: det(lambda A + B) = 0 for all lambda
                             */
    NUMERIC_INDEX_NOT_SOLVABLE /* equations and their derivatives depend on one another */
} numeric_index_verdict;

/* Index and degrees of freedom of the equations as written, by numbers: numeric_index.c. */
typedef struct numeric_index_result {
    bool done, on_solution; /* at points where the equations hold, or independent of the point */
    bool regular_pencil;    /* with the coefficients of one instant                */
    numeric_index_verdict verdict;
    int32_t index, freedom;
} numeric_index_result;

/* A point on which equations and derivatives of them hold, by unknown of the system. */
enum { SAMPLE_POINTS = 2 };
typedef struct sample_point {
    double *value, *slope;
} sample_point;

typedef struct sample_points {
    const struct equations *system; /* that is being repaired */
    const int32_t *highest;         /* by unknown: its highest derivative             */
    const bool *switching;          /* by column: given by an expression that switches */
    bool moved;                     /* `at` is known          */
    sample_point at[SAMPLE_POINTS];
} sample_points;

/* The system before repairs. */
typedef struct unrepaired_system {
    expr *residual;
    uint32_t *variable, *equation;
    int32_t n, n_rows;
} unrepaired_system;

/* Unknowns and equations that will be appended to the system: added_equations.c. */
typedef struct added_unknown {
    uint32_t variable, of; /* it stands for the derivative number `order` of `of`; a proxy */
    int32_t order;         /* (reduce/augment.h) has the order -1                       */
} added_unknown;

/* The rows from which repairs have made a row. */
typedef struct row_origin {
    int32_t *made_of; /* unrepaired rows, ascending; NULL: the row is unrepaired, or new */
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
    size_t kept_unknowns, kept_rows; /* of those above: reduced_discard_added keeps them        */
} added_items;

/* The results of repairs so far. */
typedef struct repair_record {
    int32_t measured_freedom; /* degrees of freedom where nothing is repaired, else -1      */
    int32_t n_repairs;        /* equations rewritten because numbers contradicted the structure */
    bool is_contradicted;     /* the leading matrix was singular in some round              */
    bool unrepairable;        /* solvable by numbers, but repairs failed                    */
    unrepaired_system unrepaired;
    uint32_t *rewritten; /* equations that became combinations of several              */
    int32_t n_rewritten;
    size_t rewritten_room;
    uint32_t *dependent; /* equations that depended on one another at the last repair  */
    int32_t n_dependent;
    row_origin *origins;                 /* by row; NULL: no repair */
    int32_t n_unrepaired;                /* rows before any repair  */
    const uint32_t *unrepaired_equation; /* theirs */
    added_items added;
    sample_points points;
    numeric_index_result numeric_index;
} repair_record;

/* repair_rounds.c: rewrite one equation, or one in each of several blocks, if numbers contradict
 * the structure.  The numeric index goes into the report.                          */
daedal_status reduced_repair(reduced_model *m, equations *system, const analysis *a, bool *changed);

/* Save the system before repairs, and restore it; false: out of memory. */
bool reduced_save_unrepaired(reduced_model *m);
void reduced_restore_unrepaired(reduced_model *m);
/* After repairs that ended in a singular structure: false, and m->repairs->unrepairable, if the
 * equations as written are solvable by numbers.                 */
bool reduced_is_repairable(reduced_model *m);

/* sample_points.c: the value of a symbol at generic point number `sample` near the start. */
double reduced_sample_value(reduced_model *m, int sample, uint32_t symbol);

/* numeric_index.c: into m->repairs->numeric_index and the report, once, where the structure may be
 * wrong; false: out of memory.                                                                 */
bool reduced_find_numeric_index(reduced_model *m);

/* The index of the pencil of the equations as they are, near the start, and the number of its
 * finite eigenvalues; -1: it cannot be determined.                                     */
int32_t reduced_measure_index(reduced_model *m, const equations *system, int32_t *freedom);
/* Points on which the current system and its derivatives up to the order hold; false: none were
 * found.  held: unknowns for which it is positive keep their values, NULL: none. */
bool reduced_find_points(reduced_model *m, const equations *system, int32_t order,
                         const int32_t *held, sample_point *points);

/* Whether all equations of a system with more equations than unknowns can hold together, with their
 * first derivatives; true where that is not known.                                   */
bool reduced_is_consistent(reduced_model *m, const equations *system);

/* balance_errors.c: messages about over- and underdetermined unknowns of the equations as written
 * and of repaired ones, each with the analysis that failed, and about systems whose structure
 * numbers contradict.  All return DAEDAL_ERR_STRUCTURE with *m->why. */
daedal_status reduced_report_imbalance(reduced_model *m, const analysis *a);
daedal_status reduced_report_singular(reduced_model *m, const analysis *a);
daedal_status reduced_report_contradiction(reduced_model *m);

/* added_equations.c: unknowns and rows are collected, then appended or discarded; false: out of
 * memory. */
bool reduced_add_unknown(reduced_model *m, const char *name, uint32_t of, int32_t order,
                         uint32_t *number);
bool reduced_add_row(reduced_model *m, added_row row);
/* An equation with the place in the text of `like`, for reduced_add_row. */
bool reduced_copy_equation(reduced_model *m, expr residual, uint32_t like, uint32_t *number);
bool reduced_append_added(reduced_model *m);
void reduced_keep_added(reduced_model *m); /* reduced_discard_added leaves those added so far */
void reduced_discard_added(reduced_model *m);
#endif
