/* cli/text_export.h - a model as text, on stdout or in a file.
 *
 * Depends on: load.h.                                                           */
#ifndef DAEDAL_CLI_TEXT_EXPORT_H
#define DAEDAL_CLI_TEXT_EXPORT_H

#include "load.h"

/* daedal_model_export_c and the like. */
typedef daedal_status text_maker(daedal_model *model, daedal_text_fn *write, void *user,
                                 daedal_diagnosis *why);

/* Write to the file, or to stdout if path is NULL.  Returns an exit status. */
int text_export(const loaded *source, text_maker *make, const char *path);
#endif
