/* cli/verb_export.c - daedal export --c MODEL: the equations as a C file, on stdout or by -o. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "load.h"
#include "messages.h"
#include "verbs.h"

static int print(const char *text, size_t length, void *user)
{
    return fwrite(text, 1, length, user) == length ? DAEDAL_CALL_OK : DAEDAL_CALL_STOP;
}

/* Write errors are found by the caller, which flushes the stream. */
static int export_c(const loaded *source, FILE *to)
{
    daedal_diagnosis why = {0};
    daedal_status status = daedal_model_export_c(source->model, print, to, &why);
    if (status >= 0)
        return CLI_SOLVED;
    print_diagnosis(&why);
    return exit_status(status);
}

static int export_to(const loaded *source, const char *path)
{
    errno = 0;
    FILE *to = path ? fopen(path, "w") : stdout;
    if (!to)
        return print_error("%s cannot be written: %s", path, strerror(errno));
    int code = export_c(source, to);
    bool complete = fflush(to) == 0 && !ferror(to);
    if (path && !complete)
        print_error("%s could not be written completely: %s", path, strerror(errno));
    if (path)
        fclose(to);
    return complete ? code : CLI_FAILED; /* main reports errors of stdout */
}

int verb_export(const arguments *a)
{
    if (!a->export_c)
        return print_error("the kind of export is missing: daedal export --c %s", a->words[0]);
    loaded source;
    int code = load(&source, a);
    if (code == CLI_SOLVED)
        code = export_to(&source, a->output);
    load_free(&source);
    return code;
}
