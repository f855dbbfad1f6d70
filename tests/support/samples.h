/* support/samples.h - small systems for tests of the interface, and ways to spoil them.
 *
 * Responsibility: a few systems that take one form each (implicit, with Jacobian, mass
 * form, a chain of any length), and a wrapper that lets the k-th call of one of their
 * callbacks misbehave.
 * Depends on: daedal.h.                                                         */
#ifndef DAEDAL_SUPPORT_SAMPLES_H
#define DAEDAL_SUPPORT_SAMPLES_H

#include <stdbool.h>

#include "daedal.h"

/* A system with a consistent y at t = 0 (y' left to the solver) and a time to go to. */
typedef struct sample {
    daedal_system sys;
    const double *y0;
    double t_end;
} sample;

enum { CHAIN_N = 40 };

/* Robertson's kinetics as a DAE, n = 3; the algebraic y2 starts where it belongs. */
sample sample_robertson(void);
sample sample_robertson_jacobian(void);
/* A diffusion chain of CHAIN_N cells whose last is algebraic: y_n = y_{n-1} / 2; the
 * pattern is tridiagonal, detected or given with the Jacobian.                  */
sample sample_chain(void);
sample sample_chain_jacobian(void);
/* M(t) y' = f with a singular M of time, n = 3: y0' = -y0, (1+t) y1' = y0 - y1,
 * 0 = y0 + y1 - y2; without and with df/dy.                                     */
sample sample_mass(void);
sample sample_mass_jacobian(void);
/* y' = -y with the events y - 0.5 and y - 0.2; y = exp(-t). */
sample sample_decay_events(void);

/* Index 2: x' = u, u' = 2 - x + F, 0 = u - cos t; x = 2 + sin t, F = 0.  And the same with the last
 * two equations added to and subtracted from each other, so that no pattern shows it.          */
sample sample_driven(void);
sample sample_driven_hidden(void);

/* A pendulum x, y, u, v, F of unit length and gravity, its rod differentiated twice, from the
 * height of its pivot with the speed that carries it over the top; the rod and its first
 * derivative are constraints on two levels.                                      */
sample sample_pendulum(void);

/* ---- faults ---- */

typedef enum fault_where {
    FAULT_RESIDUAL,
    FAULT_JACOBIAN,
    FAULT_RHS,
    FAULT_RHS_JACOBIAN,
    FAULT_MASS,
    FAULT_EVENTS,
    FAULT_PLACES
} fault_where;

typedef enum fault_what {
    FAULT_RETRY,
    FAULT_STOP,
    FAULT_FAIL,
    FAULT_NAN, /* in the last value written */
    FAULT_INF,
    FAULT_KINDS
} fault_what;

typedef struct faulty {
    daedal_system base;
    fault_where where;
    fault_what what;
    long at;      /* number of the call that misbehaves, from 1; 0: none          */
    bool forever; /* and all after it                                             */
    long calls;   /* of `where` so far                                            */
    long happened;
} faulty;

/* The system of f->base with its callbacks under f's control; f must outlive it. */
daedal_system faulty_system(faulty *f);
#endif
