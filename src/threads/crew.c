/* threads/crew.c - see crew.h.
 *
 * Members sleep between runs and are woken by a condition.  Within a run they meet often and for
 * short times, so that they look again and again before they let others have the processor.   */
#define _POSIX_C_SOURCE 200112L
#include "threads/crew.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { LOOKS = 2000 }; /* at a meeting, before the processor is offered to others */

typedef struct crew_member {
    crew *of;
    int32_t number;
    pthread_t thread;
} crew_member;

struct crew {
    const daedal_allocator *allocator;
    pthread_mutex_t mutex;   /* of the members, for crew_lock */
    pthread_mutex_t waiting; /* of what follows */
    pthread_cond_t begins, ends;
    int64_t run;     /* how many runs have begun */
    int32_t at_work; /* members beside the first that have not returned */
    bool is_over;    /* no run follows */
    crew_member *member;
    int32_t n, room; /* members that exist, that were asked for */
    crew_work_fn *work;
    void *user;
    atomic_int_least32_t n_met; /* at the present meeting */
    atomic_int_least64_t meeting;
};

static bool make_locks(crew *c)
{
    if (pthread_mutex_init(&c->mutex, NULL) != 0)
        return false;
    if (pthread_mutex_init(&c->waiting, NULL) == 0) {
        if (pthread_cond_init(&c->begins, NULL) == 0) {
            if (pthread_cond_init(&c->ends, NULL) == 0)
                return true;
            pthread_cond_destroy(&c->begins);
        }
        pthread_mutex_destroy(&c->waiting);
    }
    pthread_mutex_destroy(&c->mutex);
    return false;
}

/* Waits for the run after number `seen`; false: there is none. */
static bool await_run(crew *c, int64_t seen)
{
    pthread_mutex_lock(&c->waiting);
    while (c->run == seen && !c->is_over)
        pthread_cond_wait(&c->begins, &c->waiting);
    bool follows = c->run != seen;
    pthread_mutex_unlock(&c->waiting);
    return follows;
}

static void end_work(crew *c)
{
    pthread_mutex_lock(&c->waiting);
    if (--c->at_work == 0)
        pthread_cond_signal(&c->ends);
    pthread_mutex_unlock(&c->waiting);
}

static void *live(void *member)
{
    crew_member *m = member;
    for (int64_t seen = 0; await_run(m->of, seen); seen++) {
        m->of->work(m->of->user, m->number);
        end_work(m->of);
    }
    return NULL;
}

crew *crew_create(int32_t n_members, const daedal_allocator *allocator)
{
    crew *c = memory_take(allocator, sizeof *c);
    if (!c)
        return NULL;
    c->allocator = allocator;
    c->room = n_members;
    c->member = memory_take_array(allocator, (size_t)n_members, sizeof *c->member);
    if (!c->member || !make_locks(c)) {
        memory_give(allocator, c->member, (size_t)n_members * sizeof *c->member);
        memory_give(allocator, c, sizeof *c);
        return NULL;
    }
    for (c->n = 1; c->n < n_members; c->n++) {
        crew_member *m = &c->member[c->n];
        *m = (crew_member){.of = c, .number = c->n};
        if (pthread_create(&m->thread, NULL, live, m) != 0)
            break;
    }
    return c;
}

void crew_free(crew *c)
{
    if (!c)
        return;
    pthread_mutex_lock(&c->waiting);
    c->is_over = true;
    pthread_cond_broadcast(&c->begins);
    pthread_mutex_unlock(&c->waiting);
    for (int32_t k = 1; k < c->n; k++)
        pthread_join(c->member[k].thread, NULL);
    pthread_cond_destroy(&c->begins);
    pthread_cond_destroy(&c->ends);
    pthread_mutex_destroy(&c->waiting);
    pthread_mutex_destroy(&c->mutex);
    memory_give(c->allocator, c->member, (size_t)c->room * sizeof *c->member);
    memory_give(c->allocator, c, sizeof *c);
}

int32_t crew_size(const crew *c)
{
    return c->n;
}

void crew_run(crew *c, crew_work_fn *work, void *user)
{
    pthread_mutex_lock(&c->waiting);
    c->work = work;
    c->user = user;
    c->at_work = c->n - 1;
    c->run++;
    pthread_cond_broadcast(&c->begins);
    pthread_mutex_unlock(&c->waiting);
    work(user, 0);
    pthread_mutex_lock(&c->waiting);
    while (c->at_work > 0)
        pthread_cond_wait(&c->ends, &c->waiting);
    pthread_mutex_unlock(&c->waiting);
}

void crew_meet(crew *c)
{
    int64_t now = atomic_load(&c->meeting);
    if (atomic_fetch_add(&c->n_met, 1) + 1 == c->n) {
        atomic_store(&c->n_met, 0);
        atomic_store(&c->meeting, now + 1);
        return;
    }
    for (int32_t k = 0; atomic_load(&c->meeting) == now; k++)
        if (k >= LOOKS)
            sched_yield();
}

void crew_lock(crew *c)
{
    pthread_mutex_lock(&c->mutex);
}

void crew_unlock(crew *c)
{
    pthread_mutex_unlock(&c->mutex);
}
