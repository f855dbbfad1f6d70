/* linalg/curtis_reid.h - units for equations, unknowns and time in which a pencil is even.
 *
 * Responsibility: row factors r, column factors c and a time tau such that r E c / tau and
 * r A c have entries near one (for instance E = dF/dy', A = dF/dy), in the mean over the
 * logarithms of all entries [CR72]: with them an answer does not depend on the units of the user.
 * Depends on: base/.                                                            */
#ifndef DAEDAL_LINALG_CURTIS_REID_H
#define DAEDAL_LINALG_CURTIS_REID_H

#include "base/memory.h"
#include "base/pattern.h"

typedef struct pencil_scaling {
    int32_t n;
    double *row, *column; /* n each */
    double tau;
    block mem;
} pencil_scaling;

/* Of the pencil with entries a and e on the same square pattern.  false: out of memory;
 * pencil_scaling_free in any case.                                              */
bool pencil_scaling_create(pencil_scaling *s, const daedal_pattern *p, const double *a,
                           const double *e, const daedal_allocator *allocator);
void pencil_scaling_free(pencil_scaling *s);

/* Factors that make the entries of one square sparse matrix near one, written to row and column.
 * false: out of memory.                                                         */
bool curtis_reid_scale(const daedal_pattern *p, const double *values, double *row, double *column,
                       const daedal_allocator *a);
#endif
