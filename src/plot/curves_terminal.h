/* plot/curves_terminal.h - curves drawn with characters.
 *
 * Depends on: plot/curves.h.                                                    */
#ifndef DAEDAL_PLOT_CURVES_TERMINAL_H
#define DAEDAL_PLOT_CURVES_TERMINAL_H

#include "plot/curves.h"

typedef struct plot_terminal_style {
    int width, height; /* characters in all, legend included; at least 40 x 10 are assumed */
    bool ascii;        /* else Unicode: dots of braille patterns and box lines         */
    bool colour;       /* ANSI colours; without, several curves carry letters          */
} plot_terminal_style;

/* Panels one above the other (same unit and similar size share one) as the height allows.  Lines
 * end in \n and have no trailing blanks.  DAEDAL_ERR_CALLBACK: the sink refused; DAEDAL_ERR_MEMORY;
 * DAEDAL_ERR_ARGUMENT: nothing to draw.                                         */
daedal_status plot_terminal(sink *to, const plot_request *r, const plot_terminal_style *style,
                            daedal_diagnosis *why);
#endif
