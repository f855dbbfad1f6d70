/* reduce/rewriting.h - equations of a model replaced by others that follow from them.
 *
 * Responsibility: derivatives of any order, with a new variable for each derivative that has none;
 * proxies for leading unknowns (reduce/augment.h); the origin of rows.
 * Depends on: reduce/repairs.h, reduce/repair.h.                                */
#ifndef DAEDAL_REDUCE_REWRITING_H
#define DAEDAL_REDUCE_REWRITING_H

#include "reduce/repair.h"
#include "reduce/repairs.h"

/* For repair_task and equations; user is the model.  Added unknowns count as the derivatives that
 * they represent.                                                           */
equations_place reduced_place(void *user, uint32_t symbol);
expr reduced_derivative(void *user, expr e);

/* The origin of what replaces the last of the set; false: out of memory. */
bool reduced_join_origins(reduced_model *m, const signature *offsets, const repair_set *set,
                          row_origin *to);

bool reduced_record_rewritten(reduced_model *m, uint32_t equation);

/* Replace the set by copies with proxies, where no constant combination helps; *done: it succeeded.
 */
daedal_status reduced_augment(reduced_model *m, const repair_task *task, const repair_set *set,
                              row_origin origin, bool *done);
#endif
