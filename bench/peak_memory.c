/* bench/peak_memory.c - one run in a process of its own, for its peak memory.
 * Depends on: bench/peak_memory.h, ida_peer.h, daedal_peer.h; POSIX and wait4().   */
#define _DEFAULT_SOURCE
#include "peak_memory.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "daedal_peer.h"
#include "ida_peer.h"

/* In the child: run, send the result through the pipe, end without cleaning up. */
static void run_child(const problem *p, double rtol, const char *method, bool with_ida,
                      int pipe_end)
{
    run r;
    if (with_ida)
        ida_peer_run(p, rtol, &r, NULL);
    else
        daedal_peer_run(p, rtol, method, &r, NULL);
    const ssize_t sent = write(pipe_end, &r, sizeof r);
    _exit(sent == (ssize_t)sizeof r ? EXIT_SUCCESS : EXIT_FAILURE);
}

footprint measure_memory(const problem *p, double rtol, const char *method, bool with_ida)
{
    footprint f = {.peak_bytes = 0.0};
    run_fail(&f.result, "the process could not be started, or ended early");
    int ends[2];
    if (pipe(ends) != 0)
        return f;
    const pid_t child = fork();
    if (child == 0)
        run_child(p, rtol, method, with_ida, ends[1]);
    close(ends[1]);
    if (child > 0) {
        struct rusage usage = {0};
        run received;
        if (read(ends[0], &received, sizeof received) == (ssize_t)sizeof received)
            f.result = received;
        if (wait4(child, NULL, 0, &usage) == child)
            f.peak_bytes = 1024.0 * (double)usage.ru_maxrss;
    }
    close(ends[0]);
    return f;
}
