/* cli/recorder.c - see recorder.h. */
#include "recorder.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "console.h"
#include "messages.h"

void recorder_create(recorder *r)
{
    *r = (recorder){0};
    trajectory_create(&r->table, NULL, 0);
}

bool recorder_to_file(recorder *r, const char *path)
{
    if (result_file_open(&r->file, path, &r->why) < 0) {
        print_diagnosis(&r->why);
        return false;
    }
    r->has_file = true;
    r->keeps_rows |= !result_file_streams(&r->file);
    return true;
}

void recorder_to_stdout(recorder *r)
{
    result_file_to_sink(&r->file, sink_to_stream(stdout));
    r->has_file = true;
}

/* ---- columns ---- */

static column_kind kind_of(daedal_value_type type)
{
    switch (type) {
    case DAEDAL_INTEGER:
        return COLUMN_INTEGER;
    case DAEDAL_BOOLEAN:
        return COLUMN_BOOLEAN;
    case DAEDAL_ENUMERATION:
        return COLUMN_ENUMERATION;
    case DAEDAL_REAL:
        break;
    }
    return COLUMN_REAL;
}

/* A constant takes its value from the first row; without a row (values == NULL) it is NaN. */
static daedal_status add_column(recorder *r, int32_t k, const double *values)
{
    daedal_model_variable v = selection_describe(&r->columns, r->info, k);
    column c = {
        .name = v.name, .unit = v.unit, .description = v.description, .kind = kind_of(v.type)};
    if (v.is_constant)
        return trajectory_add_constant(&r->table, &c,
                                       values ? values[r->columns.variables[k]] : NAN, &r->why);
    return trajectory_add_stored(&r->table, &c, &r->why);
}

/* The unit of dy/dp: m, m/K, m/(1/s). */
static char *unit_of_derivative(const char *of, const char *by)
{
    size_t n = (of ? strlen(of) : 0) + (by ? strlen(by) : 0) + 8;
    char *text = must_resize(NULL, n, 1);
    bool has_by = by && *by, is_product = has_by && strpbrk(by, "/.*");
    snprintf(text, n, "%s%s%s%s%s",
             of && *of ? of
             : has_by  ? "1"
                       : "",
             has_by ? "/" : "", is_product ? "(" : "", has_by ? by : "", is_product ? ")" : "");
    return text;
}

static daedal_status add_derivative(recorder *r, int32_t k, int32_t i)
{
    const char *by = r->by_name[i], *by_unit = r->info->variables[r->by[i]].unit;
    daedal_model_variable v = selection_describe(&r->columns, r->info, k);
    size_t size = strlen(v.name) + strlen(by) + 8;
    char *name = must_resize(NULL, size, 1), *unit = unit_of_derivative(v.unit, by_unit);
    snprintf(name, size, "d(%s)/d(%s)", v.name, by);
    column c = {.name = name, .unit = unit, .kind = COLUMN_REAL};
    daedal_status status = trajectory_add_stored(&r->table, &c, &r->why);
    free(name);
    free(unit);
    return status;
}

static daedal_status begin(recorder *r, const double *values)
{
    r->begun = true;
    for (int32_t k = 0; k < r->columns.n; k++)
        TRY(add_column(r, k, values));
    for (int32_t k = 0; k < r->columns.n; k++)
        for (int32_t i = 0; i < r->n_by; i++)
            TRY(add_derivative(r, k, i));
    r->row = must_resize(r->row, r->table.n_slots + 1, sizeof *r->row);
    return r->has_file ? result_file_begin(&r->file, &r->table, &r->why) : DAEDAL_OK;
}

/* ---- rows ---- */

static void gather(recorder *r, const double *values)
{
    size_t slot = 0;
    for (int32_t k = 0; k < r->columns.n; k++) {
        int32_t variable = r->columns.variables[k];
        if (variable >= r->info->n_variables || !r->info->variables[variable].is_constant)
            r->row[slot++] = values[variable];
    }
}

static daedal_status write_row(recorder *r, double t)
{
    if (r->keeps_rows)
        TRY(trajectory_append(&r->table, t, r->row, &r->why));
    if (r->has_file)
        TRY(result_file_row(&r->file, &r->table, t, r->row, &r->why));
    r->rows++;
    return DAEDAL_OK;
}

/* A row is complete when its derivatives have come, too. */
static daedal_status record(recorder *r, double t, const double *values)
{
    if (!r->begun)
        TRY(begin(r, values));
    gather(r, values);
    return r->n_by > 0 ? DAEDAL_OK : write_row(r, t);
}

/* Once a second, so that `tail -f` shows the run and a killed program loses little. */
static void flush(recorder *r)
{
    double now = console_seconds();
    if (r->has_file && now > r->flushed + 1.0) {
        result_file_flush(&r->file);
        r->flushed = now;
    }
}

int recorder_row(daedal_row_kind kind, double t, const double *values, void *user)
{
    recorder *r = user;
    (void)kind;
    r->failed = r->failed || record(r, t, values) < 0;
    flush(r);
    return r->failed ? DAEDAL_CALL_STOP : DAEDAL_CALL_OK;
}

int recorder_sensitivity(daedal_row_kind kind, double t, int32_t i, const double *derivatives,
                         void *user)
{
    recorder *r = user;
    (void)kind;
    for (int32_t k = 0; k < r->columns.n; k++)
        r->row[r->columns.n + k * r->n_by + i] = derivatives[r->columns.variables[k]];
    if (i == r->n_by - 1)
        r->failed = r->failed || write_row(r, t) < 0;
    return r->failed ? DAEDAL_CALL_STOP : DAEDAL_CALL_OK;
}

bool recorder_close(recorder *r)
{
    daedal_diagnosis why = {0};
    if (!r->begun && !r->failed)
        r->failed = begin(r, NULL) < 0;
    if (r->has_file && result_file_close(&r->file, &r->table, &why) < 0 && !r->failed) {
        r->failed = true;
        r->why = why;
    }
    r->has_file = false;
    return !r->failed;
}

void recorder_free(recorder *r)
{
    daedal_diagnosis ignored;
    if (r->has_file)
        result_file_close(&r->file, NULL, &ignored);
    trajectory_free(&r->table);
    selection_free(&r->columns);
    free(r->row);
}
