/* cli/draw.c - see draw.h. */
#include "draw.h"

#include <errno.h>
#include <string.h>

#include "console.h"
#include "messages.h"
#include "plot/curves_html.h"
#include "plot/curves_svg.h"
#include "plot/curves_terminal.h"
#include "plot/heat_map.h"
#include "plot/incidence_html.h"
#include "plot/incidence_terminal.h"

enum { HEIGHT_MOST = 60, WIDTH_MOST = 200 };

static int least(int a, int b)
{
    return a < b ? a : b;
}

static plot_request request(const drawing *d)
{
    return (plot_request){.data = d->data,
                          .columns = d->columns,
                          .n_columns = d->n_columns,
                          .title = d->title,
                          .footer = d->footer,
                          .log_time = d->log_x,
                          .log_values = d->log_y,
                          .is_path = d->is_path,
                          .is_scatter = d->is_scatter};
}

static heat_map map_of(const drawing *d)
{
    return (heat_map){.array = d->array,
                      .title = d->title,
                      .footer = d->footer,
                      .log_time = d->log_x,
                      .log_values = d->log_y};
}

int draw_here(const drawing *d)
{
    plot_request r = request(d);
    heat_map map = map_of(d);
    daedal_diagnosis why;
    plot_terminal_style style = {.ascii = !console_is_utf8(), .colour = console_has_colour(stdout)};
    console_size(stdout, &style.width, &style.height);
    style.width = least(style.width, WIDTH_MOST);
    style.height = least(style.height - 1, HEIGHT_MOST); /* a line for the prompt */
    sink to = sink_to_stream(stdout);
    if ((d->is_map ? heat_map_terminal(&to, &map, &style, &why)
                   : plot_terminal(&to, &r, &style, &why)) >= 0)
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

static bool ends_with(const char *path, const char *end)
{
    size_t n = strlen(path), m = strlen(end);
    return n > m && strcmp(path + n - m, end) == 0;
}

int draw_page(const drawing *d, FILE *page, const char *path)
{
    plot_request r = request(d);
    heat_map map = map_of(d);
    daedal_diagnosis why;
    sink to = sink_to_stream(page);
    bool is_picture = ends_with(path, ".svg");
    errno = 0;
    daedal_status st = d->is_map ? (is_picture ? heat_map_svg : heat_map_html)(&to, &map, &why)
                                 : (is_picture ? plot_svg : plot_html)(&to, &r, &why);
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
    return ends_with(path, ".html") || ends_with(path, ".htm");
}

bool draw_is_plot_file(const char *path)
{
    return is_page(path) || ends_with(path, ".svg");
}

int draw_refuse_file(const char *path)
{
    if (ends_with(path, ".png"))
        return print_error("%s: plots are not written as PNG; write a picture to a .svg file, or a "
                           "page to a .html file",
                           path);
    return print_error("%s: a plot must be written to a .svg or .html file", path);
}

static FILE *open_file(const char *path, const char *mode)
{
    errno = 0;
    FILE *page = fopen(path, mode);
    if (!page)
        print_error("%s cannot be written: %s", path, strerror(errno));
    return page;
}

FILE *draw_open_page(const char *path)
{
    if (draw_is_plot_file(path))
        return open_file(path, "wb");
    draw_refuse_file(path);
    return NULL;
}

/* The file is opened to append, so that an old page survives if no new one is written. */
int draw_check_page(const char *path)
{
    if (!is_page(path))
        return print_error("%s: a plot of the incidence matrix must be written to a .html file",
                           path);
    FILE *old = fopen(path, "rb"), *page = open_file(path, "ab");
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
