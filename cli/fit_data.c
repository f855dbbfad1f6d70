/* cli/fit_data.c - see fit_data.h. */
#include "fit_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "messages.h"
#include "output/decimal_text.h"
#include "output/result_file.h"

/* ---- flags ---- */

/* The whole text from `text` to `end` as a finite number. */
static bool read_part(const char *text, const char *end, double *x)
{
    size_t n = (size_t)(end - text);
    return n > 0 && decimal_parse(text, n, x) == n && isfinite(*x);
}

/* The x of start(x), which means the same as -y x. */
static char *name_of(const char *text, size_t length)
{
    const char *prefix = "start(";
    size_t before = strlen(prefix);
    bool is_start =
        length > before + 1 && strncmp(text, prefix, before) == 0 && text[length - 1] == ')';
    return is_start ? must_copy(text + before, length - before - 1) : must_copy(text, length);
}

bool fitted_name_read(fit_flags *f, const char *text)
{
    const char *equals = strrchr(text, '='), *end = text + strlen(text);
    const char *colon = equals ? strchr(equals, ':') : NULL;
    fitted_name u = {.name = NULL};
    if (equals &&
        !(colon && read_part(equals + 1, colon, &u.low) && read_part(colon + 1, end, &u.high)))
        return false;
    u.is_bounded = equals != NULL;
    u.name = name_of(text, equals ? (size_t)(equals - text) : strlen(text));
    f->unknowns = must_resize(f->unknowns, (size_t)f->n_unknowns + 1, sizeof *f->unknowns);
    f->unknowns[f->n_unknowns++] = u;
    return true;
}

void fit_flags_free(fit_flags *f)
{
    for (int32_t k = 0; k < f->n_unknowns; k++)
        free(f->unknowns[k].name);
    free(f->unknowns);
    free(f->files);
    for (int32_t k = 0; k < f->n_deviations; k++)
        free((char *)(uintptr_t)f->deviations[k].name);
    free(f->deviations);
}

static int find_unknowns(fit_data *d)
{
    const fit_flags *f = d->flags;
    d->unknowns = must_resize(NULL, (size_t)f->n_unknowns + 1, sizeof *d->unknowns);
    for (int32_t k = 0; k < f->n_unknowns; k++) {
        int32_t number = daedal_model_find(d->model, f->unknowns[k].name);
        if (number < 0)
            return print_error("%s", daedal_model_diagnosis(d->model)->message);
        if (f->unknowns[k].is_bounded && !(f->unknowns[k].low < f->unknowns[k].high))
            return print_error("%s: the bounds %g and %g leave no room", f->unknowns[k].name,
                               f->unknowns[k].low, f->unknowns[k].high);
        d->unknowns[k] = (daedal_unknown){.number = number,
                                          .start = NAN,
                                          .lower = f->unknowns[k].low,
                                          .upper = f->unknowns[k].high};
    }
    return CLI_SOLVED;
}

/* ---- columns ---- */

typedef enum column_use { USE_NOTHING, USE_MEASURED, USE_INPUT, USE_PARAMETER } column_use;

static int32_t place_of(const fit_data *d, const char *name)
{
    for (int32_t i = 0; i < d->info->n_variables; i++)
        if (strcmp(d->info->variables[i].name, name) == 0)
            return i;
    return -1;
}

static column_use use_of(const fit_data *d, int32_t place)
{
    if (place < 0)
        return USE_NOTHING;
    const daedal_model_variable *v = &d->info->variables[place];
    return v->is_input ? USE_INPUT : v->is_constant ? USE_PARAMETER : USE_MEASURED;
}

static double *column_values(const trajectory *tr, size_t at)
{
    double *values = must_resize(NULL, tr->n_rows + 1, sizeof *values);
    for (size_t i = 0; i < tr->n_rows; i++)
        values[i] = trajectory_value(tr, i, at);
    return values;
}

/* The standard deviation that --sigma gives for a variable, or NAN. */
static double deviation_of(const fit_flags *f, const char *name)
{
    for (int32_t k = 0; k < f->n_deviations; k++)
        if (strcmp(f->deviations[k].name, name) == 0)
            return f->deviations[k].value;
    return NAN;
}

static void take_measured(fit_data *d, fit_experiment *own, daedal_experiment *x, int32_t place,
                          size_t at)
{
    size_t n = own->table.n_rows, j = (size_t)x->measured.n;
    own->measured = must_resize(own->measured, j + 1, sizeof *own->measured);
    own->measured[j] = d->info->first_number + place;
    own->values = must_resize(own->values, (j + 1) * n + 1, sizeof *own->values);
    own->deviations = must_resize(own->deviations, j + 1, sizeof *own->deviations);
    own->deviations[j] = deviation_of(d->flags, own->table.columns[at].name);
    for (size_t i = 0; i < n; i++) {
        own->values[j * n + i] = trajectory_value(&own->table, i, at);
        own->n_missing += isnan(own->values[j * n + i]);
    }
    x->measured.n++;
}

/* A parameter of the experiment: one value in all rows. */
static int take_parameter(fit_data *d, fit_experiment *own, daedal_experiment *x, int32_t place,
                          size_t at)
{
    size_t j = (size_t)x->set.n;
    double value = trajectory_value(&own->table, 0, at);
    for (size_t i = 0; i < own->table.n_rows; i++)
        if (trajectory_value(&own->table, i, at) != value)
            return print_error(
                "%s, row %zu: %s is a parameter of the model and must have one value "
                "in the whole file",
                x->name, i + 1, own->table.columns[at].name);
    own->set = must_resize(own->set, j + 1, sizeof *own->set);
    own->set_to = must_resize(own->set_to, j + 1, sizeof *own->set_to);
    own->set[j] = d->info->first_number + place;
    own->set_to[j] = value;
    x->set.n++;
    return CLI_SOLVED;
}

/* An input: straight lines between the rows, whose ends hold. */
static int take_input(fit_data *d, fit_experiment *own, daedal_experiment *x, int32_t place,
                      size_t at)
{
    size_t j = (size_t)x->fed.n;
    double *values = column_values(&own->table, at);
    own->fed = must_resize(own->fed, j + 1, sizeof *own->fed);
    own->signals = must_resize(own->signals, j + 1, sizeof *own->signals);
    own->fed[j] = d->info->first_number + place;
    own->signals[j] = (daedal_signal){.times = {own->times, (int32_t)own->table.n_rows},
                                      .values = {values, (int32_t)own->table.n_rows},
                                      .extrapolation = DAEDAL_HOLD};
    x->fed.n++;
    for (size_t i = 0; i < own->table.n_rows; i++)
        if (!isfinite(values[i]))
            return print_error("%s, row %zu: the input %s is %g", x->name, i + 1,
                               own->table.columns[at].name, values[i]);
    return CLI_SOLVED;
}

static int take_column(fit_data *d, fit_experiment *own, daedal_experiment *x, size_t at)
{
    int32_t place = place_of(d, own->table.columns[at].name);
    switch (use_of(d, place)) {
    case USE_MEASURED:
        take_measured(d, own, x, place, at);
        return CLI_SOLVED;
    case USE_INPUT:
        return take_input(d, own, x, place, at);
    case USE_PARAMETER:
        return take_parameter(d, own, x, place, at);
    case USE_NOTHING:
        break;
    }
    own->n_ignored++;
    print_warning("%s: column %s is no variable of %s and is not used", x->name,
                  own->table.columns[at].name, d->info->name);
    return CLI_SOLVED;
}

/* Deviations must be given for all measured variables, or for none. */
static int check_deviations(const fit_experiment *own, daedal_experiment *x)
{
    int32_t given = 0;
    for (int32_t j = 0; j < x->measured.n; j++)
        given += !isnan(own->deviations[j]);
    if (given > 0 && given < x->measured.n)
        return print_error(
            "--sigma is given for %d of the %d measured variables of %s; give it for "
            "all of them, or for none",
            (int)given, (int)x->measured.n, x->name);
    x->deviations = given > 0 ? own->deviations : NULL;
    return CLI_SOLVED;
}

static int check_rows(const fit_data *d, const fit_experiment *own, const daedal_experiment *x)
{
    if (own->table.is_cut_off)
        return print_error("%s breaks off in its last line: the row behind row %zu is incomplete",
                           x->name, own->table.n_rows);
    if (own->table.n_rows == 0)
        return print_error("%s has no rows", x->name);
    if (x->measured.n == 0)
        return print_error("no column of %s measures a variable of %s", x->name, d->info->name);
    return CLI_SOLVED;
}

static int read_experiment(fit_data *d, const char *path)
{
    fit_experiment *own = &d->own[d->n_experiments];
    daedal_experiment *x = &d->experiments[d->n_experiments++];
    daedal_diagnosis why = {0};
    int code = CLI_SOLVED;
    memset(own, 0, sizeof *own);
    *x = (daedal_experiment){.name = path};
    trajectory_create(&own->table, NULL, 0);
    own->table.takes_gaps = true; /* not all that is measured is measured at all times */
    if (result_file_read(&own->table, path, &why) < 0)
        return print_diagnosis(&why);
    own->times = must_resize(NULL, own->table.n_rows + 1, sizeof *own->times);
    for (size_t i = 0; i < own->table.n_rows; i++)
        own->times[i] = trajectory_time(&own->table, i);
    for (size_t k = 0; k < own->table.n_columns && own->table.n_rows && code == CLI_SOLVED; k++)
        code = take_column(d, own, x, k);
    x->times = (daedal_doubles){own->times, (int32_t)own->table.n_rows};
    x->measured.at = own->measured;
    x->values = own->values;
    x->set.at = own->set;
    x->set_to = own->set_to;
    x->fed.at = own->fed;
    x->signals = own->signals;
    if (code == CLI_SOLVED)
        code = check_rows(d, own, x);
    return code == CLI_SOLVED ? check_deviations(own, x) : code;
}

/* --sigma must name what some file measures. */
static int check_names(const fit_data *d)
{
    for (int32_t k = 0; k < d->flags->n_deviations; k++) {
        bool found = false;
        for (int32_t e = 0; e < d->n_experiments; e++)
            found |= trajectory_find(&d->own[e].table, d->flags->deviations[k].name) >= 0;
        if (!found)
            return print_error("--sigma %s: no file has a column of this name",
                               d->flags->deviations[k].name);
    }
    return CLI_SOLVED;
}

int fit_data_read(fit_data *d, daedal_model *model, const fit_flags *flags)
{
    *d = (fit_data){.model = model, .info = daedal_model_describe(model), .flags = flags};
    size_t n = (size_t)flags->n_files;
    if (flags->n_unknowns == 0)
        return print_error("no parameter to fit: give -p NAME or -p NAME=LOW:HIGH");
    if (n == 0)
        return print_error("there are no data: give --data FILE");
    d->own = must_resize(NULL, n, sizeof *d->own);
    d->experiments = must_resize(NULL, n, sizeof *d->experiments);
    int code = find_unknowns(d);
    for (size_t k = 0; k < n && code == CLI_SOLVED; k++)
        code = read_experiment(d, flags->files[k]);
    return code == CLI_SOLVED ? check_names(d) : code;
}

static void free_experiment(fit_experiment *own, const daedal_experiment *x)
{
    for (int32_t j = 0; j < x->fed.n; j++)
        free((double *)(uintptr_t)own->signals[j].values.at);
    trajectory_free(&own->table);
    free(own->times);
    free(own->measured);
    free(own->set);
    free(own->fed);
    free(own->values);
    free(own->deviations);
    free(own->set_to);
    free(own->signals);
}

void fit_data_free(fit_data *d)
{
    for (int32_t k = 0; k < d->n_experiments; k++)
        free_experiment(&d->own[k], &d->experiments[k]);
    free(d->own);
    free(d->experiments);
    free(d->unknowns);
}
