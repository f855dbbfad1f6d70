/* cli/verb_plot.c - daedal plot FILE...: solves a model, reads result files, and draws them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw.h"
#include "messages.h"
#include "output/result_file.h"
#include "verbs.h"
#include "view.h"

static bool is_result(const char *path)
{
    return result_format_of(path) != RESULT_UNKNOWN;
}

int results_read(result_set *set, const arguments *a)
{
    daedal_diagnosis why;
    *set = (result_set){0};
    set->at = must_resize(NULL, (size_t)a->n_words + 1, sizeof *set->at);
    set->sources = must_resize(NULL, (size_t)a->n_words + 1, sizeof *set->sources);
    for (int k = 0; k < a->n_words; k++) {
        if (!is_result(a->words[k]))
            continue;
        trajectory *tr = &set->at[set->n];
        trajectory_create(tr, NULL, 0);
        set->sources[set->n++] = (view_source){tr, a->words[k]};
        if (result_file_read(tr, a->words[k], &why) < 0)
            return print_diagnosis(&why);
        if (tr->is_cut_off && !a->quiet)
            print_warning("%s breaks off in its last line, which is left out", a->words[k]);
    }
    return CLI_SOLVED;
}

void results_free(result_set *set)
{
    for (size_t k = 0; k < set->n; k++)
        trajectory_free(&set->at[k]);
    free(set->at);
    free(set->sources);
    *set = (result_set){0};
}

static int plot_results(const arguments *a)
{
    result_set set;
    int code = results_read(&set, a);
    view_request v = {a, set.sources, set.n, a->words[0], NULL};
    if (code == CLI_SOLVED)
        code = a->plot_file ? view_page(&v, NULL, a->plot_file) : view_here(&v);
    results_free(&set);
    return code;
}

/* The model is the first file, so that the verb `solve` finds it. */
static int put_model_first(arguments *b)
{
    int n_models = 0;
    for (int k = 0; k < b->n_words; k++)
        if (!is_result(b->words[k]) && ++n_models == 1) {
            const char *model = b->words[k];
            b->words[k] = b->words[0];
            b->words[0] = model;
        }
    if (n_models > 1)
        return print_error("only one model can be solved for a plot; write the result of each with "
                           "`daedal solve MODEL -o FILE` and plot these files");
    return CLI_SOLVED;
}

int verb_plot(const arguments *a)
{
    arguments b = *a;
    b.plot = true;
    if (a->output && draw_is_plot_file(a->output)) {
        b.plot_file = a->output;
        b.output = NULL;
    }
    if (b.output && !is_result(b.output))
        return draw_refuse_file(b.output);
    if (put_model_first(&b) != CLI_SOLVED)
        return CLI_USAGE;
    if (!is_result(b.words[0]))
        return verb_solve(&b);
    if (a->run_flag)
        return print_error("%s is a result file, so nothing is solved; remove %s%s", a->words[0],
                           a->run_flag[0] == '-' ? "" : "--", a->run_flag);
    if (a->n_times > 0 && !a->profile)
        return print_error("--at chooses the times of --profile; nothing is solved here");
    if (b.output)
        return draw_refuse_file(b.output);
    return plot_results(&b);
}
