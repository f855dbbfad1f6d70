/* plot/derived_tables.c - see derived_tables.h. */
#include "plot/derived_tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- columns ---- */

enum { NAME_MAX_LENGTH = 600 };

/* Files without units are drawn beside files with units: a column without one takes that of another
 * of the same name.                                                                */
static const char *unit_of(const table_column *columns, size_t n, size_t k)
{
    const column *c = &columns[k].of->columns[columns[k].column];
    const char *unit = c->unit;
    for (size_t i = 0; i < n && !*unit; i++) {
        const column *other = &columns[i].of->columns[columns[i].column];
        if (strcmp(other->name, c->name) == 0)
            unit = other->unit;
    }
    return unit;
}

static daedal_status add_column(trajectory *out, const table_column *columns, size_t n, size_t k,
                                daedal_diagnosis *why)
{
    char name[NAME_MAX_LENGTH];
    const table_column *from = &columns[k];
    column c = from->of->columns[from->column];
    c.unit = unit_of(columns, n, k);
    if (from->label) {
        snprintf(name, sizeof name, "%.400s (%.180s)", c.name, from->label);
        c.name = name;
    }
    return trajectory_add_stored(out, &c, why);
}

static daedal_status create(trajectory *out, const table_column *columns, size_t n, double **row,
                            daedal_diagnosis *why)
{
    trajectory_create(out, columns[0].of->allocator, 0);
    for (size_t k = 0; k < n; k++)
        TRY(add_column(out, columns, n, k, why));
    *row = memory_take_array(out->allocator, n + 1, sizeof **row);
    return *row ? DAEDAL_OK : fail(why, DAEDAL_ERR_MEMORY, "out of memory for the plot");
}

static void destroy(trajectory *out, double *row, size_t n)
{
    if (row)
        memory_give(out->allocator, row, (n + 1) * sizeof *row);
}

/* Gives the table a time column of another name and unit. */
static daedal_status name_time(trajectory *out, const column *c, daedal_diagnosis *why)
{
    char *name = arena_take(&out->texts, strlen(c->name) + 1, 1);
    char *unit = arena_take(&out->texts, strlen(c->unit) + 1, 1);
    if (!name || !unit)
        return fail(why, DAEDAL_ERR_MEMORY, "out of memory for the plot");
    memcpy(name, c->name, strlen(c->name) + 1);
    memcpy(unit, c->unit, strlen(c->unit) + 1);
    out->time.name = name;
    out->time.unit = unit;
    return DAEDAL_OK;
}

/* ---- several results ---- */

/* The first row behind a time, searched from `from` on. */
static size_t row_behind(const trajectory *tr, size_t from, double t)
{
    while (from < tr->n_rows && trajectory_time(tr, from) <= t)
        from++;
    return from;
}

/* The value at a time: that of repetition k of its rows, else between those before and behind. */
static double value_at(const table_column *c, size_t behind, double t, size_t k)
{
    const trajectory *tr = c->of;
    size_t first = behind;
    while (first > 0 && trajectory_time(tr, first - 1) == t)
        first--;
    if (first < behind)
        return trajectory_value(tr, first + k < behind ? first + k : behind - 1, (size_t)c->column);
    if (behind == 0 || behind == tr->n_rows)
        return (double)NAN;
    double a = trajectory_value(tr, behind - 1, (size_t)c->column);
    if (tr->columns[c->column].kind != COLUMN_REAL)
        return a;
    double b = trajectory_value(tr, behind, (size_t)c->column);
    double t0 = trajectory_time(tr, behind - 1), t1 = trajectory_time(tr, behind);
    return a + (b - a) * ((t - t0) / (t1 - t0));
}

static daedal_status check_times(const table_column *c, daedal_diagnosis *why)
{
    for (size_t i = 0; i < c->of->n_rows; i++)
        if (!isfinite(trajectory_time(c->of, i)) ||
            (i > 0 && trajectory_time(c->of, i) < trajectory_time(c->of, i - 1)))
            return fail(
                why, DAEDAL_ERR_ARGUMENT,
                "the times of %s do not ascend (row %zu), so that it cannot be drawn beside others",
                c->label ? c->label : "a result", i + 1);
    return DAEDAL_OK;
}

/* Appends the rows of the next time; false: there is none. */
static bool next_time(const table_column *columns, size_t n, const size_t *behind, double *t,
                      size_t *times)
{
    *t = INFINITY;
    *times = 1;
    for (size_t k = 0; k < n; k++)
        if (behind[k] < columns[k].of->n_rows)
            *t = fmin(*t, trajectory_time(columns[k].of, behind[k]));
    for (size_t k = 0; k < n && isfinite(*t); k++) {
        size_t count = row_behind(columns[k].of, behind[k], *t) - behind[k];
        *times = count > *times ? count : *times;
    }
    return isfinite(*t);
}

static daedal_status join_rows(trajectory *out, const table_column *columns, size_t n, double *row,
                               daedal_diagnosis *why)
{
    size_t *behind = memory_take_array(out->allocator, n, sizeof *behind), times;
    daedal_status status = DAEDAL_OK;
    double t;
    if (!behind)
        return fail(why, DAEDAL_ERR_MEMORY, "out of memory for the plot");
    memset(behind, 0, n * sizeof *behind);
    while (status == DAEDAL_OK && next_time(columns, n, behind, &t, &times)) {
        for (size_t k = 0; k < n; k++)
            behind[k] = row_behind(columns[k].of, behind[k], t);
        for (size_t i = 0; i < times && status == DAEDAL_OK; i++) {
            for (size_t k = 0; k < n; k++)
                row[k] = value_at(&columns[k], behind[k], t, i);
            status = trajectory_append(out, t, row, why);
        }
    }
    memory_give(out->allocator, behind, n * sizeof *behind);
    return status;
}

daedal_status table_join(trajectory *out, const table_column *columns, size_t n,
                         daedal_diagnosis *why)
{
    double *row = NULL;
    daedal_status status = create(out, columns, n, &row, why);
    if (status == DAEDAL_OK)
        status = name_time(out, &columns[0].of->time, why);
    for (size_t k = 0; k < n && status == DAEDAL_OK; k++)
        status = check_times(&columns[k], why);
    if (status == DAEDAL_OK)
        status = join_rows(out, columns, n, row, why);
    destroy(out, row, n);
    return status;
}

/* ---- one variable against another ---- */

daedal_status table_against(trajectory *out, const table_column *columns, const int32_t *x,
                            size_t n, daedal_diagnosis *why)
{
    double *row = NULL;
    daedal_status status = create(out, columns, n, &row, why);
    if (status == DAEDAL_OK)
        status = name_time(out, &columns[0].of->columns[x[0]], why);
    for (size_t first = 0, next; first < n && status == DAEDAL_OK; first = next) {
        const trajectory *tr = columns[first].of;
        for (next = first; next < n && columns[next].of == tr;)
            next++;
        for (size_t i = 0; i <= tr->n_rows && status == DAEDAL_OK; i++) { /* then a gap */
            bool there = i < tr->n_rows;
            for (size_t k = 0; k < n; k++)
                row[k] = there && k >= first && k < next
                             ? trajectory_value(tr, i, (size_t)columns[k].column)
                             : (double)NAN;
            double at = there ? trajectory_value(tr, i, (size_t)x[first]) : (double)NAN;
            status = trajectory_append(out, at, row, why);
        }
    }
    destroy(out, row, n);
    return status;
}

/* ---- profiles ---- */

/* The subscript at the end of a name, or -1: it has none, or several. */
static long subscript_of(const char *name)
{
    const char *bracket = strrchr(name, '[');
    char *end;
    long k = bracket ? strtol(bracket + 1, &end, 10) : -1;
    return bracket && end > bracket + 1 && strcmp(end, "]") == 0 ? k : -1;
}

int32_t table_first_subscript(const table_array *array)
{
    long first = subscript_of(array->of->columns[array->elements[0]].name);
    for (int32_t i = 0; i < array->n; i++)
        if (first < 0 || subscript_of(array->of->columns[array->elements[i]].name) != first + i)
            return 1;
    return (int32_t)first;
}

static daedal_status add_profile(trajectory *out, const table_array *array, size_t row,
                                 daedal_diagnosis *why)
{
    char name[80], unit[80] = "";
    column c = array->of->columns[array->elements[0]];
    if (*array->of->time.unit)
        snprintf(unit, sizeof unit, " %.60s", array->of->time.unit);
    snprintf(name, sizeof name, "%.20s = %.6g", array->of->time.name,
             trajectory_time(array->of, row));
    char full[200];
    snprintf(full, sizeof full, "%s%s", name, unit);
    for (int k = 2; trajectory_find(out, full) >= 0; k++)
        snprintf(full, sizeof full, "%s%s (%d)", name, unit, k);
    c.name = full;
    c.kind = COLUMN_REAL;
    return trajectory_add_stored(out, &c, why);
}

daedal_status table_profile(trajectory *out, const table_array *array, const size_t *rows,
                            size_t n_rows, daedal_diagnosis *why)
{
    char axis[NAME_MAX_LENGTH];
    snprintf(axis, sizeof axis, "subscript of %.500s", array->name);
    const column index = {.name = axis, .unit = ""};
    int32_t first = table_first_subscript(array);
    trajectory_create(out, array->of->allocator, 0);
    double *row = memory_take_array(out->allocator, n_rows + 1, sizeof *row);
    daedal_status status = row ? name_time(out, &index, why)
                               : fail(why, DAEDAL_ERR_MEMORY, "out of memory for the plot");
    for (size_t k = 0; k < n_rows && status == DAEDAL_OK; k++)
        status = add_profile(out, array, rows[k], why);
    for (int32_t i = 0; i < array->n && status == DAEDAL_OK; i++) {
        for (size_t k = 0; k < n_rows; k++)
            row[k] = trajectory_value(array->of, rows[k], (size_t)array->elements[i]);
        status = trajectory_append(out, (double)first + i, row, why);
    }
    destroy(out, row, n_rows);
    return status;
}
