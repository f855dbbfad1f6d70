/* cli/text_export.c - see text_export.h. */
#include "text_export.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "messages.h"

static int print(const char *text, size_t length, void *user)
{
    return fwrite(text, 1, length, user) == length ? DAEDAL_CALL_OK : DAEDAL_CALL_STOP;
}

/* Write errors are found by the caller, which flushes the stream. */
static int export_text(const loaded *source, text_maker *make, FILE *to)
{
    daedal_diagnosis why = {0};
    daedal_status status = make(source->model, print, to, &why);
    if (status >= 0)
        return CLI_SOLVED;
    print_diagnosis(&why);
    return exit_status(status);
}

int text_export(const loaded *source, text_maker *make, const char *path)
{
    errno = 0;
    FILE *to = path ? fopen(path, "w") : stdout;
    if (!to)
        return print_error("%s cannot be written: %s", path, strerror(errno));
    int code = export_text(source, make, to);
    bool complete = fflush(to) == 0 && !ferror(to);
    if (path && !complete)
        print_error("%s could not be written completely: %s", path, strerror(errno));
    if (path)
        fclose(to);
    return complete ? code : CLI_FAILED; /* main reports errors of stdout */
}
