/* linear/written_equations.h - derivatives of the equations of a model as written.
 *
 * Responsibility: E = dF/dy', A = -dF/dy and B = -dF/du at the values of a run, exact, by all
 * unknowns of the text: before aliases are eliminated and the index is lowered.
 * Depends on: compile/compiled.h.                                                  */
#ifndef DAEDAL_LINEAR_WRITTEN_EQUATIONS_H
#define DAEDAL_LINEAR_WRITTEN_EQUATIONS_H

#include "compile/compiled.h"

/* A point where nothing moves, in the place of the values of the run. */
typedef struct still_point {
    double t;
    double *y;                          /* by unknown                                 */
    double *relation, *rounding;        /* by number                                  */
    double *discrete, *discrete_before; /* by discrete variable                       */
} still_point;

typedef struct written_equations {
    const compiled_model *model;
    const still_point *at; /* NULL: the values of the run */
    daedal_diagnosis *why;
    equations system;
    expr_deriver *deriver;
    bool lacks_memory; /* an expression has no value because of that */
    bool is_linear;    /* all derivatives that were asked for are constant                */
} written_equations;

/* The variables that are computed only for the output must be there.  Failures are in *why, which
 * is that of the model.  written_equations_free in any case.                               */
daedal_status written_equations_create(written_equations *w, const compiled_model *m);
void written_equations_free(written_equations *w);

/* An expression there; NAN: it has no value. */
double written_equations_value(written_equations *w, expr e);

/* n x n by columns, zero before; e may be NULL. */
daedal_status written_equations_jacobians(written_equations *w, double *e, double *a);
/* -dF/du of an input of the flat model, or of a parameter; n values, zero before. */
daedal_status written_equations_by_input(written_equations *w, uint32_t input, double *column);
daedal_status written_equations_by_parameter(written_equations *w, uint32_t variable,
                                             double *column);

/* Of an unknown; NAN: it is not known. */
double written_value(const compiled_model *m, uint32_t variable);
double written_slope(const compiled_model *m, uint32_t variable);
#endif
