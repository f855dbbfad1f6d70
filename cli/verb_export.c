/* cli/verb_export.c - daedal export --c MODEL: the equations as a C file, on stdout or by -o. */
#include "load.h"
#include "messages.h"
#include "text_export.h"
#include "verbs.h"

int verb_export(const arguments *a)
{
    if (!a->export_c)
        return print_error("the kind of export is missing: daedal export --c %s", a->words[0]);
    loaded source;
    int code = load(&source, a);
    if (code == CLI_SOLVED)
        code = text_export(&source, daedal_model_export_c, a->output);
    load_free(&source);
    return code;
}
