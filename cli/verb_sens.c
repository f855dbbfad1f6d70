/* cli/verb_sens.c - daedal sens MODEL: derivatives of a solution by parameters, and their rank. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "console.h"
#include "draw.h"
#include "influence.h"
#include "job.h"
#include "messages.h"
#include "name_patterns.h"
#include "output/json_writer.h"
#include "output/utf8.h"
#include "verbs.h"

typedef struct sens {
    job j;
    arguments run_args; /* what the run and the plot are given: --of is their --vars */
    int32_t *number;    /* n: the parameters, by their place in the description      */
    int32_t n;
    char **name;         /* n: k, or start(x) */
    double *value;       /* n */
    double *unit;        /* n: a change of it by this is shown: its value, unless that is 0 */
    bool *acts;          /* n: some variable depends on it */
    double *event_times; /* rows of 1 + n: the time of an event, and its derivatives */
    size_t n_events;
    influence_ranking ranking;
    bool is_ranked;
} sens;

/* ---- which parameters ---- */

enum { MOST_BY_DEFAULT = 100 };

typedef struct parameter_names {
    const daedal_model_info *info;
    int32_t *number;
    size_t n;
} parameter_names;

static const char *name_of_parameter(const void *list, size_t i)
{
    const parameter_names *p = list;
    return p->info->variables[p->number[i]].name;
}

static parameter_names list_parameters(const daedal_model_info *info)
{
    parameter_names p = {info, must_resize(NULL, (size_t)info->n_variables + 1, sizeof(int32_t)),
                         0};
    for (int32_t k = 0; k < info->n_variables; k++)
        if (info->variables[k].is_parameter)
            p.number[p.n++] = k;
    return p;
}

static void take(sens *s, int32_t number)
{
    for (int32_t i = 0; i < s->n; i++)
        if (s->number[i] == number)
            return;
    s->number = must_resize(s->number, (size_t)s->n + 1, sizeof *s->number);
    s->number[s->n++] = number;
}

static int refuse_variable(const daedal_model_info *info, const char *name)
{
    for (int32_t k = 0; k < info->n_variables; k++)
        if (!info->variables[k].is_parameter && strcmp(info->variables[k].name, name) == 0)
            return print_error("-p %s: %s is no parameter of %s; `daedal describe` lists them, and "
                               "-p 'start(%s)' differentiates by its start value",
                               name, name, info->name, name);
    return CLI_SOLVED;
}

/* start(x): the variable stands for its start value. */
static int take_start(sens *s, const daedal_model_info *info, const char *text)
{
    char *name = must_copy(text + strlen("start("), strlen(text) - strlen("start()"));
    const daedal_model_variable *v = NULL;
    for (int32_t k = 0; k < info->n_variables && !v; k++)
        if (strcmp(info->variables[k].name, name) == 0)
            v = &info->variables[k];
    int code = CLI_SOLVED;
    if (!v || v->is_constant || v->type != DAEDAL_REAL)
        code = print_error("-p %s: %s is no Real variable of %s that has a start value", text, name,
                           info->name);
    else
        take(s, (int32_t)(v - info->variables));
    free(name);
    return code;
}

/* Patterns leave out what has no derivatives; a name alone must have some. */
static int take_pattern(sens *s, const parameter_names *all, const char *pattern)
{
    const daedal_model_info *info = all->info;
    const name_table table = {all, all->n, name_of_parameter, NULL, info->name};
    name_matches found = {0};
    if (arguments_name_start(pattern))
        return take_start(s, info, pattern);
    int code = refuse_variable(info, pattern);
    if (code != CLI_SOLVED)
        return code;
    bool fine = name_pattern_find(&table, pattern, 0, strlen(pattern), &found);
    for (size_t k = 0; fine && k < found.n; k++) {
        const daedal_model_variable *v = &info->variables[all->number[found.at[k]]];
        if (v->type == DAEDAL_REAL)
            take(s, all->number[found.at[k]]);
        else if (found.n == 1)
            fine =
                print_error("-p %s: only Real parameters have derivatives", pattern) == CLI_SOLVED;
    }
    name_matches_free(&found);
    return fine ? CLI_SOLVED : CLI_USAGE;
}

/* Without names: all that can be differentiated. */
static int take_live(sens *s)
{
    const daedal_model_info *info = s->j.source.info;
    daedal_tuning *tuning = must_resize(NULL, (size_t)info->n_variables + 1, sizeof *tuning);
    if (daedal_model_tunings(s->j.source.model, tuning) >= 0)
        for (int32_t k = 0; k < info->n_variables; k++)
            if (info->variables[k].type == DAEDAL_REAL && info->variables[k].value != 0.0 &&
                (tuning[k] == DAEDAL_TUNING_LIVE || tuning[k] == DAEDAL_TUNING_CONDITIONAL))
                take(s, k);
    free(tuning);
    if (s->n == 0)
        return print_error("%s has no parameter that can be differentiated by; "
                           "`daedal describe` lists them",
                           info->name);
    if (s->n > MOST_BY_DEFAULT)
        return print_error("%s has %d parameters: name some of them, -p a,b", info->name,
                           (int)s->n);
    return CLI_SOLVED;
}

static char *name_start(const char *name)
{
    size_t size = strlen(name) + sizeof "start()";
    char *text = must_resize(NULL, size, 1);
    snprintf(text, size, "start(%s)", name);
    return text;
}

/* As given by -y, else as written. */
static double start_of(const sens *s, const daedal_model_variable *v)
{
    const settings *given = &s->j.args->starts;
    double value = isnan(v->start) ? 0.0 : v->start;
    for (int32_t k = 0; k < given->n; k++)
        if (strcmp(given->at[k].name, v->name) == 0)
            value = given->at[k].value;
    return value;
}

static int choose_parameters(sens *s, const name_list *names)
{
    const daedal_model_info *info = s->j.source.info;
    parameter_names all = list_parameters(info);
    int code = CLI_SOLVED;
    for (size_t k = 0; k < names->n && code == CLI_SOLVED; k++)
        code = take_pattern(s, &all, names->at[k]);
    free(all.number);
    if (code == CLI_SOLVED && names->n == 0)
        code = take_live(s);
    s->name = must_resize(NULL, (size_t)s->n + 1, sizeof *s->name);
    s->value = must_resize(NULL, (size_t)s->n + 1, sizeof *s->value);
    s->unit = must_resize(NULL, (size_t)s->n + 1, sizeof *s->unit);
    s->acts = must_resize(NULL, (size_t)s->n + 1, sizeof *s->acts);
    for (int32_t i = 0; i < s->n; i++) {
        const daedal_model_variable *v = &info->variables[s->number[i]];
        s->name[i] = v->is_constant ? must_copy(v->name, strlen(v->name)) : name_start(v->name);
        s->value[i] = v->is_constant ? v->value : start_of(s, v);
        s->unit[i] = s->value[i] != 0.0 ? s->value[i] : v->nominal > 0.0 ? v->nominal : 1.0;
        s->acts[i] = false;
    }
    return code;
}

/* ---- which variables ---- */

static bool keep(const daedal_model_variable *v, bool named)
{
    return v->type == DAEDAL_REAL && !v->is_constant && !v->is_discrete &&
           (named || v->is_state || v->is_output);
}

/* Without --of: states and outputs; where there are none, all that vary. */
static int choose_variables(sens *s, bool named)
{
    selection *columns = &s->j.rows.columns;
    const daedal_model_info *info = s->j.source.info;
    for (int attempt = 0; attempt < 2; attempt++) {
        int32_t n = 0;
        for (int32_t k = 0; k < columns->n; k++) {
            daedal_model_variable v = selection_describe(columns, info, k);
            if (keep(&v, named || attempt > 0))
                n++;
            else if (named)
                return print_error("--of %s: %s", v.name,
                                   v.is_constant ? "it does not vary in a run"
                                   : v.type == DAEDAL_REAL
                                       ? "derivatives of discrete variables are not computed"
                                       : "only Real variables have derivatives");
        }
        if (n == 0)
            continue;
        int32_t to = 0;
        for (int32_t k = 0; k < columns->n; k++) {
            daedal_model_variable v = selection_describe(columns, info, k);
            if (keep(&v, named || attempt > 0))
                columns->variables[to++] = columns->variables[k];
        }
        columns->n = to;
        return CLI_SOLVED;
    }
    return print_error("%s has no variable that varies", info->name);
}

/* ---- the run ---- */

static int row(daedal_row_kind kind, double t, const double *values, void *user)
{
    return recorder_row(kind, t, values, &((sens *)user)->j.rows);
}

static int derivatives(daedal_row_kind kind, double t, int32_t i, const double *values, void *user)
{
    sens *s = user;
    const daedal_model_info *info = s->j.source.info;
    for (int32_t k = 0; k < info->n_variables && !s->acts[i]; k++)
        s->acts[i] = !info->variables[k].is_constant && values[k] != 0.0;
    return recorder_sensitivity(kind, t, i, values, &s->j.rows);
}

static int event_time(double t, const double *values, void *user)
{
    sens *s = user;
    size_t width = 1 + (size_t)s->n;
    s->event_times = must_resize(s->event_times, (s->n_events + 1) * width, sizeof(double));
    double *to = s->event_times + s->n_events++ * width;
    to[0] = t;
    memcpy(to + 1, values, (size_t)s->n * sizeof *to);
    return DAEDAL_CALL_OK;
}

static int prepare(sens *s, const arguments *a)
{
    job *j = &s->j;
    s->run_args = *a;
    s->run_args.vars = a->sens.of;
    int code = job_load(j, &s->run_args, true);
    if (code == CLI_SOLVED)
        code = choose_parameters(s, &a->sens.varied);
    if (code == CLI_SOLVED)
        code = choose_variables(s, a->sens.of != NULL);
    if (code != CLI_SOLVED)
        return code;
    j->plan.row = row;
    j->plan.row_user = s;
    j->plan.sensitivity = derivatives;
    j->plan.event_time = event_time;
    j->plan.parameters = (daedal_ints){s->number, s->n};
    j->rows.by = s->number;
    j->rows.n_by = s->n;
    j->rows.by_name = (const char *const *)s->name;
    j->rows.keeps_rows = true; /* the ranking needs them */
    j->path = a->plot_file;
    if (a->plot_file && !(j->page = draw_open_page(a->plot_file)))
        return CLI_USAGE;
    if (a->output && !recorder_to_file(&j->rows, a->output))
        return CLI_USAGE;
    return CLI_SOLVED;
}

static influence_data data_of(const sens *s)
{
    return (influence_data){&s->j.rows.table, s->j.rows.columns.n, s->n,
                            (const char *const *)s->name, s->unit};
}

/* Parameters that were named and do nothing, in a run that has reached its end. */
static void warn_of_idle(const sens *s, int code)
{
    const arguments *a = s->j.args;
    const daedal_model_info *info = s->j.source.info;
    bool tells = s->is_ranked && code == CLI_SOLVED && a->sens.varied.n > 0 && !a->quiet;
    for (int32_t i = 0; i < s->n && tells; i++)
        if (!s->acts[i] && !s->j.outcome.lacks_derivatives)
            print_warning("no variable of %s depends on the parameter %s", info->name, s->name[i]);
}

/* ---- text ---- */

enum { BAR = 30 };

static int widest(const char *const *names, int32_t n, int least)
{
    int width = least;
    for (int32_t i = 0; i < n; i++)
        width = (int)utf8_count(names[i]) > width ? (int)utf8_count(names[i]) : width;
    return width;
}

static void print_name(const char *name, int width)
{
    printf("  %s%*s", name, width - (int)utf8_count(name), "");
}

static void print_bar(double share)
{
    const char *mark = console_is_utf8() ? "\xe2\x96\xa0" : "#";
    int n = (int)lround(BAR * share);
    fputs(n > 0 ? "  " : "", stdout);
    for (int k = 0; k < n; k++)
        fputs(mark, stdout);
    putchar('\n');
}

static void print_overall(const sens *s, int width)
{
    const influence_ranking *r = &s->ranking;
    double most = s->n > 0 ? r->overall[r->order[0]] : 0.0;
    print_name("parameter", width);
    printf("  %12s\n", "overall");
    for (int32_t k = 0; k < s->n; k++) {
        double x = r->overall[r->order[k]];
        print_name(s->name[r->order[k]], width);
        printf("  %12.4g", x);
        print_bar(most > 0.0 && isfinite(most) ? x / most : 0.0);
    }
}

static void print_pairs(const sens *s, int width)
{
    const trajectory *table = &s->j.rows.table;
    int32_t m = s->j.rows.columns.n;
    int names = (int)utf8_count("variable");
    for (int32_t j = 0; j < m; j++)
        names = widest(&table->columns[j].name, 1, names);
    putchar('\n');
    print_name("variable", names);
    print_name("parameter", width);
    printf("  %12s  %12s  %12s\n", "largest", "at t", "at the end");
    for (int32_t j = 0; j < m; j++)
        for (int32_t i = 0; i < s->n; i++) {
            const influence *p = &s->ranking.pair[(size_t)j * (size_t)s->n + (size_t)i];
            print_name(i ? "" : table->columns[j].name, names);
            print_name(s->name[p->parameter], width);
            printf("  %12.4g  %12.6g  %12.4g\n", p->largest, p->at, p->end);
        }
}

enum { EVENTS_SHOWN = 10 };

/* Its time depends on a parameter, and it does not belong to the event before: a condition that
 * has become true may become false a moment later.                                 */
static bool is_worth_showing(const sens *s, size_t k)
{
    const trajectory *table = &s->j.rows.table;
    const double *event = s->event_times + k * (1 + (size_t)s->n), *last = event - (1 + s->n);
    double span = trajectory_time(table, table->n_rows - 1) - trajectory_time(table, 0);
    bool any = false;
    for (int32_t i = 0; i < s->n; i++)
        any = any || event[1 + i] != 0.0;
    return any && (k == 0 || fabs(event[0] - last[0]) > 1e-8 * fabs(span));
}

static void print_event(const sens *s, const double *event, int width)
{
    for (int32_t i = 0; i < s->n; i++) {
        if (i == 0)
            printf("  %12.8g", event[0]);
        else
            printf("  %12s", "");
        print_name(s->name[i], width);
        printf("  %12.4g\n", s->unit[i] * event[1 + i]);
    }
}

/* The first events whose time depends on a parameter. */
static void print_events(const sens *s, int width)
{
    int found = 0;
    for (size_t k = 0; k < s->n_events; k++) {
        const double *event = s->event_times + k * (1 + (size_t)s->n);
        if (!is_worth_showing(s, k) || ++found > EVENTS_SHOWN)
            continue;
        if (found == 1) {
            printf("\n  %12s", "event at t");
            print_name("parameter", width);
            printf("  %12s\n", "p dt/dp");
        }
        print_event(s, event, width);
    }
    if (found > EVENTS_SHOWN)
        printf("  and %d more events; --json has all\n", found - EVENTS_SHOWN);
}

static void print_text(const sens *s)
{
    const trajectory *table = &s->j.rows.table;
    int width = widest((const char *const *)s->name, s->n, (int)utf8_count("parameter"));
    printf("%s: influence p dy/dp / max |y|, t = %g to %g\n\n", s->j.source.info->name,
           trajectory_time(table, 0), trajectory_time(table, table->n_rows - 1));
    print_overall(s, width);
    print_pairs(s, width);
    print_events(s, width);
}

/* ---- JSON; scripts rely on its members ---- */

static void ranking_member(json_writer *w, const sens *s)
{
    json_key(w, "ranking");
    json_open_array(w);
    for (int32_t k = 0; k < s->n && s->is_ranked; k++) {
        int32_t i = s->ranking.order[k];
        json_open_object(w);
        json_string_member(w, "parameter", s->name[i]);
        json_number_member(w, "value", s->value[i]);
        json_number_member(w, "influence", s->ranking.overall[i]);
        json_close(w);
    }
    json_close(w);
}

/* dy/dp itself, in the last row. */
static double last_derivative(const sens *s, const influence *p)
{
    const trajectory *table = &s->j.rows.table;
    int32_t place = s->j.rows.columns.n + p->variable * s->n + p->parameter;
    return trajectory_value(table, table->n_rows - 1, (size_t)place);
}

static void pair_object(json_writer *w, const sens *s, const influence *p)
{
    json_open_object(w);
    json_string_member(w, "variable", s->j.rows.table.columns[p->variable].name);
    json_string_member(w, "parameter", s->name[p->parameter]);
    json_number_member(w, "influence", p->largest);
    json_number_member(w, "at", p->at);
    json_number_member(w, "end", p->end);
    json_number_member(w, "derivative_at_end", last_derivative(s, p));
    json_close(w);
}

static void event_members(json_writer *w, const sens *s)
{
    json_key(w, "event_times");
    json_open_array(w);
    for (size_t k = 0; k < s->n_events; k++) {
        const double *event = s->event_times + k * (1 + (size_t)s->n);
        json_open_object(w);
        json_number_member(w, "t", event[0]);
        json_key(w, "derivatives");
        json_open_object(w);
        for (int32_t i = 0; i < s->n; i++)
            json_number_member(w, s->name[i], event[1 + i]);
        json_close(w);
        json_close(w);
    }
    json_close(w);
}

static void print_json(const sens *s)
{
    const job *j = &s->j;
    sink to = sink_to_stream(stdout);
    json_writer w = json_to(&to, JSON_PRETTY);
    json_open_object(&w);
    json_string_member(&w, "status", job_status_word(j));
    json_number_member(&w, "t", j->outcome.t);
    json_string_member(&w, "method", j->outcome.method);
    json_integer_member(&w, "steps", j->outcome.stats.steps);
    json_integer_member(&w, "events", j->outcome.stats.events);
    json_number_member(&w, "wall_seconds", console_seconds() - j->began);
    ranking_member(&w, s);
    json_key(&w, "sensitivities");
    json_open_array(&w);
    size_t all = (size_t)j->rows.columns.n * (size_t)s->n;
    for (size_t k = 0; k < all && s->is_ranked; k++)
        pair_object(&w, s, &s->ranking.pair[k]);
    json_close(&w);
    event_members(&w, s);
    report_diagnosis_json(&w, j);
    report_warnings_json(&w, j);
    json_close(&w);
}

/* ---- the whole ---- */

static int draw(sens *s)
{
    job *j = &s->j;
    influence_data d = data_of(s);
    trajectory curves;
    daedal_diagnosis why;
    char footer[256], title[300];
    report_footer(j, footer, sizeof footer);
    snprintf(title, sizeof title, "%.200s: p dy/dp / max |y|", j->source.info->name);
    int code = CLI_FAILED;
    if (influence_curves(&curves, &s->ranking, &d, PLOT_CURVES_MAX, &why) < 0) {
        print_diagnosis(&why);
    } else {
        arguments plain = s->run_args;
        plain.vars = NULL;
        view_source source = {&curves, j->source.info->name};
        view_request v = {&plain, &source, 1, title, footer};
        FILE *page = j->page;
        j->page = NULL;
        code = page ? view_page(&v, page, j->path) : view_here(&v);
    }
    trajectory_free(&curves);
    return code;
}

static int finish(sens *s, int code)
{
    const arguments *a = s->j.args;
    influence_data d = data_of(s);
    if (s->j.rows.table.n_rows > 0) {
        influence_rank(&s->ranking, &d);
        s->is_ranked = true;
    }
    job_explain(&s->j);
    warn_of_idle(s, code);
    if (s->is_ranked && !a->json && !a->quiet)
        print_text(s);
    if (s->is_ranked && a->plot) {
        int drawn = draw(s);
        code = code ? code : drawn;
    }
    if (a->stats)
        report_stats(&s->j);
    return code;
}

int verb_sens(const arguments *a)
{
    sens s = {.n = 0};
    int code = prepare(&s, a);
    if (code == CLI_SOLVED)
        code = finish(&s, job_run(&s.j));
    if (a->json)
        print_json(&s);
    influence_free(&s.ranking);
    for (int32_t i = 0; i < s.n && s.name; i++)
        free(s.name[i]);
    free(s.number);
    free(s.name);
    free(s.value);
    free(s.unit);
    free(s.acts);
    free(s.event_times);
    job_free(&s.j);
    return code;
}
