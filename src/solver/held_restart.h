/* solver/held_restart.h - a restart in which no state may jump.
 *
 * Responsibility: the model half of the library looks for the mode that follows an event with the
 * states held; in a mode that would have to move them (an impulse) this restart fails.  It is not
 * part of daedal.h: a restart of a function may always move its states where the index requires it.
 * Depends on: daedal.h.                                                          */
#ifndef DAEDAL_SOLVER_HELD_RESTART_H
#define DAEDAL_SOLVER_HELD_RESTART_H

#include "daedal.h"

/* As daedal_solver_restart(solver, y, NULL), but DAEDAL_ERR_SINGULAR or DAEDAL_ERR_START where the
 * equations do not determine derivatives and algebraic variables from the states alone; the
 * state of the solver is then as before.                                         */
daedal_status solver_restart_held(daedal_solver *solver, const double *y);

/* The same after values from outside have changed that the derivatives of F do not contain: the
 * factors of the integrator are kept, and others serve for algebraic variables and y', as long as
 * Newton's iteration converges fast with them.  *done: it did; else the state is as before, and
 * the ordinary restart must follow.  DAEDAL_OK or DAEDAL_STOPPED, or the failure of an event
 * function.                                                                      */
daedal_status solver_restart_same(daedal_solver *solver, const double *y, bool *done);

/* The index that was found by numbers at the last start or restart; 0: it was not looked for. */
int32_t solver_found_index(const daedal_solver *solver);

/* The start of a model is complete: starts that follow are made inside the run, where branches end
 * or events accumulate, and sensitivities are not known behind them.              */
void solver_keep_sensitivities(daedal_solver *solver);

/* Both parts of the Jacobian of F at once, in the order of a pattern, as long as the system has
 * this Jacobian.  DAEDAL_CALL_RETRY: there are none here. */
typedef struct jacobian_parts {
    int (*call)(double t, const double *y, const double *yp, double *dy, double *dyp, void *user);
    void *user;
    const daedal_pattern *pattern;
    daedal_jacobian_fn *of;
} jacobian_parts;

/* For sensitivities, which need them in each step. */
void solver_give_parts(daedal_solver *solver, const jacobian_parts *parts);

/* Corners at known times depend on the parameters of sensitivities: where F jumps there, warn. */
void solver_tell_time_jumps(daedal_solver *solver);

/* Whether sensitivities do not count everything that the parameters do. */
bool solver_lacks_sensitivities(const daedal_solver *solver);

/* The derivative in time of a quantity along the dense output of the last step, at t in it or next
 * to it; false: the quantity has no finite values there, or the run has just begun.  For solvers
 * with parameters.                                                                    */
bool solver_slope_in_step(daedal_solver *solver, double t, daedal_quantity_fn *of, void *user,
                          double *slope);

/* After a restart: event functions have changed, and their signs are taken anew.  A daedal_answer.
 */
int solver_renew_events(daedal_solver *solver);
#endif
