/* cli/sweep_runs.c - see sweep_runs.h. */
#include "sweep_runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "messages.h"
#include "output/result_file.h"
#include "sweep/sampling_plan.h"

static const double MOST_RUNS = 1e9;

/* ---- flags that must fit together ---- */

static bool is_count(double x, double most)
{
    return x >= 1 && x <= most && x == floor(x);
}

static int check_flags(const sweep_arguments *s)
{
    bool samples = !isnan(s->samples);
    if (s->grid + samples + !!s->table > 1)
        return print_error("--grid, --samples and --table exclude each other");
    if (s->table && s->varied.n > 0)
        return print_error("%s cannot be varied: --table gives the values of all runs",
                           s->varied.at[0].name);
    if (!s->table && s->varied.n == 0)
        return print_error("nothing varies: give -p NAME=FROM:TO:N, -p NAME=A,B,C, or --table "
                           "FILE.csv");
    if (!samples && (s->sampling || !isnan(s->seed)))
        return print_error("%s needs --samples N", s->sampling ? "--sampling" : "--seed");
    if (samples && !is_count(s->samples, MOST_RUNS))
        return print_error("--samples needs a whole number from 1 to %g, not %g", MOST_RUNS,
                           s->samples);
    if (!isnan(s->seed) && !(s->seed >= 0 && s->seed <= 0x1p53 && s->seed == floor(s->seed)))
        return print_error("--seed needs a whole number from 0 to 2^53, not %g", s->seed);
    return CLI_SOLVED;
}

static int read_sampling(const char *word, sampling_kind *kind)
{
    static const char *const words[] = {
        [SAMPLING_RANDOM] = "random", [SAMPLING_LATIN] = "latin", [SAMPLING_SOBOL] = "sobol"};
    *kind = SAMPLING_RANDOM;
    if (!word)
        return CLI_SOLVED;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (strcmp(word, words[k]) == 0) {
            *kind = (sampling_kind)k;
            return CLI_SOLVED;
        }
    return print_error("--sampling must be random, latin or sobol, not '%s'", word);
}

/* ---- names ---- */

typedef struct candidates {
    const daedal_model_info *info;
    bool starts; /* start values, else parameters */
} candidates;

static bool is_candidate(const candidates *c, size_t i)
{
    const daedal_model_variable *v = &c->info->variables[i];
    return c->starts ? !v->is_constant : v->is_parameter;
}

/* Names that do not come into question are never similar. */
static const char *candidate_name(const void *list, size_t i)
{
    const candidates *c = list;
    return is_candidate(c, i) ? c->info->variables[i].name : "";
}

static int32_t find_variable(const daedal_model_info *info, const char *name)
{
    for (int32_t k = 0; k < info->n_variables; k++)
        if (strcmp(info->variables[k].name, name) == 0)
            return k;
    return -1;
}

static int refuse_name(const daedal_model_info *info, const char *name, bool start)
{
    candidates c = {info, start};
    const char *nearest = suggest(name, candidate_name, &c, (size_t)info->n_variables);
    const char *what = start ? "variable" : "parameter";
    if (nearest && *nearest)
        return print_error("%s has no %s %s; did you mean %s?", info->name, what, name, nearest);
    return print_error("%s has no %s %s; `daedal describe` lists them", info->name, what, name);
}

static int check_variable(const daedal_model_info *info, const varied *v, int32_t k)
{
    const daedal_model_variable *found = &info->variables[k];
    if (v->is_start && found->is_constant)
        return print_error("%s has no start value; -p %s varies the parameter", v->name, v->text);
    if (!v->is_start && !found->is_parameter && found->is_constant)
        return print_error("%s is a constant of the model and cannot be varied", v->name);
    if (!v->is_start && !found->is_parameter)
        return print_error("%s is no parameter; -y %s varies its start value", v->name, v->text);
    return CLI_SOLVED;
}

static int check_once(const sweep_runs *r, const arguments *a, int32_t k)
{
    const char *name = r->names[k];
    for (int32_t i = 0; i < k; i++)
        if (strcmp(r->names[i], name) == 0)
            return print_error("%s is varied twice", name);
    for (int32_t i = 0; i < a->parameters.n + a->starts.n; i++) {
        const daedal_setting *s =
            i < a->parameters.n ? &a->parameters.at[i] : &a->starts.at[i - a->parameters.n];
        if (strcmp(s->name, name) == 0)
            return print_error("%s is both set to %g and varied", name, s->value);
    }
    return CLI_SOLVED;
}

static int check_tuning(const loaded *source, const daedal_tuning *tunings, int32_t k)
{
    const daedal_model_variable *v = &source->info->variables[k];
    if (v->is_parameter && tunings[k] == DAEDAL_TUNING_FINAL)
        return print_error("%s cannot be varied: it is final, so that it follows from others",
                           v->name);
    if (v->is_parameter && tunings[k] == DAEDAL_TUNING_NONE)
        return print_error("%s cannot be varied: its value is determined at the start (fixed = "
                           "false)",
                           v->name);
    return CLI_SOLVED;
}

/* v has the names and kinds of what varies; a column of a table may be of either kind. */
static int find_numbers(sweep_runs *r, const arguments *a, const loaded *source, varied *v)
{
    const daedal_model_info *info = source->info;
    daedal_tuning *tunings = must_resize(NULL, (size_t)info->n_variables + 1, sizeof *tunings);
    int code = daedal_model_tunings(source->model, tunings) < 0
                   ? print_diagnosis(daedal_model_diagnosis(source->model))
                   : CLI_SOLVED;
    for (int32_t j = 0; j < r->n_varied && code == CLI_SOLVED; j++) {
        int32_t k = find_variable(info, v[j].name);
        r->names[j] = must_copy(v[j].name, strlen(v[j].name));
        if (k >= 0 && a->sweep.table)
            v[j].is_start = !info->variables[k].is_constant;
        code = k < 0 ? refuse_name(info, v[j].name, v[j].is_start) : check_variable(info, &v[j], k);
        if (code == CLI_SOLVED)
            code = check_tuning(source, tunings, k);
        if (code == CLI_SOLVED)
            code = check_once(r, a, j);
        r->numbers[j] = info->first_number + k;
    }
    free(tunings);
    return code;
}

/* ---- values ---- */

static void take_room(sweep_runs *r, int32_t n_varied)
{
    r->n_varied = n_varied;
    r->names = must_resize(NULL, (size_t)n_varied + 1, sizeof *r->names);
    memset(r->names, 0, ((size_t)n_varied + 1) * sizeof *r->names);
    r->numbers = must_resize(NULL, (size_t)n_varied + 1, sizeof *r->numbers);
}

static void take_values(sweep_runs *r, int64_t n_runs)
{
    r->n_runs = n_runs;
    r->values = must_resize(NULL, (size_t)n_runs * (size_t)r->n_varied, sizeof *r->values);
}

static int plan_grid(sweep_runs *r, sampling_plan *plan, const varied_list *all)
{
    for (int32_t j = 0; j < all->n; j++)
        if (plan->varied[j].n == 0)
            return print_error("%s has no number of values: --samples N draws from it, "
                               "%s=FROM:TO:N makes a grid",
                               all->at[j].text, all->at[j].name);
    int64_t n = sampling_grid_size(plan);
    if (n < 0 || (double)n > MOST_RUNS)
        return print_error("the grid has more than %g combinations; --samples N draws from them",
                           MOST_RUNS);
    take_values(r, n);
    plan->n_runs = n;
    sampling_grid(plan, r->values);
    return CLI_SOLVED;
}

static int plan_samples(sweep_runs *r, sampling_plan *plan, const sweep_arguments *s)
{
    int code = read_sampling(s->sampling, &plan->kind);
    if (code != CLI_SOLVED)
        return code;
    if (plan->kind == SAMPLING_SOBOL && plan->n_varied > SOBOL_DIMENSIONS)
        return print_error("--sampling sobol varies %d parameters at most; use latin",
                           SOBOL_DIMENSIONS);
    plan->n_runs = (int64_t)s->samples;
    plan->seed = isnan(s->seed) ? 1 : (uint64_t)s->seed;
    take_values(r, plan->n_runs);
    if (!sampling_samples(plan, r->values, NULL))
        return print_error("out of memory for %g samples", s->samples);
    return CLI_SOLVED;
}

static int plan_variations(sweep_runs *r, const sweep_arguments *s)
{
    variation *how = must_resize(NULL, (size_t)s->varied.n, sizeof *how);
    for (int32_t j = 0; j < s->varied.n; j++)
        how[j] = s->varied.at[j].how;
    sampling_plan plan = {.varied = how, .n_varied = s->varied.n};
    int code = isnan(s->samples) ? plan_grid(r, &plan, &s->varied) : plan_samples(r, &plan, s);
    free(how);
    return code;
}

/* Integers, Booleans and enumerations have whole numbers as values. */
static int check_types(const sweep_runs *r, const daedal_model_info *info)
{
    for (int32_t j = 0; j < r->n_varied; j++) {
        const daedal_model_variable *v = &info->variables[r->numbers[j] - info->first_number];
        for (int64_t i = 0; i < r->n_runs; i++) {
            double x = r->values[i * r->n_varied + j];
            if (!isfinite(x))
                return print_error("run %lld: the value of %s is not a finite number", (long long)i,
                                   v->name);
            if (v->type != DAEDAL_REAL && x != floor(x))
                return print_error("%s is no Real: it cannot be %g", v->name, x);
        }
    }
    return CLI_SOLVED;
}

/* ---- tables ---- */

static int take_table(sweep_runs *r, const arguments *a, const loaded *source,
                      const trajectory *table)
{
    const char *path = a->sweep.table;
    if (table->is_cut_off)
        return print_error("%s: the last line is incomplete", path);
    if (table->n_rows == 0)
        return print_error("%s has no rows", path);
    take_room(r, (int32_t)table->n_columns);
    varied *columns = must_resize(NULL, table->n_columns, sizeof *columns);
    for (size_t j = 0; j < table->n_columns; j++)
        columns[j] =
            (varied){.name = must_copy(table->columns[j].name, strlen(table->columns[j].name)),
                     .text = table->columns[j].name};
    for (size_t j = 0; j < table->n_columns; j++)
        varied_take_start(&columns[j]);
    int code = find_numbers(r, a, source, columns);
    for (size_t j = 0; j < table->n_columns; j++)
        free(columns[j].name);
    free(columns);
    take_values(r, (int64_t)table->n_rows);
    for (size_t i = 0; i < table->n_rows; i++)
        memcpy(r->values + i * table->n_columns, trajectory_row(table, i) + 1,
               table->n_columns * sizeof *r->values);
    return code;
}

static int plan_table(sweep_runs *r, const arguments *a, const loaded *source)
{
    trajectory table;
    daedal_diagnosis why;
    trajectory_create(&table, NULL, 0);
    int code = result_table_read(&table, a->sweep.table, &why) < 0
                   ? print_diagnosis(&why)
                   : take_table(r, a, source, &table);
    trajectory_free(&table);
    return code;
}

/* ---- the plan ---- */

int sweep_runs_plan(sweep_runs *r, const arguments *a, const loaded *source)
{
    const sweep_arguments *s = &a->sweep;
    *r = (sweep_runs){.n_varied = 0};
    int code = check_flags(s);
    if (code == CLI_SOLVED && s->table) {
        code = plan_table(r, a, source);
    } else if (code == CLI_SOLVED) {
        take_room(r, s->varied.n);
        code = find_numbers(r, a, source, s->varied.at);
        if (code == CLI_SOLVED)
            code = plan_variations(r, s);
    }
    return code == CLI_SOLVED ? check_types(r, source->info) : code;
}

void sweep_runs_free(sweep_runs *r)
{
    for (int32_t j = 0; j < r->n_varied; j++)
        free(r->names[j]);
    free(r->names);
    free(r->numbers);
    free(r->values);
}
