/* cli/console.c - see console.h. */
#define _DEFAULT_SOURCE /* TIOCGWINSZ */
#define _POSIX_C_SOURCE 200809L
#include "console.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/* ---- terminal ---- */

bool console_is_terminal(FILE *stream)
{
    return isatty(fileno(stream)) == 1;
}

static int from_environment(const char *name, int otherwise)
{
    const char *text = getenv(name);
    int value = text ? atoi(text) : 0;
    return value > 0 && value < 10000 ? value : otherwise;
}

void console_size(FILE *stream, int *width, int *height)
{
    struct winsize size = {0};
    if (!isatty(fileno(stream)) || ioctl(fileno(stream), TIOCGWINSZ, &size) != 0)
        size = (struct winsize){0};
    *width = size.ws_col ? size.ws_col : from_environment("COLUMNS", 80);
    *height = size.ws_row ? size.ws_row : from_environment("LINES", 24);
}

bool console_is_utf8(void)
{
    const char *names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t k = 0; k < 3; k++) {
        const char *value = getenv(names[k]);
        if (value && value[0])
            return strstr(value, "UTF-8") || strstr(value, "utf8") || strstr(value, "utf-8");
    }
    return false;
}

bool console_has_colour(FILE *stream)
{
    const char *no = getenv("NO_COLOR"), *kind = getenv("TERM");
    return console_is_terminal(stream) && !(no && no[0]) && kind && strcmp(kind, "dumb") != 0;
}

/* ---- time ---- */

double console_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void end_now(int number)
{
    (void)number;
    static const char text[] = "\ndaedal: stopped by --timeout in the middle of a step\n";
    ssize_t ignored = write(STDERR_FILENO, text, sizeof text - 1);
    (void)ignored;
    _exit(1);
}

void console_end_after(double seconds)
{
    struct itimerval timer = {0};
    struct sigaction action = {.sa_handler = end_now};
    if (!(seconds < 1e8))
        return;
    timer.it_value.tv_sec = (time_t)seconds;
    timer.it_value.tv_usec = (suseconds_t)((seconds - (double)timer.it_value.tv_sec) * 1e6);
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &timer, NULL);
}

/* ---- interrupts ---- */

static volatile sig_atomic_t interrupted;

static void note_interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

void console_catch_interrupt(void)
{
    struct sigaction action = {.sa_handler = note_interrupt, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

bool console_interrupted(void)
{
    return interrupted != 0;
}

/* ---- files and threads ---- */

const char *console_cannot_read(const char *path)
{
    struct stat about;
    if (stat(path, &about) == 0 && S_ISDIR(about.st_mode))
        return "it is a directory";
    errno = 0; /* The file is not opened, because a pipe can be read only once. */
    return access(path, R_OK) == 0 ? NULL : strerror(errno);
}

#if defined(__GNUC__)
extern void openblas_set_num_threads(int n) __attribute__((weak));
#endif

void console_one_thread(void)
{
#if defined(__GNUC__)
    if (openblas_set_num_threads)
        openblas_set_num_threads(1);
#endif
}
