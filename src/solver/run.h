/* solver/run.h - a whole run of one system.
 *
 * Responsibility: what happens between the calls of a user: set-up of patterns and
 * linear solver (setup.c), the start (start_run.c), the index (admissible_index.c), steps, events,
 * breakpoints, output points, progress and cancel (advance.c). Depends on: consistent/, integ/,
 * index/, solver/, newton/, linalg/, base/.    */
#ifndef DAEDAL_SOLVER_RUN_H
#define DAEDAL_SOLVER_RUN_H

#include "consistent/start_correction.h"
#include "index/differentiation_index.h"
#include "integ/limiters.h"
#include "integ/method.h"
#include "integ/roots.h"
#include "solver/after_step.h"
#include "solver/growth.h"
#include "solver/method_choice.h"
#include "solver/system_copy.h"

/* What the steps tell of the method (method_evidence.c). */
typedef struct run_evidence {
    bool looked;      /* at dF/dy' and dF/dy of the start                                */
    bool is_explicit; /* each equation determines one y', each y' by one equation        */
    double radius;    /* of dy'/dy, about                                                */
    double rate;      /* at which y' changes                                             */
    int64_t troubled; /* steps of the window before which attempts were rejected         */
    int64_t rejected_seen;
    int32_t rough; /* windows in a row with many such steps                                */
    double
        run_length; /* of bdf: steps from one restart to the next, in the mean of the last ones */
    bool bdf_restarts;  /* bdf was left because of them                                      */
    bool changes;       /* another method is about to begin, in the midst of a run           */
    bool decides;       /* the method in effect was chosen by what steps told              */
    int64_t wait;       /* windows between two looks; grows with each change in vain       */
    daedal_stats since; /* the counters at the beginning of a window, and the time there   */
    double t_since;
    double price; /* of a unit of time with the method that was left; 0: unknown           */
} run_evidence;

/* What is in effect now.  At creation it is what the options ask for; `auto` and failures change
 * it.                                                                            */
typedef struct run_settings {
    int32_t method;            /* a value of the option, never METHOD_AUTO                 */
    const char *method_reason; /* why this method                                          */
    uint32_t failed_methods;   /* methods that failed in this run, a bit each              */
    int32_t constraint_method; /* a value of the option                                    */
    bool constraints_changed;  /* it differs from the option, which failed                 */
    run_evidence evidence;
    bool stiffness_told;         /* a warning says that an explicit method is the wrong one  */
    double *rtol, *atol;         /* n each                                                   */
    const step_arrival *arrival; /* at limits of steps; NULL: the manner of the method    */
    int32_t repeats;             /* equal blocks of which the equations consist; 0: unknown  */
    int64_t fallbacks_told;      /* to direct linear solvers, of those in the statistics     */
    bool is_unheard; /* nobody reads warnings: what serves for nothing else is not computed   */
} run_settings;

/* The state that the user saw last (array_fallback.c). */
typedef struct run_seen {
    double t, *y, *yp;
    bool at_event;        /* as that of the run then */
    daedal_diagnosis why; /* what the methods before `array` failed of; its status is OK without */
} run_seen;

/* The start: what was given, what may change, what was changed (start.c). */
typedef struct run_start_data {
    start_workspace work;
    run_seen seen; /* the state to go back to */
    double *y_given, *yp_given;
    int32_t *y_mask, *yp_mask;
    daedal_moved *moved; /* up to 2 n */
    int32_t n_moved;
    double h_before;     /* step size before the last restart; 0: none     */
    double t_begun;      /* when the integrator began, at a start or restart of any kind   */
    double h_begun;      /* size that the first step since then has suggested; 0: there was none */
    bool keeps_matrices; /* the last restart has left F its derivatives (held_restart.h) */
    bool is_proven;      /* steps have been taken from the values that were given last      */
} run_start_data;

/* By corner. */
typedef struct run_corner_lists {
    bool *is_quiet;   /* its argument began inside its band                 */
    double *g, *rate; /* of bdf: at the last look, and how fast it changed  */
    double *g_new;
    block mem;
} run_corner_lists;

/* Corners of F that depend on states: steps end before them and begin behind (corner_steps.c). */
typedef struct run_corners {
    roots roots;
    run_corner_lists lists;
    double t_looked;       /* where g belongs to; NAN: not known                          */
    double t_calm;         /* before that time no corner is expected                      */
    int32_t skipped;       /* steps since the last look                                   */
    double t_next;         /* steps end here, before a corner; NAN                        */
    bool at_output;        /* t_next is an output point close to the corner               */
    double h;              /* the step that went past it                                  */
    double t_left;         /* the last corner                                             */
    int64_t step_left;     /* the number of the step after which it was crossed */
    int64_t wait;          /* of bdf: steps after it that are not looked at */
    int32_t crowded, rest; /* corners in a row that are close; steps not looked at        */
} run_corners;

/* Defects inside accepted steps (step_interior.c). */
typedef struct run_interior {
    double defect;  /* of the last steps, in tolerances; NAN: none was checked        */
    double longest; /* step that was checked                                          */
    int32_t method; /* of these steps                                                 */
    int32_t found;  /* steps that had to be taken again                               */
    int64_t checks; /* of steps; one of a half counts more than once                  */
    double before;  /* size of the step before                                        */
    double t_out;   /* the output time that was asked for last                          */
    double t_rest;  /* the time since which y has not changed; NAN: it changes        */
    int32_t awake;  /* steps since y began to change again                            */
    /* Where the step had to be far shorter than the one before, the shortest time between two such
     * places of late (NAN: unknown), the steps since the last of them, and the rejected steps of
     * the run when the last step was accepted.                                      */
    double t_corner, gap;
    int32_t since;
    int64_t rejected;
    double smooth; /* defect of a whole step whose halves had far smaller ones; fades */
    /* The second half of a step that is taken again: its beginning (NAN: none), its end, the limit
     * of its defect, and the defect of the whole step. */
    double half_from, half_to, half_limit, of_whole;
    double refused; /* size of a step that was taken again, until one as long is accepted; or 0 */
    double t_reach; /* the next step does not pass it; NAN: none                      */
} run_interior;

/* Corners of F that depend on time alone (time_corners.c). */
typedef struct run_time_corners {
    roots roots;
    double t_end, t_next;   /* steps end before a corner and begin behind it; HUGE_VAL: none */
    double t_from, t_known; /* between these there is no other; NAN: nothing is known      */
} run_time_corners;

/* Times that no step may pass (advance.c). */
typedef struct run_limits {
    corner_functions corner_of;
    run_corners corners;
    run_time_corners time_corners;
    run_interior interior;
    double direction;       /* +1, -1; 0 until the first advance after a start                */
    double t_stop;          /* NAN: none                                                      */
    double t_pass;          /* no step passes it, although the run goes on; NAN: none         */
    double t_accurate;      /* end of a step whose events are sought on accurate values; NAN  */
    double *breakpoints;    /* ascending                                                      */
    double *unasked;        /* n: y or y', if values inside a step are wanted without it      */
    bool corners_are_known; /* no step passes one, as in a model                           */
} run_limits;

/* How far a run had come at the last check (stagnation.c). */
typedef struct run_pace {
    int64_t steps, rejected;
    double t;
    int32_t at_bound; /* checks in a row that found y pressed against a bound */
} run_pace;

/* Times between events (cause.c). */
typedef struct run_event_gaps {
    double t, gap, ratio; /* of the last event; the last gap, and by how much it was shorter  */
    int32_t shrinking;    /* gaps in a row that were shorter by the same factor               */
    int32_t close;        /* gaps in a row that were short in terms of the time               */
    bool accumulate;      /* those of some function have shrunk by a large factor             */
    int32_t tiny;         /* gaps in a row that were hardly more than roundoff                */
} run_event_gaps;

/* A point of the run at which variables of higher index had a reasonable size (runaway.c). */
typedef struct run_mark {
    double t;
    double *y, *yp;  /* n each */
    double *largest; /* n: |y| at marks so far */
    int64_t steps;   /* when these were noted  */
    int32_t tests;   /* of hidden constraints  */
    int32_t seen;    /* steps in turn with a variable that has grown much */
    int32_t jumps;   /* of variables, one after the other, and the step of the last one */
    int64_t step_jumped;
} run_mark;

/* Where no step was short, and where no variable of higher index had moved far since (leap.c). */
typedef struct run_leap {
    double t, h;           /* the calm state and its step; h = 0: none yet */
    double t_last;         /* the last state                               */
    double *calm, *yp, *y; /* n each: y and y' there; y of the last state */
} run_leap;

typedef struct run_stagnation {
    int32_t steps_left;    /* until the next check                          */
    run_pace pace;         /* over many steps                               */
    run_pace pressure;     /* over fewer, where y has bounds                */
    growth_history growth; /* how fast y changed in the last steps       */
    run_event_gaps gaps;   /* between events                             */
    int32_t looks;         /* for jumps of F inside a step               */
    double *fastest;       /* n: the largest |y'| of the run so far      */
    bool is_blind;         /* it was not yet told that states are below atol */
    int32_t hidden;        /* a state given at the start, where all were below their atol; -1 */
    double *t_inside;      /* n: when y was below its atol last; NAN: not, or long ago (escape.c) */
    double t_start, t_tested; /* the start, and the last test of what atol hides */
    int32_t escapes_left;     /* perturbations that may be tried                */
    int64_t step_steep;       /* after which a point with an infinite slope was met last */
    int32_t close_points;     /* such points in a row with few steps between them        */
    run_mark mark;
    run_leap leap;
} run_stagnation;

/* The last analysis of the index, in numbers and in words; empty without one (admissible_index.c).
 */
typedef struct run_index_report {
    index_answer answer;
    char chain[512], reason[512];
    bool levels_are_too_many; /* for corrections at output points                            */
    bool was_open;            /* a search in this run did not decide, although values were found */
    bool patterns_are_new;    /* those of the matrix come from calls of F at this start        */
    bool is_high;             /* some variable_index is above one; of a system in one process  */
} run_index_report;

/* Called after every step (after_step.h). */
typedef struct run_hook {
    after_step_fn *call; /* or NULL */
    void *user;
    bool shows_slopes; /* y' at output points shall be that of the equations */
} run_hook;

typedef struct run {
    /* What was asked for: constant after creation. */
    system_copy system;
    daedal_options asked;
    const daedal_allocator *allocator;
    int32_t n;

    run_settings now;
    daedal_stats stats;
    limiters limiters;
    daedal_diagnosis why;
    daedal_diagnosis warned; /* the last warning of this run; its cause is NONE without one */

    /* The parts of a run; the integrator belongs to `method`. */
    evaluator ev;
    iteration_matrix matrix;
    bool matrix_ready;
    bool pattern_detected; /* the pattern was found by calls of F */
    const method *method;
    void *integrator;
    roots roots;
    projection constraints;
    weights tolerances;

    /* Classes of variables, found at the first start. */
    bool *is_differential;
    int32_t *kind;
    int32_t *variable_index; /* see daedal_system */
    daedal_structure structure;
    run_index_report index;
    struct run_correction *correction; /* state_correction.c; NULL until needed */

    /* The state the user sees. */
    daedal_state state;
    double *y, *yp;
    bool started;  /* a start succeeded                                */
    bool fresh;    /* the integrator has yet to begin from the state   */
    bool at_event; /* the state is that at an event                    */

    run_start_data start;
    run_limits limits;
    run_stagnation stagnation;
    run_hook after_step;
    struct sensitivities *sensitivities; /* or NULL (sensitivity.h) */

    double *y_before, *yp_before, *inverse_weight, *work; /* n each: work space */
    block mem;
} run;

/* Sees the state after calls of start, advance and restart that succeeded. */
typedef void solver_observe_fn(daedal_row_kind kind, const daedal_state *state, void *user);

typedef struct solver_observer {
    solver_observe_fn *call; /* or NULL */
    void *user;
} solver_observer;

/* What a user holds. */
struct daedal_solver {
    run run;
    solver_observer observer;   /* of a run that is verified */
    daedal_allocator allocator; /* by value: the run's pointer must outlive the options */
};

/* The system and options are checked already.  Call run_free after a failure too. */
daedal_status run_create(run *r, const daedal_system *sys, const daedal_options *opt);
void run_free(run *r);
daedal_status run_clone(run *copy, const run *from, const daedal_allocator *a);

typedef struct run_start_values {
    double t;
    const double *y, *yp;            /* yp may be NULL                             */
    const int32_t *y_mask, *yp_mask; /* NULL: as the option `start` says           */
} run_start_values;

/* Patterns, colours, linear solver, classes of variables: at the first start, since
 * finding them takes values.                                                    */
daedal_status run_set_up(run *r);
/* Probe again, now that parameters may have changed; rebuild if entries are new. */
daedal_status run_refresh_pattern(run *r, bool *grown);
/* A part of it: the matrix for these patterns, and what is reported of it. */
daedal_status run_set_up_matrix(run *r, const daedal_pattern *dy, const daedal_pattern *dyp);
void run_describe_matrix(run *r);
/* The patterns of F near a point, as far from it as a few percent of y times `reach`. */
daedal_status run_probe(run *r, const run_start_values *at, double reach, pattern *dy,
                        pattern *dyp);
/* A step that stopped because the Jacobian lacks entries: add them, so that it can be repeated.
 * *grown: there were any (pattern_repair.c).                                    */
daedal_status run_add_entries(run *r, bool *grown);
/* The part of it that needs the matrix only: method and structure report. */
daedal_status run_finish_set_up(run *r);
/* The integrator, made anew. */
daedal_status run_make_integrator(run *r);

/* Options that differ in what may change only.  New tolerances make a run that has begun begin
 * again from its state; where that fails everything is as before.                       */
daedal_status run_set_options(run *r, const daedal_options *opt);
/* Those of a run of n linear equations along a run with the options `asked`, for sensitivities or
 * adjoint variables: it has tolerances of its own, and no part in what is told and limited.  */
daedal_options run_linear_options(const daedal_options *asked, const double *rtol,
                                  const double *atol, int32_t n);

daedal_status run_start(run *r, const run_start_values *from);
/* Parts of a start: the values as given, F defined there, events, what has moved; and the time in
 * which y would change by itself.                                                  */
void run_bring_values(run *r, const double *y, const double *yp);
daedal_status run_check_defined(run *r);
daedal_status run_begin_events(run *r, bool after_event);
void run_list_moved(run *r, bool yp_known);
double run_time_scale(const run *r);
/* Whether F vanishes at a first start, as far as y is accurate (start_check.c). */
daedal_status run_check_equations(run *r);
daedal_status run_restart(run *r, const double *y, const double *yp);
daedal_status run_advance(run *r, double t_out);
daedal_status run_step(run *r, double t_limit);
daedal_status run_interpolate(run *r, double t, double *y, double *yp);
/* As at output points; y or yp may be NULL. */
daedal_status run_evaluate(run *r, double t, double *y, double *yp);
/* Values inside the last step, as accurate as at output points; `self` is the run. */
void run_accurate_values(void *self, double t, double *y, double *yp);
daedal_status run_check_jacobian(run *r);
daedal_status run_set_stop_time(run *r, double t_stop);

/* The index near a point, into r->index, r->chain and r->reason.  Only calls F; DAEDAL_OK
 * also where there is no answer.                                                */
daedal_status run_find_index(run *r, double t, const double *y, const double *yp);
/* frozen_pencil.c: dF/dy' and -dF/dy at a point, n x n by columns. */
daedal_status run_find_pencil(run *r, double t, const double *y, const double *yp, double *e,
                              double *a);
/* Whether the index is at most one for certain, without such a search.  `evaluated`: the parts of
 * the matrix belong to the start.  `relations_count`: also that no relation among y is hidden in
 * combinations of equations.                                                    */
bool run_index_is_low(run *r, bool evaluated, bool relations_count);
/* Whether the matrix of the state has the index and the offsets that were found last, for certain.
 */
bool run_index_is_the_same(run *r);
/* DAEDAL_ERR_INDEX if the method does not take the index found; or that which the user says, if
 * it is above one.                                                              */
daedal_status run_check_found_index(run *r);
daedal_status run_check_given_index(run *r, bool *said);
/* Tell the integrator the indices of the variables; in a model, a method that takes this index. */
daedal_status run_use_index(run *r);
/* Set the indices of the variables back to those that the user gave, or to those of their classes.
 */
void run_reset_index(run *r);
/* The same where the mode before had a higher index: the method that was asked for comes back. */
daedal_status run_leave_index(run *r);
/* Whether an index above one, a singular system, or an F that is not smooth explains why the step
 * from here failed.  The status to return, and the diagnosis that goes with it.      */
daedal_status run_explain_failure(run *r, daedal_status status, const integ_view *at);
/* Whether a given Jacobian or pattern, of a system that is not large, disagrees with F.  The
 * diagnosis then says so.                                                            */
bool run_jacobian_is_wrong(run *r, const integ_view *at);
/* At a start, with the time h in which y may change: a warning where the given Jacobian is wrong.
 */
daedal_status run_watch_jacobian(run *r, double h);

/* A cause that the last steps, the bounds or the tolerances show: true, and said (cause.c). */
bool run_name_cause(run *r, daedal_status status);
/* Whether the equations cease to determine an algebraic variable near the state; true, and said. */
bool run_is_near_fold(run *r);
/* Whether F jumps inside the last step, y_j held; y_before and yp_before are those at its
 * beginning. */
bool run_equations_jump(run *r, const integ_view *v, int32_t j, double *t);
/* runaway.c: at the start, and after each step.  A failure that may be due to the method; the state
 * is where all was well then. */
void run_begin_runaway(run *r);
daedal_status run_watch_runaway(run *r);
/* After a failure: the hidden constraints do not hold; replaces the diagnosis. */
bool run_is_unstable(run *r, const integ_view *at);
/* The state that was to be shown contradicts the hidden constraints: unless the equations jump
 * there, back to the state that was shown last, with a failure that says so.           */
daedal_status run_leave_refuted_state(run *r);
/* state_correction.c: whether y_j at the end of the last step agrees with the constraints that are
 * hidden in the equations; also true if they are not known or F ended the search, and false if they
 * have no solution near it. */
bool run_hidden_levels_hold(run *r, const integ_view *v, int32_t j);
/* Whether the same is said of a refuted state with F asked at times that are closer, and by how
 * much: far off, and the values that the hidden constraints ask for are in y_before; or less, and
 * the state takes these values. */
bool run_state_is_refuted(run *r);
/* Whether y_j at t agrees within `allowed` with the hidden constraints as they were in the last
 * steps before t; also true if there are none that are known.  Uses y_before and yp_before. */
bool run_levels_held_before(run *r, double t, const double *y, int32_t j, double allowed);
/* singular_levels.c: at index 2 and 3, likewise, within `reach` of the size of a variable; replaces
 * the diagnosis. */
bool run_levels_are_singular(run *r, double reach);
/* Whether the determinant behind that changes its sign between two y; true, and said of y_j. */
bool run_levels_change_sign(run *r, const double *from, const double *to, int32_t j);
/* leap.c: at the start, and after each step: where a variable of higher index leaps to another
 * branch of solutions the run ends before it.                                    */
void run_begin_leap(run *r);
daedal_status run_watch_leap(run *r);
/* Warn if a restart without new values moved a state further than errors of steps explain. */
void run_check_jump(run *r);
/* Whether the state is far from the constraints, because they jumped; and what to say of it. */
bool run_constraints_jump(run *r);
void run_explain_jump(const run *r, daedal_diagnosis *told);
/* At each event: warn if they accumulate; fail if they never end. */
daedal_status run_note_event(run *r);
/* Around each step: remember how fast the solution changes, and warn if a state jumps. */
void run_before_step(run *r);
void run_after_step(run *r);
/* Warn, once in a run, if a tolerance is below the roundoff of the state, or if the absolute
 * tolerances are larger than all states; run_begin_scales at the start.        */
void run_begin_scales(run *r);
void run_check_tolerances(run *r);
/* Warn if a state grows out of its absolute tolerance by its own feedback, or should (escape.c): at
 * the start, after each step, whose end is v, and at output points. */
void run_begin_escapes(run *r);
void run_watch_escapes(run *r, const integ_view *v);
void run_watch_hidden(run *r);

/* After each step: what it tells of the method (method_evidence.c). */
void run_watch_method(run *r);
/* Before a step from the state, if the method is ours to choose: perhaps another one. */
daedal_status run_reconsider_method(run *r);
/* Once after a start, of which a window of evidence begins. */
void run_look_at_slopes(run *r);
void run_begin_evidence(run *r);

/* Compare the user's products of the Jacobian with differences of F, if gmres uses them. */
daedal_status run_check_product(run *r);
/* gmres is not used above index one, unless it is asked for. */
daedal_status run_limit_gmres(run *r);
/* If a direct linear solver took the place of gmres: say so, once. */
void run_note_linear_solver(run *r);

/* Whether the method is chosen by the solver. */
static inline bool run_is_automatic(const run *r)
{
    return r->asked.method == METHOD_AUTO;
}

/* A model is one to its author although some of its modes may have an index above that which its
 * reduction has left, and which the method takes: another method does these modes. */
static inline bool run_may_change_with_modes(const run *r)
{
    int32_t asked = r->asked.method;
    return r->after_step.call != NULL && asked != METHOD_AUTO && asked != METHOD_DOPRI &&
           asked != METHOD_RATTLE;
}

/* Shared among the files of this module.
 * Put another method in effect; the integrator of the old one is freed. */
void run_use_method(run *r, int32_t number, int32_t constraint_method);
/*
 * Called every few steps: DAEDAL_OK, or a status and a diagnosis that say why the run makes no
 * progress. */
daedal_status run_check_stagnation(run *r, double t_out);
void run_reset_stagnation(run *r);
/*
 * If the method is ours to choose: choose, make it if it is another one.  span: of the run. */
daedal_status run_choose_method(run *r, double span);
/* Go on with another method from the state, where the integrator stands. */
daedal_status run_take_method(run *r, const method_choice *choice);
/* What would be chosen if the system were not explicit. */
method_choice run_implicit_method(run *r);
/* Make it the method in effect. */
daedal_status run_put_method(run *r, const method_choice *choice);
/* The method `array` (array_fallback.c): whether auto may take it; y and y' made consistent by it,
 * if *done, else the words are those of the array; the same after a start that failed with
 * `status`; and after a step that failed, from the state that the user saw last. */
bool run_may_take_array(const run *r);
daedal_status run_start_on_array(run *r, bool *done);
daedal_status run_start_otherwise(run *r, daedal_status status, bool *done);
bool run_has_hidden_constraints(run *r); /* before a failure is explained, which searches anew */
daedal_status run_go_on_by_array(run *r, daedal_status failure, bool *changed);
/* The diagnosis, if the method `array` was taken because others had failed: theirs. */
daedal_status run_blame_first_methods(run *r, daedal_status status);
void run_note_seen_state(run *r);
/* Whether the step might succeed with another method. */
bool run_may_be_the_method(const run *r, daedal_status failure);
/* After a failure: another method from the state as it stands; *changed: there is one. */
daedal_status run_change_method(run *r, daedal_status failure, bool *changed);
/* How far, and to which side, t may be moved to look at F: towards the stop time, never past. */
double run_probe_span(const run *r, double t);
/* Sizes of y: its value, or where its tolerance turns from relative to absolute; of y' the same
 * per time.                                                                      */
void run_set_scales(const run *r, const double *y, const double *yp, double time, double *y_scale,
                    double *yp_scale);
int run_call_residual(double t, const double *y, const double *yp, double *out, void *self);
/* The distance that may be run from t. */
double run_time_ahead(const run *r, double t);
/* How far ahead F may be taken to vary as a polynomial does: the run, or what y' says of most
 * variables.  Uses r->work.                                                     */
double run_calm_time(run *r, double t, const double *y, const double *yp);
/* The size of y_j below which nothing counts: where its tolerance turns from relative to absolute.
 */
double run_least_size(const run *r, int32_t j);
/* What no step from t may pass, and where F may still be evaluated. */
double run_limit_of(const run *r, double t);
daedal_status run_begin_integrator(run *r, double t_towards, double t_limit);
/* The state, at t inside the last step, moved onto the constraints that are met by projection. */
void run_project_state(run *r, double t);
/* The state, inside the last step, satisfies the equations; also the constraints of every level
 * that are hidden in F, as far as they are known and not too many.  *refuted: these have a solution
 * nearby, but the state is far from it; then it stays.  DAEDAL_OK, DAEDAL_STOPPED,
 * DAEDAL_ERR_MEMORY.                                                             */
daedal_status run_correct_state(run *r, bool *refuted);
/* The algebraic part of it, at any point of the last step, as far as it succeeds. */
void run_correct_algebraic(run *r, double t, double *y, double *yp);
/* After a jump of F that has left its derivatives as they were: whether algebraic y and
 * differential y' were found with the factors of this correction.  Then y' of the algebraic
 * variables can be estimated with these, by a tiny step h; a daedal_answer. */
bool run_correct_jump(run *r, double time_scale, daedal_status *status);
int run_estimate_slopes(run *r, double h);
/* After another analysis of the index, or another pattern. */
void run_forget_correction(run *r);
/* For a copy whose matrix and index are there.  DAEDAL_OK, DAEDAL_ERR_MEMORY. */
daedal_status run_copy_correction(run *copy, const run *from);
/* Whether a variable has an index above one. */
bool run_has_high_index(const run *r);
void run_note_high_index(run *r); /* variable_index has changed */
/* Corners of F.  Where one of states lies inside an accepted step, a shorter step takes its place
 * (corner_steps.c).  The first corner of time behind t, once it has been looked for
 * (time_corners.c).  Both give limits of steps, and are crossed by a restart behind them unless
 * t_out is too near.  */
daedal_status run_cut_at_corners(run *r);
/* Take the last step again, shorter, if F tells of something inside that it has missed
 * (step_interior.c).  t_out: the output time, which tells of the length of the run. */
daedal_status run_look_inside_step(run *r, double t_out);
/* Where the second half of a step that is taken again ends, or the limit. */
double run_limit_at_half(const run *r, double limit);
void run_begin_interior(run *r); /* at a start */
double run_limit_at_corners(const run *r, double limit);
/* The change of each row of F that belongs to a change of y by its tolerances in a step of size h.
 */
void run_scale_of_equations(const run *r, double h, double *scale);
daedal_status run_cross_corner(run *r, double t_out);
/* The last step counts up to t_out if that follows closely on a corner inside it. */
void run_reach_output(run *r, double t_out);
void run_values_near(void *self, double t, double *y, double *yp);
/* The same time, or the beginning of the last step where it lies in the gap that the crossing of a
 * corner has left before it.                                                     */
double run_time_in_step(const run *r, double t);
bool run_is_multistep(const run *r); /* the method in effect */
bool run_jumps_between(run *r, double t_a, double t_b, double h);
daedal_status run_pass_jump(run *r, daedal_status failure, bool *passed);
/* Where an algebraic variable has an infinite slope and the solution goes on (steep_point.c); if
 * t_out lies inside what is passed over, the state is there. */
daedal_status run_pass_steep_point(run *r, daedal_status failure, double t_out, bool *passed);
void run_forget_corners(run *r);   /* after a restart */
double run_step_end(const run *r); /* of the last step, or a corner inside it */
bool time_corners_create(run *r);
void run_find_time_corner(run *r, double t);
double run_limit_at_time_corner(const run *r, double t, double limit);
daedal_status run_cross_time_corner(run *r, double t_out);
/* The method begins anew at t, with the values in y_before and yp_before and steps of size h. */
void run_begin_method_before(run *r, double t, double h);
/* Go on at t, behind a corner, with these values there; where that fails nothing changes. */
daedal_status run_resume_at(run *r, double t, const double *y, const double *yp);
daedal_status run_resume(run *r);
void run_log(run *r, daedal_log_level level, const char *format, ...);
/* Tell the user what *about says, which did not end the run. */
void run_warn(run *r, const daedal_diagnosis *about);
#endif
