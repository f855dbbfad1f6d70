/* solver/frozen_pencil.c - dF/dy' and -dF/dy of a system at one point.
 *
 * A Jacobian that was given is called; else differences of fourth order are taken, whose entries
 * are zero if they do not exceed their errors (index/jacobian_sample.h), so that ranks mean
 * something. Neither touches the matrix of the run. */
#include <string.h>

#include "base/status.h"
#include "index/jacobian_sample.h"
#include "solver/run.h"

typedef struct dense_parts {
    int32_t n;
    double *e, *a;
} dense_parts;

/* Entries of both parts on one pattern. */
static void spread(const dense_parts *to, const daedal_pattern *p, const double *dy,
                   const double *dyp)
{
    size_t n = (size_t)to->n;
    memset(to->e, 0, n * n * sizeof(double));
    memset(to->a, 0, n * n * sizeof(double));
    for (int32_t j = 0; j < p->n_cols; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++) {
            size_t at = (size_t)j * n + (size_t)p->row[q];
            to->e[at] = dyp[q];
            to->a[at] = dy[q] == 0.0 ? 0.0 : -dy[q];
        }
}

static daedal_status status_of(run *r, int answer)
{
    return answer == DAEDAL_CALL_OK ? DAEDAL_OK : evaluator_explain(&r->ev, &r->why);
}

/* ---- a Jacobian that was given ---- */

static daedal_status from_given(run *r, const matrix_point *at, const dense_parts *to)
{
    const daedal_system *sys = &r->system.sys;
    pattern full = {0};
    iteration_matrix m = {0};
    bool fine = pattern_full(&full, r->n, r->allocator);
    const daedal_pattern *dy = sys->pattern ? sys->pattern : &full.view;
    const daedal_pattern *dyp = evaluator_is_mass_form(&r->ev) ? &r->ev.mass_pattern
                                : sys->dyp_pattern             ? sys->dyp_pattern
                                                               : dy;
    matrix_setup setup = {.ev = &r->ev, .dy = dy, .dyp = dyp, .allocator = r->allocator};
    daedal_status status = fine && matrix_create(&m, &setup) == DAEDAL_OK
                               ? status_of(r, matrix_evaluate(&m, at))
                               : fail(&r->why, DAEDAL_ERR_MEMORY, "out of memory for the Jacobian");
    if (status == DAEDAL_OK)
        spread(to, &m.pattern.view, m.dy, m.dyp);
    if (fine)
        matrix_free(&m);
    pattern_free(&full);
    return status;
}

/* ---- differences ---- */

static daedal_status sample(run *r, const probe_target *target, const matrix_point *at,
                            const dense_parts *to)
{
    pattern dy = {0}, dyp = {0};
    jacobian_sample s = {0};
    bool begun = false;
    daedal_status status = probe_patterns(target, at->t, at->y, at->yp, &dy, &dyp, r->allocator);
    if (status == DAEDAL_OK) {
        begun = true;
        status = jacobian_sample_create(&s, target, &dy.view, &dyp.view, r->allocator)
                     ? jacobian_sample_at(&s, at->t, at->y, at->yp)
                     : DAEDAL_ERR_MEMORY;
    }
    if (status == DAEDAL_OK)
        spread(to, &s.pattern.view, s.value[0], s.value[1]);
    if (begun)
        jacobian_sample_free(&s);
    pattern_free(&dy);
    pattern_free(&dyp);
    return status;
}

static daedal_status from_differences(run *r, const matrix_point *at, const dense_parts *to)
{
    size_t n = (size_t)r->n;
    double *scale = memory_take_array(r->allocator, 2 * n, sizeof(double));
    if (!scale)
        return fail(&r->why, DAEDAL_ERR_MEMORY, "out of memory for the Jacobian");
    run_set_scales(r, at->y, at->yp, run_calm_time(r, at->t, at->y, at->yp), scale, scale + n);
    probe_target target = {r->n,  run_call_residual, &r->ev,
                           scale, scale + n,         run_probe_span(r, at->t)};
    daedal_status status = sample(r, &target, at, to);
    memory_give(r->allocator, scale, 2 * n * sizeof(double));
    if (status == DAEDAL_ERR_MEMORY)
        return fail(&r->why, status, "out of memory for the Jacobian");
    return status < 0 ? evaluator_explain(&r->ev, &r->why) : status;
}

daedal_status run_find_pencil(run *r, double t, const double *y, const double *yp, double *e,
                              double *a)
{
    const daedal_system *sys = &r->system.sys;
    dense_parts to = {r->n, e, a};
    matrix_point at = {.t = t, .h = 1.0, .y = y, .yp = yp};
    bool given = evaluator_is_mass_form(&r->ev) ? sys->rhs_jacobian != NULL && sys->mass_pattern
                                                : sys->jacobian != NULL;
    return given ? from_given(r, &at, &to) : from_differences(r, &at, &to);
}
