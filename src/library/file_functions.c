/* library/file_functions.c - see function_table.h: functions of Modelica.Utilities on files.
 *
 * Files are read when the model is read, so that their contents are constants. A file is written
 * during a run: writeRealMatrix becomes a node of the graph that is computed where its when-clause
 * is active. Each file is loaded once. */
#include "lang/resources.h"
#include "library/function_table.h"
#include "tables/matrix_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- paths ---- */

static bool can_open(const char *path)
{
    FILE *stream = fopen(path, "rb");
    if (stream)
        fclose(stream);
    return stream != NULL;
}

/* `name` in the folder of the model. */
static char *beside_model(context *in, const char *name)
{
    const sources *all = &in->c->sources;
    const char *model = all->n > 0 ? all->source[0]->name : "";
    const char *slash = strrchr(model, '/');
    int n = slash ? (int)(slash - model) + 1 : 0;
    size_t size = (size_t)n + strlen(name) + 1;
    char *path = arena_take(&in->c->mem, size, 1);
    if (path)
        snprintf(path, size, "%.*s%s", n, model, name);
    return path;
}

/* Files are looked for where their path says, seen from the working directory, then from the folder
 * of the model. Exported models contain paths of the machine that exported them: the last resort is
 * a file of that name beside the model. */
static const char *path_find(library_site *s, const char *name)
{
    static const char scheme[] = "file://";
    context *in = s->in;
    if (strncmp(name, scheme, sizeof scheme - 1) == 0)
        name += sizeof scheme - 1;
    if (can_open(name))
        return name;
    const char *path = beside_model(in, name);
    if (name[0] != '/' && path && can_open(path))
        return path;
    const char *slash = strrchr(name, '/');
    path = slash ? beside_model(in, slash + 1) : NULL;
    if (!path || !can_open(path))
        return name;
    source_warning(&in->c->sources, s->call->at, "file '%s' does not exist: '%s' is used", name,
                   path);
    return path;
}

/* ---- matrices ---- */

bool library_matrix_read(library_site *s, const library_matrix *from, table_matrix *m)
{
    context *in = s->in;
    table_why why = {""};
    for (size_t i = 0; i < in->n_objects; i++) {
        const library_matrix *known = in->object[i].data;
        if (in->object[i].kind == LIBRARY_FILE_OBJECT && strcmp(known->file, from->file) == 0 &&
            strcmp(known->name, from->name) == 0 && known->n_headers == from->n_headers) {
            *m = known->matrix;
            return true;
        }
    }
    library_matrix *loaded = arena_take(&in->c->mem, 1, sizeof *loaded);
    if (!loaded)
        return false;
    *loaded = *from;
    matrix_source place = {.path = path_find(s, from->file),
                           .name = from->name,
                           .delimiter = from->delimiter,
                           .n_headers = from->n_headers};
    place.shown = place.path;
    if (!matrix_file_read(&in->c->mem, &place, &loaded->matrix, &why))
        return why.text[0] && context_error(in, s->call->at, "%s", why.text).n;
    *m = loaded->matrix;
    return context_object_add(in, LIBRARY_FILE_OBJECT, loaded) > 0;
}

/* The matrix that arguments 0 and 1 name. */
static bool matrix_named(library_site *s, table_matrix *m)
{
    library_matrix from = {.file = library_text(s, 0)};
    from.name = from.file ? library_text(s, 1) : NULL;
    return from.name && library_matrix_read(s, &from, m);
}

/* fileName, matrixName, nrow, ncol */
static bool run_read_matrix(library_site *s)
{
    table_matrix m;
    int64_t rows = 0, columns = 0;
    if (!library_integer(s, 2, &rows) || !library_integer(s, 3, &columns) || !matrix_named(s, &m))
        return false;
    if ((int64_t)m.n_rows != rows || (int64_t)m.n_columns != columns)
        return context_error(s->in, s->call->at,
                             "matrix '%s' of '%s' has %zu rows and %zu columns, not %lld and %lld",
                             library_text(s, 1), library_text(s, 0), m.n_rows, m.n_columns,
                             (long long)rows, (long long)columns)
            .n;
    value v = value_new(
        s->in, type_array(type_scalar(T_REAL), 2, (int32_t[]){(int32_t)rows, (int32_t)columns}));
    for (size_t i = 0; !is_bad(v) && i < v.n; i++)
        v.e[i] = library_number(s, m.e[i]);
    return library_result(s, v);
}

static bool run_read_sizes(library_site *s)
{
    table_matrix m;
    value v = value_new(s->in, type_array(type_scalar(T_INTEGER), 1, (int32_t[]){2}));
    if (is_bad(v) || !matrix_named(s, &m))
        return false;
    v.e[0] = library_number(s, (double)m.n_rows);
    v.e[1] = library_number(s, (double)m.n_columns);
    return library_result(s, v);
}

/* ---- writing ---- */

typedef struct written_file {
    matrix_target to;
    table_matrix m; /* as it was written last */
    bool is_written;
    const daedal_allocator *allocator;
} written_file;

/* The arguments are the elements and the result of a write that comes before, which is not used.
 * The same matrix is written once only: events are iterated. */
int matrix_write_compute(const void *object, const double *args, double *outputs)
{
    written_file *w = (written_file *)(uintptr_t)object;
    size_t n = w->m.n_rows * w->m.n_columns;
    table_why why;
    arena mem;
    outputs[0] = 1.0;
    if (w->is_written && memcmp(w->m.e, args, n * sizeof *args) == 0)
        return 0;
    memcpy(w->m.e, args, n * sizeof *args);
    arena_create(&mem, w->allocator, 0);
    w->is_written = matrix_file_write(&mem, &w->to, &w->m, &why);
    arena_free(&mem);
    outputs[0] = w->is_written;
    return 0;
}

/* A model may write below the working directory. */
static bool path_is_below(const char *path)
{
    bool is_inside = path[0] != '\0' && path[0] != '/' && path[0] != '~';
    for (const char *p = path; is_inside && p; p = strchr(p, '/')) {
        p += *p == '/';
        is_inside = strncmp(p, "../", 3) != 0 && strcmp(p, "..") != 0;
    }
    return is_inside;
}

static bool target_given(library_site *s, int32_t append, matrix_target *to)
{
    int64_t is_appended = 0;
    to->path = library_text(s, 0);
    to->name = to->path ? library_text(s, 1) : NULL;
    const char *format = is_bad(s->arg[append + 1]) ? "4" : library_text(s, append + 1);
    if (!to->name || !format || !library_integer(s, append, &is_appended))
        return false;
    to->is_appended = is_appended != 0;
    to->version = format[0] - '0';
    if (format[1] != '\0' || (to->version != 4 && to->version != 6 && to->version != 7))
        return context_error(s->in, s->call->at,
                             "a MAT file of version \"%s\" cannot be written: \"4\", \"6\" and "
                             "\"7\" can",
                             format)
            .n;
    return path_is_below(to->path) ||
           context_error(s->in, s->call->at,
                         "file '%s' is not below the working directory: a model cannot write it",
                         to->path)
               .n;
}

static expr write_node(library_site *s, written_file *w, value matrix, expr fires)
{
    context *in = s->in;
    uint32_t number = 0, n = (uint32_t)matrix.n;
    expr *args = arena_take(in->mem, matrix.n + 1, sizeof *args);
    if (!args)
        return EXPR_NONE;
    memcpy(args, matrix.e, matrix.n * sizeof *args);
    if (in->last_write != EXPR_NONE && in->last_write_fires == fires)
        args[n++] = in->last_write; /* files are written in the order of the text */
    if (!called_number(in, LIBRARY_WRITE_MATRIX, w, n, 1, &number))
        return EXPR_NONE;
    in->last_write = expr_call(s->g, (expr_function){.id = number, .n_outputs = 1}, args, n);
    in->last_write_fires = fires;
    return in->last_write;
}

/* fileName, matrixName, matrix, then append and format behind `what` other arguments */
static bool run_write_matrix(library_site *s)
{
    context *in = s->in;
    value matrix = s->arg[2];
    if (in->is_numeric) { /* only an inlined call can be part of the model */
        context_give_up(in, s->call->at, "it writes a file");
        return false;
    }
    expr fires = in->interpreter->event_condition(in);
    written_file *w = arena_take(&in->c->mem, 1, sizeof *w);
    if (fires == EXPR_NONE)
        return context_error(in, s->call->at, "a file can be written only in a when-clause").n;
    if (!w || !library_vector(s, 2, 2) || !target_given(s, 3 + s->entry->what, &w->to))
        return false;
    w->m.n_rows = (size_t)matrix.type.dim[0];
    w->m.n_columns = (size_t)matrix.type.dim[1];
    w->m.e = arena_take(&in->c->mem, matrix.n + 1, sizeof *w->m.e);
    w->allocator = in->c->mem.allocator;
    expr done = w->m.e ? write_node(s, w, matrix, fires) : EXPR_NONE;
    return done != EXPR_NONE && library_result(s, value_scalar(in, T_BOOLEAN, done));
}

/* ---- texts in files ---- */

/* The bytes of a file, or NULL after an error. */
static char *text_load(library_site *s, size_t *length)
{
    enum { TEXT_MOST = 1 << 26 };
    const char *name = library_text(s, 0), *path = name ? path_find(s, name) : NULL;
    FILE *stream = path ? fopen(path, "rb") : NULL;
    if (!path)
        return NULL;
    if (!stream) {
        context_error(s->in, s->call->at, "file '%s' could not be opened", name);
        return NULL;
    }
    size_t capacity = 0, n = 0, got = 1;
    char *text = NULL;
    while (got > 0 && n < TEXT_MOST) {
        enum { PART = 4096 };
        text = arena_grow(s->in->mem, text, &capacity, n + PART + 1, 1);
        got = text ? fread(text + n, 1, PART, stream) : 0;
        n += got;
    }
    fclose(stream);
    if (text)
        text[n] = '\0';
    *length = n;
    return text;
}

/* Line number k (from 0) of a text; false: there is none. */
static bool line_at(const char *text, size_t n, size_t k, const char **line, int *length)
{
    const char *end = text + n, *p = text;
    for (; k > 0 && p < end; k--) {
        const char *next = memchr(p, '\n', (size_t)(end - p));
        p = next ? next + 1 : end;
    }
    if (p >= end)
        return false;
    const char *stop = memchr(p, '\n', (size_t)(end - p));
    stop = stop ? stop : end;
    *line = p;
    *length = (int)(stop - p) - (stop > p && stop[-1] == '\r');
    return true;
}

static size_t count_lines(const char *text, size_t n)
{
    size_t lines = n > 0 && text[n - 1] != '\n';
    for (size_t i = 0; i < n; i++)
        lines += text[i] == '\n';
    return lines;
}

static bool run_count_lines(library_site *s)
{
    size_t n = 0;
    const char *text = text_load(s, &n);
    return text && library_result(s, value_number(s->in, T_INTEGER, (double)count_lines(text, n)));
}

static bool run_read_line(library_site *s)
{
    size_t n = 0;
    int64_t number = 0;
    const char *text = text_load(s, &n), *line = "";
    int length = 0;
    if (!text || !library_integer(s, 1, &number))
        return false;
    bool is_there = number >= 1 && line_at(text, n, (size_t)number - 1, &line, &length);
    return library_result(s, value_text(s->in, context_text(s->in, "%.*s", length, line))) &&
           library_result(s, value_number(s->in, T_BOOLEAN, !is_there));
}

static bool run_read_file(library_site *s)
{
    size_t n = 0;
    const char *text = text_load(s, &n), *line = "";
    int length = 0;
    if (!text)
        return false;
    size_t lines = count_lines(text, n);
    value v = value_new(s->in, type_array(type_scalar(T_STRING), 1, (int32_t[]){(int32_t)lines}));
    for (size_t i = 0; !is_bad(v) && i < v.n && line_at(text, n, 0, &line, &length); i++) {
        v.e[i] = value_text(s->in, context_text(s->in, "%.*s", length, line)).e[0];
        const char *next = memchr(line, '\n', n - (size_t)(line - text));
        size_t left = next ? n - (size_t)(next + 1 - text) : 0;
        text = next ? next + 1 : text + n;
        n = left;
    }
    return library_result(s, v);
}

static bool run_exist(library_site *s)
{
    const char *name = library_text(s, 0);
    return name && library_result(s, value_number(s->in, T_BOOLEAN, can_open(name)));
}

/* A resource is the file itself. */
static bool run_load_resource(library_site *s)
{
    const char *name = library_text(s, 0);
    if (!name)
        return false;
    if (resource_package(name)) {
        const char *path = resource_find(s->in->c, name);
        if (!path)
            return context_error(s->in, s->call->at,
                                 "the package of '%s' is not known: give the path of the file",
                                 name)
                .n;
        name = path;
    }
    return library_result(s, value_text(s->in, path_find(s, name)));
}

#define STREAMS "Modelica.Utilities.Streams."
#define FILES "Modelica.Utilities.Files."

const library_entry library_files[] = {
    {STREAMS "readRealMatrix", "fileName matrixName nrow ncol verboseRead=true",
     .run = run_read_matrix},
    {"ModelicaIO_readRealMatrix", "fileName matrixName nrow ncol verboseRead=true",
     .run = run_read_matrix},
    {STREAMS "readMatrixSize", "fileName matrixName", .run = run_read_sizes},
    {"ModelicaIO_readMatrixSizes", "fileName matrixName", .run = run_read_sizes},
    {STREAMS "writeRealMatrix", "fileName matrixName matrix append=false format=?",
     .run = run_write_matrix},
    {"ModelicaIO_writeRealMatrix", "fileName matrixName matrix nrow ncol append=false format=?",
     .run = run_write_matrix, .what = 2},
    {STREAMS "countLines", "fileName", .run = run_count_lines},
    {STREAMS "readLine", "fileName lineNumber", .run = run_read_line},
    {STREAMS "readFile", "fileName", .run = run_read_file},
    {FILES "exist", "name", .run = run_exist},
    {FILES "loadResource", "uri", .run = run_load_resource},
    {"ModelicaServices.ExternalReferences.loadResource", "uri", .run = run_load_resource},
};
const size_t n_library_files = sizeof library_files / sizeof *library_files;
