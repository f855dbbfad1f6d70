/* cli/verb_check.c - daedal check MODEL: errors and warnings, without a run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load.h"
#include "messages.h"
#include "output/json_writer.h"
#include "verbs.h"

/* A message is a line "file:line:column: text"; lines that follow it and begin with a blank show
 * the place. */
static void message_json(json_writer *w, const char *severity, const char *text, size_t n)
{
    char *line = must_copy(text, n), *place = NULL;
    json_open_object(w);
    json_string_member(w, "severity", severity);
    for (char *at = line; (at = strchr(at, ':')) != NULL && !place; at++) {
        char *end;
        long row = strtol(at + 1, &end, 10);
        if (row <= 0 || *end != ':')
            continue;
        long at_column = strtol(end + 1, &end, 10);
        if (at_column <= 0 || *end != ':')
            continue;
        *at = '\0';
        json_string_member(w, "file", line);
        json_integer_member(w, "line", row);
        json_integer_member(w, "column", at_column);
        place = end + 1;
        break;
    }
    const char *words = place ? place + strspn(place, " ") : line;
    if (strncmp(words, "warning: ", 9) == 0)
        words += 9;
    json_string_member(w, "text", words);
    json_close(w);
    free(line);
}

static void errors_json(json_writer *w, const char *message)
{
    while (*message) {
        size_t n = strcspn(message, "\n");
        if (*message != ' ')
            message_json(w, "error", message, n);
        message += n + (message[n] == '\n');
    }
}

static void print_json(const loaded *l)
{
    sink to = sink_to_stream(stdout);
    json_writer w = json_to(&to, JSON_PRETTY);
    json_open_object(&w);
    json_key(&w, "model");
    if (l->model)
        json_string(&w, l->info->name);
    else
        json_null(&w);
    json_key(&w, "correct");
    json_boolean(&w, l->model != NULL);
    json_key(&w, "messages");
    json_open_array(&w);
    if (!l->model)
        errors_json(&w, l->message);
    for (int32_t i = 0; l->model && i < l->info->n_warnings; i++)
        message_json(&w, "warning", l->info->warnings[i], strcspn(l->info->warnings[i], "\n"));
    json_close(&w);
    json_close(&w);
}

int verb_check(const arguments *a)
{
    loaded source;
    int code = load(&source, a);
    if (a->json)
        print_json(&source);
    else if (code == CLI_SOLVED && !a->quiet)
        printf("%s has no errors%s\n", source.info->name,
               source.info->n_warnings ? ", see the warnings" : "");
    load_free(&source);
    return code;
}
