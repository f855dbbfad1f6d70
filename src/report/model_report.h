/* report/model_report.h - what a model can tell of its equations, without a run.
 *
 * Responsibility: the class of the system and the index of each variable; hidden constraints as
 * formulas; the incidence of equations and unknowns; residual and Jacobian as C source.
 * Depends on: compile/model.h.                                                    */
#ifndef DAEDAL_REPORT_MODEL_REPORT_H
#define DAEDAL_REPORT_MODEL_REPORT_H

#include "compile/model.h"

/* model_classify.c: of the equations as written, with their analysis; of repaired ones, with that
 * of the system as it is now, and their largest is the index.                    */
bool model_note_indices(model *m, const analysis *a);
bool model_note_repaired_indices(model *m, const analysis *a);
const char *model_classify(model *m);

/* model_hidden.c: into the report, when it is asked for. */
bool model_list_hidden(model *m);

/* model_incidence.c: of the equations as written; what it points to lives as long as the model. */
daedal_status model_list_incidence(model *m, daedal_incidence *out);

/* model_export.c: residual, Jacobian and sparsity as a C file, piece by piece.  DAEDAL_STOPPED
 * when `write` does not answer DAEDAL_CALL_OK; DAEDAL_ERR_STRUCTURE: of this model none.  */
daedal_status model_export_c(model *m, daedal_text_fn *write, void *user);
#endif
