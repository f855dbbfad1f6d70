/* linalg/linsolver.h - which linear solver for which matrix.
 *
 * Responsibility: the choice among the solvers of daedal.h (each in its own file
 * linsolver_<name>.c behind the same vtable), from n and the pattern alone.
 * Depends on: base/.                                                            */
#ifndef DAEDAL_LINALG_LINSOLVER_H
#define DAEDAL_LINALG_LINSOLVER_H

#include "base/choices.h"
#include "base/pattern.h"

/* The solver with this number of the option `linear_solver`, or for LINSOLVER_AUTO the one expected
 * to be fastest. */
const daedal_linsolver *linsolver_choose(int32_t wanted, const daedal_pattern *pattern);
#endif
