/* expr/live.h - new values of parameters in a graph that was built with others.
 *
 * Responsibility: compute all live constants anew from the values of parameters, and find out
 * whether everything that was decided on their values still holds.
 * Depends on: expr/evaluate.h.                                                       */
#ifndef DAEDAL_EXPR_LIVE_H
#define DAEDAL_EXPR_LIVE_H

#include "expr/evaluate.h"

typedef enum expr_live_outcome {
    EXPR_LIVE_FOLLOWED, /* all live constants have their new values                          */
    EXPR_LIVE_REBUILD,  /* a frozen formula changed, or a live constant is no longer a normal
                           number: nothing was changed, and the graph must be built anew     */
    EXPR_LIVE_NO_MEMORY /* nothing was changed                                               */
} expr_live_outcome;

/* `from` gives the values of parameters by their variables; while it is asked for one, the live
 * constants that were made before that parameter have their new values already. */
expr_live_outcome expr_live_update(expr_graph *g, const expr_source *from);

/* What was decided with the value of an expression. */
enum {
    EXPR_LIVE_DECIDES =
        1, /* a condition or a rounding, which may keep its value if this one changes */
    EXPR_LIVE_EXACT = 2 /* a number: this one must keep its value                  */
};
/* Writes such flags for all expressions, g->n values. */
void expr_live_decisions(const expr_graph *g, unsigned char *flags);
#endif
