/* linalg/complex_solver.c - see complex_solver.h. */
#include "linalg/complex_solver.h"

const complex_solver *complex_solver_of(const daedal_linsolver *real)
{
    if (real == daedal_linsolver_dense())
        return &complex_dense;
    if (real == daedal_linsolver_lapack())
        return &complex_lapack;
    if (real == daedal_linsolver_band())
        return &complex_band;
    if (real == daedal_linsolver_klu())
        return &complex_klu;
    return &complex_doubled;
}
