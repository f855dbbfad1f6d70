/* cli/verb_describe.c - daedal describe MODEL: its parameters, inputs, outputs and states. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load.h"
#include "messages.h"
#include "output/decimal_text.h"
#include "output/json_writer.h"
#include "output/utf8.h"
#include "verbs.h"

/* ---- sections ---- */

typedef enum section {
    SECTION_PARAMETERS,
    SECTION_INPUTS,
    SECTION_OUTPUTS,
    SECTION_STATES,
    SECTION_OTHERS,
    N_SECTIONS
} section;

static const char *const section_names[N_SECTIONS] = {"parameters", "inputs", "outputs", "states",
                                                      "variables"};

typedef struct description {
    const daedal_model_info *info;
    const daedal_tuning *tunings; /* by variable */
    bool all;                     /* with other variables and constants */
} description;

/* An output may also be a state; the other sections exclude each other. */
static bool belongs(const daedal_model_variable *v, section s)
{
    switch (s) {
    case SECTION_PARAMETERS:
        return v->is_parameter;
    case SECTION_INPUTS:
        return v->is_input;
    case SECTION_OUTPUTS:
        return v->is_output;
    case SECTION_STATES:
        return v->is_state;
    default:
        return !v->is_parameter && !v->is_input && !v->is_output && !v->is_state;
    }
}

static bool is_listed(const description *d, section s)
{
    return s != SECTION_OTHERS || d->all;
}

static const char *type_name(daedal_value_type type)
{
    static const char *const names[] = {"Real", "Integer", "Boolean", "enumeration"};
    return names[type];
}

/* What a new value of a parameter asks for, in a word. */
static const char *tuning_name(const description *d, int32_t i)
{
    if (!d->info->variables[i].is_parameter)
        return d->info->variables[i].is_constant ? "constant" : "";
    switch (d->tunings[i]) {
    case DAEDAL_TUNING_FINAL:
        return "final";
    case DAEDAL_TUNING_STRUCTURE:
        return "structure";
    case DAEDAL_TUNING_CONDITIONAL:
        return "conditional";
    case DAEDAL_TUNING_LIVE:
        return "live";
    case DAEDAL_TUNING_NONE:
        break;
    }
    return "initial";
}

static double value_of(const daedal_model_variable *v)
{
    return v->is_constant ? v->value : v->start;
}

/* ---- JSON; scripts rely on its members ---- */

static void bound_member(json_writer *w, const char *name, double x)
{
    if (isfinite(x))
        json_number_member(w, name, x);
}

static void value_member(json_writer *w, const char *name, const daedal_model_variable *v)
{
    double x = value_of(v);
    json_key(w, name);
    if (v->type == DAEDAL_BOOLEAN && !isnan(x))
        json_boolean(w, x != 0.0);
    else
        json_number(w, x);
}

static void variable_json(json_writer *w, const description *d, int32_t i)
{
    const daedal_model_variable *v = &d->info->variables[i];
    json_open_object(w);
    json_string_member(w, "name", v->name);
    json_string_member(w, "type", type_name(v->type));
    json_string_member(w, "unit", v->unit ? v->unit : "");
    value_member(w, v->is_constant ? "value" : "start", v);
    if (v->is_constant) {
        json_string_member(w, "tuning", tuning_name(d, i));
    } else {
        json_key(w, "fixed");
        json_boolean(w, v->is_fixed);
    }
    bound_member(w, "min", v->minimum);
    bound_member(w, "max", v->maximum);
    bound_member(w, "nominal", v->nominal);
    json_string_member(w, "description", v->description ? v->description : "");
    json_close(w);
}

static void section_json(json_writer *w, const description *d, section s)
{
    json_key(w, section_names[s]);
    json_open_array(w);
    for (int32_t i = 0; i < d->info->n_variables; i++)
        if (belongs(&d->info->variables[i], s))
            variable_json(w, d, i);
    json_close(w);
}

static void print_json(const description *d)
{
    const daedal_model_info *info = d->info;
    sink to = sink_to_stream(stdout);
    json_writer w = json_to(&to, JSON_PRETTY);
    json_open_object(&w);
    json_string_member(&w, "name", info->name);
    json_string_member(&w, "description", info->description ? info->description : "");
    json_key(&w, "experiment");
    json_open_object(&w);
    json_number_member(&w, "start", info->start_time);
    json_number_member(&w, "stop", info->stop_time);
    json_number_member(&w, "interval", info->interval);
    json_number_member(&w, "tolerance", info->tolerance);
    json_close(&w);
    for (section s = 0; s < N_SECTIONS; s++)
        if (is_listed(d, s))
            section_json(&w, d, s);
    json_key(&w, "warnings");
    json_open_array(&w);
    for (int32_t i = 0; i < info->n_warnings; i++)
        json_string(&w, info->warnings[i]);
    json_close(&w);
    json_close(&w);
}

/* ---- text: a table for each section ---- */

enum { COLUMNS = 6, NAME_SIZE = 400, CELL_SIZE = 100 };
enum { AT_NAME, AT_TYPE, AT_UNIT, AT_VALUE, AT_TUNING, AT_DESCRIPTION };

/* Consecutive elements of an array with the same attributes are one line. */
typedef struct line {
    int32_t first, last; /* variables */
    char name[NAME_SIZE], value[CELL_SIZE];
    const char *cell[COLUMNS];
} line;

/* Length of the name without the subscripts at its end. */
static size_t stem_length(const char *name)
{
    size_t n = strlen(name), at = n;
    if (n == 0 || name[n - 1] != ']')
        return n;
    while (at > 0 && name[at] != '[')
        at--;
    return at;
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool are_alike(const description *d, int32_t i, int32_t k)
{
    const daedal_model_variable *a = &d->info->variables[i], *b = &d->info->variables[k];
    size_t n = stem_length(a->name);
    return a->name[n] && stem_length(b->name) == n && strncmp(a->name, b->name, n) == 0 &&
           same_text(a->unit, b->unit) && same_text(a->description, b->description) &&
           a->is_fixed == b->is_fixed && strcmp(tuning_name(d, i), tuning_name(d, k)) == 0;
}

/* The ranges of the subscripts from one element to another, "[1:2,1:3]", and how many elements
 * there are in such a box; 0 if it is none.                                               */
static int64_t box_text(const char *from, const char *to, char *text, size_t size)
{
    int64_t count = 1;
    size_t used = 0;
    while (*from && *from != ']' && *to && used < size) {
        char *next_from, *next_to;
        long low = strtol(from + 1, &next_from, 10), high = strtol(to + 1, &next_to, 10);
        const char *form = low == high ? "%c%ld" : "%c%ld:%ld";
        used += (size_t)snprintf(text + used, size - used, form, *from, low, high);
        count = low <= high ? count * (high - low + 1) : 0;
        from = next_from;
        to = next_to;
    }
    if (used < size)
        snprintf(text + used, size - used, "]");
    return count;
}

/* Elements that are no box stay apart. */
static void name_line(const description *d, line *l)
{
    const char *first = d->info->variables[l->first].name;
    size_t n = stem_length(first);
    char box[CELL_SIZE];
    const char *end = d->info->variables[l->last].name + n;
    if (l->last > l->first &&
        box_text(first + n, end, box, sizeof box) != (int64_t)l->last - l->first + 1)
        l->last = l->first;
    if (l->last == l->first)
        snprintf(l->name, sizeof l->name, "%s", first);
    else
        snprintf(l->name, sizeof l->name, "%.*s%s", (int)n, first, box);
}

static void number_text(char text[DECIMAL_TEXT_SIZE], const daedal_model_variable *v, double x)
{
    if (v->type == DAEDAL_BOOLEAN)
        snprintf(text, DECIMAL_TEXT_SIZE, "%s", x != 0.0 ? "true" : "false");
    else
        decimal_shortest(text, x);
}

/* The value of all, or the range of several. */
static void fill_value(const description *d, line *l)
{
    const daedal_model_variable *v = &d->info->variables[l->first];
    double low = value_of(v), high = low;
    char first[DECIMAL_TEXT_SIZE], last[DECIMAL_TEXT_SIZE];
    for (int32_t k = l->first; k <= l->last; k++) {
        double x = value_of(&d->info->variables[k]);
        low = isnan(x) || x < low ? x : low;
        high = isnan(x) || x > high ? x : high;
    }
    number_text(first, v, low);
    number_text(last, v, high);
    if (isnan(low) || isnan(high))
        l->value[0] = '\0';
    else if (low == high)
        snprintf(l->value, sizeof l->value, "%s%s", first, v->is_fixed ? " fixed" : "");
    else
        snprintf(l->value, sizeof l->value, "%s .. %s%s", first, last, v->is_fixed ? " fixed" : "");
}

/* The line that begins with variable i of a section. */
static void fill_line(const description *d, section s, int32_t i, line *l)
{
    const daedal_model_variable *v = &d->info->variables[i];
    l->first = l->last = i;
    while (l->last + 1 < d->info->n_variables && are_alike(d, i, l->last + 1) &&
           belongs(&d->info->variables[l->last + 1], s))
        l->last++;
    name_line(d, l);
    fill_value(d, l);
    const char *cells[COLUMNS] = {
        l->name,  type_name(v->type), v->unit ? v->unit : "",
        l->value, tuning_name(d, i),  v->description ? v->description : ""};
    memcpy(l->cell, cells, sizeof cells);
}

/* Calls for every line of a section; returns how many there are. */
typedef void line_fn(const line *l, int *widths);

static int for_lines(const description *d, section s, line_fn *call, int *widths)
{
    int n = 0;
    line l;
    for (int32_t i = 0; i < d->info->n_variables; i++) {
        if (!belongs(&d->info->variables[i], s))
            continue;
        fill_line(d, s, i, &l);
        call(&l, widths);
        i = l.last;
        n++;
    }
    return n;
}

static void widen(const line *l, int *widths)
{
    for (int k = 0; k < COLUMNS; k++) {
        int n = (int)utf8_count(l->cell[k]);
        widths[k] = n > widths[k] ? n : widths[k];
    }
}

static void print_line(const line *l, int *widths)
{
    int missing = 2; /* blanks that are due before the next text */
    for (int k = 0; k < COLUMNS; k++) {
        if (widths[k] == 0)
            continue;
        if (l->cell[k][0])
            printf("%*s%s", missing, "", l->cell[k]);
        missing = (l->cell[k][0] ? 0 : missing) + widths[k] - (int)utf8_count(l->cell[k]) + 2;
    }
    putchar('\n');
}

static const char *value_heading(section s)
{
    return s == SECTION_PARAMETERS ? "value" : s == SECTION_OTHERS ? "value, start" : "start";
}

/* false: it is empty, and nothing was printed. */
static bool print_section(const description *d, section s)
{
    int widths[COLUMNS] = {0};
    if (for_lines(d, s, widen, widths) == 0)
        return false;
    line head = {.cell = {[AT_NAME] = "name", "type", "unit", "", "", "description"}};
    head.cell[AT_VALUE] = value_heading(s);
    head.cell[AT_TUNING] = s == SECTION_PARAMETERS ? "new values" : "";
    for (int k = 0; k < COLUMNS; k++)
        if (widths[k] == 0)
            head.cell[k] = "";
    widen(&head, widths);
    printf("\n%s\n", section_names[s]);
    print_line(&head, widths);
    for_lines(d, s, print_line, widths);
    return true;
}

static void print_experiment(const daedal_model_info *info)
{
    if (isnan(info->stop_time))
        return;
    printf("experiment: %g to %g", isnan(info->start_time) ? 0.0 : info->start_time,
           info->stop_time);
    if (!isnan(info->interval))
        printf(", interval %g", info->interval);
    if (!isnan(info->tolerance))
        printf(", tolerance %g", info->tolerance);
    putchar('\n');
}

static void print_text(const description *d)
{
    const daedal_model_info *info = d->info;
    int32_t others = 0;
    char absent[CELL_SIZE] = "";
    printf("%s%s%s\n", info->name, info->description ? ": " : "",
           info->description ? info->description : "");
    print_experiment(info);
    for (section s = 0; s < N_SECTIONS; s++)
        if (is_listed(d, s) && !print_section(d, s) && s != SECTION_OTHERS) {
            size_t used = strlen(absent);
            snprintf(absent + used, sizeof absent - used, "%s%s", used ? ", " : "no ",
                     section_names[s]);
        }
    if (absent[0])
        printf("\n%s\n", absent);
    for (int32_t i = 0; i < info->n_variables && !d->all; i++)
        others += belongs(&info->variables[i], SECTION_OTHERS);
    if (others > 0)
        printf("\n%d other variable%s: --all lists %s\n", (int)others, others == 1 ? "" : "s",
               others == 1 ? "it" : "them");
}

static int describe(const loaded *source, const arguments *a)
{
    size_t n = (size_t)source->info->n_variables;
    daedal_tuning *tunings = must_resize(NULL, n + 1, sizeof *tunings);
    daedal_status status = daedal_model_tunings(source->model, tunings);
    description d = {source->info, tunings, a->listing.all};
    if (status < 0)
        print_diagnosis(daedal_model_diagnosis(source->model));
    else if (a->json)
        print_json(&d);
    else
        print_text(&d);
    free(tunings);
    return exit_status(status);
}

int verb_describe(const arguments *a)
{
    loaded source;
    int code = load(&source, a);
    if (code == CLI_SOLVED)
        code = describe(&source, a);
    load_free(&source);
    return code;
}
