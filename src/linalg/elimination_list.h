/* linalg/elimination_list.h - LU of small matrices as lists of operations.
 *
 * Responsibility: a small dense matrix is mostly zeros, also where nobody has said which entries
 * are.  Those that were zero so far are taken to be so, pivots are chosen once for little fill,
 * and what is left to do, often a tenth of a full elimination, is written down as lists that are
 * run for every later matrix.  Each run checks what it rests on: zeros are zeros, multipliers are
 * small.  Where that fails, the caller eliminates with pivoting, and after a while new lists are
 * made.  Real or complex.
 * Invariant: after elimination_list_factor has returned true, elimination_list_solve solves with
 * that matrix. Depends on: base/.                                                            */
#ifndef DAEDAL_LINALG_ELIMINATION_LIST_H
#define DAEDAL_LINALG_ELIMINATION_LIST_H

#include "base/pattern.h"

enum {
    LU_LIST_MIN = 7, /* below, an unrolled elimination is as fast                  */
    LU_LIST_MAX = 64 /* a row of the pattern is one word                           */
};

typedef struct elimination_list {
    int32_t n, nnz; /* 0: the matrix is too small or too large, there are no lists */
    bool is_complex;
    const struct elimination_list
        *elder;               /* whose lists are tried before own ones are made, or NULL */
    int64_t age, copied_age;  /* how often lists were made; by the elder when copied last */
    int64_t epoch;            /* how often all was forgotten                    */
    bool ready;               /* there are lists, they served last time         */
    int32_t patience, waited; /* factorizations by others until lists are made: all, so far */
    int32_t *where;           /* nnz: row * n + column of each value                   */
    bool *seen;               /* nnz: has been other than zero                         */
    uint64_t *unseen;         /* nnz: the bits that must be 0: all but the sign, or none */

    /* The lists.  Entries are numbered: the n pivots, then L by columns, then U by rows. */
    int32_t n_loads, n_lower, n_upper;
    int32_t *load_from, *load_to;         /* value -> entry                           */
    int32_t *row_of, *column_of;          /* step -> row and column of its pivot      */
    int32_t *lower_start, *update_start;  /* n + 1: by step                           */
    int32_t *lower_source, *lower_target; /* steps of the column and of the row    */
    int32_t *upper_source, *upper_target;
    double *lower_most; /* what the entry of L may be                              */
    int32_t *update_l, *update_u, *update_to; /* entry[to] -= entry[l] * entry[u]    */

    double *entries;           /* of L and U, pairs if complex                         */
    double *inverse, *x;       /* 2 n each: reciprocals of the pivots, a right-hand side */
    struct elimination *trial; /* the choice of pivots, on full storage by rows:   */
    double *trial_re, *trial_im;
    int32_t *entry_of; /* number of the entry; of U: -1, -2, ..                    */
} elimination_list;

/* For a matrix with this pattern.  elder: lists for the same pattern, to be copied where there are
 * some, or NULL; then lay_out as part of the owner's block, then describe. */
void elimination_list_begin(elimination_list *s, const daedal_pattern *p, bool is_complex,
                            const elimination_list *elder);
void elimination_list_lay_out(elimination_list *s, layout *l);
void elimination_list_describe(elimination_list *s, const daedal_pattern *p);

/* true: the factors are in the lists.  false: factor otherwise.  im: NULL if not complex. */
bool elimination_list_factor(elimination_list *s, const double *re, const double *im);
/* Solve with the factors of the last successful factorization. */
void elimination_list_solve(elimination_list *s, double *re, double *im);

/* As if no matrix had been seen: the same matrices then give the same bits again. */
void elimination_list_forget(elimination_list *s);

/* Of a solver made by daedal_linsolver_dense; linsolver_dense.c. */
void dense_copy(void *self, const void *from); /* factors and history           */
void dense_forget(void *self);
#endif
