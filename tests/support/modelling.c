/* support/modelling.c - see modelling.h. */
#include "modelling.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driving.h"

/* ---- generated texts ---- */

void write_text(written *to, const char *format, ...)
{
    va_list arguments;
    for (int attempt = 0; attempt < 2; attempt++) {
        size_t left = to->room - to->length;
        va_start(arguments, format);
        int length = vsnprintf(to->text ? to->text + to->length : NULL, left, format, arguments);
        va_end(arguments);
        assert_true(length >= 0);
        if ((size_t)length < left) {
            to->length += (size_t)length;
            return;
        }
        to->room = 2 * (to->room + (size_t)length + 1);
        to->text = realloc(to->text, to->room);
        assert_non_null(to->text);
    }
}

void written_free(written *w)
{
    free(w->text);
    *w = (written){0};
}

/* ---- a model on trial ---- */

static void take_info(trial *t)
{
    t->info = daedal_model_describe(t->model);
    t->values = calloc((size_t)t->info->n_variables + 1, sizeof *t->values);
    assert_non_null(t->values);
}

daedal_status trial_read(trial *t, const char *declarations, const char *equations)
{
    written text = {0};
    *t = (trial){0};
    write_text(&text, "model M %s equation %s end M;", declarations, equations);
    daedal_status status = daedal_model_parse(&t->model, "test", text.text, text.length, NULL,
                                              t->message, sizeof t->message);
    written_free(&text);
    if (status == DAEDAL_OK)
        take_info(t);
    return status;
}

void trial_open(trial *t, const char *declarations, const char *equations)
{
    if (trial_read(t, declarations, equations) != DAEDAL_OK)
        fail_msg("%s\nin: %s equation %s", t->message, declarations, equations);
}

void trial_open_file(trial *t, const char *name)
{
    char path[500];
    *t = (trial){0};
    snprintf(path, sizeof path, "%s/../../models/%s.mo", DAEDAL_TEST_DATA, name);
    if (daedal_model_read(&t->model, path, NULL, t->message, sizeof t->message) != DAEDAL_OK)
        fail_msg("%s", t->message);
    take_info(t);
}

void trial_close(trial *t)
{
    free(t->values);
    daedal_model_free(t->model);
    *t = (trial){0};
}

daedal_model_structure trial_structure(trial *t)
{
    daedal_model_structure s;
    daedal_diagnosis why;
    if (daedal_model_analyze(t->model, &s, &why) != DAEDAL_OK)
        fail_msg("analyze: %s", why.message);
    return s;
}

static int take_row(daedal_row_kind kind, double time, const double *values, void *user)
{
    trial *t = user;
    (void)kind;
    memcpy(t->values, values, (size_t)t->info->n_variables * sizeof *values);
    t->n_rows++;
    if (t->each)
        t->each(t, time, t->user);
    return DAEDAL_CALL_OK;
}

daedal_status trial_try(trial *t, double from, double to, int32_t intervals, const char *options)
{
    daedal_options with = options_of(options);
    daedal_simulation plan = {.t_start = from,
                              .t_stop = to,
                              .intervals = intervals,
                              .no_event_rows = 1,
                              .options = &with,
                              .row = take_row,
                              .row_user = t};
    t->n_rows = 0;
    return daedal_model_simulate(t->model, &plan, &t->outcome);
}

void trial_run(trial *t, double from, double to, const char *options)
{
    if (trial_try(t, from, to, 1, options) < 0)
        fail_msg("at t = %g: %s", t->outcome.t, t->outcome.diagnosis.message);
}

void trial_start(trial *t, double from)
{
    daedal_simulation plan = {.t_start = from, .t_stop = from + 1.0, .intervals = 1};
    if (daedal_model_start(t->model, &plan, t->values, &t->outcome) < 0)
        fail_msg("start: %s", t->outcome.diagnosis.message);
}

double trial_value(const trial *t, const char *name)
{
    for (int32_t i = 0; i < t->info->n_variables; i++)
        if (strcmp(t->info->variables[i].name, name) == 0)
            return t->values[i];
    fail_msg("no variable %s", name);
    return 0.0;
}
