/* bench/daedal_peer.h - one run with daedal, through its public functions only.
 * Depends on: bench/peer.h.                                                       */
#ifndef DAEDAL_BENCH_DAEDAL_PEER_H
#define DAEDAL_BENCH_DAEDAL_PEER_H

#include "peer.h"

/* method: the name of a choice of the option `method`.  y (n, may be NULL) receives
 * the end state.                                                                  */
void daedal_peer_run(const problem *p, double rtol, const char *method, run *out, double *y);
#endif
