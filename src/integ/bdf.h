/* integ/bdf.h - the state of a BDF run, shared by its strategies.
 *
 * One engine (bdf_step.c: coefficients, prediction, correction, history) is driven
 * by one of two strategies that judge errors and choose order and step:
 *   bdf_classic.c  the rules of DASSL: fixed leading coefficient, orders 1 to 5
 *   bdf_gated.c    variable coefficients, orders 1 to 6, smoothness-gated filter
 * The theory, with these symbols, is in docs/theory/bdf.md.
 * Depends on: integ/method.h, integ/bdf_grid.h, newton/modified_newton.h.             */
#ifndef DAEDAL_INTEG_BDF_H
#define DAEDAL_INTEG_BDF_H

#include "integ/bdf_grid.h"
#include "integ/method.h"
#include "newton/modified_newton.h"

typedef struct bdf bdf;

typedef struct bdf_strategy {
    const newton_rules *newton;
    bool fixed_leading;
    int32_t order_max;
    int32_t newton_failures_max; /* in one step */
    /* Judge the corrected step: fill b->seen; the step is good iff seen.error <= 1. */
    void (*assess)(bdf *b);
    /* After acceptance, before the history is updated: set b->k and b->h. */
    void (*choose_next)(bdf *b);
    double retreat_safety; /* on the step size after a first failed error test */
} bdf_strategy;

extern const bdf_strategy bdf_strategy_classic;
extern const bdf_strategy bdf_strategy_gated;

/* What the error test saw.  est_* are E_q, term_* are T_q = (q+1) E_q of order q. */
typedef struct bdf_assessment {
    double error; /* in units of the tolerance                            */
    double est, est_lower;
    double term, term_lower;
    int32_t suggested; /* k, or k - 1                                          */
    double gate;       /* share of the plain norm that the filter cannot hide  */
    bool filtered;     /* est and error use the filtered norm                  */
    int32_t worst;     /* variable with the largest share in error             */
} bdf_assessment;

/* Looks for orders that instability keeps small, bdf_probe.c. */
typedef struct bdf_probe {
    int32_t window, in_window, hits, in_probe;
    double h_window, h_free;
    bool active;
} bdf_probe;

/* When h may grow and the order may change: the strategies and bdf_control.c. */
typedef struct bdf_pacing {
    int32_t equal_steps;   /* attempts since h or k changed                            */
    int32_t since_order;   /* steps since the order changed                            */
    int32_t no_growth;     /* steps during which h may not grow                        */
    int32_t no_order_fall; /* steps during which the order may not fall                */
    bool starting;         /* raise the order and double h with every step             */
    bool on_trial;         /* the first step after a restart: its error sets its size  */
    double filter_share;   /* what the filter left of the norm when last applied       */
    int32_t since_filter;  /* steps since then                                         */
    bdf_probe probe;
} bdf_pacing;

/* The past: bdf_step.c. */
typedef struct bdf_history {
    double psi[BDF_DIFFERENCES];  /* of the last step                                  */
    double *phi[BDF_DIFFERENCES]; /* scaled differences at t                           */
    int32_t n_valid;              /* differences phi_1 .. phi_{n_valid} that exist     */
} bdf_history;

/* Roundoff in F: bdf_step.c. */
typedef struct bdf_noise {
    double c;              /* for which the noise was estimated                        */
    int64_t allowed_until; /* the error weights are at least the noise until this step */
} bdf_noise;

/* Corrections that make y' of the interpolant continuous: bdf_interpolate.c. */
typedef struct bdf_dense {
    double *slope_start, *slope_end;
    bool slopes_known;
} bdf_dense;

struct bdf {
    integ_context in;
    const bdf_strategy *strategy;
    int32_t n, error_norm, order_max;
    bool has_high_index;   /* some variable has an index above 1 */
    bool is_semi_explicit; /* at most one y' in each equation, and each y' in one only */

    double t, t_before, t_begin; /* t_begin: of the run since its last begin           */
    int32_t k, k_last;           /* order of the next and of the last step             */
    double h, h_last;            /* size of the next and of the last step              */
    int64_t steps_done;          /* since begin                                        */
    bdf_pacing pacing;
    bdf_history history;
    bdf_noise noise;
    bdf_dense dense;

    bdf_grid grid; /* of the step under way                                            */
    bdf_assessment seen;
    newton newton;
    int32_t worst; /* variable with the largest error, after a failure                 */

    double *y, *yp;    /* at t: what the outside sees                                  */
    double *yp_before; /* at t_before                                                  */
    double *scaled[BDF_DIFFERENCES];
    const double *star[BDF_DIFFERENCES]; /* phi*_i: phi or scaled                      */
    double *y_pred, *yp_pred, *y_new, *yp_new, *e;
    double *inverse_weight, *test_weight; /* the latter zero where not tested          */
    double *work, *work2;
    block mem;
};

/* Differences of the first step: y and h y', as if a step of this size lay behind. */
void bdf_lay_first_history(bdf *b);

/* The engine, bdf_step.c. */
daedal_status bdf_step(void *self, double t_limit);
/* The interpolant, bdf_interpolate.c. */
void bdf_interpolate(void *self, double t, double *y, double *yp);

/* Shared rules, bdf_control.c.
 * Plain weighted norm of the error test, and the norm the strategy selects. */
double bdf_plain_norm(const bdf *b, const double *v);
double bdf_error_norm(bdf *b, const double *v, double plain);
/* The variable with the largest share in the norm of e, just after that was computed. */
int32_t bdf_largest_error(const bdf *b, double plain, double norm);

/* work = u + v; for the differences phi_{k+1}(n+1), phi_k(n+1) and so on. */
const double *bdf_sum(bdf *b, const double *u, const double *v);

/* This is added to twice an error estimate before its root is taken, as in DASSL.  It bounds the
 * growth of the step where the estimate vanishes.                                     */
#define BDF_ESTIMATE_FLOOR 1e-4

/* (2 E + small)^(-1/(k+1)): the factor by which h may change. */
double bdf_step_factor(double est, int32_t k);

void bdf_change_order(bdf *b, int32_t k, double est);

/* The factor for h, and perhaps a lower order, after the failures-th failed error test of a step.
 */
double bdf_retreat(bdf *b, int32_t failures);

/* Stability probe of the gated strategy, bdf_probe.c. */
void bdf_probe_reset(bdf_probe *p);
int32_t bdf_probe_order_limit(bdf *b);

/* The defect of the last step, added: the slope at t of the polynomial through y_{n+1} .. y_{n+1-k}
 * minus that of the solution.  For nodes t_i it is -prod (t_{n+1} - t_i) times the divided
 * difference with t_{n+1} twice, here from the next two of those that are known.                 */
void bdf_add_defect(const void *self, double *slope);
#endif
