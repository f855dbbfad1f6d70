/* plot/curves_panels.h - the panels of a plot as SVG, for pages and for pictures.
 *
 * Responsibility: axes, grid and curves of a panel.  Colours and line widths are left to style
 * sheets: classes grid, zero, curve, jump, k0 to k7 (colours), d1 and d2 (dashes).
 * Depends on: plot/curves.h.                                                    */
#ifndef DAEDAL_PLOT_CURVES_PANELS_H
#define DAEDAL_PLOT_CURVES_PANELS_H

#include "plot/curves.h"

/* Sizes in units of the drawing, which are pixels at full width. */
enum { PANEL_WIDTH = 1040, PANEL_RIGHT = 14, PANEL_TOP = 10 };
enum { PANEL_BINS = 900, PANEL_COLOURS = 8 };

typedef struct panel_plot {
    sink *to;
    const plot_request *r;
    plot_layout layout;
    int left;     /* margin, as wide as the numbers need */
    size_t *rows; /* of a thinned curve */
    size_t room;
} panel_plot;

typedef struct drawn_panel {
    const plot_panel *panel;
    int number, height, bottom, n_ticks;
    plot_range range; /* with its margin */
    bool is_last;
} drawn_panel;

/* A page or picture with the panels, as `put` writes it.  DAEDAL_ERR_ARGUMENT: nothing to draw;
 * DAEDAL_ERR_MEMORY; a failure of the sink.                                        */
daedal_status panels_draw(sink *to, const plot_request *r, void (*put)(const panel_plot *p),
                          daedal_diagnosis *why);

drawn_panel panels_at(const panel_plot *p, int k);
const char *panels_dash(int curve); /* class of its line, with a blank before it, or "" */

/* The element <svg class="plot"> of a panel; attributes follow the class, such as x and y. */
void panels_put_svg(const panel_plot *p, const drawn_panel *h, const char *attributes);
#endif
