/* pencil/local.c - see local.h. */
#include "pencil/local.h"

static void lay_out(void *object, layout *l)
{
    local_pencil *p = object;
    size_t square = (size_t)p->n * (size_t)p->n;
    double **matrices[] = {&p->e, &p->a, &p->e_noise, &p->a_noise};
    for (size_t k = 0; k < sizeof matrices / sizeof *matrices; k++)
        *matrices[k] = layout_take(l, square, sizeof(double));
}

bool local_create(local_pencil *p, const sample *s, const balance *b, const daedal_allocator *a)
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

void local_free(local_pencil *p)
{
    block_free(&p->mem);
}
