/* consistent/impulse.c - see impulse.h.
 *
 * With c_i the number of times equation i is differentiated and d_j the highest derivative of y_j
 * that then occurs, K_ij = dF_i^(c_i) / dy_j^(d_j) is regular, and one level below it is also the
 * derivative of F_i^(c_i - 1) by y_j^(d_j - 1).  There K has rows without an equation (c_i = 0) and
 * columns without a variable (d_j = 0: forces, pressures, currents).  The correction
 *
 *     K z = -r,   r_i = F_i^(c_i - 1), or 0 where c_i = 0;     y_j^(d_j - 1) += z_j where d_j > 0
 *
 * is the jump that an impulse of those forces makes: for M v' = f - G' lambda, G v = 0 it is
 * v - M^-1 G' (G M^-1 G')^-1 G v, the limit of an implicit step for h -> 0.  It depends on no units
 * and is what any solver does that begins with the values as they are, so that a start with few
 * digits leads to the same solution.                                             */
#include "consistent/impulse.h"

#include <math.h>
#include <string.h>

#include "consistent/stage_system.h"
#include "linalg/damped_newton.h"
#include "linalg/vector.h"

enum { PASSES_MAX = 4 };
static const double WORTH_IT = 0.5; /* of the violation that may remain after a pass */

typedef struct impulse {
    difference_array *array;
    double *r;               /* rows: values of the array                      */
    double *unknown, *trial; /* cols                                           */
    bool first;              /* iteration: widths are looked for               */
    int answer;              /* of the functions, if not DAEDAL_CALL_OK        */
    stage_system stages;     /* its matrix is K                                */
    block mem;
} impulse;

static void lay_out(void *object, layout *l)
{
    impulse *p = object;
    p->r = layout_take(l, (size_t)p->array->rows, sizeof(double));
    p->trial = layout_take(l, (size_t)p->array->cols, sizeof(double));
}

/* K at `unknown`; false: it is singular. */
static bool factor(impulse *p, const double *unknown)
{
    p->answer = difference_array_parts(p->array, unknown, false);
    return p->answer == DAEDAL_CALL_OK && stage_system_factor(&p->stages) == DAEDAL_OK;
}

/* unknown + the jump, into trial; false: K is singular. */
static bool jump(impulse *p, const double *unknown)
{
    const difference_array *x = p->array;
    if (!vector_all_finite(p->stages.z, x->n))
        return false;
    memcpy(p->trial, unknown, (size_t)x->cols * sizeof(double));
    for (int32_t j = 0; j < x->n; j++)
        if (x->d[j] > 0)
            p->trial[x->col[j] + x->d[j] - 1] += p->stages.z[j];
    return true;
}

static damped_reply reply_of(impulse *p, int answer)
{
    p->answer = answer;
    return answer == DAEDAL_CALL_OK ? DAMPED_OK : DAMPED_ABORT;
}

static damped_reply find_jump(void *self, double *size)
{
    impulse *p = self;
    int answer = difference_array_values(p->array, p->unknown, p->first, p->r);
    p->first = false;
    if (answer != DAEDAL_CALL_OK)
        return reply_of(p, answer);
    if (!factor(p, p->unknown))
        return p->answer == DAEDAL_CALL_OK ? DAMPED_ENOUGH : DAMPED_ABORT;
    *size = stage_system_solve(&p->stages, p->r, 1);
    return *size == 0.0 || !jump(p, p->unknown) ? DAMPED_ENOUGH : DAMPED_OK;
}

/* Whole jumps only: a part of an impulse has no meaning. */
static damped_reply try_jump(void *self, double share, double *size)
{
    impulse *p = self;
    (void)share;
    int answer = difference_array_values(p->array, p->trial, false, p->r);
    if (answer == DAEDAL_CALL_OK)
        *size = stage_system_solve(&p->stages, p->r, 1);
    return reply_of(p, answer);
}

static void take_jump(void *self, double share)
{
    const impulse *p = self;
    (void)share;
    memcpy(p->unknown, p->trial, (size_t)p->array->cols * sizeof(double));
}

static daedal_status status_of(int answer)
{
    switch (answer) {
    case DAEDAL_CALL_STOP:
        return DAEDAL_STOPPED;
    case DAEDAL_CALL_FAIL:
        return DAEDAL_ERR_CALLBACK;
    default:
        return DAEDAL_OK;
    }
}

daedal_status start_by_impulse(difference_array *array, double *unknown)
{
    const daedal_allocator *allocator = array->p->allocator;
    impulse p = {.array = array, .unknown = unknown, .first = true};
    daedal_status status = DAEDAL_ERR_MEMORY;
    if (block_create(&p.mem, allocator, lay_out, &p) && stage_system_create(&p.stages, array)) {
        damped_newton newton = {.self = &p,
                                .measure = find_jump,
                                .try_share = try_jump,
                                .accept = take_jump,
                                .iterations_max = PASSES_MAX,
                                .halvings_max = 1,
                                .decrease = 1.0 - WORTH_IT};
        p.answer = DAEDAL_CALL_OK;
        damped_newton_solve(&newton);
        status = status_of(p.answer);
    }
    stage_system_free(&p.stages);
    block_free(&p.mem);
    return status;
}
