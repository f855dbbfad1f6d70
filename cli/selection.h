/* cli/selection.h - which variables of a model are written.
 *
 * Depends on: daedal.h.                                                         */
#ifndef DAEDAL_CLI_SELECTION_H
#define DAEDAL_CLI_SELECTION_H

#include <stdbool.h>

#include "daedal.h"

typedef struct selection {
    int32_t *variables; /* numbers in the description of the model, in output order */
    int32_t n;
} selection;

/* A list of names: "a,b[1,2]" (commas in brackets and quotes do not separate) or "@FILE" with one
 * a line.  Names are ours; free with names_free.  False after a complaint.      */
typedef struct name_list {
    char **at;
    size_t n;
} name_list;

bool names_read(name_list *names, const char *text);
void names_free(name_list *names);

/* All that --vars names (NULL: everything that can vary, with constants only if asked).
 * An unknown name is a complaint with the nearest known one; returns an exit status.     */
int selection_read(selection *s, const daedal_model_info *info, const char *vars, bool constants);
void selection_free(selection *s);
#endif
