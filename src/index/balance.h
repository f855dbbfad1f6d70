/* index/balance.h - units for equations, variables and time in which a pencil is even.
 *
 * Responsibility: row factors r, column factors c and a time tau such that r E c / tau and
 * r A c have entries near one (E = dF/dy', A = dF/dy): with them an answer does not depend
 * on the units of the user.
 * Depends on: index/sample.h.                                                  */
#ifndef DAEDAL_INDEX_BALANCE_H
#define DAEDAL_INDEX_BALANCE_H

#include "index/sample.h"

typedef struct balance {
    int32_t n;
    double *row, *column; /* n each */
    double tau;
    block mem;
} balance;

/* false: out of memory. */
bool balance_create(balance *b, const sample *s, const daedal_allocator *a);
void balance_free(balance *b);

/* Factors that make the entries of one sparse matrix, given by their sizes, near one: of the
 * rows and columns, written to row and column.  false: out of memory.            */
bool balance_matrix(const daedal_pattern *p, const double *values, double *row, double *column,
                    const daedal_allocator *a);
#endif
