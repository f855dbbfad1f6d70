/* newton/iteration_matrix.h - the matrix c dF/dy' + dF/dy and its factors.
 *
 * Responsibility: evaluate the two parts (by the user's Jacobian, or by coloured
 * differences) and keep them apart, so that a new c needs a factorization but no
 * new Jacobian; factor and solve through the linear-solver vtable.
 * Depends on: newton/evaluator.h, linalg/.                                   */
#ifndef DAEDAL_NEWTON_ITERATION_MATRIX_H
#define DAEDAL_NEWTON_ITERATION_MATRIX_H

#include "linalg/colouring.h"
#include "newton/evaluator.h"

/* Where the parts are evaluated. */
typedef struct matrix_point {
    double t, h; /* h scales the increments of differences and the c of Jacobian calls */
    const double *y, *yp;
    const double *residual; /* F there, or NULL: evaluated when differences need it */
    const double *inverse_weight;
} matrix_point;

typedef struct iteration_matrix {
    evaluator *ev;
    pattern pattern;     /* of both parts together                                */
    pattern part[2];     /* of dF/dy and of dF/dy' alone                          */
    int32_t *part_at[2]; /* where their entries stand in `pattern`                */
    double *dy, *dyp;    /* values of dF/dy and dF/dy' in the order of `pattern`  */
    double *values;      /* what was factored                                     */
    double c;            /* of the factorization; NAN if there is none            */
    double factor_price; /* of the last factorization, in solves                  */

    int32_t n_dyp; /* entries of dF/dy' that are not zero: E v without the zeros    */
    int32_t *dyp_at, *dyp_row, *dyp_col;
    bool dyp_is_diagonal; /* they stand on the diagonal                              */

    bool by_differences; /* even where the user gave a Jacobian                     */
    colouring colours;   /* of the columns to be differenced; empty if there are none */
    double *given;       /* values as a callback delivers them                        */
    double *growth;      /* 2 n: by how much an increment has grown in this evaluation */
    bool *settled;       /* 2 n: a column that has been moved as far as it may        */
    double *useful;      /* 2 n: the move that brought its last entry into sight      */
    int32_t *missing;    /* 2 n: entries not seen yet in this evaluation              */
    bool *known[2];      /* entries of each part that have been seen                  */
    double largest;      /* max |y| where differences are taken                       */
    double *least_move;  /* n: of y, that roundoff in the terms of F does not hide; 0: unknown */
    double *y, *yp, *r, *r0;
    double *increment; /* 2 n: of y, and of y' times h                                */
    bool in_step;      /* the Jacobian serves a step of a method, not a start                */
    struct missing_entries *watch; /* for entries that the patterns lack; NULL: they are complete */

    const daedal_linsolver *solver; /* direct; with `inexact` made only where that fails      */
    void *factors;
    int32_t repeats; /* equal blocks on the diagonal: the factors are those of the first    */
    void *whole;     /* factors where the blocks are not equal, or NULL                    */
    bool is_whole;   /* and they are those of the matrix at hand                           */
    struct inexact_solve *inexact; /* GMRES in place of factors, or NULL                      */
    bool is_bypassed;              /* the matrix under way is factored although there is GMRES */
    bool is_too_slow;              /* GMRES was given up because it took too many iterations   */
    block mem;
} iteration_matrix;

/* How GMRES is to solve: the options of these names. */
typedef struct inexact_settings {
    int32_t n;    /* unknowns; set by matrix_create */
    bool is_free; /* the matrix has no entries; likewise */
    int32_t preconditioner, preconditioner_width, krylov_product;
    int32_t krylov_length, krylov_restarts, krylov_keep;
    double krylov_tolerance;
    const daedal_preconditioner *own_preconditioner;
    double
        iterations_worth; /* of a solve by factors: more, on average, and these take over; 0: any */
} inexact_settings;

/* A Newton iteration's linear system: F linearised at (t, y, yp), for the unknown e in y + e and
 * yp + c e.                                                                      */
typedef struct matrix_linear {
    double t, c;
    const double *y, *yp;
    const double *inverse_weight;
    double tolerance; /* of the Newton iteration, in weights                       */
    const bool *held; /* n, or NULL: where it is set, e moves yp alone, elsewhere y alone */
} matrix_linear;

typedef enum matrix_outcome {
    MATRIX_SOLVED,
    MATRIX_SLOW, /* no convergence; b is the best that was found                    */
    MATRIX_RETRY,
    MATRIX_STOP,
    MATRIX_FAIL, /* a callback answered so, or gave what is not finite (RETRY)      */
    MATRIX_MEMORY
} matrix_outcome;

/* Set up for one system.  dy and dyp are the patterns of the two parts (the same
 * one twice where the user gave one for both).  Call matrix_free after a failure
 * too.  by_differences ignores the user's Jacobian: for comparing with it.      */
typedef struct matrix_setup {
    evaluator *ev;
    const daedal_pattern *dy, *dyp;
    bool patterns_stay; /* they live longer than the matrix, which need not copy them */
    const daedal_linsolver *solver;
    const daedal_allocator *allocator;
    bool by_differences;
    bool is_watched; /* the patterns may lack entries: watch for these in differences */
    int32_t repeats; /* of one block on the diagonal, of which the matrix consists; 0: one  */
    const inexact_settings *inexact;     /* solve by GMRES; NULL: by factors */
    struct linsolver_forecast *forecast; /* for the choice of the solver, or NULL */
} matrix_setup;

/* The pattern of the first of several equal blocks; it borrows the given one. */
daedal_pattern matrix_first_block(const daedal_pattern *p, int32_t repeats);
daedal_status matrix_create(iteration_matrix *m, const matrix_setup *setup);
void matrix_free(iteration_matrix *m);
/* Same set-up.  false: the factors could not be copied, and c is NAN. */
bool matrix_copy(iteration_matrix *to, const iteration_matrix *from);
/* Factorizations remember earlier ones; a run that begins shall not depend on the last. */
void matrix_forget(iteration_matrix *m);

/* A daedal_answer.  Leaves the factors of the old values in place. */
int matrix_evaluate(iteration_matrix *m, const matrix_point *at);
/* The parts are in dy and dyp already. */
void matrix_take_parts(iteration_matrix *m);

/* Factor c dF/dy' + dF/dy.  DAEDAL_OK, DAEDAL_ERR_SINGULAR or DAEDAL_ERR_MEMORY. */
daedal_status matrix_factor(iteration_matrix *m, double c);
/* Solve by GMRES to eight digits; where that fails, by factors. */
void matrix_solve(iteration_matrix *m, double *b);

/* Solve with factors for `count` vectors one behind the other; false: there are no factors. */
bool matrix_solve_many(iteration_matrix *m, double *b, int32_t count);
/* Solve with the first of several equal blocks; false: there are no factors of it. */
bool matrix_solve_first_block(iteration_matrix *m, double *b);

/* Whether the matrix has no entries, because the system is spread over ranks: products are
 * differences of F, and patterns are empty.                                       */
static inline bool matrix_is_free(const iteration_matrix *m)
{
    return m->ev->space.parallel != NULL;
}
/* Whether the matrix is solved with by GMRES.  Then matrix_factor sets up the preconditioner only,
 * and m->c is that of the preconditioner.                                        */
bool matrix_is_iterative(const iteration_matrix *m);
/* With the matrix that belongs to `at`: exactly as far as the iteration needs.  With factors: as
 * matrix_solve, whatever `at` says.  b is F there.                               */
matrix_outcome matrix_solve_at(iteration_matrix *m, const matrix_linear *at, double *b);
/* The preconditioner applied once, or a solve with factors: for estimates of errors. */
void matrix_solve_roughly(iteration_matrix *m, double *b);
/* To this relative accuracy; and to that or an absolute one, in the weights of the last evaluation,
 * whichever is reached first.                                                    */
void matrix_solve_to(iteration_matrix *m, double relative, double *b);
void matrix_solve_within(iteration_matrix *m, double relative, double absolute, double *b);
/* b := P^-1 b, P the preconditioner or the factors at hand; a daedal_answer. */
int matrix_precondition(iteration_matrix *m, double *b);
/* Whether old parts make the preconditioner worse than it was at first. */
bool matrix_wants_new_parts(const iteration_matrix *m);
/* "gmres", or the name of the direct solver; and of the preconditioner, or NULL. */
const char *matrix_solver_name(const iteration_matrix *m);
const char *matrix_preconditioner_name(const iteration_matrix *m);
/* GMRES, or Newton's iteration with it, failed with a new preconditioner: perhaps factors take its
 * place for good; counted.                                                       */
void matrix_note_failure(iteration_matrix *m, bool of_newton);
/* Newton's iteration succeeded: the same, if GMRES took too many iterations all the time. */
void matrix_note_success(iteration_matrix *m);
/* GMRES is not to be used from the next matrix on; counted. */
void matrix_give_up(iteration_matrix *m);
/* Use factors from now on. */
void matrix_use_factors(iteration_matrix *m);
/* Whether GMRES has the present derivatives of F, not those of the last evaluation. */
bool matrix_is_current(const iteration_matrix *m);
/* The settings of GMRES for a second matrix of the same system, or NULL. */
const inexact_settings *matrix_inexact_settings(const iteration_matrix *m);

/* Factor the matrix whose column j is share_y[j] times that of dF/dy plus share_yp[j]
 * times that of dF/dy': a start solves for some y and some y'.                  */
daedal_status matrix_factor_mixed(iteration_matrix *m, const double *share_y,
                                  const double *share_yp);

/* An estimate of the condition of the matrix factored, rows and columns scaled. */
double matrix_condition(iteration_matrix *m);

/* Whether the matrix is singular but for roundoff, although it could be factored. */
bool matrix_is_nearly_singular(iteration_matrix *m);

/* The column that had no pivot in the last factorization, or -1. */
int32_t matrix_blame(const iteration_matrix *m);

/* Roundoff in the terms of F: out_i is about u sum_j |dF_i/dy_j y_j| + |dF_i/dy'_j yp_j|,
 * with signs and sizes that look random, so that no sum of equations cancels it.  */
void matrix_term_noise(const iteration_matrix *m, const double *y, const double *yp, double *out);

/* The change of each row of F that belongs to a change of y by its weights in a time h. */
void matrix_scale_rows(const iteration_matrix *m, const double *inverse_weight, double h,
                       double *scale);

/* What roundoff in F does to y: the inverse of the matrix applied to matrix_term_noise, or, without
 * entries, a bound.                                                               */
void matrix_noise(iteration_matrix *m, const double *y, const double *yp, double *out);
/* Adds what the roundoff of t does to the solution of F(t, y, y') = 0: where t is large, F at two
 * neighbouring numbers may differ by more than the tolerances.                  */
void matrix_add_noise_of_time(iteration_matrix *m, double t, const double *y, const double *yp,
                              double *out);

/* out = dF/dy' v */
void matrix_times_dyp(const iteration_matrix *m, const double *v, double *out);

/* Whether no row and no column of dF/dy', as evaluated last, has two entries that are not zero; row
 * and column: room for n numbers each.                                             */
bool matrix_slopes_are_single(const iteration_matrix *m, double *row, double *column);

/* Whether dF/dy' is found by differences, so that it has about six digits only. */
bool matrix_slopes_are_differenced(const iteration_matrix *m);

/* Residual calls one evaluation costs (user Jacobian: an equivalent of three). */
int32_t matrix_price(const iteration_matrix *m);
#endif
