/* cli/sweep_results.c - see sweep_results.h. */
#include "sweep_results.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "console.h"
#include "messages.h"
#include "output/decimal_text.h"
#include "output/result_file.h"
#include "output/utf8.h"
#include "sweep/quantiles.h"
#include "sweep/shared_file.h"

static const size_t WINDOW_BYTES = 1 << 20;    /* rows of y that are written together */
static const size_t QUANTILE_BYTES = 64 << 20; /* columns of y that are read together */
static const double SAVE_INTERVAL = 10.0;      /* seconds */

/* ---- arrays ---- */

static size_t row_length(const sweep_results *r) /* doubles of a run in y */
{
    return (size_t)r->n_points * (size_t)r->columns->n;
}

static const char *column_name(const void *results, size_t k)
{
    const sweep_results *r = results;
    return selection_name(r->columns, r->info, (int32_t)k);
}

static const char *column_unit(const void *results, size_t k)
{
    const sweep_results *r = results;
    const char *unit = selection_describe(r->columns, r->info, (int32_t)k).unit;
    return unit ? unit : "";
}

static const char *varied_name(const void *results, size_t k)
{
    return ((const sweep_results *)results)->runs->names[k];
}

static const char *cause_name(const void *results, size_t k)
{
    (void)results;
    return daedal_cause_name((daedal_cause)k);
}

static const struct text_array {
    size_t array;
    const char *(*text)(const void *results, size_t k);
} text_arrays[] = {{SWEEP_NAMES, column_name},
                   {SWEEP_UNITS, column_unit},
                   {SWEEP_PARAMETER_NAMES, varied_name},
                   {SWEEP_CAUSE_NAMES, cause_name}};
enum { N_TEXT_ARRAYS = sizeof text_arrays / sizeof *text_arrays };

static void find_width(sweep_results *r, const struct text_array *t)
{
    file_array *a = &r->arrays[t->array];
    a->width = 1;
    for (size_t k = 0; k < a->shape[0]; k++) {
        size_t n = utf8_count(t->text(r, k));
        a->width = n > a->width ? n : a->width;
    }
}

static void describe_arrays(sweep_results *r)
{
    uint64_t runs = (uint64_t)r->runs->n_runs, points = (uint64_t)r->n_points;
    uint64_t kept = (uint64_t)r->columns->n, varies = (uint64_t)r->runs->n_varied;
    uint64_t levels = (uint64_t)r->n_levels;
    const file_array all[SWEEP_ARRAYS] = {
        [SWEEP_T] = {.name = "t.npy", .type = ARRAY_DOUBLE, .n_dimensions = 1, .shape = {points}},
        [SWEEP_NAMES] = {.name = "names.npy",
                         .type = ARRAY_TEXT,
                         .width = 1,
                         .n_dimensions = 1,
                         .shape = {kept}},
        [SWEEP_UNITS] = {.name = "units.npy",
                         .type = ARRAY_TEXT,
                         .width = 1,
                         .n_dimensions = 1,
                         .shape = {kept}},
        [SWEEP_PARAMETER_NAMES] = {.name = "parameter_names.npy",
                                   .type = ARRAY_TEXT,
                                   .width = 1,
                                   .n_dimensions = 1,
                                   .shape = {varies}},
        [SWEEP_CAUSE_NAMES] = {.name = "cause_names.npy",
                               .type = ARRAY_TEXT,
                               .width = 1,
                               .n_dimensions = 1,
                               .shape = {SWEEP_CAUSES}},
        [SWEEP_LEVELS] = {.name = "levels.npy",
                          .type = ARRAY_DOUBLE,
                          .n_dimensions = 1,
                          .shape = {levels}},
        [SWEEP_QUANTILES] = {.name = "quantiles.npy",
                             .type = ARRAY_DOUBLE,
                             .n_dimensions = 3,
                             .shape = {levels, points, kept}},
        [SWEEP_DONE] = {.name = "done.npy", .type = ARRAY_BYTE, .n_dimensions = 1, .shape = {runs}},
        [SWEEP_STATUS] = {.name = "status.npy",
                          .type = ARRAY_INT,
                          .n_dimensions = 1,
                          .shape = {runs}},
        [SWEEP_CAUSE] = {.name = "cause.npy",
                         .type = ARRAY_INT,
                         .n_dimensions = 1,
                         .shape = {runs}},
        [SWEEP_T_END] = {.name = "t_end.npy",
                         .type = ARRAY_DOUBLE,
                         .n_dimensions = 1,
                         .shape = {runs}},
        [SWEEP_PARAMETERS] = {.name = "parameters.npy",
                              .type = ARRAY_DOUBLE,
                              .n_dimensions = 2,
                              .shape = {runs, varies}},
        [SWEEP_Y] = {.name = "y.npy",
                     .type = ARRAY_DOUBLE,
                     .n_dimensions = 3,
                     .shape = {runs, points, kept}}};
    memcpy(r->arrays, all, sizeof all);
    for (size_t k = 0; k < N_TEXT_ARRAYS; k++)
        find_width(r, &text_arrays[k]);
}

static void write_texts(sweep_results *r, const struct text_array *t)
{
    size_t n = (size_t)r->arrays[t->array].shape[0];
    const char **texts = must_resize(NULL, n + 1, sizeof *texts);
    for (size_t k = 0; k < n; k++)
        texts[k] = t->text(r, k);
    array_file_write_texts(&r->file, t->array, texts, n);
    free(texts);
}

/* What is known before the first run; then the file may be opened by others. */
static void write_plan(sweep_results *r)
{
    for (size_t k = 0; k < N_TEXT_ARRAYS; k++)
        write_texts(r, &text_arrays[k]);
    array_file_write(&r->file, SWEEP_T, 0, r->times, (size_t)r->n_points);
    array_file_write(&r->file, SWEEP_LEVELS, 0, r->levels, (size_t)r->n_levels);
    array_file_write(&r->file, SWEEP_PARAMETERS, 0, r->runs->values,
                     (size_t)r->runs->n_runs * (size_t)r->runs->n_varied);
    array_file_mark_begun(&r->file);
}

static void write_progress(sweep_results *r)
{
    size_t n = (size_t)r->runs->n_runs;
    array_file_write(&r->file, SWEEP_STATUS, 0, r->status, n);
    array_file_write(&r->file, SWEEP_CAUSE, 0, r->cause, n);
    array_file_write(&r->file, SWEEP_T_END, 0, r->t_end, n);
    array_file_write(&r->file, SWEEP_DONE, 0, r->done, n);
}

/* ---- opening ---- */

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int sweep_read_levels(sweep_results *r, const char *text)
{
    for (const char *at = text; text && at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        size_t n = strcspn(at, ",");
        char *piece = must_copy(at, n);
        double percent;
        bool good = number_read(piece, &percent) && percent >= 0 && percent <= 100;
        if (!good)
            print_error("--quantiles needs numbers from 0 to 100, not '%s'", piece);
        free(piece);
        if (!good)
            return CLI_USAGE;
        r->levels = must_resize(r->levels, (size_t)r->n_levels + 1, sizeof *r->levels);
        r->levels[r->n_levels++] = percent / 100;
    }
    if (r->n_levels > 0)
        qsort(r->levels, (size_t)r->n_levels, sizeof *r->levels, ascending);
    return CLI_SOLVED;
}

static void take_memory(sweep_results *r)
{
    size_t n = (size_t)r->runs->n_runs, bytes = row_length(r) * sizeof(double);
    r->done = must_resize(NULL, n, sizeof *r->done);
    r->status = must_resize(NULL, n, sizeof *r->status);
    r->cause = must_resize(NULL, n, sizeof *r->cause);
    r->t_end = must_resize(NULL, n, sizeof *r->t_end);
    memset(r->done, 0, n);
    memset(r->status, 0, n * sizeof *r->status);
    memset(r->cause, 0, n * sizeof *r->cause);
    for (size_t i = 0; i < n; i++)
        r->t_end[i] = NAN;
    r->window.n = (int64_t)(WINDOW_BYTES / (bytes + 1)) + 1;
    r->window.rows = must_resize(NULL, (size_t)r->window.n * row_length(r) + 1, sizeof(double));
    r->window.is_there = must_resize(NULL, (size_t)r->window.n, sizeof(bool));
    memset(r->window.is_there, 0, (size_t)r->window.n * sizeof(bool));
    r->count = (sweep_count){.first_failed = -1, .first_warned = -1};
}

static int check_format(sweep_results *r, const char *path)
{
    result_format format = path ? result_format_of(path) : RESULT_CSV;
    if (format != RESULT_CSV && format != RESULT_NPZ)
        return print_error("%s: the results of a sweep are written as .npz or .csv", path);
    r->is_csv = format == RESULT_CSV;
    return CLI_SOLVED;
}

int sweep_results_open(sweep_results *r, const char *path)
{
    daedal_diagnosis why;
    int code = check_format(r, path);
    if (code != CLI_SOLVED)
        return code;
    take_memory(r);
    describe_arrays(r);
    const char *name = r->is_csv ? NULL : path;
    if (array_file_create(&r->file, name, r->arrays, SWEEP_ARRAYS, &why) < 0)
        return print_diagnosis(&why);
    r->is_open = true;
    r->saved = console_seconds();
    write_plan(r);
    return CLI_SOLVED;
}

/* ---- going on ---- */

/* Whether an array of the file has these bytes. */
static bool has_bytes(sweep_results *r, size_t array, const void *expected, size_t n)
{
    size_t size = array_item_size(&r->arrays[array]), bytes = n * size;
    char *found = must_resize(NULL, bytes + 1, 1);
    bool same = array_file_read(&r->file, array, 0, found, n) &&
                (bytes == 0 || memcmp(found, expected, bytes) == 0);
    free(found);
    return same;
}

static bool has_texts(sweep_results *r, const struct text_array *t)
{
    sink_buffer text = {.allocator = NULL};
    sink to = sink_to_buffer(&text);
    size_t n = (size_t)r->arrays[t->array].shape[0];
    for (size_t k = 0; k < n; k++)
        npy_put_text(&to, t->text(r, k), r->arrays[t->array].width);
    bool same = has_bytes(r, t->array, text.bytes ? text.bytes : "", n);
    sink_buffer_free(&text);
    return same;
}

static int check_same(sweep_results *r, const char *path)
{
    const char *differs = NULL;
    for (size_t k = 0; k < N_TEXT_ARRAYS && !differs; k++)
        if (!has_texts(r, &text_arrays[k]))
            differs = r->arrays[text_arrays[k].array].name;
    if (!has_bytes(r, SWEEP_T, r->times, (size_t)r->n_points))
        differs = "t.npy";
    if (!has_bytes(r, SWEEP_LEVELS, r->levels, (size_t)r->n_levels))
        differs = "levels.npy";
    if (!has_bytes(r, SWEEP_PARAMETERS, r->runs->values,
                   (size_t)r->runs->n_runs * (size_t)r->runs->n_varied))
        differs = "parameters.npy";
    if (!differs)
        return CLI_SOLVED;
    return print_error("%s is the file of another sweep: the array %.*s differs", path,
                       (int)(strlen(differs) - strlen(".npy")), differs);
}

/* What the file knows of the runs that are done. */
static int take_done(sweep_results *r, const char *path)
{
    size_t n = (size_t)r->runs->n_runs;
    if (!array_file_read(&r->file, SWEEP_DONE, 0, r->done, n) ||
        !array_file_read(&r->file, SWEEP_STATUS, 0, r->status, n) ||
        !array_file_read(&r->file, SWEEP_CAUSE, 0, r->cause, n) ||
        !array_file_read(&r->file, SWEEP_T_END, 0, r->t_end, n))
        return print_error("%s cannot be read", path);
    for (size_t i = 0; i < n; i++) {
        r->count.done += r->done[i];
        if (r->done[i] && r->status[i] < 0) {
            r->count.failed++;
            r->count.by_cause[(size_t)r->cause[i] % SWEEP_CAUSES]++;
        }
    }
    return CLI_SOLVED;
}

/* Whether there is something to go on with: not if the file is missing, or if its program was
 * killed before the plan was in it.                                                     */
static bool has_begun(const char *path)
{
    FILE *stream = fopen(path, "rb");
    bool begun = stream && array_file_has_begun(stream);
    if (stream)
        fclose(stream);
    return begun;
}

int sweep_results_resume(sweep_results *r, const char *path)
{
    daedal_diagnosis why;
    if (!path || result_format_of(path) != RESULT_NPZ)
        return print_error("--resume needs -o FILE.npz");
    if (!has_begun(path))
        return sweep_results_open(r, path);
    take_memory(r);
    describe_arrays(r);
    if (array_file_reopen(&r->file, path, r->arrays, SWEEP_ARRAYS, &why) < 0)
        return print_error("%s; --resume goes on with the same sweep only", why.message);
    r->is_open = true;
    r->saved = console_seconds();
    int code = check_same(r, path);
    return code == CLI_SOLVED ? take_done(r, path) : code;
}

/* Open the file, and keep others from opening it; NULL after a message.  What a process has left
 * that was killed before its plan was written is thrown away.                        */
static FILE *open_shared(const char *path)
{
    errno = 0;
    FILE *stream = shared_file_open(path);
    if (!stream) {
        print_error("%s cannot be opened for writing: %s", path, strerror(errno));
        return NULL;
    }
    const char *wrong = NULL;
    if (!shared_file_wait_lock(stream, LOCK_OPENING))
        wrong = "locked, so that processes cannot share it";
    else if (!array_file_has_begun(stream) && !shared_file_empty(stream))
        wrong = "emptied";
    if (!wrong)
        return stream;
    print_error("%s cannot be %s: %s", path, wrong, strerror(errno));
    fclose(stream);
    return NULL;
}

int sweep_results_share(sweep_results *r, const char *path)
{
    daedal_diagnosis why;
    bool is_new;
    if (!path || result_format_of(path) != RESULT_NPZ)
        return print_error("a sweep that several processes share needs -o FILE.npz");
    take_memory(r);
    describe_arrays(r);
    FILE *stream = open_shared(path);
    if (!stream)
        return CLI_USAGE;
    if (array_file_attach(&r->file, stream, path, r->arrays, SWEEP_ARRAYS, &is_new, &why) < 0)
        return print_error("%s; processes share the same sweep only", why.message);
    r->is_open = true;
    if (is_new)
        write_plan(r);
    int code = is_new ? CLI_SOLVED : check_same(r, path);
    shared_file_unlock(r->file.stream, LOCK_OPENING);
    sweep_share_begin(&r->share, r->runs->n_runs);
    return code;
}

/* ---- runs ---- */

int sweep_claim(int64_t run, void *user)
{
    sweep_results *r = user;
    return sweep_share_claim(&r->share, run, &r->file, SWEEP_DONE, r->done);
}

/* A run is in a shared file as soon as it is finished; `done` comes last. */
static void write_run(sweep_results *r, const daedal_sweep_run *run)
{
    uint64_t i = (uint64_t)run->number;
    size_t length = row_length(r);
    array_file_write(&r->file, SWEEP_Y, i * length, run->results, length);
    array_file_write(&r->file, SWEEP_STATUS, i, &r->status[i], 1);
    array_file_write(&r->file, SWEEP_CAUSE, i, &r->cause[i], 1);
    array_file_write(&r->file, SWEEP_T_END, i, &r->t_end[i], 1);
    array_file_write(&r->file, SWEEP_DONE, i, &r->done[i], 1);
}

/* Consecutive rows are written together. */
static void write_window(sweep_results *r)
{
    sweep_window *w = &r->window;
    size_t length = row_length(r);
    for (int64_t i = 0, end; i < w->n; i = end + 1) {
        for (end = i; end < w->n && w->is_there[end]; end++)
            w->is_there[end] = false;
        if (end > i)
            array_file_write(&r->file, SWEEP_Y, (uint64_t)(w->first + i) * length,
                             w->rows + (size_t)i * length, (size_t)(end - i) * length);
    }
}

static void keep_row(sweep_results *r, const daedal_sweep_run *run)
{
    sweep_window *w = &r->window;
    size_t length = row_length(r);
    if (run->number < w->first) { /* a run that took long */
        array_file_write(&r->file, SWEEP_Y, (uint64_t)run->number * length, run->results, length);
        return;
    }
    if (run->number >= w->first + w->n) {
        write_window(r);
        w->first = run->number;
    }
    size_t i = (size_t)(run->number - w->first);
    memcpy(w->rows + i * length, run->results, length * sizeof(double));
    w->is_there[i] = true;
}

static void count_run(sweep_count *c, const daedal_sweep_run *run)
{
    const daedal_outcome *o = run->outcome;
    c->done++;
    if (o->status < 0) {
        c->failed++;
        c->by_cause[(size_t)o->diagnosis.cause % SWEEP_CAUSES]++;
        if (c->first_failed < 0 || run->number < c->first_failed) {
            c->first_failed = run->number;
            c->why = o->diagnosis;
        }
    } else if (o->n_warnings > 0) {
        c->with_warnings++;
        if (c->first_warned < 0 || run->number < c->first_warned) {
            c->first_warned = run->number;
            snprintf(c->warning, sizeof c->warning, "%.250s", o->warnings[0].message);
        }
    }
}

/* Now and then, so that a program that is killed loses little. */
static void save(sweep_results *r)
{
    double now = console_seconds();
    if (now < r->saved + SAVE_INTERVAL)
        return;
    write_window(r);
    write_progress(r);
    fflush(r->file.stream);
    r->saved = now;
}

int sweep_receive(const daedal_sweep_run *run, void *user)
{
    sweep_results *r = user;
    r->done[run->number] = 1;
    r->status[run->number] = run->outcome->status;
    r->cause[run->number] = (int32_t)run->outcome->diagnosis.cause;
    r->t_end[run->number] = run->outcome->t;
    count_run(&r->count, run);
    if (r->share.is_shared) {
        write_run(r, run);
    } else {
        keep_row(r, run);
        save(r);
    }
    monitor_show_runs(r->monitor, r->count.done, r->runs->n_runs, r->count.failed);
    return r->file.error || monitor_stop_cause(r->monitor) ? DAEDAL_CALL_STOP : DAEDAL_CALL_OK;
}

/* Rows of runs that were not carried out are NaN. */
static void write_missing(sweep_results *r)
{
    size_t length = row_length(r);
    double *row = must_resize(NULL, length + 1, sizeof *row);
    for (size_t k = 0; k < length; k++)
        row[k] = NAN;
    for (int64_t i = 0; i < r->runs->n_runs; i++)
        if (!r->done[i])
            array_file_write(&r->file, SWEEP_Y, (uint64_t)i * length, row, length);
    free(row);
}

/* ---- quantiles ---- */

/* Columns first .. first + n - 1 of y, one after the other. */
static bool read_columns(sweep_results *r, size_t first, size_t n, double *columns, double *row)
{
    size_t length = row_length(r), runs = (size_t)r->runs->n_runs;
    for (size_t i = 0; i < runs; i++) {
        if (!array_file_read(&r->file, SWEEP_Y, i * length + first, row, n))
            return false;
        for (size_t k = 0; k < n; k++)
            columns[k * runs + i] = row[k];
    }
    return true;
}

static void write_quantiles(sweep_results *r)
{
    size_t length = row_length(r), runs = (size_t)r->runs->n_runs, levels = (size_t)r->n_levels;
    size_t most = QUANTILE_BYTES / (runs * sizeof(double)) + 1;
    most = most < length ? most : length;
    double *columns = must_resize(NULL, most * runs + 1, sizeof *columns);
    double *row = must_resize(NULL, most + 1, sizeof *row);
    double *found = must_resize(NULL, levels + 1, sizeof *found);
    for (size_t first = 0, n; first < length; first += n) {
        n = length - first < most ? length - first : most;
        if (!read_columns(r, first, n, columns, row))
            break;
        for (size_t k = 0; k < n; k++) {
            quantiles_find(columns + k * runs, runs, r->levels, levels, found);
            for (size_t q = 0; q < levels; q++)
                array_file_write(&r->file, SWEEP_QUANTILES, q * length + first + k, &found[q], 1);
        }
    }
    free(columns);
    free(row);
    free(found);
}

/* ---- CSV ---- */

static void put_name(sink *to, const char *name)
{
    bool quoted = strpbrk(name, ",\"\n\r") != NULL;
    if (!quoted) {
        sink_text(to, name);
        return;
    }
    sink_char(to, '"');
    for (; *name; name++) {
        if (*name == '"')
            sink_char(to, '"');
        sink_char(to, *name);
    }
    sink_char(to, '"');
}

static void put_number(sink *to, double x)
{
    char text[DECIMAL_TEXT_SIZE];
    sink_bytes(to, text, decimal_shortest(text, x));
}

static void put_csv_header(sink *to, const sweep_results *r)
{
    sink_text(to, "run");
    for (int32_t j = 0; j < r->runs->n_varied; j++) {
        sink_char(to, ',');
        put_name(to, r->runs->names[j]);
    }
    sink_text(to, ",status,time");
    for (int32_t k = 0; k < r->columns->n; k++) {
        sink_char(to, ',');
        put_name(to, column_name(r, (size_t)k));
    }
    sink_char(to, '\n');
}

static const char *word_of_run(const sweep_results *r, int64_t i)
{
    if (!r->done[i])
        return "not_run";
    if (r->status[i] >= 0)
        return r->status[i] == DAEDAL_STOPPED ? "stopped" : "solved";
    return r->cause[i] ? daedal_cause_name((daedal_cause)r->cause[i]) : "failed";
}

static void put_csv_run(sink *to, const sweep_results *r, int64_t i, const double *row)
{
    for (int32_t p = 0; p < r->n_points; p++) {
        sink_format(to, "%lld", (long long)i);
        for (int32_t j = 0; j < r->runs->n_varied; j++) {
            sink_char(to, ',');
            put_number(to, r->runs->values[i * r->runs->n_varied + j]);
        }
        sink_format(to, ",%s,", word_of_run(r, i));
        put_number(to, r->times[p]);
        for (int32_t k = 0; k < r->columns->n; k++) {
            sink_char(to, ',');
            put_number(to, *row++);
        }
        sink_char(to, '\n');
    }
}

static int write_csv(sweep_results *r, const char *path)
{
    size_t length = row_length(r);
    errno = 0;
    FILE *stream = path ? fopen(path, "wb") : stdout;
    if (!stream)
        return print_error("%s cannot be written: %s", path, strerror(errno));
    double *row = must_resize(NULL, length + 1, sizeof *row);
    sink to = sink_to_stream(stream);
    put_csv_header(&to, r);
    for (int64_t i = 0; i < r->runs->n_runs && !to.failed; i++)
        if (array_file_read(&r->file, SWEEP_Y, (uint64_t)i * length, row, length))
            put_csv_run(&to, r, i, row);
    free(row);
    bool failed = to.failed || (path && fclose(stream) != 0);
    if (!failed)
        return CLI_SOLVED;
    print_error("%s could not be written completely", path ? path : "stdout");
    return CLI_FAILED;
}

/* ---- closing ---- */

/* Whether all runs are done, by whatever process, and this one has to close the file. */
static bool closes_shared(sweep_results *r)
{
    sweep_count own = r->count;
    if (r->file.error || !shared_file_wait_lock(r->file.stream, LOCK_CLOSING))
        return false;
    r->count.done = r->count.failed = 0;
    memset(r->count.by_cause, 0, sizeof r->count.by_cause);
    bool closes = take_done(r, r->file.path) == CLI_SOLVED && r->count.done == r->runs->n_runs &&
                  !array_file_is_closed(&r->file);
    r->n_done_by_all = r->count.done;
    if (!closes)
        r->count = own;
    return closes;
}

void sweep_results_complete(sweep_results *r)
{
    r->is_complete = !r->share.is_shared || closes_shared(r);
    if (!r->is_complete)
        return;
    if (!r->share.is_shared) {
        write_window(r);
        write_progress(r);
        if (r->count.done < r->runs->n_runs)
            write_missing(r);
    }
    if (r->n_levels > 0 && !r->file.error)
        write_quantiles(r);
}

/* Leave a shared file to the other processes. */
static int leave(sweep_results *r)
{
    int error = r->file.error;
    array_file_abandon(&r->file);
    if (error == 0)
        return CLI_SOLVED;
    print_error("%s could not be written: %s", r->file.path, strerror(error));
    return CLI_FAILED;
}

int sweep_results_close(sweep_results *r, const char *path, bool to_stdout)
{
    daedal_diagnosis why;
    int code = CLI_SOLVED;
    if (r->is_csv && (path || to_stdout))
        code = write_csv(r, path);
    r->is_open = false;
    if (!r->is_complete)
        return leave(r);
    if (r->is_csv) {
        array_file_abandon(&r->file);
    } else if (array_file_close(&r->file, &why) < 0) {
        print_diagnosis(&why);
        code = CLI_FAILED;
    }
    return code;
}

void sweep_results_free(sweep_results *r)
{
    if (r->is_open)
        array_file_abandon(&r->file);
    free(r->levels);
    free(r->done);
    free(r->status);
    free(r->cause);
    free(r->t_end);
    free(r->window.rows);
    free(r->window.is_there);
}
