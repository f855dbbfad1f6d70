/* output/trajectory.h - a solution as a growing table in memory.
 *
 * Responsibility: the columns (name, unit, description, kind), and the rows: the time and one value
 * for each stored column.  Constants and aliases are columns that need no memory in a row.  A time
 * that appears twice is an event, with its left and its right limit.
 * Invariant: an alias refers to a stored or a constant column; all names differ; columns are
 * not added once there are rows.
 * Depends on: base/.                                                            */
#ifndef DAEDAL_OUTPUT_TRAJECTORY_H
#define DAEDAL_OUTPUT_TRAJECTORY_H

#include "base/intern.h"
#include "base/status.h"

typedef enum column_kind { /* Booleans are 0 and 1, enumerations 1, 2, ... */
                           COLUMN_REAL,
                           COLUMN_INTEGER,
                           COLUMN_BOOLEAN,
                           COLUMN_ENUMERATION
} column_kind;

typedef enum column_source { COLUMN_STORED, COLUMN_CONSTANT, COLUMN_ALIAS } column_source;

typedef struct column {
    const char *name, *unit, *description; /* UTF-8; NULL when given means "", never in the table */
    column_kind kind;
    column_source source; /* this and what follows is filled in by the table       */
    bool negated;         /* alias: the value is the negative of the other's       */
    int32_t of;           /* alias: of this column; else -1                        */
    int32_t slot;         /* where the value (an alias: the other's) stands in a row, or -1 */
    double constant;      /* constant, or alias of a constant: its value           */
} column;

typedef struct trajectory {
    const daedal_allocator *allocator;
    arena texts;
    intern_table names; /* id = number of the column                              */
    column time;        /* "time", "s"                                            */
    column *columns;    /* n_columns                                              */
    size_t n_columns, column_capacity;
    size_t n_slots; /* stored columns: a row is the time and these            */
    double *rows;   /* n_rows times (1 + n_slots)                             */
    size_t n_rows, row_capacity;
    size_t byte_limit;    /* of all memory; 0: none                                 */
    bool is_cut_off;      /* read from a text whose last line is incomplete, and left out   */
    bool has_blank_lines; /* so that rows and lines of the text differ                      */
    bool takes_gaps;      /* set by a reader: an empty field is NaN, not an error           */
} trajectory;

/* ---- construction ---- */

/* Allocates nothing yet.  NULL allocator: malloc. */
void trajectory_create(trajectory *tr, const daedal_allocator *allocator, size_t byte_limit);
void trajectory_free(trajectory *tr); /* twice does no harm */

/* Add a column; only name, unit, description and kind of *c are read, and copied.  Fails with
 * DAEDAL_ERR_ARGUMENT (an empty or repeated name, a negated Boolean), DAEDAL_ERR_CALL_SEQUENCE
 * (there are rows), DAEDAL_ERR_MEMORY.                                                     */
daedal_status trajectory_add_stored(trajectory *tr, const column *c, daedal_diagnosis *why);
daedal_status trajectory_add_constant(trajectory *tr, const column *c, double value,
                                      daedal_diagnosis *why);
/* `of` may itself be an alias. */
daedal_status trajectory_add_alias(trajectory *tr, const column *c, int32_t of, bool negated,
                                   daedal_diagnosis *why);

/* Append a row: the values of the stored columns, in the order in which they were added.  On
 * failure (DAEDAL_ERR_MEMORY, by the allocator or by the limit) all earlier rows are kept.     */
daedal_status trajectory_append(trajectory *tr, double t, const double *values,
                                daedal_diagnosis *why);

/* ---- access ---- */

/* The number of a column, or -1. */
int32_t trajectory_find(const trajectory *tr, const char *name);

/* A row as it is stored: row[0] is the time, row[1 + slot] the values. */
static inline const double *trajectory_row(const trajectory *tr, size_t i)
{
    return tr->rows + i * (1 + tr->n_slots);
}

static inline double trajectory_time(const trajectory *tr, size_t i)
{
    return trajectory_row(tr, i)[0];
}

/* The value of any column, given the stored values of a row (without the time). */
static inline double column_value(const column *c, const double *stored)
{
    double x = c->slot >= 0 ? stored[c->slot] : c->constant;
    return c->negated && c->slot >= 0 ? 0.0 - x : x; /* no -0 for 0 */
}

static inline double trajectory_value(const trajectory *tr, size_t i, size_t j)
{
    return column_value(&tr->columns[j], trajectory_row(tr, i) + 1);
}

const char *column_kind_name(column_kind kind); /* "real", "integer", "boolean", "enumeration" */
#endif
