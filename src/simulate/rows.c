/* simulate/rows.c - see simulation.h: rows, and the points in time where they are due. */
#include <math.h>

#include "simulate/simulation.h"

/* ---- rows ---- */

double driver_time(const driver *d)
{
    double t = d->m->values->x[0], stop = d->how->t_stop;
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
}

daedal_status driver_emit(driver *d, daedal_row_kind kind)
{
    bool of_event = kind == DAEDAL_ROW_BEFORE_EVENT || kind == DAEDAL_ROW_AFTER_EVENT;
    if (!d->how->row || d->stopped || (of_event && d->how->no_event_rows))
        return DAEDAL_OK;
    TRY(compiled_compute(d->m->compiled));
    d->worst = fmax(d->worst, compiled_algebraic_residual(d->m->compiled));
    driver_fill_row(d, d->row);
    d->stopped = d->how->row(kind, driver_time(d), d->row, d->how->row_user) == DAEDAL_CALL_STOP;
    return DAEDAL_OK;
}

/* ---- output points ---- */

static int32_t point_count(const daedal_simulation *how)
{
    if (how->every_step)
        return 0;
    return how->times.n > 0 ? how->times.n : how->intervals > 0 ? how->intervals + 1 : 2;
}

static double point(const daedal_simulation *how, int32_t k)
{
    if (k >= point_count(how))
        return HUGE_VAL;
    if (how->times.n > 0)
        return how->times.at[k];
    int32_t last = point_count(how) - 1;
    return k == last ? how->t_stop
                     : how->t_start + (how->t_stop - how->t_start) * ((double)k / last);
}

double driver_output_interval(const driver *d)
{
    const daedal_simulation *how = d->how;
    double span = how->t_stop - how->t_start;
    return span / (how->intervals > 0 ? how->intervals : 500);
}

double driver_next_point(const driver *d)
{
    return point(d->how, d->next);
}

bool driver_pass_points(driver *d, double t)
{
    bool met = false;
    while (driver_next_point(d) <= t)
        met = point(d->how, d->next++) == t || met;
    return met;
}
