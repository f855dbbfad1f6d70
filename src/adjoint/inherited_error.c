/* adjoint/inherited_error.c - see backward_run.h: what the errors of the states do.
 *
 * The recorded curve y has the defect F(t, y, dy/dt), and with the adjoint variables lambda the
 * functional is off by the integral of lambda' F, to first order; the y' of the equations that is
 * kept beside it has no defect.  A solution that is late by phi has a gradient that is late as
 * well, which is off by about as many tolerances, or by more where it is steeper.  That is summed
 * where somebody listens, since it takes five calls of F for each step.
 */
#include <math.h>
#include <stdio.h>

#include "adjoint/backward_run.h"
#include "linalg/vector.h"

/* Tolerances: the gradient is off by more.  In 160 gradients of problems without such trouble the
 * largest was below 0.8. */
static const double TOLD = 1.5;

/* The integral over a piece that lies in one step of the run forward and in one backward. */
static void add_piece(backward_run *b, double from, double to)
{
    double half = 0.5 * (to - from), middle = from + half;
    coefficients *c = &b->c;
    for (int32_t k = 0; k < KRONROD_POINTS; k++) {
        double t = middle + KRONROD_AT[k] * half;
        solution_read_run(&b->solver->run, t, b->x, b->xp);
        solution_curve_at(&b->forward->record, t, c->y, c->yp);
        coefficients_forget(c);
        if (evaluator_residual(&c->ev, t, c->y, c->yp, b->moved) != DAEDAL_CALL_OK)
            b->inherited.is_unknown = true;
        else
            b->inherited.sum += half * KRONROD_WEIGHT[k] * vector_dot(b->x, b->moved, b->sys->n);
    }
}

void backward_add_defect(backward_run *b)
{
    const run *r = &b->solver->run;
    double t_low = r->state.t, end;
    for (double t = r->method->view(r->integrator).t_before; t != t_low; t = end) {
        end = backward_next_mesh(b, t, t_low);
        add_piece(b, end, t);
    }
}

bool backward_describe_inherited(const backward_run *b, char *text, size_t room)
{
    double rtol = 0.0, error = fabs(b->inherited.sum);
    for (int32_t j = 0; j < b->sys->n; j++)
        rtol = fmax(rtol, b->of->now.rtol[j]);
    double tolerances = error / (rtol * b->total);
    if (b->inherited.is_unknown || !isfinite(tolerances) || !(tolerances > TOLD))
        return false;
    snprintf(text, room,
             "the gradient may be off by %.2g tolerances or more: the states are off, since the "
             "errors of their steps add up, and the functional by about %.2g; a smaller rtol helps",
             tolerances, error);
    return true;
}
