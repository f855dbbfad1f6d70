/* hybrid/hybrid.h - the part of a model that changes at events only.
 *
 * Responsibility: relations and their bands, time events, the discrete assignments, the event
 * iteration and its search, chattering, delays, asserts (docs/theory/hybrid.md).
 * Depends on: compile/model.h, linalg/, graph/, expr/.                            */
#ifndef DAEDAL_HYBRID_HYBRID_H
#define DAEDAL_HYBRID_HYBRID_H

#include "compile/model.h"

/* model_relations.c */
bool model_compile_relations(model *m);
int model_begin_samples(model *m);
void model_adopt_scales(model *m); /* after accepted steps */
void model_set_bands(model *m);    /* bands from the scales */
double model_event_function(const model *m, size_t k, const double *operands);
/* Values of relations and roundings at x; literal: without bands.  Sets *changed. */
int model_update_relations(model *m, bool literal, bool *changed);
/* How far relations are from what they are taken for, in units of their scales. */
int model_measure_relations(model *m, double *violation);
int model_note_left_limits(model *m);
double model_next_time_event(model *m); /* after x[0]; HUGE_VAL: none */
bool model_mark_samples(model *m);      /* those due at x[0] become true */

/* model_assign.c */
daedal_status model_compile_hybrid(model *m);

/* model_events.c */
bool model_set(model *m, uint32_t slot, double value); /* true: it changed */
int model_assign(model *m, bool hidden_only, bool *changed);
int model_settle_discrete(model *m, bool literal); /* assignments and relations agree */
daedal_status model_solve_equations(model *m);     /* for everything but the states */
void model_note_solved(model *m);                  /* the equations hold for x as it is */
bool model_equations_see(const model *m);          /* something they read has changed since then */
bool model_take_over(model *m);                    /* pre := value; true if that changed anything */
void model_keep_pre_of_states(model *m);
void model_read_state(model *m); /* of the solver, into x */
int model_end_samples(model *m);
daedal_status model_give_up(model *m, int answer);
daedal_status model_iterate(model *m); /* the event iteration alone */
daedal_status model_event(model *m);

/* model_mixed.c */
bool model_prepare_search(model *m);
daedal_status model_settle(model *m); /* relations, discrete values and equations, pre fixed */

/* model_chatter.c: a relation that changes too often gets a wider band and a rest. */
bool model_is_resting(const model_relation *r, double t);
void model_watch_chatter(model *m, double interval); /* at an event, the triggered ones marked */

/* model_delay.c; nothing happens in a model without delays. */
bool model_compile_delays(model *m);
void model_free_delays(model *m);
int32_t model_count_delay_events(const model *m);
double model_smallest_delay(const model *m); /* of the constant ones */
void model_forget_delays(model *m);
int model_start_delays(model *m); /* at x: what they are before there is a past */
daedal_status model_begin_delays(model *m);
/* Their values at (t, y, y'), or at x; RETRY: the step is longer than a delay. */
int model_fill_delays(model *m, double t, const double *y, const double *yp, double *values);
void model_refresh_delays(model *m); /* in x */
int model_delay_events(model *m, double t, const double *y, const double *yp, double *g);
void model_set_lenient(model *m, bool lenient); /* no RETRY now */
double model_next_delay_time(const model *m);   /* when a jump comes out of one */
void model_pass_delays(model *m);               /* let the jumps that are due come out */
int model_record_delays(model *m, double t);    /* a step was taken, up to t */
void model_cut_delays(model *m, double t);      /* what was recorded after t is void */
void model_go_on_delays(model *m);              /* after an event */
daedal_status model_check_delays(model *m);     /* did recording fail? */

/* model_asserts.c */
daedal_status model_check_asserts(model *m, bool at_event);
#endif
