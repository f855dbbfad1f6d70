/* cli/draw.c - see draw.h. */
#include "draw.h"

#include <errno.h>
#include <string.h>

#include "complain.h"
#include "console.h"
#include "output/plot_html.h"
#include "output/plot_terminal.h"

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
    complain_of(&why);
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
    bool closed = fclose(page) == 0;
    if (st >= 0 && closed)
        return CLI_SOLVED;
    if (st < 0 && st != DAEDAL_ERR_CALLBACK)
        complain_of(&why);
    else
        complain("%s could not be written completely: %s", path,
                 errno ? strerror(errno) : "unknown reason");
    return CLI_FAILED;
}
