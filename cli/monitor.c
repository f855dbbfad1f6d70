/* cli/watch.c - see watch.h. */
#include "watch.h"

#include <math.h>
#include <stdio.h>

#include "complain.h"
#include "console.h"

enum { PATIENCE = 5 }; /* seconds that a step may take beyond the deadline */
static const double FIRST_LINE = 1.0, EVERY = 0.1;

void watch_begin(watch *w, const arguments *a, double began)
{
    bool show = a->progress || (!a->quiet && console_is_terminal(stderr));
    *w = (watch){.began = began, .deadline = INFINITY, .next = INFINITY, .quiet = a->quiet};
    if (show)
        w->next = a->progress ? began : began + FIRST_LINE;
    if (!isnan(a->timeout)) {
        w->deadline = began + a->timeout;
        console_end_after(w->deadline - console_seconds() + PATIENCE);
    }
}

static void print_duration(double seconds)
{
    if (seconds < 100)
        fprintf(stderr, "about %.0f s left", ceil(seconds));
    else if (seconds < 6000)
        fprintf(stderr, "about %.0f min left", ceil(seconds / 60));
    else if (seconds < 1e7)
        fprintf(stderr, "about %.0f h left", ceil(seconds / 3600));
    else
        fputs("long to go", stderr);
}

static void draw(watch *w, const daedal_progress *at, double now)
{
    double share = (at->t - w->t_start) / (w->t_stop - w->t_start);
    fprintf(stderr, "\rt = %-10.6g %5.1f %%  %lld steps  h = %.2g  order %d  ", at->t, 100 * share,
            (long long)at->steps, at->h, (int)at->order);
    if (share > 0)
        print_duration((now - w->began) * (1 - share) / share);
    fputs("   ", stderr);
    if (console_is_terminal(stderr))
        fputs("\033[K", stderr);
    fflush(stderr);
    w->drawn = true;
    w->next = now + EVERY;
}

int watch_progress(const daedal_progress *where, void *user)
{
    watch *w = user;
    double now = console_seconds();
    if (now >= w->next)
        draw(w, where, now);
    if (console_interrupted())
        w->why = "interrupted";
    else if (now >= w->deadline)
        w->why = "timeout";
    return w->why ? DAEDAL_CALL_STOP : DAEDAL_CALL_OK;
}

void watch_end(watch *w)
{
    if (!w->drawn)
        return;
    fputs(console_is_terminal(stderr) ? "\r\033[K" : "\n", stderr);
    w->drawn = false;
}

void watch_log(daedal_log_level level, const char *message, void *user)
{
    watch *w = user;
    if (w->quiet || level > DAEDAL_LOG_WARNING)
        return;
    watch_end(w);
    warn("%s", message);
}
