/* boundary/collocation.h - a boundary value problem on a mesh, by projected Gauss collocation.
 *
 * Responsibility: the equations of the collocation polynomials on all intervals together
 * (collocation_equations.c), their solution by Newton's iteration, and values anywhere
 * (collocation.c).
 *
 * x are the unknowns whose derivatives occur, z the others.  On each interval x is a polynomial of
 * degree s and z one of degree s - 1, which satisfy F at the s Gauss points; x is continuous but
 * for the projection: at the end of each interval x is moved until the constraints hold
 * ([AP91]; [HW96] VII.2 (2.8)).  Depends on: boundary/gauss_table.h, emitted_matrix.h, newton/. */
#ifndef DAEDAL_BOUNDARY_COLLOCATION_H
#define DAEDAL_BOUNDARY_COLLOCATION_H

#include "boundary/conditions.h"
#include "boundary/emitted_matrix.h"
#include "boundary/gauss_table.h"
#include "newton/iteration_matrix.h"

/* Where the constraints come from that x satisfies at mesh points. */
typedef enum mesh_constraints {
    MESH_FREE,   /* there are none: the index is one at most                               */
    MESH_GIVEN,  /* invariants of the system: x is moved along dg/dx'                      */
    MESH_OF_ROWS /* index two in Hessenberg's form: rows of F, x is moved along dF/dz       */
} mesh_constraints;

/* What is solved, whatever the mesh; the arrays belong to form.c. */
typedef struct collocation_problem {
    const daedal_system *sys;
    const daedal_allocator *allocator;
    evaluator *ev;
    iteration_matrix *parts; /* dF/dy and dF/dy' at a point                                */
    int32_t n, nx, nz;
    const int32_t *place;       /* by unknown: its number among x, or -1 - that among z      */
    const int32_t *x_of, *z_of; /* by these numbers: the unknown                            */
    mesh_constraints kind;
    int32_t m;                    /* constraints                                          */
    const int32_t *constraint_of; /* by row of F: the number of the constraint, or -1     */
    const int32_t *slope_row_of;  /* by row of F: its number among those with y', or -1   */
    const int32_t *pushed_of;     /* by unknown: number of the constraint that it belongs to */
    boundary_conditions *conditions;
    int32_t n_fixed; /* conditions rows (x(a) - at) = 0 in the place of constraints at the start */
    const double *fixed_rows, *fixed_at; /* n_fixed x nx by rows; nx                         */
    const double *rtol, *atol;           /* n each                                           */
    int64_t *iterations;                 /* counted                                          */
    daedal_diagnosis *why;
} collocation_problem;

typedef struct collocation {
    const collocation_problem *p;
    const gauss_table *g;
    int32_t n_intervals;
    int32_t stride;      /* unknowns of an interval with the mesh point at its end            */
    int32_t point_base;  /* unknowns before those of the points of the conditions             */
    int32_t size;        /* unknowns                                                          */
    double *t;           /* mesh points, n_intervals + 1                                      */
    int32_t *point_node; /* by point of the conditions: its mesh point                        */
    double *u;           /* the unknowns                                                      */
    double *trial, *r, *step, *inverse_weight;
    double *y, *yp, *row; /* n each: work                                                */
    double *largest;      /* n: max |y| over the mesh                                    */
    double *inverse_size; /* n: of the tolerances                                        */
    double *point_y;      /* n_points n: values where the conditions read them           */
    double *slopes;       /* of the conditions                                           */
    double *node_slopes;  /* by mesh point: slopes of the constraints and directions of moves */
    size_t node_width;    /* entries of each                                             */
    const double *probe;  /* in the place of these slopes, for any conditions; or NULL         */
    bool *reads;          /* by entry of `slopes`: it was not zero yet                         */
    bool has_matrix, has_new_entries, no_memory;
    int answer; /* of the last callback that did not answer OK                                */
    emitted_matrix matrix;
    bool is_near;     /* corrections are small: directions of moves are kept                   */
    bool was_near;    /* this correction is                                                    */
    bool is_singular; /* the matrix of the last iteration                                      */
    double left;      /* the correction that was left, in tolerances                           */
    double damping;   /* the least share of a step of the last iteration                       */
    block mem;
} collocation;

/* A mesh: t is copied.  Each point of the conditions is a mesh point.  false: out of memory;
 * collocation_free in any case.                                                  */
bool collocation_create(collocation *c, const collocation_problem *p, const gauss_table *g,
                        const double *t, int32_t n_intervals);
void collocation_free(collocation *c);

/* Where unknowns stand in u. */
static inline int32_t collocation_node(const collocation *c, int32_t i)
{
    return i == 0 ? 0 : c->p->nx + (i - 1) * c->stride + c->g->s * c->p->n;
}
static inline int32_t collocation_stage(const collocation *c, int32_t i, int32_t j)
{
    return c->p->nx + i * c->stride + j * c->p->n;
}

/* Begin from values y and y' as functions of time. */
typedef void collocation_guess_fn(double t, double *y, double *yp, void *user);
void collocation_guess(collocation *c, collocation_guess_fn *guess, void *user);

/* Solve.  DAEDAL_OK; DAEDAL_ERR_NEWTON: no convergence; DAEDAL_ERR_SINGULAR: the matrix is
 * singular; DAEDAL_STOPPED or a failure of a callback.  Without words.            */
daedal_status collocation_solve(collocation *c);

/* The matrix at u, factored. */
daedal_status collocation_linearize(collocation *c);
/* y and y' (either may be NULL) anywhere; of y' the entries of z are zero. */
void collocation_at(const collocation *c, double t, double *y, double *yp);
/* With values of the unknowns v in the place of u, at mesh point i: n values. */
void collocation_node_values(const collocation *c, const double *v, int32_t i, double *y);
int32_t collocation_interval(const collocation *c, double t); /* that contains t */

/* ---- collocation_equations.c ---- */

/* r = residuals at u.  A daedal_answer. */
int collocation_residual(collocation *c, const double *u, double *r);
/* Derivatives at u into the matrix.  A daedal_answer. */
int collocation_evaluate_matrix(collocation *c);
/* The directions in which x is moved onto the constraints, at u.  A daedal_answer. */
int collocation_renew_directions(collocation *c);
emission_fn collocation_emit; /* of a collocation, as `self` */
/* Values at the points of the conditions, into c->point_y, from unknowns v. */
void collocation_read_points(collocation *c, const double *v);
/* Error weights of the unknowns from the sizes of u. */
void collocation_weigh(collocation *c);
#endif
