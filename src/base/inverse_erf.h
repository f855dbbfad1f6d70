/* base/inverse_erf.h - the inverse of the error function.
 *
 * Depends on: libc.                                                             */
#ifndef DAEDAL_BASE_INVERSE_ERF_H
#define DAEDAL_BASE_INVERSE_ERF_H

/* x with erf(x) = p and erfc(x) = q = 1 - p, 0 <= p < 1, q > 0: the smaller of both keeps the
 * digits.                                                                       */
double inverse_erf(double p, double q);
#endif
