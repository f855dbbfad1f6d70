/* tables/surface.h - functions of two variables given by a table.
 *
 * Responsibility: interpolation and extrapolation on a grid, with all partial derivatives.  The
 * first column of the matrix has the first variable, its first row the second one.
 * Invariant: a surface does not change after it was made.
 * Depends on: tables/point_curve.h.                                                     */
#ifndef DAEDAL_TABLES_SURFACE_H
#define DAEDAL_TABLES_SURFACE_H

#include "tables/point_curve.h"

typedef struct table_surface {
    size_t n_rows, n_columns;          /* of the grid */
    double *row, *column;              /* the abscissae */
    double *z;                         /* row by row */
    double *z_row, *z_column, *z_both; /* derivatives; NULL where none are needed */
    table_smoothness smoothness;
    table_extrapolation extrapolation;
} table_surface;

/* NULL as for table_curve_create. */
table_surface *table_surface_create(arena *mem, const table_matrix *m, int64_t smoothness,
                                    int64_t extrapolation, table_why *why);

/* The derivative of these orders with respect to the first and the second variable. */
/* Where u lies among the lines of the grid, see table_position: of the first or second variable. */
double table_surface_position(const table_surface *s, int variable, double u);
double table_surface_value(const table_surface *s, int order1, int order2, double u1, double u2);
#endif
