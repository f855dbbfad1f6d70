/* report/model_report.h - reports on the equations of a model, without a run.
 *
 * Responsibility: the class of the system; hidden constraints as formulas; the incidence of
 * equations and unknowns; residual and Jacobian as C source.
 * Depends on: reduce/, compile/.                                                */
#ifndef DAEDAL_REPORT_MODEL_REPORT_H
#define DAEDAL_REPORT_MODEL_REPORT_H

#include "compile/compiled.h"

/* classify.c */
const char *report_class(reduced_model *m);

/* hidden_constraints.c: into the report, on request; false: out of memory. */
bool report_hidden_constraints(reduced_model *m);

/* incidence_lists.c: of the equations as written; what it points to lives as long as the model. */
daedal_status report_incidence(reduced_model *m, daedal_incidence *out);

/* export_c.c: residual, Jacobian and sparsity as a C file, piece by piece.  DAEDAL_STOPPED
 * when `write` does not answer DAEDAL_CALL_OK; DAEDAL_ERR_STRUCTURE: it cannot be written in C. */
daedal_status report_export_c(const compiled_model *m, daedal_text_fn *write, void *user);
#endif
