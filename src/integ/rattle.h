/* integ/rattle.h - the state of a run by RATTLE and its compositions, for equations of motion over
 * long times.
 *
 * One method for M(q) q'' = f(t, q) - G(q)' lambda, g(q) = 0, with steps of one size; without
 * constraints it is that of Stoermer and Verlet (docs/theory/rattle.md).
 *   rattle.c             making, beginning, between mesh points
 *   rattle_step.c        one accepted step
 *   rattle_kick.c        the symmetric step of order 2 that all others consist of
 *   mechanical_form.c    which unknowns are positions and velocities
 * Depends on: integ/method.h, integ/mechanical_form.h, newton/modified_newton.h.     */
#ifndef DAEDAL_INTEG_RATTLE_H
#define DAEDAL_INTEG_RATTLE_H

#include "integ/mechanical_form.h"
#include "newton/modified_newton.h"

/* Steps gamma_1 h .. gamma_s h of a symmetric method of order 2, one after the other, which
 * together are one of a higher order.                                             */
typedef struct rattle_composition {
    int32_t order, stages;
    const double *gamma;
} rattle_composition;

/* The composition of the highest order up to order_max. */
const rattle_composition *rattle_composition_for(int32_t order_max);

/* The size of steps, and whether it is accurate enough. */
typedef struct rattle_pace {
    double h;          /* of all steps, signed; 0: yet to be chosen                        */
    bool is_given;     /* by the user                                                      */
    int64_t next_test; /* number of the step after which it is tested next                 */
    bool is_told;      /* a warning says that it is too long                               */
} rattle_pace;

typedef struct rattle {
    integ_context in;
    const rattle_composition *plan;
    mechanical_form form;
    rattle_pace pace;
    bool form_is_known; /* the system has the form of the method                            */
    bool is_ready;      /* the matrix of the context is factored for it                     */
    int32_t n;

    double t, t_before;
    double h, h_last; /* signed: of the next and of the last step                           */
    int64_t steps_done;
    double roundoff;              /* of y, in weights                                       */
    double roundoff_of_positions; /* in weights of velocities                               */
    int32_t worst;

    double *y, *yp; /* at t */
    double *y_before, *yp_before;
    double *y_new, *yp_new;
    double *y_side, *yp_side; /* a step beside the run                                     */
    double *y_there;          /* of an iteration                                           */
    double *v_half;
    double *residual;
    double *share_y, *share_yp;
    double *inverse_weight;
    double *size_weight; /* for the error of a step, as its size is chosen                   */
    block mem;
} rattle;

/* rattle_kick.c */

/* One step of order 2 from (t, y, yp) to t + h, in place.  yp and algebraic variables in y are
 * those at the end up to multiples of constraint forces; rattle_settle completes them.   */
newton_outcome rattle_substep(rattle *r, double t, double h, double *y, double *yp);
/* Compute y' and the algebraic variables at (t, q, v). */
newton_outcome rattle_settle(rattle *r, double t, double *y, double *yp);
/* Evaluate and factor the matrix of both. */
newton_outcome rattle_prepare(rattle *r, double t, const double *y, const double *yp);
/* Move v roughly onto the constraints on velocities at (t, q).  The answer is a daedal_answer. */
int rattle_restrict(rattle *r, double t, double *y);

/* rattle_step.c */
daedal_status rattle_step(void *self, double t_limit);
/* Take one step of the composition in place. */
newton_outcome rattle_compose(rattle *r, double t, double h, double *y, double *yp);

/* rattle_form.c: check the form of the system.  Returns DAEDAL_OK, or the reason why it has not
 * this form. */
daedal_status rattle_check_form(rattle *r);
#endif
