/* index/local_pencil.c - see local_pencil.h. */
#include "index/local_pencil.h"

#include <math.h>

#include "linalg/svd.h"

static void lay_out(void *object, layout *l)
{
    local_pencil *p = object;
    size_t square = (size_t)p->n * (size_t)p->n;
    double **matrices[] = {&p->e, &p->a, &p->e_noise, &p->a_noise};
    for (size_t k = 0; k < sizeof matrices / sizeof *matrices; k++)
        *matrices[k] = layout_take(l, square, sizeof(double));
}

bool local_pencil_create(local_pencil *p, const jacobian_sample *s, const pencil_scaling *b,
                         const daedal_allocator *a)
{
    const daedal_pattern *from = &s->pattern.view;
    *p = (local_pencil){.n = s->n};
    if (!block_create(&p->mem, a, lay_out, p))
        return false;
    for (int32_t j = 0; j < p->n; j++)
        for (int32_t q = from->start[j]; q < from->start[j + 1]; q++) {
            size_t at = (size_t)j * (size_t)p->n + (size_t)from->row[q];
            double by = b->row[from->row[q]] * b->column[j];
            p->a[at] = s->value[0][q] * by;
            p->a_noise[at] = s->noise[0][q] * by;
            p->e[at] = s->value[1][q] * by / b->tau;
            p->e_noise[at] = s->noise[1][q] * by / b->tau;
        }
    return true;
}

void local_pencil_free(local_pencil *p)
{
    block_free(&p->mem);
}

/* The last singular vectors, from `rank` on: v_k begins at v + k along. */
typedef struct null_space {
    const double *v;
    size_t along, stride;
    int32_t n, rank;
} null_space;

/* Square of the length of the i-th unit vector's projection on the null space, which does not
 * depend on the basis of it that rounding errors choose. */
static double square_in(const null_space *s, int32_t i)
{
    double sum = 0.0;
    for (int32_t k = s->rank; k < s->n; k++) {
        double part = s->v[(size_t)k * s->along + (size_t)i * s->stride];
        sum += part * part;
    }
    return sum;
}

static void mark_large(const null_space *s, bool *marked)
{
    const double share = 0.05;
    double largest = 0.0;
    for (int32_t i = 0; i < s->n; i++)
        largest = fmax(largest, square_in(s, i));
    for (int32_t i = 0; i < s->n; i++)
        marked[i] = square_in(s, i) > share * share * largest;
}

daedal_status local_pencil_singular(const local_pencil *p, bool *singular, bool *rows,
                                    bool *columns, const daedal_allocator *a)
{
    const double h = 0.7548776662466927, tolerance = 1e-9;
    svd s;
    size_t n = (size_t)p->n;
    *singular = false;
    bool done = svd_create(&s, p->n, a);
    if (done) {
        for (size_t k = 0; k < n * n; k++)
            s.a[k] = p->e[k] + h * p->a[k];
        *singular = svd_decompose(&s) && s.s[n - 1] <= tolerance * s.s[0];
    }
    if (*singular) {
        int32_t rank = p->n - 1;
        while (rank > 0 && s.s[rank - 1] <= tolerance * s.s[0])
            rank--;
        mark_large(&(null_space){s.u, n, 1, p->n, rank}, rows);
        mark_large(&(null_space){s.vt, 1, n, p->n, rank}, columns);
    }
    svd_free(&s);
    return done ? DAEDAL_OK : DAEDAL_ERR_MEMORY;
}
