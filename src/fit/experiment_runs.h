/* fit/experiment_runs.h - the residuals of a fit: what the runs of a model give, minus the data.
 *
 * Responsibility: the runs of all experiments at given unknowns, and the derivatives of their
 * values.  The iteration works on x, not on the unknowns p themselves: p = exp(x) where both bounds
 * are positive and far apart, else p = unit * x, so that all x are of a similar size.  Derivatives
 * come with the run (daedal_simulation.parameters) where the unknown is a parameter of which the
 * model knows them, else from runs at other values.
 * Depends on: api/model_handle.h, fit/levenberg_marquardt.h.                     */
#ifndef DAEDAL_FIT_EXPERIMENT_RUNS_H
#define DAEDAL_FIT_EXPERIMENT_RUNS_H

#include "base/arena.h"
#include "fit/levenberg_marquardt.h"

/* How an unknown is scaled, and how its derivatives are found. */
typedef struct fit_unknown {
    int32_t number;
    bool is_log;
    bool has_derivative; /* with a run                                                */
    double unit;
    double lower, upper; /* of x */
} fit_unknown;

/* One experiment as it is run. */
typedef struct experiment_plan {
    const daedal_experiment *of;
    int32_t n_times;
    double *time;      /* n_times: those of its rows, each once                         */
    int32_t *begin;    /* n_times + 1: first row of each time                           */
    int32_t *group;    /* of->measured.n: number of the measured variable               */
    int32_t *place;    /* rows x of->measured.n: of the residual, -1: nothing is measured */
    double *predicted; /* rows x of->measured.n                                        */
} experiment_plan;

typedef struct experiment_runs {
    daedal_model *model;
    const daedal_fit *asked;
    int32_t first_number;  /* of the variables of the model                             */
    int32_t n;             /* unknowns                                                  */
    fit_unknown *unknown;  /* n                                                         */
    experiment_plan *plan; /* of the experiments                                       */
    int32_t m;             /* measured values                                           */
    double *data;          /* m                                                         */
    int32_t *group;        /* m: the measured variable                                  */
    int32_t n_groups;
    int32_t *variable;  /* n_groups: numbers                                       */
    double *deviation;  /* n_groups                                                */
    bool *is_estimated; /* n_groups: its deviation is not given                    */
    double accuracy;    /* relative one of the values of a run                     */
    int64_t runs;
    daedal_diagnosis why; /* of the last failure                                     */

    const experiment_plan *current; /* of the run under way                            */
    int32_t next;                   /* time of the next row                            */
    double *values;                 /* m: of this run                                  */
    double *derivatives;            /* m x n: of this run, or NULL                     */
    int32_t *parameter;             /* numbers of those with derivatives               */
    int32_t *unknown_of;            /* their unknowns                                  */
    int32_t n_parameters;
    bool lacks_derivatives;            /* those of a run do not count everything                  */
    double *moved_x, *before, *behind; /* n, m, m: for differences                     */
    arena mem;
} experiment_runs;

/* Check what is asked for and lay out the residuals.  experiment_runs_free follows in any case. */
daedal_status experiment_runs_create(experiment_runs *e, daedal_model *model,
                                     const daedal_fit *asked, const daedal_allocator *a);
void experiment_runs_free(experiment_runs *e);

/* The value of an unknown for x. */
double unknown_value(const fit_unknown *u, double x);
double unknown_slope(const fit_unknown *u, double x); /* dp/dx */

/* residuals_fn of levenberg_marquardt.h; self is the experiment_runs.  Keeps the predicted values.
 */
daedal_status experiment_residuals(void *self, const double *x, double *r, double *jacobian);
#endif
