/* newton/bounds.c - see bounds.h. */
#include "newton/bounds.h"

#include "linalg/vector.h"

bool bounds_way_back(const daedal_system *sys, const vector_space *space, const double *y,
                     double *way)
{
    bool any = false;
    if (!bounds_are_given(sys))
        return false;
    for (int32_t i = 0; i < sys->n; i++) {
        way[i] = bounds_inside(sys, i, y[i]) - y[i];
        any = any || way[i] != 0.0;
    }
    return space_any(space, any);
}

bool bounds_keep(const daedal_system *sys, double *y, const double *inverse_weight, double *work)
{
    vector_space here = {.n = sys->n};
    if (!bounds_way_back(sys, &here, y, work))
        return true;
    if (space_wrms(&here, work, inverse_weight) > 1.0)
        return false;
    for (int32_t i = 0; i < sys->n; i++)
        y[i] += work[i];
    return true;
}
