/* cli/sweep_plots.c - see sweep_plots.h. */
#include "sweep_plots.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "draw.h"
#include "messages.h"

/* ---- before the runs ---- */

static const char *name_of_varied(const void *runs, size_t k)
{
    return ((const sweep_runs *)runs)->names[k];
}

static int32_t find_varied(const sweep_runs *runs, const char *name)
{
    for (int32_t j = 0; j < runs->n_varied; j++)
        if (strcmp(runs->names[j], name) == 0)
            return j;
    return -1;
}

int sweep_plot_check(const arguments *a, const sweep_runs *runs)
{
    if (a->x_name && find_varied(runs, a->x_name) < 0) {
        const char *nearest = suggest(a->x_name, name_of_varied, runs, (size_t)runs->n_varied);
        return print_error("--x %s: it does not vary in this sweep%s%s%s", a->x_name,
                           nearest ? "; did you mean " : "", nearest ? nearest : "",
                           nearest ? "?" : "");
    }
    if (!a->plot_file)
        return CLI_SOLVED;
    if (!draw_is_plot_file(a->plot_file))
        return draw_refuse_file(a->plot_file);
    size_t n = strlen(a->plot_file);
    if (a->x_name && strcmp(a->plot_file + n - 4, ".svg") != 0)
        return print_error("--plot=%s: points are drawn in the terminal or written to a .svg file",
                           a->plot_file);
    return CLI_SOLVED;
}

/* ---- tables ---- */

static column column_of(const sweep_results *r, int32_t k, const char *name)
{
    daedal_model_variable v = selection_describe(r->columns, r->info, k);
    return (column){.name = name, .unit = v.unit, .description = v.description};
}

/* A column for each variable and level, a row for each output point. */
static daedal_status fill_fan(trajectory *table, sweep_results *r, daedal_diagnosis *why)
{
    size_t kept = (size_t)r->columns->n, levels = (size_t)r->n_levels;
    size_t length = (size_t)r->n_points * kept;
    for (int32_t k = 0; k < r->columns->n; k++)
        for (size_t q = 0; q < levels; q++) {
            char name[300];
            snprintf(name, sizeof name, "%.250s (%g %%)", selection_name(r->columns, r->info, k),
                     100 * r->levels[q]);
            column c = column_of(r, k, name);
            TRY(trajectory_add_stored(table, &c, why));
        }
    double *all = must_resize(NULL, levels * length + 1, sizeof *all);
    double *row = must_resize(NULL, levels * kept + 1, sizeof *row);
    daedal_status status = DAEDAL_OK;
    if (!array_file_read(&r->file, SWEEP_QUANTILES, 0, all, levels * length))
        status = fail(why, DAEDAL_ERR_CALLBACK, "the quantiles cannot be read");
    for (size_t i = 0; i < (size_t)r->n_points && status >= 0; i++) {
        for (size_t k = 0; k < kept; k++)
            for (size_t q = 0; q < levels; q++)
                row[k * levels + q] = all[q * length + i * kept + k];
        status = trajectory_append(table, r->times[i], row, why);
    }
    free(all);
    free(row);
    return status;
}

/* A row for each run: the parameter, and the variables at the last output point. */
static daedal_status fill_points(trajectory *table, sweep_results *r, int32_t varies,
                                 daedal_diagnosis *why)
{
    size_t kept = (size_t)r->columns->n, points = (size_t)r->n_points;
    for (int32_t k = 0; k < r->columns->n; k++) {
        column c = column_of(r, k, selection_name(r->columns, r->info, k));
        TRY(trajectory_add_stored(table, &c, why));
    }
    table->time.name = r->runs->names[varies];
    table->time.unit = "";
    double *row = must_resize(NULL, kept + 1, sizeof *row);
    daedal_status status = DAEDAL_OK;
    for (int64_t i = 0; i < r->runs->n_runs && status >= 0; i++) {
        uint64_t last = ((uint64_t)i * points + points - 1) * kept;
        if (r->done[i] && array_file_read(&r->file, SWEEP_Y, last, row, kept))
            status =
                trajectory_append(table, r->runs->values[i * r->runs->n_varied + varies], row, why);
    }
    free(row);
    return status;
}

/* ---- drawing ---- */

static int draw_table(const trajectory *table, const sweep_results *r, const arguments *a)
{
    int32_t columns[PLOT_CURVES_MAX], n = 0;
    char footer[200];
    for (; n < PLOT_CURVES_MAX && n < (int32_t)table->n_columns; n++)
        columns[n] = n;
    snprintf(footer, sizeof footer, "%lld runs, %lld failed%s", (long long)r->count.done,
             (long long)r->count.failed,
             table->n_columns > PLOT_CURVES_MAX ? "; not all variables are drawn: --keep chooses"
                                                : "");
    drawing d = {.data = table,
                 .columns = columns,
                 .n_columns = n,
                 .title = r->info->name,
                 .footer = footer,
                 .log_x = a->log_axes && strchr(a->log_axes, 'x'),
                 .log_y = a->log_axes && strchr(a->log_axes, 'y'),
                 .is_path = a->x_name != NULL,
                 .is_scatter = a->x_name != NULL};
    if (!a->plot_file)
        return draw_here(&d);
    FILE *page = draw_open_page(a->plot_file);
    return page ? draw_page(&d, page, a->plot_file) : CLI_USAGE;
}

int sweep_plot_draw(sweep_results *r, const arguments *a)
{
    trajectory table;
    daedal_diagnosis why;
    trajectory_create(&table, NULL, 0);
    daedal_status status = a->x_name ? fill_points(&table, r, find_varied(r->runs, a->x_name), &why)
                                     : fill_fan(&table, r, &why);
    int code = status < 0 ? print_diagnosis(&why) : draw_table(&table, r, a);
    trajectory_free(&table);
    return code;
}
