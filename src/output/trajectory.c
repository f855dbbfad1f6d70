/* output/trajectory.c - see trajectory.h. */
#include "output/trajectory.h"

#include <assert.h>
#include <string.h>

enum { FIRST_ROWS = 64 };

void trajectory_create(trajectory *tr, const daedal_allocator *allocator, size_t byte_limit)
{
    *tr = (trajectory){.allocator = allocator, .byte_limit = byte_limit};
    tr->time = (column){"time", "s", "", COLUMN_REAL, COLUMN_STORED, false, -1, -1, 0.0};
    arena_create(&tr->texts, allocator, byte_limit);
}

static size_t row_bytes(const trajectory *tr)
{
    return (1 + tr->n_slots) * sizeof(double);
}

void trajectory_free(trajectory *tr)
{
    memory_give(tr->allocator, tr->rows, tr->row_capacity * row_bytes(tr));
    arena_free(&tr->texts);
    trajectory_create(tr, tr->allocator, tr->byte_limit);
}

/* ---- columns ---- */

static daedal_status out_of_memory(const trajectory *tr, daedal_diagnosis *why)
{
    return fail(why, DAEDAL_ERR_MEMORY, "out of memory for the names of %zu output columns",
                tr->n_columns + 1);
}

static daedal_status check_new(const trajectory *tr, const column *c, daedal_diagnosis *why)
{
    if (tr->n_rows > 0)
        return fail(why, DAEDAL_ERR_CALL_SEQUENCE, "column %s is added after the first row",
                    c->name);
    if (!c->name || !*c->name)
        return fail(why, DAEDAL_ERR_ARGUMENT, "output column %zu has no name", tr->n_columns + 1);
    if (trajectory_find(tr, c->name) >= 0)
        return fail(why, DAEDAL_ERR_ARGUMENT, "two output columns have the name %s", c->name);
    return DAEDAL_OK;
}

static const char *keep(trajectory *tr, const char *text)
{
    return text && *text ? arena_text(&tr->texts, text, strlen(text)) : "";
}

/* Add a column with its texts copied; it is counted only when complete. */
static daedal_status add(trajectory *tr, const column *c, column **out, daedal_diagnosis *why)
{
    TRY(check_new(tr, c, why));
    if (!tr->names.slot && !intern_create(&tr->names, &tr->texts))
        return out_of_memory(tr, why);
    column *columns = arena_grow(&tr->texts, tr->columns, &tr->column_capacity, tr->n_columns + 1,
                                 sizeof *columns);
    if (!columns)
        return out_of_memory(tr, why);
    tr->columns = columns;
    const char *unit = keep(tr, c->unit), *description = keep(tr, c->description);
    if (!unit || !description || intern_add(&tr->names, c->name, strlen(c->name)) < 0)
        return out_of_memory(tr, why);
    *out = &columns[tr->n_columns];
    **out = (column){.name = intern_text(&tr->names, (int32_t)tr->n_columns),
                     .unit = unit,
                     .description = description,
                     .kind = c->kind,
                     .of = -1,
                     .slot = -1};
    tr->n_columns++;
    return DAEDAL_OK;
}

daedal_status trajectory_add_stored(trajectory *tr, const column *c, daedal_diagnosis *why)
{
    column *new_column = NULL;
    TRY(add(tr, c, &new_column, why));
    new_column->source = COLUMN_STORED;
    new_column->slot = (int32_t)tr->n_slots++;
    return DAEDAL_OK;
}

daedal_status trajectory_add_constant(trajectory *tr, const column *c, double value,
                                      daedal_diagnosis *why)
{
    column *new_column = NULL;
    TRY(add(tr, c, &new_column, why));
    new_column->source = COLUMN_CONSTANT;
    new_column->constant = value;
    return DAEDAL_OK;
}

daedal_status trajectory_add_alias(trajectory *tr, const column *c, int32_t of, bool negated,
                                   daedal_diagnosis *why)
{
    assert(of >= 0 && (size_t)of < tr->n_columns);
    if (negated && c->kind == COLUMN_BOOLEAN)
        return fail(why, DAEDAL_ERR_ARGUMENT, "Boolean %s cannot be the negative of another",
                    c->name);
    column *new_column = NULL;
    TRY(add(tr, c, &new_column, why));
    const column *other = &tr->columns[of];
    new_column->source = COLUMN_ALIAS;
    new_column->of = other->source == COLUMN_ALIAS ? other->of : of;
    new_column->negated = negated != other->negated;
    new_column->slot = other->slot;
    new_column->constant = negated ? 0.0 - other->constant : other->constant;
    return DAEDAL_OK;
}

/* ---- rows ---- */

static daedal_status refuse(const trajectory *tr, double t, daedal_diagnosis *why)
{
    fail(why, DAEDAL_ERR_MEMORY,
         "the trajectory does not fit in memory at t = %.6g: %zu rows of %zu stored values", t,
         tr->n_rows, tr->n_slots);
    if (tr->byte_limit)
        hint(why, "the limit is %zu MB; ask for fewer variables or fewer points, or write .csv",
             tr->byte_limit >> 20);
    else
        hint(why, "ask for fewer variables or fewer points, or write .csv");
    blame(why, t, -1, -1);
    return DAEDAL_ERR_MEMORY;
}

/* The next capacity: twice as many rows as now, within the memory limit. */
static size_t next_capacity(const trajectory *tr)
{
    size_t rows = tr->row_capacity ? 2 * tr->row_capacity : FIRST_ROWS;
    size_t left = SIZE_MAX / 2;
    if (tr->byte_limit)
        left = tr->byte_limit > tr->texts.taken ? tr->byte_limit - tr->texts.taken : 0;
    size_t most = left / row_bytes(tr);
    return rows < most ? rows : most;
}

static bool grow(trajectory *tr)
{
    const daedal_allocator *a = tr->allocator ? tr->allocator : &memory_default;
    size_t capacity = next_capacity(tr);
    if (capacity <= tr->row_capacity)
        return false;
    double *rows =
        a->resize(tr->rows, tr->row_capacity * row_bytes(tr), capacity * row_bytes(tr), a->user);
    if (!rows)
        return false;
    tr->rows = rows;
    tr->row_capacity = capacity;
    return true;
}

daedal_status trajectory_append(trajectory *tr, double t, const double *values,
                                daedal_diagnosis *why)
{
    if (tr->n_rows == tr->row_capacity && !grow(tr))
        return refuse(tr, t, why);
    double *row = tr->rows + tr->n_rows * (1 + tr->n_slots);
    row[0] = t;
    if (tr->n_slots)
        memcpy(row + 1, values, tr->n_slots * sizeof *row);
    tr->n_rows++;
    return DAEDAL_OK;
}

/* ---- access ---- */

int32_t trajectory_find(const trajectory *tr, const char *name)
{
    if (!tr->names.slot)
        return -1;
    return intern_find(&tr->names, name, strlen(name));
}

const char *column_kind_name(column_kind kind)
{
    static const char *const names[] = {"real", "integer", "boolean", "enumeration"};
    return names[kind];
}
