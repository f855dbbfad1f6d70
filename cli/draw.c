/* cli/draw.c - see draw.h. */
#include "draw.h"

#include <errno.h>
#include <string.h>

#include "console.h"
#include "messages.h"
#include "plot/curves_html.h"
#include "plot/curves_terminal.h"
#include "plot/incidence_html.h"
#include "plot/incidence_terminal.h"

enum { HEIGHT_MOST = 60, WIDTH_MOST = 200 };

static int least(int a, int b)
{
    return a < b ? a : b;
}

static plot_request request(const drawing *d, int32_t *chosen)
{
    plot_request r = {.data = d->data, .title = d->title, .footer = d->footer};
    r.columns = d->columns ? d->columns : chosen;
    r.n_columns = d->columns ? d->n_columns : plot_choose(d->data, chosen, PLOT_CURVES_MAX);
    return r;
}

int draw_here(const drawing *d)
{
    int32_t chosen[PLOT_CURVES_MAX];
    plot_request r = request(d, chosen);
    daedal_diagnosis why;
    plot_terminal_style style = {.ascii = !console_is_utf8(), .colour = console_has_colour(stdout)};
    console_size(stdout, &style.width, &style.height);
    style.width = least(style.width, WIDTH_MOST);
    style.height = least(style.height - 1, HEIGHT_MOST); /* a line for the prompt */
    sink to = sink_to_stream(stdout);
    if (plot_terminal(&to, &r, &style, &why) >= 0)
        return CLI_SOLVED;
    print_diagnosis(&why);
    return CLI_FAILED;
}

/* Close the page and report an error that occurred while it was written. */
static int finish_page(FILE *page, const char *path, daedal_status st, const daedal_diagnosis *why)
{
    bool closed = fclose(page) == 0;
    if (st >= 0 && closed)
        return CLI_SOLVED;
    if (st < 0 && st != DAEDAL_ERR_CALLBACK)
        print_diagnosis(why);
    else
        print_error("%s could not be written completely: %s", path,
                    errno ? strerror(errno) : "unknown reason");
    return CLI_FAILED;
}

int draw_page(const drawing *d, FILE *page, const char *path)
{
    int32_t chosen[PLOT_CURVES_MAX];
    plot_request r = request(d, chosen);
    daedal_diagnosis why;
    sink to = sink_to_stream(page);
    errno = 0;
    daedal_status st = plot_html(&to, &r, &why);
    return finish_page(page, path, st, &why);
}

/* ---- the incidence matrix ---- */

int draw_incidence_here(const daedal_incidence *data)
{
    int width, height;
    daedal_diagnosis why;
    console_size(stdout, &width, &height);
    width = least(width, WIDTH_MOST);
    if (data->n > incidence_terminal_most(width)) {
        fflush(stdout);
        fprintf(stderr,
                "note: %d equations do not fit in the terminal; --plot=FILE.html writes a page\n",
                (int)data->n);
        return CLI_SOLVED;
    }
    sink to = sink_to_stream(stdout);
    if (incidence_terminal(&to, data, width, &why) >= 0)
        return CLI_SOLVED;
    print_diagnosis(&why);
    return CLI_FAILED;
}

int draw_incidence_page(const daedal_incidence *data, const char *title, const char *path)
{
    FILE *page = draw_open_page(path);
    if (!page)
        return CLI_USAGE;
    daedal_diagnosis why;
    sink to = sink_to_stream(page);
    errno = 0;
    daedal_status st = incidence_html(&to, data, title, &why);
    return finish_page(page, path, st, &why);
}

/* ---- files ---- */

static bool is_page(const char *path)
{
    size_t n = strlen(path);
    return (n > 5 && strcmp(path + n - 5, ".html") == 0) ||
           (n > 4 && strcmp(path + n - 4, ".htm") == 0);
}

static FILE *open_page(const char *path, const char *mode)
{
    errno = 0;
    FILE *page = is_page(path) ? fopen(path, mode) : NULL;
    if (!page && !is_page(path))
        print_error("%s: a plot must be written to a .html file", path);
    else if (!page)
        print_error("%s cannot be written: %s", path, strerror(errno));
    return page;
}

FILE *draw_open_page(const char *path)
{
    return open_page(path, "wb");
}

/* The file is opened to append, so that an old page survives if no new one is written. */
int draw_check_page(const char *path)
{
    FILE *old = fopen(path, "rb"), *page = open_page(path, "ab");
    if (old)
        fclose(old);
    if (!page)
        return CLI_USAGE;
    bool is_new = !old && fseek(page, 0, SEEK_END) == 0 && ftell(page) == 0;
    fclose(page);
    if (is_new)
        remove(path);
    return CLI_SOLVED;
}
