/* bench/ida_peer.h - one run with SUNDIALS IDA.
 *
 * Dense LU, KLU where the problem has a sparse Jacobian, or a band where the problem is one;
 * IDA's own difference quotients where it has none.
 * Depends on: bench/peer.h; SUNDIALS 6.                                           */
#ifndef DAEDAL_BENCH_IDA_PEER_H
#define DAEDAL_BENCH_IDA_PEER_H

#include "peer.h"

/* y (n, may be NULL) receives the end state. */
void ida_peer_run(const problem *p, double rtol, run *out, double *y);

/* The Jacobian IDA is given for p, or NULL. */
daedal_jacobian_fn *ida_peer_jacobian(const problem *p);
#endif
