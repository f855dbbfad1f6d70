/* boundary/adaptive.h - collocation on a mesh that follows the solution.
 *
 * Responsibility: solve on a first mesh, distribute its points by the errors that the solution
 * shows, and accept a solution only after it was compared with that on the halved mesh.
 * Depends on: boundary/mesh.h.                                                   */
#ifndef DAEDAL_BOUNDARY_ADAPTIVE_H
#define DAEDAL_BOUNDARY_ADAPTIVE_H

#include "boundary/mesh.h"

typedef struct adaptive_settings {
    int32_t intervals, intervals_most;
    bool keeps_mesh;
} adaptive_settings;

typedef struct adaptive {
    const collocation_problem *p;
    gauss_table table;
    adaptive_settings settings;
    collocation now;   /* the last solution                                    */
    bool has_solution; /* `now` is one                                         */
    bool has_mesh;     /* `now` has a mesh                                     */
    int32_t meshes;
    double error; /* estimated, in tolerances; NAN: it was not                 */
} adaptive;

void adaptive_begin(adaptive *a, const collocation_problem *p, int32_t stages,
                    const adaptive_settings *settings);
void adaptive_free(adaptive *a);

/* Solve, from a guess, or from the last solution and its mesh if guess is NULL.  On failure the
 * diagnosis of the problem says why; the last solution is lost.                  */
daedal_status adaptive_solve(adaptive *a, collocation_guess_fn *guess, void *user);
/* The same on the mesh that the last solution has, without a look at the error. */
daedal_status adaptive_follow(adaptive *a);
/* A copy of the unknowns and the mesh. */
bool adaptive_copy(adaptive *to, const adaptive *from);
#endif
