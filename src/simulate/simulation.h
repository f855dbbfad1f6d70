/* simulate/simulation.h - a run of a model, from the start to the stop time.
 *
 * Responsibility: a daedal_solver on the callbacks of the model, advanced from output point to
 * event to output point (simulation.c, event_handling.c, rows.c, run_options.c), in one go or call
 * by call; whether the equations still
 * determine the solution (singularity_watch.c), what is done where they do not (crossing.c,
 * branch_check.c, pole_factors.c), and the messages about it (impasse.c); whether rounding has
 * spoilt the solution (lost_digits.c). Depends on: reduce/, compile/, hybrid/, initial/,
 * solver/after_step.h, daedal.h. */
#ifndef DAEDAL_SIMULATE_SIMULATION_H
#define DAEDAL_SIMULATE_SIMULATION_H

#include "hybrid/corners.h"
#include "initial/model.h"
#include "solver/after_step.h"
#include "solver/perturbed_system.h"

/* What the equations of the watched blocks are divided by, as far as it depends on algebraic
 * unknowns of the block: pole_factors.c. */
typedef struct pole_factors {
    int32_t n;
    expr *divisor, *numerator;
    int32_t *block;    /* by divisor: the number of its block among those watched            */
    signed char *sign; /* of all divisors, then of all numerators, at the reference          */
    double *last;      /* values of both after the last step                                 */
    int32_t *start, *unknown; /* by divisor: unknown[start[k] .. start[k + 1]), the algebraic
                                 unknowns of the block that it depends on                    */
} pole_factors;

/* The blocks whose leading matrices are watched, numbered 0 .. n - 1: singularity_watch.c. */
typedef struct singularity_watch {
    int32_t n, *block;       /* their numbers in model_order                                 */
    signed char *sign;       /* of their determinants, at the reference                      */
    double *log_det;         /* log |determinant| at the last evaluation                     */
    double *usual_log_det;   /* the same while steps are long                                */
    int32_t *place;          /* by row: its place in the block that is evaluated, else -1    */
    double *column, *matrix; /* working memory for one block                                 */
    double *y;               /* working memory: y and y'                                     */
    program *leading;        /* entries of dy and dyp that are in the blocks, and vary       */
    bool each_step;          /* it is cheap enough to be evaluated after every step          */
    bool has_reference;      /* the reference exists, for the mode `version`                 */
    uint64_t version;        /* of the discrete values                                       */
    uint64_t n_jacobians;    /* evaluations of the Jacobian that have been looked at         */
    int32_t flipped;         /* block whose sign changed last, or -1                         */
    double t_flipped;
    double longest_step;
    int32_t nearly_singular; /* block that is nearly singular while steps are tiny, or -1    */
    bool near_checked;       /* such a block was checked, since steps were long              */
    bool double_crossing;    /* no sign changed, but half way through the step it would      */
    double *y_before;        /* y and y' at the last evaluation                              */
    double *y_trial;         /* working memory: y and y'; the end of a branch                */
    double *y_after;         /* y after the step with the change of sign                     */
    int32_t singular;        /* block that is singular at the start, or -1                   */
    bool *is_reported;       /* by block: that the solution went through a singular point    */
    pole_factors *poles;     /* divisors in the blocks (pole_factors.c)                      */
    int32_t pole;            /* the divisor that changed its sign in the last step, or -1    */
    int32_t pole_inside;     /* the divisor that did so inside of it, and back, or -1        */
    double pole_numerator;   /* the largest |numerator| on both sides of that change         */
    bool pole_is_certain;    /* it hardly varies in between: it does not vanish as well      */
} singularity_watch;

/* A model that can be simulated many times; each run begins with fresh values.    */
typedef struct simulation {
    /* borrowed from the model */
    model *model;
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

    discrete_hooks hooks;
    model_corners *corners;
    singularity_watch *watch;
    struct invariant_watch *invariants;        /* invariant_watch.h */
    struct model_sensitivities *sensitivities; /* or NULL (model_sensitivity.h)     */
    int32_t driver_width;                      /* entries of a row with derivatives */
    double growth_start;                       /* compiled_leading_growth at the start */
    struct driver *driver;                     /* the run under way, or NULL           */
    crew *crew;                                /* its threads, or NULL: one            */
    uint64_t run;                              /* its number                           */
    bool has_begun;                            /* its start was found                  */
} simulation;

/* The model must live as long.  false: out of memory; simulation_free in any case. */
bool simulation_create(simulation *m, model *from);
void simulation_free(simulation *m);

/* ---- simulation.c ---- */

typedef struct shown_variables {
    const uint32_t *variable; /* n of them, in the order of a row */
    int32_t n;
} shown_variables;

enum { LIMITERS_SHOWN = 16 };

typedef struct simulation_outcome {
    daedal_stats stats;
    int32_t n_limiting_variables, n_limiting_equations;
    daedal_limiter limiting_variables[LIMITERS_SHOWN], limiting_equations[LIMITERS_SHOWN];
    double t, constraint_residual;
    bool lacks_derivatives;             /* sensitivities do not count everything */
    const char *method, *method_reason; /* "" if no method was chosen */
    int32_t constraint_method;          /* the option in use             */
    int32_t n_invariants;
    const daedal_invariant *invariants;
    int32_t n_moved; /* start values that were moved */
    uint32_t *moved; /* arrays of the caller, as long as there are variables; NULL: not wanted */
    double *moved_from, *moved_to;
} simulation_outcome;

/* start_only: the values at the start go to `values`, and nothing is integrated. */
typedef struct simulation_task {
    const daedal_simulation *request;
    shown_variables shown;
    bool start_only;
    bool is_moved; /* parameters have other values than those the equations were analysed with: a
                      start that shows a higher index than these have fails                     */
    double *values;
    daedal_row_fn *observe; /* sees all rows, at events too; or NULL                     */
    void *observe_user;
    const double *spread;  /* by variable shown: the equations see values that differ by as much
                              (solver/perturbed_system.h); NULL: as they are              */
    int32_t spread_number; /* of the pattern */
} simulation_task;

/* Other options for the rest of the run; on failure nothing has changed. */
daedal_status simulation_set_options(simulation *m, const daedal_options *options);

/* A whole run: begin, advance to the stop time, finish, end. */
daedal_status simulation_run(simulation *m, const simulation_task *task,
                             simulation_outcome *outcome);

/* The same call by call (docs/decisions/110-stepping.md).  What the task and its request point to
 * directly is copied; callbacks are called until the end.  After a failure of begin or advance only
 * simulation_end may follow.                                                      */
daedal_status simulation_begin(simulation *m, const simulation_task *task,
                               simulation_outcome *outcome);
/* To t, or by at most one step of the integrator towards it.  DAEDAL_OK; DAEDAL_EVENT if the
 * request asks to stop at events and one was handled; DAEDAL_STOPPED by a callback.  HUGE_VAL: a
 * little beyond the stop time, where events at that time are seen.               */
daedal_status simulation_advance(simulation *m, double t, bool single);
daedal_status simulation_take_inputs(simulation *m); /* that were written, as an event */
daedal_status simulation_finish(simulation *m);      /* events at the stop time, terminal() */
void simulation_end(simulation *m,
                    simulation_outcome *outcome); /* accepts that none is under way */
bool simulation_has_ended(
    const simulation *m); /* the stop time was reached, or terminate() acted */
double simulation_time(const simulation *m);
/* The row that an output point at t, inside the last step, would have. */
daedal_status simulation_evaluate(simulation *m, double t, double *row);

/* ---- saved_state.c ---- */

/* Everything that a run changes: it can be restored while that run is under way, also several
 * times, and the run continues as it did then, bit for bit.                       */
typedef struct saved_state saved_state;

daedal_status simulation_save(simulation *m, saved_state **state); /* NULL on failure */
daedal_status simulation_restore(simulation *m, const saved_state *from);
void saved_state_free(saved_state *state); /* accepts NULL */

/* The last event at a known time, the interval before it, and by how much that was shorter than the
 * one before; how many in a row were shorter by the same factor. */
typedef struct timed_events {
    double t, interval, ratio;
    int32_t shrinking;
    bool is_reported;
} timed_events;

/* Where a call of the caller, and the loop in it, shall end. */
typedef struct run_goal {
    double t;               /* the time to advance to                                      */
    bool single;            /* one step of the integrator is enough                        */
    bool met_event;         /* an event was handled since the call                         */
    bool is_exact;          /* no step passes t: the caller may change inputs there        */
    double t_timed;         /* the next event at a known time, as seen with                */
    uint64_t timed_version; /* these discrete values; 0: not yet                           */
} run_goal;

/* Steps that are repeated because they passed a pole. */
typedef struct pole_approach {
    int32_t n_repeats;  /* one after the other                                          */
    double t_passed;    /* the first of them ended there; NAN: none                      */
    double t_limit;     /* the repeated step ends there at the latest; NAN: none         */
    double numerator;   /* on both sides of the divisor's zero, in the first of them     */
    int32_t n_failures; /* of steps in the whole run after which tolerances were lowered */
} pole_approach;

/* A run under way; inside this folder. */
typedef struct driver {
    simulation *m;
    simulation_task given; /* copies of what the caller gave */
    daedal_simulation asked;
    daedal_options theirs, own;
    const simulation_task *task; /* these copies */
    const daedal_simulation *request;
    daedal_options *opt; /* of the solver */
    run_goal goal;
    double *times;             /* output times */
    const char *method_reason; /* NULL: the solver has chosen the method */
    double *atol, *row;
    double *y_first, *effect;   /* by unknown: at the start; twice: of rounding (lost_digits.c) */
    perturbed_system perturbed; /* if the task asks for it                               */
    double *spread, *y;         /* by unknown: its size; y without it                    */
    int32_t next;               /* output point to come                                      */
    int64_t events;             /* handled so far                                            */
    int64_t n_close_events;     /* consecutive events that nearly coincide                 */
    double t_event;             /* of the last one                                           */
    bool jump_is_told;          /* that a constraint jumped at an event                    */
    bool stopped;               /* by the receiver of rows                                   */
    bool is_pinned;             /* a relation is to be compared as equal                     */
    double t_branch_end;        /* the branch of the solution ends there; NAN: it does not   */
    int32_t n_branch_checks;    /* steps that were integrated again by branch_check     */
    double t_repeated;          /* up to here a jump to another branch was taken back   */
    pole_approach pole;
    double t_threshold;      /* where a branch ended at a threshold last; NAN: none  */
    timed_events timed;      /* intervals between events at known times              */
    double largest_residual; /* of the algebraic equations, at output points         */
    block mem;
} driver;

void simulation_read_solver(simulation *m); /* copy its state into x */

/* ---- event_handling.c ---- */

/* After an event: constraints that it has moved hold again, by the least change of the states.  It
 * is told once that they jump, unless the caller has written inputs. */
daedal_status driver_satisfy_constraints(driver *d, bool is_told);
/* At x: the event iteration and the row after it; an error if events make no progress in time. */
daedal_status driver_end_event(driver *d, daedal_row_kind row);
/* At x: rows before and after it, the event iteration, and what follows if events accumulate. */
daedal_status driver_handle_event(driver *d);
daedal_status driver_handle_state_event(driver *d); /* located by the solver */
daedal_status driver_handle_time_event(driver *d);

/* ---- rows.c ---- */

double driver_time(const driver *d); /* not beyond the stop time, where events may fall */
double driver_shown(const driver *d, int32_t i); /* entry i of a row */
void driver_fill_row(const driver *d, double *row);
daedal_status driver_emit(driver *d, daedal_row_kind kind);
double driver_next_point(const driver *d); /* infinity: none is left */
/* Skip the points up to t; true if one was at t. */
bool driver_pass_points(driver *d, double t);
double driver_output_interval(const driver *d);

/* ---- run_options.c ---- */

void driver_set_options(driver *d);
after_step_fn driver_after_step;              /* with the driver as user */
void driver_limit_steps(driver *d, double t); /* those that begin at t */

/* ---- impasse.c ---- */

/* The diagnosis into m->why, as an impasse if that is the cause; returns the status. */
daedal_status simulation_explain_failure(simulation *m, daedal_status status,
                                         const daedal_diagnosis *why);
daedal_status simulation_report_impasse(simulation *m, daedal_status status, int32_t variable,
                                        int32_t equation);
/* 'equation "z^2 = x" (line 5) does not determine z', of a block that is watched, in text. */
const char *simulation_undetermined_text(const simulation *m, int32_t which, char *text,
                                         size_t size);
/* A singular start can be a turning point, where the solution is not unique or ends. */
void simulation_warn_singular_start(simulation *m);
/* The same before any run, as far as start values reveal it; NULL: the start is regular. */
const char *simulation_predict_singular_start(simulation *m);

/* ---- crossing.c ---- */

/* A step went through a singular point.  It is integrated again with a smaller tolerance: the
 * solution continues, or the step is repeated because it jumped to another branch, or the branch
 * ends: then the solver stops as at an event, where driver_leave_branch is called.       */
after_step_answer driver_handle_crossing(driver *d, accepted_step *step);
/* Where steps fail: the run begins again from x if unknowns in divisors are below their absolute
 * tolerances, with lower ones. */
daedal_status driver_resolve_divisors(driver *d, bool *changed);
/* At t_branch_end: continue on another branch if this one ends in a corner, else fail. */
daedal_status driver_leave_branch(driver *d);
/* A switch without an event (noEvent, smooth) is treated as an event where the solution cannot
 * continue without a jump: the algebraic unknowns get other values, the states stay.  */
daedal_status driver_jump_at_corner(driver *d, bool *jumped);
/* Rows for output points before t, which are so near to it that its values hold there. */
daedal_status driver_emit_until(driver *d, double t);
/* Where steps fail and relations are about to change: an event behind the end of the branch. */
daedal_status driver_pass_threshold(driver *d, bool *passed);

/* ---- pole_factors.c ---- */

bool poles_build(simulation *m); /* after the blocks are chosen; false: out of memory */
/* `value` has the values of the divisors, then those of the numerators. */
void poles_set_reference(pole_factors *p, const double *value);
/* A divisor with another sign than at the reference, whose numerator has the same, or -1. */
int32_t poles_find_flipped(const pole_factors *p, const double *value);
/* |numerator| of divisor k, the larger of now and after the last step. */
double poles_numerator(const pole_factors *p, int32_t k, const double *value);
/* True if a divisor has changed by a good part of its size since the last step. */
bool poles_change_strongly(const pole_factors *p, const double *value);
/* The absolute tolerances of the unknowns in divisor k are lowered so far below rtol times their
 * values in y that the relative one alone counts, there and where they are much smaller. */
void poles_lower_atol(const pole_factors *p, int32_t k, double rtol, const double *y, double *atol);
/* A divisor with an unknown whose absolute tolerance is above rtol times its value, where what is
 * divided has not changed by more than a tenth since the last step; or -1. */
int32_t poles_find_unresolved(const pole_factors *p, const double *value, double rtol,
                              const double *y, const double *atol);
/* Likewise those of all unknowns in divisors that the present ones do not resolve; false: none. */
bool poles_lower_unresolved(const pole_factors *p, double rtol, const double *y, double *atol);
void poles_copy_state(pole_factors *p, state_copy *s);

/* ---- singularity_watch.c ---- */

bool singularity_build(simulation *m);
void singularity_begin(simulation *m); /* at the start and after events: discard the reference */
void singularity_accept(simulation *m, double t); /* the signs at t become the reference */
/* After an accepted step up to t: true if a determinant changed its sign, that of block
 * m->watch->flipped. */
bool singularity_step(simulation *m, double t);
/* True if the signs at this point are those of the reference. */
bool singularity_agrees(simulation *m, double t, const double *y, const double *yp);
/* True if y is another solution than y_after. */
bool singularity_differs(const simulation *m, const double *y);
bool singularity_moved(const simulation *m, int32_t which, const double *from, const double *to);
/* After a failure, at x: an algebraic block that is regular here and has the other sign in the
 * neighbourhood, as with noEvent(if ...), or -1. */
int32_t singularity_corner(simulation *m);
/* At the start, in x: a block that is singular there but not in the neighbourhood, or -1. */
int32_t singularity_start(simulation *m);
/* After a failure, at x: the block that became singular, or -1. */
int32_t singularity_after_failure(simulation *m);
void singularity_copy_state(simulation *m, state_copy *s);
void singularity_blame(const simulation *m, int32_t which, int32_t *variable, int32_t *equation);

/* ---- lost_digits.c ---- */

/* At the end of a run: a warning if rounding leaves no digit of a state. */
void driver_warn_lost_digits(driver *d);

/* ---- branch_check.c ---- */

/* What the solution does between t_from and t_to according to smaller steps. */
typedef enum branch_answer {
    BRANCH_UNCLEAR,
    BRANCH_CONTINUES, /* it goes through a singular point                        */
    BRANCH_JUMPED,    /* it stays on its branch: the long step was a jump        */
    BRANCH_ENDS       /* it ends at t_reached                                    */
} branch_answer;

typedef struct branch_task {
    const daedal_options *options; /* tighter ones                                     */
    double t_from, t_to, t_limit;  /* the step; times beyond t_limit are not admissible */
    double extra_steps;            /* steps beyond t_to, to see whether the branch ends there */
    double t_crossing, t_reached;  /* out: of the first run and of the second one      */
    double *y, *yp; /* out: at t_from; the end of the branch is in y_trial of the watch */
} branch_task;

branch_answer branch_check(simulation *m, branch_task *q);
/* Where a branch of a block ends in a corner: continue on another one, at the time of x and with
 * the same states.  begins: the solver stands elsewhere, and has to start there.  false: none was
 * found, and the solver is as before.                                                     */
bool branch_leave_corner(simulation *m, int32_t which, bool begins);
#endif
