/* index/staircase.c - the index by differentiating what E does not reach; see local_pencil.h.
 *
 * E = U S V' by singular values.  The rows of U'E below the rank are zero: there U'(E y' + A y)
 * is a relation among y alone, and its derivative has U'A in the place of E.  Replacing those
 * rows is one pass; as many passes as make E regular are the index, and every row replaced
 * takes a degree of freedom (the shuffle algorithm, [BCP96] section 2.3 and theorem 2.3.3).
 * Rows are brought to size one before each pass.                                */
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "index/local_pencil.h"
#include "linalg/svd.h"
#include "linalg/vector.h"

enum { PASSES = 12 };
static const double LEAST = 1e-10, NOISES = 10.0; /* rank tolerance, relative */

typedef struct stairs {
    int32_t n;
    double *e, *a, *turned;
    double tolerance;
    svd s;
    block mem;
} stairs;

static void lay_out(void *object, layout *l)
{
    stairs *st = object;
    size_t square = (size_t)st->n * (size_t)st->n;
    st->e = layout_take(l, square, sizeof(double));
    st->a = layout_take(l, square, sizeof(double));
    st->turned = layout_take(l, square, sizeof(double));
}

/* The largest noise of an entry, relative to its row of [E A]. */
static double relative_noise(const local_pencil *p)
{
    size_t n = (size_t)p->n;
    double worst = 0.0;
    for (size_t i = 0; i < n; i++) {
        double largest = 0.0, noise = 0.0;
        for (size_t k = i; k < n * n; k += n) {
            largest = fmax(largest, fmax(fabs(p->e[k]), fabs(p->a[k])));
            noise = fmax(noise, fmax(p->e_noise[k], p->a_noise[k]));
        }
        worst = largest > 0.0 ? fmax(worst, noise / largest) : worst;
    }
    return worst;
}

/* Rows of [E A] to size one; false if one is zero: the pencil is singular. */
static bool normalise(stairs *st)
{
    size_t n = (size_t)st->n;
    for (size_t i = 0; i < n; i++) {
        double largest = 0.0;
        for (size_t k = i; k < n * n; k += n)
            largest = fmax(largest, fmax(fabs(st->e[k]), fabs(st->a[k])));
        if (largest <= st->tolerance)
            return false;
        for (size_t k = i; k < n * n; k += n) {
            st->e[k] /= largest;
            st->a[k] /= largest;
        }
    }
    return true;
}

/* x = U' x */
static void turn(stairs *st, double *x)
{
    size_t n = (size_t)st->n;
    svd_turn(&st->s, x, st->turned);
    memcpy(x, st->turned, n * n * sizeof(double));
}

/* The rank of E, or -1 if that is not clear. */
static int32_t rank_of(stairs *st)
{
    int32_t n = st->n;
    memcpy(st->s.a, st->e, (size_t)n * (size_t)n * sizeof(double));
    if (!svd_decompose(&st->s))
        return -1;
    return svd_clear_rank(st->s.s, n, st->tolerance);
}

static void differentiate(stairs *st, int32_t rank)
{
    size_t n = (size_t)st->n;
    turn(st, st->e);
    turn(st, st->a);
    for (size_t i = (size_t)rank; i < n; i++)
        for (size_t k = i; k < n * n; k += n) {
            st->e[k] = st->a[k];
            st->a[k] = 0.0;
        }
}

static local_answer climb(stairs *st)
{
    local_answer none = {LOCAL_UNKNOWN, LOCAL_UNKNOWN};
    int32_t freedom = st->n;
    for (int32_t pass = 0; pass <= PASSES; pass++) {
        if (!normalise(st))
            return none;
        int32_t rank = rank_of(st);
        if (rank < 0)
            return none;
        if (rank == st->n)
            return (local_answer){pass, freedom};
        freedom -= st->n - rank;
        if (freedom < 0)
            return none;
        differentiate(st, rank);
    }
    return none;
}

daedal_status local_pencil_staircase(const local_pencil *p, local_answer *out,
                                     const daedal_allocator *a)
{
    stairs st = {.n = p->n, .tolerance = fmax(LEAST, NOISES * relative_noise(p))};
    *out = (local_answer){LOCAL_UNKNOWN, LOCAL_UNKNOWN};
    bool done = block_create(&st.mem, a, lay_out, &st) && svd_create(&st.s, p->n, a);
    if (done) {
        size_t bytes = (size_t)p->n * (size_t)p->n * sizeof(double);
        memcpy(st.e, p->e, bytes);
        memcpy(st.a, p->a, bytes);
        *out = climb(&st);
    }
    svd_free(&st.s);
    block_free(&st.mem);
    return done ? DAEDAL_OK : DAEDAL_ERR_MEMORY;
}
