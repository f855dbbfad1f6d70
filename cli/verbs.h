/* cli/verbs.h - the verbs of the program: one function each, and one table.
 *
 * Depends on: arguments.h.                                                      */
#ifndef DAEDAL_CLI_VERBS_H
#define DAEDAL_CLI_VERBS_H

#include "arguments.h"

typedef int verb_fn(const arguments *a); /* returns the exit status */

typedef struct verb {
    const char *name;
    const char *aliases; /* "run sim", or ""      */
    unsigned bit;        /* FOR_SOLVE ...         */
    verb_fn *run;
    const char *words; /* "MODEL"               */
    int words_least, words_most;
    const char *summary; /* one line              */
    const char *detail;  /* paragraphs for `daedal help VERB` */
} verb;

verb_fn verb_solve, verb_analyze, verb_describe, verb_init, verb_plot, verb_sens, verb_examples,
    verb_fit, verb_sweep, verb_linearize, verb_steady, verb_export, verb_flatten, verb_check,
    verb_browse, verb_help;

const verb *verb_at(int i); /* NULL past the end */
const verb *verb_find(const char *name);
const char *verb_nearest(const char *name); /* or NULL */
const char *verb_name(unsigned bit);

/* Print the help on one verb, or the overview. */
void help_verb(const verb *v);
void help_all(void);
#endif
