/* newton/inexact_solve.h - the iteration matrix solved with by GMRES instead of factors.
 *
 * Responsibility: products of c dF/dy' + dF/dy with a vector (by differences of F, by the user's
 * function, or from the values of the iteration matrix), the preconditioner, and the decision that
 * the iteration does not work, so that a direct solver has to take over.  Part of iteration_matrix,
 * which owns it; everybody else calls the functions of iteration_matrix.h.
 * Depends on: krylov/, newton/iteration_matrix.h.                               */
#ifndef DAEDAL_NEWTON_INEXACT_SOLVE_H
#define DAEDAL_NEWTON_INEXACT_SOLVE_H

#include "krylov/gmres.h"
#include "krylov/preconditioner.h"
#include "newton/iteration_matrix.h"

typedef struct inexact_solve {
    inexact_settings settings;
    gmres *space;
    preconditioner *step;       /* of c dF/dy' + dF/dy                                        */
    preconditioner *mixed;      /* of a matrix of the start, where `step` is not made from values */
    preconditioner *used;       /* the one that was set up last                               */
    bool is_weak;               /* the preconditioner may be far from the matrix              */
    int32_t strikes;            /* weights of failures since Newton's iteration succeeded     */
    double usual;               /* iterations of a solve soon after the last set-up           */
    double recent;              /* iterations of a solve, smoothed                            */
    int32_t solves;             /* since the last set-up                                      */
    bool is_given_up;           /* the next matrix is factored */
    double mean;                /* iterations of a solve, over many */
    int32_t n_mean;             /* solves that it is made of, up to a limit */
    double t;                   /* where the parts of the matrix were evaluated           */
    double *y_there, *yp_there; /* ..., for the user's preconditioner                    */
    double *f_there;            /* ..., F there, without entries of the matrix            */
    bool f_is_known;
    bool product_failed;     /* the user's product of the Jacobian, when it was called last    */
    double *inverse_weight;  /* n: of the last evaluation                              */
    const matrix_linear *at; /* of the solve under way; NULL: the values are the matrix */
    double *y, *yp, *base;   /* n: moved arguments of F, F where it is linearised       */
    block mem;
    const daedal_allocator *allocator;
} inexact_solve;

/* DAEDAL_OK, DAEDAL_ERR_MEMORY, DAEDAL_ERR_SINGULAR (structurally). */
daedal_status inexact_solve_create(inexact_solve **made, const iteration_matrix *m,
                                   const inexact_settings *settings, const daedal_allocator *a);
void inexact_solve_free(inexact_solve *x); /* accepts NULL */

/* What is known, into one with the same settings; not the preconditioner. */
void inexact_solve_copy(inexact_solve *to, const inexact_solve *from);

/* Remember where the parts were evaluated. */
void inexact_solve_note_point(inexact_solve *x, const matrix_point *at);

/* Set up the preconditioner from m->values.  is_mixed: they are no c dF/dy' + dF/dy. */
daedal_status inexact_solve_setup(iteration_matrix *m, double c, bool is_mixed);

/* b := A^-1 b, A as m->values has it (then b stays as it was where that fails), or as `at` says. */
matrix_outcome inexact_solve_by_values(iteration_matrix *m, double relative, double absolute,
                                       double *b);
matrix_outcome inexact_solve_at(iteration_matrix *m, const matrix_linear *at, double *b);

/* Whether solves take more iterations than soon after the set-up. */
bool inexact_solve_is_worse(const inexact_solve *x);
/* A solve with a new preconditioner failed, or Newton's iteration did, which may have another
 * cause: whether to give up.                                                            */
bool inexact_solve_is_hopeless(iteration_matrix *m, bool of_newton);

/* Whether there is a preconditioner at all, so that P^-1 b has the units of A^-1 b. */
bool inexact_solve_resembles(const inexact_solve *x);

/* Whether factors are expected to be cheaper than the iterations it takes. */
bool inexact_solve_is_too_slow(const iteration_matrix *m);

/* out = dF/dy u + dF/dy' v where the parts were evaluated, for a matrix without entries; u and v
 * are of the size of a tolerance.  A daedal_answer.                                */
int inexact_solve_direction(const iteration_matrix *m, const double *u, const double *v,
                            double *out);

/* b := P^-1 b.  False: it failed. */
bool inexact_solve_precondition(iteration_matrix *m, double *b);
#endif
