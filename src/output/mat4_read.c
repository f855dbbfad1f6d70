/* output/mat4_read.c - reads result files of Modelica tools; formats.h and mat4.c describe the
 * layout.                                                                       */
#include <stdlib.h>
#include <string.h>

#include "output/formats.h"
#include "output/little_endian.h"

typedef struct mat4_matrix {
    const char *data; /* NULL: not in the file */
    size_t rows, cols;
    size_t width;    /* bytes of an element */
    uint32_t number; /* P of the type       */
    bool transposed; /* at(i, j) reads (j, i): layout "binNormal" */
} mat4_matrix;

typedef struct mat4_file {
    const char *bytes;
    size_t n;
    mat4_matrix kind, name, description, info, constants, series;
    daedal_diagnosis *why;
} mat4_file;

static daedal_status read_error(const mat4_file *f, const char *what)
{
    return fail(f->why, DAEDAL_ERR_ARGUMENT, "%s", what);
}

/* ---- matrices ---- */

static double element(const mat4_matrix *m, size_t i, size_t j)
{
    size_t k = m->transposed ? j + i * m->rows : i + j * m->rows;
    const char *p = m->data + k * m->width;
    switch (m->number) {
    case 0:
        return little_endian_f64(p);
    case 1:
        return (double)little_endian_f32(p);
    case 2:
        return (double)(int32_t)(uint32_t)little_endian(p, 4);
    case 3:
        return (double)(int16_t)(uint16_t)little_endian(p, 2);
    default:
        return (double)little_endian(p, m->width);
    }
}

/* An element that should be an integer; 0 if it is not a number in range. */
static int32_t integer_element(const mat4_matrix *m, size_t i, size_t j)
{
    double x = element(m, i, j);
    return x > INT32_MIN && x < INT32_MAX ? (int32_t)x : 0; /* false for NaN */
}

static size_t n_rows(const mat4_matrix *m)
{
    return m->transposed ? m->cols : m->rows;
}

static size_t n_cols(const mat4_matrix *m)
{
    return m->transposed ? m->rows : m->cols;
}

static mat4_matrix *place_for(mat4_file *f, const char *name)
{
    const struct {
        const char *name;
        mat4_matrix *to;
    } places[] = {
        {"Aclass", &f->kind},   {"name", &f->name},        {"description", &f->description},
        {"dataInfo", &f->info}, {"data_1", &f->constants}, {"data_2", &f->series}};
    for (size_t k = 0; k < sizeof places / sizeof *places; k++)
        if (strcmp(name, places[k].name) == 0)
            return places[k].to;
    return NULL;
}

/* Why a file that is no MAT file of version 4 is not read. */
static const char *other_version(const mat4_file *f)
{
    static const char hdf5[] = "\x89HDF\r\n\x1a\n";
    size_t n = sizeof hdf5 - 1;
    if ((f->n >= n && memcmp(f->bytes, hdf5, n) == 0) ||
        (f->n >= 512 + n && memcmp(f->bytes + 512, hdf5, n) == 0))
        return "a MAT file of version 7.3 (HDF5) cannot be read: save it as version 4";
    if (f->n >= 128 &&
        (memcmp(f->bytes + 126, "IM", 2) == 0 || memcmp(f->bytes + 126, "MI", 2) == 0))
        return "a MAT file of version 5 to 7 is no result of a run: results are of version 4";
    return "not a little-endian MAT file of version 4";
}

/* Read the matrix that begins at *at and move *at behind it. */
static daedal_status read_matrix(mat4_file *f, size_t *at)
{
    static const unsigned char widths[] = {8, 4, 4, 2, 2, 1};
    const char *p = f->bytes + *at;
    if (f->n - *at < 20)
        return read_error(f, "the MAT file breaks off");
    uint64_t type = little_endian(p, 4), length = little_endian(p + 16, 4);
    if (type >= 1000 || type / 10 % 10 > 5 || type / 100 || little_endian(p + 12, 4) != 0)
        return read_error(f, other_version(f));
    mat4_matrix m = {.rows = (size_t)little_endian(p + 4, 4),
                     .cols = (size_t)little_endian(p + 8, 4),
                     .number = (uint32_t)(type / 10)};
    m.width = widths[m.number];
    size_t left = f->n - *at - 20;
    if (length == 0 || length > left || p[20 + length - 1] != '\0')
        return read_error(f, "a name in the MAT file is damaged");
    left -= (size_t)length;
    if (m.rows && m.cols > left / m.rows / m.width)
        return read_error(f, "the MAT file breaks off");
    m.data = p + 20 + length;
    *at += 20 + (size_t)length + m.rows * m.cols * m.width;
    mat4_matrix *to = place_for(f, p + 20);
    if (to)
        *to = m;
    return DAEDAL_OK;
}

/* Row 4 of Aclass: "binTrans" has a variable a column, "binNormal" a variable a row. */
static bool is_normal(const mat4_matrix *kind)
{
    static const char word[] = "binNormal";
    if (!kind->data || kind->rows < 4 || kind->cols < 9)
        return false;
    for (size_t j = 0; j < 9; j++)
        if (integer_element(kind, 3, j) != word[j])
            return false;
    return true;
}

static daedal_status check_layout(mat4_file *f)
{
    if (!f->name.data || !f->info.data || !f->series.data)
        return read_error(f, "the MAT file is not a simulation result: name, dataInfo or "
                             "data_2 is missing");
    bool normal = is_normal(&f->kind);
    f->name.transposed = f->description.transposed = f->info.transposed = normal;
    f->constants.transposed = f->series.transposed = normal;
    size_t n = n_cols(&f->name);
    if (n == 0 || n_rows(&f->info) < 2 || n_cols(&f->info) < n || n_rows(&f->series) < 1 ||
        n_rows(&f->series) > f->n)
        return read_error(f, "the matrices of the MAT file do not fit together");
    if (f->description.data && n_cols(&f->description) < n)
        f->description.data = NULL;
    return DAEDAL_OK;
}

/* ---- the table ---- */

/* Column j of a text matrix, without the blanks and NULs that pad it. */
static char *text_of(const mat4_matrix *m, size_t j, arena *mem)
{
    size_t n = m->data ? n_rows(m) : 0;
    char *text = arena_take(mem, n + 1, 1);
    if (!text)
        return NULL;
    for (size_t i = 0; i < n; i++)
        text[i] = (char)integer_element(m, i, j);
    n = strlen(text);
    while (n > 0 && text[n - 1] == ' ')
        text[--n] = '\0';
    return text;
}

/* Split "text [unit]" or "text [unit|displayUnit]" into its parts. */
static void split_unit(char *text, column *c)
{
    size_t n = strlen(text);
    char *bracket = strrchr(text, '[');
    c->description = text;
    if (!bracket || n == 0 || text[n - 1] != ']')
        return;
    text[n - 1] = '\0';
    c->unit = bracket + 1;
    char *display = strchr(bracket, '|');
    if (display)
        *display = '\0';
    *bracket = '\0';
    if (bracket > text && bracket[-1] == ' ')
        bracket[-1] = '\0';
}

/* The first column that shows a row of data_2, and the row that a stored column shows. */
typedef struct mat4_owners {
    int32_t *column; /* of each row of data_2: its number + 1, 0 none, negative: negated */
    int32_t *row;    /* of each slot: signed row from 1 on                             */
} mat4_owners;

static daedal_status add_series(trajectory *tr, const mat4_file *f, mat4_owners *own,
                                const column *c, int32_t row)
{
    size_t k = (size_t)abs(row);
    if (row == 0 || k > n_rows(&f->series))
        return fail(f->why, DAEDAL_ERR_ARGUMENT, "%s refers to no row of data_2", c->name);
    int32_t owner = own->column[k - 1];
    if (owner != 0)
        return trajectory_add_alias(tr, c, abs(owner) - 1, (owner < 0) != (row < 0), f->why);
    own->row[tr->n_slots] = row;
    TRY(trajectory_add_stored(tr, c, f->why));
    own->column[k - 1] = (int32_t)(row < 0 ? -(int64_t)tr->n_columns : (int64_t)tr->n_columns);
    return DAEDAL_OK;
}

static daedal_status add_constant(trajectory *tr, const mat4_file *f, const column *c, int32_t row)
{
    if (row == 0 || !f->constants.data || n_cols(&f->constants) < 1 ||
        (size_t)abs(row) > n_rows(&f->constants))
        return fail(f->why, DAEDAL_ERR_ARGUMENT, "%s refers to no row of data_1", c->name);
    double x = element(&f->constants, (size_t)abs(row) - 1, 0);
    return trajectory_add_constant(tr, c, row < 0 ? 0.0 - x : x, f->why);
}

static daedal_status add_columns(trajectory *tr, const mat4_file *f, mat4_owners *own)
{
    for (size_t j = 1; j < n_cols(&f->name); j++) { /* 0 is the time */
        const char *name = text_of(&f->name, j, &tr->texts);
        char *description = text_of(&f->description, j, &tr->texts);
        if (!name || !description)
            return fail(f->why, DAEDAL_ERR_MEMORY, "out of memory for the names of columns");
        column c = {.name = name};
        split_unit(description, &c);
        int32_t row = integer_element(&f->info, 1, j);
        if (integer_element(&f->info, 0, j) == 1)
            TRY(add_constant(tr, f, &c, row));
        else
            TRY(add_series(tr, f, own, &c, row));
    }
    return DAEDAL_OK;
}

static daedal_status add_rows(trajectory *tr, const mat4_file *f, const mat4_owners *own)
{
    double *row = memory_take_array(tr->allocator, tr->n_slots, sizeof *row);
    if (!row)
        return fail(f->why, DAEDAL_ERR_MEMORY, "out of memory for a row");
    daedal_status st = DAEDAL_OK;
    for (size_t i = 0; i < n_cols(&f->series) && st == DAEDAL_OK; i++) {
        for (size_t k = 0; k < tr->n_slots; k++) {
            double x = element(&f->series, (size_t)abs(own->row[k]) - 1, i);
            row[k] = own->row[k] < 0 ? 0.0 - x : x;
        }
        st = trajectory_append(tr, element(&f->series, 0, i), row, f->why);
    }
    memory_give(tr->allocator, row, tr->n_slots * sizeof *row);
    return st;
}

static daedal_status fill(trajectory *tr, const mat4_file *f)
{
    const size_t n = n_rows(&f->series);
    mat4_owners own = {memory_take_array(tr->allocator, n, sizeof(int32_t)),
                       memory_take_array(tr->allocator, n, sizeof(int32_t))};
    daedal_status st = DAEDAL_ERR_MEMORY;
    if (!own.column || !own.row)
        fail(f->why, st, "out of memory for %zu rows of data_2", n);
    else
        st = add_columns(tr, f, &own);
    if (st == DAEDAL_OK)
        st = add_rows(tr, f, &own);
    memory_give(tr->allocator, own.column, n * sizeof(int32_t));
    memory_give(tr->allocator, own.row, n * sizeof(int32_t));
    return st;
}

daedal_status mat4_read(trajectory *tr, const char *bytes, size_t n, daedal_diagnosis *why)
{
    mat4_file f = {.bytes = bytes, .n = n, .why = why};
    size_t at = 0;
    while (at < n)
        TRY(read_matrix(&f, &at));
    TRY(check_layout(&f));
    return fill(tr, &f);
}
