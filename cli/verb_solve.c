/* cli/verb_solve.c - daedal solve MODEL, and daedal plot of a model. */
#include <stdlib.h>
#include <string.h>

#include "draw.h"
#include "finals.h"
#include "job.h"
#include "messages.h"
#include "verbs.h"

enum { MOVED_SHOWN = 5 };

/* Draw the run, and beside it the result files that `daedal plot` was given. */
static int draw(job *j)
{
    char footer[256];
    report_footer(j, footer, sizeof footer);
    view_source *all = must_resize(NULL, j->others.n + 1, sizeof *all);
    all[0] = (view_source){&j->rows.table, j->source.info->name};
    memcpy(all + 1, j->others.sources, j->others.n * sizeof *all);
    view_request v = {j->args, all, j->others.n + 1, j->source.info->name, footer};
    FILE *page = j->page;
    j->page = NULL;
    int code = page ? view_page(&v, page, j->path) : view_here(&v);
    free(all);
    return code;
}

static int finish(job *j, int code)
{
    const arguments *a = j->args;
    if (!a->quiet && !a->json)
        job_print_moved(j, MOVED_SHOWN);
    if (!a->quiet && !a->json)
        finals_print(j);
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
