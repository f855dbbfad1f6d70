/* reduce/incidence.c - see equations.h.  By rows first, then sorted into columns. */
#include "reduce/equations.h"

/* Entries by rows, as they are found. */
typedef struct rows {
    arena mem;
    int32_t *start; /* n + 1 */
    equations_place *entry;
    size_t n, capacity;
    int32_t *last; /* by unknown: 1 + its latest entry, if that is in this row */
} rows;

static bool add(rows *r, size_t row_start, equations_place at)
{
    int32_t seen = r->last[at.unknown];
    if (seen > 0 && (size_t)seen > row_start) {
        equations_place *old = &r->entry[seen - 1];
        old->order = at.order > old->order ? at.order : old->order;
        return true;
    }
    if (r->n >= INT32_MAX - 1)
        return false;
    equations_place *grown =
        arena_enlarge(&r->mem, r->entry, &r->capacity, r->n + 1, sizeof *r->entry);
    if (!grown)
        return false;
    r->entry = grown;
    r->entry[r->n++] = at;
    r->last[at.unknown] = (int32_t)r->n;
    return true;
}

static bool add_row(rows *r, const equations *e, int32_t i, expr_walker *w)
{
    size_t row_start = r->n;
    expr_walker_forget(w);
    if (!expr_depends(w, e->residual[i], e->parts))
        return false;
    for (size_t k = 0; k < w->n_found; k++) {
        equations_place at = e->place(e->user, expr_index(e->g, w->found[k]));
        if (at.unknown != EQUATIONS_KNOWN && !add(r, row_start, at))
            return false;
    }
    r->start[i + 1] = (int32_t)r->n;
    return true;
}

static bool collect(rows *r, const equations *e)
{
    r->start = arena_take(&r->mem, (size_t)e->n + 1, sizeof *r->start);
    r->last = arena_take(&r->mem, (size_t)e->n_unknowns + 1, sizeof *r->last);
    if (!r->start || !r->last)
        return false;
    expr_walker w;
    expr_walker_create(&w, e->g);
    bool fine = true;
    for (int32_t i = 0; i < e->n && fine; i++)
        fine = add_row(r, e, i, &w);
    expr_walker_free(&w);
    return fine;
}

/* Counting sort into columns; rows stay ascending. */
static bool turn(incidence *s, const rows *r, const equations *e)
{
    int32_t nnz = (int32_t)r->n;
    if (!pattern_create(&s->pattern, e->n, e->n_unknowns, nnz, s->allocator))
        return false;
    s->order = memory_take_array(s->allocator, (size_t)nnz, sizeof *s->order);
    if (!s->order)
        return false;
    int32_t *start = s->pattern.start;
    for (int32_t q = 0; q < nnz; q++)
        start[r->entry[q].unknown + 1]++;
    for (int32_t j = 0; j < e->n_unknowns; j++)
        start[j + 1] += start[j];
    for (int32_t i = e->n; i-- > 0;)
        for (int32_t q = r->start[i]; q < r->start[i + 1]; q++) {
            int32_t at = --start[r->entry[q].unknown + 1];
            s->pattern.row[at] = i;
            s->order[at] = r->entry[q].order;
        }
    for (int32_t j = 0; j < e->n_unknowns; j++) /* counting has moved each to its beginning */
        start[j] = start[j + 1];
    start[e->n_unknowns] = nnz;
    return true;
}

bool incidence_create(incidence *s, const equations *e, const daedal_allocator *a)
{
    *s = (incidence){.allocator = a};
    rows r = {0};
    arena_create(&r.mem, a, 0);
    bool fine = collect(&r, e) && turn(s, &r, e);
    arena_free(&r.mem);
    return fine;
}

void incidence_free(incidence *s)
{
    size_t nnz = s->pattern.start ? (size_t)pattern_nnz(&s->pattern.view) : 0;
    memory_give(s->allocator, s->order, nnz * sizeof *s->order);
    pattern_free(&s->pattern);
    s->order = NULL;
}
