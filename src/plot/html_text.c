/* plot/html_text.c - see html_text.h. */
#include "plot/html_text.h"

#include <string.h>

#include "output/utf8.h"

void html_escaped(sink *to, const char *text)
{
    size_t left = strlen(text), n;
    for (; left; text += n, left -= n) {
        n = utf8_length(text, left);
        if (n == 0) {
            sink_text(to, "\xef\xbf\xbd");
            n = 1;
        } else if (strchr("<>&\"'", *text)) {
            sink_format(to, "&#%d;", *text);
        } else if ((unsigned char)*text >= 0x20 || *text == '\t') {
            sink_bytes(to, text, n);
        }
    }
}

void html_lines(sink *to, const char *const *lines)
{
    for (; *lines; lines++) {
        sink_text(to, *lines);
        sink_char(to, '\n');
    }
}

void html_head(sink *to, const char *title, const char *const *const *styles)
{
    sink_text(to, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                  "<meta name=\"color-scheme\" content=\"light dark\">\n<title>");
    html_escaped(to, title);
    sink_text(to, "</title>\n<style>\n");
    for (; *styles; styles++)
        html_lines(to, *styles);
    sink_text(to, "</style>\n</head>\n<body>\n<main>\n<header><h1>");
    html_escaped(to, title);
    sink_text(to, "</h1>\n");
}
