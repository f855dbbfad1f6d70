/* bench/further/further.h - benchmark problems from the literature on which no constant was chosen.
 *
 * Plain functions without Jacobian, pattern or index, as a user would write them.  For codes
 * that need it the problems say their form, their band and the index of their variables.
 * Each file of the folder describes some of them as specifications; further_at() completes
 * them: what the start leaves open (the derivatives of explicit equations, else what the
 * default start of daedal makes of it: all codes begin with the same values), and the reference
 * at the end from further_references.c.
 * Depends on: support/problems.h, daedal.h.  Not thread safe: problems are completed on first use.
 */
#ifndef DAEDAL_BENCH_FURTHER_H
#define DAEDAL_BENCH_FURTHER_H

#include "problems.h"

#define PI 3.14159265358979323846

/* y' = f(t, y). */
typedef void rhs_fn(double t, const double *y, double *f);

typedef struct further_spec {
    const char *name, *title, *source;
    int32_t n;
    rhs_fn *rhs;                  /* explicit equations, or ...             */
    daedal_residual_fn *residual; /* ... M y' - f(t, y) with a constant M   */
    void (*start)(double *y, double *yp);
    double t_end;
    double atol_factor;
    digits_norm norm;
    int32_t n_counted;    /* the first components; 0: all                   */
    int32_t lower, upper; /* diagonals of the Jacobian beside the main one; 0: not a band */
    int32_t n_index[3];   /* variables of index 1, 2, 3 in this order; all 0: index 0 or 1 */
    double tightest;      /* tolerance; 0: 1e-11                            */
} further_spec;

const problem *further_at(int i); /* NULL past the end */
double further_tightest(int i);   /* the least tolerance the problem is run at */

/* The values at the end that two codes agree on, and to how many digits; NULL: none. */
const double *further_reference(const char *name, double *digits);

/* NULL past the end. */
const further_spec *further_orbits(int i);
const further_spec *further_beams(int i);
const further_spec *further_lines(int i);
const further_spec *further_chemistry(int i);
const further_spec *further_circuits(int i);
const further_spec *further_mechanics(int i);
#endif
