/* integ/radau.h - the state of a Radau IIA run.
 *
 *   radau.c              making and beginning one
 *   radau_step.c         one accepted step: read advance first, it is the outline
 *   radau_stages.c       the stage equations of an attempt: matrices, first guess, Newton
 *   radau_control.c      the error of an attempt, and the size and order of the next step
 *   radau_interpolate.c  between mesh points
 *   radau_substeps.c     where that is not accurate enough
 *   radau_shorten.c      a step that ends at an event
 * A step from (t, y) by h solves F(t + c_i h, y + Z_i, Y'_i) = 0, Y'_i = sum_j (A^-1)_ij Z_j / h,
 * for i = 1 .. s; the new point is y + Z_s.  The theory, with these symbols, is in
 * docs/theory/radau.md.
 * Depends on: integ/method.h, integ/radau_table.h, newton/stage_matrix.h.    */
#ifndef DAEDAL_INTEG_RADAU_H
#define DAEDAL_INTEG_RADAU_H

#include "integ/method.h"
#include "integ/radau_table.h"
#include "newton/modified_newton.h"
#include "newton/stage_matrix.h"

enum { RADAU_ITERATIONS_MAX = 15 }; /* of Newton in one attempt */

/* Where dF/dy and dF/dy' were evaluated. */
typedef enum radau_jacobian {
    JACOBIAN_OLD,    /* for an earlier step                                          */
    JACOBIAN_MIDWAY, /* in the middle of this step, on the polynomial of the last    */
    JACOBIAN_HERE    /* at (t, y)                                                    */
} radau_jacobian;

/* Whether they are evaluated again before the next attempt. */
typedef enum radau_renewal {
    RENEW_NOTHING,
    RENEW,     /* in the middle of the step, if its values can be extrapolated */
    RENEW_HERE /* at (t, y), since extrapolated values have failed             */
} radau_renewal;

/* The stage equations and Newton's iteration: radau_stages.c. */
typedef struct radau_newton {
    stage_matrix matrices;
    radau_jacobian jacobian;
    radau_renewal renewal;
    bool renew_factors;
    double h_factored; /* step size of the factors; NAN: there are none                */
    int32_t pairs_factored;
    double a_inverse_by_h[RADAU_STAGES_MAX * RADAU_STAGES_MAX]; /* A^-1 / h of the attempt */
    double h_of_inverse; /* of that h and of the number of pairs; NAN: none            */
    int32_t pairs_of_inverse;

    double tolerance;   /* of the iteration error, in units of the user's tolerance  */
    double rate;        /* theta: convergence of the last attempt, 0 unknown         */
    double eta;         /* theta / (1 - theta)                                       */
    int32_t iterations; /* of the last attempt                                       */
    double step_factor; /* by which h should change after a failed attempt           */
    double roundoff;    /* corrections of this norm are roundoff; NAN: unknown       */
    bool roundoff_is_measured;
    int32_t failures_with_new_jacobian; /* in this step                                */

    double *slopes;   /* Y'_i                                                          */
    double *defects;  /* F of the stages, transformed corrections                      */
    double *deltas;   /* corrections of the stages                                     */
    double *row_size; /* largest entry of each row of dF/dy                            */
} radau_newton;

/* The error test, and the size and order of the next step: radau_control.c. */
typedef struct radau_control {
    double *rtol, *atol;            /* as meant, see set_tolerances                    */
    double *loosening[RADAU_SIZES]; /* n each: inverse weight -> test weight           */
    double *test_weight;            /* of the error test                               */
    double *first_estimate;         /* of the error, of this attempt                   */
    double *carried;                /* roundoff in algebraic variables of y, after a step that was
                                       accepted because roundoff explains its error    */
    int64_t excused_step;           /* the number of that step, from 0                 */
    double granted;                 /* to stiff components, in tolerances              */
    double h_refused; /* step size at which stiff components failed the test last       */
    int32_t refusals; /* of this step by stiff components                               */
    double h_rejected, error_rejected; /* of the last attempt that failed the test     */
    int32_t pairs_rejected;
    int32_t attempts; /* of this step that failed the test                              */
    double t_rough;   /* up to here F is taken to have corners; NAN: it is smooth        */
    double error, error_accepted, h_accepted; /* in units of the error weights         */
    int32_t worst;           /* variable with the largest error                        */
    int32_t pairs_preferred; /* for the tolerance asked for                            */
    int32_t pairs_max;
    int32_t since_order; /* steps since the number of stages changed               */
    int32_t shrinking;   /* steps in a row made smaller by the trend of the errors */
    bool on_trial;       /* the first step after a restart, of the size before     */
} radau_control;

/* Corrections of the collocation polynomial of the last step: radau_interpolate.c. */
typedef struct radau_dense {
    double *shift;     /* what projection added at the end of the last step            */
    double *slope_gap; /* y'(t_before) less the slope of the polynomial                */
    bool gap_known;
} radau_dense;

struct radau;

/* Another instance, which takes the last step again in several: radau_substeps.c. */
typedef struct radau_side {
    struct radau *instance; /* NULL until it is needed                                  */
    double t;               /* the end of the step it is about; NAN: of none            */
    int32_t parts;          /* into which that step is divided                          */
    bool failed;            /* a substep of it                                          */
    double peak;            /* the largest defect in the step to peak_t of size peak_h  */
    double peak_t, peak_h;
} radau_side;

typedef struct radau {
    integ_context in;
    int32_t n, stride; /* stride: n rounded up to even, from stage to stage            */
    bool has_algebraic, has_high_index, has_multipliers; /* variables without y' in F, of
                                                             index 2 and more, of index 3 */
    radau_newton newton;
    radau_control control;
    radau_dense dense;
    radau_side side;

    double t, t_before;
    double h, h_last;             /* signed: of the next and of the last step             */
    double h_prev;                /* of the step before the last one                      */
    int32_t pairs, pairs_last;    /* 2 pairs + 1 stages in the next and in the last step: the
                                     complex pairs of eigenvalues of A                    */
    int64_t steps_done;           /* since begin                                          */
    double *y, *yp;               /* at t: what the outside sees                          */
    double *y_before, *yp_before; /* at t_before                                       */
    double *z[2];                 /* stages of the attempt and of the last step, in turn  */
    int32_t now;                  /* z[now] is the attempt                                */
    double *inverse_weight;       /* 1 / (rtol |y| + atol): Newton, projection            */
    double *point, *err, *work;   /* y + Z_i; the error estimate; work space             */
    block mem;
} radau;

static inline const radau_table *radau_now(const radau *r)
{
    return radau_table_of(r->pairs);
}

/* The order 2 s - 1 of the method with s = 2 pairs + 1 stages. */
static inline int32_t radau_order(int32_t pairs)
{
    return 4 * pairs + 1;
}

/* The part of an array of the attempt's stages that belongs to the last one, the end of the step.
 */
static inline double *radau_last(const radau *r, double *stages)
{
    return stages + 2 * r->pairs * r->stride;
}

/* The engine, radau_step.c. */
daedal_status radau_step(void *self, double t_limit);
/* The interpolant, radau_interpolate.c. */
void radau_interpolate(void *self, double t, double *y, double *yp);
/* The beginning of the last step and its stages, if these are three or more. */
bool radau_stage(const void *self, int32_t i, integ_stage *to);

/* How far interpolation may be off at t, and more accurate values; radau_substeps.c. */
double radau_interpolation_error(void *self, double t, bool of_algebraic);
daedal_status radau_step_inside(void *self, double t, double *y, double *yp, bool *done);
/* A step that ends at t instead of the last one; radau_shorten.c. */
daedal_status radau_shorten_step(void *self, double t, bool *done);
/* Exchange the two ends of the last step, so that the run stands at its beginning or at its end. */
void radau_turn_round(radau *r);
/* All values of another instance but its factors; radau.c. */
void radau_copy_values(radau *r, const radau *other);
/* Set slope_gap to y'(t_before) minus the slope of the polynomial there.  For a variable without
 * y' in F it is the share of this difference that the last step has caused.      */
void radau_find_gap(radau *r);
double radau_wave_share(double h, double h_prev, int32_t s);

/* The stage equations, radau_stages.c.
 * Matrices for h and `pairs`, renewed as asked. */
newton_outcome radau_prepare(radau *r);
/* Compute the complex factors of a copy.  The caller is responsible for the real ones. */
void radau_copy_factors(radau *r);
/* First values of z[now]. */
void radau_guess(radau *r);
/* Solve the stage equations of a step to t_new.  z[now] is the first guess and becomes the
 * solution. Sets rate, iterations and, on failure, step_factor. */
newton_outcome radau_solve(radau *r, double t_new);

/* Accept z[now] as the last step and move its end onto the constraints; radau_step.c.  *far is true
 * if the constraints are too far away; nothing has changed then.                    */
daedal_status radau_land(radau *r, double t_new, bool *far);

/* Set control.error; radau_control.c.  The attempt is doubtful if it is the first of the run or
 * follows a rejection: a large estimate is then filtered once more. */
newton_outcome radau_estimate(radau *r, bool doubtful);
/* The factor by which h should change, from the error just estimated. */
double radau_error_factor(const radau *r);
/* Note that an attempt failed the error test, and whether this points to corners of F
 * (docs/theory/radau.md). */
void radau_note_rejection(radau *r);
/* After acceptance, choose h, the number of stages and the matrices of the next step.  troubled
 * tells that an attempt of this step was rejected, slow that Newton's iteration was the reason. */
void radau_choose_next(radau *r, bool troubled, bool slow);
void radau_weigh(radau *r);
#endif
