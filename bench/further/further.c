/* bench/further/further.c - completes the specifications of this folder to problems.
 * Depends on: bench/further/further.h.                                            */
#include "further.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef const further_spec *group_fn(int i);

static group_fn *const groups[] = {
    further_orbits,    further_beams,    further_lines,
    further_chemistry, further_circuits, further_mechanics,
};

enum { N_GROUPS = sizeof groups / sizeof groups[0], PROBLEMS_MAX = 64 };

static problem problems[PROBLEMS_MAX];

static const further_spec *spec_at(int i)
{
    for (int g = 0; i >= 0 && g < N_GROUPS; g++) {
        int size = 0;
        while (groups[g](size))
            size++;
        if (i < size)
            return groups[g](i);
        i -= size;
    }
    return NULL;
}

static int explicit_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    const further_spec *s = user;
    s->rhs(t, y, r);
    for (int32_t i = 0; i < s->n; i++)
        r[i] = yp[i] - r[i];
    return DAEDAL_CALL_OK;
}

/* The index of each variable, or NULL. */
static int32_t *index_of(const further_spec *s)
{
    if (s->n_index[0] == 0)
        return NULL;
    int32_t *index = malloc((size_t)s->n * sizeof *index);
    if (!index)
        abort();
    int32_t at = 0;
    for (int32_t k = 0; k < 3; k++)
        for (int32_t i = 0; i < s->n_index[k]; i++)
            index[at++] = k + 1;
    return index;
}

static int32_t *first_ones(int32_t n)
{
    int32_t *list = malloc((size_t)(n > 0 ? n : 1) * sizeof *list);
    if (!list)
        abort();
    for (int32_t i = 0; i < n; i++)
        list[i] = i;
    return list;
}

/* What the default start makes of y and yp. */
static void make_consistent(const further_spec *s, double *y, double *yp)
{
    const daedal_system system = {.n = s->n, .residual = s->residual, .user = (void *)s};
    daedal_options options;
    daedal_solver *solver = NULL;
    daedal_diagnosis why = {0};
    daedal_options_defaults(&options);
    options.rtol = 1e-12;
    options.atol = 1e-14;
    daedal_status status = daedal_solver_create(&solver, &system, &options, &why);
    if (status >= 0)
        status = daedal_solver_start(solver, 0.0, y, yp);
    if (status >= 0) {
        memcpy(y, daedal_solver_state(solver)->y, (size_t)s->n * sizeof *y);
        memcpy(yp, daedal_solver_state(solver)->yp, (size_t)s->n * sizeof *yp);
    } else {
        fprintf(stderr, "%s: %s\n", s->name,
                solver ? daedal_solver_diagnosis(solver)->message : why.message);
    }
    daedal_solver_free(solver);
}

static void complete(problem *p, const further_spec *s)
{
    double *y = calloc((size_t)s->n, sizeof *y), *yp = calloc((size_t)s->n, sizeof *yp);
    double digits;
    if (!y || !yp)
        abort();
    s->start(y, yp);
    if (s->rhs)
        s->rhs(0.0, y, yp);
    else
        make_consistent(s, y, yp);
    *p = (problem){.name = s->name, .title = s->title, .source = s->source, .n = s->n};
    p->residual = s->rhs ? explicit_residual : s->residual;
    p->form = s->rhs ? FORM_EXPLICIT : FORM_MASS;
    p->user = (void *)s;
    p->t_end = s->t_end;
    p->y0 = y;
    p->yp0 = yp;
    p->rounded_start = !s->rhs;
    p->reference = further_reference(s->name, &digits);
    p->counted = (daedal_ints){first_ones(s->n_counted), s->n_counted};
    p->norm = s->norm;
    p->atol_factor = s->atol_factor;
    p->index = index_of(s);
    p->lower = s->lower;
    p->upper = s->upper;
    p->collections = p->index ? PROBLEM_HIGH_INDEX : 0;
}

const problem *further_at(int i)
{
    const further_spec *s = i < PROBLEMS_MAX ? spec_at(i) : NULL;
    if (!s)
        return NULL;
    if (!problems[i].name)
        complete(&problems[i], s);
    return &problems[i];
}

double further_tightest(int i)
{
    const further_spec *s = spec_at(i);
    return s && s->tightest > 0.0 ? s->tightest : 1e-11;
}
