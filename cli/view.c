/* cli/view.c - see view.h. */
#include "view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw.h"
#include "messages.h"
#include "name_patterns.h"
#include "plot/derived_tables.h"
#include "plot/heat_map.h"
#include "selection.h"

enum { PROFILES_MAX = 8, PROFILES = 6, FOOTER_SIZE = 1200 };

/* What is drawn: curves of a table, or a map of an array. */
typedef struct view {
    const view_request *request;
    table_column *columns; /* chosen from the sources */
    size_t n, n_possible;  /* n_possible: without a limit */
    trajectory derived;    /* if is_derived */
    bool is_derived;
    int32_t drawn[PLOT_CURVES_MAX];
    int32_t *elements; /* of the array of a profile or map */
    int32_t n_elements;
    char footer[FOOTER_SIZE], title[FOOTER_SIZE];
    drawing what;
} view;

/* ---- names ---- */

static const char *name_of_column(const void *list, size_t i)
{
    return ((const column *)list)[i].name;
}

static bool find_columns(const view_source *s, const char *pattern, name_matches *found)
{
    const name_table table = {s->data->columns, s->data->n_columns, name_of_column, NULL, s->name};
    return name_pattern_find(&table, pattern, 0, strlen(pattern), found);
}

/* The name of a file without its folder, unless another one has the same. */
static const char *label_of(const view_request *r, size_t k)
{
    if (r->n_sources == 1)
        return NULL;
    const char *slash = strrchr(r->sources[k].name, '/'),
               *name = slash ? slash + 1 : r->sources[k].name;
    for (size_t i = 0; i < r->n_sources; i++) {
        const char *other = strrchr(r->sources[i].name, '/');
        other = other ? other + 1 : r->sources[i].name;
        if (i != k && strcmp(other, name) == 0)
            return r->sources[k].name;
    }
    return name;
}

static void add_column(view *v, size_t source, int32_t col)
{
    const view_request *r = v->request;
    for (size_t k = 0; k < v->n; k++)
        if (v->columns[k].of == r->sources[source].data && v->columns[k].column == col)
            return;
    v->n_possible++;
    if (v->n < PLOT_CURVES_MAX)
        v->columns[v->n++] = (table_column){r->sources[source].data, col, label_of(r, source)};
}

/* ---- the choice of columns ---- */

/* Those that --vars names, of each result: x of all of them, then y of all of them. */
static bool choose_named(view *v)
{
    const view_request *r = v->request;
    name_list names;
    bool fine = names_read(&names, r->args->vars);
    for (size_t k = 0; fine && k < names.n; k++)
        for (size_t s = 0; fine && s < r->n_sources; s++) {
            name_matches found = {0};
            if (strcmp(names.at[k], "time") == 0)
                continue;
            fine = find_columns(&r->sources[s], names.at[k], &found);
            for (size_t i = 0; fine && i < found.n; i++)
                add_column(v, s, (int32_t)found.at[i]);
            name_matches_free(&found);
        }
    names_free(&names);
    return fine;
}

static bool choose_common(view *v, const int32_t *varying, int32_t n)
{
    const view_request *r = v->request;
    for (int32_t k = 0; k < n; k++) {
        const char *name = r->sources[0].data->columns[varying[k]].name;
        bool everywhere = true;
        for (size_t s = 1; s < r->n_sources; s++)
            everywhere &= trajectory_find(r->sources[s].data, name) >= 0;
        for (size_t s = 0; everywhere && s < r->n_sources; s++)
            add_column(v, s, trajectory_find(r->sources[s].data, name));
    }
    if (v->n == 0)
        print_error("%s and %s have no variable in common that varies", r->sources[0].name,
                    r->sources[1].name);
    return v->n > 0;
}

/* Without --vars: what varies, and occurs in all results. */
static bool choose_varying(view *v)
{
    const view_request *r = v->request;
    const trajectory *first = r->sources[0].data;
    int32_t *varying = must_resize(NULL, first->n_columns + 1, sizeof *varying);
    int32_t n = plot_choose(first, varying, (int32_t)first->n_columns);
    bool fine = true;
    if (r->n_sources > 1)
        fine = choose_common(v, varying, n);
    for (int32_t k = 0; k < n && r->n_sources == 1; k++)
        add_column(v, 0, varying[k]);
    free(varying);
    return fine;
}

/* ---- what is left out ---- */

static void add_note(view *v, const char *note)
{
    size_t used = strlen(v->footer);
    bool ended = used == 0 || v->footer[used - 1] == '\n';
    snprintf(v->footer + used, sizeof v->footer - used, "%s%s\n", ended ? "" : "\n", note);
}

static void note_left_out(view *v)
{
    char note[200];
    if (v->n_possible <= v->n)
        return;
    snprintf(note, sizeof note, "%zu of %zu curves are drawn; --vars chooses others", v->n,
             v->n_possible);
    add_note(v, note);
}

static void note_not_positive(view *v)
{
    const drawing *d = &v->what;
    size_t values = 0, times = 0;
    char note[200];
    for (size_t i = 0; i < d->data->n_rows; i++) {
        times += d->log_x && trajectory_time(d->data, i) <= 0.0;
        for (int32_t k = 0; d->log_y && k < d->n_columns; k++)
            values += trajectory_value(d->data, i, (size_t)d->columns[k]) <= 0.0;
    }
    if (values > 0) {
        snprintf(note, sizeof note, "left out, because not positive: %zu value%s", values,
                 values == 1 ? "" : "s");
        add_note(v, note);
    }
    if (times > 0) {
        snprintf(note, sizeof note, "left out, because %.100s is not positive: %zu row%s",
                 d->data->time.name, times, times == 1 ? "" : "s");
        add_note(v, note);
    }
}

/* ---- tables ---- */

static bool refuse(const daedal_diagnosis *why)
{
    print_diagnosis(why);
    return false;
}

/* Curves over the time of one result need no table of their own. */
static bool draw_over_time(view *v)
{
    daedal_diagnosis why;
    v->what.data = v->columns[0].of;
    for (size_t k = 0; k < v->n; k++)
        v->drawn[k] = v->columns[k].column;
    if (v->request->n_sources == 1)
        return true;
    v->is_derived = true;
    v->what.data = &v->derived;
    for (size_t k = 0; k < v->n; k++)
        v->drawn[k] = (int32_t)k;
    return table_join(&v->derived, v->columns, v->n, &why) >= 0 || refuse(&why);
}

/* Columns of one result stand together. */
static void sort_by_source(view *v)
{
    for (size_t i = 1; i < v->n; i++)
        for (size_t k = i; k > 0; k--) {
            const view_request *r = v->request;
            size_t a = 0, b = 0;
            while (r->sources[a].data != v->columns[k - 1].of)
                a++;
            while (r->sources[b].data != v->columns[k].of)
                b++;
            if (a <= b)
                break;
            table_column swap = v->columns[k];
            v->columns[k] = v->columns[k - 1];
            v->columns[k - 1] = swap;
        }
}

static bool draw_against(view *v)
{
    const view_request *r = v->request;
    int32_t x[PLOT_CURVES_MAX];
    size_t n = 0;
    daedal_diagnosis why;
    sort_by_source(v);
    for (size_t k = 0; k < v->n; k++) {
        size_t s = 0;
        name_matches found;
        while (r->sources[s].data != v->columns[k].of)
            s++;
        bool fine = find_columns(&r->sources[s], r->args->x_name, &found);
        x[n] = fine ? (int32_t)found.at[0] : -1;
        if (fine && found.n > 1)
            fine = print_error("--x %s: %zu variables have that name; give one", r->args->x_name,
                               found.n) == CLI_SOLVED;
        name_matches_free(&found);
        if (!fine)
            return false;
        if (x[n] != v->columns[k].column) /* x against itself is not drawn */
            v->columns[n++] = v->columns[k];
    }
    v->n_possible -= v->n - n;
    v->n = n;
    if (n == 0)
        return print_error("--x %s: there is nothing to draw against it", r->args->x_name) ==
               CLI_SOLVED;
    for (size_t k = 0; k < n; k++)
        v->drawn[k] = (int32_t)k;
    v->is_derived = v->what.is_path = true;
    v->what.data = &v->derived;
    return table_against(&v->derived, v->columns, x, n, &why) >= 0 || refuse(&why);
}

/* ---- arrays ---- */

static bool find_array(view *v, const char *name)
{
    const view_request *r = v->request;
    name_matches found = {0};
    bool fine = find_columns(&r->sources[0], name, &found);
    v->elements = must_resize(NULL, found.n + 1, sizeof *v->elements);
    for (size_t k = 0; fine && k < found.n; k++)
        v->elements[v->n_elements++] = (int32_t)found.at[k];
    if (fine && found.n < 2)
        fine = print_error("%s is no array in %s", name, r->sources[0].name) == CLI_SOLVED;
    name_matches_free(&found);
    return fine;
}

static size_t nearest_row(const trajectory *tr, double t)
{
    size_t best = 0;
    for (size_t i = 1; i < tr->n_rows; i++)
        if (fabs(trajectory_time(tr, i) - t) <= fabs(trajectory_time(tr, best) - t))
            best = i;
    return best;
}

static bool draw_profiles(view *v)
{
    const view_request *r = v->request;
    const arguments *a = r->args;
    const trajectory *tr = r->sources[0].data;
    size_t rows[PROFILES_MAX], n = 0;
    daedal_diagnosis why;
    char note[200];
    if (!find_array(v, a->profile))
        return false;
    int32_t wanted = a->n_times > 0 ? a->n_times : PROFILES;
    double first = trajectory_time(tr, 0), last = trajectory_time(tr, tr->n_rows - 1);
    for (int32_t k = 0; k < wanted && n < PROFILES_MAX; k++) {
        double t = a->n_times > 0 ? a->times[k] : first + (last - first) * k / (wanted - 1);
        size_t row = nearest_row(tr, t);
        if (n == 0 || row != rows[n - 1])
            rows[n++] = row;
    }
    if (wanted > PROFILES_MAX) {
        snprintf(note, sizeof note, "the first %d of %d times are drawn", PROFILES_MAX,
                 (int)wanted);
        add_note(v, note);
    }
    table_array array = {tr, v->elements, v->n_elements, a->profile};
    v->is_derived = true;
    v->what.data = &v->derived;
    v->n = n;
    for (size_t k = 0; k < n; k++)
        v->drawn[k] = (int32_t)k;
    return table_profile(&v->derived, &array, rows, n, &why) >= 0 || refuse(&why);
}

static bool draw_map(view *v)
{
    const view_request *r = v->request;
    if (!find_array(v, r->args->map))
        return false;
    v->what.data = r->sources[0].data;
    v->what.is_map = true;
    v->what.array = (table_array){r->sources[0].data, v->elements, v->n_elements, r->args->map};
    return true;
}

/* ---- the whole ---- */

static bool choose_columns(view *v)
{
    if (v->request->args->vars ? !choose_named(v) : !choose_varying(v))
        return false;
    if (v->n == 0)
        return print_error("there is nothing to draw") == CLI_SOLVED;
    bool fine = v->request->args->x_name ? draw_against(v) : draw_over_time(v);
    if (fine)
        note_left_out(v);
    return fine;
}

static bool build(view *v)
{
    const view_request *r = v->request;
    const arguments *a = r->args;
    if (r->sources[0].data->n_rows == 0)
        return print_error("%s has no rows to draw", r->sources[0].name) == CLI_SOLVED;
    if ((a->profile || a->map) && r->n_sources > 1)
        return print_error("--profile and --map draw one result, not %zu", r->n_sources) ==
               CLI_SOLVED;
    v->what.log_x = a->log_axes && strchr(a->log_axes, 'x');
    v->what.log_y = a->log_axes && strchr(a->log_axes, 'y');
    bool fine = a->profile ? draw_profiles(v) : a->map ? draw_map(v) : choose_columns(v);
    if (!fine)
        return false;
    v->what.columns = v->what.is_map ? v->elements : v->drawn;
    v->what.n_columns = v->what.is_map ? v->n_elements : (int32_t)v->n;
    note_not_positive(v);
    v->what.title = v->title;
    v->what.footer = v->footer[0] ? v->footer : NULL;
    return true;
}

/* That of one result; of several, their names. */
static void fill_title(view *v)
{
    const view_request *r = v->request;
    size_t used = (size_t)snprintf(v->title, sizeof v->title, "%.500s",
                                   r->n_sources == 1 ? r->title : label_of(r, 0));
    for (size_t k = 1; k < r->n_sources && used < sizeof v->title; k++)
        used +=
            (size_t)snprintf(v->title + used, sizeof v->title - used, ", %.100s", label_of(r, k));
}

static int show(const view_request *request, FILE *page, const char *path)
{
    view v = {.request = request};
    fill_title(&v);
    v.columns = must_resize(NULL, PLOT_CURVES_MAX, sizeof *v.columns);
    snprintf(v.footer, sizeof v.footer, "%s", request->footer ? request->footer : "");
    int code = CLI_USAGE;
    bool fine = build(&v);
    if (fine && path && !page)
        page = draw_open_page(path);
    if (fine && (page || !path))
        code = page ? draw_page(&v.what, page, path) : draw_here(&v.what);
    else if (page)
        fclose(page);
    if (v.is_derived)
        trajectory_free(&v.derived);
    free(v.columns);
    free(v.elements);
    return code;
}

int view_here(const view_request *v)
{
    return show(v, NULL, NULL);
}

int view_page(const view_request *v, FILE *page, const char *path)
{
    return show(v, page, path);
}
