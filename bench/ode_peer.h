/* bench/ode_peer.h - one run of explicit equations with SUNDIALS CVODE or ARKODE.
 *
 * Implicit methods take Newton's iteration with a dense matrix, or a band where the problem is
 * one, and difference quotients of their own.
 * Depends on: bench/peer.h; SUNDIALS 6.                                           */
#ifndef DAEDAL_BENCH_ODE_PEER_H
#define DAEDAL_BENCH_ODE_PEER_H

#include "peer.h"

/* cvode-bdf, cvode-adams (fixed-point iteration), arkode-dirk (order 4), arkode-erk (order 5),
 * arkode-erk8.                                                                      */
bool ode_peer_knows(const char *code);

/* p->form is FORM_EXPLICIT; y (n, may be NULL) receives the end state. */
void ode_peer_run(const problem *p, double rtol, const char *code, run *out, double *y);
#endif
