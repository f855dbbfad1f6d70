/* plot/heat_map.c - see heat_map.h.
 *
 * The values are sampled on a grid of cells, each at the time in its middle, and rounded to
 * N_SHADES shades.  Cells of one shade are one path of the picture.                         */
#include "plot/heat_map.h"

#include <math.h>
#include <string.h>

#include "output/utf8.h"
#include "plot/html_text.h"
#include "plot/picture_style.h"

enum { N_SHADES = 64, CELLS_ACROSS = 240, CELLS_UP = 200, NO_SHADE = 255 };

typedef struct shaded_map {
    const heat_map *m;
    plot_request r; /* for the axes: the elements are its columns */
    plot_range time, values;
    int n_across, n_up;
    unsigned char *shade; /* n_up rows from the bottom, each of n_across */
    const daedal_allocator *allocator;
} shaded_map;

/* ---- sampling ---- */

static plot_range included(plot_range r, double x)
{
    if (isnan(x))
        return r;
    return (plot_range){x < r.low ? x : r.low, x > r.high ? x : r.high};
}

static void find_ranges(shaded_map *s)
{
    const table_array *a = &s->m->array;
    s->time = s->values = (plot_range){INFINITY, -INFINITY};
    for (size_t i = 0; i < a->of->n_rows; i++) {
        s->time = included(s->time, plot_time(&s->r, trajectory_time(a->of, i)));
        for (int32_t k = 0; k < a->n; k++)
            s->values = included(s->values, plot_value(&s->r, i, (size_t)a->elements[k]));
    }
    if (!(s->time.high > s->time.low))
        s->time = plot_range_widen(s->time, 0.0);
    if (!(s->values.high > s->values.low))
        s->values = plot_range_widen(s->values, 0.0);
}

/* The value between two rows, in drawn units. */
static double value_between(const shaded_map *s, size_t row, int32_t col, double t)
{
    const trajectory *tr = s->m->array.of;
    double a = plot_value(&s->r, row, (size_t)col);
    if (row + 1 >= tr->n_rows)
        return a;
    double b = plot_value(&s->r, row + 1, (size_t)col);
    double t0 = plot_time(&s->r, trajectory_time(tr, row));
    double t1 = plot_time(&s->r, trajectory_time(tr, row + 1));
    if (tr->columns[col].kind != COLUMN_REAL || !(t1 > t0))
        return a;
    return a + (b - a) * ((t - t0) / (t1 - t0));
}

static unsigned char shade_of(const shaded_map *s, double x)
{
    if (isnan(x))
        return NO_SHADE;
    double share = (x - s->values.low) / (s->values.high - s->values.low);
    int k = (int)floor(share * N_SHADES);
    return (unsigned char)(k < 0 ? 0 : k >= N_SHADES ? N_SHADES - 1 : k);
}

static void sample(shaded_map *s)
{
    const table_array *a = &s->m->array;
    size_t row = 0;
    for (int j = 0; j < s->n_across; j++) {
        double t = s->time.low + (s->time.high - s->time.low) * ((j + 0.5) / s->n_across);
        while (row + 1 < a->of->n_rows && !(plot_time(&s->r, trajectory_time(a->of, row + 1)) > t))
            row++;
        for (int i = 0; i < s->n_up; i++) {
            int32_t k = (int32_t)((i + 0.5) * a->n / s->n_up);
            s->shade[(size_t)i * (size_t)s->n_across + (size_t)j] =
                shade_of(s, value_between(s, row, a->elements[k], t));
        }
    }
}

static daedal_status map_create(shaded_map *s, const heat_map *m, int across, int up,
                                daedal_diagnosis *why)
{
    *s = (shaded_map){.m = m, .allocator = m->array.of->allocator};
    s->r = (plot_request){.data = m->array.of,
                          .columns = m->array.elements,
                          .n_columns = m->array.n,
                          .log_time = m->log_time,
                          .log_values = m->log_values};
    s->n_across = across;
    s->n_up = m->array.n < up ? m->array.n : up;
    if (m->array.n < 1 || m->array.of->n_rows == 0)
        return fail(why, DAEDAL_ERR_ARGUMENT, "there is nothing to draw");
    s->shade = memory_take_array(s->allocator, (size_t)s->n_across * (size_t)s->n_up, 1);
    if (!s->shade)
        return fail(why, DAEDAL_ERR_MEMORY, "out of memory for the plot");
    find_ranges(s);
    sample(s);
    return DAEDAL_OK;
}

static void map_free(shaded_map *s)
{
    if (s->shade)
        memory_give(s->allocator, s->shade, (size_t)s->n_across * (size_t)s->n_up);
}

/* "T [K]" */
static void put_name(const shaded_map *s, sink *to, bool escaped)
{
    const column *c = &s->m->array.of->columns[s->m->array.elements[0]];
    const char *parts[] = {s->m->array.name, *c->unit ? " [" : "", c->unit, *c->unit ? "]" : ""};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        if (escaped)
            html_escaped(to, parts[k]);
        else
            sink_text(to, parts[k]);
    }
}

/* ---- the picture ---- */

enum { WIDTH = 1040, LEFT = 62, RIGHT = 130, TOP = 44, HEIGHT = 430, BOTTOM = 46, BAR = 18 };

/* From dark blue by green to yellow, equally bright steps; anchors between which is interpolated.
 */
static void put_colour(sink *to, int shade)
{
    static const double anchors[][3] = {{68, 1, 84},    {65, 68, 135},  {42, 120, 142},
                                        {34, 168, 132}, {122, 209, 81}, {253, 231, 37}};
    enum { LAST = sizeof anchors / sizeof *anchors - 1 };
    double at = (double)shade / (N_SHADES - 1) * LAST;
    int k = (int)at < LAST ? (int)at : LAST - 1;
    int rgb[3];
    for (int i = 0; i < 3; i++)
        rgb[i] = (int)lround(anchors[k][i] + (at - k) * (anchors[k + 1][i] - anchors[k][i]));
    sink_format(to, "#%02x%02x%02x", (unsigned)rgb[0], (unsigned)rgb[1], (unsigned)rgb[2]);
}

static double across(double share)
{
    return LEFT + share * (WIDTH - LEFT - RIGHT);
}

static double up(double share)
{
    return TOP + (1.0 - share) * HEIGHT;
}

static void put_box(sink *to, double x, double y, double x_end, double y_end)
{
    const double corners[] = {x, y, x_end, y_end, x};
    for (size_t k = 0; k < sizeof corners / sizeof *corners; k++) {
        sink_char(to, "M HVH"[k]);
        picture_coordinate(to, corners[k]);
    }
    sink_char(to, 'z');
}

/* The rectangles of one shade, as runs along the rows. */
static void put_shade(const shaded_map *s, sink *to, int shade)
{
    bool any = false;
    for (int i = 0; i < s->n_up; i++)
        for (int j = 0, end; j < s->n_across; j = end) {
            const unsigned char *row = s->shade + (size_t)i * (size_t)s->n_across;
            for (end = j + 1; end < s->n_across && row[end] == row[j];)
                end++;
            if (row[j] != shade)
                continue;
            if (!any) {
                sink_text(to, "<path fill=\"");
                put_colour(to, shade);
                sink_text(to, "\" d=\"");
                any = true;
            }
            double x = across((double)j / s->n_across), x_end = across((double)end / s->n_across);
            double y = up((i + 1.0) / s->n_up), y_end = up((double)i / s->n_up);
            put_box(to, x, y, x_end, y_end);
        }
    if (any)
        sink_text(to, "\"/>\n");
}

static void put_axes(const shaded_map *s, sink *to)
{
    plot_ticks ticks;
    plot_ticks_time(&ticks, &s->r, s->time, 10);
    for (int k = 0; k < ticks.n; k++)
        picture_text(to, across((ticks.at[k] - s->time.low) / (s->time.high - s->time.low)),
                     TOP + HEIGHT + 18, "middle", ticks.text[k]);
    double low = table_first_subscript(&s->m->array) - 0.5;
    plot_range subscripts = {low, low + s->m->array.n};
    plot_ticks_linear(&ticks, subscripts, 10, 1.0);
    for (int k = 0; k < ticks.n; k++)
        picture_text(to, LEFT - 8, up((ticks.at[k] - low) / s->m->array.n) + 4, "end",
                     ticks.text[k]);
    sink_format(to, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">", (LEFT + WIDTH - RIGHT) / 2,
                TOP + HEIGHT + BOTTOM - 6);
    html_escaped(to, s->m->array.of->time.name);
    if (*s->m->array.of->time.unit) {
        sink_text(to, " [");
        html_escaped(to, s->m->array.of->time.unit);
        sink_char(to, ']');
    }
    sink_format(to,
                "</text>\n<text transform=\"translate(14 %d) rotate(-90)\" text-anchor=\"middle\">"
                "subscript</text>\n",
                TOP + HEIGHT / 2);
}

/* The scale of colours on the right. */
static void put_bar(const shaded_map *s, sink *to)
{
    int x = WIDTH - RIGHT + 20;
    plot_ticks ticks;
    for (int k = 0; k < N_SHADES; k++) {
        double y = up((k + 1.0) / N_SHADES), height = (double)HEIGHT / N_SHADES;
        sink_text(to, "<path fill=\"");
        put_colour(to, k);
        sink_text(to, "\" d=\"");
        put_box(to, x, y, x + BAR, y + height);
        sink_text(to, "\"/>");
    }
    plot_ticks_values(&ticks, &s->r, s->values, 8, 0.0);
    for (int k = 0; k < ticks.n; k++)
        picture_text(to, x + BAR + 6,
                     up((ticks.at[k] - s->values.low) / (s->values.high - s->values.low)) + 4,
                     "start", ticks.text[k]);
    const column *c = &s->m->array.of->columns[s->m->array.elements[0]];
    int width = 8 * (int)(utf8_count(s->m->array.name) + utf8_count(c->unit) + 3);
    bool fits = x + width < WIDTH; /* else it ends at the right */
    sink_format(to, "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\">", fits ? x : WIDTH - 10, TOP - 12,
                fits ? "start" : "end");
    put_name(s, to, true);
    sink_text(to, "</text>\n");
}

static void put_picture(const shaded_map *s, sink *to)
{
    int height = TOP + HEIGHT + BOTTOM + picture_footer_height(s->m->footer);
    picture_open(to, WIDTH, height, s->m->title, LEFT);
    sink_text(to, "<g shape-rendering=\"crispEdges\">\n");
    for (int k = 0; k < N_SHADES && !to->failed; k++)
        put_shade(s, to, k);
    put_bar(s, to);
    sink_text(to, "</g>\n");
    put_axes(s, to);
    picture_close(to, s->m->footer, LEFT, TOP + HEIGHT + BOTTOM);
}

daedal_status heat_map_svg(sink *to, const heat_map *m, daedal_diagnosis *why)
{
    shaded_map s;
    daedal_status status = map_create(&s, m, CELLS_ACROSS, CELLS_UP, why);
    if (status == DAEDAL_OK)
        put_picture(&s, to);
    map_free(&s);
    return status == DAEDAL_OK ? sink_status(to, "the plot", why) : status;
}

daedal_status heat_map_html(sink *to, const heat_map *m, daedal_diagnosis *why)
{
    static const char *const style[] = {"body{margin:24px;font-family:sans-serif}",
                                        "svg{max-width:100%;height:auto}", NULL};
    const char *const *const styles[] = {style, NULL};
    heat_map inner = *m;
    inner.title = NULL;
    html_head(to, m->title ? m->title : "Map", styles);
    sink_text(to, "</header>\n");
    daedal_status status = heat_map_svg(to, &inner, why);
    sink_text(to, "</main>\n</body>\n</html>\n");
    return status == DAEDAL_OK ? sink_status(to, "the plot", why) : status;
}

/* ---- the terminal ---- */

static const char ramp[] = " .:-=+*#%@";

static char character_of(unsigned char shade)
{
    enum { STEPS = sizeof ramp - 1 };
    return shade == NO_SHADE ? '?' : ramp[shade * STEPS / N_SHADES];
}

static void put_row(const shaded_map *s, sink *to, int i)
{
    const unsigned char *row = s->shade + (size_t)i * (size_t)s->n_across;
    int n = s->n_across;
    int32_t element =
        (int32_t)((i + 0.5) * s->m->array.n / s->n_up) + table_first_subscript(&s->m->array);
    bool labelled = i == 0 || i == s->n_up - 1 || (s->n_up > 4 && i == s->n_up / 2);
    char label[12] = "";
    if (labelled)
        snprintf(label, sizeof label, "%d", (int)element);
    sink_format(to, "%6s |", label);
    while (n > 0 && character_of(row[n - 1]) == ' ')
        n--;
    for (int j = 0; j < n; j++)
        sink_char(to, character_of(row[j]));
    sink_char(to, '\n');
}

static void put_scale(const shaded_map *s, sink *to)
{
    char low[24], high[24], first[24], last[24];
    bool log_values = s->m->log_values, log_time = s->m->log_time;
    plot_number(low, log_values ? pow(10.0, s->values.low) : s->values.low, 4);
    plot_number(high, log_values ? pow(10.0, s->values.high) : s->values.high, 4);
    plot_number(first, log_time ? pow(10.0, s->time.low) : s->time.low, 6);
    plot_number(last, log_time ? pow(10.0, s->time.high) : s->time.high, 6);
    sink_text(to, "       +");
    sink_repeat(to, "-", s->n_across);
    sink_format(to, "\n        %s%*s\n", first, s->n_across - (int)strlen(first), last);
    sink_text(to, "        ");
    put_name(s, to, false);
    sink_format(to, ": %s '%s' %s, subscripts upwards, time to the right\n", low, ramp, high);
}

daedal_status heat_map_terminal(sink *to, const heat_map *m, const plot_terminal_style *style,
                                daedal_diagnosis *why)
{
    shaded_map s;
    int width = style->width > 40 ? style->width - 8 : 32;
    int height = style->height > 14 ? style->height - 6 : 8;
    daedal_status status = map_create(&s, m, width, height, why);
    if (status == DAEDAL_OK) {
        if (m->title) {
            sink_text(to, "        ");
            sink_text(to, m->title);
            sink_char(to, '\n');
        }
        for (int i = s.n_up - 1; i >= 0; i--)
            put_row(&s, to, i);
        put_scale(&s, to);
        if (m->footer && *m->footer) {
            sink_text(to, m->footer);
            sink_text(to, m->footer[strlen(m->footer) - 1] != '\n' ? "\n" : "");
        }
    }
    map_free(&s);
    return status == DAEDAL_OK ? sink_status(to, "the plot", why) : status;
}
