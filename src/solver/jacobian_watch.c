/* solver/jacobian_watch.c - see run.h: a given Jacobian that is wrong is told though steps succeed.
 *
 * With a wrong Jacobian the corrections of Newton's iteration may be small long before it has
 * converged, so that steps are accepted whose errors nobody sees.  At the start the change of F
 * along one direction is compared with what the Jacobian says, which takes two calls of F and one
 * of the Jacobian.  If they differ, all entries are compared (jacobian_comparison.c).  */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "base/status.h"
#include "solver/run.h"

enum { COMPARED_MOST = 100 }; /* unknowns */

/* One direction, and what F and its Jacobian make of it. */
typedef struct direction {
    double *values;                 /* of the Jacobian                             */
    double *move, *y, *yp;          /* n: the direction, and the moved point        */
    double *before, *behind;        /* n: F                                        */
    double *told, *size, *roundoff; /* n: the change by the Jacobian, of its terms, and its error */
    const daedal_pattern *pattern;
    double c; /* y' moves by c times as much as y */
} direction;

enum { VECTORS = 8 };

static void choose_move(run *r, double h, const direction *d)
{
    const double share = 0.1; /* of a tolerance, at least */
    uint64_t random = RANDOM_SEED;
    weights_inverse(&r->tolerances, r->y, r->inverse_weight);
    for (int32_t j = 0; j < r->n; j++) {
        double own = sqrt(DBL_EPSILON) * fmax(fabs(r->y[j]), fabs(h * r->yp[j]));
        double by = fmax(own, share / r->inverse_weight[j]);
        double sign = random_next(&random) % 2 == 0 ? 1.0 : -1.0;
        d->y[j] = r->y[j] + sign * by;
        d->move[j] = d->y[j] - r->y[j];
        d->yp[j] = r->yp[j] + d->c * d->move[j];
    }
}

/* The values of dF/dy + c dF/dy'. */
static bool call_given(run *r, const direction *d)
{
    const daedal_system *sys = &r->system.sys;
    int32_t nnz = d->pattern->start[r->n];
    memset(d->values, 0, (size_t)nnz * sizeof(double));
    int answer = sys->jacobian ? sys->jacobian(r->state.t, r->y, r->yp, d->c, d->values, sys->user)
                               : sys->rhs_jacobian(r->state.t, r->y, d->values, sys->user);
    for (int32_t q = 0; q < nnz && !sys->jacobian; q++)
        d->values[q] = -d->values[q];
    return evaluator_judge(&r->ev, answer, "Jacobian", r->state.t, d->values, nnz) ==
           DAEDAL_CALL_OK;
}

static void multiply(const run *r, const direction *d)
{
    const daedal_pattern *p = d->pattern;
    for (int32_t i = 0; i < r->n; i++)
        d->told[i] = d->size[i] = d->roundoff[i] = 0.0;
    for (int32_t j = 0; j < r->n; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++) {
            d->told[p->row[q]] += d->values[q] * d->move[j];
            d->size[p->row[q]] += fabs(d->values[q] * d->move[j]);
            d->roundoff[p->row[q]] += DBL_EPSILON * fabs(d->values[q] * r->y[j]);
        }
}

/* Whether F changes otherwise than the Jacobian says, by more than curvature would explain. */
static bool differs(run *r, double h, const direction *d)
{
    const double gross = 0.3, visible = 1e3;
    choose_move(r, h, d);
    if (evaluator_residual(&r->ev, r->state.t, r->y, r->yp, d->before) != DAEDAL_CALL_OK ||
        evaluator_residual(&r->ev, r->state.t, d->y, d->yp, d->behind) != DAEDAL_CALL_OK ||
        !call_given(r, d))
        return false;
    multiply(r, d);
    for (int32_t i = 0; i < r->n; i++) {
        double change = d->behind[i] - d->before[i];
        double noise = d->roundoff[i] + DBL_EPSILON * fabs(d->before[i]);
        if (fabs(change - d->told[i]) > gross * fmax(d->size[i], fabs(change)) + visible * noise)
            return true;
    }
    return false;
}

static bool is_doubtful(run *r, double h)
{
    size_t n = (size_t)r->n;
    const bool is_rhs = !r->system.sys.jacobian;
    const daedal_pattern *p = is_rhs ? &r->matrix.part[0].view : &r->matrix.pattern.view;
    size_t nnz = (size_t)p->start[r->n], all = nnz + VECTORS * n;
    double *room = memory_take_array(r->allocator, all, sizeof(double));
    if (!room)
        return false;
    double *at[VECTORS];
    for (size_t k = 0; k < VECTORS; k++)
        at[k] = room + nnz + k * n;
    direction d = {.values = room,
                   .move = at[0],
                   .y = at[1],
                   .yp = at[2],
                   .before = at[3],
                   .behind = at[4],
                   .told = at[5],
                   .size = at[6],
                   .roundoff = at[7],
                   .pattern = p,
                   .c = is_rhs ? 0.0 : 1.0 / h};
    bool doubtful = differs(r, h, &d);
    memory_give(r->allocator, room, all * sizeof(double));
    return doubtful;
}

daedal_status run_watch_jacobian(run *r, double h)
{
    const daedal_system *sys = &r->system.sys;
    bool is_given = sys->jacobian || sys->rhs_jacobian;
    bool is_model = r->after_step.call != NULL; /* with derivatives that were computed */
    if (!is_given || is_model || r->n > COMPARED_MOST || !r->matrix_ready)
        return DAEDAL_OK;
    evaluator_forget_order(&r->ev);
    bool doubtful = is_doubtful(r, h);
    RETURN_UNLESS_OK(evaluator_obey(&r->ev, &r->why, DAEDAL_OK));
    if (!doubtful)
        return DAEDAL_OK;
    integ_view here = {.t = r->state.t, .y = r->y, .yp = r->yp, .h_next = h};
    daedal_diagnosis kept = r->why;
    fail(&r->why, DAEDAL_OK,
         "the given Jacobian is wrong, so that steps that succeed may be wrong by more than the "
         "tolerances");
    r->why.t = r->state.t;
    bool wrong = run_jacobian_is_wrong(r, &here);
    daedal_diagnosis about = r->why;
    r->why = kept;
    if (wrong)
        run_warn(r, &about);
    return evaluator_obey(&r->ev, &r->why, DAEDAL_OK);
}
