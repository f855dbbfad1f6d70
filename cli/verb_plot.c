/* cli/verb_plot.c - daedal plot FILE: solves a model, or reads a result file, and draws it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw.h"
#include "messages.h"
#include "name_patterns.h"
#include "output/result_file.h"
#include "selection.h"
#include "verbs.h"

static const char *name_of_column(const void *list, size_t i)
{
    return ((const column *)list)[i].name;
}

/* The columns that --vars names. */
static int choose(const trajectory *tr, const arguments *a, int32_t *columns, int32_t *n)
{
    const name_table table = {tr->columns, tr->n_columns, name_of_column, NULL, a->words[0]};
    name_list names;
    int code = names_read(&names, a->vars) ? CLI_SOLVED : CLI_USAGE;
    *n = 0;
    for (size_t k = 0; k < names.n && code == CLI_SOLVED; k++) {
        name_matches found = {0};
        if (!name_pattern_find(&table, names.at[k], 0, strlen(names.at[k]), &found))
            code = CLI_USAGE;
        for (size_t i = 0; i < found.n && *n < PLOT_CURVES_MAX; i++)
            columns[(*n)++] = (int32_t)found.at[i];
        name_matches_free(&found);
    }
    names_free(&names);
    return code;
}

static int draw_result(const trajectory *tr, const arguments *a, const char *page_path)
{
    int32_t columns[PLOT_CURVES_MAX];
    drawing d = {.data = tr, .title = a->words[0]};
    if (a->vars) {
        d.columns = columns;
        if (choose(tr, a, columns, &d.n_columns) != CLI_SOLVED)
            return CLI_USAGE;
    }
    if (!page_path)
        return draw_here(&d);
    errno = 0;
    FILE *page = fopen(page_path, "wb");
    if (!page)
        return print_error("%s cannot be written: %s", page_path, strerror(errno));
    return draw_page(&d, page, page_path);
}

static int plot_result(const arguments *a, const char *page_path)
{
    trajectory tr;
    daedal_diagnosis why;
    trajectory_create(&tr, NULL, 0);
    int code = result_file_read(&tr, a->words[0], &why) < 0 ? print_diagnosis(&why)
                                                            : draw_result(&tr, a, page_path);
    trajectory_free(&tr);
    return code;
}

static bool is_page(const char *path)
{
    const char *dot = path ? strrchr(path, '.') : NULL;
    return dot && (strcmp(dot, ".html") == 0 || strcmp(dot, ".htm") == 0);
}

int verb_plot(const arguments *a)
{
    arguments b = *a;
    b.plot = true;
    if (is_page(a->output)) {
        b.plot_file = a->output;
        b.output = NULL;
    }
    if (b.output && result_format_of(b.output) == RESULT_UNKNOWN)
        return print_error("%s: the extension must be .html for a plot, or .csv, .npz, .mat or "
                           ".json for a result",
                           b.output);
    if (result_format_of(a->words[0]) == RESULT_UNKNOWN)
        return verb_solve(&b);
    if (a->run_flag)
        return print_error("%s is a result file, so nothing is solved; remove %s%s", a->words[0],
                           a->run_flag[0] == '-' ? "" : "--", a->run_flag);
    if (b.output || (b.plot_file && !is_page(b.plot_file)))
        return print_error("%s: a plot must be written to a .html file",
                           b.output ? b.output : b.plot_file);
    return plot_result(&b, b.plot_file);
}
