/* plot/curves_svg.h - a plot as one SVG picture that stands for itself.
 *
 * Responsibility: title, legends, panels and footer one below the other, with a style sheet inside.
 * Depends on: plot/curves_panels.h.                                             */
#ifndef DAEDAL_PLOT_CURVES_SVG_H
#define DAEDAL_PLOT_CURVES_SVG_H

#include "plot/curves.h"

/* As plot_html. */
daedal_status plot_svg(sink *to, const plot_request *r, daedal_diagnosis *why);
#endif
