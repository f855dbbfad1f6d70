/* boundary/emitted_matrix.h - a sparse matrix that a function writes entry by entry.
 *
 * Responsibility: the function runs once to count its entries, once to tell their places, and once
 * for each matrix to give their values, always in the same order.  Entries at the same place are
 * added.  Then factors, and solutions with them and with those of the transposed matrix.
 * Depends on: linalg/linsolver.h.                                                */
#ifndef DAEDAL_BOUNDARY_EMITTED_MATRIX_H
#define DAEDAL_BOUNDARY_EMITTED_MATRIX_H

#include "linalg/linsolver.h"

typedef enum emission_pass { EMISSION_COUNT, EMISSION_PLACE, EMISSION_VALUES } emission_pass;

typedef struct emitted_matrix {
    emission_pass pass;
    int32_t size;
    size_t n, n_entries; /* of this pass so far; of a whole pass     */
    int32_t *row, *col;  /* by entry in the order of emission        */
    int32_t *at;         /* likewise: its place in the values        */
    pattern pattern;
    double *values;
    const daedal_linsolver *solver;
    void *factors;
    pattern turned; /* the transposed matrix, once it was needed */
    double *turned_values;
    void *turned_factors;
    const daedal_allocator *allocator;
    block entries, numbers, turned_numbers;
} emitted_matrix;

typedef void emission_fn(emitted_matrix *m, void *self);

static inline void emit(emitted_matrix *m, int32_t row, int32_t col, double value)
{
    if (m->pass == EMISSION_VALUES)
        m->values[m->at[m->n]] += value;
    else if (m->pass == EMISSION_PLACE) {
        m->row[m->n] = row;
        m->col[m->n] = col;
    }
    m->n++;
}

/* Find the pattern.  false: out of memory; emitted_free in any case. */
bool emitted_create(emitted_matrix *m, int32_t size, emission_fn *write, void *self,
                    const daedal_allocator *a);
void emitted_free(emitted_matrix *m);

/* Before the values of a matrix are written. */
void emitted_begin(emitted_matrix *m);
/* DAEDAL_OK, DAEDAL_ERR_SINGULAR or DAEDAL_ERR_MEMORY. */
daedal_status emitted_factor(emitted_matrix *m);
void emitted_solve(emitted_matrix *m, double *b);
/* The same for the transposed matrix. */
daedal_status emitted_factor_turned(emitted_matrix *m);
void emitted_solve_turned(emitted_matrix *m, double *b);
#endif
