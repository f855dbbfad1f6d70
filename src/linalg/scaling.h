/* linalg/scaling.h - rows and columns of a matrix brought to a common size (equilibration).
 *
 * Responsibility: factors for rows and columns, so that the units of equations and unknowns do
 * not decide what counts as small.  Each function scales the matrix in place.  A row or column of
 * zeros keeps the factor 1.  linalg/curtis_reid.h minimizes over all entries instead.
 * Depends on: base/pattern.h.                                                   */
#ifndef DAEDAL_LINALG_SCALING_H
#define DAEDAL_LINALG_SCALING_H

#include "base/pattern.h"

/* The factor that brings a row or column with this largest entry to size 1. */
static inline double scaling_factor(double largest)
{
    return largest > 0.0 ? 1.0 / largest : 1.0;
}

/* One pass over a dense matrix by columns: the largest entry of each row becomes 1, then that of
 * each column.  The factors are written to row and column.                      */
void scaling_rows_then_columns(double *a, int32_t n_rows, int32_t n_cols, double *row,
                               double *column);

/* largest[i] = the larger of itself and of the entries in row i of a dense matrix by columns. */
void scaling_largest_of_rows(const double *a, int32_t n_rows, int32_t n_cols, double *largest);

/* Row i of a dense matrix by columns times row[i]. */
void scaling_multiply_rows(double *a, int32_t n_rows, int32_t n_cols, const double *row);

/* Rows, then columns are divided by the square root of their largest entry, `sweeps` times: the
 * largest entries of all rows and columns tend to 1 [Rui01].  Dense and by rows; `work` holds
 * n_cols numbers; the product of the factors of the rows is written to `row` unless it is NULL. */
void scaling_by_roots(double *a, int32_t n_rows, int32_t n_cols, int sweeps, double *row,
                      double *work);

/* The same for a sparse square matrix, with fewer sweeps once factors hardly differ from 1;
 * `column` gets the factors of the columns unless it is NULL, and `work` holds n_rows numbers.   */
void scaling_by_roots_sparse(const daedal_pattern *p, double *values, int sweeps, double *row,
                             double *column, double *work);

/* Rows and columns of a dense n x n matrix in turn, `sweeps` times, so that the least and the
 * largest of the entries that are not zero lie evenly around 1.                 */
void scaling_to_middle(double *a, int32_t n, int sweeps);
#endif
