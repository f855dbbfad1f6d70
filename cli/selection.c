/* cli/selection.c - see selection.h. */
#include "selection.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "messages.h"
#include "name_patterns.h"

/* ---- lists of names ---- */

void name_list_add(name_list *names, const char *text, size_t n)
{
    while (n && (text[n - 1] == '\r' || text[n - 1] == ' '))
        n--;
    while (n && *text == ' ')
        text++, n--;
    if (!n)
        return;
    names->at = must_resize(names->at, names->n + 1, sizeof *names->at);
    names->at[names->n++] = must_copy(text, n);
}

/* Number of characters before the next comma outside brackets and quotes. */
static size_t name_length(const char *text)
{
    int depth = 0;
    bool quoted = false;
    size_t n = 0;
    for (; text[n] && (text[n] != ',' || depth > 0 || quoted); n++) {
        if (text[n] == '\'')
            quoted = !quoted;
        depth += (text[n] == '[' || text[n] == '(') - (text[n] == ']' || text[n] == ')');
    }
    return n;
}

static void split_names(name_list *names, const char *text)
{
    for (;;) {
        size_t n = name_length(text);
        name_list_add(names, text, n);
        if (!text[n])
            return;
        text += n + 1;
    }
}

static char *read_text(const char *path)
{
    errno = 0;
    FILE *stream = fopen(path, "rb");
    if (!stream) {
        print_error("%s cannot be read: %s", path, strerror(errno));
        return NULL;
    }
    size_t n = 0, got, capacity = 4096;
    char *text = must_resize(NULL, capacity, 1);
    while ((got = fread(text + n, 1, capacity - n - 1, stream)) > 0) {
        n += got;
        if (capacity - n < 2048)
            text = must_resize(text, capacity *= 2, 1);
    }
    text[n] = '\0';
    fclose(stream);
    return text;
}

static bool names_from_file(name_list *names, const char *path)
{
    char *text = read_text(path);
    if (!text)
        return false;
    for (const char *at = text; *at;) {
        size_t n = strcspn(at, "\n");
        name_list_add(names, at, n);
        at += n + (at[n] == '\n');
    }
    free(text);
    return true;
}

bool names_read(name_list *names, const char *text)
{
    *names = (name_list){0};
    bool good =
        text[0] == '@' ? names_from_file(names, text + 1) : (split_names(names, text), true);
    if (good && names->n == 0) {
        print_error("the list '%s' contains no names", text);
        good = false;
    }
    return good;
}

void names_free(name_list *names)
{
    for (size_t i = 0; i < names->n; i++)
        free(names->at[i]);
    free(names->at);
    *names = (name_list){0};
}

/* ---- variables by name ---- */

/* Many names are looked up in a sorted list; patterns are compared with all. */
static int by_name(const void *a, const void *b)
{
    const daedal_model_variable *const *x = a, *const *y = b;
    return strcmp((*x)->name, (*y)->name);
}

typedef struct name_index {
    const daedal_model_variable **sorted;
    const daedal_model_info *info;
} name_index;

static name_index index_names(const daedal_model_info *info)
{
    size_t n = (size_t)info->n_variables;
    name_index index = {must_resize(NULL, n + 1, sizeof *index.sorted), info};
    for (size_t i = 0; i < n; i++)
        index.sorted[i] = &info->variables[i];
    qsort(index.sorted, n, sizeof *index.sorted, by_name);
    return index;
}

static int32_t find_variable(const name_index *index, const char *name)
{
    daedal_model_variable wanted = {.name = name};
    const daedal_model_variable *key = &wanted, **found;
    found = bsearch(&key, index->sorted, (size_t)index->info->n_variables, sizeof *index->sorted,
                    by_name);
    return found ? (int32_t)(*found - index->info->variables) : -1;
}

static const char *name_of_variable(const void *list, size_t i)
{
    return ((const daedal_model_variable *)list)[i].name;
}

static bool is_constant(const void *list, size_t i)
{
    return ((const daedal_model_variable *)list)[i].is_constant;
}

/* ---- the selection ---- */

const char *selection_name(const selection *s, const daedal_model_info *info, int32_t k)
{
    int32_t variable = s->variables[k];
    return variable < info->n_variables ? info->variables[variable].name
                                        : s->slopes[variable - info->n_variables];
}

/* The unit of a derivative: m, m/s, m/s2, (K/m)/s. */
static char *slope_unit(const char *unit)
{
    size_t n = unit ? strlen(unit) : 0;
    char *text = must_resize(NULL, n + 8, 1);
    text[0] = '\0';
    if (n > 1 && strcmp(unit + n - 2, "/s") == 0)
        snprintf(text, n + 8, "%s2", unit);
    else if (n > 0)
        snprintf(text, n + 8, strchr(unit, '/') ? "(%s)/s" : "%s/s", unit);
    return text;
}

daedal_model_variable selection_describe(const selection *s, const daedal_model_info *info,
                                         int32_t k)
{
    int32_t n = info->n_variables, variable = s->variables[k];
    if (variable < n)
        return info->variables[variable];
    return (daedal_model_variable){.name = s->slopes[variable - n],
                                   .unit = s->slope_units[variable - n],
                                   .description = "",
                                   .type = DAEDAL_REAL};
}

typedef struct taking {
    selection *s;
    const daedal_model_info *info;
    name_index index;
    bool *taken; /* by variable, then by derivative */
    size_t room;
} taking;

static void take(taking *t, int32_t variable)
{
    selection *s = t->s;
    int32_t n = t->info->n_variables;
    if (t->taken[variable])
        return;
    t->taken[variable] = true;
    if ((size_t)s->n == t->room) {
        t->room = 2 * t->room + 16;
        s->variables = must_resize(s->variables, t->room, sizeof *s->variables);
    }
    s->variables[s->n++] = variable;
    if (variable < n)
        return;
    const daedal_model_variable *v = &t->info->variables[variable - n];
    size_t size = strlen(v->name) + 6;
    s->slopes[variable - n] = must_resize(NULL, size, 1);
    snprintf(s->slopes[variable - n], size, "der(%s)", v->name);
    s->slope_units[variable - n] = slope_unit(v->unit);
}

/* A derivative that is named must be there; wildcards leave out those that are not. */
static bool take_slopes(taking *t, const name_matches *found, const char *pattern)
{
    selection *s = t->s;
    size_t n = (size_t)t->info->n_variables, before = (size_t)s->n;
    if (!s->slopes) {
        s->slopes = must_resize(NULL, n + 1, sizeof *s->slopes);
        s->slope_units = must_resize(NULL, n + 1, sizeof *s->slope_units);
        memset(s->slopes, 0, n * sizeof *s->slopes);
        memset(s->slope_units, 0, n * sizeof *s->slope_units);
        s->n_slopes = (int32_t)n;
    }
    bool any = name_has_wildcards(pattern);
    for (size_t k = 0; k < found->n; k++) {
        const daedal_model_variable *v = &t->info->variables[found->at[k]];
        if (v->has_derivative) {
            take(t, (int32_t)(n + found->at[k]));
        } else if (!any) {
            print_error("der(%s) is not computed: the equations contain no derivative of it",
                        v->name);
            return false;
        }
    }
    if ((size_t)s->n == before && any) {
        print_error("no derivative of %s matches %s", t->info->name, pattern);
        return false;
    }
    return true;
}

static bool take_pattern(taking *t, const char *pattern)
{
    const name_table table = {t->info->variables, (size_t)t->info->n_variables, name_of_variable,
                              is_constant, t->info->name};
    size_t n = strlen(pattern);
    bool slope = n > 5 && strncmp(pattern, "der(", 4) == 0 && pattern[n - 1] == ')';
    name_matches found;
    bool fine = name_pattern_find(&table, pattern, slope ? 4 : 0, slope ? n - 5 : n, &found);
    if (fine && slope)
        fine = take_slopes(t, &found, pattern);
    for (size_t k = 0; fine && !slope && k < found.n; k++)
        take(t, (int32_t)found.at[k]);
    name_matches_free(&found);
    return fine;
}

static bool take_named(taking *t, const name_list *names)
{
    bool fine = true;
    for (size_t k = 0; k < names->n && fine; k++) {
        int32_t variable = find_variable(&t->index, names->at[k]);
        if (variable >= 0)
            take(t, variable);
        else if (strcmp(names->at[k], "time") != 0)
            fine = take_pattern(t, names->at[k]);
    }
    return fine;
}

static int take_names(selection *s, const daedal_model_info *info, const name_list *names)
{
    size_t n = 2 * (size_t)info->n_variables + 1;
    taking t = {.s = s, .info = info, .index = index_names(info), .room = (size_t)s->n};
    t.taken = must_resize(NULL, n, sizeof *t.taken);
    memset(t.taken, 0, n);
    for (int32_t k = 0; k < s->n; k++)
        t.taken[s->variables[k]] = true;
    bool fine = take_named(&t, names);
    free(t.taken);
    free(t.index.sorted);
    return fine ? CLI_SOLVED : CLI_USAGE;
}

static void take_all(selection *s, const daedal_model_info *info, bool constants)
{
    s->variables = must_resize(NULL, (size_t)info->n_variables + 1, sizeof *s->variables);
    for (int32_t i = 0; i < info->n_variables; i++)
        if (constants || !info->variables[i].is_constant)
            s->variables[s->n++] = i;
}

int selection_read(selection *s, const daedal_model_info *info, const char *vars, bool constants)
{
    *s = (selection){0};
    if (!vars) {
        take_all(s, info, constants);
        return CLI_SOLVED;
    }
    name_list names;
    int code = names_read(&names, vars) ? take_names(s, info, &names) : CLI_USAGE;
    names_free(&names);
    return code;
}

int selection_add(selection *s, const daedal_model_info *info, const char *name)
{
    char *at = must_copy(name, strlen(name));
    name_list names = {&at, 1};
    int code = take_names(s, info, &names);
    free(at);
    return code;
}

void selection_free(selection *s)
{
    for (int32_t k = 0; k < s->n_slopes; k++) {
        free(s->slopes[k]);
        free(s->slope_units[k]);
    }
    free(s->slopes);
    free(s->slope_units);
    free(s->variables);
    *s = (selection){0};
}
