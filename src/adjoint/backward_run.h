/* adjoint/backward_run.h - the gradient of a functional from the end of a run to its beginning.
 *
 * Responsibility: the tolerances of the adjoint variables, their end values, a run of the adjoint
 * equations through all parts of the recorded solution, and the integrals along it.
 * Depends on: adjoint/backward_equations.h, adjoint/end_values.h, adjoint/forward_solution.h. */
#ifndef DAEDAL_ADJOINT_BACKWARD_RUN_H
#define DAEDAL_ADJOINT_BACKWARD_RUN_H

#include "adjoint/backward_equations.h"
#include "adjoint/end_values.h"
#include "adjoint/forward_solution.h"
#include "adjoint/quadrature.h"

struct backward_run;
/* The unknowns x behind an event at the beginning of a part become those before it.  A failure is
 * explained in *b->why.                                                           */
typedef daedal_status event_passage_fn(struct backward_run *b, size_t part, void *user);

/* Integrals over a part of a step backward, one for each parameter (parameter_sums.c). */
typedef struct parameter_sums {
    double *value;     /* of the part                                       */
    double *error[2];  /* estimates of its error                            */
    double *magnitude; /* of the absolute values, of the part               */
    double *size;      /* the same of all parts before                      */
} parameter_sums;

typedef struct backward_run {
    const daedal_system *sys;      /* F with its parameters                              */
    const daedal_options *options; /* of the forward run                                 */
    const run *of;                 /* the run that was recorded                          */
    forward_solution *forward;
    functional *g;
    bool is_hessenberg;     /* of index two, which is expected and checked                  */
    bool corners_are_known; /* the parts end where the equations change                     */
    event_passage_fn *pass; /* at the beginning of each part but the first; NULL: no events */
    void *pass_user;
    daedal_diagnosis *why;

    coefficients c;
    backward_equations equations;
    end_values end;
    daedal_solver *solver;
    daedal_stats stats;  /* of the backward run, as far as it was successful        */
    double tolerance;    /* relative                                                */
    double *rtol, *atol; /* 2 n each: of the unknowns                               */
    double *atol_mu;     /* n: of each mu, by column                                */
    double *weight;      /* n: 1 / atol of lambda                                   */
    double *x, *xp;      /* 2 n each: unknowns                                      */
    double *moved;       /* 2 n: y and y' beside the solution                       */
    double *end_by_y;    /* n: dh/dy                                                */
    double *by_start;    /* n: A' lambda at the beginning                           */
    double *by_p;        /* n_parameters: the gradient, without what the start adds */
    double *terms[2];    /* n_parameters each                                       */
    double total;        /* size of the functional                                  */
    struct {
        double sum; /* of lambda' F along the recorded solution              */
        bool is_unknown;
    } inherited;
    parameter_sums sums;
    block mem;
} backward_run;

daedal_status backward_create(backward_run *b);
void backward_free(backward_run *b);
/* by_start and by_p.  A failure is explained in *b->why. */
daedal_status backward_go(backward_run *b);
/* Equations and coefficients are those of a part of the solution from now on. */
void backward_enter(backward_run *b, size_t part);
daedal_status backward_complain(backward_run *b, const char *what, double t);

/* ---- hessenberg_end.c ---- */

/* lambda and eta at the end t, where the coefficients are, and what Z adds to by_p. */
daedal_status backward_find_hessenberg(backward_run *b, double t);

/* ---- parameter_sums.c ---- */

/* Add the integral of g_p - lambda' F_p over the last step of the solver to by_p. */
daedal_status backward_add_step(backward_run *b);

/* The end of the next piece on the way from t to t_low, backward, that lies in one step forward. */
double backward_next_mesh(backward_run *b, double t, double t_low);

/* ---- inherited_error.c ---- */

/* Count the defect of the recorded solution over the last step of the solver. */
void backward_add_defect(backward_run *b);
/* A warning, if the errors of the states move the functional by several tolerances. */
bool backward_describe_inherited(const backward_run *b, char *text, size_t room);

/* ---- tolerances.c ---- */

/* What counts as small in lambda and mu: an error that changes the functional by the tolerance. */
daedal_status backward_set_tolerances(backward_run *b);

/* ---- functional_sum.c ---- */

/* The integral of the integrand along a run, for forward_solution.step. */
typedef struct functional_sum {
    const functional *g;
    double tolerance;   /* relative */
    double value, size; /* of the absolute value, the latter */
    double *y;          /* n      */
    bool is_bad;        /* the integrand had no value, at t_bad */
    double t_bad;
} functional_sum;
forward_step_fn functional_add_step;
#endif
