/* boundary/singular_shot.c - see singular_shot.h. */
#include "boundary/singular_shot.h"

#include <math.h>
#include <stdio.h>

#include "base/status.h"
#include "boundary/conditions.h"
#include "linalg/full_svd.h"

static const double SINGULAR =
    1e-8;                         /* of the largest singular value: sensitivities are not exact */
static const double SHARE = 1e-4; /* of a combination: what it contains                       */

/* The matrix with rows of length one, into d->a by columns; the length of row i into length[i]. */
static void scale_rows(const singular_shot *s, double *a, double *length)
{
    for (int32_t i = 0; i < s->size; i++) {
        length[i] = 0.0;
        for (int32_t j = 0; j < s->size; j++)
            length[i] = fmax(length[i], fabs(s->matrix[j * s->size + i]));
        for (int32_t j = 0; j < s->size; j++)
            a[j * s->size + i] = length[i] > 0.0 ? s->matrix[j * s->size + i] / length[i] : 0.0;
    }
}

/* Names of the conditions in the combination u; false: it contains none. */
static bool list_conditions(const singular_shot *s, const double *u, char *text, size_t size)
{
    double most = 0.0;
    size_t used = 0;
    char name[64];
    for (int32_t i = 0; i < s->size; i++)
        most = fmax(most, fabs(u[i]));
    text[0] = '\0';
    for (int32_t k = 0; k < s->n_conditions && used < size; k++)
        if (fabs(u[k]) > SHARE * most) {
            snprintf(name, sizeof name, "condition %d", (int)k + 1);
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "",
                                     s->names && s->names[k] ? s->names[k] : name);
        }
    return used > 0;
}

static daedal_status tell(const singular_shot *s, const double *u, const double *length)
{
    char text[300];
    double residual = 0.0, terms = 0.0;
    if (!list_conditions(s, u, text, sizeof text))
        return DAEDAL_OK;
    for (int32_t i = 0; i < s->size; i++) {
        double part = length[i] > 0.0 ? u[i] * s->residual[i] / length[i] : u[i] * s->residual[i];
        residual += part;
        terms = fmax(terms, fabs(part));
    }
    bool contradicts = conditions_contradict(residual, terms);
    fail(s->why, DAEDAL_ERR_SINGULAR,
         "boundary conditions depend on each other, or do not depend on the values that are open "
         "at the start: %s %s",
         text,
         contradicts ? "cannot hold, so that there is no solution"
                     : "leave the solution open, so that it is not unique");
    set_cause(s->why, contradicts ? DAEDAL_CAUSE_NO_SOLUTION : DAEDAL_CAUSE_REDUNDANT_EQUATIONS);
    return DAEDAL_ERR_SINGULAR;
}

daedal_status singular_shot_explain(const singular_shot *s)
{
    full_svd d = {0};
    size_t n = (size_t)s->size;
    double *length = memory_take_array(s->allocator, n, sizeof *length);
    daedal_status status = DAEDAL_OK;
    if (s->size <= SINGULAR_SHOT_LARGEST && length &&
        full_svd_create(&d, s->size, s->size, s->allocator)) {
        scale_rows(s, d.a, length);
        if (full_svd_decompose(&d, s->size, s->size) && d.s[n - 1] <= SINGULAR * d.s[0])
            status = tell(s, d.u + (n - 1) * n, length);
    }
    full_svd_free(&d);
    memory_give(s->allocator, length, n * sizeof *length);
    return status;
}

double shot_condition(shot_solve_fn *solve, void *self, const shot_room *room)
{
    double most = 0.0;
    for (int32_t i = 0; i < room->size; i++)
        room->sum[i] = 0.0;
    for (int32_t k = 0; k < room->n_conditions; k++) {
        for (int32_t i = 0; i < room->size; i++)
            room->r[i] = i == k ? 1.0 : 0.0;
        solve(self, room->r);
        for (int32_t i = 0; i < room->size; i++)
            room->sum[i] += fabs(room->r[i]);
    }
    for (int32_t i = 0; i < room->size; i++)
        most = fmax(most, room->sum[i]);
    return most;
}
