/* reduce/analysis.h - index, degrees of freedom and block order of equations.
 *
 * Responsibility: whether each equation can be matched with an unknown; the offsets of [Pry01];
 * which equations must be solved together.
 * Depends on: reduce/equations.h, graph/.                                    */
#ifndef DAEDAL_REDUCE_ANALYSIS_H
#define DAEDAL_REDUCE_ANALYSIS_H

#include "graph/components.h"
#include "graph/signature.h"
#include "reduce/equations.h"

typedef struct analysis {
    incidence incidence;
    signature offsets;      /* after DAEDAL_ERR_STRUCTURE its singular parts        */
    int32_t index;          /* structural                                           */
    int32_t differentiated; /* equations with offset > 0                            */
    int32_t differential;   /* unknowns whose derivative occurs                     */
    components order;       /* strong components of the essential pattern           */
} analysis;

/* DAEDAL_OK, DAEDAL_ERR_STRUCTURE (no assignment of equations to unknowns: the lists of
 * offsets.singular say where), DAEDAL_ERR_MEMORY.  analysis_free in any case.   */
daedal_status analysis_create(analysis *a, const equations *e, const daedal_allocator *allocator);
void analysis_free(analysis *a);
#endif
