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

/* Recognise the form.  Without one this fails with DAEDAL_ERR_ARGUMENT and the reason in in->why.
 */
daedal_status mass_metric_create(mass_metric *m, const integ_context *in, double t,
                                 const double *y);
void mass_metric_free(mass_metric *m);
/* Make a metric for a copy of the system without searching again.  NULL means that memory is
 * lacking. */
mass_metric *mass_metric_copy(const mass_metric *from, evaluator *ev, const daedal_allocator *a);

/* Make the metric once, and again when the pattern of F has changed, for in->constraints. */
daedal_status mass_metric_provide(const integ_context *in, double t, const double *y);

/* Compute the directions at y.  The answer is false if there are none. */
bool mass_metric_factor(mass_metric *m, double t, const double *y, const double *inverse_weight);

/* Move y such that the listed constraints change by -g.  The answer is false if some value is not
 * finite. */
bool mass_metric_move(mass_metric *m, const int32_t *constraint, int32_t n, const double *g,
                      double *y);
#endif
