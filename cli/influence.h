/* cli/influence.h - how much parameters matter: what derivatives over time come down to.
 *
 * Responsibility: from a table of variables and their derivatives (recorder.h) the influence of
 * each parameter on each variable, their order, and curves for a plot.
 * Depends on: output/trajectory.h.                                              */
#ifndef DAEDAL_CLI_INFLUENCE_H
#define DAEDAL_CLI_INFLUENCE_H

#include "output/trajectory.h"

/* The table has n_variables columns, and behind them n_parameters derivatives of each. */
typedef struct influence_data {
    const trajectory *table;
    int32_t n_variables, n_parameters;
    const char *const *parameter; /* names  */
    const double *value;          /* of the parameters */
} influence_data;

/* Of one parameter on one variable y: p dy/dp, in units of the largest |y| of the run. */
typedef struct influence {
    int32_t variable, parameter;
    double largest, at; /* its largest size, and where that is */
    double end;         /* with its sign, in the last row      */
} influence;

typedef struct influence_ranking {
    influence *pair;      /* n_variables x n_parameters: by variable, the largest first */
    double *overall;      /* n_parameters: root mean square over the variables          */
    int32_t *order;       /* n_parameters: the largest first                            */
    double *largest_size; /* n_variables: largest |y|                                    */
} influence_ranking;

void influence_rank(influence_ranking *r, const influence_data *d);
void influence_free(influence_ranking *r);

/* p dy/dp / max |y| over time of the most influential pairs, at most `most`; the caller frees it.
 */
daedal_status influence_curves(trajectory *to, const influence_ranking *r, const influence_data *d,
                               int32_t most, daedal_diagnosis *why);
#endif
