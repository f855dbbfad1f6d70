/* cli/verb_export.c - daedal export --c MODEL: the equations as a C file, on stdout or by -o. */
#include <stdio.h>

#include "complain.h"
#include "load.h"
#include "verbs.h"

static int print(const char *text, size_t length, void *user)
{
    return fwrite(text, 1, length, user) == length ? DAEDAL_CALL_OK : DAEDAL_CALL_STOP;
}

static int export_c(const loaded *source, FILE *to)
{
    daedal_diagnosis why = {0};
    daedal_status status = daedal_model_export_c(source->model, print, to, &why);
    if (status == DAEDAL_STOPPED || (status == DAEDAL_OK && fflush(to) != 0))
        return complain("the C file could not be written completely");
    if (status == DAEDAL_OK)
        return CLI_SOLVED;
    complain_of(&why);
    return exit_status(status);
}

static int export_to(const loaded *source, const char *path)
{
    FILE *to = path ? fopen(path, "w") : stdout;
    if (!to)
        return complain("%s cannot be written", path);
    int code = export_c(source, to);
    if (path && fclose(to) != 0 && code == CLI_SOLVED)
        code = complain("%s could not be written completely", path);
    return code;
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
