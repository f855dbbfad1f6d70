/* reduce/analysis.c - see analysis.h. */
#include "reduce/analysis.h"

#include "base/status.h"

static void count_differentials(analysis *a)
{
    const daedal_pattern *p = &a->incidence.pattern.view;
    for (int32_t j = 0; j < p->n_cols; j++) {
        int32_t highest = 0;
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            highest = a->incidence.order[q] > highest ? a->incidence.order[q] : highest;
        a->differential += highest > 0;
    }
}

static daedal_status find_order(analysis *a, const signature_matrix *m,
                                const daedal_allocator *allocator)
{
    pattern essential = {0};
    bool fine = signature_essential(&essential, m, &a->offsets, allocator) &&
                components_create(&a->order, &essential.view, &a->offsets.transversal, allocator);
    pattern_free(&essential);
    return fine ? DAEDAL_OK : DAEDAL_ERR_MEMORY;
}

daedal_status analysis_create(analysis *a, const equations *e, const daedal_allocator *allocator)
{
    *a = (analysis){0};
    if (!incidence_create(&a->incidence, e, allocator))
        return DAEDAL_ERR_MEMORY;
    if (e->n == 0 && e->n_unknowns == 0)
        return DAEDAL_OK;
    signature_matrix m = {&a->incidence.pattern.view, a->incidence.order};
    TRY(signature_create(&a->offsets, &m, allocator));
    a->index = a->offsets.index;
    for (int32_t i = 0; i < a->offsets.n; i++)
        a->differentiated += a->offsets.c[i] > 0;
    count_differentials(a);
    return find_order(a, &m, allocator);
}

void analysis_free(analysis *a)
{
    components_free(&a->order);
    signature_free(&a->offsets);
    incidence_free(&a->incidence);
}
