/* initial/start_rows.h - the start as one system of equations.
 *
 * Responsibility: the equations, the initial equations and fixed values, solved together for
 * y, y' and parameters (docs/theory/start.md).
 * Depends on: compile/, graph/, linalg/.                                   */
#ifndef DAEDAL_INITIAL_START_ROWS_H
#define DAEDAL_INITIAL_START_ROWS_H

#include "initial/start_problem.h"
#include "linalg/linsolver.h"

enum { RANK_FIXED = 2 }; /* rank of fixed values; rows of higher rank may be violated */

typedef struct row_entry {
    int32_t row, column;
} row_entry;

/* Some of the rows as a sparse matrix (start_matrix.c). */
typedef struct start_matrix {
    const struct start_rows *of;
    pattern pattern;
    double *values;
    int32_t *entry_at, *keep_at; /* where entries and kept columns stand among the values, or -1 */
    block mem;
} start_matrix;

typedef struct start_rows {
    arena mem, lists;           /* lists: of the entries                                */
    bool structure_only;        /* the choice of rows by what occurs in them; no entries */
    bool is_compiled;           /* `values`, `slopes` and `square` exist                */
    int32_t n_exprs, n_columns; /* rows that are expressions; unknowns                  */
    int32_t n_equations;        /* the first of them: equations, constraints, slopes    */
    bool equations_only;        /* only these are hard, temporarily                     */
    uint32_t *slot;             /* of each column in x                                  */
    int32_t *rank;              /* by column, of its row "keep this value" */
    int32_t *slope_column;      /* by unknown: column of its y', or -1                  */
    int32_t *parameter_column;  /* by discrete variable, or -1                          */
    row_entry *entry;           /* of the expressions, by rows                          */
    double *value;              /* of each entry; NULL unless compiled                  */
    size_t n_entries, capacity;
    expr *root; /* of each entry; NULL if structure_only */
    size_t root_capacity;
    size_t *root_entry; /* by root of the tape */
    expr *rows;
    program *values, *slopes;
    double *guess, *weight, *z, *r, *trial, *step;
    bool *chosen;   /* by row: in the square system */
    int32_t *order; /* by row: its number there, or -1 */
    start_matrix square;
    const daedal_linsolver *solver;
    void *factors;
} start_rows;

/* Entries whose values vary. */
static inline size_t start_rows_varying(const start_rows *s)
{
    return s->slopes ? s->slopes->n_out : 0;
}

/* From the values in m->values->x, which become the solution. */
daedal_status start_rows_solve(start_problem *m);
void start_rows_free(start_problem *m);

/* Likewise, by continuation (start_path.c) from x, or (from_equations) from the point near x where
 * the equations alone hold. */
daedal_status start_rows_follow(start_problem *m, bool from_equations);

/* Likewise, by damped Newton from another point near x; `which` counts them. */
daedal_status start_rows_solve_from_other_point(start_problem *m, int which);

/* start_matrix.c: number[i] is the row of the matrix that row i of the start becomes, in the same
 * order, or -1.  false: out of memory; then, too, it is to be freed. */
bool start_matrix_create(start_matrix *x, const start_rows *s, const int32_t *number,
                         int32_t n_rows, const daedal_allocator *allocator);
void start_matrix_free(start_matrix *x); /* safe when empty                        */
void start_matrix_fill(start_matrix *x); /* with the present values of the entries */

/* start_least_change.c: solve the hard rows by Gauss-Newton with the least weighted change, from
 * s->guess into s->z.  true if they hold there. */
bool start_least_change(start_problem *m, start_rows *s);

/* ---- for the path ---- */

bool start_rows_factor(start_rows *s);                   /* the square matrix of the entries */
bool start_rows_newton(start_problem *m, start_rows *s); /* damped, from s->z                */
bool start_path_follow(start_problem *m, start_rows *s); /* from s->z, to its end there      */

/* ---- for the reports ---- */

daedal_status start_rows_create(start_problem *m);  /* m->rows, unless it exists */
int32_t start_rows_columns(const start_problem *m); /* how many they have, or would have */
/* The same, without what evaluating them needs: derivatives, tapes and factors.  */
daedal_status start_rows_create_structure(start_problem *m);
/* All rows at z into r: expressions, then z - guess.  false: not finite. */
bool start_rows_evaluate(start_problem *m, start_rows *s, const double *z);
bool start_rows_slopes(start_problem *m, start_rows *s,
                       const double *z); /* values of the entries */
/* Equations, constraints, initial equations, fixed values. */
bool start_rows_is_hard(const start_rows *s, int32_t row);
const char *start_rows_name(start_problem *m, const start_rows *s, int32_t row, char *name,
                            size_t size);

/* Solve the hard rows alone from x by Gauss-Newton with the smallest change, into s->z; true if
 * they hold there. */
bool start_rows_minimize_violation(start_problem *m);

/* start_conflict.c: after a start that failed, m->why names the smallest set of rows that
 * contradict each other, if there is one; otherwise it stays as it is. */
daedal_status start_rows_explain(start_problem *m, daedal_status status);

/* start_runaway.c: DAEDAL_ERR_START if the values in x ran off towards infinity. */
daedal_status start_check_runaway(start_problem *m);

/* start_open.c: reports what fixed values and initial equations leave undetermined, and which of
 * them are redundant. */
daedal_status start_rows_report(start_problem *m);
#endif
