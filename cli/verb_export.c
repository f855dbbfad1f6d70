/* cli/verb_export.c - daedal export --c MODEL: not before the library offers it. */
#include "complain.h"
#include "verbs.h"

int verb_export(const arguments *a)
{
    if (!a->export_c)
        return complain("say what to export: daedal export --c %s", a->words[0]);
    return complain("export --c is not available in this version");
}
