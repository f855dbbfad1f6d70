/* reduce/system_array.h - the derivative array of equations near a point.
 *
 * Responsibility: Taylor coefficients of a path through a point, of the residuals along it and of
 * their exact derivatives; a path on which equations and their derivatives hold.
 * Depends on: reduce/equations.h, index/derivative_array.h, linalg/least_squares.h. */
#ifndef DAEDAL_REDUCE_SYSTEM_ARRAY_H
#define DAEDAL_REDUCE_SYSTEM_ARRAY_H

#include "expr/derive.h"
#include "index/derivative_array.h"
#include "reduce/equations.h"

typedef struct array_source {
    const equations *system; /* as many unknowns as equations; orders 0 and 1 */
    expr_partials partials;
    /* Taylor coefficients 0 .. order of what is no unknown; c is zero before. */
    void (*known)(void *user, uint32_t symbol, int32_t order, double *c);
    /* How far the value of an unknown moves relative to others, 1: as usual; NULL: all alike. */
    double (*mobility)(void *user, int32_t unknown);
    void *user;
    const daedal_allocator *allocator;
} array_source;

/* What the derivatives of the equations with respect to unknowns depend on. */
typedef enum array_kind { ARRAY_CONSTANT, ARRAY_OF_TIME, ARRAY_NONLINEAR } array_kind;

/* dF_i / dx_j or dx_j'. */
typedef struct array_slope {
    int32_t row, col;
    bool of_derivative;
    expr value;
} array_slope;

typedef struct system_array {
    const array_source *from;
    array_kind kind;
    array_slope *slope; /* n_slopes, in an arena */
    size_t n_slopes;
    arena mem;
    /* for one order, from system_array_set */
    int32_t n, order;
    double *x;        /* by unknown: its coefficients 0 .. order + 1, the caller's to set */
    double *residual; /* by equation: 0 .. order                                        */
    double *room;     /* order + 2                                                       */
    derivative_array array;
    block path;
} system_array;

/* EXPR_NOT_DIFFERENTIABLE, EXPR_NO_MEMORY.  system_array_free in any case. */
expr_outcome system_array_create(system_array *s, const array_source *from);
void system_array_free(system_array *s);

/* Room for a path of this order.  false: out of memory. */
bool system_array_set(system_array *s, int32_t order);

/* The array along the path x.  EXPR_NOT_DIFFERENTIABLE: a function is in the way, or some value is
 * not finite.                                                                    */
expr_outcome system_array_fill(system_array *s);

/* Move x so that residuals vanish up to the order, by the least relative change; false: it was not
 * possible from here, x is as before.  Coefficients that are zero on the solution come out as
 * roundoff, which counts as a nonzero in a scaled matrix and differs between LAPACK libraries; with
 * exact_zeros they are zero.                                                       */
bool system_array_settle(system_array *s, bool exact_zeros);
#endif
