/* expr/series.h - arithmetic on truncated Taylor series.
 *
 * Responsibility: what every operation of expr/expression.h with one or two operands makes of the
 * coefficients 0 .. order of its operands.  Coefficient 0 is what expr/kernels.h gives, bit
 * for bit.  Coefficients that do not exist (of sqrt at 0, of log at -1) are not finite.
 * Depends on: expr/expression.h.                                                     */
#ifndef DAEDAL_EXPR_SERIES_H
#define DAEDAL_EXPR_SERIES_H

#include "expr/expression.h"

/* Two series for the use of series_apply. */
typedef struct series_room {
    double *a, *b; /* order + 1 each */
    int32_t order;
} series_room;

/* w = op(u, v), or op(u); v is read anyway.  w and the room overlap nothing.  Not for CONST,
 * VAR, IF, CALL and OUTPUT.
 * Corners as in expr/derive.h: abs, min, max and mod go on as coefficient 0 decides; sign,
 * relations, logic and roundings stand still.  A series that stands still (0 beyond
 * coefficient 0) is a constant, whatever op does there: sqrt(0) is 0.  A power whose base
 * is 0 has the coefficients that exist; one whose exponent moves needs a positive base. */
void series_apply(expr_op op, const double *u, const double *v, double *w, const series_room *room);
#endif
