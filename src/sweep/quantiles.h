/* sweep/quantiles.h - quantiles of values.
 *
 * Depends on: libc.                                                             */
#ifndef DAEDAL_SWEEP_QUANTILES_H
#define DAEDAL_SWEEP_QUANTILES_H

#include <stddef.h>

/* The quantiles of n values for ascending levels between 0 and 1, by straight lines between the
 * ordered values (definition 7 of [HF96]).  NaN are left out; without values they are NaN.  The
 * values are reordered.                                                         */
void quantiles_find(double *values, size_t n, const double *levels, size_t n_levels,
                    double *quantiles);
#endif
