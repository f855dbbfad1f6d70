/* plot/incidence_html.c - see incidence_html.h.
 *
 * Both pictures are grids of `bins` x `bins` cells.  A cell belongs to one equation and one
 * variable, or in a density plot to a group of each.  Positions are integers: the units of the
 * inner SVG are cells, and those of the outlines of blocks are equations.                  */
#include "plot/incidence_html.h"

#include <string.h>

#include "output/json_writer.h"
#include "output/utf8.h"
#include "plot/curves_html_page.h"
#include "plot/html_text.h"
#include "plot/incidence_html_page.h"

/* Beyond these limits single marks would be too small to see and the page too large, so that a
 * density is drawn instead.  In the worst case, where no cell is like its neighbour, a density
 * takes 2 * 128^2 paths of 9 or 10 bytes and 4 * 128 texts.                                 */
enum { DETAIL_ROWS = 400, DETAIL_ENTRIES = 8000, DENSITY_BINS = 128 };
/* Sizes in units of the drawing, which are pixels at full width. */
enum { WIDTH = 620, EDGE = 6, CELL_MOST = 26, LABELLED_MOST = 30, LETTER = 6 };
enum { ROW_LETTERS = 32, COLUMN_LETTERS = 20, TEXT_LETTERS = 120 };
enum { N_LEVELS = 4, N_VIEWS = 2 };

typedef struct matrix_view {
    const char *title;
    const int32_t *rows, *cols; /* equation and variable by place; NULL: as they are numbered */
    int32_t *row_at, *col_at;   /* the inverse: place by equation and by variable */
    bool in_blocks;
} matrix_view;

typedef struct matrix_page {
    sink *to;
    const daedal_incidence *data;
    matrix_view views[N_VIEWS];
    int32_t bins;
    bool grouped; /* a density is drawn */
    bool labelled;
    int left, top, size; /* position and size of the matrix in the drawing */
    int32_t *count;      /* bins * bins: see count_entries */
    int32_t *places;     /* memory that holds row_at and col_at */
} matrix_page;

/* ---- texts ---- */

/* The beginning of a text; dots show where it was cut. */
static const char *shorten(const char *text, size_t letters, char buffer[4 * TEXT_LETTERS + 4])
{
    size_t left = strlen(text), used = 0;
    if (utf8_count(text) <= letters && left <= 4 * letters)
        return text;
    for (size_t k = 0; k + 3 < letters && used < left; k++) {
        size_t n;
        utf8_decode(text + used, left - used, &n);
        used += n;
    }
    memcpy(buffer, text, used);
    memcpy(buffer + used, "...", 4);
    return buffer;
}

static void put_short(sink *to, const char *text, size_t letters)
{
    char buffer[4 * TEXT_LETTERS + 4];
    html_escaped(to, shorten(text, letters, buffer));
}

/* ---- places ---- */

static int32_t at_place(const int32_t *order, int32_t place)
{
    return order ? order[place] : place;
}

static int32_t bin_of(const matrix_page *p, int32_t place)
{
    return (int32_t)((int64_t)place * p->bins / p->data->n);
}

/* The first place in a cell. */
static int32_t place_of(const matrix_page *p, int32_t bin)
{
    return (int32_t)(((int64_t)bin * p->data->n + p->bins - 1) / p->bins);
}

static void invert(int32_t *at, const int32_t *order, int32_t n)
{
    for (int32_t k = 0; k < n; k++)
        at[at_place(order, k)] = k;
}

/* ---- marks ---- */

/* Write one path for each kind of mark.  Lines of zero length are drawn as dots or squares by
 * their caps.                                                                   */
static void put_marks(const matrix_page *p, const matrix_view *v, bool derivative, bool known)
{
    const char *kind = derivative ? "derivative" : "value";
    sink_format(p->to, "<path class=\"mark %s%s\" data-what=\"%s%s\" d=\"", kind,
                known ? " known" : "", kind, known ? ", known when this equation is solved" : "");
    for (int32_t k = 0; k < p->data->n_entries; k++) {
        const daedal_incidence_entry *e = &p->data->entries[k];
        if ((e->derivative > 0) == derivative && !e->is_essential == known)
            sink_format(p->to, "M%d %dh.01", (int)v->col_at[e->variable],
                        (int)v->row_at[e->equation]);
    }
    sink_text(p->to, "\"/>\n");
}

/* Count the entries of each cell: a known entry gives 1, every other entry adds one more.  The
 * count is negative where there is a derivative.                                */
static void count_entries(const matrix_page *p, const matrix_view *v)
{
    memset(p->count, 0, (size_t)p->bins * (size_t)p->bins * sizeof *p->count);
    for (int32_t k = 0; k < p->data->n_entries; k++) {
        const daedal_incidence_entry *e = &p->data->entries[k];
        int32_t row = bin_of(p, v->row_at[e->equation]), col = bin_of(p, v->col_at[e->variable]);
        int32_t *cell = &p->count[(size_t)row * (size_t)p->bins + (size_t)col];
        int32_t n = *cell < 0 ? -*cell : *cell;
        n = (n > 0 ? n : 1) + (e->is_essential != 0);
        *cell = *cell < 0 || e->derivative > 0 ? -n : n;
    }
}

/* Level 3 is that of a diagonal, which has as many entries in a cell as the cell has rows. */
static int level_of(const matrix_page *p, int32_t count)
{
    int64_t rows = (p->data->n + p->bins - 1) / p->bins, n = count < 0 ? -(int64_t)count : count;
    if (n <= 1)
        return (int)n;
    return n - 1 >= 2 * rows ? 4 : 2 * (n - 1) >= rows ? 3 : 2;
}

static void put_density(const matrix_page *p, bool derivative, int level)
{
    sink_format(p->to, "<path class=\"mark %s l%d\" d=\"", derivative ? "derivative" : "value",
                level);
    for (int32_t i = 0; i < p->bins; i++) {
        const int32_t *row = p->count + (size_t)i * (size_t)p->bins;
        for (int32_t j = 0, begin; j < p->bins; j++) {
            begin = j;
            while (j < p->bins && level_of(p, row[j]) == level && (row[j] < 0) == derivative)
                j++;
            if (j > begin)
                sink_format(p->to, "M%d %dh%d", (int)begin, (int)i, (int)(j - begin));
        }
    }
    sink_text(p->to, "\"/>\n");
}

static void put_entries(const matrix_page *p, const matrix_view *v)
{
    if (!p->grouped) {
        sink_text(p->to, "<g transform=\"translate(.5 .5)\">\n");
        for (int kind = 0; kind < 4; kind++)
            put_marks(p, v, kind & 1,
                      kind < 2); /* known entries are drawn first, below the others */
    } else {
        sink_text(p->to, "<g class=\"density\" transform=\"translate(0 .5)\">\n");
        count_entries(p, v);
        for (int level = 1; level <= N_LEVELS; level++) {
            put_density(p, false, level);
            put_density(p, true, level);
        }
    }
    sink_text(p->to, "</g>\n");
}

/* Outlines of blocks, in units of equations; in a density plot only those large enough to see. */
static void put_blocks(const matrix_page *p, bool single)
{
    const daedal_incidence *d = p->data;
    int32_t visible = p->grouped ? 1 + d->n / p->bins : 1;
    sink_format(p->to, "<path class=\"%s\" d=\"", single ? "single" : "block");
    for (int32_t b = 0; b < d->n_blocks && !(single && p->grouped); b++) {
        int first = (int)d->block_start[b], size = (int)d->block_start[b + 1] - first;
        if (size >= visible && (size == 1) == single)
            sink_format(p->to, "M%d %dh%dv%dh-%dz", first, first, size, size, size);
    }
    sink_text(p->to, "\"/>\n");
}

/* ---- one picture ---- */

static void put_labels(const matrix_page *p, const matrix_view *v)
{
    int n = (int)p->data->n;
    for (int k = 0; k < n; k++) {
        int middle = (2 * k + 1) * p->size / (2 * n);
        sink_format(p->to, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">", p->left - 6,
                    p->top + middle + 4);
        put_short(p->to, p->data->equations[at_place(v->rows, k)], ROW_LETTERS);
        sink_format(p->to, "</text><text transform=\"translate(%d %d) rotate(-60)\">",
                    p->left + middle + 3, p->top - 6);
        put_short(p->to, p->data->variables[at_place(v->cols, k)], COLUMN_LETTERS);
        sink_text(p->to, "</text>\n");
    }
}

static void put_inner(const matrix_page *p, int units)
{
    sink_format(p->to,
                "<svg x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
                "overflow=\"visible\">",
                p->left, p->top, p->size, p->size, units, units);
}

static void put_view(const matrix_page *p, const matrix_view *v)
{
    sink_format(p->to,
                "<figure class=\"view\"><figcaption>%s</figcaption>\n<svg class=\"matrix\" "
                "viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"incidence matrix, %s\">\n",
                v->title, WIDTH, p->top + p->size + EDGE, v->title);
    if (p->labelled)
        put_labels(p, v);
    put_inner(p, (int)p->bins);
    sink_format(p->to, "<rect class=\"frame\" width=\"%d\" height=\"%d\"/>\n", (int)p->bins,
                (int)p->bins);
    put_entries(p, v);
    sink_text(p->to, "<g class=\"cursor\"></g></svg>\n");
    if (v->in_blocks) {
        put_inner(p, (int)p->data->n);
        put_blocks(p, true);
        put_blocks(p, false);
        sink_text(p->to, "</svg>\n");
    }
    sink_text(p->to, "</svg></figure>\n");
}

/* ---- the data that the script reads ---- */

static void put_equation(const matrix_page *p, json_writer *w, int32_t i)
{
    char text[4 * TEXT_LETTERS + 32], buffer[4 * TEXT_LETTERS + 4];
    snprintf(text, sizeof text, "%s (line %d)",
             shorten(p->data->equations[i], TEXT_LETTERS, buffer), (int)p->data->lines[i]);
    json_string(w, text);
}

static void put_variable(const matrix_page *p, json_writer *w, int32_t j)
{
    char buffer[4 * TEXT_LETTERS + 4];
    json_string(w, shorten(p->data->variables[j], TEXT_LETTERS, buffer));
}

typedef void put_text_fn(const matrix_page *p, json_writer *w, int32_t number);

/* The texts by number; in a density plot the first of each cell, one picture after the other. */
static void put_texts(const matrix_page *p, json_writer *w, const char *key, put_text_fn *put)
{
    json_key(w, key);
    json_open_array(w);
    for (int32_t i = 0; i < p->data->n && !p->grouped; i++)
        put(p, w, i);
    for (int k = 0; k < N_VIEWS && p->grouped; k++) {
        const matrix_view *v = &p->views[k];
        const int32_t *order = put == put_equation ? v->rows : v->cols;
        for (int32_t b = 0; b < p->bins; b++)
            put(p, w, at_place(order, place_of(p, b)));
    }
    json_close(w);
}

/* The number of the text that belongs to each row or column of cells. */
static void put_order(const matrix_page *p, json_writer *w, const int32_t *order, int view)
{
    json_open_array(w);
    for (int32_t b = 0; b < p->bins; b++)
        json_integer(w, p->grouped ? view * p->bins + b : at_place(order, b));
    json_close(w);
}

static void put_view_data(const matrix_page *p, json_writer *w, int view)
{
    json_open_object(w);
    json_key(w, "rows");
    put_order(p, w, p->views[view].rows, view);
    json_key(w, "cols");
    put_order(p, w, p->views[view].cols, view);
    if (p->views[view].in_blocks && !p->grouped) {
        json_key(w, "blocks");
        json_open_array(w);
        for (int32_t b = 0; b <= p->data->n_blocks; b++)
            json_integer(w, p->data->block_start[b]);
        json_close(w);
    }
    json_close(w);
}

static void put_data(const matrix_page *p)
{
    json_writer w = json_to(p->to, JSON_IN_HTML);
    sink_text(p->to, "<script type=\"application/json\" id=\"data\">");
    json_open_object(&w);
    json_key(&w, "n");
    json_integer(&w, p->data->n);
    json_key(&w, "bins");
    json_integer(&w, p->bins);
    json_key(&w, "grouped");
    json_boolean(&w, p->grouped);
    put_texts(p, &w, "equations", put_equation);
    put_texts(p, &w, "variables", put_variable);
    json_key(&w, "views");
    json_open_array(&w);
    for (int k = 0; k < N_VIEWS; k++)
        put_view_data(p, &w, k);
    json_close(&w);
    json_close(&w);
    sink_text(p->to, "</script>\n");
}

/* ---- the page ---- */

/* "8 equations, 19 entries; 6 blocks, the largest of 3" */
static void put_subtitle(const matrix_page *p)
{
    const daedal_incidence *d = p->data;
    int32_t largest = 0;
    for (int32_t b = 0; b < d->n_blocks; b++) {
        int32_t size = d->block_start[b + 1] - d->block_start[b];
        largest = size > largest ? size : largest;
    }
    sink_format(p->to,
                "<p class=\"sub\">%d equations as written, %d entries; %d block%s, the largest "
                "of %d</p></header>\n",
                (int)d->n, (int)d->n_entries, (int)d->n_blocks, d->n_blocks == 1 ? "" : "s",
                (int)largest);
}

static void put_key(const matrix_page *p, const char *class_name, const char *text)
{
    sink_format(p->to,
                "<span><svg width=\"14\" height=\"14\" viewBox=\"0 0 1 1\" aria-hidden=\"true\">"
                "<path class=\"%s\" d=\"M.5 .5h.01\"/></svg>%s</span>\n",
                class_name, text);
}

static void put_keys(const matrix_page *p)
{
    sink_text(p->to, "<div class=\"keys\">\n");
    put_key(p, "derivative", p->grouped ? "derivatives among others" : "derivative");
    put_key(p, "value", p->grouped ? "values only" : "value");
    put_key(p, "value known", "pale: known, as states are, when the equation is solved");
    sink_text(p->to,
              "<span><svg width=\"14\" height=\"14\" aria-hidden=\"true\"><path "
              "class=\"block\" d=\"M2 2h10v10h-10z\"/></svg>solved together</span>\n</div>\n");
}

static void put_page(const matrix_page *p, const char *title)
{
    const char *const *const styles[] = {curves_html_style, incidence_html_style, NULL};
    html_head(p->to, title, styles);
    put_subtitle(p);
    sink_text(p->to, "<div class=\"card\">\n<div class=\"views\">\n");
    for (int k = 0; k < N_VIEWS && !p->to->failed; k++)
        put_view(p, &p->views[k]);
    sink_text(p->to, "</div>\n");
    put_keys(p);
    sink_format(p->to,
                "<output id=\"at\">Point at a matrix to read equation and variable%s.</output>\n"
                "</div>\n</main>\n",
                p->grouped ? ": a cell stands for several" : "; the other one marks them, too");
    put_data(p);
    sink_text(p->to, "<script>\n");
    html_lines(p->to, incidence_html_script);
    sink_text(p->to, "</script>\n</body>\n</html>\n");
}

/* Letters of the longest label. */
static int longest(const char *const *texts, int32_t n, int most)
{
    int found = 0;
    for (int32_t k = 0; k < n; k++) {
        int letters = (int)utf8_count(texts[k]);
        found = letters > found ? letters : found;
    }
    return found < most ? found : most;
}

static void arrange(matrix_page *p)
{
    const daedal_incidence *d = p->data;
    size_t n = (size_t)d->n;
    p->labelled = !p->grouped && d->n <= LABELLED_MOST;
    p->left = p->top = EDGE;
    if (p->labelled) {
        p->left += LETTER * (longest(d->equations, d->n, ROW_LETTERS) + 1);
        p->top += LETTER * (longest(d->variables, d->n, COLUMN_LETTERS) + 1);
    }
    p->size = WIDTH - p->left - EDGE;
    if (!p->grouped && d->n < p->size / CELL_MOST)
        p->size = (int)d->n * CELL_MOST;
    p->views[0] = (matrix_view){.title = "as written"};
    p->views[1] = (matrix_view){"in the order of the blocks", d->equation_order, d->variable_order,
                                .in_blocks = true};
    for (size_t k = 0; k < N_VIEWS; k++) {
        matrix_view *v = &p->views[k];
        v->row_at = p->places + 2 * k * n;
        v->col_at = v->row_at + n;
        invert(v->row_at, v->rows, d->n);
        invert(v->col_at, v->cols, d->n);
    }
}

daedal_status incidence_html(sink *to, const daedal_incidence *data, const char *title,
                             daedal_diagnosis *why)
{
    if (data->n < 1)
        return fail(why, DAEDAL_ERR_ARGUMENT, "there are no equations to draw");
    matrix_page p = {.to = to, .data = data, .bins = data->n};
    p.grouped = data->n > DETAIL_ROWS || data->n_entries > DETAIL_ENTRIES;
    if (p.grouped && p.bins > DENSITY_BINS)
        p.bins = DENSITY_BINS;
    size_t n_places = (size_t)data->n * 2 * N_VIEWS;
    size_t n_cells = p.grouped ? (size_t)p.bins * (size_t)p.bins : 1;
    p.places = memory_take_array(NULL, n_places, sizeof *p.places);
    p.count = memory_take_array(NULL, n_cells, sizeof *p.count);
    bool fine = p.places && p.count;
    if (fine) {
        arrange(&p);
        put_page(&p, title);
    }
    memory_give(NULL, p.places, n_places * sizeof *p.places);
    memory_give(NULL, p.count, n_cells * sizeof *p.count);
    if (!fine)
        return fail(why, DAEDAL_ERR_MEMORY, "out of memory for the picture");
    return sink_status(to, "the picture", why);
}
