/* plot/curves_html.h - a plot as one self-contained HTML page.
 *
 * Responsibility: a page with inline SVG, styles and a short script (read-out under the pointer,
 * curves on and off, zoom by dragging); nothing is fetched, and without the script the picture is
 * the same. Depends on: plot/curves.h, output/json_writer.h.                              */
#ifndef DAEDAL_PLOT_CURVES_HTML_H
#define DAEDAL_PLOT_CURVES_HTML_H

#include "plot/curves.h"

/* DAEDAL_ERR_CALLBACK: the sink refused; DAEDAL_ERR_MEMORY; DAEDAL_ERR_ARGUMENT: nothing to draw.
 */
daedal_status plot_html(sink *to, const plot_request *r, daedal_diagnosis *why);
#endif
