/* krylov/preconditioner.h - matrices that are easy to solve with and resemble a given one.
 *
 * Responsibility: one interface to all preconditioners of the option `preconditioner` and to the
 * user's own.  Except for the user's, they are made from the values of the matrix: its diagonal,
 * its diagonal blocks, a band around its diagonal, incomplete factors, or complete ones that are
 * kept while the matrix changes.
 * Depends on: base/, krylov/ilu.h, linalg/linsolver.h.                          */
#ifndef DAEDAL_KRYLOV_PRECONDITIONER_H
#define DAEDAL_KRYLOV_PRECONDITIONER_H

#include "base/choices.h"
#include "base/pattern.h"

typedef struct preconditioner_choice {
    int32_t kind;                     /* a value of the option, not PRECONDITIONER_AUTO        */
    int32_t width;                    /* of blocks or bands; 0: found from the pattern         */
    const daedal_preconditioner *own; /* the user's; overrides the kind                        */
} preconditioner_choice;

/* What a preconditioner is made from. */
typedef struct preconditioner_point {
    double t, c;
    const double *y, *yp;
    const double *values; /* of the matrix, in the order of the pattern */
} preconditioner_point;

typedef struct preconditioner preconditioner;

/* DAEDAL_OK, DAEDAL_ERR_MEMORY, or DAEDAL_ERR_SINGULAR: the pattern shows that it is singular. */
daedal_status preconditioner_create(preconditioner **made, const daedal_pattern *pattern,
                                    const preconditioner_choice *choice, const daedal_allocator *a);
void preconditioner_free(preconditioner *p); /* accepts NULL */

/* DAEDAL_OK; DAEDAL_ERR_SINGULAR or DAEDAL_ERR_MEMORY; of the user's own also DAEDAL_ERR_RETRY,
 * DAEDAL_STOPPED and DAEDAL_ERR_CALLBACK, as it answered.                        */
daedal_status preconditioner_setup(preconditioner *p, const preconditioner_point *at);

/* v := P^-1 v; a daedal_answer. */
int preconditioner_solve(preconditioner *p, double *v);

/* "ilu", or the name of the user's own. */
const char *preconditioner_name(const preconditioner *p);

/* How often memory grew after creation. */
int64_t preconditioner_reallocations(const preconditioner *p);
#endif
