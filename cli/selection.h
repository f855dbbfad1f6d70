/* cli/selection.h - selects the variables of a model that are written.
 *
 * Depends on: daedal.h.                                                         */
#ifndef DAEDAL_CLI_SELECTION_H
#define DAEDAL_CLI_SELECTION_H

#include <stdbool.h>

#include "daedal.h"

typedef struct selection {
    int32_t *variables; /* numbers in the description of the model, in output order; those from
                           n_variables on are derivatives                              */
    int32_t n;
    char **slopes, **slope_units; /* by variable: "der(x)" and its unit, or NULL               */
    int32_t n_slopes;             /* n_variables; 0: no derivatives are selected               */
} selection;

/* A list of names, read from "a,b[1,2]" (commas in brackets and quotes do not separate) or from
 * "@FILE" with one name per line.  The names are owned by the list; free it with names_free.
 * names_read returns false after an error message.                              */
typedef struct name_list {
    char **at;
    size_t n;
} name_list;

bool names_read(name_list *names, const char *text);
void name_list_add(name_list *names, const char *text, size_t n); /* without blanks around */
void names_free(name_list *names);

/* Select what --vars names (name_patterns.h, and der(x)); NULL selects everything that can vary,
 * and constants if asked for.  An unknown name gives an error message with the most similar known
 * name. Returns an exit status.                                                       */
int selection_read(selection *s, const daedal_model_info *info, const char *vars, bool constants);
/* One name or pattern more, unless it is there. */
int selection_add(selection *s, const daedal_model_info *info, const char *name);
/* The name and the description of entry k; they live as long as the selection and the model. */
const char *selection_name(const selection *s, const daedal_model_info *info, int32_t k);
daedal_model_variable selection_describe(const selection *s, const daedal_model_info *info,
                                         int32_t k);
void selection_free(selection *s);
#endif
