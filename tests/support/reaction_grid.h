/* support/reaction_grid.h - reaction and diffusion on a square grid: large sparse systems.
 *
 * Responsibility: the Brusselator on side x side points, u_t = 1 + u^2 v - 4.4 u + a Laplace(u),
 * v_t = 3.4 u - u^2 v + a Laplace(v), no flux through the border, [HW96] section IV.10; the
 * unknowns are ordered by points.  And the heat equation with algebraic equations on the border, as
 * IDA's example has it.  Both as residual, with the pattern and Jacobian and products to be taken
 * or left. Depends on: daedal.h.                                                         */
#ifndef DAEDAL_SUPPORT_REACTION_GRID_H
#define DAEDAL_SUPPORT_REACTION_GRID_H

#include <stdbool.h>

#include "daedal.h"

typedef struct reaction_grid {
    int32_t side, n;
    bool is_heat;
    double diffusion; /* divided by the square of the spacing               */
    daedal_pattern pattern;
    int32_t *start, *row;
    double *row_scale; /* n: factors of the equations, 1 at first            */
    double *y0;
    double product_error; /* relative, of jacobian_product                  */
} reaction_grid;

/* Free with reaction_grid_free; fails the test without memory. */
reaction_grid *reaction_grid_make(bool is_heat, int32_t side);
void reaction_grid_free(reaction_grid *g);

/* The system, with its pattern; with_jacobian, with_product: also these. */
daedal_system reaction_grid_system(reaction_grid *g, bool with_jacobian, bool with_product);
#endif
