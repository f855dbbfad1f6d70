/* cli/load.c - see load.h. */
#include "load.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "console.h"
#include "examples.h"
#include "final_texts.h"
#include "messages.h"

static daedal_model_options options_of(const arguments *a)
{
    int reduction =
        a->constraints.reduction ? reduction_of(a->constraints.reduction) : DAEDAL_REDUCE_AUTO;
    int levels = a->constraints.levels ? levels_of(a->constraints.levels) : DAEDAL_LEVELS_ALL;
    return (daedal_model_options){
        .reduction = (daedal_reduction)reduction,
        .levels = (daedal_levels)levels,
        .baumgarte = isnan(a->constraints.baumgarte) ? 0.0 : a->constraints.baumgarte,
        .model_name = a->model_name,
        .allow_external = a->outside.allow_external,
        .libraries = a->outside.libraries,
        .parameters = a->parameters.at,
        .n_parameters = a->parameters.n,
        .starts = a->starts.at,
        .n_starts = a->starts.n};
}

/* Read all of stdin, *n bytes. */
static char *read_stdin(size_t *n)
{
    size_t capacity = 1 << 16, got;
    char *text = must_resize(NULL, capacity, 1);
    *n = 0;
    while ((got = fread(text + *n, 1, capacity - *n, stdin)) > 0) {
        *n += got;
        if (*n == capacity)
            text = must_resize(text, capacity *= 2, 1);
    }
    return text;
}

static daedal_status read_piped(loaded *l, const daedal_model_options *options)
{
    size_t n;
    char *text = read_stdin(&n);
    daedal_status st =
        daedal_model_parse(&l->model, "stdin", text, n, options, l->message, sizeof l->message);
    free(text);
    return st;
}

/* Report a file that cannot be read; if an example has that name, mention it. */
static int no_file(loaded *l, const char *path, const char *reason)
{
    l->status = DAEDAL_ERR_ARGUMENT;
    snprintf(l->message, sizeof l->message, "%s cannot be read: %s", path, reason);
    print_error("%s", l->message);
    const example *known = example_find(path);
    if (known)
        fprintf(stderr, "  hint: an example has that name: daedal examples %s > %s.mo\n",
                known->name, known->name);
    return CLI_USAGE;
}

/* A.B.C */
static bool is_class_name(const char *path)
{
    static const char allowed[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.";
    return path[strspn(path, allowed)] == '\0' && strchr(path, '.');
}

/* True if the model is correct without -p and -y, so that one of these must be wrong. */
static bool settings_are_wrong(const arguments *a)
{
    daedal_model *model = NULL;
    char ignored[256];
    if (a->parameters.n + a->starts.n + a->inputs.n == 0 || strcmp(a->words[0], "-") == 0)
        return false;
    daedal_model_options options = {.libraries = a->outside.libraries, .model_name = a->model_name};
    bool good = daedal_model_read(&model, a->words[0], &options, ignored, sizeof ignored) >= 0;
    daedal_model_free(model);
    return good;
}

/* Messages about a model text begin with the place in it, others with the program's name. */
static void print_message(const loaded *l)
{
    const char *name = l->status == DAEDAL_ERR_MODEL ? "" : "daedal: ";
    size_t n = strlen(l->message);
    fprintf(stderr, "%s%s%s", name, n ? l->message : daedal_status_text(l->status),
            n && l->message[n - 1] == '\n' ? "" : "\n");
    if (l->hint[0])
        fprintf(stderr, "  hint: %s\n", l->hint);
}

static void print_warnings(const daedal_model_info *info)
{
    enum { MOST = 20 };
    for (int32_t i = 0; i < info->n_warnings && i < MOST; i++)
        fprintf(stderr, "%s\n", info->warnings[i]); /* begins with the place, then "warning:" */
    if (info->n_warnings > MOST)
        print_warning("%d more warnings are not shown", (int)info->n_warnings - MOST);
}

int load(loaded *l, const arguments *a)
{
    const char *path = a->words[0];
    daedal_model_options options = options_of(a);
    daedal_binding *inputs = input_bindings(&a->inputs, &options.n_inputs);
    daedal_binding *finals = finals_definitions(&a->finals, &options.n_definitions);
    options.inputs = inputs;
    options.definitions = finals;
    daedal_diagnosis why = {.cause = DAEDAL_CAUSE_NONE};
    options.why = &why;
    l->model = NULL;
    l->message[0] = '\0';
    if (strcmp(path, "-") == 0) {
        l->status = read_piped(l, &options);
    } else {
        const char *reason = console_cannot_read(path);
        if (reason && !(a->outside.libraries && is_class_name(path))) {
            free(inputs);
            finals_free_definitions(finals, options.n_definitions);
            return no_file(l, path, reason);
        }
        l->status = daedal_model_read(&l->model, path, &options, l->message, sizeof l->message);
    }
    free(inputs);
    finals_free_definitions(finals, options.n_definitions);
    l->cause = why.cause;
    snprintf(l->hint, sizeof l->hint, "%s", l->status < 0 ? why.hint : "");
    if (l->status < 0) {
        if (l->status == DAEDAL_ERR_MODEL && settings_are_wrong(a)) {
            l->status = DAEDAL_ERR_ARGUMENT;
            l->cause = DAEDAL_CAUSE_NONE;
        }
        print_message(l);
        return exit_status(l->status);
    }
    l->info = daedal_model_describe(l->model);
    if (!a->quiet)
        print_warnings(l->info);
    return CLI_SOLVED;
}

void load_free(loaded *l)
{
    daedal_model_free(l->model);
    l->model = NULL;
}
