/* reduce/rewriting.h - equations of a model replaced by others that follow from them.
 *
 * Responsibility: derivatives of any order, where a variable is made for each derivative that has
 * none; proxies for leading unknowns (reduce/augment.h); what a row was made of.
 * Depends on: compile/model.h, reduce/repair.h.                                */
#ifndef DAEDAL_REDUCE_MODEL_REWRITE_H
#define DAEDAL_REDUCE_MODEL_REWRITE_H

#include "reduce/repair.h"
#include "reduce/repairs.h"

/* For repair_task and equations, user is the model.  Unknowns that wait count as the derivatives
 * that they stand for.                                                           */
equations_place reduced_place(void *user, uint32_t symbol);
expr reduced_derivative(void *user, expr e);

/* The origin of what replaces the last of the set; false: out of memory. */
bool reduced_join_origins(reduced_model *m, const signature *offsets, const repair_set *set,
                          row_origin *to);

bool reduced_note_rewritten(reduced_model *m, uint32_t equation);

/* *done: proxies took the set apart, where no constant combination does. */
daedal_status reduced_take_apart(reduced_model *m, const repair_task *task, const repair_set *set,
                                 row_origin origin, bool *done);
#endif
