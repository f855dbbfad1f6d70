/* adjoint/functional.c - see functional.h. */
#include "adjoint/functional.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "linalg/vector.h"

static void lay_out(void *object, layout *l)
{
    functional *f = object;
    f->moved = layout_take(l, (size_t)f->n, sizeof(double));
    f->by_p = layout_take(l, (size_t)f->n_parameters, sizeof(double));
}

bool functional_create(functional *f, const daedal_allocator *a)
{
    return block_create(&f->mem, a, lay_out, f);
}

void functional_free(functional *f)
{
    block_free(&f->mem);
}

static int judge(int answer, const double *values, int32_t n)
{
    if (answer == DAEDAL_CALL_OK && !vector_all_finite(values, n))
        return DAEDAL_CALL_RETRY;
    return answer;
}

int functional_value(const functional *f, const functional_term *term, double t, const double *y,
                     double *value)
{
    *value = 0.0;
    return term->value ? judge(term->value(t, y, value, f->user), value, 1) : DAEDAL_CALL_OK;
}

/* Where a term is differenced. */
typedef struct difference_point {
    const functional *f;
    const functional_term *term;
    double t;
    const double *y;
} difference_point;

/* The slope along *x, which is one of y or a parameter. */
static int difference(const difference_point *at, double *x, double step, double *slope)
{
    double kept = *x, plus, minus = 0.0;
    *x = kept + step;
    int answer = functional_value(at->f, at->term, at->t, at->y, &plus);
    if (answer == DAEDAL_CALL_OK) {
        *x = kept - step;
        answer = functional_value(at->f, at->term, at->t, at->y, &minus);
    }
    *x = kept;
    *slope = (plus - minus) / (2.0 * step);
    return answer;
}

static int differences_by_y(const functional *f, const functional_term *term, double t,
                            const double *y, double *by_y)
{
    int answer = DAEDAL_CALL_OK;
    difference_point at = {f, term, t, f->moved};
    memcpy(f->moved, y, (size_t)f->n * sizeof *y);
    for (int32_t j = 0; j < f->n && answer == DAEDAL_CALL_OK; j++) {
        double step = cbrt(DBL_EPSILON) * fmax(fabs(y[j]), f->size[j]);
        answer = difference(&at, &f->moved[j], step, &by_y[j]);
    }
    return answer;
}

int functional_by_y(const functional *f, const functional_term *term, double t, const double *y,
                    double *by_y)
{
    memset(by_y, 0, (size_t)f->n * sizeof *by_y);
    if (!term->value)
        return DAEDAL_CALL_OK;
    if (!term->gradient)
        return differences_by_y(f, term, t, y, by_y);
    if (term->takes_null)
        return judge(term->gradient(t, y, by_y, NULL, f->user), by_y, f->n);
    memset(f->by_p, 0, (size_t)f->n_parameters * sizeof *f->by_p);
    return judge(term->gradient(t, y, by_y, f->by_p, f->user), by_y, f->n);
}

int functional_by_p(const functional *f, const functional_term *term, double t, const double *y,
                    double *by_p)
{
    int answer = DAEDAL_CALL_OK;
    difference_point at = {f, term, t, y};
    memset(by_p, 0, (size_t)f->n_parameters * sizeof *by_p);
    if (!term->value || term->lacks_parameters)
        return answer;
    if (term->takes_null)
        return judge(term->gradient(t, y, NULL, by_p, f->user), by_p, f->n_parameters);
    if (term->gradient) {
        memset(f->moved, 0, (size_t)f->n * sizeof *f->moved);
        return judge(term->gradient(t, y, f->moved, by_p, f->user), by_p, f->n_parameters);
    }
    for (int32_t i = 0; i < f->n_parameters && answer == DAEDAL_CALL_OK; i++)
        if (f->places && f->places[i])
            answer = difference(&at, f->places[i], cbrt(DBL_EPSILON) * f->scale[i], &by_p[i]);
    return answer;
}
