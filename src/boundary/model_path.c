/* boundary/model_path.c - see model_path.h. */
#include "boundary/model_path.h"

#include <math.h>
#include <string.h>

#include "api/model_handle.h"

const char *path_obstacle(const daedal_model *handle)
{
    const flat_model *f = handle->now->flat;
    if (f->n_delays > 0)
        return "the model has delays";
    if (f->n_relations + f->n_roundings + f->n_samples + f->n_reinits + f->n_terminates +
            f->n_assignments >
        0)
        return "the model has events";
    return NULL;
}

static int32_t point_count(const daedal_simulation *how, const piecewise *path)
{
    if (how->every_step)
        return path->n_intervals + 1;
    if (how->times.n > 0)
        return how->times.n;
    return how->intervals > 0 ? how->intervals + 1 : 2;
}

static double point(const daedal_simulation *how, const piecewise *path, int32_t k)
{
    if (how->every_step)
        return path->t[k];
    if (how->times.n > 0)
        return how->times.at[k];
    int32_t last = point_count(how, path) - 1;
    return k == last ? how->t_stop
                     : how->t_start + (how->t_stop - how->t_start) * ((double)k / last);
}

/* All variables at a time of the path; derivatives follow if the simulation asks for them. */
static daedal_status fill_row(const daedal_model *d, const daedal_simulation *how, double *row)
{
    const compiled_model *m = d->model.compiled;
    int32_t n = d->info.n_variables;
    daedal_status status = compiled_compute(m);
    if (status < 0)
        return status;
    for (int32_t i = 0; i < n; i++)
        row[i] = origin_value(m->origin[d->shown[i]], m->values->x);
    for (int32_t i = 0; how->derivatives && i < n; i++)
        row[n + i] = origin_value(compiled_slope_origin(m, d->shown[i]), m->values->x);
    return DAEDAL_OK;
}

static void go_to(const daedal_model *d, const piecewise *path, double t)
{
    model_values *values = d->model.compiled->values;
    values->x[0] = t;
    piecewise_at(path, t, values->x + values->place.y, values->x + values->place.yp);
    inputs_refresh(d->model.discrete);
}

daedal_status path_emit(const daedal_model *handle, const daedal_simulation *how,
                        const piecewise *path, double *residual)
{
    const daedal_model *d = handle->now;
    size_t width = 2 * (size_t)d->info.n_variables;
    double *row = memory_take_array(&handle->allocator, width, sizeof *row);
    daedal_status status = row ? DAEDAL_OK : DAEDAL_ERR_MEMORY;
    int32_t count = point_count(how, path);
    *residual = 0.0;
    for (int32_t k = 0; k < count && status == DAEDAL_OK && how->row; k++) {
        double t = fmin(fmax(point(how, path, k), path->t[0]), path->t[path->n_intervals]);
        go_to(d, path, t);
        status = fill_row(d, how, row);
        *residual = fmax(*residual, compiled_algebraic_residual(d->model.compiled));
        daedal_row_kind kind = how->every_step ? DAEDAL_ROW_STEP : DAEDAL_ROW_POINT;
        if (status == DAEDAL_OK && how->row(kind, t, row, how->row_user) == DAEDAL_CALL_STOP)
            status = DAEDAL_STOPPED;
    }
    memory_give(&handle->allocator, row, width * sizeof *row);
    return status;
}

void *path_keep(daedal_model *handle, size_t count, size_t size)
{
    return arena_take(&handle->front.mem, count + 1, size);
}
