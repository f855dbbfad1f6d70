/* boundary/mesh.h - where the mesh of a collocation must be fine.
 *
 * Responsibility: the local errors that a solution on a mesh shows, a mesh on which they are even,
 * and the difference of two solutions.
 * Depends on: boundary/collocation.h.                                            */
#ifndef DAEDAL_BOUNDARY_MESH_H
#define DAEDAL_BOUNDARY_MESH_H

#include "boundary/collocation.h"

/* Density of mesh points: with h times the density of at most 1 the error of an interval is one
 * tolerance.  n_intervals values; the largest error, in tolerances, is returned.  */
double mesh_density(collocation *c, double *density);

/* How many intervals a mesh of this density has whose errors are `error` tolerances. */
double mesh_intervals(const collocation *c, const double *density, double error);

/* A mesh of about n_intervals, by the density; the points of the conditions belong to it.  t has
 * room for n_intervals + 2 n_points + 1 values.  Returns the number of intervals.  */
int32_t mesh_distribute(const collocation *c, const double *density, int32_t n_intervals,
                        double *t);
/* Evenly spaced between the points of the conditions, likewise. */
int32_t mesh_even(const boundary_conditions *at, int32_t n_intervals, double *t);
/* Each interval halved: 2 n_intervals + 1 values. */
void mesh_halve(const collocation *c, double *t);

/* The largest difference anywhere, in the tolerances of `fine`. */
double mesh_difference(collocation *fine, const collocation *coarse);
#endif
