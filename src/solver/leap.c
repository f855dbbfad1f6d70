/* solver/leap.c - see run.h: variables of higher index that leap to another branch.
 *
 * Where the equations cease to determine a variable of index 2 or 3, the solution ends.  Steps
 * become short there; but the error test weights such a variable by powers of the step size, so
 * that noise may throw it to another branch on which the steps grow again.  What is known: the
 * state at the last step that was not short (the calm one), and the last state at which no variable
 * had moved far from that.  If one moves far within a short time, the determinant of
 * singular_levels.c tells: either it has changed its sign on the way, or it vanishes near the calm
 * state.  Otherwise the variable has jumped with the equations, or changes fast. */
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "solver/run.h"
#include "solver/sensitivity.h"

static const double SHORT = 0.1;   /* steps, of the longest of the last ones                      */
static const double WINDOW = 3.0;  /* calm steps: a leap takes less                               */
static const double FAR_OFF = 0.5; /* of the larger one of two values                             */
static const double NEAR = 0.1;    /* of a variable: where the determinant may vanish             */

static void set_calm(run *r, const integ_view *v)
{
    run_leap *k = &r->stagnation.leap;
    size_t bytes = (size_t)r->n * sizeof(double);
    k->t = v->t;
    k->h = fabs(v->t - v->t_before);
    memcpy(k->calm, v->y, bytes);
    memcpy(k->yp, v->yp, bytes);
}

static void set_last(run *r, const integ_view *v)
{
    run_leap *k = &r->stagnation.leap;
    size_t bytes = (size_t)r->n * sizeof(double);
    k->t_last = v->t;
    memcpy(k->y, v->y, bytes);
}

void run_begin_leap(run *r)
{
    r->stagnation.leap.h = 0.0;
}

/* The variable that has moved furthest, or -1. */
static int32_t find_leapt(const run *r, const double *y)
{
    const run_leap *k = &r->stagnation.leap;
    double most = FAR_OFF;
    int32_t which = -1;
    for (int32_t j = 0; j < r->n; j++) {
        double size = fmax(fmax(fabs(y[j]), fabs(k->calm[j])), run_least_size(r, j));
        double share = fabs(y[j] - k->calm[j]) / size;
        if (r->variable_index[j] < 2 || !(share > most))
            continue;
        most = share;
        which = j;
    }
    return which;
}

/* With the state as it was before the leap, which it keeps if there is an impasse; y' is that of
 * the calm state: in short steps it may be anything, and differences of F are as wide as it is
 * large. */
static bool is_impasse(run *r, const integ_view *v, int32_t j)
{
    run_leap *k = &r->stagnation.leap;
    size_t bytes = (size_t)r->n * sizeof(double);
    double t = r->state.t;
    fail(&r->why, DAEDAL_ERR_NEWTON, "%s", ""); /* the status, with words to follow */
    memcpy(r->y_before, r->y, bytes);
    memcpy(r->yp_before, r->yp, bytes);
    memcpy(r->y, k->y, bytes);
    memcpy(r->yp, k->yp, bytes);
    r->state.t = k->t_last;
    if (run_levels_change_sign(r, k->calm, v->y, j) || run_levels_are_singular(r, NEAR)) {
        r->fresh = true;
        if (r->state.t != t)
            sensitivities_lose(r);
        return true;
    }
    memcpy(r->y, r->y_before, bytes);
    memcpy(r->yp, r->yp_before, bytes);
    r->state.t = t;
    return false;
}

daedal_status run_watch_leap(run *r)
{
    run_leap *k = &r->stagnation.leap;
    if (!run_has_high_index(r) || !r->index.answer.is_regular)
        return DAEDAL_OK; /* the determinant says something where the offsets hold alone */
    integ_view v = r->method->view(r->integrator);
    double h = fabs(v.t - v.t_before);
    bool is_short = k->h > 0.0 && h < SHORT * r->stagnation.growth.longest_step &&
                    fabs(v.t - k->t) < WINDOW * k->h;
    int32_t j = is_short ? find_leapt(r, v.y) : -1;
    if (j >= 0) {
        daedal_diagnosis before = r->why;
        if (is_impasse(r, &v, j))
            return DAEDAL_ERR_NEWTON;
        r->why = before;
        is_short = false;
    }
    if (!is_short)
        set_calm(r, &v);
    set_last(r, &v);
    return DAEDAL_OK;
}
