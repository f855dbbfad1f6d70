/* plot/curves_html.c - see curves_html.h.
 *
 * The page holds the picture twice: drawn here as SVG, which needs no script, and as numbers
 * (JSON in a script element), from which curves_html_page.c draws again when the reader zooms.
 * A table with more columns than curves has all of them in a tree, from which the reader chooses.
 * Curves break where time repeats: a dotted vertical line joins the two sides of an event.      */
#include "plot/curves_html.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "output/json_writer.h"
#include "plot/curves_html_page.h"
#include "plot/curves_panels.h"
#include "plot/html_text.h"

/* ---- texts ---- */

static void put_number(sink *to, double x)
{
    char text[24];
    plot_number(text, x, 6);
    sink_text(to, text);
}

/* ---- legend ---- */

static void put_key(const panel_plot *p, const drawn_panel *h, int k)
{
    const column *c = &p->r->data->columns[h->panel->columns[k]];
    int colour = h->panel->colours[k];
    sink_text(p->to, "<button class=\"key\" type=\"button\" aria-pressed=\"true\" title=\"");
    html_escaped(p->to, *c->description ? c->description : "show or hide");
    sink_format(
        p->to,
        "\"><svg width=\"22\" height=\"8\" aria-hidden=\"true\"><path class=\"curve k%d%s\" "
        "d=\"M1 4H21\"/></svg><span class=\"name\">",
        colour % PANEL_COLOURS, panels_dash(colour));
    html_escaped(p->to, c->name);
    sink_text(p->to, "</span>");
    if (*c->unit) {
        sink_text(p->to, "<span class=\"unit\">[");
        html_escaped(p->to, c->unit);
        sink_text(p->to, "]</span>");
    }
    sink_text(p->to, "<output></output></button>\n");
}

static void put_panel(const panel_plot *p, const drawn_panel *h)
{
    sink_text(p->to, "<section class=\"panel\"><div class=\"legend\">\n");
    for (int k = 0; k < h->panel->n; k++)
        put_key(p, h, k);
    sink_text(p->to, "</div>\n");
    panels_put_svg(p, h, "");
    sink_text(p->to, "</section>\n");
}

/* ---- the numbers ---- */

/* Write the CSS classes of a curve: "k1" for marks without dashes, "k1 d2" for the line. */
static void put_style(json_writer *w, int curve)
{
    char text[32];
    snprintf(text, sizeof text, "k%d", curve % PANEL_COLOURS);
    json_key(w, "colour");
    json_string(w, text);
    snprintf(text, sizeof text, "k%d%s", curve % PANEL_COLOURS, panels_dash(curve));
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

static void put_curve_data(const panel_plot *p, json_writer *w, const plot_panel *panel, int k)
{
    enum { TIME_DIGITS = 12, VALUE_DIGITS = 7 };
    const trajectory *tr = p->r->data;
    int32_t col = panel->columns[k];
    size_t n = plot_thin(p->r, &p->layout, col, PANEL_BINS, p->rows, p->room);
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
        json_number_digits(w, plot_value(p->r, p->rows[i], (size_t)col), VALUE_DIGITS);
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

static void put_panel_data(const panel_plot *p, json_writer *w, const drawn_panel *h)
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

static void put_geometry(const panel_plot *p, json_writer *w)
{
    json_key(w, "geometry");
    json_open_object(w);
    put_integer(w, "width", PANEL_WIDTH);
    put_integer(w, "left", p->left);
    put_integer(w, "right", PANEL_RIGHT);
    put_integer(w, "top", PANEL_TOP);
    json_close(w);
}

/* ---- variables to choose from ---- */

enum { CHOICE_MAX = 1000, CHOICE_BINS = 100 }; /* a page of some megabytes at most */

/* Where the table has more columns than are drawn, a tree of all of them follows the curves. */
static bool has_choice(const panel_plot *p)
{
    int32_t n = 0;
    for (int k = 0; k < p->layout.n_panels; k++)
        n += p->layout.panels[k].n;
    return !p->r->is_path && p->r->data->n_columns > (size_t)n;
}

/* The panel of the curves that the reader chooses. */
static drawn_panel chosen_panel(const panel_plot *p, const plot_panel *empty)
{
    drawn_panel h = panels_at(p, p->layout.n_panels - 1);
    h.panel = empty;
    h.number = p->layout.n_panels;
    h.range = empty->range;
    return h;
}

static const plot_panel no_curves = {.range = {0.0, 1.0}, .unit = ""};

static void put_choice(const panel_plot *p)
{
    drawn_panel h = chosen_panel(p, &no_curves);
    size_t n = p->r->data->n_columns;
    sink_text(p->to,
              "<section class=\"panel\" id=\"chosen\" hidden><div class=\"legend\"></div>\n");
    panels_put_svg(p, &h, "");
    sink_format(p->to, "</section>\n<details id=\"tree\" hidden><summary>Choose from %zu variables",
                n);
    if (n > CHOICE_MAX)
        sink_format(p->to, ", of which the first %d are here", (int)CHOICE_MAX);
    sink_text(p->to, "</summary></details>\n");
}

static void put_numbers(const panel_plot *p, json_writer *w, const char *key, size_t n, int32_t col)
{
    enum { DIGITS = 7 };
    json_key(w, key);
    json_open_array(w);
    for (size_t i = 0; i < n; i++)
        json_number_digits(w,
                           col < 0 ? plot_time(p->r, trajectory_time(p->r->data, p->rows[i]))
                                   : plot_value(p->r, p->rows[i], (size_t)col),
                           DIGITS);
    json_close(w);
}

static void put_choice_data(const panel_plot *p, json_writer *w)
{
    const trajectory *tr = p->r->data;
    json_key(w, "choice");
    json_open_array(w);
    for (size_t col = 0; col < tr->n_columns && col < CHOICE_MAX && !p->to->failed; col++) {
        size_t n = plot_thin(p->r, &p->layout, (int32_t)col, CHOICE_BINS, p->rows, p->room);
        if (n > 1 && trajectory_time(tr, p->rows[0]) > trajectory_time(tr, p->rows[n - 1]))
            reverse(p->rows, n);
        json_open_object(w);
        json_key(w, "name");
        json_string(w, tr->columns[col].name);
        json_key(w, "unit");
        json_string(w, tr->columns[col].unit);
        json_key(w, "text");
        json_string(w, tr->columns[col].description);
        put_numbers(p, w, "t", n, -1);
        put_numbers(p, w, "v", n, (int32_t)col);
        json_close(w);
    }
    json_close(w);
}

static void put_data(const panel_plot *p)
{
    json_writer w = json_to(p->to, JSON_IN_HTML);
    sink_text(p->to, "<script type=\"application/json\" id=\"data\">");
    json_open_object(&w);
    put_geometry(p, &w);
    json_key(&w, "log");
    json_boolean(&w, p->r->log_time);
    json_key(&w, "logv");
    json_boolean(&w, p->r->log_values);
    json_key(&w, "name");
    json_string(&w, p->r->data->time.name);
    json_key(&w, "unit");
    json_string(&w, p->r->data->time.unit);
    put_range(&w, "time", p->layout.time);
    json_key(&w, "panels");
    json_open_array(&w);
    for (int k = 0; k < p->layout.n_panels; k++) {
        drawn_panel h = panels_at(p, k);
        put_panel_data(p, &w, &h);
    }
    if (has_choice(p)) {
        drawn_panel h = chosen_panel(p, &no_curves);
        put_panel_data(p, &w, &h);
    }
    json_close(&w);
    if (has_choice(p))
        put_choice_data(p, &w);
    json_close(&w);
    sink_text(p->to, "</script>\n");
}

/* ---- the page ---- */

/* "time 0 to 10 s, 501 points" */
static void put_subtitle(const panel_plot *p)
{
    const trajectory *tr = p->r->data;
    if (p->r->is_path) {
        sink_text(p->to, "<p class=\"sub\">against ");
        html_escaped(p->to, tr->time.name);
        sink_format(p->to, ", %zu points</p></header>\n", tr->n_rows);
        return;
    }
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

static void put_footer(const panel_plot *p)
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
    if (p->r->is_path) {
        sink_text(p->to, "</footer>\n");
        return;
    }
    sink_text(p->to,
              "<p class=\"how\">Point at the curves to read values; drag to zoom, double-click "
              "to see all; click a name to hide its curve.</p>\n</footer>\n");
}

static void put_page(const panel_plot *p)
{
    const char *const *const styles[] = {curves_html_style, NULL};
    html_head(p->to, p->r->title ? p->r->title : "Trajectory", styles);
    put_subtitle(p);
    sink_text(p->to, "<div class=\"card\">\n");
    for (int k = 0; k < p->layout.n_panels; k++) {
        drawn_panel h = panels_at(p, k);
        put_panel(p, &h);
    }
    if (has_choice(p))
        put_choice(p);
    sink_text(p->to, "</div>\n");
    put_footer(p);
    sink_text(p->to, "</main>\n");
    if (!p->r->is_path) { /* the script searches in time */
        put_data(p);
        sink_text(p->to, "<script>\n");
        html_lines(p->to, curves_html_script);
        sink_text(p->to, "</script>\n");
    }
    sink_text(p->to, "</body>\n</html>\n");
}

daedal_status plot_html(sink *to, const plot_request *r, daedal_diagnosis *why)
{
    return panels_draw(to, r, put_page, why);
}
