/* cli/selection.c - see selection.h. */
#include "selection.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "messages.h"

/* ---- lists of names ---- */

static void add_name(name_list *names, const char *text, size_t n)
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
        add_name(names, text, n);
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
        add_name(names, at, n);
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
        print_error("--vars %s contains no names", text);
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

static int unknown_variable(const daedal_model_info *info, const char *name)
{
    const char *nearest =
        suggest(name, name_of_variable, info->variables, (size_t)info->n_variables);
    if (nearest)
        return print_error("%s has no variable %s; did you mean %s?", info->name, name, nearest);
    return print_error("%s has no variable %s", info->name, name);
}

/* ---- the selection ---- */

static void take(selection *s, int32_t variable)
{
    s->variables[s->n++] = variable;
}

static void take_all(selection *s, const daedal_model_info *info, bool constants)
{
    s->variables = must_resize(NULL, (size_t)info->n_variables + 1, sizeof *s->variables);
    for (int32_t i = 0; i < info->n_variables; i++)
        if (constants || !info->variables[i].is_constant)
            take(s, i);
}

static int take_named(selection *s, const daedal_model_info *info, const name_list *names)
{
    name_index index = index_names(info);
    bool *taken = must_resize(NULL, (size_t)info->n_variables + 1, sizeof *taken);
    memset(taken, 0, (size_t)info->n_variables + 1);
    s->variables = must_resize(NULL, names->n, sizeof *s->variables);
    int code = CLI_SOLVED;
    for (size_t k = 0; k < names->n && code == CLI_SOLVED; k++) {
        int32_t variable = find_variable(&index, names->at[k]);
        if (variable < 0) {
            code = strcmp(names->at[k], "time") ? unknown_variable(info, names->at[k]) : CLI_SOLVED;
        } else if (!taken[variable]) {
            taken[variable] = true;
            take(s, variable);
        }
    }
    free(taken);
    free(index.sorted);
    return code;
}

int selection_read(selection *s, const daedal_model_info *info, const char *vars, bool constants)
{
    *s = (selection){0};
    if (!vars) {
        take_all(s, info, constants);
        return CLI_SOLVED;
    }
    name_list names;
    int code = names_read(&names, vars) ? take_named(s, info, &names) : CLI_USAGE;
    names_free(&names);
    return code;
}

void selection_free(selection *s)
{
    free(s->variables);
    *s = (selection){0};
}
