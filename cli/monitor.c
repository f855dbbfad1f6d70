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

/* The end of a line: the time left, if a share of the work was done since `began`. */
static void end_line(run_monitor *m, double share, double now)
{
    if (share > 0)
        print_duration((now - m->began) * (1 - share) / share);
    fputs("   ", stderr);
    if (console_is_terminal(stderr))
        fputs("\033[K", stderr);
    fflush(stderr);
    m->drawn = true;
    m->next = now + LINE_INTERVAL;
}

static void draw_line(run_monitor *m, const daedal_progress *at, double now)
{
    double share = (at->t - m->t_start) / (m->t_stop - m->t_start);
    fprintf(stderr, "\rt = %-10.6g %5.1f %%  %lld steps  h = %.2g  order %d  ", at->t, 100 * share,
            (long long)at->steps, at->h, (int)at->order);
    end_line(m, share, now);
}

void monitor_show_runs(run_monitor *m, int64_t done, int64_t n, int64_t n_failed)
{
    double now = console_seconds();
    if (now < m->next)
        return;
    double share = (double)done / (double)n;
    fprintf(stderr, "\r%lld of %lld runs  %5.1f %%  ", (long long)done, (long long)n, 100 * share);
    if (n_failed > 0)
        fprintf(stderr, "%lld failed  ", (long long)n_failed);
    end_line(m, share, now);
}

const char *monitor_stop_cause(const run_monitor *m)
{
    if (console_interrupted())
        return "interrupted";
    return console_seconds() >= m->deadline ? "timeout" : NULL;
}

int monitor_progress(const daedal_progress *where, void *user)
{
    run_monitor *m = user;
    double now = console_seconds();
    if (now >= m->next)
        draw_line(m, where, now);
    m->stop_cause = monitor_stop_cause(m);
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
