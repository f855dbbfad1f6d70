/* plot/curves_terminal.c - see curves_terminal.h.
 *
 * A panel is a grid of cells.  In Unicode a cell has 2 x 4 dots (the braille patterns from U+2800
 * on, one bit for each dot); in ASCII it has one.  A curve is a chain of straight lines between
 * dots.  An event is a vertical line, because its two rows have the same time.                */
#include "plot/curves_terminal.h"

#include <math.h>
#include <string.h>

#include "output/utf8.h"

enum {
    WIDTH_LEAST = 40,
    HEIGHT_LEAST = 10,
    PANEL_ROWS_LEAST = 4, /* of the grid */
    PANEL_ROWS_GOOD = 7,
    N_COLOURS = 8,
    LABELS = 3 /* letters on each curve without colour */
};

typedef struct plot_cell {
    unsigned char dots; /* bits of the braille pattern, or 1 */
    signed char curve;  /* the last that drew here, or -1    */
    char letter;        /* or 0                              */
} plot_cell;

typedef struct terminal_plot {
    sink *to;
    const plot_request *r;
    const plot_terminal_style *style;
    const daedal_allocator *allocator;
    plot_layout layout;
    int width;          /* of a line                  */
    int label_width;    /* of the numbers on the left */
    int n_cols, n_rows; /* of the grid of a panel     */
    int across, up;     /* dots of a cell             */
    plot_cell *cells;
    size_t *rows; /* of a thinned curve */
    size_t room;
    block mem;
} terminal_plot;

/* ---- characters and colours ---- */

static const char *pick(const terminal_plot *p, const char *unicode, const char *ascii)
{
    return p->style->ascii ? ascii : unicode;
}

/* The colours are legible on black and on white. */
static void set_colour(const terminal_plot *p, int curve)
{
    static const int codes[N_COLOURS] = {33, 208, 35, 170, 178, 37, 203, 245};
    if (p->style->colour)
        sink_format(p->to, "\x1b[38;5;%dm", codes[curve % N_COLOURS]);
}

static void end_colour(const terminal_plot *p)
{
    if (p->style->colour)
        sink_text(p->to, "\x1b[0m");
}

static char mark_of(int curve)
{
    return "*o+x#@%=&$~^"[curve % 12];
}

static char letter_of(int curve)
{
    return (char)('a' + curve % 26);
}

static void put_blanks(const terminal_plot *p, int n)
{
    sink_repeat(p->to, " ", n);
}

/* ---- legend ---- */

static void put_swatch(const terminal_plot *p, int curve, bool alone)
{
    set_colour(p, curve);
    if (p->style->ascii)
        sink_char(p->to, mark_of(curve));
    else if (p->style->colour || alone)
        sink_text(p->to, "\xe2\x94\x81\xe2\x94\x81"); /* heavy line */
    else
        sink_char(p->to, letter_of(curve));
    end_colour(p);
    sink_char(p->to, ' ');
}

/* Write at most `most` characters of a text; dots show where it was cut. */
static void put_cut(const terminal_plot *p, const char *text, int most)
{
    size_t left = strlen(text), length;
    bool whole = utf8_count(text) <= (size_t)most;
    for (int k = 0; left && (whole || k < most - 1); k++, text += length, left -= length) {
        bool valid = utf8_length(text, left) > 0;
        utf8_decode(text, left, &length);
        if (!valid || (unsigned char)*text < 0x20)
            sink_char(p->to, '?');
        else
            sink_bytes(p->to, text, length);
    }
    if (!whole)
        sink_text(p->to, pick(p, "\xe2\x80\xa6", "~"));
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

static void put_unit(const terminal_plot *p, const char *unit)
{
    sink_text(p->to, " [");
    put_cut(p, unit, 12);
    sink_char(p->to, ']');
}

/* Write the names on as many lines as they need; returns the number of lines. */
static int put_legend(const terminal_plot *p, const plot_panel *panel)
{
    int margin = p->label_width + 2, used = 0, lines = 1;
    for (int k = 0; k < panel->n; k++) {
        const column *c = &p->r->data->columns[panel->columns[k]];
        int name = least((int)utf8_count(c->name), p->width - margin - 20);
        int wide = 3 + name + (*c->unit ? 3 + least((int)utf8_count(c->unit), 12) : 0);
        if (k > 0 && margin + used + 3 + wide > p->width) {
            sink_char(p->to, '\n');
            lines++;
            used = 0;
        }
        put_blanks(p, used ? 3 : margin);
        used += wide + (used ? 3 : 0);
        put_swatch(p, panel->colours[k], panel->n == 1);
        put_cut(p, c->name, name);
        if (*c->unit)
            put_unit(p, c->unit);
    }
    sink_char(p->to, '\n');
    return lines;
}

static int count_legend(const terminal_plot *p, const plot_panel *panel)
{
    sink nowhere = sink_to_nowhere();
    terminal_plot dry = *p;
    dry.to = &nowhere;
    return put_legend(&dry, panel);
}

/* ---- curves ---- */

/* Set the dot (x, y), with y counted from the top. */
static void set_dot(const terminal_plot *p, int x, int y, int curve)
{
    static const unsigned char braille[4][2] = {{1, 8}, {2, 16}, {4, 32}, {64, 128}};
    plot_cell *cell = &p->cells[(y / p->up) * p->n_cols + x / p->across];
    cell->dots |= p->style->ascii ? 1 : braille[y % 4][x % 2];
    cell->curve = (signed char)curve;
}

static void draw_line(const terminal_plot *p, const int from[2], const int to[2], int curve)
{
    int dx = to[0] - from[0], dy = to[1] - from[1];
    int n = dx < 0 ? -dx : dx;
    n = n < dy ? dy : n < -dy ? -dy : n;
    for (int k = 0; k <= n; k++)
        set_dot(p, from[0] + (n ? (2 * k * dx + n) / (2 * n) : 0),
                from[1] + (n ? (2 * k * dy + (dy < 0 ? -n : n)) / (2 * n) : 0), curve);
}

static int dot_at(double share, int n_dots)
{
    double x = floor(share * n_dots);
    return !(x > 0.0) ? 0 : x > n_dots - 1 ? n_dots - 1 : (int)x;
}

/* Compute the dot of a row; false if the row has no value. */
static bool locate(const terminal_plot *p, const plot_panel *panel, size_t row, int32_t col,
                   int at[2])
{
    const plot_range *time = &p->layout.time, *range = &panel->range;
    double x = plot_value(p->r, row, (size_t)col);
    double t = plot_time(p->r, trajectory_time(p->r->data, row));
    if (!isfinite(x) || !isfinite(t))
        return false;
    at[0] = dot_at((t - time->low) / (time->high - time->low), p->n_cols * p->across);
    at[1] = dot_at((range->high - x) / (range->high - range->low), p->n_rows * p->up);
    return true;
}

/* Place letters along a curve, away from those of the other curves. */
static void label_curve(const terminal_plot *p, const plot_panel *panel, int k, size_t n)
{
    int at[2];
    size_t i = 0;
    for (int label = 0; label < LABELS; label++) {
        int wish = p->n_cols * (label * (panel->n + 1) + k + 1) / (LABELS * (panel->n + 1));
        for (; i < n; i++)
            if (locate(p, panel, p->rows[i], panel->columns[k], at) && at[0] / p->across >= wish)
                break;
        if (i < n)
            p->cells[(at[1] / p->up) * p->n_cols + at[0] / p->across].letter =
                letter_of(panel->colours[k]);
    }
}

static void draw_curve(const terminal_plot *p, const plot_panel *panel, int k)
{
    int last[2], at[2];
    bool connected = false;
    size_t n_bins = (size_t)(p->n_cols * p->across);
    size_t n = plot_thin(p->r, &p->layout, panel->columns[k], n_bins, p->rows, p->room);
    for (size_t i = 0; i < n; i++) {
        bool there = locate(p, panel, p->rows[i], panel->columns[k], at);
        if (there)
            draw_line(p, connected ? last : at, at, panel->colours[k]);
        connected = there && !p->r->is_scatter;
        memcpy(last, at, sizeof last);
    }
    if (!p->style->colour && !p->style->ascii && panel->n > 1)
        label_curve(p, panel, k, n);
}

/* ---- panels ---- */

static void put_cell(const terminal_plot *p, const plot_cell *cell)
{
    char bytes[4];
    if (cell->letter)
        sink_char(p->to, cell->letter);
    else if (p->style->ascii)
        sink_char(p->to, mark_of(cell->curve));
    else
        sink_bytes(p->to, bytes, utf8_encode(bytes, 0x2800u + cell->dots));
}

/* Write the cells up to the last that is not empty, changing the colour with the curve. */
static void put_cells(const terminal_plot *p, const plot_cell *cells)
{
    int n = p->n_cols, colour = -1;
    while (n > 0 && !cells[n - 1].dots)
        n--;
    for (int j = 0; j < n; j++) {
        int wanted = cells[j].dots ? cells[j].curve : -1;
        if (wanted != colour && colour >= 0)
            end_colour(p);
        if (wanted != colour && wanted >= 0)
            set_colour(p, wanted);
        colour = wanted;
        if (cells[j].dots)
            put_cell(p, &cells[j]);
        else
            sink_char(p->to, ' ');
    }
    if (colour >= 0)
        end_colour(p);
    sink_char(p->to, '\n');
}

/* The number beside row i, or NULL. */
static const char *label_of(const terminal_plot *p, const plot_panel *panel,
                            const plot_ticks *ticks, int i)
{
    double height = panel->range.high - panel->range.low;
    for (int k = 0; k < ticks->n; k++)
        if (dot_at((panel->range.high - ticks->at[k]) / height, p->n_rows) == i)
            return ticks->text[k];
    return NULL;
}

static void put_panel(const terminal_plot *p, const plot_panel *panel)
{
    plot_ticks ticks;
    int wanted = p->n_rows >= 10 ? 2 * p->n_rows / 5 : p->n_rows >= 6 ? 4 : 2;
    plot_ticks_values(&ticks, p->r, panel->range, wanted, panel->least_step);
    memset(p->cells, 0, sizeof *p->cells * (size_t)(p->n_cols * p->n_rows));
    for (int k = 0; k < panel->n; k++)
        draw_curve(p, panel, k);
    put_legend(p, panel);
    for (int i = 0; i < p->n_rows; i++) {
        const char *label = label_of(p, panel, &ticks, i);
        sink_format(p->to, "%*s ", p->label_width, label ? label : "");
        sink_text(p->to, label ? pick(p, "\xe2\x94\xa4", "+") : pick(p, "\xe2\x94\x82", "|"));
        put_cells(p, p->cells + i * p->n_cols);
    }
}

/* ---- the time axis ---- */

static int column_of(const terminal_plot *p, double t)
{
    const plot_range *time = &p->layout.time;
    return dot_at((t - time->low) / (time->high - time->low), p->n_cols);
}

static void put_axis_line(const terminal_plot *p, const plot_ticks *ticks)
{
    put_blanks(p, p->label_width + 1);
    sink_text(p->to, pick(p, "\xe2\x94\x94", "+"));
    for (int j = 0, k = 0; j < p->n_cols; j++) {
        bool here = k < ticks->n && column_of(p, ticks->at[k]) == j;
        k += here;
        sink_text(p->to, here ? pick(p, "\xe2\x94\xac", "+") : pick(p, "\xe2\x94\x80", "-"));
    }
    sink_char(p->to, '\n');
}

/* Write numbers centred below their ticks, inside the line, and without touching each other. */
static void put_axis_numbers(const terminal_plot *p, const plot_ticks *ticks)
{
    int used = 0;
    for (int k = 0; k < ticks->n; k++) {
        int length = (int)strlen(ticks->text[k]);
        int at = p->label_width + 2 + column_of(p, ticks->at[k]) - length / 2;
        if (at + length > p->width)
            at = p->width - length;
        if (at < used + (used > 0))
            continue;
        put_blanks(p, at - used);
        sink_text(p->to, ticks->text[k]);
        used = at + length;
    }
    sink_char(p->to, '\n');
}

static void put_time_label(const terminal_plot *p)
{
    int length =
        (int)utf8_count(p->r->data->time.name) + (int)utf8_count(p->r->data->time.unit) + 3;
    int at = p->label_width + 2 + (p->n_cols - length) / 2;
    put_blanks(p, at > 0 ? at : 0);
    plot_time_label(p->r, p->to);
    sink_char(p->to, '\n');
}

static void put_time_axis(const terminal_plot *p)
{
    plot_ticks ticks;
    int wanted = p->n_cols / 10;
    plot_ticks_time(&ticks, p->r, p->layout.time, wanted);
    put_axis_line(p, &ticks);
    put_axis_numbers(p, &ticks);
    put_time_label(p);
}

/* ---- the whole plot ---- */

static void put_title(const terminal_plot *p)
{
    if (!p->r->title)
        return;
    put_blanks(p, p->label_width + 2);
    if (p->style->colour)
        sink_text(p->to, "\x1b[1m");
    put_cut(p, p->r->title, p->width - p->label_width - 2);
    end_colour(p);
    sink_char(p->to, '\n');
}

static void put_footer(const terminal_plot *p)
{
    if (!p->r->footer)
        return;
    sink_text(p->to, p->r->footer);
    size_t n = strlen(p->r->footer);
    if (n == 0 || p->r->footer[n - 1] != '\n')
        sink_char(p->to, '\n');
}

static int count_lines(const char *text)
{
    if (!text)
        return 0;
    int n = *text != '\0';
    for (; *text; text++)
        n += *text == '\n' && text[1];
    return n;
}

/* The width of the numbers on the left: that of the widest in all panels. */
static int widest_label(const plot_request *r, const plot_layout *l)
{
    size_t width = 1;
    for (int k = 0; k < l->n_panels; k++) {
        plot_ticks ticks;
        for (int wanted = 2; wanted <= 12; wanted++) {
            plot_ticks_values(&ticks, r, l->panels[k].range, wanted, l->panels[k].least_step);
            for (int i = 0; i < ticks.n; i++)
                width = strlen(ticks.text[i]) > width ? strlen(ticks.text[i]) : width;
        }
    }
    return (int)width;
}

/* Compute all sizes from the width and height that were asked for. */
static void measure(terminal_plot *p)
{
    int height = p->style->height > HEIGHT_LEAST ? p->style->height : HEIGHT_LEAST;
    p->width = p->style->width > WIDTH_LEAST ? p->style->width : WIDTH_LEAST;
    p->across = p->style->ascii ? 1 : 2;
    p->up = p->style->ascii ? 1 : 4;
    int fixed = 3 + (p->r->title != NULL) + count_lines(p->r->footer);
    int panels = (height - fixed) / (PANEL_ROWS_GOOD + 1);
    plot_arrange(&p->layout, p->r, panels > 1 ? panels : 1);
    for (int k = 0; k < p->layout.n_panels; k++)
        p->layout.panels[k].range = plot_range_widen(p->layout.panels[k].range, 0.02);
    p->label_width = widest_label(p->r, &p->layout);
    p->n_cols = p->width - p->label_width - 2;
    for (int k = 0; k < p->layout.n_panels; k++)
        fixed += count_legend(p, &p->layout.panels[k]);
    p->n_rows = (height - fixed) / p->layout.n_panels;
    p->n_rows = p->n_rows > PANEL_ROWS_LEAST ? p->n_rows : PANEL_ROWS_LEAST;
    p->room = 5 * ((size_t)(p->n_cols * p->across) + 1);
}

static void lay_out(void *object, layout *l)
{
    terminal_plot *p = object;
    p->cells = layout_take(l, (size_t)(p->n_cols * p->n_rows), sizeof *p->cells);
    p->rows = layout_take(l, p->room, sizeof *p->rows);
}

daedal_status plot_terminal(sink *to, const plot_request *r, const plot_terminal_style *style,
                            daedal_diagnosis *why)
{
    terminal_plot p = {.to = to, .r = r, .style = style};
    if (r->n_columns < 1 || r->data->n_rows == 0)
        return fail(why, DAEDAL_ERR_ARGUMENT, "there is nothing to draw");
    measure(&p);
    if (!block_create(&p.mem, r->data->allocator, lay_out, &p))
        return fail(why, DAEDAL_ERR_MEMORY, "out of memory for the plot");
    put_title(&p);
    for (int k = 0; k < p.layout.n_panels; k++)
        put_panel(&p, &p.layout.panels[k]);
    put_time_axis(&p);
    put_footer(&p);
    block_free(&p.mem);
    return sink_status(to, "the plot", why);
}
