/* plot/incidence_terminal.h - the incidence matrix of a model drawn with characters.
 *
 * Depends on: output/sink.h.                                                    */
#ifndef DAEDAL_PLOT_INCIDENCE_TERMINAL_H
#define DAEDAL_PLOT_INCIDENCE_TERMINAL_H

#include "output/sink.h"

/* The number of equations that fit in a picture of that many characters. */
int32_t incidence_terminal_most(int width);

/* Draw the matrix in the order of the blocks, which are enclosed in brackets.  Behind each row
 * follow the unknown it is solved for and its equation, as far as there is room.
 * DAEDAL_ERR_CALLBACK: the sink refused;
 * DAEDAL_ERR_MEMORY; DAEDAL_ERR_ARGUMENT: no equations, or more than there is room for.  */
daedal_status incidence_terminal(sink *to, const daedal_incidence *data, int width,
                                 daedal_diagnosis *why);
#endif
