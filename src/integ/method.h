/* integ/method.h - what an integration method is.
 *
 * Responsibility: the interface between a run (src/solver) and the methods, and the
 * table of methods.  How to add one: ARCHITECTURE.md, "Where does a new thing go?".
 * Depends on: newton/, base/.                                                */
#ifndef DAEDAL_INTEG_METHOD_H
#define DAEDAL_INTEG_METHOD_H

#include "base/choices.h"
#include "integ/projection.h"
#include "integ/weights.h"
#include "newton/iteration_matrix.h"

/* How a method approaches a time that it must not pass.  The last step may be longer by the share
 * `stretch`.  A limit less than `ahead` steps away is reached in two equal steps, so that no very
 * short step is left before it. */
typedef struct step_arrival {
    double stretch, ahead;
} step_arrival;

/* What every method is given; owned by the run, outlives the method. */
typedef struct integ_context {
    evaluator *ev;
    iteration_matrix *matrix;
    weights *tolerances;
    const daedal_options *options; /* as asked for                                   */
    int32_t method;                /* in effect, which the option `auto` leaves open */
    int32_t constraint_method;     /* in effect                                      */
    const step_arrival *arrival;   /* or NULL: the manner of the method              */
    const bool *is_differential;   /* n */
    const int32_t *variable_index; /* n: 0 differential, 1 algebraic, more as the user says */
    projection *constraints;       /* without levels: none */
    daedal_stats *stats;
    struct limiters *limiters; /* or NULL: what limits the step is not counted (limiters.h) */
    daedal_diagnosis *why;
    const daedal_allocator *allocator;
} integ_context;

/* Where a method begins: consistent values, a direction, a time scale. */
typedef struct integ_begin {
    double t;
    const double *y, *yp;
    double h_before;     /* size of the steps before a restart, for a trial; 0: none  */
    double direction;    /* +1 or -1                                                 */
    double span;         /* |t_end - t| if known, else 0                             */
    bool keeps_matrices; /* F has the same derivatives as before: old factors may serve  */
    double radius;       /* of explicit methods: of dy'/dy, about; 0: unknown              */
} integ_begin;

/* Where a method stands after its last accepted step. */
typedef struct integ_view {
    double t, t_before;   /* the last step went from t_before to t                */
    const double *y, *yp; /* at t                                                 */
    double h_next;        /* the step it would take next                          */
    int32_t order;
    int32_t worst;    /* variable with the largest error in the last attempt  */
    bool is_stiff;    /* of explicit methods: stability has limited many steps */
    bool is_iterated; /* and: y' is found from F by iteration only */
    bool is_smooth;   /* and: many steps were far shorter than the solution needs them */
    bool is_doubtful; /* and: the last step may contain a corner that its error does not show */
} integ_view;

/* A point of a quadrature over the last step. */
typedef struct integ_stage {
    double t, weight; /* the latter of a step of length one                                */
    double error[2];  /* weights in the one or two estimates of the error                  */
    double *y;        /* n, and one more if n is odd: receives the values there, unless all
                         three weights are 0                                               */
    double *yp;       /* n: of implicit methods, y' there; or NULL                         */
} integ_stage;

/* Algebraic variables that are corrected afterwards may be off by a hundred tolerances. */
#define CORRECTED_SHARE 0.01

typedef struct method {
    const char *name;
    /* Create an instance; after a failure nothing is left. */
    daedal_status (*create)(void **self, const integ_context *context);
    void (*destroy)(void *self);
    /* Make *self equal to another instance of the same set-up. */
    void (*copy)(void *self, const void *from);
    void (*begin)(void *self, const integ_begin *from);
    /* One accepted step that does not pass t_limit; lands on it exactly if it comes
     * within roundoff.  It ends inside the bounds of the system and on the constraints, as
     * far as they are to be met by projection, and is counted in the statistics, as are the
     * attempts that were rejected.  On failure the last state stays as it was.   */
    daedal_status (*step)(void *self, double t_limit);
    /* y and y' (either may be NULL) inside the last step, continuous up to y'.  */
    void (*interpolate)(void *self, double t, double *y, double *yp);
    integ_view (*view)(const void *self);
    /* The pattern of the iteration matrix has changed; its values are evaluated again in the next
     * step.  NULL for methods that keep no matrices of this pattern. */
    daedal_status (*use_pattern)(void *self);
    /* For methods whose dense output is less accurate than their steps, else all NULL.  The first
     * estimates its error at t, in units of the tolerance; the second gives y and y' as a step that
     * ends at t, inside the last one, would, which stays as it is; the third replaces the last step
     * by that one, and may be missing.  If it cannot be taken nothing changes, and *done is false.
     */
    double (*interpolation_error)(void *self, double t, bool of_algebraic);
    daedal_status (*step_inside)(void *self, double t, double *y, double *yp, bool *done);
    daedal_status (*shorten_step)(void *self, double t, bool *done);
    /* y at t, inside the last step, moved onto all constraints, where a method knows of more than F
     * shows; else NULL.  A daedal_answer; y stays as it is unless that is OK.          */
    int (*correct)(void *self, double t, double *y);
    /* The error of y by noise in the derivatives of F, in tolerances, and the variable in which it
     * is largest; or NULL. */
    double (*blur)(const void *self, int32_t *variable);
    /* Whether the dense output of algebraic variables and of y' is less accurate than that of y,
     * or has no error estimate.  At output points they are then corrected by the equations. */
    bool algebraic_is_rough;
    /* Replace the y' of the dense output by the one that belongs to y at t, inside the last step;
     * or NULL. Where none is found yp does not change. */
    void (*correct_slopes)(void *self, double t, const double *y, double *yp);
    /* Stage i of the last step of a method whose stages integrate functions of y along the step
     * with the order of the method; false: there are no more.  Those of an implicit method satisfy
     * the equations, begin with the beginning of the step and end with its end.  Or NULL.  */
    bool (*stage)(const void *self, int32_t i, integ_stage *to);
} method;

/* The method with this number of the option `method` (auto: the default one). */
const method *method_choose(int32_t wanted);

enum { ARRAY_UNKNOWNS_MAX = 60, ARRAY_HIGHEST_INDEX = 6 }; /* of the method `array` */

/* The highest index that a method can integrate with this choice of the option `error_test`.  The
 * method is named by its number in the option `method`. */
int32_t method_highest_index(int32_t wanted, int32_t error_test);

extern const method method_bdf;         /* integ/bdf.c */
extern const method method_bdf_classic; /* integ/bdf.c */
extern const method method_radau;       /* integ/radau.c */
extern const method method_rodas;       /* integ/rodas.c */
extern const method method_limex;       /* integ/limex.c */
extern const method method_dopri;       /* integ/dopri.c */
extern const method method_rattle;      /* integ/rattle.c */
extern const method method_array;       /* arrays/method_array.c */
#endif
