/* support/tape_values.h - a tape run at given inputs.
 *
 * Depends on: expr/tape.h.                                                       */
#ifndef DAEDAL_SUPPORT_TAPE_VALUES_H
#define DAEDAL_SUPPORT_TAPE_VALUES_H

#include <string.h>

#include "expr/tape.h"

/* Copies the inputs into the work array and runs everything. */
static inline int tape_evaluate(const tape *t, const double *inputs, double *work, double *out,
                                const tape_calls *calls)
{
    size_t n = tape_measure(t).n_inputs;
    if (n > 0)
        memcpy(work, inputs, n * sizeof *work);
    return tape_run(t, work, out, 0, calls);
}
#endif
