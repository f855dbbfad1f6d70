/* hybrid/discrete.h - the part of a model that changes at events only.
 *
 * Responsibility: relations and their bands, time events, the discrete assignments, the event
 * iteration and its search, chattering, delays, asserts (docs/theory/hybrid.md).
 * Depends on: compile/model.h, linalg/, graph/, expr/.                            */
#ifndef DAEDAL_HYBRID_HYBRID_H
#define DAEDAL_HYBRID_HYBRID_H

#include "base/log.h"
#include "compile/compiled.h"

typedef enum relation_kind { RELATION_DISCRETE, RELATION_TIME, RELATION_STATE } relation_kind;

/* The memory of a relation, or of one bound of a rounding. */
typedef struct model_relation {
    relation_kind kind;
    double scale;   /* largest |a|, |b| seen                               */
    double pending; /* the same with what was seen since the last step     */
    double eps;     /* width of its band now                               */
    double before;  /* a - b at the left limit of the event                */
    bool triggered; /* it stopped the integrator                           */
    /* chattering: hybrid/chattering.c */
    int32_t events, crowd; /* that it caused since `since`; in a row that nearly coincide */
    double since, last;    /* times                                                       */
    double wider;          /* its band is so many times the usual one; 0: never changed   */
    double rest;           /* it keeps its value for so long after its events             */
    bool told;
} model_relation;

/* Which relations may change in one pass of the event iteration. */
typedef enum relation_choice { CHOOSE_ALL, CHOOSE_LEAST, CHOOSE_WORST, CHOOSE_ANY } relation_choice;

/* The search for relations and equations that agree: mode_search.c. */
typedef struct model_search {
    relation_choice choice;
    double *first, *seen; /* relations before the event, and in the last pass */
    bool *touched;        /* changed in this event                            */
    bool *held;           /* must not change now                              */
    double *values;       /* y and y' before the event                        */
    uint64_t random;
    bool stale;    /* y and y' are not those of the relations: solve in any case */
    bool restless; /* the discrete part alone did not settle */
    bool told;
} model_search;

typedef struct model_sample {
    double start, interval;
    int64_t k; /* next is start + k interval */
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
    int32_t n_relation_events; /* of n_events; those of delays follow                 */
    int32_t *event_falling;    /* all -1: the direction of events                     */
    const char **event_name;
    uint32_t *assigned; /* variables in the order of `assigns`, n_assigned      */
    expr *item_value;   /* their expressions, before inlining                   */
    size_t n_assigned;
    bool has_loops; /* assignments that read one another in a circle        */
    model_sample *sample;
    model_search *search;
    struct model_delays *delays; /* or NULL: none                                       */
    double *old;                 /* x when the equations were solved last               */
    bool *warned;                /* by assert: violated when it was looked at last      */
    bool uses_terminal;

    /* of the run */
    daedal_solver *solver; /* owned by the run */
    const daedal_options *options;
    double t_start, t_stop, rtol;
    double t_end;   /* a little past the stop time, if there may be events */
    bool restarted; /* the equations were solved anew in this event */
    bool terminated;
} discrete_part;

/* relations.c */
bool discrete_add_relations(discrete_part *m);
int discrete_begin_samples(discrete_part *m);
void discrete_adopt_scales(discrete_part *m); /* after accepted steps */
void discrete_set_bands(discrete_part *m);    /* bands from the scales */
double discrete_event_function(const discrete_part *m, size_t k, const double *operands);
/* Values of relations and roundings at x; literal: without bands.  Sets *changed. */
int discrete_update_relations(discrete_part *m, bool literal, bool *changed);
/* How far relations are from what they are taken for, in units of their scales. */
int discrete_measure_relations(discrete_part *m, double *violation);
int discrete_note_left_limits(discrete_part *m);
double discrete_next_time_event(discrete_part *m); /* after x[0]; HUGE_VAL: none */
bool discrete_mark_samples(discrete_part *m);      /* those due at x[0] become true */

/* assignments.c */
/* The fields borrowed from the model are set by the caller; discrete_free in any case. */
daedal_status discrete_build(discrete_part *m);
void discrete_free(discrete_part *m);

/* event_iteration.c */
int discrete_assign(discrete_part *m, bool hidden_only, bool *changed);
int discrete_settle_values(discrete_part *m, bool literal); /* assignments and relations agree */
daedal_status discrete_solve_equations(discrete_part *m);   /* for everything but the states */
void discrete_note_solved(discrete_part *m);                /* the equations hold for x as it is */
bool discrete_affects_equations(
    const discrete_part *m);                /* something they read has changed since then */
bool discrete_update_pre(discrete_part *m); /* pre := value; true if that changed anything */
void discrete_update_pre_of_states(discrete_part *m);
void discrete_read_state(discrete_part *m); /* of the solver, into x */
int discrete_end_samples(discrete_part *m);
daedal_status discrete_iterate(discrete_part *m); /* the event iteration alone */
daedal_status discrete_event(discrete_part *m);

/* mode_search.c */
bool discrete_prepare_search(discrete_part *m);
daedal_status
discrete_settle(discrete_part *m); /* relations, discrete values and equations, pre fixed */

/* chattering.c: a relation that changes too often gets a wider band and a rest. */
bool relation_is_resting(const model_relation *r, double t);
void discrete_watch_chattering(discrete_part *m,
                               double interval); /* at an event, the triggered ones marked */

/* delays.c; nothing happens in a model without delays. */
bool delays_build(discrete_part *m);
void delays_free(discrete_part *m);
int32_t delays_count_events(const discrete_part *m);
double delays_smallest(const discrete_part *m); /* of the constant ones */
void delays_forget(discrete_part *m);
int delays_start(discrete_part *m); /* at x: what they are before there is a past */
daedal_status delays_begin(discrete_part *m);
void delays_refresh(discrete_part *m); /* in x */
int delays_events(discrete_part *m, double t, const double *y, const double *yp, double *g);
void delays_allow_present(discrete_part *m, bool lenient); /* no RETRY now */
double delays_next_time(const discrete_part *m);           /* when a jump comes out of one */
void delays_pass(discrete_part *m);                        /* let the jumps that are due come out */
int delays_record(discrete_part *m, double t);             /* a step was taken, up to t */
void delays_cut(discrete_part *m, double t);               /* what was recorded after t is void */
void delays_continue(discrete_part *m);                    /* after an event */
daedal_status delays_check(discrete_part *m);              /* did recording fail? */

/* asserts.c */
daedal_status discrete_check_asserts(discrete_part *m, bool at_event);

/* system_callbacks.c: the model as a system for the integrator; user is the discrete part. */
void discrete_describe_system(discrete_part *m, daedal_system *sys);
#endif
