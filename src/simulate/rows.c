/* simulate/rows.c - see simulation.h: rows, and the points in time where they are due. */
#include <math.h>
#include <string.h>

#include "simulate/model_sensitivity.h"
#include "simulate/simulation.h"

/* ---- rows ---- */

double driver_time(const driver *d)
{
    double t = d->m->values->x[0], stop = d->request->t_stop;
    return t > stop ? stop : t;
}

double driver_shown(const driver *d, int32_t i)
{
    return origin_value(d->m->compiled->origin[d->task->shown.variable[i]], d->m->values->x);
}

void driver_fill_row(const driver *d, double *row)
{
    for (int32_t i = 0; i < d->task->shown.n; i++)
        row[i] = driver_shown(d, i);
    for (int32_t i = 0; d->request->derivatives && i < d->task->shown.n; i++)
        row[d->task->shown.n + i] = origin_value(
            compiled_slope_origin(d->m->compiled, d->task->shown.variable[i]), d->m->values->x);
}

/* What the equations see is shown, also where it is perturbed. */
static daedal_status compute_row(driver *d)
{
    simulation *m = d->m;
    size_t bytes = (size_t)m->reduced->n_system * sizeof(double);
    double *y = m->values->x + m->values->place.y;
    if (d->spread) {
        memcpy(d->y, y, bytes);
        perturbation_add(&d->perturbed.by, m->values->x[0], y, m->reduced->n_system);
    }
    daedal_status status = compiled_compute(m->compiled);
    driver_fill_row(d, d->row);
    if (d->spread)
        memcpy(y, d->y, bytes);
    return status;
}

daedal_status driver_emit(driver *d, daedal_row_kind kind)
{
    bool of_event = kind == DAEDAL_ROW_BEFORE_EVENT || kind == DAEDAL_ROW_AFTER_EVENT;
    bool wanted = d->request->row && !(of_event && d->request->no_event_rows);
    if (d->stopped || !(wanted || d->task->observe))
        return DAEDAL_OK;
    TRY(compute_row(d));
    if (d->task->observe)
        d->task->observe(kind, driver_time(d), d->row, d->task->observe_user);
    if (!wanted)
        return DAEDAL_OK;
    d->largest_residual = fmax(d->largest_residual, compiled_algebraic_residual(d->m->compiled));
    d->stopped =
        d->request->row(kind, driver_time(d), d->row, d->request->row_user) == DAEDAL_CALL_STOP;
    return model_sensitivity_emit(d, kind);
}

/* ---- output points ---- */

static int32_t point_count(const daedal_simulation *request)
{
    if (request->every_step)
        return 0;
    return request->times.n > 0     ? request->times.n
           : request->intervals > 0 ? request->intervals + 1
                                    : 2;
}

static double point(const daedal_simulation *request, int32_t k)
{
    if (k >= point_count(request))
        return HUGE_VAL;
    if (request->times.n > 0)
        return request->times.at[k];
    int32_t last = point_count(request) - 1;
    return k == last ? request->t_stop
                     : request->t_start + (request->t_stop - request->t_start) * ((double)k / last);
}

double driver_output_interval(const driver *d)
{
    const daedal_simulation *request = d->request;
    double span = request->t_stop - request->t_start;
    return span / (request->intervals > 0 ? request->intervals : 500);
}

double driver_next_point(const driver *d)
{
    return point(d->request, d->next);
}

bool driver_pass_points(driver *d, double t)
{
    bool met = false;
    while (driver_next_point(d) <= t)
        met = point(d->request, d->next++) == t || met;
    return met;
}
