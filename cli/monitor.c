/* cli/monitor.c - see monitor.h. */
#include "monitor.h"

#include <math.h>
#include <stdio.h>

#include "console.h"
#include "messages.h"

/* Seconds that a step may take beyond the deadline before the program is ended. */
enum { GRACE_SECONDS = 5 };
/* Seconds before the first progress line, and between two of them. */
static const double FIRST_LINE = 1.0, LINE_INTERVAL = 0.1;

void monitor_begin(run_monitor *m, const arguments *a, double began)
{
    bool show = a->progress || (!a->quiet && console_is_terminal(stderr));
    *m = (run_monitor){.began = began, .deadline = INFINITY, .next = INFINITY, .quiet = a->quiet};
    if (show)
        m->next = a->progress ? began : began + FIRST_LINE;
    if (!isnan(a->timeout)) {
        m->deadline = began + a->timeout;
        console_end_after(m->deadline - console_seconds() + GRACE_SECONDS);
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
        fputs("more than 2700 h left", stderr);
}

static void draw_line(run_monitor *m, const daedal_progress *at, double now)
{
    double share = (at->t - m->t_start) / (m->t_stop - m->t_start);
    fprintf(stderr, "\rt = %-10.6g %5.1f %%  %lld steps  h = %.2g  order %d  ", at->t, 100 * share,
            (long long)at->steps, at->h, (int)at->order);
    if (share > 0)
        print_duration((now - m->began) * (1 - share) / share);
    fputs("   ", stderr);
    if (console_is_terminal(stderr))
        fputs("\033[K", stderr);
    fflush(stderr);
    m->drawn = true;
    m->next = now + LINE_INTERVAL;
}

int monitor_progress(const daedal_progress *where, void *user)
{
    run_monitor *m = user;
    double now = console_seconds();
    if (now >= m->next)
        draw_line(m, where, now);
    if (console_interrupted())
        m->stop_cause = "interrupted";
    else if (now >= m->deadline)
        m->stop_cause = "timeout";
    return m->stop_cause ? DAEDAL_CALL_STOP : DAEDAL_CALL_OK;
}

void monitor_clear_line(run_monitor *m)
{
    if (!m->drawn)
        return;
    fputs(console_is_terminal(stderr) ? "\r\033[K" : "\n", stderr);
    m->drawn = false;
}

void monitor_log(daedal_log_level level, const char *message, void *user)
{
    run_monitor *m = user;
    if (m->quiet || level > DAEDAL_LOG_WARNING)
        return;
    monitor_clear_line(m);
    print_warning("%s", message);
}
