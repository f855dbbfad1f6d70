/* compile/parameter_tapes.h - derivatives of the equations by parameters.
 *
 * Responsibility: dF/dp and dg/dp as tapes, exact: live constants are differentiated by their
 * formulas (expr/derive.h), so that parameters that depend on p count as well.  A discrete variable
 * may be given as a parameter: between events it is one.
 * Depends on: compile/compiled.h.                                                */
#ifndef DAEDAL_COMPILE_PARAMETER_TAPES_H
#define DAEDAL_COMPILE_PARAMETER_TAPES_H

#include "compile/compiled.h"
#include "expr/derive.h"

/* The parameter by which is differentiated: as a direction, which points to it. */
typedef struct parameter_direction {
    const flat_model *flat;
    uint32_t variable;
} parameter_direction;
expr_direction parameter_direction_of(parameter_direction *by, const flat_model *flat,
                                      uint32_t variable);

/* In place of a variable: no equation depends on this parameter, as on a start value. */
#define NO_PARAMETER UINT32_MAX

typedef struct parameter_tapes {
    const compiled_model *model;
    const uint32_t *variable; /* n: the parameters, or NO_PARAMETER; borrowed            */
    const double *scale;      /* n: sizes of their values, borrowed */
    int32_t n;
    int32_t n_held; /* the last of them: numbers between events, with derivatives by the others */
    const double *held;   /* (n - n_held) x n_held: these derivatives, borrowed                 */
    program *residuals;   /* n_equations x n, by columns; NULL: none depends on any  */
    pattern entries;      /* of the residuals: those that are not zero               */
    program *constraints; /* those that the integrator satisfies, likewise           */
    program *slopes;      /* all of dg/dy, in the order of the pattern; NULL: none   */
    pattern slope_pattern;
    int32_t n_rows, n_constraints;
    const daedal_allocator *allocator;
    bool *is_read; /* n: some equation or constraint depends on it            */
} parameter_tapes;

/* DAEDAL_OK, DAEDAL_ERR_MEMORY, or DAEDAL_ERR_STRUCTURE: a function cannot be differentiated.
 * parameter_tapes_free in any case.                                              */
daedal_status parameter_tapes_build(parameter_tapes *to, const compiled_model *m,
                                    const uint32_t *variable, int32_t n);
/* The derivatives of these expressions of the model in the place of those of its residuals. */
typedef struct expressions {
    const expr *at;
    int32_t n;
} expressions;
daedal_status parameter_tapes_build_of(parameter_tapes *to, const compiled_model *m,
                                       const uint32_t *variable, int32_t n, expressions of);
void parameter_tapes_free(parameter_tapes *t);

/* Values by columns, n - n_held of them, zero where nothing depends on a parameter.  A
 * daedal_answer. */
int parameter_tapes_residuals(const parameter_tapes *t, double time, const double *y,
                              const double *yp, double *values);
/* out_k = v' times column k of them: entries that are zero cost nothing. */
int parameter_tapes_product(const parameter_tapes *t, double time, const double *y,
                            const double *yp, const double *v, double *out);
int parameter_tapes_constraints(const parameter_tapes *t, double time, const double *y,
                                double *values);
int parameter_tapes_slopes(const parameter_tapes *t, double time, const double *y, double *values);
#endif
