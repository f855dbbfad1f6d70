/* solver/after_step.h - what the model half of the library may ask and order after each step.
 *
 * Responsibility: an internal hook, called after every accepted step, that looks at the step and
 * answers how the run goes on.  It is not part of daedal.h: users have the progress callback, which
 * shows where a run stands and can cancel it.  simulate/ includes of solver/ this header
 * and a few more, which ARCHITECTURE.md lists.
 * Depends on: daedal.h.                                                          */
#ifndef DAEDAL_SOLVER_AFTER_STEP_H
#define DAEDAL_SOLVER_AFTER_STEP_H

#include <stdbool.h>

#include "daedal.h"

typedef enum after_step_answer {
    AFTER_STEP_CONTINUE,
    AFTER_STEP_EVENT,  /* the call returns DAEDAL_EVENT, with the state where it stands           */
    AFTER_STEP_REPEAT, /* back to t_from, with all tolerances multiplied by tolerance_factor, and
                          with the absolute ones of `atol` where these are smaller            */
    AFTER_STEP_FAIL    /* the call returns the status that the hook has written into *why         */
} after_step_answer;

/* The step that was accepted, and room for what an answer needs. */
typedef struct accepted_step {
    double t_from, t;        /* its ends; the state stands at t, or before it at an output point */
    double t_stop;           /* the stop time of the solver; NAN: none                          */
    bool at_event;           /* an event function has fired: the call returns in any case       */
    double tolerance_factor; /* for AFTER_STEP_REPEAT                                           */
    const double *atol;      /* likewise; NULL: as they are                                     */
    daedal_diagnosis *why;   /* for AFTER_STEP_FAIL                                             */
} accepted_step;

/* The hook may read the solver: its state, statistics, interpolated values.  It must not advance,
 * restart or free it.                                                            */
typedef after_step_answer after_step_fn(accepted_step *step, void *user);

/* Patterns and names of the system that the solver was just created for live longer than it: it
 * gives its copies of them back. */
void solver_rely_on(daedal_solver *solver, const daedal_system *system);

/* The factors of the start are of no use for steps: their memory is given back. */
void solver_forget_factors(daedal_solver *solver);

/* NULL removes the hook.  A clone of the solver has none. */
void solver_set_after_step(daedal_solver *solver, after_step_fn *hook, void *user);

/* What the caller shows contains y': at output points it shall have as many digits as y. */
void solver_show_slopes(daedal_solver *solver, bool shows);

/* The arguments of corners of F: where one of them changes its sign, F or its slopes jump although
 * no event function does.  A daedal_answer. */
typedef int corner_fn(double t, const double *y, const double *yp, double *g, void *user);

typedef struct corner_functions {
    int32_t n_of_time, n_of_states;
    corner_fn *of_time;     /* reads t alone                                                 */
    bool changes_at_events; /* of_time is another function behind an event                 */
    bool is_incomplete;     /* F may have corners that neither of them tells                */
    corner_fn *of_states;   /* reads everything                                              */
    const double *scale_of_time, *scale_of_states; /* of arguments, renewed by calls       */
    double band; /* of that scale: a smaller argument of states has no sign                */
    void *user;
} corner_functions;

/* Steps end at corners (corner_steps.c, time_corners.c).  A clone of the solver has none.
 * DAEDAL_ERR_MEMORY. */
daedal_status solver_set_corners(daedal_solver *solver, const corner_functions *f);

/* Whether the solution goes on behind the end of the last step although dF/dy is nearly singular
 * there: an algebraic variable has an infinite slope, or nothing moves (steep_point.c). */
bool solver_continues_behind(daedal_solver *solver);
/* A time so near behind it that states do not notice, and values there, if the equations, which may
 * have been changed since the last step, have a solution that begins at its end.  It is searched in
 * the direction in which y moved (side 1), or in the opposite one (-1), not farther than *t if that
 * can be avoided. */
bool solver_find_continuation(daedal_solver *solver, int side, double *t, double *y, double *yp);

/* The hook, the corners and the silent events of `from`, with what is known of them, for a clone of
 * it.  DAEDAL_ERR_MEMORY. */
daedal_status solver_copy_hooks(daedal_solver *clone, const daedal_solver *from);
/* A clone, hooks included, that is to serve another system of the same kind: it calls what `mine`
 * calls.                                                                         */
void solver_adopt_hooks(daedal_solver *clone, const daedal_solver *mine);

/* The last n event functions only lead the search for events (integ/roots.h). */
void solver_set_silent_events(daedal_solver *solver, int32_t n);

/* No step passes t, although the run goes on behind it; it is of no effect once t was reached. */
void solver_set_step_limit(daedal_solver *solver, double t);

/* y and y' inside the last step, as accurate as at output points.  DAEDAL_OK, or a failure as of
 * daedal_solver_advance. */
daedal_status solver_values_inside(daedal_solver *solver, double t, double *y, double *yp);

/* Where the last step of the integrator ends; it may have been shortened since it was accepted. */
double solver_step_end(const daedal_solver *solver);

/* What the solver warned of last; inside the log callback it belongs to the message. */
const daedal_diagnosis *solver_last_warning(const daedal_solver *solver);
#endif
