/* daedal_petsc.h - daedal's methods as a time stepper of PETSc.
 *
 * libdaedal_petsc registers the TS type "daedal".  A program that uses TS needs no change:
 *
 *     ./program -dll_append /path/to/libdaedal_petsc.so -ts_type daedal -daedal_method radau
 *
 * or calls DaedalPetscRegister() after PetscInitialize() and TSSetType(ts, TSDAEDAL).  Equations
 * are those of TSSetIFunction() or TSSetRHSFunction(), Jacobians those of the SNES of the TS
 * (given, by colouring, matrix-free), linear solvers its KSP and PC.  Every option of daedal is an
 * option -daedal_<name> of the database; see docs/howto/distributed.md.                        */
#ifndef DAEDAL_PETSC_H
#define DAEDAL_PETSC_H

#include <daedal.h>
#include <petscts.h>

#define TSDAEDAL "daedal"

PETSC_EXTERN PetscErrorCode DaedalPetscRegister(void);

/* Unknowns without a derivative in F, as global numbers, and how often equations must be
 * differentiated until their derivative is known (1; 2 for the pressure of incompressible flow; see
 * variable_index in daedal.h).  Without this call they are found from the matrix of IJacobian with
 * two shifts, and have the index that -daedal_index says, 1 by default.                  */
PETSC_EXTERN PetscErrorCode TSDaedalSetAlgebraic(TS ts, IS unknowns, PetscInt index);

/* One option of daedal, as in daedal_options_set().  Before TSSetUp(). */
PETSC_EXTERN PetscErrorCode TSDaedalSetOption(TS ts, const char name[], const char value[]);

/* The solver behind a TS that has been started: for its statistics and its state. */
PETSC_EXTERN PetscErrorCode TSDaedalGetSolver(TS ts, daedal_solver **solver);
#endif
