/* solver/perturbed_system.h - a system whose equations see slightly other values.
 *
 * Responsibility: F(t, y + w(t), y') = 0 in place of F(t, y, y') = 0, where w_i is an oscillation
 * of given size: how much the solution changes by it tells how much errors of this size grow.
 * Events and constraints see the values as they are.
 * Depends on: base/.                                                            */
#ifndef DAEDAL_SOLVER_PERTURBED_SYSTEM_H
#define DAEDAL_SOLVER_PERTURBED_SYSTEM_H

#include "base/memory.h"

typedef struct perturbation {
    const double *size;   /* n: of w_i                                               */
    double t_start, span; /* of the run                                              */
    int32_t number;       /* of the pattern of phases                                */
} perturbation;

/* w(t), added to y. */
void perturbation_add(const perturbation *p, double t, double *y, int32_t n);

typedef struct perturbed_system {
    daedal_system given; /* as the user described it, borrowed                     */
    perturbation by;
    double *y;
    block mem;
} perturbed_system;

/* Replace the functions of *sys; its user pointer leads here.  false: out of memory.  */
bool perturbed_create(perturbed_system *p, daedal_system *sys, const perturbation *by,
                      const daedal_allocator *a);
void perturbed_free(perturbed_system *p);
#endif
