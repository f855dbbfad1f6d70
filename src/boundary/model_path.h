/* boundary/model_path.h - a solution of the reduced equations of a model as a result of the model.
 *
 * Responsibility: what collocation needs of a model beside its solver: whether its equations are
 * smooth, and rows of all variables along a path.  api/model_handle.h and solver/run.h cannot be
 * included together.
 * Depends on: boundary/piecewise.h.                                             */
#ifndef DAEDAL_BOUNDARY_MODEL_PATH_H
#define DAEDAL_BOUNDARY_MODEL_PATH_H

#include "boundary/piecewise.h"

/* NULL, or what in the equations may jump: "events", "delays". */
const char *path_obstacle(const daedal_model *handle);

/* Rows at the output points of the simulation, with `every_step` at the mesh points, to its
 * receiver, while a run is under way.  *residual: the largest of the algebraic equations.
 * DAEDAL_STOPPED: the receiver asked for it.                                      */
daedal_status path_emit(const daedal_model *handle, const daedal_simulation *how,
                        const piecewise *path, double *residual);

/* Memory that lives as long as the model; NULL: none is left. */
void *path_keep(daedal_model *handle, size_t count, size_t size);
#endif
