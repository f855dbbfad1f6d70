/* cli/verb_solve.c - daedal solve MODEL, and daedal plot of a model. */
#include <stdlib.h>

#include "draw.h"
#include "job.h"
#include "messages.h"
#include "verbs.h"

enum { MOVED_SHOWN = 5 };

/* Draw the variables that --vars names, in that order, else those that vary. */
static int draw(job *j)
{
    char footer[256];
    report_footer(j, footer, sizeof footer);
    drawing d = {.data = &j->rows.table, .title = j->source.info->name, .footer = footer};
    int32_t columns[PLOT_CURVES_MAX];
    int32_t n = (int32_t)j->rows.table.n_columns;
    if (j->args->vars) {
        d.columns = columns;
        d.n_columns = n < PLOT_CURVES_MAX ? n : PLOT_CURVES_MAX;
        for (int32_t k = 0; k < d.n_columns; k++)
            columns[k] = k;
    }
    if (!j->page)
        return draw_here(&d);
    FILE *page = j->page;
    j->page = NULL;
    return draw_page(&d, page, j->path);
}

static int finish(job *j, int code)
{
    const arguments *a = j->args;
    if (!a->quiet && !a->json)
        job_print_moved(j, MOVED_SHOWN);
    job_explain(j);
    comparison_print(j);
    if (a->plot && j->rows.rows > 0) {
        int drawn = draw(j);
        code = code ? code : drawn;
    }
    if (a->stats)
        report_stats(j);
    return code;
}

int verb_solve(const arguments *a)
{
    job j;
    int code = job_load(&j, a, true);
    if (code == CLI_SOLVED)
        code = job_open_outputs(&j);
    if (code == CLI_SOLVED)
        code = finish(&j, job_run(&j));
    if (a->json)
        report_json(&j);
    job_free(&j);
    return code;
}
