/* plot/incidence_terminal.c - see incidence_terminal.h. */
#include "plot/incidence_terminal.h"

#include <string.h>

#include "output/utf8.h"

enum { INDENT = 2, GAP = 2, NAME_MOST = 20, TEXT_LEAST = 8 };

typedef struct character_matrix {
    sink *to;
    const daedal_incidence *data;
    char *marks; /* n * n, in the order of the blocks */
    int name_width, text_width;
} character_matrix;

int32_t incidence_terminal_most(int width)
{
    return (width - INDENT - 1) / 2; /* a bracket or a blank beside every mark */
}

static char mark_of(const daedal_incidence_entry *e)
{
    if (e->is_essential)
        return e->derivative > 0 ? 'D' : 'x';
    return e->derivative > 0 ? 'd' : '.';
}

/* Fill the matrix of marks; `places` is workspace of 2 n numbers. */
static void fill(const character_matrix *m, int32_t *places)
{
    const daedal_incidence *d = m->data;
    size_t n = (size_t)d->n;
    int32_t *row_at = places, *col_at = places + n;
    for (size_t k = 0; k < n; k++) {
        row_at[d->equation_order[k]] = (int32_t)k;
        col_at[d->variable_order[k]] = (int32_t)k;
    }
    memset(m->marks, ' ', n * n);
    for (int32_t q = 0; q < d->n_entries; q++) {
        const daedal_incidence_entry *e = &d->entries[q];
        m->marks[(size_t)row_at[e->equation] * n + (size_t)col_at[e->variable]] = mark_of(e);
    }
}

/* At most `width` characters of a text, filled up with blanks where `pad`. */
static void put_cut(sink *to, const char *text, int width, bool pad)
{
    size_t left = strlen(text), n;
    bool cut = utf8_count(text) > (size_t)width;
    int used = 0;
    for (int room = cut ? width - 3 : width; used < room && left; used++) {
        utf8_decode(text, left, &n);
        sink_bytes(to, text, n);
        text += n;
        left -= n;
    }
    if (cut)
        sink_text(to, "...");
    used += cut ? 3 : 0;
    for (; pad && used < width; used++)
        sink_char(to, ' ');
}

/* Write the unknown and the equation behind the marks of a row, without trailing blanks. */
static void put_words(const character_matrix *m, int32_t row)
{
    const daedal_incidence *d = m->data;
    if (m->text_width < TEXT_LEAST)
        return;
    sink_repeat(m->to, " ", GAP);
    put_cut(m->to, d->variables[d->variable_order[row]], m->name_width, true);
    sink_repeat(m->to, " ", GAP);
    put_cut(m->to, d->equations[d->equation_order[row]], m->text_width, false);
}

static void put_row(const character_matrix *m, int32_t row, int32_t first, int32_t end)
{
    const daedal_incidence *d = m->data;
    const char *marks = m->marks + (size_t)row * (size_t)d->n;
    int32_t last = d->n;
    while (m->text_width < TEXT_LEAST && last > end && marks[last - 1] == ' ')
        last--;
    sink_repeat(m->to, " ", INDENT);
    for (int32_t j = 0; j < last; j++) {
        sink_char(m->to, j == first ? '[' : j == end ? ']' : ' ');
        sink_char(m->to, marks[j]);
    }
    if (last == end)
        sink_char(m->to, ']');
    else if (m->text_width >= TEXT_LEAST)
        sink_char(m->to, ' ');
    put_words(m, row);
    sink_char(m->to, '\n');
}

static void measure(character_matrix *m, int width)
{
    const daedal_incidence *d = m->data;
    for (int32_t j = 0; j < d->n; j++) {
        int letters = (int)utf8_count(d->variables[j]);
        m->name_width = letters > m->name_width ? letters : m->name_width;
    }
    m->name_width = m->name_width > NAME_MOST ? NAME_MOST : m->name_width;
    m->text_width = width - INDENT - 2 * (int)d->n - 1 - 2 * GAP - m->name_width;
}

static void put_matrix(const character_matrix *m)
{
    const daedal_incidence *d = m->data;
    sink_text(m->to, "  D derivative, x value; d, . already known (a state); [ ] one block\n");
    for (int32_t b = 0; b < d->n_blocks; b++)
        for (int32_t k = d->block_start[b]; k < d->block_start[b + 1]; k++)
            put_row(m, k, d->block_start[b], d->block_start[b + 1]);
}

daedal_status incidence_terminal(sink *to, const daedal_incidence *data, int width,
                                 daedal_diagnosis *why)
{
    size_t n = (size_t)data->n;
    if (data->n < 1 || data->n > incidence_terminal_most(width))
        return fail(why, DAEDAL_ERR_ARGUMENT, "%d equations do not fit in %d characters of width",
                    (int)data->n, width);
    character_matrix m = {.to = to, .data = data};
    m.marks = memory_take_array(NULL, n * n, 1);
    int32_t *places = memory_take_array(NULL, 2 * n, sizeof *places);
    bool fine = m.marks && places;
    if (fine) {
        fill(&m, places);
        measure(&m, width);
        put_matrix(&m);
    }
    memory_give(NULL, m.marks, n * n);
    memory_give(NULL, places, 2 * n * sizeof *places);
    if (!fine)
        return fail(why, DAEDAL_ERR_MEMORY, "out of memory for the picture");
    return sink_status(to, "the picture", why);
}
