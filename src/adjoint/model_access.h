/* adjoint/model_access.h - what is inside of a model, for those who also see the solver.
 *
 * Responsibility: api/model_handle.h and solver/run.h cannot be included together, since both
 * halves of the library have a start_problem of their own. Depends on: hybrid/discrete.h. */
#ifndef DAEDAL_ADJOINT_MODEL_ACCESS_H
#define DAEDAL_ADJOINT_MODEL_ACCESS_H

#include "hybrid/discrete.h"

daedal_solver *access_solver(const daedal_model *handle); /* of the run under way */
const compiled_model *access_equations(const daedal_model *handle);
const daedal_allocator *access_allocator(const daedal_model *handle);
/* By number among those of the description; false: there is none. */
bool access_variable(const daedal_model *handle, int32_t number, uint32_t *variable);

discrete_part *access_discrete(const daedal_model *handle);
/* Who looks at the events of the run under way; NULL: nobody. */
void access_observe(const daedal_model *handle, const event_observer *observer);

/* A warning, where warnings of runs go. */
void access_warn(const daedal_model *handle, double t, const char *message);

/* The value of a parameter that may be moved; NAN: it decides what the equations are. */
double access_parameter(const daedal_model *handle, uint32_t variable);
/* All values at the start of a run, with these values of n parameters.  false: it is not known. */
bool access_start(const daedal_model *handle, const daedal_simulation *how,
                  const uint32_t *parameters, const double *values, int32_t n, double *x);
#endif
