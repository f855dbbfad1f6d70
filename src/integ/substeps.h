/* integ/substeps.h - output points where the interpolant of a one-step method is not accurate
 * enough.
 *
 * Responsibility: the error of an interpolant from its defect, F(t, u, u'); and, where that is too
 * large, values of another instance of the method, which takes the last step again in shorter ones
 * beside the run.  (Radau has its own, radau_substeps.c: it can guess them better.)
 * Depends on: integ/method.h.                                                    */
#ifndef DAEDAL_INTEG_SUBSTEPS_H
#define DAEDAL_INTEG_SUBSTEPS_H

#include "integ/method.h"

/* The largest error in one step. */
typedef struct substeps_peak {
    double t_from, t_to, error; /* t_from NAN: of none */
} substeps_peak;

typedef struct substeps {
    integ_context in; /* of the other instance: its steps are counted elsewhere         */
    daedal_stats stats;
    daedal_diagnosis why;
    const method *how;
    void *side;            /* the other instance; NULL until it is needed                */
    double t_from, t_to;   /* the step that it takes again; NAN: none                    */
    double *y, *yp, *room; /* n each                                                     */
    double *inverse_weight;
    substeps_peak peak[2]; /* without and with algebraic variables in full */
    block mem;
} substeps;

/* The answer is false if memory is lacking. substeps_free must be called in any case. */
bool substeps_create(substeps *x, const method *how, const integ_context *context);
void substeps_free(substeps *x);
/* Forget the last step, because the run begins again or has been replaced. */
void substeps_forget(substeps *x);
/* Do the same for a run that has become equal to another one. */
void substeps_follow(substeps *x, const substeps *from);

/* The error of the interpolant of `self` at t in units of the tolerance, of algebraic variables in
 * full or as far as they are corrected afterwards; HUGE_VAL where F is not defined.  The matrix of
 * the context must be factored.  */
double substeps_error(substeps *x, void *self, double t, bool of_algebraic);

/* Compute y and y' at t, inside the last step of `self`. *done tells whether they were found.
 * Returns DAEDAL_OK, DAEDAL_STOPPED or DAEDAL_ERR_MEMORY. */
daedal_status substeps_values(substeps *x, void *self, double t, double *y, double *yp, bool *done);
#endif
