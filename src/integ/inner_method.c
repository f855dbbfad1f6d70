/* integ/inner_method.c - see inner_method.h. */
#include "integ/inner_method.h"

#include <math.h>

#include "base/status.h"

void inner_method_lay_out(inner_method *in, layout *l, size_t n)
{
    in->is_differential = layout_take(l, n, sizeof *in->is_differential);
    in->variable_index = layout_take(l, n, sizeof *in->variable_index);
    in->tolerances.factor = layout_take(l, n, sizeof *in->tolerances.factor);
    in->tolerances.noise = layout_take(l, n, sizeof *in->tolerances.noise);
}

daedal_status inner_method_create(inner_method *in, const integ_context *context,
                                  const daedal_linsolver *solver, daedal_stats *calls)
{
    if (!evaluator_create(&in->ev, &in->sys, calls, context->allocator))
        return DAEDAL_ERR_MEMORY;
    evaluator_join(&in->ev, context->ev);
    matrix_setup setup = {.ev = &in->ev,
                          .dy = &in->pattern.view,
                          .dyp = &in->pattern.view,
                          .solver = solver,
                          .allocator = context->allocator};
    RETURN_UNLESS_OK(matrix_create(&in->matrix, &setup));
    integ_context own = *context;
    own.ev = &in->ev;
    own.matrix = &in->matrix;
    own.tolerances = &in->tolerances;
    own.is_differential = in->is_differential;
    own.variable_index = in->variable_index;
    in->method = method_choose(context->method);
    return in->method->create(&in->integrator, &own);
}

void inner_method_copy(inner_method *in, const inner_method *from)
{
    in->tolerances.n = from->tolerances.n;
    in->tolerances.calibrated = from->tolerances.calibrated;
    in->tolerances.allows_noise = from->tolerances.allows_noise;
    matrix_copy(&in->matrix, &from->matrix);
    if (!isnan(from->matrix.c) && isnan(in->matrix.c))
        matrix_factor(&in->matrix, from->matrix.c); /* if that fails, c says so */
    in->method->copy(in->integrator, from->integrator);
}

void inner_method_free(inner_method *in)
{
    if (in->integrator)
        in->method->destroy(in->integrator);
    matrix_free(&in->matrix);
    evaluator_free(&in->ev);
    pattern_free(&in->pattern);
}
