/* support/problems.h - benchmark problems F(t, y, y') = 0 with trusted end values.
 *
 * Responsibility: the problems as plain C, the way a user would write them, each with
 * a consistent start and a reference at the end; shared by the tests and the bench.
 * The data come from the project's shared problem collection; `source` names the
 * origin.  The references there rest on two independent integrations in extended
 * precision or on closed forms.
 * Depends on: daedal.h (types only).  Not thread safe: the partial differential
 * equations fill their tables on first use.                                       */
#ifndef DAEDAL_SUPPORT_PROBLEMS_H
#define DAEDAL_SUPPORT_PROBLEMS_H

#include <stdbool.h>

#include "daedal.h"

/* Which collections a problem belongs to; 0: run by name only. */
enum {
    PROBLEM_MAIN = 1,      /* the bar is set on these                            */
    PROBLEM_HELD_OUT = 2,  /* never used to tune a constant of the integrator    */
    PROBLEM_LARGE = 4,     /* run with the main ones, for its time alone         */
    PROBLEM_HIGH_INDEX = 8 /* index 2 or 3, as plain functions                   */
};

/* How digits at the end are counted, over the components listed in `counted`. */
typedef enum digits_norm {
    DIGITS_RELATIVE, /* -log10 max_i |error_i| / |ref_i|           ("scd")     */
    DIGITS_MAX_NORM  /* -log10 max_i |error_i| / max_j |ref_j|                 */
} digits_norm;

/* What F is, for codes that need to know. */
typedef enum problem_form {
    FORM_IMPLICIT, /* F(t, y, y')                              */
    FORM_MASS,     /* M y' - f(t, y) with a constant matrix M  */
    FORM_EXPLICIT  /* y' - f(t, y)                             */
} problem_form;

typedef struct problem {
    const char *name, *title, *source;
    int32_t n;
    daedal_residual_fn *residual;
    daedal_jacobian_fn *jacobian;  /* NULL: by differences                     */
    const daedal_pattern *pattern; /* order of the Jacobian's values; NULL: n x n
                                      by columns                               */
    /* A sparse Jacobian that daedal is not given (it differences and detects the
     * pattern) but a peer without that ability is.  Else NULL.                 */
    daedal_jacobian_fn *peer_jacobian;
    const daedal_pattern *peer_pattern;
    void *user; /* last argument of the callbacks */
    problem_form form;
    int32_t lower, upper; /* diagonals beside the main one, for codes that solve bands;
                             0, 0: not a band                                     */

    double t0, t_end;
    const double *y0, *yp0;  /* n each, consistent ...                      */
    bool rounded_start;      /* ... but for rounding to fewer digits than runs have  */
    const double *reference; /* n, y at t_end                               */
    daedal_ints counted;     /* components for the digits; n = 0: all       */
    digits_norm norm;
    double atol_factor;         /* atol_i = factor * tol ...                   */
    const double *atol_factors; /* ... per variable where not NULL             */
    const int32_t *kind;        /* DAEDAL_DIFFERENTIAL where y' occurs in F, else
                                   DAEDAL_ALGEBRAIC; NULL: all differential     */
    const int32_t *index;       /* daedal_system.variable_index; NULL: index 0 or 1 */
    daedal_doubles breakpoints; /* times where F jumps; F at such a time is the
                                   limit from the left                         */
    double tol_min;             /* roundoff decides below it; 0: no such limit */
    int collections;            /* PROBLEM_MAIN | PROBLEM_HELD_OUT             */
} problem;

int problem_count(void);
const problem *problem_at(int i);              /* NULL past the end */
const problem *problem_find(const char *name); /* NULL if there is none */

double problem_atol(const problem *p, int32_t i, double tol);
bool problem_is_differential(const problem *p, int32_t i);

/* Digits of y at the end as p->norm says; at most 17, NAN if y is not finite. */
double problem_digits(const problem *p, const double *y);

/* Weighted RMS of the error over all components, weights tol |ref_i| + atol_i:
 * 1 means that the error equals the tolerance.                                  */
double problem_error(const problem *p, const double *y, double tol);

/* The groups problem_at() runs through, one per file; NULL past the end. */
const problem *problems_kinetics(int i);
const problem *problems_circuits(int i);
const problem *problems_mechanics(int i);
const problem *problems_andrews(int i);
const problem *problems_analytic(int i);
const problem *problems_heat(int i);
const problem *problems_medakzo(int i);
const problem *problems_fekete(int i);
const problem *problems_water(int i);
const problem *problems_crank(int i);
const problem *problems_high_index(int i);
#endif
