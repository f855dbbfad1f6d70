/* tables/point_curve.h - functions of one variable given by a table of points.
 *
 * Responsibility: interpolation and extrapolation of the columns of a table, with derivatives of
 * any order, and the same with time as the variable, where a value has a limit from either side
 * and every corner is announced as an event.
 * Invariant: a curve does not change after it was made, so that calls of it have no history.
 * Depends on: base/arena.h, base/status.h.                                        */
#ifndef DAEDAL_TABLES_POINT_CURVE_H
#define DAEDAL_TABLES_POINT_CURVE_H

#include "base/arena.h"
#include "base/status.h"

/* The numbers are those of the enumerations of the Modelica library. */
typedef enum table_smoothness {
    TABLE_LINEAR = 1,
    TABLE_AKIMA,
    TABLE_CONSTANT,
    TABLE_FRITSCH_BUTLAND,
    TABLE_STEFFEN,
    TABLE_MODIFIED_AKIMA
} table_smoothness;

typedef enum table_extrapolation {
    TABLE_HOLD = 1, /* the first or last value                         */
    TABLE_EXTEND,   /* a straight line with the slope of the last point */
    TABLE_PERIODIC,
    TABLE_NEVER /* there is no value outside; the value of TABLE_HOLD is given */
} table_extrapolation;

typedef enum table_events {
    TABLE_EVENTS_ALWAYS = 1,
    TABLE_EVENTS_AT_JUMPS,
    TABLE_EVENTS_NEVER /* except at the ends of the table */
} table_events;

/* A matrix row by row. */
typedef struct table_matrix {
    size_t n_rows, n_columns;
    double *e;
} table_matrix;

enum { TABLE_WHY_LENGTH = 512, TABLE_ORDER_MOST = 3 /* derivatives beyond are 0 */ };

/* Why a table cannot be used, or a file not be read: one sentence. */
typedef struct table_why {
    char text[TABLE_WHY_LENGTH];
} table_why;

typedef struct table_curve {
    size_t n_points, n_columns; /* columns that were chosen */
    double *x;
    double *y;     /* column by column                                          */
    double *slope; /* likewise; NULL where the kind of interpolation needs none */
    double *mark;  /* abscissae at which the curve bends or jumps a good deal */
    size_t n_marks;
    table_smoothness smoothness;
    table_extrapolation extrapolation;
    /* of curves over time: */
    table_events events;
    double start, shift;
} table_curve;

/* What a curve is made of beside the matrix. */
typedef struct table_choice {
    const int64_t *column; /* numbers from 1 of the columns that are interpolated */
    size_t n_columns;
    int64_t smoothness, extrapolation, events;
    double start, shift;
    bool is_timed; /* the first column is time: points may be doubled */
} table_choice;

/* NULL, with a reason, if the matrix is not a table of this kind; NULL without one when out of
 * memory.                                                                        */
table_curve *table_curve_create(arena *mem, const table_matrix *m, const table_choice *choice,
                                table_why *why);

/* The derivative of this order of column number `column` (from 1) at u; NaN if there is no such
 * column.                                                                        */
double table_curve_value(const table_curve *c, int order, double column, double u);
double table_curve_least(const table_curve *c);    /* the first abscissa */
double table_curve_greatest(const table_curve *c); /* the last abscissa  */

/* Where u lies among the marks: a number that grows with u and is whole at every mark and nowhere
 * else.  Steps must not pass over a mark unnoticed.                              */
double table_position(const double *mark, size_t n, double u);
double table_curve_position(const table_curve *c, double u);

/* The same of time.  `next` is the next event as it was found at the last event, `before` what it
 * was before that: while both are the same and t has reached them, the value is the limit from
 * the left.                                                                      */
double table_timed_value(const table_curve *c, int order, double column, double t, double next,
                         double before);
/* The first event after t; DBL_MAX: none. */
double table_timed_next(const table_curve *c, double t);

/* ---- what curves and surfaces share: interpolation.c ---- */

/* Where an argument lies between the points, and the weights of what is known at both ends: the
 * value is  one*y0 + rise*(y1 - y0) + slope[0]*slope0 + slope[1]*slope1.          */
typedef struct table_blend {
    size_t left, right; /* points; the same one where only its values count */
    double one, rise, slope[2];
} table_blend;

typedef struct table_axis {
    const double *x;
    size_t n;
    table_smoothness smoothness;
    table_extrapolation extrapolation;
    bool is_left; /* at a point the interval left of it is meant */
} table_axis;

table_blend table_blend_at(const table_axis *axis, int order, double u);
/* The same with the interval that `anchor` lies in, or the side outside, continued to u. */
table_blend table_blend_beside(const table_axis *axis, int order, double anchor, double u);
/* The index of the last point that is not above u (or, from the left, below u), at most n - 2. */
size_t table_interval(const table_axis *axis, double u);
/* The slopes of a spline through n >= 2 points. */
void table_slopes(table_smoothness kind, const double *x, size_t n, const double *y, double *slope);
bool table_has_slopes(table_smoothness kind);
/* Checks that x increases; `what` names it, `first` is the number of its first entry. */
bool table_increases(const double *x, size_t n, bool may_repeat, const char *what, size_t first,
                     table_why *why);
bool table_reject(table_why *why, const char *format, ...) PRINTF_LIKE(2, 3); /* returns false */
#endif
