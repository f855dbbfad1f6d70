/* simulate/simulate.h - a run of a model, from the start to the stop time.
 *
 * Responsibility: a daedal_solver on the callbacks of the model, advanced from output point to
 * event to output point (model_run.c, model_output.c, model_options.c); whether the equations still
 * determine the solution (model_watch.c), what is done where they do not (model_crossing.c,
 * model_branch.c) and what is said (model_impasse.c).
 * Depends on: compile/model.h, hybrid/, initial/, solver/after_step.h. */
#ifndef DAEDAL_SIMULATE_SIMULATE_H
#define DAEDAL_SIMULATE_SIMULATE_H

#include "compile/model.h"
#include "solver/after_step.h"

/* ---- model_run.c ---- */

typedef struct model_shown {
    const uint32_t *variable; /* n of them, in the order of a row */
    int32_t n;
} model_shown;

typedef struct model_outcome {
    daedal_stats stats;
    double t, constraint_residual;
    const char *method, *method_reason; /* "" if it did not come to that */
    int32_t hold;                       /* the option in use             */
    int32_t n_moved;                    /* start values that were moved */
    uint32_t *moved; /* room for as many as there are variables; owned by the caller */
    double *moved_from, *moved_to;
} model_outcome;

/* Start and run; start_only: the values at the start go to `values`. */
typedef struct model_task {
    const daedal_simulation *how;
    model_shown shown;
    bool start_only;
    double *values;
} model_task;

daedal_status model_run(model *m, const model_task *task, model_outcome *outcome);

/* A run under way; inside this folder. */
typedef struct driver {
    model *m;
    const model_task *task;
    const daedal_simulation *how;
    daedal_options opt;  /* as the solver gets them */
    const char *why_bdf; /* it was chosen here; NULL: it was not                   */
    double *atol, *row;
    int32_t next;        /* output point to come                                      */
    int64_t events;      /* taken                                                     */
    int64_t crowded;     /* events in a row that nearly coincide                      */
    double t_event;      /* of the last one                                           */
    bool stopped;        /* by the receiver of rows                                   */
    double t_branch_end; /* the branch of the solution ends there; NAN: it does not   */
    int32_t asked;       /* how often a step through a singular point was integrated again */
    double worst;        /* residual of the algebraic equations at output points      */
    block mem;
} driver;

/* At x: what an event changes, the row behind it; an error if events never end. */
daedal_status driver_end_event(driver *d, daedal_row_kind row);
void model_read_solver(model *m); /* its state, into x */

/* ---- model_output.c ---- */

double driver_time(const driver *d); /* not beyond the stop time, where events may fall */
double driver_shown(const driver *d, int32_t i); /* entry i of a row */
void driver_fill_row(const driver *d, double *row);
daedal_status driver_emit(driver *d, daedal_row_kind kind);
double driver_next_point(const driver *d); /* or infinity */
/* Skip the points up to t; true if one was at t. */
bool driver_pass_points(driver *d, double t);
double driver_output_interval(const driver *d);

/* ---- model_options.c ---- */

void driver_set_options(driver *d);
after_step_fn driver_after_step; /* with the driver as user */

/* ---- model_impasse.c ---- */

/* Into m->why, with an impasse if that is behind it; answers the status. */
daedal_status model_explain_failure(model *m, daedal_status status, const daedal_diagnosis *why);
daedal_status model_tell_impasse(model *m, daedal_status status, int32_t variable,
                                 int32_t equation);
/* 'equation "z^2 = x" (line 5) does not determine z', of a block that is watched, in text. */
const char *model_undetermined(const model *m, int32_t which, char *text, size_t size);
/* It can be a turning point: then the solution may go on in two ways, or not at all. */
void model_warn_singular_start(model *m);
/* The same before any run, as far as start values tell; NULL: there is nothing to be said. */
const char *model_foresee_singular_start(model *m);

/* ---- model_crossing.c ---- */

/* A step went through a singular point.  It is integrated again with a smaller tolerance: the
 * solution goes on, or the step is repeated because it jumped to another branch, or the branch
 * ends: then an event is asked for, and driver_leave_branch is called at it.            */
after_step_answer driver_judge_crossing(driver *d, accepted_step *step);
/* At t_branch_end: on to another branch if it ends in a corner, else an error. */
daedal_status driver_leave_branch(driver *d);
/* What switches without being an event (noEvent, smooth) is one where the solution cannot go on
 * without a jump: other values of what has no slope, with the same states.         */
daedal_status driver_jump_at_corner(driver *d, bool *jumped);

/* ---- model_watch.c ---- */

bool model_compile_watch(model *m);
void model_watch_begin(model *m);            /* at the start, and when a reference is void */
void model_watch_accept(model *m, double t); /* the signs at t, in the last step, are right */
/* After an accepted step up to t: has a determinant changed its sign?  m->watch.flipped. */
bool model_watch_step(model *m, double t);
/* Are the signs at this point those of the reference? */
bool model_watch_agrees(model *m, double t, const double *y, const double *yp);
/* Is y another solution than that after the step looked at last? */
bool model_watch_differs(const model *m, const double *y);
bool model_watch_moved(const model *m, int32_t which, const double *from, const double *to);
/* After a failure, at x: an algebraic block that is regular here and of the other sign right beside
 * it, as in noEvent(if ...), or -1. */
int32_t model_watch_corner(model *m);
/* At the start, in x: a block that is singular there but not beside it, or -1. */
int32_t model_watch_start(model *m);
/* After a failure, at x: the block that became singular, or -1. */
int32_t model_watch_singular(model *m);
void model_watch_blame(const model *m, int32_t which, int32_t *variable, int32_t *equation);

/* ---- model_branch.c ---- */

/* Was the step from t_from to t_to a jump to another branch? */
typedef enum branch_answer {
    BRANCH_UNCLEAR,
    BRANCH_PASSES, /* the solution goes through a singular point          */
    BRANCH_JUMPED, /* with smaller steps it stays on its branch           */
    BRANCH_ENDS    /* with smaller steps there is none beyond t_reached   */
} branch_answer;

typedef struct branch_question {
    const daedal_options *options; /* tighter ones                                     */
    double t_from, t_to, t_limit;  /* the step; where it may not be left behind         */
    double farther;                /* how many steps farther, to see whether there is an end */
    double t_reached;
    double *y, *yp; /* out: at t_from; until the watch looks again; an end is in watch.middle */
} branch_question;

branch_answer model_ask_again(model *m, branch_question *q);
/* Where a branch of a block ends in a corner: on to another one, at the same time and with the same
 * states.  false: none was found, and the solver is where it was.                 */
bool model_leave_corner(model *m, int32_t which);
#endif
