/* integ/constrained_method.h - a method whose steps keep the constraints.
 *
 * Responsibility: another method applied to the system
 *     F(t, y, y' - B mu) = 0,   g(t, y) = 0
 * with one multiplier mu for each constraint, which is zero on every solution.  B has an entry
 * where a constraint may move a variable:
 *  - constraint_method = ggl: B = W^2 (dg/dy)'.  The constraints push along their normals, [GGL85]
 *    for any index (docs/theory/index-reduction.md), in units of error weights.
 *  - constraint_method = dummy: the same with the weights of some variables only, as many as there
 *    are constraints.  These are determined by the constraints, and mu takes the place of their
 *    equations y' = ..., as dummy derivatives do [MS93].  Which ones is examined with every
 *    Jacobian; nothing but B changes, so that no restart is needed.
 * Invariant: B is constant between two Jacobians; mu takes part in no error test.
 * Depends on: integ/inner_method.h, linalg/pivot_columns.h, newton/.                    */
#ifndef DAEDAL_INTEG_CONSTRAINED_METHOD_H
#define DAEDAL_INTEG_CONSTRAINED_METHOD_H

#include "integ/method.h"

/* Around the method that the option `method` names. */
extern const method method_constrained;
#endif
