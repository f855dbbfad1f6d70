/* cli/load.h - a model from a file or from stdin.
 *
 * Depends on: arguments.h.                                                      */
#ifndef DAEDAL_CLI_LOAD_H
#define DAEDAL_CLI_LOAD_H

#include "arguments.h"

enum { LOAD_MESSAGE = 1 << 15 };

typedef struct loaded {
    daedal_model *model;           /* NULL: failed                                 */
    const daedal_model_info *info; /* belongs to the model                         */
    daedal_status status;
    daedal_cause cause;         /* of a failure                                          */
    char message[LOAD_MESSAGE]; /* after a failure: file:line:column, the line and a caret */
    char hint[256];             /* after a failure: what to do; "" if nothing general is known */
} loaded;

/* Read the model that the first word names, with -p and -y applied; print the error or the
 * warnings.  Returns an exit status.                                            */
int load(loaded *l, const arguments *a);
void load_free(loaded *l);
#endif
