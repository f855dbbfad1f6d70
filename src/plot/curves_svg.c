/* plot/curves_svg.c - see curves_svg.h.
 *
 * The height is known only when the legends are laid out, so they are laid out twice: once into
 * nowhere, which counts lines.                                                     */
#include "plot/curves_svg.h"

#include <string.h>

#include "output/utf8.h"
#include "plot/curves_panels.h"
#include "plot/html_text.h"
#include "plot/picture_style.h"

enum { TITLE = 34, LINE = 20, MARGIN = 14, SWATCH = 30, LETTER = 8, NAME_GAP = 22 };

/* ---- legend ---- */

static int text_width(const char *text)
{
    return LETTER * (int)utf8_count(text);
}

static void put_name(const panel_plot *p, const column *c)
{
    html_escaped(p->to, c->name);
    if (*c->unit) {
        sink_text(p->to, " [");
        html_escaped(p->to, c->unit);
        sink_char(p->to, ']');
    }
}

/* Returns the height of the legend, which begins at y. */
static int put_legend(const panel_plot *p, const plot_panel *panel, int y)
{
    int x = p->left, lines = 1;
    for (int k = 0; k < panel->n; k++) {
        const column *c = &p->r->data->columns[panel->columns[k]];
        int colour = panel->colours[k];
        int wide = SWATCH + text_width(c->name) + (*c->unit ? text_width(c->unit) + 3 * LETTER : 0);
        if (x > p->left && x + wide > PANEL_WIDTH - PANEL_RIGHT) {
            x = p->left;
            lines++;
        }
        int base = y + LINE * lines - 6;
        sink_format(p->to, "<path class=\"curve k%d%s\" d=\"M%d %dh22\"/><text x=\"%d\" y=\"%d\">",
                    colour % PANEL_COLOURS, panels_dash(colour), x, base - 4, x + SWATCH, base);
        put_name(p, c);
        sink_text(p->to, "</text>\n");
        x += wide + NAME_GAP;
    }
    return LINE * lines;
}

static int legend_height(const panel_plot *p, const plot_panel *panel)
{
    sink nowhere = sink_to_nowhere();
    panel_plot dry = *p;
    dry.to = &nowhere;
    return put_legend(&dry, panel, 0);
}

/* ---- the picture ---- */

static int picture_height(const panel_plot *p)
{
    int height = (p->r->title ? TITLE : MARGIN) + picture_footer_height(p->r->footer);
    for (int k = 0; k < p->layout.n_panels; k++) {
        drawn_panel h = panels_at(p, k);
        height += legend_height(p, h.panel) + h.height;
    }
    return height;
}

static void put_picture(const panel_plot *p)
{
    int y = p->r->title ? TITLE : MARGIN;
    picture_open(p->to, PANEL_WIDTH, picture_height(p), p->r->title, p->left);
    for (int k = 0; k < p->layout.n_panels && !p->to->failed; k++) {
        drawn_panel h = panels_at(p, k);
        char place[80];
        y += put_legend(p, h.panel, y);
        snprintf(place, sizeof place, " y=\"%d\" width=\"%d\" height=\"%d\"", y, PANEL_WIDTH,
                 h.height);
        panels_put_svg(p, &h, place);
        y += h.height;
    }
    picture_close(p->to, p->r->footer, p->left, y);
}

daedal_status plot_svg(sink *to, const plot_request *r, daedal_diagnosis *why)
{
    return panels_draw(to, r, put_picture, why);
}
