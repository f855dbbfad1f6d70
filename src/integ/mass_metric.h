/* integ/mass_metric.h - projection on constraints in the metric of the mass matrix.
 *
 * Responsibility: positions and velocities are moved onto the constraints by as little as possible
 * in the norm of M, that is along M^-1 G', as forces of the constraints would ([HW96] VII.2 (2.10),
 * (2.11)). Neither M nor G need be known by name: with the equations of motion
 * (integ/mechanical_form.h) the move solves W delta = -g in the rows g'' = 0 and 0 in all others, W
 * = dF/d(v', algebraic variables), because M delta + G' mu = 0 and G delta = -g then. Depends on:
 * integ/mechanical_form.h.                                          */
#ifndef DAEDAL_INTEG_MASS_METRIC_H
#define DAEDAL_INTEG_MASS_METRIC_H

#include "integ/mechanical_form.h"

typedef struct mass_metric {
    mechanical_form form;
    iteration_matrix matrix; /* own: that of the steps is left alone */
    mechanical_rule *rule;   /* by constraint                        */
    bool *of_positions;      /* likewise                             */
    double *share_y, *share_yp, *delta, *yp;
    int32_t n;
    int32_t nnz; /* of dF/dy, when it was made */
    block mem;
} mass_metric;

/* Recognise the form; DAEDAL_ERR_ARGUMENT with the reason in in->why if there is none. */
daedal_status mass_metric_create(mass_metric *m, const integ_context *in, double t,
                                 const double *y);
void mass_metric_free(mass_metric *m);
/* The same for a copy of the system, which finds nothing anew; NULL: out of memory. */
mass_metric *mass_metric_copy(const mass_metric *from, evaluator *ev, const daedal_allocator *a);

/* The same once, and again where the pattern of F has changed, for in->constraints. */
daedal_status mass_metric_provide(const integ_context *in, double t, const double *y);

/* The directions at y; false: there are none. */
bool mass_metric_factor(mass_metric *m, double t, const double *y, const double *inverse_weight);

/* Move y such that the constraints listed change by -g; false: some value is not finite. */
bool mass_metric_move(mass_metric *m, const int32_t *constraint, int32_t n, const double *g,
                      double *y);
#endif
