/* cli/verb_flatten.c - daedal flatten MODEL: the flat model as text, on stdout or by -o. */
#include "load.h"
#include "messages.h"
#include "text_export.h"
#include "verbs.h"

int verb_flatten(const arguments *a)
{
    loaded source;
    int code = load(&source, a);
    if (code == CLI_SOLVED)
        code = text_export(&source, daedal_model_export_flat, a->output);
    load_free(&source);
    return code;
}
