/* cli/view.h - which part of one or several results is drawn, and how.
 *
 * Responsibility: --vars, --log, --x, --profile and --map: the columns, the table that is drawn,
 * and a line on what is left out. Depends on: arguments.h, plot/. */
#ifndef DAEDAL_CLI_VIEW_H
#define DAEDAL_CLI_VIEW_H

#include <stdio.h>

#include "arguments.h"
#include "output/trajectory.h"

/* A result, and the name of its file or model. */
typedef struct view_source {
    const trajectory *data;
    const char *name;
} view_source;

typedef struct view_request {
    const arguments *args;
    const view_source *sources; /* one at least */
    size_t n_sources;
    const char *title, *footer; /* footer: or NULL */
} view_request;

/* ---- verb_plot.c: result files ---- */

typedef struct result_set {
    trajectory *at; /* n of them */
    view_source *sources;
    size_t n;
} result_set;

/* Read all result files among the words; an exit status.  Free them in any case. */
int results_read(result_set *set, const arguments *a);
void results_free(result_set *set);

/* ---- view.c ---- */

/* Draw on stdout, or write a page (.html) or picture (.svg), as the path says, and close it; page
 * NULL: the file is opened once it is clear what is drawn.  Both return an exit status, with a
 * message if it is not CLI_SOLVED.                                                */
int view_here(const view_request *v);
int view_page(const view_request *v, FILE *page, const char *path);
#endif
