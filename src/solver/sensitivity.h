/* solver/sensitivity.h - derivatives of a solution by parameters, integrated beside it.
 *
 * Responsibility: the linear equations dF/dy s + dF/dy' s' + dF/dp = 0 along the solution of a run
 * (sensitivity_equations.c), and a second run that solves them step by step behind the first one
 * (sensitivity.c).  The first run does not know of it: its steps and values are the same with
 * and without sensitivities (docs/decisions/112-sensitivities.md).
 * Scaled sensitivities are |p| dy/dp: they have the units of y, and its tolerances.
 * Depends on: solver/run.h.                                                      */
#ifndef DAEDAL_SOLVER_SENSITIVITY_H
#define DAEDAL_SOLVER_SENSITIVITY_H

#include "integ/bdf_grid.h"
#include "solver/held_restart.h"
#include "solver/run.h"

/* A time, and what is known of the equations there. */
typedef struct sensitivity_point {
    double t;
    bool has_sizes, has_parts, has_slopes, has_constraints;
    double *y, *yp;                /* n each: the solution there                           */
    double *inverse_weight, *size; /* n each: of y, for increments                         */
    double *dp;                    /* n x n_parameters: dF/dp times the scale of p         */
    double *gy, *gp;               /* of the constraints: dg/dy, and dg/dp times the scale  */
} sensitivity_point;

/* The description of the linear equations. */
typedef struct sensitivity_system {
    pattern dy, dyp, constraints; /* equal blocks on the diagonal, one for each parameter     */
    int32_t *kind, *index, *constraint_level, *variable_level, *select;
    int32_t *row_start, *row_col, *row_at; /* of one block, by rows: n + 1; entries              */
    double *rtol, *atol;
    block mem;
} sensitivity_system;

/* What may have become of the errors (sensitivity_errors.c). */
typedef struct sensitivity_errors {
    double *drift;        /* n: an error of scaled sensitivities, as it may be                    */
    double *largest;      /* n: scaled sensitivities that were shown, of any parameter            */
    double *work;         /* n                                                                    */
    double *states;       /* n: the errors of the states                                          */
    double *size, *shown; /* n each: states, the largest so far; of those that were shown     */
    double lasting;       /* for how many steps errors of the states last, about                  */
    double h_before;      /* the step of the states before the last one                           */
    int64_t smooth_from;  /* the number of a step behind which no jump is near                   */
    uint64_t random;
    double told;   /* in tolerances, by the last warning; 0: there was none                   */
    double inside; /* the largest one of states inside a step, in tolerances                 */
} sensitivity_errors;

/* A step of the states that has been left out: where sensitivities vary slowly, one of their steps
 * spans two of the states (sensitivity_steps.c).  Its dense output is gone with the next step of
 * the states, so the states at both ends are kept.                                  */
typedef struct skipped_step {
    bool is_open;         /* the sensitivities are still at its beginning                */
    double t[2];          /* its beginning, where the newest sensitivities are; its end    */
    double *y[2], *yp[2]; /* the states there, n each                                      */
    int32_t order;        /* of the states in it                                        */
    bool is_cut;          /* it was too long for the sensitivities                      */
} skipped_step;

/* Steps that go along with those of bdf (sensitivity_steps.c). */
enum { SENSITIVITY_POINTS = BDF_ORDER_MAX + 2 };

typedef struct sensitivity_steps {
    bool is_on;           /* in place of the linear run, until the next begin            */
    int32_t order, limit; /* of the last step; and after failures no more than that      */
    int32_t since;        /* steps since the limit has changed                           */
    int32_t own;          /* order of steps that are shorter than those of the states, if higher */
    int32_t same;         /* such steps of the same order                                */
    int32_t n_points;     /* values that are known                                       */
    int32_t slot[SENSITIVITY_POINTS], newer; /* places of values, newest first; of slopes   */
    double t[SENSITIVITY_POINTS];            /* times of these values                       */
    double h_own;                            /* a step that passes the error test; 0: any   */
    double h_skip;                           /* the same, for leaving out steps of the states  */
    double rate;                             /* of the iteration with old factors; < 0: unknown */
    double *value[SENSITIVITY_POINTS];       /* n x n_parameters each                       */
    double *slope[2];                        /* the same, for the two newest points         */
    double *work, *trial, *weight;           /* n x n_parameters twice; n                   */
    skipped_step skipped;
    block mem;
} sensitivity_steps;

typedef struct sensitivities {
    run *states;              /* the run that is followed                                     */
    int32_t n, n_parameters;  /* unknowns of that run                                         */
    daedal_stats stats, told; /* calls of F; and what is told of both                        */
    evaluator ev;             /* F, counted here                                               */
    iteration_matrix parts;   /* dF/dy and dF/dy' at the point                                 */
    int32_t nnz;              /* of its pattern; 0: it is yet to be made                        */
    jacobian_parts both;      /* of models: where they come from; call is NULL without          */
    bool has_both;            /* and their pattern is that of `parts`                          */
    sensitivity_point at;
    sensitivity_system system;
    sensitivity_steps steps;
    run *linear;   /* NULL: yet to be made                                          */
    bool is_begun; /* a start now is one inside a run, and the values are lost       */
    bool is_lost;
    bool is_jump_told;     /* that F jumps where no event is                                */
    bool time_jumps_move;  /* jumps at times that depend on parameters are told, too        */
    bool is_due;           /* the linear run has to begin from `value`, at the state        */
    double t_step;         /* end of the step that was followed last                        */
    double *scale;         /* n_parameters                                                  */
    double *given;         /* scaled, n x n_parameters: of the start values                 */
    double *value, *slope; /* scaled, n x n_parameters: at the state, unless t_asked is a time */
    double t_asked;        /* where the linear run has them; NAN: they are there already    */
    sensitivity_errors errors;
    double *shown; /* 2 n n_parameters: what the user reads                         */
    double *y_moved[2], *yp_moved[2], *r_moved[2]; /* n each, or as many as constraints       */
    block mem;
} sensitivities;

/* ---- sensitivity.c ---- */

/* Part of a run whose system has parameters, else NULL; DAEDAL_OK or DAEDAL_ERR_MEMORY. */
daedal_status sensitivities_create(sensitivities **s, run *states);
void sensitivities_free(sensitivities *s); /* accepts NULL */
/* Between runs of the same system; without parameters nothing. */
daedal_status sensitivities_copy(run *to, const run *from);

/* A start by the user: the values are those given for it. */
void sensitivities_reset(run *r);
/* The run has gone back to a time at which they are not known. */
void sensitivities_lose(run *r);
/* The state may have been changed: algebraic sensitivities follow. */
void sensitivities_renew(run *r);
/* The integrator has begun again behind a corner, where F is continuous and its derivatives jump:
 * sensitivities of states are continuous, algebraic ones jump. */
daedal_status sensitivities_pass_corner(run *r);
/* F jumps at t, where states have a value, but nobody is told of an event: warn, once. */
void sensitivities_tell_jump(run *r, double t);
/* Whether that is of interest for jumps at times that are known beforehand. */
bool sensitivities_ask_for_time_jumps(const run *r);
/* Begin at the state, if that is due; and follow the run to its state. */
daedal_status sensitivities_begin(run *r);
daedal_status sensitivities_follow(run *r);
/* The run is handed to its user: no step may be left out any more. */
daedal_status sensitivities_catch_up(run *r);
/* dy/dp_i and dy'/dp_i at the state. */
daedal_status sensitivities_show(run *r, int32_t i, const double **s, const double **sp);
const daedal_stats *sensitivities_stats(const run *r); /* NULL without parameters */
daedal_status sensitivities_set(run *r, int32_t i, const double *s);

typedef struct sensitivity_quantities {
    daedal_quantity_fn *of;
    int32_t n;
    void *user;
    double *derivatives; /* n x n_parameters */
} sensitivity_quantities;

daedal_status sensitivities_derive(run *r, const sensitivity_quantities *q);
/* dT/dp of the time T of the event at the state. */
daedal_status sensitivities_of_event(run *r, int32_t event, double *derivatives);

/* ---- sensitivity_steps.c ---- */

/* Whether they can take the place of the linear run; memory for them (false: there is none). */
bool sensitivity_steps_serve(const sensitivities *s);
bool sensitivity_steps_create(sensitivities *s);
void sensitivity_steps_free(sensitivities *s);
void sensitivity_steps_copy(sensitivities *s, const sensitivities *from);
/* From s->value and s->slope at t on. */
void sensitivity_steps_begin(sensitivities *s, double t);
/* Up to t, not beyond t_last.  DAEDAL_ERR_RETRY: they failed, and `value` and `slope` are those of
 * the time that was reached.                                                      */
daedal_status sensitivity_steps_advance(sensitivities *s, double t, double t_last);
/* Whether the step of the states that ends at t may be left out; if so, it is noted. */
bool sensitivity_steps_skip(sensitivities *s, double t);
/* The states at t, inside or at the end of a step that has been left out; false: t is not there. */
bool sensitivity_steps_know_states(const sensitivities *s, double t, double *y, double *yp);
/* Values and slopes inside the last step. */
void sensitivity_steps_interpolate(const sensitivities *s, double t, double *value, double *slope);

/* ---- sensitivity_errors.c ---- */

void sensitivity_errors_begin(sensitivities *s);  /* none so far                             */
void sensitivity_errors_follow(sensitivities *s); /* after a step of the linear run          */
/* e: of the states, as a step along with bdf has found them with its c. */
void sensitivity_errors_note_states(sensitivities *s, const double *e, double c);
/* Warn, once, if they have grown beyond what was asked for.  t: of the values that are shown. */
void sensitivity_errors_tell(sensitivities *s, double t);
/* Note how far the states inside the last step are off, with other methods than bdf. */
void sensitivity_errors_look_inside(sensitivities *s);

/* ---- sensitivity_equations.c ---- */

/* Describe the linear equations; false: out of memory. */
bool sensitivity_describe(sensitivities *s, daedal_system *sys);
void sensitivity_forget_description(sensitivities *s);
void sensitivity_forget_point(sensitivities *s);
void sensitivity_go_to_state(sensitivities *s); /* the point, for differences there */
/* dF/dy, dF/dy' and dF/dp at a time; a daedal_answer. */
int sensitivity_evaluate(sensitivities *s, double t);
/* out = dF/dy v + dF/dy' w, added, for `count` vectors one behind the other. */
void sensitivity_add_products(const sensitivities *s, int32_t count, const double *v,
                              const double *w, double *out);

/* (y, yp, p) moved by +-step times the scaled sensitivities of parameter i; the step that is small
 * against y and p and large against roundoff.  k = 0: forward, 1: back.               */
double sensitivity_increment(sensitivities *s, const double *value);
void sensitivity_move(sensitivities *s, const double *value, const double *slope, double step,
                      int k);
void sensitivity_move_parameter(const sensitivities *s, int32_t i, double step, double *kept);
void sensitivity_put_back(const sensitivities *s, int32_t i, double kept);
#endif
