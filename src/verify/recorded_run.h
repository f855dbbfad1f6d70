/* verify/recorded_run.h - the rows of a run, kept in memory.
 *
 * Responsibility: rows in the order in which they come, each a time, a kind and the values of n
 * variables; the events among them.
 * Invariant: times do not fall.  At most ROWS_VALUES_MAX values are kept; what comes later is left
 * out, and is_full says so.
 * Depends on: base/.                                                            */
#ifndef DAEDAL_VERIFY_RECORDED_RUN_H
#define DAEDAL_VERIFY_RECORDED_RUN_H

#include "base/memory.h"

typedef struct recorded_run {
    const daedal_allocator *allocator;
    int32_t n; /* variables                                             */
    int32_t n_rows, room;
    double *t;                /* n_rows                                                */
    unsigned char *kind;      /* n_rows: daedal_row_kind                            */
    double *values;           /* n_rows x n                                            */
    bool is_full, has_failed; /* by its own limit; out of memory              */
} recorded_run;

void recorded_create(recorded_run *r, int32_t n, const daedal_allocator *a);
void recorded_free(recorded_run *r);
/* Forget all rows. */
void recorded_clear(recorded_run *r);
/* The values of a row are picked by `which` (n numbers), or all of them if it is NULL. */
void recorded_add(recorded_run *r, daedal_row_kind kind, double t, const double *values,
                  const int32_t *which);

static inline const double *recorded_row(const recorded_run *r, int32_t k)
{
    return r->values + (size_t)k * (size_t)r->n;
}

static inline bool recorded_is_of_event(const recorded_run *r, int32_t k)
{
    return r->kind[k] == DAEDAL_ROW_BEFORE_EVENT || r->kind[k] == DAEDAL_ROW_AFTER_EVENT;
}

/* Row k and the one after it are the two sides of an event. */
static inline bool recorded_is_jump(const recorded_run *r, int32_t k)
{
    return k + 1 < r->n_rows && r->t[k + 1] == r->t[k] && r->kind[k + 1] == DAEDAL_ROW_AFTER_EVENT;
}

/* The first row at or after t; n_rows: none. */
int32_t recorded_find(const recorded_run *r, double t);
#endif
