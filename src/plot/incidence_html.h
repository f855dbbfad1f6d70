/* plot/incidence_html.h - the incidence matrix of a model as one self-contained HTML page.
 *
 * Responsibility: the equations as written and in the order of their blocks, side by side, as
 * inline SVG with a short script (equation and variable under the pointer); nothing is fetched, and
 * without the script the picture is the same.  The page stays below 400 kB: a matrix with too many
 * rows or entries is drawn as a density.
 * Depends on: output/sink.h, output/json_writer.h, plot/curves_html_page.h (its colours).   */
#ifndef DAEDAL_PLOT_INCIDENCE_HTML_H
#define DAEDAL_PLOT_INCIDENCE_HTML_H

#include "output/sink.h"

/* DAEDAL_ERR_CALLBACK: the sink refused; DAEDAL_ERR_MEMORY; DAEDAL_ERR_ARGUMENT: no equations. */
daedal_status incidence_html(sink *to, const daedal_incidence *data, const char *title,
                             daedal_diagnosis *why);
#endif
