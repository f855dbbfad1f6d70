/* simulate/simulation.h - a run of a model, from the start to the stop time.
 *
 * Responsibility: a daedal_solver on the callbacks of the model, advanced from output point to
 * event to output point (simulation.c, rows.c, run_options.c); whether the equations
 * still determine the solution (singularity_watch.c), what is done where they do not (crossing.c,
 * branch_check.c) and what is said (impasse.c).
 * Depends on: reduce/, compile/, hybrid/, initial/, solver/after_step.h, daedal.h. */
#ifndef DAEDAL_SIMULATE_SIMULATION_H
#define DAEDAL_SIMULATE_SIMULATION_H

#include "initial/model.h"
#include "solver/after_step.h"

/* Blocks whose leading unknowns may cease to be determined: singularity_watch.c. */
typedef struct singularity_watch {
    int32_t n, *block;      /* numbers in model_order                                      */
    signed char *sign;      /* of their determinants, at the reference                     */
    double *size, *ease;    /* log |determinant| when looked at last; while steps are long    */
    int32_t *place;         /* by row: its place in the block looked at, else -1             */
    double *column;         /* room                                                        */
    double *matrix, *y;     /* room; y and y'                                              */
    program *leading;       /* entries of dy and dyp that are in the blocks, and vary      */
    bool each_step;         /* it is cheap enough to be run after every step               */
    bool known;             /* there is a reference, of the mode `version`                 */
    uint64_t version, seen; /* seen: Jacobians up to this one                              */
    int32_t flipped;        /* block whose sign changed last, number in `block`, or -1     */
    double longest;         /* step                                                        */
    double t_flipped;
    int32_t near; /* block that is nearly singular, while steps are tiny, or -1    */
    bool asked;   /* about one such, since steps were long                         */
    bool leapt;   /* it did not; but on the way to there it would have changed twice */
    double *before, *middle, *there; /* y and y' at the last look; room; y after the step */
    int32_t singular;                /* at the start, number in `block`, or -1 */
    bool *told;                      /* by block: that the solution went through a singular point */
} singularity_watch;

/* A model that can be simulated again and again; what a run changes in it is begun anew by the
 * next one.                                                                      */
typedef struct simulation {
    /* borrowed from the model */
    reduced_model *reduced;
    const compiled_model *compiled;
    discrete_part *discrete;
    start_problem *start;
    model_values *values;
    flat_model *flat;
    const daedal_allocator *allocator;
    arena *mem;
    daedal_diagnosis *why;
    message_log *log;

    singularity_watch *watch;
    double growth_start; /* compiled_leading_growth at the start */
} simulation;

/* The model must live as long.  false: out of memory; simulation_free in any case. */
bool simulation_create(simulation *m, const model *from);
void simulation_free(simulation *m);

/* ---- simulation.c ---- */

typedef struct shown_variables {
    const uint32_t *variable; /* n of them, in the order of a row */
    int32_t n;
} shown_variables;

typedef struct simulation_outcome {
    daedal_stats stats;
    double t, constraint_residual;
    const char *method, *method_reason; /* "" if it did not come to that */
    int32_t hold;                       /* the option in use             */
    int32_t n_moved;                    /* start values that were moved */
    uint32_t *moved; /* room for as many as there are variables; owned by the caller */
    double *moved_from, *moved_to;
} simulation_outcome;

/* Start and run; start_only: the values at the start go to `values`. */
typedef struct simulation_task {
    const daedal_simulation *how;
    shown_variables shown;
    bool start_only;
    double *values;
} simulation_task;

daedal_status simulation_run(simulation *m, const simulation_task *task,
                             simulation_outcome *outcome);

/* A run under way; inside this folder. */
typedef struct driver {
    simulation *m;
    const simulation_task *task;
    const daedal_simulation *how;
    daedal_options *opt;       /* as the solver gets them */
    const char *method_reason; /* if the method was chosen here, else NULL */
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
void simulation_read_solver(simulation *m); /* its state, into x */

/* ---- rows.c ---- */

double driver_time(const driver *d); /* not beyond the stop time, where events may fall */
double driver_shown(const driver *d, int32_t i); /* entry i of a row */
void driver_fill_row(const driver *d, double *row);
daedal_status driver_emit(driver *d, daedal_row_kind kind);
double driver_next_point(const driver *d); /* or infinity */
/* Skip the points up to t; true if one was at t. */
bool driver_pass_points(driver *d, double t);
double driver_output_interval(const driver *d);

/* ---- run_options.c ---- */

void driver_set_options(driver *d);
after_step_fn driver_after_step; /* with the driver as user */

/* ---- impasse.c ---- */

/* Into m->why, with an impasse if that is behind it; answers the status. */
daedal_status simulation_explain_failure(simulation *m, daedal_status status,
                                         const daedal_diagnosis *why);
daedal_status simulation_report_impasse(simulation *m, daedal_status status, int32_t variable,
                                        int32_t equation);
/* 'equation "z^2 = x" (line 5) does not determine z', of a block that is watched, in text. */
const char *simulation_undetermined_text(const simulation *m, int32_t which, char *text,
                                         size_t size);
/* It can be a turning point: then the solution may go on in two ways, or not at all. */
void simulation_warn_singular_start(simulation *m);
/* The same before any run, as far as start values tell; NULL: there is nothing to be said. */
const char *simulation_foresee_singular_start(simulation *m);

/* ---- crossing.c ---- */

/* A step went through a singular point.  It is integrated again with a smaller tolerance: the
 * solution goes on, or the step is repeated because it jumped to another branch, or the branch
 * ends: then an event is asked for, and driver_leave_branch is called at it.            */
after_step_answer driver_judge_crossing(driver *d, accepted_step *step);
/* At t_branch_end: on to another branch if it ends in a corner, else an error. */
daedal_status driver_leave_branch(driver *d);
/* What switches without being an event (noEvent, smooth) is one where the solution cannot go on
 * without a jump: other values of what has no slope, with the same states.         */
daedal_status driver_jump_at_corner(driver *d, bool *jumped);

/* ---- singularity_watch.c ---- */

bool singularity_build(simulation *m);
void singularity_begin(simulation *m);            /* at the start, and when a reference is void */
void singularity_accept(simulation *m, double t); /* the signs at t, in the last step, are right */
/* After an accepted step up to t: has a determinant changed its sign?  m->watch->flipped. */
bool singularity_step(simulation *m, double t);
/* Are the signs at this point those of the reference? */
bool singularity_agrees(simulation *m, double t, const double *y, const double *yp);
/* Is y another solution than that after the step looked at last? */
bool singularity_differs(const simulation *m, const double *y);
bool singularity_moved(const simulation *m, int32_t which, const double *from, const double *to);
/* After a failure, at x: an algebraic block that is regular here and of the other sign right beside
 * it, as in noEvent(if ...), or -1. */
int32_t singularity_corner(simulation *m);
/* At the start, in x: a block that is singular there but not beside it, or -1. */
int32_t singularity_start(simulation *m);
/* After a failure, at x: the block that became singular, or -1. */
int32_t singularity_after_failure(simulation *m);
void singularity_blame(const simulation *m, int32_t which, int32_t *variable, int32_t *equation);

/* ---- branch_check.c ---- */

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

branch_answer branch_check(simulation *m, branch_question *q);
/* Where a branch of a block ends in a corner: on to another one, at the same time and with the same
 * states.  false: none was found, and the solver is where it was.                 */
bool branch_leave_corner(simulation *m, int32_t which);
#endif
