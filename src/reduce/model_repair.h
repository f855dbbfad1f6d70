/* reduce/model_repair.h - where numbers contradict the structure of a model.
 *
 * Responsibility: equations rewritten until their structure tells the truth; index and degrees of
 * freedom judged by numbers; messages about equations that determine too much and too little.
 * What is found stands in struct model.
 * Depends on: compile/model.h.                                                    */
#ifndef DAEDAL_REDUCE_MODEL_REPAIR_H
#define DAEDAL_REDUCE_MODEL_REPAIR_H

#include "compile/model.h"

/* model_repair.c: rewrite one equation, or one in each of several blocks, if the structure
 * misleads.  The index as measured goes into the report.                          */
daedal_status model_repair(model *m, equations *system, const analysis *a, bool *changed);

/* The system as it is before repairs, and back to it; false: out of memory. */
bool model_keep_plain(model *m);
void model_restore_plain(model *m);
/* After repairs that ended in a singular structure: false, and m->unrepairable, if the equations as
 * written are solvable by numbers, so that it is not their fault.                 */
bool model_is_repairable(model *m);

/* model_points.c: of any symbol at generic point number `sample` near the start. */
double model_generic_value(model *m, int sample, uint32_t symbol);

/* model_judge.c: into m->judgement and the report, once, where the structure may be wrong; false:
 * out of memory.                                                                 */
bool model_judge(model *m);
/* Points for the unknowns of the system as it is now, with derivatives up to the order; false: none
 * were found.                                                                    */
bool model_find_points(model *m, const equations *system, int32_t order, model_point *points);

/* model_singular.c: what is determined too often, and what not at all.  Of repaired equations, with
 * the analysis that failed; of those that run, where numbers contradict the structure.  All
 * answer DAEDAL_ERR_STRUCTURE with m->why.                                        */
daedal_status model_complain_balance(model *m, const analysis *a);
daedal_status model_complain_singular(model *m, const analysis *a);
daedal_status model_complain_misled(model *m);

/* model_extend.c: unknowns and rows wait until they are taken or forgotten; false: out of memory.
 */
bool model_add_unknown(model *m, const char *name, uint32_t of, int32_t order, uint32_t *number);
bool model_add_row(model *m, added_row row);
/* A row with the place in the text of `like`, for model_add_row. */
bool model_copy_equation(model *m, expr residual, uint32_t like, uint32_t *number);
bool model_take_added(model *m);
void model_keep_added(model *m); /* so that they are not forgotten any more */
void model_forget_added(model *m);
#endif
