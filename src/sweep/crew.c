/* sweep/crew.c - see crew.h. */
#include "sweep/crew.h"

#include <pthread.h>

typedef struct crew_member {
    crew *of;
    int32_t number;
    pthread_t thread;
    bool is_running;
} crew_member;

struct crew {
    const daedal_allocator *allocator;
    pthread_mutex_t mutex;
    crew_member *member;
    int32_t n;
    crew_work_fn *work;
    void *user;
};

crew *crew_create(int32_t n_members, const daedal_allocator *allocator)
{
    crew *c = memory_take(allocator, sizeof *c);
    if (!c)
        return NULL;
    c->allocator = allocator;
    c->n = n_members;
    c->member = memory_take_array(allocator, (size_t)n_members, sizeof *c->member);
    if (!c->member || pthread_mutex_init(&c->mutex, NULL) != 0) {
        memory_give(allocator, c->member, (size_t)n_members * sizeof *c->member);
        memory_give(allocator, c, sizeof *c);
        return NULL;
    }
    return c;
}

void crew_free(crew *c)
{
    if (!c)
        return;
    pthread_mutex_destroy(&c->mutex);
    memory_give(c->allocator, c->member, (size_t)c->n * sizeof *c->member);
    memory_give(c->allocator, c, sizeof *c);
}

static void *begin(void *member)
{
    crew_member *m = member;
    m->of->work(m->of->user, m->number);
    return NULL;
}

void crew_run(crew *c, crew_work_fn *work, void *user)
{
    c->work = work;
    c->user = user;
    for (int32_t k = 1; k < c->n; k++) {
        crew_member *m = &c->member[k];
        *m = (crew_member){.of = c, .number = k};
        m->is_running = pthread_create(&m->thread, NULL, begin, m) == 0;
    }
    work(user, 0);
    for (int32_t k = 1; k < c->n; k++)
        if (c->member[k].is_running)
            pthread_join(c->member[k].thread, NULL);
}

void crew_lock(crew *c)
{
    pthread_mutex_lock(&c->mutex);
}

void crew_unlock(crew *c)
{
    pthread_mutex_unlock(&c->mutex);
}
