/* support/link_chain.h - masses in the plane, each joined to the one before by a rod; index 3.
 *
 * Responsibility: a mechanism of any size as a function, with a start and what it must satisfy.
 * Depends on: daedal.h.                                                          */
#ifndef DAEDAL_SUPPORT_LINK_CHAIN_H
#define DAEDAL_SUPPORT_LINK_CHAIN_H

#include "daedal.h"

enum { OF_A_LINK = 5 }; /* unknowns: x, y, their velocities, force in the rod */

/* `user` points to the number of links, an int32_t. */
int link_chain_residual(double t, const double *y, const double *yp, double *r, void *user);

/* A straight chain that turns around the origin: positions and velocities consistent, forces 0. */
void link_chain_start(int32_t links, double *y);

/* The largest violation of the lengths, and of their derivatives. */
void link_chain_violation(int32_t links, const double *y, double *length, double *speed);
#endif
