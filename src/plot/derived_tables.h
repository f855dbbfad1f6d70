/* plot/derived_tables.h - tables made of others for a plot.
 *
 * Responsibility: several results beside each other, one variable against another, and arrays over
 * their subscripts: all of them tables whose columns are drawn as curves.
 * Depends on: output/trajectory.h.                                              */
#ifndef DAEDAL_PLOT_DERIVED_TABLES_H
#define DAEDAL_PLOT_DERIVED_TABLES_H

#include "output/trajectory.h"

/* A column of a result, and what its name gets in brackets behind it, or NULL. */
typedef struct table_column {
    const trajectory *of;
    int32_t column;
    const char *label;
} table_column;

/* Several results over one time axis: at the times of all of them, along straight lines between the
 * rows of each, NAN before and after it.  DAEDAL_ERR_ARGUMENT: some times do not ascend.  The table
 * is created here; free it in any case, with these functions alike.                  */
daedal_status table_join(trajectory *out, const table_column *columns, size_t n,
                         daedal_diagnosis *why);

/* Columns against one of their own result, x[k] for column k, in the place of time: a path.  Rows
 * of different results follow each other.                                            */
daedal_status table_against(trajectory *out, const table_column *columns, const int32_t *x,
                            size_t n, daedal_diagnosis *why);

/* Elements of an array over their number, for some rows: "t = 2". */
typedef struct table_array {
    const trajectory *of;
    const int32_t *elements;
    int32_t n;
    const char *name; /* of the array */
} table_array;
/* The subscript of the first element, if they have one subscript each and follow each other;
 * else 1. */
int32_t table_first_subscript(const table_array *array);
daedal_status table_profile(trajectory *out, const table_array *array, const size_t *rows,
                            size_t n_rows, daedal_diagnosis *why);
#endif
