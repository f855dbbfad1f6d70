/* plot/curves_html.c - see curves_html.h.
 *
 * The page holds the picture twice: drawn here as SVG, which needs no script, and as numbers
 * (JSON in a script element), from which curves_html_page.c draws again when the reader zooms.
 * Curves break where time repeats: a dotted vertical line joins the two sides of an event.      */
#include "plot/curves_html.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "output/json_writer.h"
#include "plot/curves_html_page.h"
#include "plot/html_text.h"

/* Sizes in units of the drawing, which are pixels at full width. */
enum { WIDTH = 1040, LEFT = 62, RIGHT = 14, TOP = 10, BOTTOM = 12, BOTTOM_LAST = 46 };
enum { N_BINS = 900, N_COLOURS = 8, TIME_TICKS = 10 };
static const double MARGIN = 0.04; /* of the range, above and below */

typedef struct html_plot {
    sink *to;
    const plot_request *r;
    plot_layout layout;
    size_t *rows; /* of a thinned curve */
    size_t room;
} html_plot;

typedef struct html_panel {
    const plot_panel *panel;
    int number, height, bottom, n_ticks;
    plot_range range; /* with its margin */
    bool is_last;
} html_panel;

/* ---- texts ---- */

static void put_number(sink *to, double x)
{
    char text[24];
    plot_number(text, x, 6);
    sink_text(to, text);
}

/* Write a coordinate, rounded to a tenth; coordinates far outside the picture are clipped. */
static void put_coordinate(sink *to, double x)
{
    const double far = 1e6;
    long tenths = lround(10.0 * fmax(-far, fmin(far, x)));
    sink_format(to, "%s%ld.%ld", tenths < 0 ? "-" : "", labs(tenths) / 10, labs(tenths) % 10);
}

/* ---- one panel as SVG ---- */

static html_panel panel_of(const html_plot *p, int k)
{
    static const int heights[PLOT_PANELS_MAX] = {430, 260, 210, 180, 165, 155};
    html_panel h = {.panel = &p->layout.panels[k], .number = k};
    h.is_last = k == p->layout.n_panels - 1;
    h.bottom = h.is_last ? BOTTOM_LAST : BOTTOM;
    h.height = heights[p->layout.n_panels - 1] + h.bottom;
    h.n_ticks = heights[p->layout.n_panels - 1] / 36;
    h.range = plot_range_widen(h.panel->range, MARGIN);
    return h;
}

static double x_of(const html_plot *p, double t)
{
    const plot_range *time = &p->layout.time;
    return LEFT + (t - time->low) / (time->high - time->low) * (WIDTH - LEFT - RIGHT);
}

static double y_of(const html_panel *h, double x)
{
    int low = h->height - h->bottom;
    return low - (x - h->range.low) / (h->range.high - h->range.low) * (low - TOP);
}

static void put_text_at(sink *to, double x, double y, const char *anchor, const char *text)
{
    sink_text(to, "<text x=\"");
    put_coordinate(to, x);
    sink_text(to, "\" y=\"");
    put_coordinate(to, y);
    sink_format(to, "\" text-anchor=\"%s\">%s</text>", anchor, text);
}

static void put_time_ticks(const html_plot *p, const html_panel *h, const plot_ticks *ticks)
{
    sink_text(p->to, "<path class=\"grid\" d=\"");
    for (int k = 0; k < ticks->n; k++) {
        sink_char(p->to, 'M');
        put_coordinate(p->to, x_of(p, ticks->at[k]));
        sink_format(p->to, " %dV%d", TOP, h->height - h->bottom);
    }
    sink_text(p->to, "\"/>");
    for (int k = 0; k < ticks->n && h->is_last; k++)
        put_text_at(p->to, x_of(p, ticks->at[k]), h->height - h->bottom + 18, "middle",
                    ticks->text[k]);
}

static void put_value_ticks(const html_plot *p, const html_panel *h)
{
    plot_ticks ticks;
    plot_ticks_linear(&ticks, h->range, h->n_ticks, h->panel->least_step);
    for (int k = 0; k < ticks.n; k++) {
        double y = y_of(h, ticks.at[k]);
        sink_format(p->to, "<path class=\"%s\" d=\"M%d ", ticks.at[k] == 0.0 ? "zero" : "grid",
                    LEFT);
        put_coordinate(p->to, y);
        sink_format(p->to, "H%d\"/>", WIDTH - RIGHT);
        put_text_at(p->to, LEFT - 8, y + 4, "end", ticks.text[k]);
    }
}

static void put_grid(const html_plot *p, const html_panel *h)
{
    plot_ticks ticks;
    if (p->r->log_time)
        plot_ticks_log(&ticks, p->layout.time, TIME_TICKS);
    else
        plot_ticks_linear(&ticks, p->layout.time, TIME_TICKS, 0.0);
    put_time_ticks(p, h, &ticks);
    put_value_ticks(p, h);
}

static const char *dash_of(int curve)
{
    static const char *const classes[] = {"", " d1", " d2"};
    return classes[curve / N_COLOURS % 3];
}

static void put_point(const html_plot *p, const html_panel *h, char command, double t, double x)
{
    sink_char(p->to, command);
    put_coordinate(p->to, x_of(p, plot_time(p->r, t)));
    sink_char(p->to, ' ');
    put_coordinate(p->to, y_of(h, x));
}

/* Write the parts of a curve between events, or only the jumps at events. */
static void put_path(const html_plot *p, const html_panel *h, size_t col, size_t n, bool jumps)
{
    const trajectory *tr = p->r->data;
    double last_t = NAN, last_x = NAN;
    for (size_t i = 0; i < n; i++) {
        double t = trajectory_time(tr, p->rows[i]), x = trajectory_value(tr, p->rows[i], col);
        bool joined = isfinite(last_x), is_jump = joined && t == last_t;
        if (isfinite(x) && !jumps)
            put_point(p, h, joined && !is_jump ? 'L' : 'M', t, x);
        if (isfinite(x) && jumps && is_jump) {
            put_point(p, h, 'M', t, last_x);
            put_point(p, h, 'L', t, x);
        }
        last_t = t;
        last_x = x;
    }
}

static void put_curve(const html_plot *p, const html_panel *h, int k)
{
    int colour = h->panel->colours[k];
    int32_t col = h->panel->columns[k];
    size_t n = plot_thin(p->r, &p->layout, col, N_BINS, p->rows, p->room);
    sink_format(p->to, "<path class=\"jump k%d\" d=\"", colour % N_COLOURS);
    put_path(p, h, (size_t)col, n, true);
    sink_format(p->to, "\"/><path class=\"curve k%d%s\" d=\"", colour % N_COLOURS, dash_of(colour));
    put_path(p, h, (size_t)col, n, false);
    sink_text(p->to, "\"/>\n");
}

static void put_axis_titles(const html_plot *p, const html_panel *h)
{
    if (*h->panel->unit) {
        sink_format(p->to,
                    "<text transform=\"translate(14 %d) rotate(-90)\" text-anchor=\"middle\">",
                    (h->height - h->bottom + TOP) / 2);
        html_escaped(p->to, h->panel->unit);
        sink_text(p->to, "</text>");
    }
    if (h->is_last) {
        sink_format(p->to, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">",
                    (LEFT + WIDTH - RIGHT) / 2, h->height - 6);
        sink_buffer label = {.allocator = p->r->data->allocator};
        sink to = sink_to_buffer(&label);
        plot_time_label(p->r, &to);
        html_escaped(p->to, label.bytes ? label.bytes : "");
        sink_buffer_free(&label);
        sink_text(p->to, "</text>");
    }
}

static void put_aria_label(const html_plot *p, const html_panel *h)
{
    for (int k = 0; k < h->panel->n; k++) {
        sink_text(p->to, k ? ", " : "");
        html_escaped(p->to, p->r->data->columns[h->panel->columns[k]].name);
    }
    sink_text(p->to, " against time");
}

static void put_svg(const html_plot *p, const html_panel *h)
{
    sink_format(p->to, "<svg class=\"plot\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"",
                WIDTH, h->height);
    put_aria_label(p, h);
    sink_format(p->to,
                "\"><clipPath id=\"clip%d\"><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>"
                "</clipPath>\n",
                h->number, LEFT, TOP - 4, WIDTH - LEFT - RIGHT, h->height - h->bottom - TOP + 8);
    put_axis_titles(p, h);
    sink_text(p->to, "<g class=\"scene\">");
    put_grid(p, h);
    sink_format(p->to, "<g clip-path=\"url(#clip%d)\">\n", h->number);
    for (int k = 0; k < h->panel->n && !p->to->failed; k++)
        put_curve(p, h, k);
    sink_format(p->to,
                "</g></g><rect class=\"select\" y=\"%d\" height=\"%d\" width=\"0\"/>"
                "<g class=\"cursor\"></g></svg>\n",
                TOP, h->height - h->bottom - TOP);
}

/* ---- legend ---- */

static void put_key(const html_plot *p, const html_panel *h, int k)
{
    const column *c = &p->r->data->columns[h->panel->columns[k]];
    int colour = h->panel->colours[k];
    sink_text(p->to, "<button class=\"key\" type=\"button\" aria-pressed=\"true\" title=\"");
    html_escaped(p->to, *c->description ? c->description : "show or hide");
    sink_format(
        p->to,
        "\"><svg width=\"22\" height=\"8\" aria-hidden=\"true\"><path class=\"curve k%d%s\" "
        "d=\"M1 4H21\"/></svg><span class=\"name\">",
        colour % N_COLOURS, dash_of(colour));
    html_escaped(p->to, c->name);
    sink_text(p->to, "</span>");
    if (*c->unit) {
        sink_text(p->to, "<span class=\"unit\">[");
        html_escaped(p->to, c->unit);
        sink_text(p->to, "]</span>");
    }
    sink_text(p->to, "<output></output></button>\n");
}

static void put_panel(const html_plot *p, const html_panel *h)
{
    sink_text(p->to, "<section class=\"panel\"><div class=\"legend\">\n");
    for (int k = 0; k < h->panel->n; k++)
        put_key(p, h, k);
    sink_text(p->to, "</div>\n");
    put_svg(p, h);
    sink_text(p->to, "</section>\n");
}

/* ---- the numbers ---- */

/* Write the CSS classes of a curve: "k1" for marks without dashes, "k1 d2" for the line. */
static void put_style(json_writer *w, int curve)
{
    char text[32];
    snprintf(text, sizeof text, "k%d", curve % N_COLOURS);
    json_key(w, "colour");
    json_string(w, text);
    snprintf(text, sizeof text, "k%d%s", curve % N_COLOURS, dash_of(curve));
    json_key(w, "style");
    json_string(w, text);
}

static void reverse(size_t *rows, size_t n)
{
    for (size_t i = 0; i < n / 2; i++) {
        size_t swap = rows[i];
        rows[i] = rows[n - 1 - i];
        rows[n - 1 - i] = swap;
    }
}

static void put_curve_data(const html_plot *p, json_writer *w, const plot_panel *panel, int k)
{
    enum { TIME_DIGITS = 12, VALUE_DIGITS = 7 };
    const trajectory *tr = p->r->data;
    int32_t col = panel->columns[k];
    size_t n = plot_thin(p->r, &p->layout, col, N_BINS, p->rows, p->room);
    json_open_object(w);
    put_style(w, panel->colours[k]);
    if (n > 1 && trajectory_time(tr, p->rows[0]) > trajectory_time(tr, p->rows[n - 1]))
        reverse(p->rows, n); /* the script searches in rising time */
    json_key(w, "t");
    json_open_array(w);
    for (size_t i = 0; i < n; i++)
        json_number_digits(w, plot_time(p->r, trajectory_time(tr, p->rows[i])), TIME_DIGITS);
    json_close(w);
    json_key(w, "v");
    json_open_array(w);
    for (size_t i = 0; i < n; i++)
        json_number_digits(w, trajectory_value(tr, p->rows[i], (size_t)col), VALUE_DIGITS);
    json_close(w);
    json_close(w);
}

static void put_integer(json_writer *w, const char *key, int value)
{
    json_key(w, key);
    json_integer(w, value);
}

static void put_range(json_writer *w, const char *key, plot_range range)
{
    json_key(w, key);
    json_open_array(w);
    json_number(w, range.low);
    json_number(w, range.high);
    json_close(w);
}

static void put_panel_data(const html_plot *p, json_writer *w, const html_panel *h)
{
    char clip[32];
    snprintf(clip, sizeof clip, "clip%d", h->number);
    json_open_object(w);
    json_key(w, "clip");
    json_string(w, clip);
    put_integer(w, "height", h->height);
    put_integer(w, "bottom", h->bottom);
    put_integer(w, "ticks", h->n_ticks);
    put_integer(w, "least", (int)h->panel->least_step);
    json_key(w, "last");
    json_boolean(w, h->is_last);
    put_range(w, "range", h->range);
    json_key(w, "curves");
    json_open_array(w);
    for (int k = 0; k < h->panel->n && !p->to->failed; k++)
        put_curve_data(p, w, h->panel, k);
    json_close(w);
    json_close(w);
}

static void put_geometry(json_writer *w)
{
    json_key(w, "geometry");
    json_open_object(w);
    put_integer(w, "width", WIDTH);
    put_integer(w, "left", LEFT);
    put_integer(w, "right", RIGHT);
    put_integer(w, "top", TOP);
    json_close(w);
}

static void put_data(const html_plot *p)
{
    json_writer w = json_to(p->to, JSON_IN_HTML);
    sink_text(p->to, "<script type=\"application/json\" id=\"data\">");
    json_open_object(&w);
    put_geometry(&w);
    json_key(&w, "log");
    json_boolean(&w, p->r->log_time);
    json_key(&w, "name");
    json_string(&w, p->r->data->time.name);
    json_key(&w, "unit");
    json_string(&w, p->r->data->time.unit);
    put_range(&w, "time", p->layout.time);
    json_key(&w, "panels");
    json_open_array(&w);
    for (int k = 0; k < p->layout.n_panels; k++) {
        html_panel h = panel_of(p, k);
        put_panel_data(p, &w, &h);
    }
    json_close(&w);
    json_close(&w);
    sink_text(p->to, "</script>\n");
}

/* ---- the page ---- */

/* "time 0 to 10 s, 501 points" */
static void put_subtitle(const html_plot *p)
{
    const trajectory *tr = p->r->data;
    sink_text(p->to, "<p class=\"sub\"><span>");
    html_escaped(p->to, tr->time.name);
    sink_char(p->to, ' ');
    put_number(p->to, trajectory_time(tr, 0));
    sink_text(p->to, " to ");
    put_number(p->to, trajectory_time(tr, tr->n_rows - 1));
    sink_char(p->to, ' ');
    html_escaped(p->to, tr->time.unit);
    sink_format(p->to,
                ", %zu points</span><output id=\"at\"></output>"
                "<button id=\"reset\" type=\"button\" hidden>Show all</button></p></header>\n",
                tr->n_rows);
}

static void put_footer(const html_plot *p)
{
    sink_text(p->to, "<footer>\n");
    for (const char *line = p->r->footer; line && *line;) {
        char text[512];
        size_t n = strcspn(line, "\n"), cut = n < sizeof text - 1 ? n : sizeof text - 1;
        memcpy(text, line, cut);
        text[cut] = '\0';
        sink_text(p->to, "<p>");
        html_escaped(p->to, text);
        sink_text(p->to, "</p>\n");
        line += n + (line[n] == '\n');
    }
    sink_text(p->to,
              "<p class=\"how\">Point at the curves to read values; drag to zoom, double-click "
              "to see all; click a name to hide its curve.</p>\n</footer>\n");
}

static void put_page(const html_plot *p)
{
    const char *const *const styles[] = {curves_html_style, NULL};
    html_head(p->to, p->r->title ? p->r->title : "Trajectory", styles);
    put_subtitle(p);
    sink_text(p->to, "<div class=\"card\">\n");
    for (int k = 0; k < p->layout.n_panels; k++) {
        html_panel h = panel_of(p, k);
        put_panel(p, &h);
    }
    sink_text(p->to, "</div>\n");
    put_footer(p);
    sink_text(p->to, "</main>\n");
    put_data(p);
    sink_text(p->to, "<script>\n");
    html_lines(p->to, curves_html_script);
    sink_text(p->to, "</script>\n</body>\n</html>\n");
}

daedal_status plot_html(sink *to, const plot_request *r, daedal_diagnosis *why)
{
    html_plot p = {.to = to, .r = r, .room = 5 * (N_BINS + 1)};
    if (r->n_columns < 1 || r->data->n_rows == 0)
        return fail(why, DAEDAL_ERR_ARGUMENT, "there is nothing to draw");
    p.rows = memory_take_array(r->data->allocator, p.room, sizeof *p.rows);
    if (!p.rows)
        return fail(why, DAEDAL_ERR_MEMORY, "out of memory for the plot");
    plot_arrange(&p.layout, r, PLOT_PANELS_MAX);
    put_page(&p);
    memory_give(r->data->allocator, p.rows, p.room * sizeof *p.rows);
    return sink_status(to, "the plot", why);
}
