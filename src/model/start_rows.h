/* model/start_rows.h - the start as one system of equations.
 *
 * Responsibility: the equations, the initial equations and values to be held, solved
 * together for y, y' and parameters (study/INDEX_REDUCTION.md section 3).
 * Depends on: model/model.h, graph/, linalg/.                                   */
#ifndef DAEDAL_MODEL_START_ROWS_H
#define DAEDAL_MODEL_START_ROWS_H

#include "model/model.h"

typedef struct start_rows start_rows;

/* From the values in m->x; what is found stands there afterwards. */
daedal_status start_rows_solve(model *m);
void start_rows_free(model *m);
#endif
