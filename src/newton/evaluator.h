/* newton/evaluator.h - the user's functions, called safely and counted.
 *
 * Responsibility: one residual F(t, y, y') whatever form the system was given in
 * (fully implicit, or M y' = f); NaN and Inf become RETRY; the last trouble is
 * remembered so that a diagnosis can name the equation.
 * Depends on: base/, linalg/vector.h.                                           */
#ifndef DAEDAL_NEWTON_EVALUATOR_H
#define DAEDAL_NEWTON_EVALUATOR_H

#include "base/pattern.h"
#include "linalg/vector.h"
#include "newton/calls_ahead.h"

/* What the last unsuccessful call reported, until the next success. */
typedef struct evaluator_trouble {
    int answer;         /* daedal_answer                                       */
    const char *who;    /* "residual", "Jacobian", ...                         */
    int32_t not_finite; /* entry that was NaN or Inf, or -1                    */
    int64_t number;     /* of that entry among those of all ranks              */
    double t;
    double reach; /* of a residual that was not finite: the largest |y| it was asked for     */
} evaluator_trouble;

typedef struct evaluator {
    const daedal_system *sys; /* borrowed, outlives the evaluator               */
    daedal_stats *stats;      /* borrowed                                       */
    int32_t n;
    vector_space space; /* of the unknowns and equations: n, and the other ranks */
    evaluator_trouble trouble;
    evaluator_trouble order; /* the first STOP or FAIL since evaluator_forget_order */
    bool is_stopped;         /* a function has answered STOP: none is called any more   */
    struct evaluator *outer; /* that of the run, whose is_stopped counts; NULL: it is this one */

    daedal_pattern mass_pattern; /* mass form: pattern of M (identity if none)  */
    double *mass;                /* its values at (mass_t, mass_y)              */
    double mass_t;
    bool mass_known;
    int32_t *identity; /* start and row of the identity pattern                 */
    double *announced; /* y of points, then y'; NULL: the system does not want to know */
    int32_t n_announced;
    calls_ahead *ahead; /* NULL: this thread makes all calls                       */
    block mem;
} evaluator;

bool evaluator_create(evaluator *ev, const daedal_system *sys, daedal_stats *stats,
                      const daedal_allocator *a);
void evaluator_free(evaluator *ev);

/* Calls that are known beforehand are made by several threads, if the system allows it.  false: out
 * of memory. */
bool evaluator_use_threads(evaluator *ev, int32_t threads, const daedal_allocator *a);

/* Between evaluator_begin_call and evaluator_end_call, in which one call of the library runs, STOP
 * is obeyed at once: every later evaluation answers STOP without a call.              */
static inline bool evaluator_is_stopped(const evaluator *ev)
{
    return ev->outer ? ev->outer->is_stopped : ev->is_stopped;
}
static inline void evaluator_begin_call(evaluator *ev)
{
    ev->is_stopped = false;
}
/* DAEDAL_STOPPED if a function has answered STOP, whatever became of it; else `status`. */
static inline daedal_status evaluator_end_call(evaluator *ev, daedal_status status)
{
    status = ev->is_stopped ? DAEDAL_STOPPED : status;
    ev->is_stopped = false;
    return status;
}
/* Another evaluator obeys with this one. */
static inline void evaluator_join(evaluator *ev, evaluator *outer)
{
    ev->outer = outer->outer ? outer->outer : outer;
}

static inline bool evaluator_is_mass_form(const evaluator *ev)
{
    return ev->sys->residual == NULL;
}

typedef struct evaluator_call {
    double t;
    const double *y, *yp;
    double *r;
} evaluator_call;

/* The residual of systems in mass form, and what follows a residual that reported a failure. */
int evaluator_residual_otherwise(evaluator *ev, const evaluator_call *c, int answer);

/* The user's residual, or what it returned ahead. */
static inline int evaluator_call_residual(evaluator *ev, const evaluator_call *c)
{
    int answer;
    if (ev->ahead && calls_ahead_take(ev->ahead, c->t, c->y, c->yp, c->r, &answer))
        return answer;
    return ev->sys->residual(c->t, c->y, c->yp, c->r, ev->sys->user);
}

/* All return a daedal_answer: OK, RETRY (also for NaN/Inf), STOP or FAIL.  This one is called for
 * every stage, hence here.                                                       */
static inline int evaluator_residual(evaluator *ev, double t, const double *y, const double *yp,
                                     double *r)
{
    const daedal_system *sys = ev->sys;
    int answer = DAEDAL_CALL_OK;
    if (evaluator_is_stopped(ev))
        return DAEDAL_CALL_STOP;
    ev->stats->residuals++;
    if (sys->residual) {
        answer = evaluator_call_residual(ev, &(evaluator_call){t, y, yp, r});
        if (answer == DAEDAL_CALL_OK && !ev->space.parallel && vector_all_finite(r, ev->n))
            return answer;
    }
    return evaluator_residual_otherwise(ev, &(evaluator_call){t, y, yp, r}, answer);
}

/* The same, not in mass form, for callers who see NaN and Inf by what they compute next; then they
 * ask evaluator_residual_otherwise.                                             */
static inline int evaluator_residual_unseen(evaluator *ev, double t, const double *y,
                                            const double *yp, double *r)
{
    if (evaluator_is_stopped(ev))
        return DAEDAL_CALL_STOP;
    ev->stats->residuals++;
    return ev->sys->residual(t, y, yp, r, ev->sys->user);
}
/* Collect points of a time at which the residual will be asked for, and tell the system about them:
 * nothing happens where it has no use for that.  `add` is false if there is no room for more. */
static inline bool evaluator_announces(const evaluator *ev)
{
    return ev->announced != NULL || ev->ahead != NULL;
}
bool evaluator_announce_add(evaluator *ev, const double *y, const double *yp);
int evaluator_announce(evaluator *ev, double t);

int evaluator_events(evaluator *ev, double t, const double *y, const double *yp, double *g);

/* Forget cached values: parameters may have changed. */
void evaluator_forget(evaluator *ev);

/* Mass form only: refresh ev->mass if it depends on what changed. */
int evaluator_mass(evaluator *ev, double t, const double *y);
/* Mass form only: out = M(t, y) yp. */
int evaluator_mass_product(evaluator *ev, double t, const double *y, const double *yp, double *out);

/* Turn what a callback answered, and the n values it wrote, into an answer, the same on all ranks;
 * trouble is remembered under the name `who`.                                   */
int evaluator_judge(evaluator *ev, int answer, const char *who, double t, const double *v,
                    int32_t n);

/* The status and sentence for trouble that does not go away. */
daedal_status evaluator_explain(const evaluator *ev, daedal_diagnosis *why);

/* Where answers are passed over, as between two steps: whether one of them since the first call was
 * STOP or FAIL.  DAEDAL_STOPPED, DAEDAL_ERR_CALLBACK, or `otherwise`.             */
static inline void evaluator_forget_order(evaluator *ev)
{
    ev->order.answer = DAEDAL_CALL_OK;
}
daedal_status evaluator_obey(evaluator *ev, daedal_diagnosis *why, daedal_status otherwise);

/* The user's name of an equation or a variable, or "equation 3", "y[3]", in buffer. */
const char *evaluator_equation_name(const daedal_system *sys, int32_t i, char *buffer, size_t size);
const char *evaluator_variable_name(const daedal_system *sys, int32_t j, char *buffer, size_t size);
#endif
