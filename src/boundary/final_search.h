/* boundary/final_search.h - a boundary value problem of a model.
 *
 * Responsibility: what the two methods for models share: the start values that are open, the final
 * conditions, and what is reported.  model_bvp.c is the outline, model_collocation.c and
 * model_shooting.c have one method each.
 * Depends on: daedal.h, base/.                                                   */
#ifndef DAEDAL_BOUNDARY_FINAL_SEARCH_H
#define DAEDAL_BOUNDARY_FINAL_SEARCH_H

#include "boundary/solution.h"

typedef struct final_search {
    daedal_model *handle;
    const daedal_simulation *how;
    const daedal_model_bvp *bvp;
    int32_t n;               /* open start values, and as many final conditions              */
    int32_t *number;         /* of these variables                                           */
    const char **name;       /* of these variables                                           */
    double *value;           /* their start values: guesses, then what was found             */
    double *before;          /* those of the last round                                      */
    double *guess;           /* those before collocation                                     */
    const char **final_name; /* "p", of the final conditions                            */
    bvp_result *result;      /* the last solution by collocation, or NULL                    */
    int64_t iterations;
    daedal_stats stats; /* of the last solution by collocation                             */
    int32_t meshes;
    double condition;
    daedal_diagnosis *why;
} final_search;

/* The open start values as they are now, for the runs that follow; or as written. */
daedal_status search_set_starts(const final_search *s, bool as_written);

/* ---- model_collocation.c ---- */

/* From the last solution, or from the start values; into s->result and s->value.  A run of the
 * model is under way afterwards if it succeeds.                                  */
daedal_status model_collocate(final_search *s);

/* ---- model_shooting.c ---- */

/* Into s->value. */
daedal_status model_shoot(final_search *s);
#endif
