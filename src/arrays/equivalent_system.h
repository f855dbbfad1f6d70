/* arrays/equivalent_system.h - equations of index one that have the solutions of F = 0.
 *
 * Responsibility: F = 0 and its derivatives up to order k, the derivative array G(t, y, z) = 0 with
 * z the derivatives of y, contain all constraints on y if k is one less than the index.  With U2
 * the left null space of dG/dz these are U2' G = 0, and
 *
 *     Z1' F(t, y, y') = 0,     N' (y - y*(t, T' y)) = 0
 *
 * is a system of index one ([KM06]; docs/theory/derivative-arrays.md): Z1 is
 * the range of dF/dy' on the null space of U2' dG/dy, T that of (Z1' dF/dy')', N its complement,
 * and y* the point with the same T' y that satisfies the array.  Only equivalent_system_begin and
 * equivalent_system_turn change T, N and Z1.
 * Depends on: consistent/difference_array.h, linalg/qr.h, linalg/least_squares.h.     */
#ifndef DAEDAL_ARRAYS_EQUIVALENT_SYSTEM_H
#define DAEDAL_ARRAYS_EQUIVALENT_SYSTEM_H

#include "consistent/difference_array.h"
#include "linalg/least_squares.h"
#include "linalg/qr.h"

enum { EQUIVALENT_LARGEST = 60 }; /* unknowns */
enum { EQUIVALENT_POINTS = 16 };  /* points whose derivatives are kept */

/* A point at which the array was solved.  Its vectors lie in the memory block of the system. */
typedef struct array_solution {
    double t;       /* NAN: none */
    bool is_solved; /* otherwise it is a guess */
    double *fixed, *unknown;
} array_solution;

/* Solvers with room for the largest array; they serve the smaller ones too. */
typedef struct array_solvers {
    qr qr;
    least_squares least_squares;
} array_solvers;

typedef struct equivalent_numbers {
    int32_t level, freedom; /* k, and the degrees of freedom                               */
    double unit_time;
    double t_first, t_last;   /* F may be evaluated between these, in the direction of time  */
    double side_of_widths;    /* for which the widths of the array were found; NAN: none      */
    double gap;               /* between pivots that count and those that do not, the last time */
    double tilt, tilt_chosen; /* how well the constraints determine N' y: 1 best, 0 not at all */
    double lead,
        lead_chosen;  /* how well Z1' F determines the other derivatives, now and at first */
    double noise;     /* of y*, in weights                                                    */
    int32_t noisiest; /* variable                                                         */
    int32_t next;     /* point to be overwritten                                             */
    bool is_start;    /* where iterations may be long: no step can be repeated with another size */
    bool has_matrices, searches;
} equivalent_numbers;

typedef struct equivalent_system {
    int32_t n, rows, cols; /* of the array: (k + 1) n and (k + 2) n                       */
    equivalent_numbers at;
    evaluator ev; /* of F                                                                */
    iteration_matrix parts;
    start_problem problem;
    difference_array array;
    int32_t *c, *d;
    double *y, *yp, *inverse_weight, *floor;
    double *y_unit, *row_unit; /* n each                                                   */
    double *noise;             /* n: what noise in the array makes of y*                   */
    double *lead_unit;         /* n: of rows of Z1' F; HUGE_VAL where no derivative occurs     */
    double *tangent, *normal;  /* n x freedom and n x (n - freedom), by columns, in units   */
    double *leading;           /* Z1', freedom x n by columns, in these units               */
    double *to_normal;         /* (n - freedom) x rows by columns: residuals to moves along N */
    double *to_derivatives;    /* (cols - n) x rows                                          */
    double *slope;             /* (n - freedom) x freedom: of moves along N by those along T */
    double *unknown, *g, *step, *fixed, *kept;
    double *jacobian, *of_y, *of_z, *factors, *turned, *right; /* work space                  */
    array_solvers solvers;
    array_solution point[EQUIVALENT_POINTS];
    daedal_diagnosis *why;
    const daedal_allocator *allocator;
    block mem;
} equivalent_system;

typedef struct equivalent_setup {
    const daedal_system *sys;
    const iteration_matrix *matrix; /* its patterns are used */
    daedal_stats *stats;
    daedal_diagnosis *why;
    const daedal_allocator *allocator;
} equivalent_setup;

/* Fails with DAEDAL_ERR_MEMORY.  equivalent_system_free must be called in any case. */
daedal_status equivalent_system_create(equivalent_system *x, const equivalent_setup *s);
void equivalent_system_free(equivalent_system *x);
/* Copy a system that was created with the same set-up.  The answer is false if memory is lacking.
 */
bool equivalent_system_copy(equivalent_system *x, const equivalent_system *from);

typedef struct equivalent_begin {
    double t, t_last; /* F may be evaluated up to t_last                                   */
    double time;      /* time scale on which y changes                                     */
    const double *y, *yp, *inverse_weight;
    const double *floor; /* n: values of y below these sizes are negligible                */
} equivalent_begin;

/* Find k, T, N and Z1 at a consistent point.  DAEDAL_ERR_INDEX means that no k up to LEVEL_MAX is
 * enough. */
daedal_status equivalent_system_begin(equivalent_system *x, const equivalent_begin *from);

/* Whether the last Jacobian shows that T, N and Z1 should be chosen again. */
bool equivalent_system_is_tilted(const equivalent_system *x);

/* Choose T, N and Z1 again, for y at t, which changes the equations.  The answer is a
 * daedal_answer. */
int equivalent_system_turn(equivalent_system *x, double t, const double *y);

/* Replace y by y*.  The answer is a daedal_answer. */
int equivalent_system_correct(equivalent_system *x, double t, double *y);

/* Set yp to y' at the point where y was corrected last.  Components that the array does not
 * determine keep their values.  Returns DAEDAL_OK, DAEDAL_STOPPED, DAEDAL_ERR_MEMORY or a
 * callback's failure. */
daedal_status equivalent_system_slopes(equivalent_system *x, double *yp);

/* The residual of the equivalent equations at a point, and its derivatives by y and by y' (n x n by
 * columns).  The answers are daedal_answers.                                      */
int equivalent_system_residual(equivalent_system *x, double t, const double *y, const double *yp,
                               double *r);
int equivalent_system_jacobian(equivalent_system *x, double t, const double *y, const double *yp,
                               double h, double *dy, double *dyp);
#endif
