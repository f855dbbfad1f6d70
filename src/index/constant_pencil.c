/* index/constant_pencil.c - see constant_pencil.h.
 *
 * For a number c that is no root of det(c A + B), M = (c A + B)^-1 A has the same nilpotent part
 * as the pencil: the index is the least k with rank M^k = rank M^(k+1), and that rank is the number
 * of finite modes ([BCP96] section 2.3).  Ranks are exact modulo primes, so no tolerance decides.
 * A polynomial of degree n at most has too few roots to be met by two numbers and two primes. */
#include "index/constant_pencil.h"

#include <string.h>

#include "linalg/modular_rank.h"

typedef struct pencil {
    int32_t n;
    uint32_t p;
    uint32_t *a, *b, *m, *power, *work; /* n x n */
    block mem;
} pencil;

static void lay_out(void *object, layout *l)
{
    pencil *s = object;
    size_t nn = (size_t)s->n * (size_t)s->n;
    uint32_t **all[] = {&s->a, &s->b, &s->m, &s->power, &s->work};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        *all[k] = layout_take(l, nn, sizeof **all[k]);
}

/* m = (c A + B)^-1 A; false: singular. */
static bool make_matrix(pencil *s, uint32_t c)
{
    size_t nn = (size_t)s->n * (size_t)s->n;
    for (size_t k = 0; k < nn; k++)
        s->work[k] = (uint32_t)(((uint64_t)c * s->a[k] + s->b[k]) % s->p);
    memcpy(s->m, s->a, nn * sizeof *s->m);
    return modular_solve(s->work, s->m, s->n, s->p);
}

static pencil_finding find(pencil *s)
{
    static const uint32_t SHIFTS[] = {1234567891u, 987654323u};
    size_t nn = (size_t)s->n * (size_t)s->n;
    pencil_finding f = {.freedom = s->n};
    for (size_t k = 0; k < sizeof SHIFTS / sizeof *SHIFTS && !f.regular; k++)
        f.regular = make_matrix(s, SHIFTS[k]);
    memcpy(s->power, s->m, nn * sizeof *s->m);
    for (f.index = 0; f.regular && f.index <= s->n; f.index++) {
        int32_t rank = modular_rank(s->power, s->n, s->p, s->work);
        if (rank == f.freedom)
            break;
        f.freedom = rank;
        modular_multiply(s->power, s->m, s->work, s->n, s->p);
        memcpy(s->power, s->work, nn * sizeof *s->work);
    }
    return f;
}

static bool are_short(const double *a, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (!modular_is_short(a[k]))
            return false;
    return true;
}

bool constant_pencil_judge(const double *a, const double *b, int32_t n, pencil_finding *found,
                           const daedal_allocator *allocator)
{
    pencil s = {.n = n};
    *found = (pencil_finding){0};
    bool fine = block_create(&s.mem, allocator, lay_out, &s);
    for (int k = 0; k < MODULAR_PRIMES && fine; k++) {
        s.p = modular_primes[k];
        for (size_t q = 0; q < (size_t)n * (size_t)n; q++) {
            s.a[q] = modular_of(a[q], s.p);
            s.b[q] = modular_of(b[q], s.p);
        }
        pencil_finding f = find(&s); /* an unlucky prime lowers ranks: keep the larger ones */
        if (f.regular && (!found->regular || f.freedom > found->freedom ||
                          (f.freedom == found->freedom && f.index > found->index)))
            *found = f;
    }
    found->exact = are_short(a, (size_t)n * (size_t)n) && are_short(b, (size_t)n * (size_t)n);
    block_free(&s.mem);
    return fine;
}
