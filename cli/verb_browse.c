/* cli/verb_browse.c - daedal browse [PACKAGE]: classes with their descriptions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "console.h"
#include "messages.h"
#include "output/json_writer.h"
#include "verbs.h"

typedef struct class_line {
    char *name, *kind, *description;
    bool is_example, is_partial;
} class_line;

typedef struct class_lines {
    class_line *at;
    size_t n, capacity;
} class_lines;

static char *copy(const char *text)
{
    return must_copy(text ? text : "", text ? strlen(text) : 0);
}

static int keep(const daedal_class *one, void *user)
{
    class_lines *l = user;
    if (l->n == l->capacity) {
        l->capacity = l->capacity ? 2 * l->capacity : 64;
        l->at = must_resize(l->at, l->capacity, sizeof *l->at);
    }
    l->at[l->n++] = (class_line){.name = copy(one->name),
                                 .kind = copy(one->kind),
                                 .description = copy(one->description),
                                 .is_example = one->is_example,
                                 .is_partial = one->is_partial};
    return DAEDAL_CALL_OK;
}

static void print_text(const class_lines *l)
{
    int widest = 0;
    for (size_t i = 0; i < l->n; i++) {
        int width = (int)strlen(l->at[i].name);
        widest = width > widest && width <= 60 ? width : widest;
    }
    for (size_t i = 0; i < l->n; i++) {
        const class_line *c = &l->at[i];
        char kind[40];
        snprintf(kind, sizeof kind, "%s%s", c->is_partial ? "partial " : "", c->kind);
        printf("%c %-*s  %-*s%s%s\n", c->is_example ? '*' : ' ', widest, c->name,
               c->description[0] ? 15 : 0, kind, c->description[0] ? "  " : "", c->description);
    }
}

static void print_json(const class_lines *l)
{
    sink to = sink_to_stream(stdout);
    json_writer w = json_to(&to, JSON_PRETTY);
    json_open_object(&w);
    json_key(&w, "classes");
    json_open_array(&w);
    for (size_t i = 0; i < l->n; i++) {
        json_open_object(&w);
        json_string_member(&w, "name", l->at[i].name);
        json_string_member(&w, "kind", l->at[i].kind);
        json_string_member(&w, "description", l->at[i].description);
        json_key(&w, "example");
        json_boolean(&w, l->at[i].is_example);
        json_key(&w, "partial");
        json_boolean(&w, l->at[i].is_partial);
        json_close(&w);
    }
    json_close(&w);
    json_close(&w);
}

int verb_browse(const arguments *a)
{
    char message[2000];
    class_lines lines = {0};
    daedal_browse_options options = {.libraries = a->outside.libraries, .all = a->listing.all};
    if (a->n_words == 0 && !options.libraries)
        return print_error("--path DIR says where the libraries are; or set MODELICAPATH");
    daedal_status status = daedal_browse(a->n_words ? a->words[0] : NULL, &options, keep, &lines,
                                         message, sizeof message);
    if (status < 0)
        fprintf(stderr, "%s%s\n", status == DAEDAL_ERR_MODEL ? "" : "daedal: ", message);
    else if (a->json)
        print_json(&lines);
    else
        print_text(&lines);
    for (size_t i = 0; i < lines.n; i++) {
        free(lines.at[i].name);
        free(lines.at[i].kind);
        free(lines.at[i].description);
    }
    free(lines.at);
    return exit_status(status);
}
