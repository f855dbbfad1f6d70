/* adjoint/model_access.c - see model_access.h. */
#include "adjoint/model_access.h"

#include "api/model_handle.h"
#include "hybrid/discrete.h"

daedal_solver *access_solver(const daedal_model *handle)
{
    return handle->now->simulation.discrete->solver;
}

const compiled_model *access_equations(const daedal_model *handle)
{
    return handle->now->model.compiled;
}

const daedal_allocator *access_allocator(const daedal_model *handle)
{
    return &handle->allocator;
}

bool access_variable(const daedal_model *handle, int32_t number, uint32_t *variable)
{
    const daedal_model *d = handle->now;
    int32_t place = number - d->first_number;
    if (number < d->first_number || place >= d->info.n_variables)
        return false;
    *variable = d->shown[place];
    return true;
}
