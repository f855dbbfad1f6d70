/* flat/flat_motion.c - see flat.h: the total time derivative as a direction. */
#include "flat/flat.h"

static expr along_time(void *user, expr_graph *g, uint32_t symbol)
{
    flat_motion *motion = user;
    switch (flat_kind(symbol)) {
    case FLAT_TIME:
        return expr_constant(g, 1.0);
    case FLAT_VALUE:
    case FLAT_DER:
        return motion->slope(motion->user, symbol);
    case FLAT_DELAY:
        motion->met_delay = true;
        return EXPR_NONE;
    default:
        return EXPR_NONE;
    }
}

expr_direction flat_in_time(const flat_model *m, flat_motion *motion)
{
    return (expr_direction){along_time, motion, flat_partials(m)};
}
