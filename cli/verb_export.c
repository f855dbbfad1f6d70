/* cli/verb_export.c - daedal export --c MODEL: the equations as a C file, on stdout or by -o. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "complain.h"
#include "load.h"
#include "verbs.h"

static int print(const char *text, size_t length, void *user)
{
    return fwrite(text, 1, length, user) == length ? DAEDAL_CALL_OK : DAEDAL_CALL_STOP;
}

/* Whether all of it arrived, flushing tells. */
static int export_c(const loaded *source, FILE *to)
{
    daedal_diagnosis why = {0};
    daedal_status status = daedal_model_export_c(source->model, print, to, &why);
    if (status >= 0)
        return CLI_SOLVED;
    complain_of(&why);
    return exit_status(status);
}

static int export_to(const loaded *source, const char *path)
{
    errno = 0;
    FILE *to = path ? fopen(path, "w") : stdout;
    if (!to)
        return complain("%s cannot be written: %s", path, strerror(errno));
    int code = export_c(source, to);
    bool complete = fflush(to) == 0 && !ferror(to);
    if (path && !complete)
        complain("%s could not be written completely: %s", path, strerror(errno));
    if (path)
        fclose(to);
    return complete ? code : CLI_FAILED; /* of stdout main complains */
}

int verb_export(const arguments *a)
{
    if (!a->export_c)
        return complain("say what to export: daedal export --c %s", a->words[0]);
    loaded source;
    int code = load(&source, a);
    if (code == CLI_SOLVED)
        code = export_to(&source, a->output);
    load_free(&source);
    return code;
}
