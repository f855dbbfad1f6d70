/* newton/calls_ahead.c - see calls_ahead.h. */
#include "newton/calls_ahead.h"

#include <stdatomic.h>
#include <string.h>

enum {
    NUMBERS = 2000000, /* of y, y' and F that are kept, unless this is less than ... */
    POINTS = 4         /* ... so many points for each thread */
};
enum { NOT_CALLED = -12345 }; /* in the place of an answer */

struct calls_ahead {
    const daedal_system *sys;
    const daedal_allocator *allocator;
    crew *crew;
    size_t n;
    int32_t room, n_added; /* points */
    int32_t n_ready, next; /* points that were computed; the one that is asked for next */
    double t;
    double *y, *yp, *r;
    int *answer;
    atomic_int_least32_t handed_out;
    atomic_bool is_ended; /* STOP or FAIL was answered: nothing else is begun */
    block mem;
};

static void lay_out(void *object, layout *l)
{
    calls_ahead *a = object;
    size_t numbers = (size_t)a->room * a->n;
    a->y = layout_take(l, numbers, sizeof *a->y);
    a->yp = layout_take(l, numbers, sizeof *a->yp);
    a->r = layout_take(l, numbers, sizeof *a->r);
    a->answer = layout_take(l, (size_t)a->room, sizeof *a->answer);
}

static int32_t room_for(size_t n, int32_t threads)
{
    size_t fit = NUMBERS / (3 * n), least = POINTS * (size_t)threads, most = 2 * n;
    fit = fit < least ? least : fit;
    return (int32_t)(fit < most ? fit : most);
}

calls_ahead *calls_ahead_create(const daedal_system *sys, int32_t threads,
                                const daedal_allocator *allocator)
{
    calls_ahead *a = memory_take(allocator, sizeof *a);
    if (!a)
        return NULL;
    a->sys = sys;
    a->allocator = allocator;
    a->n = (size_t)sys->n;
    a->room = room_for(a->n, threads);
    a->crew = crew_create(threads, allocator);
    if (a->crew && block_create(&a->mem, allocator, lay_out, a))
        return a;
    calls_ahead_free(a);
    return NULL;
}

void calls_ahead_free(calls_ahead *a)
{
    if (!a)
        return;
    crew_free(a->crew);
    block_free(&a->mem);
    memory_give(a->allocator, a, sizeof *a);
}

bool calls_ahead_add(calls_ahead *a, const double *y, const double *yp)
{
    if (a->n_added >= a->room)
        return false;
    size_t at = (size_t)a->n_added++ * a->n;
    memcpy(a->y + at, y, a->n * sizeof *y);
    memcpy(a->yp + at, yp, a->n * sizeof *yp);
    return true;
}

static int call(calls_ahead *a, int32_t k)
{
    const daedal_system *sys = a->sys;
    size_t at = (size_t)k * a->n;
    if (sys->residual)
        return sys->residual(a->t, a->y + at, a->yp + at, a->r + at, sys->user);
    return sys->rhs(a->t, a->y + at, a->r + at, sys->user);
}

/* Points are handed out one by one, since calls may take different times. */
static void work(void *user, int32_t member)
{
    calls_ahead *a = user;
    (void)member;
    for (;;) {
        int32_t k = atomic_fetch_add(&a->handed_out, 1);
        if (k >= a->n_ready || atomic_load(&a->is_ended))
            return;
        a->answer[k] = call(a, k);
        if (a->answer[k] != DAEDAL_CALL_OK && a->answer[k] != DAEDAL_CALL_RETRY)
            atomic_store(&a->is_ended, true);
    }
}

void calls_ahead_compute(calls_ahead *a, double t)
{
    a->t = t;
    a->n_ready = a->n_added;
    a->next = a->n_added = 0;
    for (int32_t k = 0; k < a->n_ready; k++)
        a->answer[k] = NOT_CALLED;
    atomic_store(&a->handed_out, 0);
    atomic_store(&a->is_ended, false);
    if (a->n_ready > 0)
        crew_run(a->crew, work, a);
}

bool calls_ahead_take(calls_ahead *a, double t, const double *y, const double *yp, double *r,
                      int *answer)
{
    if (a->next >= a->n_ready || t != a->t)
        return false;
    size_t at = (size_t)a->next * a->n, bytes = a->n * sizeof *y;
    if (memcmp(a->y + at, y, bytes) != 0)
        return false;
    if (a->sys->residual && memcmp(a->yp + at, yp, bytes) != 0)
        return false;
    *answer = a->answer[a->next++];
    if (*answer == NOT_CALLED)
        return false;
    memcpy(r, a->r + at, bytes);
    return true;
}
