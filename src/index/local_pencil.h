/* index/local_pencil.h - the index of the frozen pencil E, A at one point, two ways.
 *
 * Responsibility: poles of (E + h A)^-1 (pole_order.c), and differentiation of the rows that E does
 * not reach (staircase.c); whether the pencil is singular, and where.  Dense; both see one instant
 * only, and say nothing where they are not sure. Depends on: linalg/curtis_reid.h, linalg/. */
#ifndef DAEDAL_INDEX_LOCAL_PENCIL_H
#define DAEDAL_INDEX_LOCAL_PENCIL_H

#include "index/jacobian_sample.h"
#include "linalg/curtis_reid.h"

enum { LOCAL_UNKNOWN = -1 };

/* E and A in even units, n x n by columns, with the noise of their entries. */
typedef struct local_pencil {
    int32_t n;
    double *e, *a, *e_noise, *a_noise;
    block mem;
} local_pencil;

/* false: out of memory; local_pencil_free in any case. */
bool local_pencil_create(local_pencil *p, const jacobian_sample *s, const pencil_scaling *b,
                         const daedal_allocator *a);
void local_pencil_free(local_pencil *p);

typedef struct local_answer {
    int32_t index;   /* or LOCAL_UNKNOWN                                     */
    int32_t freedom; /* degrees of freedom (staircase), or LOCAL_UNKNOWN     */
} local_answer;

/* variable_index (n) gets the pole order of each row, LOCAL_UNKNOWN where it is not clear.
 * DAEDAL_OK or DAEDAL_ERR_MEMORY, here and below.                                */
daedal_status local_pencil_pole_order(const local_pencil *p, local_answer *out,
                                      int32_t *variable_index, const daedal_allocator *a);
daedal_status local_pencil_staircase(const local_pencil *p, local_answer *out,
                                     const daedal_allocator *a);

/* Whether E + h A is singular at a generic h.  If it is, rows and columns (n each) are true for
 * those that take part in the relation.                                                */
daedal_status local_pencil_singular(const local_pencil *p, bool *singular, bool *rows,
                                    bool *columns, const daedal_allocator *a);
#endif
