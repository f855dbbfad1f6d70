/* cli/input_files.c - see input_files.h. */
#include "input_files.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "messages.h"
#include "output/result_file.h"

/* ---- the flag ---- */

/* One of the words behind the name of a file; false: it is none. */
static bool take_word(input_request *r, const char *word)
{
    static const char *const kinds[] = {"linear", "previous", "cubic"};
    for (int k = 0; k < 3; k++)
        if (strcmp(word, kinds[k]) == 0) {
            r->interpolation = (daedal_interpolation)k;
            return true;
        }
    if (strcmp(word, "hold") == 0) {
        r->extrapolation = DAEDAL_HOLD;
        return true;
    }
    if (strncmp(word, "column=", 7) != 0 || !word[7])
        return false;
    free(r->column);
    r->column = must_copy(word + 7, strlen(word + 7));
    return true;
}

/* The name of a file, with words behind commas; false: it is something else. */
static bool take_file(input_request *r, const char *text)
{
    size_t n = strcspn(text, ",");
    char *path = must_copy(text, n);
    bool known = result_format_of(path) != RESULT_UNKNOWN;
    r->path = known ? path : NULL;
    if (!known)
        free(path);
    for (const char *at = text + n; known && *at; at += n) {
        at++;
        n = strcspn(at, ",");
        char *word = must_copy(at, n);
        known = take_word(r, word);
        if (!known)
            print_error("--input %s: '%s' is none of linear, previous, cubic, hold, column=NAME",
                        text, word);
        free(word);
    }
    return known;
}

bool input_request_read(input_request *r, const char *text)
{
    size_t n = strcspn(text, "=");
    size_t first = strcspn(text, ",");
    memset(r, 0, sizeof *r);
    if (!text[n] || first < n) {
        if (take_file(r, text))
            return true;
        if (!r->path)
            print_error("--input needs NAME=FILE, NAME=EXPRESSION or FILE, not '%s'", text);
        return false;
    }
    r->name = must_copy(text, n);
    if (n == 0 || !text[n + 1]) {
        print_error("--input needs NAME=FILE, NAME=EXPRESSION or FILE, not '%s'", text);
        return false;
    }
    if (take_file(r, text + n + 1))
        return true;
    if (r->path)
        return false;
    r->expression = must_copy(text + n + 1, strlen(text + n + 1));
    return true;
}

void input_request_free(input_request *r)
{
    free(r->name);
    free(r->path);
    free(r->column);
    free(r->expression);
    memset(r, 0, sizeof *r);
}

daedal_binding *input_bindings(const input_requests *all, int32_t *n)
{
    daedal_binding *list = must_resize(NULL, (size_t)all->n + 1, sizeof *list);
    *n = 0;
    for (int32_t k = 0; k < all->n; k++)
        if (all->at[k].name)
            list[(*n)++] = (daedal_binding){all->at[k].name, all->at[k].expression};
    return list;
}

/* ---- files ---- */

static const char *column_name(const void *list, size_t i)
{
    return ((const trajectory *)list)->columns[i].name;
}

/* "data.csv:17", or "data.npz, row 16". */
static void print_bad_row(const input_request *r, const trajectory *tr, const char *name,
                          size_t row, const char *what)
{
    if (result_format_of(r->path) == RESULT_CSV && !tr->has_blank_lines)
        print_error("%s:%zu: column %s: %s", r->path, row + 2, name, what);
    else
        print_error("%s, row %zu: column %s: %s", r->path, row + 1, name, what);
}

static bool check_row(const input_request *r, const trajectory *tr, const double *t, size_t i,
                      const char *name, double value)
{
    char what[160];
    if (!isfinite(t[i])) {
        snprintf(what, sizeof what, "the time is %g", t[i]);
        print_bad_row(r, tr, tr->time.name, i, what);
    } else if (i > 0 && t[i] < t[i - 1]) {
        snprintf(what, sizeof what, "the time %.10g comes after %.10g; times must ascend", t[i],
                 t[i - 1]);
        print_bad_row(r, tr, tr->time.name, i, what);
    } else if (i > 1 && t[i] == t[i - 1] && t[i] == t[i - 2]) {
        snprintf(what, sizeof what, "the time %.10g occurs more than twice", t[i]);
        print_bad_row(r, tr, tr->time.name, i, what);
    } else if (!isfinite(value)) {
        snprintf(what, sizeof what, "the value is %g", value);
        print_bad_row(r, tr, name, i, what);
    } else {
        return true;
    }
    return false;
}

/* The run must lie inside the data, unless their ends hold. */
static bool check_span(const input_request *r, const trajectory *tr, const char *name,
                       const double *t, const daedal_simulation *plan)
{
    char what[200];
    size_t n = tr->n_rows;
    bool late = t[0] > plan->t_start;
    if (r->extrapolation == DAEDAL_HOLD || (!late && t[n - 1] >= plan->t_stop))
        return true;
    snprintf(what, sizeof what,
             "the data %s at t = %.10g, the run %s at %.10g; add ,hold to let the %s value hold",
             late ? "begin" : "end", late ? t[0] : t[n - 1], late ? "begins" : "ends",
             late ? plan->t_start : plan->t_stop, late ? "first" : "last");
    print_bad_row(r, tr, name, late ? 0 : n - 1, what);
    return false;
}

static int feed_column(const input_request *r, const trajectory *tr, int32_t place,
                       daedal_model *model, int32_t number, const daedal_simulation *plan)
{
    size_t n = tr->n_rows;
    const char *name = tr->columns[place].name;
    double *t = must_resize(NULL, 2 * n + 1, sizeof *t), *value = t + n;
    bool fine = n > 0;
    for (size_t i = 0; i < n && fine; i++) {
        t[i] = trajectory_time(tr, i);
        value[i] = trajectory_value(tr, i, (size_t)place);
        fine = check_row(r, tr, t, i, name, value[i]);
    }
    if (n == 0)
        print_error("%s has no rows", r->path);
    fine = fine && check_span(r, tr, name, t, plan);
    daedal_signal signal = {.times = {t, (int32_t)n},
                            .values = {value, (int32_t)n},
                            .interpolation = r->interpolation,
                            .extrapolation = r->extrapolation};
    int code = fine ? CLI_SOLVED : CLI_USAGE;
    if (fine && daedal_model_feed(model, number, &signal) < 0)
        code = print_error("%s", daedal_model_diagnosis(model)->message);
    free(t);
    return code;
}

static int feed_named(const input_request *r, const trajectory *tr, daedal_model *model,
                      const daedal_simulation *plan)
{
    const char *name = r->column ? r->column : r->name;
    int32_t number = daedal_model_find(model, r->name), place = trajectory_find(tr, name);
    if (number < 0)
        return print_error("%s", daedal_model_diagnosis(model)->message);
    if (place >= 0)
        return feed_column(r, tr, place, model, number, plan);
    const char *nearest = suggest(name, column_name, tr, tr->n_columns);
    if (!nearest)
        return print_error("%s has no column %s (its first column is the time)", r->path, name);
    return print_error("%s has no column %s; did you mean %s?", r->path, name, nearest);
}

static bool is_named(const input_requests *all, const char *name)
{
    for (int32_t k = 0; k < all->n; k++)
        if (all->at[k].name && strcmp(all->at[k].name, name) == 0)
            return true;
    return false;
}

/* Every input that has a column and is not named by another --input. */
static int feed_all(const input_requests *all, const input_request *r, const trajectory *tr,
                    daedal_model *model, const daedal_simulation *plan)
{
    const daedal_model_info *info = daedal_model_describe(model);
    int code = CLI_SOLVED, n = 0;
    for (int32_t i = 0; i < info->n_variables && code == CLI_SOLVED; i++) {
        const char *name = info->variables[i].name;
        int32_t place = info->variables[i].is_input ? trajectory_find(tr, name) : -1;
        if (place < 0 || is_named(all, name))
            continue;
        code = feed_column(r, tr, place, model, i, plan);
        n++;
    }
    if (code == CLI_SOLVED && n == 0)
        return print_error("%s has no column with the name of an input of %s", r->path, info->name);
    return code;
}

int input_files_feed(const input_requests *all, daedal_model *model, const daedal_simulation *plan)
{
    int code = CLI_SOLVED;
    for (int32_t k = 0; k < all->n && code == CLI_SOLVED; k++) {
        const input_request *r = &all->at[k];
        daedal_diagnosis why = {0};
        trajectory tr;
        if (!r->path)
            continue;
        trajectory_create(&tr, NULL, 0);
        if (result_file_read(&tr, r->path, &why) < 0)
            code = print_diagnosis(&why);
        else if (tr.is_cut_off)
            code =
                print_error("%s breaks off in its last line: the row behind row %zu is incomplete",
                            r->path, tr.n_rows);
        else
            code = r->name ? feed_named(r, &tr, model, plan) : feed_all(all, r, &tr, model, plan);
        trajectory_free(&tr);
    }
    return code;
}
