/* integ/roots.h - where event functions change sign inside a step.
 *
 * Responsibility: all sign changes of g(t, y(t), y'(t)) on the interpolant, in order of
 * time, also two of one function inside one step.
 *
 * The last n_silent functions are looked at without being events: the others have corners where
 * they change their signs, and are looked at there.
 *
 * A function has a sign: that of its last value, 0 while it is zero.  An event is a
 * change from a sign to the opposite one or to zero.  Leaving zero is no event, so a
 * function that is zero at the start or stays zero for a while is quiet until it has
 * taken a sign and loses it.  If the slope with which it leaves zero is known (roots_note_slopes),
 * that is its sign, however soon it returns: a ball that hardly rises any more does not fall
 * through the floor.
 * Depends on: integ/method.h, integ/chebyshev_panel.h.                                  */
#ifndef DAEDAL_INTEG_ROOTS_H
#define DAEDAL_INTEG_ROOTS_H

#include "integ/method.h"

/* g(t, y, y'); returns a daedal_answer. */
typedef struct roots_function {
    int (*call)(void *self, double t, const double *y, const double *yp, double *g);
    void *self;
} roots_function;

/* The times when a function has fired. solver/cause.c uses them to find events that accumulate. */
typedef struct roots_record {
    double t, gap, gap_before; /* the last time; the time since that before, and before this    */
    double first;              /* the first of the pairs of gaps that have become shorter since */
    int32_t falling;           /* how many                                                      */
} roots_record;

typedef struct roots {
    roots_function of;
    int32_t n; /* unknowns */
    int32_t n_events;
    int32_t n_silent;                    /* the last of them lead the search and are no events */
    int32_t samples;                     /* interior points asked for                         */
    const int32_t *direction;            /* n_events or NULL                                  */
    int32_t *sign;                       /* at t_seen                                         */
    int32_t *fired;                      /* +1, -1, 0: the events at the root found last      */
    roots_record *record;                /* n_events                                          */
    double *remainder;                   /* |g| at the state shown at that root, or 0         */
    bool *spent;                         /* what is left of a root is no new one              */
    double *size;                        /* largest |g| seen since the last restart           */
    double *slope;                       /* by which it leaves zero; 0: it does not, or not known */
    double t_seen;                       /* functions are known up to here                    */
    double t_before;                     /* before the root found last: none had fired yet    */
    double resolution;                   /* brackets need not be narrower                     */
    double *left, *mid, *right, *g_seen; /* g at points of a step                  */
    double *sampled;                     /* g at the points of a panel                        */
    int32_t *sign_first;                 /* at the beginning of the panel                     */
    bool *calm;                          /* the function keeps its sign in the panel          */
    double width;                        /* of the next panel at most; 0: not known yet       */
    int32_t patience;                    /* panels for one stretch                            */
    double *y, *yp;
    int32_t *sign_kept; /* what was known at roots_keep                             */
    double *size_kept, *slope_kept, *g_kept, t_kept;
    double *ahead; /* g behind an excursion that was not seen                       */
    block mem;
} roots;

/* The curve to look at: y and y' at t. */
typedef struct roots_curve {
    void (*values)(void *self, double t, double *y, double *yp);
    void *self;
} roots_curve;

typedef struct roots_setup {
    roots_function of;
    int32_t n, n_events;      /* unknowns, functions */
    const int32_t *direction; /* n_events or NULL    */
    int32_t samples;
    double resolution;
    const daedal_allocator *allocator;
} roots_setup;

bool roots_create(roots *r, const roots_setup *setup);
void roots_free(roots *r);
void roots_copy(roots *r, const roots *from);

/* Whether the functions that fired at the last root are still zero, but for a little, with other
 * values there.  A daedal_answer; RETRY: they are not.                            */
int roots_look(roots *r, double t, const double *y, const double *yp);

/* The state at the last root is shown with these values, which satisfy the constraints better than
 * the interpolant does; that g is not quite zero there means nothing.  A daedal_answer.  */
int roots_show(roots *r, double t, const double *y, const double *yp);

/* A restart after an event is given these values.  Functions that fired and are still at their root
 * keep quiet about it, also if making the values consistent moves them away.  A daedal_answer.  */
int roots_give(roots *r, double t, const double *y, const double *yp);

/* Take signs at (t, y, yp).  After an event the functions that fired there keep quiet
 * about what is left of their root.  A daedal_answer.                           */
int roots_begin(roots *r, double t, const double *y, const double *yp, bool after_event);

/* Of functions that are zero after roots_begin with the same values: the slopes with which they
 * leave it, as far as they depend on time and on y with y' in F alone.  `reach` is a time in which
 * y changes little, positive or negative like the steps.                            */
void roots_note_slopes(roots *r, double t, const double *y, const double *yp,
                       const bool *is_differential, double reach);

/* Whether a function fires between t_seen and t, where y and yp are given.  The answer is a
 * daedal_answer. */
int roots_fire_at(roots *r, double t, const double *y, const double *yp, bool *fires);

/* Do the same, and if none fires, the functions count as known up to t. */
int roots_pass(roots *r, double t, const double *y, const double *yp, bool *fires);

/* Move *t, near the root found last, in steps of the sign of `step` that grow from its size, until
 * the values of the functions that fired are more than rounding errors; `scale` is the size of what
 * they are differences of.  A daedal_answer. */
int roots_leave_noise(roots *r, const roots_curve *curve, const double *scale, double step,
                      double *t);

/* Store what is known of the functions, and restore it when the step has been replaced by another
 * one. */
void roots_keep(roots *r);
void roots_go_back(roots *r);

/* Look from t_seen to t_end for the first event.  *found with *t_root and r->fired set.
 * A daedal_answer.                                                              */
int roots_scan(roots *r, const roots_curve *curve, double t_end, bool *found, double *t_root);
#endif
