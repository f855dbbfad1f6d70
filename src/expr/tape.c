/* expr/tape.c - see tape.h: evaluation. */
#include "expr/tape.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "expr/buffer.h"
#include "expr/tape_code.h"
#include "expr/tape_runs.h"

void tape_free(tape *t)
{
    if (!t)
        return;
    buffer_free(t->allocator, t->code, t->code_capacity, sizeof *t->code);
    buffer_free(t->allocator, t->constant, t->constant_capacity, sizeof *t->constant);
    buffer_free(t->allocator, t->live, t->live_capacity, sizeof *t->live);
    memory_give(t->allocator, t->root, t->size.n_roots * sizeof *t->root);
    memory_give(t->allocator, t->target, t->size.n_roots * sizeof *t->target);
    memory_give(t->allocator, t, sizeof *t);
}

tape_size tape_measure(const tape *t)
{
    return t->size;
}

void tape_follow(tape *t, const expr_graph *g)
{
    for (size_t k = 0; k < t->n_live; k++)
        t->constant[t->live[k].constant] = expr_value_now(g, t->live[k].e);
}

void tape_prepare(const tape *t, double *work)
{
    memset(work, 0, t->size.work * sizeof *work);
    if (t->size.n_constants > 0)
        memcpy(work + t->size.n_inputs, t->constant, t->size.n_constants * sizeof *work);
}

/* ---- calls and units ---------------------------------------------------------------- */

typedef struct machine {
    const tape *t;
    double *r; /* the work array */
    const tape_calls *calls;
    double *scratch;
    int answer;
} machine;

#define R(s) m->r[s]

/* p: destination, function, n_args, n_outputs, sources.  Returns what follows. */
static const uint32_t *do_call(machine *m, const uint32_t *p)
{
    double *args = m->scratch, *outputs = args + m->t->scratch_outputs;
    const uint32_t n_args = p[2], n_outputs = p[3];
    for (uint32_t k = 0; k < n_args; k++)
        args[k] = R(p[4 + k]);
    for (uint32_t k = 0; k < n_outputs; k++)
        outputs[k] = (double)NAN;
    if (m->calls && m->calls->call && m->answer == 0)
        m->answer = m->calls->call(m->calls->user, p[1], args, outputs);
    for (uint32_t k = 0; k < n_outputs; k++)
        R(p[0] + k) = outputs[k];
    return p + 4 + n_args;
}

/* The instructions of a unit, up to TAPE_END. */
static void do_unit(machine *m, const uint32_t *p)
{
    for (;;) {
        switch (*p++) {
#define K1(name, formula)                                                                          \
    case EXPR_##name: {                                                                            \
        const double x = R(p[1]);                                                                  \
        R(p[0]) = formula;                                                                         \
        p += 2;                                                                                    \
        break;                                                                                     \
    }
#define K2(name, formula)                                                                          \
    case EXPR_##name: {                                                                            \
        const double x = R(p[1]), y = R(p[2]);                                                     \
        R(p[0]) = formula;                                                                         \
        p += 3;                                                                                    \
        break;                                                                                     \
    }
            KERNEL_LIST(K1, K2)
#undef K1
#undef K2
        case EXPR_IF:
            R(p[0]) = R(p[1]) != 0.0 ? R(p[2]) : R(p[3]);
            p += 4;
            break;
        case EXPR_CALL:
            p = do_call(m, p);
            break;
        case TAPE_ELSE:
            p += R(p[0]) != 0.0 ? 2 : 2 + p[1];
            break;
        case TAPE_SKIP:
            p += 1 + p[0];
            break;
        case TAPE_MOVE:
            R(p[0]) = R(p[1]);
            p += 2;
            break;
        default:
            assert(p[-1] == TAPE_END);
            return;
        }
    }
}

static const uint32_t *do_units(machine *m, const uint32_t *p, uint32_t count)
{
    for (; count > 0; count--) {
        do_unit(m, p + 1);
        p += 1 + p[0];
    }
    return p;
}

static const uint32_t *do_calls(machine *m, const uint32_t *p, uint32_t count)
{
    for (; count > 0; count--)
        p = do_call(m, p);
    return p;
}

/* ---- runs --------------------------------------------------------------------------- */

/* Even runs do so little for each number that counting them costs as much. */
#if defined(__GNUC__) && !defined(__clang__) /* clang unrolls by itself */
#define UNROLLED _Pragma("GCC unroll 8")
#else
#define UNROLLED
#endif

/* d[i] = x op y for i < n, where x or y (by mode) advance with d; nothing overlaps. */
#define EVEN(name, formula)                                                                        \
    TAPE_INLINED void even_##name(double *restrict d, const double *restrict a,                    \
                                  const double *restrict b, const size_t n, const uint32_t mode)   \
    {                                                                                              \
        if (mode == TAPE_FIRST + TAPE_SECOND) {                                                    \
            UNROLLED                                                                               \
            for (size_t i = 0; i < n; i++) {                                                       \
                const double x = a[i], y = b[i];                                                   \
                (void)y;                                                                           \
                d[i] = formula;                                                                    \
            }                                                                                      \
        } else if (mode == TAPE_FIRST) {                                                           \
            UNROLLED                                                                               \
            for (size_t i = 0; i < n; i++) {                                                       \
                const double x = a[i], y = b[0];                                                   \
                (void)y;                                                                           \
                d[i] = formula;                                                                    \
            }                                                                                      \
        } else {                                                                                   \
            UNROLLED                                                                               \
            for (size_t i = 0; i < n; i++) {                                                       \
                const double x = a[0], y = b[i];                                                   \
                (void)y;                                                                           \
                d[i] = formula;                                                                    \
            }                                                                                      \
        }                                                                                          \
    }
EVEN(ADD, x + y)
EVEN(SUB, x - y)
EVEN(MUL, x *y)
EVEN(DIV, x / y)
EVEN(NEG, -x)
#undef EVEN

TAPE_INLINED const uint32_t *do_even(double *r, const uint32_t *p)
{
    const uint32_t mode = p[0] / TAPE_EVEN;
    const size_t n = p[1];
    double *d = r + p[2];
    const double *a = r + p[3], *b = r + p[4];
    switch (p[0] % TAPE_EVEN) {
    case EXPR_ADD:
        even_ADD(d, a, b, n, mode);
        break;
    case EXPR_SUB:
        even_SUB(d, a, b, n, mode);
        break;
    case EXPR_MUL:
        even_MUL(d, a, b, n, mode);
        break;
    case EXPR_DIV:
        even_DIV(d, a, b, n, mode);
        break;
    default:
        even_NEG(d, a, b, n, mode);
    }
    return p + 5;
}

/* Roots first .. n - 1. */
TAPE_INLINED void copy_roots(const tape *t, const double *restrict r, double *restrict out,
                             size_t first, size_t n)
{
    const uint32_t *const root = t->root, *const target = t->target;
    if (target) {
        UNROLLED
        for (size_t i = first; i < n; i++)
            out[target[i]] = r[root[i]];
        return;
    }
    UNROLLED
    for (size_t i = first; i < n; i++)
        out[i] = r[root[i]];
}

static const uint32_t *do_one(machine *m, const uint32_t *p)
{
    if (p[0] == TAPE_UNITS)
        return do_units(m, p + 2, p[1]);
    if (p[0] == TAPE_CALLS)
        return do_calls(m, p + 2, p[1]);
    return tape_is_even(p[0]) ? do_even(m->r, p) : tape_do_run(m->r, p, 1);
}

static void run(machine *m, const uint32_t *p)
{
    const uint32_t *const end = m->t->code + m->t->n_code;
    while (p < end && m->answer == 0)
        p = do_one(m, p);
}

/* ---- runs that threads share ---------------------------------------------------------- */

typedef struct shared_tape {
    machine *m;
    crew *crew;
    const uint32_t *p; /* the run that is shared next, or the end */
    double *out;
} shared_tape;

static bool is_shared(const uint32_t *p)
{
    return p[0] >= TAPE_EVEN && p[1] >= TAPE_SHARED_MIN;
}

/* The items of n that belong to a member, in whole cache lines. */
static size_t share_of(const shared_tape *s, size_t n, int32_t member)
{
    return member == crew_size(s->crew) ? n
                                        : n * (size_t)member / (size_t)crew_size(s->crew) / 8 * 8;
}

/* The share of a member in a run, as a run of its own.  Returns what follows the whole run. */
static const uint32_t *do_share(const shared_tape *s, const uint32_t *p, int32_t member)
{
    const uint32_t from = (uint32_t)share_of(s, p[1], member);
    const uint32_t n = (uint32_t)share_of(s, p[1], member + 1) - from;
    const uint32_t mode = p[0] / TAPE_EVEN;
    const uint32_t a = mode & TAPE_FIRST ? from : 0, b = mode & TAPE_SECOND ? from : 0;
    if (tape_is_even(p[0])) {
        const uint32_t part[] = {p[0], n, p[2] + from, p[3] + a, p[4] + b};
        do_even(s->m->r, part);
        return p + 5;
    }
    const uint32_t op = p[0] % TAPE_EVEN, sources = tape_sources(op);
    tape_do_items(s->m->r, (tape_items){op, n, p[2] + from}, p + 3 + from * sources, 1);
    return p + 3 + p[1] * sources;
}

/* The first member does alone what is not shared; then all do their parts. */
static void run_shared(void *user, int32_t member)
{
    shared_tape *s = user;
    const uint32_t *const end = s->m->t->code + s->m->t->n_code;
    for (;;) {
        if (member == 0) {
            while (s->p < end && s->m->answer == 0 && !is_shared(s->p))
                s->p = do_one(s->m, s->p);
            s->p = s->m->answer == 0 ? s->p : end;
        }
        crew_meet(s->crew);
        const uint32_t *p = s->p;
        if (p == end)
            break;
        p = do_share(s, p, member);
        crew_meet(s->crew);
        if (member == 0)
            s->p = p;
    }
    const tape *t = s->m->t;
    size_t first = share_of(s, t->size.n_roots, member);
    copy_roots(t, s->m->r, s->out, first, share_of(s, t->size.n_roots, member + 1));
}

int tape_run(const tape *t, double *work, double *out, uint32_t level, const tape_calls *calls)
{
    assert(level < TAPE_LEVELS);
    enum {
        WORTH_SHARING = 100000
    }; /* operations: waking threads costs as much as some thousands */
    machine m = {t, work, calls, work + t->n_slots, 0};
    const uint32_t *first = t->code + t->level_start[level];
    if (calls && calls->crew && crew_size(calls->crew) > 1 && t->n_shared >= WORTH_SHARING) {
        shared_tape s = {&m, calls->crew, first, out};
        crew_run(calls->crew, run_shared, &s);
        return m.answer;
    }
    run(&m, first);
    copy_roots(t, work, out, 0, t->size.n_roots);
    return m.answer;
}
