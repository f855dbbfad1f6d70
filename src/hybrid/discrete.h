/* hybrid/discrete.h - the part of a model that changes at events only.
 *
 * Responsibility: relations and their hysteresis, time events, the discrete assignments, the event
 * iteration and its search, chattering, delays, asserts (docs/theory/hybrid.md).
 * Owner of discrete_part: this folder.  The folders behind it call its functions, and set the
 * fields of the run.
 * Depends on: compile/, linalg/, graph/, expr/.                                  */
#ifndef DAEDAL_HYBRID_DISCRETE_H
#define DAEDAL_HYBRID_DISCRETE_H

#include <math.h>

#include "base/log.h"
#include "compile/compiled.h"

/* The size below which a value of a model counts as zero unless it has a nominal value, as in the
 * absolute tolerance of a model.                                                             */
#define NOMINAL_LEAST 1e-3

typedef enum relation_kind { RELATION_DISCRETE, RELATION_TIME, RELATION_STATE } relation_kind;

/* Times at which a relation has changed to one of its values: accumulation.c. */
typedef struct interval_record {
    double t, interval; /* of the last change, and since the one before; 0: not known */
    double ratio;       /* of the last two intervals                                  */
    double excursion;   /* of the relation since the last change                      */
    int32_t shrinking;  /* intervals in a row that were shorter than the one before   */
    bool has_time;
} interval_record;

/* A relation a < b (or <=, >, >=) that keeps its value between events, or one bound of a
 * rounding. */
typedef struct model_relation {
    relation_kind kind;
    bool reads_mode;      /* the operands depend on more than time and states */
    bool reads_algebraic; /* they depend on algebraic variables */
    bool may_rest;        /* they choose between values, as max(0, e), or call a function */
    double scale;         /* largest |a|, |b| at accepted points                */
    double pending;       /* the same, with the points tried since the last step */
    double rounding;      /* error of a - b by rounding: relation_terms.c       */
    double nominal;       /* largest nominal value of the unknowns in a - b, or 0 */
    double eps;           /* hysteresis: half the width of the band in use      */
    double extra;         /* part of eps: since it was compared as equal        */
    double left_limit;    /* a - b at the left limit of the event               */
    bool stopped;         /* it stopped the integrator, and takes new_value     */
    bool new_value;       /* as long as a - b stays where the integrator stopped */
    bool has_jumped;      /* reinit or an impulse moved a - b: it has no band   */
    double excursion; /* how far a - b has gone since its last event, on the side of its value */
    double reach;     /* the same in the step under way, also behind an event in it */
    /* chattering: hybrid/chattering.c */
    int32_t n_events;               /* events of this relation since count_start    */
    int32_t close_events;           /* consecutive events between which a - b hardly moves */
    double count_start, last_event; /* times                                        */
    double hysteresis_factor;       /* times the usual hysteresis; 0: never changed */
    double swing;                   /* a lower bound of eps, from what dead times let pass */
    double turn;                    /* left_limit of the event before                      */
    double dead_time;               /* after an event it keeps its value for so long */
    bool is_reported;               /* the log has a warning about it               */
    interval_record change_to[2];   /* by value                                     */
    /* operands that the mode makes equal, though the relation is false for equal ones: relations.c
     */
    bool may_be_pinned, is_suspect, is_pinned;
    int32_t pinned_steps; /* since its event, inside the band                       */
} model_relation;

/* Larger operands are infinite for practical purposes and would make the hysteresis useless. */
static const double OPERAND_MAX = 1e50;

static inline void relation_note_size(model_relation *r, double a, double b)
{
    double size = fmax(fabs(a), fabs(b));
    if (size > r->pending && size < OPERAND_MAX)
        r->pending = size;
}

/* Which of the violated relations change in one pass of the event iteration: all of them, or only
 * the first, the most violated, or one chosen at random. */
typedef enum relation_choice {
    CHOOSE_ALL,
    CHOOSE_FIRST,
    CHOOSE_MOST_VIOLATED,
    CHOOSE_RANDOM
} relation_choice;

/* Events that accumulate: accumulation.c. */
typedef struct event_accumulation {
    size_t relation; /* that is followed, or SIZE_MAX                                  */
    bool value;      /* to which it changes                                            */
    double interval;
    bool jumps;    /* states jump at its events                                      */
    double *y[3];  /* after its last events                                          */
    int32_t n;     /* of them                                                        */
    bool is_found; /* the limit is near                                              */
    double t_limit;
    size_t passed;    /* relation behind whose limit the run has continued, or SIZE_MAX */
    bool is_repeated; /* it has not left that limit                                    */
} event_accumulation;

/* What the last event was: event_record.c. */
typedef struct event_record {
    double t;          /* NAN: there was none                                            */
    size_t n_whens;    /* conditions of when-clauses                                     */
    uint32_t *when;    /* n_whens: their assignments in the flat model                   */
    bool *fired;       /* n_whens: it became true in the last event                      */
    bool *has_changed; /* by relation and rounding: its value is another than before     */
} event_record;

/* New values of parameters that the caller has set in a run. */
typedef struct parameter_source {
    daedal_status (*take)(void *user); /* let them take effect */
    void *user;
    bool is_waiting; /* some have not yet                                            */
    bool is_taken;   /* some have since the equations were solved last               */
} parameter_source;

/* The search for a mode that is consistent with the equations: mode_search.c. */
/* By how much a mode contradicts its relations: the sum over them. */
typedef struct mode_violation {
    double relative;  /* to the scale of each                                             */
    double noticed;   /* likewise, but not to less than the error test notices            */
    bool at_equality; /* one has equal operands, which no error of the run explains      */
} mode_violation;

typedef struct model_search {
    relation_choice choice;
    double *before_event, *last_pass; /* values of the relations                         */
    bool *has_changed;                /* by relation: in this event                      */
    bool *is_fixed;                   /* by relation: it must not change now             */
    bool *triggers_only;              /* by relation: only conditions of when read it    */
    uint32_t *candidate;              /* relations that are changed by the search        */
    double *values;                   /* y and y' before the event                       */
    double *held;                     /* y, whose states do not move in a mode           */
    double *snapshot, *seen;          /* x at the beginning, and in an earlier round     */
    double *difference;               /* by relation: a - b before reinit                */
    struct reinit_work *reinit;
    event_accumulation *accumulation;
    event_record *record;
    uint64_t random;
    bool must_solve;      /* y and y' do not belong to the relations as they are         */
    bool no_impulses;     /* modes that move states are not admissible                   */
    bool defers_impulses; /* a mode that is contradicted by less than rtol goes before one that
                             moves states: the search fails, and is repeated with larger errors */
    bool is_free;         /* states may move in any mode: the last resort                */
    bool is_impulsive;    /* y and y' are those of an implicit step, states may jump     */
    bool in_loop;         /* discrete Reals solve a loop: rounding does not change them  */
    bool at_limit;        /* the states are limits: what is nearly equal is equal        */
    double equality;      /* > 0: operands that differ by so much, relative to the scale of
                             their relation, are equal                                   */
    double accepts;       /* > 0: a mode may contradict its relations by so much           */
    mode_violation least; /* of those that the last search found in any mode               */
    double nothing;       /* > 0, at the start: operands that differ by so much are equal  */
    bool has_not_settled; /* the discrete part alone did not reach a fixed point         */
    parameter_source parameters;
} model_search;

/* Who looks at events from outside, without changing anything. */
typedef struct event_observer {
    void (*begin)(void *user);            /* x and the solver are those before the event        */
    void (*round)(void *user, int round); /* x has settled, with pre fixed; before reinit acts  */
    void (*end_round)(void *user);        /* reinit has acted; before pre takes the new values  */
    void *user;
} event_observer;

/* What the folders behind this one contribute to an event. */
typedef struct discrete_hooks {
    /* solver/held_restart.h */
    daedal_status (*restart_held)(daedal_solver *solver, const double *y);
    daedal_status (*restart_same)(daedal_solver *solver, const double *y, bool *done);
    int (*renew_events)(daedal_solver *solver);
    /* solver/after_step.h */
    daedal_status (*values_inside)(daedal_solver *solver, double t, double *y, double *yp);
    double (*step_end)(const daedal_solver *solver);
    /* Move states onto the constraints; those with a mark only if they contradict each other. */
    daedal_status (*satisfy)(void *start, const bool *is_set);
    void *start;
    const struct parameter_tapes *parameters; /* of sensitivities, or NULL */
    const event_observer *observer;           /* or NULL                   */
} discrete_hooks;

/* reinit.c */
typedef struct reinit_work {
    double *target;      /* by reinit: the new value                                        */
    bool *acts;          /* by reinit                                                       */
    bool *fired;         /* by reinit: it has acted since the flag was cleared              */
    bool *is_set;        /* by unknown: a reinit has set it                                 */
    double *t_acted;     /* by reinit: when it acted last; NAN                              */
    double *value_set;   /* by reinit: the value that it gave then                          */
    uint32_t *preferred; /* variables that stateSelect asks for, but that are no states */
    double *kept;        /* by preferred variable: its value before the reinit          */
    size_t n_preferred;
    bool *matters;  /* by unknown: a variable depends on it                              */
    double *before; /* by unknown: its value before a trial                              */
} reinit_work;

typedef struct model_sample {
    double start, interval;
    int64_t k; /* next is start + k interval, or the tick k of a clock */
} model_sample;

typedef struct discrete_part {
    /* borrowed from the model as a whole */
    const reduced_model *reduced;
    const compiled_model *compiled;
    model_values *values;
    flat_model *flat;
    const daedal_allocator *allocator;
    arena *mem;
    daedal_diagnosis *why;
    const message_log *log;

    program *events, *assigns, *relations, *actions, *samples_program;
    model_relation *relation; /* n_relations, then two for each rounding */
    size_t n_memories;
    int32_t *event_relation; /* by event: number in `relation`                       */
    int32_t n_events;
    int32_t n_relation_events; /* of n_events; those of delays, and silent ones, follow */
    int32_t *event_falling;    /* all -1: events are zeros in falling direction       */
    const char **event_name;
    uint32_t *assigned; /* variables in the order of `assigns`, n_assigned      */
    expr *item_value;   /* their expressions, before inlining                   */
    size_t n_assigned;
    bool has_loops; /* some assignments form algebraic loops                */
    model_sample *sample;
    model_search *search;
    struct implicit_step *step;  /* NULL until a mode needs it                          */
    struct model_delays *delays; /* or NULL: none                                       */
    double *old;                 /* x when the equations were solved last               */
    bool *warned;                /* by assert: it was violated when evaluated last      */
    bool uses_terminal;

    /* of the run */
    daedal_solver *solver;       /* owned by the run */
    const discrete_hooks *hooks; /* or NULL */
    const daedal_options *options;
    double t_start, t_stop, rtol;
    double t_end;   /* a little past the stop time, if there may be events */
    bool restarted; /* the equations were solved again in this event */
    bool terminated;
} discrete_part;

/* relations.c */
bool discrete_add_relations(discrete_part *m);
/* The last event functions are corners inside relations, at which nothing happens. */
int32_t discrete_count_silent(const discrete_part *m);
daedal_status discrete_begin_samples(discrete_part *m);
/* Whether start and interval of all samples are what they were at the beginning of the run. */
bool discrete_keeps_samples(discrete_part *m);
void discrete_adopt_scales(discrete_part *m);   /* after accepted steps */
void discrete_set_hysteresis(discrete_part *m); /* eps of all relations, from their scales */
double discrete_event_function(const discrete_part *m, size_t k, const double *operands);
/* Updates relations and roundings to the values in x; *changed becomes true if one changed. */
int discrete_update_relations(discrete_part *m, bool ignore_hysteresis, bool *changed);
/* The sum of the violations of relations beyond their hysteresis, relative to their scales. */
int discrete_measure_relations(discrete_part *m, mode_violation *violation);
/* True if all relations agree with their operands, or these are equal up to rounding. */
bool discrete_relations_hold(discrete_part *m);
bool discrete_relations_are_true(discrete_part *m); /* of equal operands, too */
int discrete_note_left_limits(discrete_part *m);
/* a - b of all relations, into difference. */
int discrete_compare_operands(discrete_part *m, double *difference);
/* Relations whose a - b differs from `before` by more than `part` of their scale have jumped. */
int discrete_mark_jumps(discrete_part *m, const double *before, double part);
/* The same after discrete values alone have changed, for relations that stopped the integrator. */
int discrete_mark_stepped(discrete_part *m, const double *before);
int discrete_set_bands(discrete_part *m); /* at the end of an event */
/* After each step without an event, up to t: true if discrete_find_pinned is to be asked, with
 * equations solved: whether a relation that has changed by itself stays where equal operands
 * contradict it. The event that follows compares them as equal.                                 */
bool discrete_count_pinned(discrete_part *m, double t);
bool discrete_find_pinned(discrete_part *m);
double discrete_next_time_event(discrete_part *m); /* after x[0]; HUGE_VAL: none */
bool discrete_mark_samples(discrete_part *m);      /* the samples due at x[0] become true */

/* assignments.c */
/* The fields borrowed from the model are set by the caller; discrete_free in any case. */
daedal_status discrete_build(discrete_part *m);
void discrete_free(discrete_part *m);

/* event_iteration.c */
int discrete_assign(discrete_part *m, bool *changed);
/* Evaluate assignments and relations until neither changes. */
int discrete_settle_values(discrete_part *m, bool ignore_hysteresis);
/* Solve the equations; states may move by impulses. */
daedal_status discrete_solve_equations(discrete_part *m);
/* The same, but a numeric failure where states would have to move. */
daedal_status discrete_solve_held(discrete_part *m);
void discrete_note_solved(discrete_part *m); /* record that x satisfies the equations */
/* True if a discrete value that the equations read has changed since then. */
bool discrete_affects_equations(const discrete_part *m);
bool discrete_update_pre(discrete_part *m); /* pre := value; true if that changed anything */
void discrete_update_pre_of_states(discrete_part *m);
void discrete_read_state(discrete_part *m); /* copies y and y' of the solver into x */
daedal_status discrete_end_samples(discrete_part *m);
daedal_status discrete_iterate(discrete_part *m); /* the event iteration alone */
daedal_status discrete_event(discrete_part *m);
/* The same where the states in x are the limits of accumulating events.  *same_mode: the equations
 * are those before it. */
daedal_status discrete_limit_event(discrete_part *m, bool *same_mode);

/* event_record.c */
bool discrete_prepare_record(discrete_part *m);
void discrete_begin_record(discrete_part *m); /* at the beginning of an event       */
void discrete_note_fired(discrete_part *m);   /* in each round, before pre := value */
void discrete_end_record(discrete_part *m);
/* Before an event: the relation or rounding that stopped the integrator, or one of time that
 * changes now, by its number in `relation`; SIZE_MAX: neither, as with sample().     */
size_t discrete_memory_of_event(discrete_part *m);
/* The function whose zero, or whole number, memory k looks for, at x.  A daedal_answer. */
int discrete_memory_value(discrete_part *m, size_t k, double *g);

/* mode_search.c */
bool discrete_prepare_search(discrete_part *m);
/* relation_terms.c: by relation, the sum of the absolute values of the terms that the difference of
 * its operands consists of; false: out of memory. */
bool discrete_list_terms(discrete_part *m, expr *terms);
bool discrete_find_triggers(discrete_part *m); /* after the assignments are known */
/* Relations, discrete values and equations made consistent, with pre fixed. */
daedal_status discrete_settle(discrete_part *m);
/* y and y' for the mode as it is, with the states held or by an implicit step. */
daedal_status discrete_solve_mode(discrete_part *m);
/* The next set of n numbers below `of`, in lexicographic order; false: that was the last. */
bool discrete_next_set(uint32_t *set, uint32_t n, uint32_t of);

/* when_loops.c */
/* Discrete Reals, of which the equations read some, and the equations are solved together; *found:
 * they are.  DAEDAL_OK or DAEDAL_ERR_MEMORY. */
daedal_status discrete_solve_loop(discrete_part *m, bool *found);

/* reinit.c */
bool discrete_prepare_reinit(discrete_part *m);
daedal_status discrete_reinitialize(discrete_part *m, bool *any); /* *any: a state has jumped */

/* accumulation.c */
bool discrete_prepare_accumulation(discrete_part *m);
void discrete_begin_accumulation(discrete_part *m); /* at the start of a run */
void discrete_watch_accumulation(discrete_part *m); /* at the end of an event */
void discrete_put_limit(discrete_part *m);          /* time and states in x become the limits */

/* implicit_step.c */
/* y and y' of x become those of an implicit step of almost no length from `held`; false: none. */
bool implicit_step_take(discrete_part *m, const double *held);
/* After it: the states behind the jump that the mode forces, from `held`, into y; *settled: within
 * the tolerance.  false: they were not found.                                         */
bool implicit_step_jump(discrete_part *m, const double *held, double *y, bool *settled);
/* After it: y without what the length of the step has moved, n_system; NULL: not known. */
const double *implicit_step_states(discrete_part *m, const double *held);
void implicit_step_free(discrete_part *m);

/* chattering.c: hysteresis and a dead time for relations that change too often. */
bool relation_in_dead_time(const model_relation *r, double t);
/* After a step, which has an event in it or not: how far operands have gone. */
void discrete_note_step(discrete_part *m, bool has_event);
/* At an event inside the step of length h, for the relations that are marked as stopped. */
void discrete_note_excursions(discrete_part *m, double h);
/* Called at an event, when the relations that caused it are marked as stopped. */
void discrete_watch_chattering(discrete_part *m, double interval);

/* delays.c.  In a model without delays these functions do nothing. */
bool delays_build(discrete_part *m);
void delays_free(discrete_part *m);
int32_t delays_count_events(const discrete_part *m);
double delays_smallest(const discrete_part *m); /* the smallest constant delay time */
void delays_forget(discrete_part *m);
int delays_start(discrete_part *m,
                 bool *changed); /* values at the start, when there is no history */
daedal_status delays_begin(discrete_part *m);
void delays_refresh(discrete_part *m); /* their values in x */
int delays_events(discrete_part *m, double t, const double *y, const double *yp, double *g);
/* allow: within a step that is longer than a delay use present values instead of RETRY. */
void delays_set_allow_present(discrete_part *m, bool allow);
double delays_next_time(const discrete_part *m);  /* of the next jump of a delayed signal */
void delays_advance(discrete_part *m);            /* pass the jumps that are due           */
int delays_record(discrete_part *m, double t);    /* after an accepted step up to t        */
void delays_truncate(discrete_part *m, double t); /* discard what was recorded after t    */
void delays_continue(discrete_part *m);           /* after an event                        */
daedal_status delays_check(discrete_part *m);     /* the error of a recording that failed  */

/* inputs.c */
bool inputs_build(discrete_part *m);
/* A new value of input k, which takes effect at the start or in the next event. */
void inputs_write(discrete_part *m, size_t k, double value);
bool inputs_are_written(const discrete_part *m); /* some have values that differ from x */
bool inputs_are_free(const discrete_part *m);    /* the caller may write some             */
bool inputs_has_value(const discrete_part *m, size_t k);
bool inputs_has_signal(const discrete_part *m, size_t k);
void inputs_begin(discrete_part *m);              /* their values at the start into x */
bool inputs_told_impulse(const discrete_part *m); /* a warning names an input that jumps */
daedal_status inputs_take(discrete_part *m);      /* in an event; and new values of parameters */
/* Input k follows data over time, until inputs_forget_signal.  false: out of memory. */
bool inputs_use_signal(discrete_part *m, size_t k, const daedal_signal *from);
void inputs_forget_signal(discrete_part *m, size_t k);
/* Input i of a model takes over the value or the data of input k of another one. */
void inputs_bring(discrete_part *m, size_t i, const discrete_part *from, size_t k);
/* The same, and the other one keeps what it has.  false: out of memory. */
bool inputs_duplicate(discrete_part *m, size_t i, const discrete_part *from, size_t k);
void inputs_free(discrete_part *m);
/* An error if the run is longer than data that must not be extrapolated. */
daedal_status inputs_check_span(const discrete_part *m);
void inputs_refresh(discrete_part *m);           /* data at the time of x, into x        */
double inputs_next_time(const discrete_part *m); /* of a jump in data; HUGE_VAL          */
double inputs_next_knot(const discrete_part *m, double t); /* that no step from t should pass */
/* The values in x of another model with the same inputs become those of this one. */
void inputs_copy(discrete_part *to, const discrete_part *from);

/* event_record.c: everything that changes during a run, but the solver and the values. */
void discrete_copy_state(discrete_part *m, state_copy *s);
void delays_copy_state(discrete_part *m, state_copy *s);
void inputs_copy_state(discrete_part *m, state_copy *s);

/* asserts.c */
daedal_status discrete_check_asserts(discrete_part *m, bool at_event);

/* system_callbacks.c: the model as a system for the integrator; user is the discrete part. */
void discrete_describe_system(discrete_part *m, daedal_system *sys);
/* Its dF/dy and dF/dy' at once; DAEDAL_CALL_RETRY where they are not finite.  user: the same. */
int discrete_jacobian_parts(double t, const double *y, const double *yp, double *dy, double *dyp,
                            void *user);
/* Derivatives by parameters, which hooks->parameters has when they are asked for; NULL: none. */
void discrete_describe_parameters(const struct parameter_tapes *t, daedal_system *sys);
#endif
