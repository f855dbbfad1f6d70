/* run/run_index.c - the index of the system of a run, found by calling F; see run.h. */
#include <math.h>

#include "base/status.h"
#include "explain/explain_index.h"
#include "run/run.h"

/* Sizes of y: its value, or where its tolerance turns from relative to absolute; of y' the same
 * per time.                                                                      */
static void set_scales(const run *r, const double *y, const double *yp, double time,
                       double *y_scale, double *yp_scale)
{
    for (int32_t j = 0; j < r->n; j++) {
        double floor = r->rtol[j] > 0.0 ? r->atol[j] / r->rtol[j] : r->atol[j];
        double size = fmax(fabs(y[j]), fmin(floor, 1.0));
        y_scale[j] = size > 0.0 ? size : 1.0;
        yp_scale[j] = fmax(fabs(yp[j]), y_scale[j] / time);
    }
}

static daedal_status ask(run *r, index_question *q)
{
    pattern dy = {0}, dyp = {0};
    daedal_status status = probe_patterns(q->target, q->t, q->y, q->yp, &dy, &dyp, r->allocator);
    q->dy = &dy.view;
    q->dyp = &dyp.view;
    if (status == DAEDAL_OK)
        status = index_find(&r->index, q, r->allocator);
    pattern_free(&dy);
    pattern_free(&dyp);
    return status;
}

daedal_status run_find_index(run *r, double t, const double *y, const double *yp)
{
    size_t n = (size_t)r->n;
    double *scale = memory_take_array(r->allocator, 2 * n, sizeof(double));
    if (!scale)
        return fail(&r->why, DAEDAL_ERR_MEMORY, "out of memory while looking for the index");
    weights_inverse(&r->tolerances, y, r->inverse_weight);
    double time = run_time_scale(r, t, y, yp), span = run_probe_span(r, t);
    set_scales(r, y, yp, time, scale, scale + n);
    probe_target target = {r->n, run_call_residual, &r->ev, scale, scale + n, span};
    index_question q = {.target = &target,
                        .t = t,
                        .y = y,
                        .yp = yp,
                        .time_scale = time,
                        .direction = isnan(r->t_stop) ? 0.0 : copysign(1.0, span)};
    index_free(&r->index);
    r->chain[0] = r->reason[0] = '\0';
    daedal_status status = ask(r, &q);
    if (status == DAEDAL_OK) {
        explain_chain(r->chain, sizeof r->chain, &r->index, &r->system.sys);
        explain_grade(r->reason, sizeof r->reason, &r->index, &r->system.sys);
    }
    memory_give(r->allocator, scale, 2 * n * sizeof(double));
    if (status == DAEDAL_ERR_MEMORY)
        return fail(&r->why, status, "out of memory while looking for the index");
    if (status == DAEDAL_ERR_CALLBACK || status == DAEDAL_ERR_NOT_FINITE)
        return evaluator_explain(&r->ev, &r->why);
    return status;
}
