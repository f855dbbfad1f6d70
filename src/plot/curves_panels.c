/* plot/curves_panels.c - see curves_panels.h. */
#include "plot/curves_panels.h"

#include <math.h>
#include <string.h>

#include "plot/html_text.h"
#include "plot/picture_style.h"

enum { LEFT_LEAST = 62, BOTTOM = 12, BOTTOM_LAST = 46, TIME_TICKS = 10 };
enum { PATH_ROOM = 20000 };
static const double MARGIN = 0.04; /* of the range, above and below */

/* ---- one panel as SVG ---- */

drawn_panel panels_at(const panel_plot *p, int k)
{
    static const int heights[PLOT_PANELS_MAX] = {430, 260, 210, 180, 165, 155};
    drawn_panel h = {.panel = &p->layout.panels[k], .number = k};
    h.is_last = k == p->layout.n_panels - 1;
    h.bottom = h.is_last ? BOTTOM_LAST : BOTTOM;
    h.height = heights[p->layout.n_panels - 1] + h.bottom;
    h.n_ticks = heights[p->layout.n_panels - 1] / 36;
    h.range = plot_range_widen(h.panel->range, MARGIN);
    return h;
}

static double x_of(const panel_plot *p, double t)
{
    const plot_range *time = &p->layout.time;
    return p->left +
           (t - time->low) / (time->high - time->low) * (PANEL_WIDTH - p->left - PANEL_RIGHT);
}

static double y_of(const drawn_panel *h, double x)
{
    int low = h->height - h->bottom;
    return low - (x - h->range.low) / (h->range.high - h->range.low) * (low - PANEL_TOP);
}

static void put_time_ticks(const panel_plot *p, const drawn_panel *h, const plot_ticks *ticks)
{
    sink_text(p->to, "<path class=\"grid\" d=\"");
    for (int k = 0; k < ticks->n; k++) {
        sink_char(p->to, 'M');
        picture_coordinate(p->to, x_of(p, ticks->at[k]));
        sink_format(p->to, " %dV%d", PANEL_TOP, h->height - h->bottom);
    }
    sink_text(p->to, "\"/>");
    for (int k = 0; k < ticks->n && h->is_last; k++)
        picture_text(p->to, x_of(p, ticks->at[k]), h->height - h->bottom + 18, "middle",
                     ticks->text[k]);
}

static void put_value_ticks(const panel_plot *p, const drawn_panel *h)
{
    plot_ticks ticks;
    plot_ticks_values(&ticks, p->r, h->range, h->n_ticks, h->panel->least_step);
    for (int k = 0; k < ticks.n; k++) {
        double y = y_of(h, ticks.at[k]);
        sink_format(p->to, "<path class=\"%s\" d=\"M%d ",
                    ticks.at[k] == 0.0 && !p->r->log_values ? "zero" : "grid", p->left);
        picture_coordinate(p->to, y);
        sink_format(p->to, "H%d\"/>", PANEL_WIDTH - PANEL_RIGHT);
        picture_text(p->to, p->left - 8, y + 4, "end", ticks.text[k]);
    }
}

static void put_grid(const panel_plot *p, const drawn_panel *h)
{
    plot_ticks ticks;
    plot_ticks_time(&ticks, p->r, p->layout.time, TIME_TICKS);
    put_time_ticks(p, h, &ticks);
    put_value_ticks(p, h);
}

const char *panels_dash(int curve)
{
    static const char *const classes[] = {"", " d1", " d2"};
    return classes[curve / PANEL_COLOURS % 3];
}

static void put_point(const panel_plot *p, const drawn_panel *h, char command, double t, double x)
{
    sink_char(p->to, command);
    picture_coordinate(p->to, x_of(p, plot_time(p->r, t)));
    sink_char(p->to, ' ');
    picture_coordinate(p->to, y_of(h, x));
}

/* Write the parts of a curve between events, or only the jumps at events.  A path has no jumps. */
static void put_path(const panel_plot *p, const drawn_panel *h, size_t col, size_t n, bool jumps)
{
    const trajectory *tr = p->r->data;
    double last_t = NAN, last_x = NAN;
    for (size_t i = 0; i < n; i++) {
        double t = trajectory_time(tr, p->rows[i]), x = plot_value(p->r, p->rows[i], col);
        bool there = isfinite(x) && !isnan(plot_time(p->r, t));
        bool joined = isfinite(last_x), is_jump = joined && t == last_t && !p->r->is_path;
        if (there && !jumps)
            put_point(p, h, joined && !is_jump ? 'L' : 'M', t, x);
        if (there && jumps && is_jump) {
            put_point(p, h, 'M', t, last_x);
            put_point(p, h, 'L', t, x);
        }
        last_t = t;
        last_x = there ? x : NAN;
    }
}

/* Each point is a line without length, whose ends are round. */
static void put_points(const panel_plot *p, const drawn_panel *h, size_t col, size_t n)
{
    const trajectory *tr = p->r->data;
    for (size_t i = 0; i < n; i++) {
        double t = trajectory_time(tr, p->rows[i]), x = plot_value(p->r, p->rows[i], col);
        if (!isfinite(x) || isnan(plot_time(p->r, t)))
            continue;
        put_point(p, h, 'M', t, x);
        sink_text(p->to, "h0");
    }
}

static void put_curve(const panel_plot *p, const drawn_panel *h, int k)
{
    int colour = h->panel->colours[k];
    int32_t col = h->panel->columns[k];
    size_t n = plot_thin(p->r, &p->layout, col, PANEL_BINS, p->rows, p->room);
    if (p->r->is_scatter) {
        sink_format(p->to, "<path class=\"curve k%d\" style=\"stroke-width:4\" d=\"",
                    colour % PANEL_COLOURS);
        put_points(p, h, (size_t)col, n);
        sink_text(p->to, "\"/>\n");
        return;
    }
    sink_format(p->to, "<path class=\"jump k%d\" d=\"", colour % PANEL_COLOURS);
    put_path(p, h, (size_t)col, n, true);
    sink_format(p->to, "\"/><path class=\"curve k%d%s\" d=\"", colour % PANEL_COLOURS,
                panels_dash(colour));
    put_path(p, h, (size_t)col, n, false);
    sink_text(p->to, "\"/>\n");
}

static void put_axis_titles(const panel_plot *p, const drawn_panel *h)
{
    if (*h->panel->unit) {
        sink_format(p->to,
                    "<text transform=\"translate(14 %d) rotate(-90)\" text-anchor=\"middle\">",
                    (h->height - h->bottom + PANEL_TOP) / 2);
        html_escaped(p->to, h->panel->unit);
        sink_text(p->to, "</text>");
    }
    if (h->is_last) {
        sink_format(p->to, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">",
                    (p->left + PANEL_WIDTH - PANEL_RIGHT) / 2, h->height - 6);
        sink_buffer label = {.allocator = p->r->data->allocator};
        sink to = sink_to_buffer(&label);
        plot_time_label(p->r, &to);
        html_escaped(p->to, label.bytes ? label.bytes : "");
        sink_buffer_free(&label);
        sink_text(p->to, "</text>");
    }
}

static void put_aria_label(const panel_plot *p, const drawn_panel *h)
{
    for (int k = 0; k < h->panel->n; k++) {
        sink_text(p->to, k ? ", " : "");
        html_escaped(p->to, p->r->data->columns[h->panel->columns[k]].name);
    }
    sink_text(p->to, " against ");
    html_escaped(p->to, p->r->data->time.name);
}

void panels_put_svg(const panel_plot *p, const drawn_panel *h, const char *attributes)
{
    sink_format(p->to, "<svg class=\"plot\"%s viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"",
                attributes, PANEL_WIDTH, h->height);
    put_aria_label(p, h);
    sink_format(p->to,
                "\"><clipPath id=\"clip%d\"><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>"
                "</clipPath>\n",
                h->number, p->left, PANEL_TOP - 4, PANEL_WIDTH - p->left - PANEL_RIGHT,
                h->height - h->bottom - PANEL_TOP + 8);
    put_axis_titles(p, h);
    sink_text(p->to, "<g class=\"scene\">");
    put_grid(p, h);
    sink_format(p->to, "<g clip-path=\"url(#clip%d)\">\n", h->number);
    for (int k = 0; k < h->panel->n && !p->to->failed; k++)
        put_curve(p, h, k);
    sink_format(p->to,
                "</g></g><rect class=\"select\" y=\"%d\" height=\"%d\" width=\"0\"/>"
                "<g class=\"cursor\"></g></svg>\n",
                PANEL_TOP, h->height - h->bottom - PANEL_TOP);
}

/* ---- the whole ---- */

/* The numbers on the left, and beyond them the unit, must not leave the picture. */
static int left_margin(const panel_plot *p)
{
    const int digit = 8, beside = 30;
    size_t longest = 0;
    for (int k = 0; k < p->layout.n_panels; k++) {
        drawn_panel h = panels_at(p, k);
        plot_ticks ticks;
        plot_ticks_values(&ticks, p->r, h.range, h.n_ticks, h.panel->least_step);
        for (int i = 0; i < ticks.n; i++)
            longest = strlen(ticks.text[i]) > longest ? strlen(ticks.text[i]) : longest;
    }
    int width = digit * (int)longest + beside;
    return width > LEFT_LEAST ? width : LEFT_LEAST;
}

daedal_status panels_draw(sink *to, const plot_request *r, void (*put)(const panel_plot *p),
                          daedal_diagnosis *why)
{
    panel_plot p = {.to = to, .r = r, .room = r->is_path ? PATH_ROOM : 5 * (PANEL_BINS + 1)};
    if (r->n_columns < 1 || r->data->n_rows == 0)
        return fail(why, DAEDAL_ERR_ARGUMENT, "there is nothing to draw");
    p.rows = memory_take_array(r->data->allocator, p.room, sizeof *p.rows);
    if (!p.rows)
        return fail(why, DAEDAL_ERR_MEMORY, "out of memory for the plot");
    plot_arrange(&p.layout, r, PLOT_PANELS_MAX);
    p.left = left_margin(&p);
    put(&p);
    memory_give(r->data->allocator, p.rows, p.room * sizeof *p.rows);
    return sink_status(to, "the plot", why);
}
