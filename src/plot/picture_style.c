/* plot/picture_style.c - see picture_style.h. */
#include "plot/picture_style.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot/html_text.h"

enum { FOOTER_LINE = 18, FOOTER_MARGIN = 12, TITLE_BASE = 24, LINE_MAX = 500 };

static const char *const style[] = {
    "text{font:12.5px \"Liberation Sans\",Arial,sans-serif;fill:#5d6670}",
    "text.title{font-size:17px;font-weight:bold;fill:#1b2026}",
    ".grid{stroke:#e8ebee;fill:none}.zero{stroke:#aab2ba;fill:none}",
    ".curve{fill:none;stroke-width:1.8;stroke-linejoin:round;stroke-linecap:round}",
    ".jump{fill:none;stroke-width:1.2;stroke-dasharray:1.5 3;opacity:.75}",
    ".d1{stroke-dasharray:7 4}.d2{stroke-dasharray:2 4}",
    ".k0{stroke:#0b69b0}.k1{stroke:#cf4f08}.k2{stroke:#00805c}.k3{stroke:#a4458a}",
    ".k4{stroke:#9a6b00}.k5{stroke:#087f8c}.k6{stroke:#b3261e}.k7{stroke:#5b6470}",
    ".select{display:none}",
    NULL};

void picture_open(sink *to, int width, int height, const char *title, int x)
{
    sink_format(to,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                "viewBox=\"0 0 %d %d\">\n<style>\n",
                width, height, width, height);
    html_lines(to, style);
    sink_format(to, "</style>\n<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", width, height);
    if (!title)
        return;
    sink_format(to, "<text class=\"title\" x=\"%d\" y=\"%d\">", x, TITLE_BASE);
    html_escaped(to, title);
    sink_text(to, "</text>\n");
}

static size_t line_length(const char *text)
{
    size_t n = strcspn(text, "\n");
    return n < LINE_MAX ? n : LINE_MAX;
}

int picture_footer_height(const char *footer)
{
    int lines = 0;
    for (const char *at = footer; at && *at; lines++)
        at += line_length(at) + (at[line_length(at)] == '\n');
    return lines ? FOOTER_LINE * lines + FOOTER_MARGIN : 0;
}

void picture_close(sink *to, const char *footer, int x, int y)
{
    for (const char *at = footer; at && *at;) {
        char text[LINE_MAX + 1];
        size_t n = line_length(at);
        memcpy(text, at, n);
        text[n] = '\0';
        y += FOOTER_LINE;
        sink_format(to, "<text x=\"%d\" y=\"%d\">", x, y);
        html_escaped(to, text);
        sink_text(to, "</text>\n");
        at += n + (at[n] == '\n');
    }
    sink_text(to, "</svg>\n");
}

void picture_coordinate(sink *to, double x)
{
    const double far = 1e6;
    long tenths = lround(10.0 * fmax(-far, fmin(far, x)));
    sink_format(to, "%s%ld.%ld", tenths < 0 ? "-" : "", labs(tenths) / 10, labs(tenths) % 10);
}

void picture_text(sink *to, double x, double y, const char *anchor, const char *text)
{
    sink_text(to, "<text x=\"");
    picture_coordinate(to, x);
    sink_text(to, "\" y=\"");
    picture_coordinate(to, y);
    sink_format(to, "\" text-anchor=\"%s\">%s</text>\n", anchor, text);
}
