/* index/differentiation_index.c - see differentiation_index.h.
 *
 * 1. The patterns give offsets (structural_offsets.c), and with them an index that is right for
 * almost all values of the entries.  No assignment: the system is structurally singular.
 * 2. The system Jacobian is looked at in the point given and in two nearby (jacobian_regularity.c);
 * regular in two of three: the index is at most the structural one [Pry01].
 * 3. It is exactly that if no variable can be taken from the chain: certain where the index is 0,
 *    or 1 with a variable whose derivative does not occur.  Else the frozen pencil is asked: by the
 *    inverse of the system Jacobian (jacobian_regularity.c), and where that shows nothing, by
 *    staircase.c and pole_order.c.  One that agrees settles it.  If all say less, structure that
 *    cancels is possible, and the derivative array decides (sampled_array.c).
 * 4. The Jacobian is singular: relations are hidden in combinations.  An index up to one is still
 *    that of the frozen pencil; above, the derivative array decides.  Both are asked at two points,
 *    and the array is not believed where the frozen pencil contradicts.
 * What none of them settles is left open.  docs/theory/index-of-functions.md has the figures. */
#include "index/differentiation_index.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/status.h"
#include "index/jacobian_regularity.h"
#include "index/jacobian_sample.h"
#include "index/local_pencil.h"
#include "index/sampled_array.h"

enum { LOCAL_LARGEST = 200, GROWTH_LARGEST = 100, SHRINKS = 6 };
static const double NEARBY = 1e-3; /* of the sizes: how far off the other points are */

typedef struct finder {
    const index_question *q;
    const daedal_allocator *allocator;
    int32_t n;
    index_answer *x;
    jacobian_sample s;
    offsets o;
    system_jacobian j;
    pencil_scaling b;
    local_pencil frozen;
    local_answer growth, staircase;
    double t; /* the point the sample stands at                       */
    double *y, *yp;
    int32_t *orders; /* n: of growth                                         */
    uint64_t random;
    block mem;
} finder;

static void lay_out_answer(void *object, layout *l)
{
    index_answer *x = object;
    size_t n = (size_t)x->n;
    int32_t **lists[] = {&x->c, &x->d, &x->variable_index, &x->chain};
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
        *lists[k] = layout_take(l, n, sizeof(int32_t));
    x->row_suspect = layout_take(l, n, sizeof(bool));
    x->column_suspect = layout_take(l, n, sizeof(bool));
}

static void lay_out_finder(void *object, layout *l)
{
    finder *f = object;
    f->y = layout_take(l, (size_t)f->n, sizeof(double));
    f->yp = layout_take(l, (size_t)f->n, sizeof(double));
    f->orders = layout_take(l, (size_t)f->n, sizeof(int32_t));
}

static daedal_status conclude(finder *f, int32_t index, index_grade grade)
{
    f->x->verdict = INDEX_FOUND;
    f->x->index = index;
    f->x->grade = grade;
    return DAEDAL_OK;
}

static daedal_status give_verdict(finder *f, index_verdict verdict)
{
    f->x->verdict = verdict;
    f->x->grade = INDEX_GRADE_D;
    return DAEDAL_OK;
}

/* ---- points ---- */

static daedal_status stand_at_given(finder *f)
{
    size_t bytes = (size_t)f->n * sizeof(double);
    f->t = f->q->t;
    memcpy(f->y, f->q->y, bytes);
    memcpy(f->yp, f->q->yp, bytes);
    return jacobian_sample_at(&f->s, f->t, f->y, f->yp);
}

/* A point nearby where F is defined; DAEDAL_ERR_NOT_FINITE if there is none. */
static daedal_status stand_nearby(finder *f)
{
    const index_question *q = f->q;
    double size = NEARBY;
    daedal_status status = DAEDAL_ERR_NOT_FINITE;
    for (int k = 0; k < SHRINKS && status == DAEDAL_ERR_NOT_FINITE; k++, size /= 4.0) {
        f->t = q->t + size * q->target->t_span * random_uniform(&f->random, 0.2, 1.0);
        for (int32_t j = 0; j < f->n; j++) {
            f->y[j] = q->y[j] + size * q->target->y_scale[j] * random_share(&f->random);
            f->yp[j] = q->yp[j] + size * q->target->yp_scale[j] * random_share(&f->random);
        }
        status = jacobian_sample_at(&f->s, f->t, f->y, f->yp);
    }
    return status;
}

/* Whether the system Jacobian is regular at two of three points.  The sample ends at a point
 * nearby. */
static daedal_status judge_jacobian(finder *f, int32_t *defined)
{
    int32_t regular = 0;
    *defined = 0;
    for (int32_t k = 0; k < 3; k++) {
        regularity seen;
        if (regular == 2 || (k == 2 && regular == 0))
            break;
        daedal_status status = k == 0 ? stand_at_given(f) : stand_nearby(f);
        if (status == DAEDAL_ERR_NOT_FINITE)
            continue;
        RETURN_UNLESS_OK(status);
        ++*defined;
        pencil_entries here = {{f->s.value[0], f->s.value[1]}, {f->s.noise[0], f->s.noise[1]}};
        RETURN_UNLESS_OK(system_jacobian_look(&f->j, &here, &seen));
        regular += seen.regular;
        if (k == 0)
            f->x->is_singular_here = !seen.regular;
        if (seen.column >= 0)
            f->x->variable = seen.column;
    }
    f->x->is_regular = regular >= 2;
    f->x->is_singular_here = f->x->is_singular_here && f->x->is_regular;
    if (f->x->is_regular)
        f->x->variable = -1;
    return DAEDAL_OK;
}

/* ---- the frozen pencil ---- */

/* All entries, where the sample stands. */
static daedal_status sample_all(finder *f)
{
    if (!f->s.is_narrow)
        return DAEDAL_OK;
    jacobian_sample_widen(&f->s);
    return jacobian_sample_at(&f->s, f->t, f->y, f->yp);
}

static daedal_status freeze(finder *f)
{
    if (!pencil_scaling_create(&f->b, &f->s.pattern.view, f->s.value[0], f->s.value[1],
                               f->allocator))
        return DAEDAL_ERR_MEMORY;
    if (f->n <= LOCAL_LARGEST && !local_pencil_create(&f->frozen, &f->s, &f->b, f->allocator))
        return DAEDAL_ERR_MEMORY;
    return DAEDAL_OK;
}

static daedal_status ask_staircase(finder *f)
{
    if (f->n <= LOCAL_LARGEST)
        RETURN_UNLESS_OK(local_pencil_staircase(&f->frozen, &f->staircase, f->allocator));
    f->x->staircase = f->staircase.index;
    return DAEDAL_OK;
}

static daedal_status ask_growth(finder *f)
{
    if (f->n <= GROWTH_LARGEST)
        RETURN_UNLESS_OK(local_pencil_pole_order(&f->frozen, &f->growth, f->orders, f->allocator));
    f->x->growth = f->growth.index;
    return DAEDAL_OK;
}

/* ---- the derivative array ---- */

/* Where y' is wild the time scale is far too short, and slow coefficients look constant: equations
 * count as dependent only if they are on the time of the run as well.            */
static daedal_status ask_array(finder *f, double t, const double *y, const double *yp,
                               array_answer *out)
{
    array_point at = {t, y, yp, f->q->time_scale, f->q->direction};
    RETURN_UNLESS_OK(array_index(out, &f->s, &f->b, &at, f->allocator));
    at.time_scale = f->q->time_ahead;
    if (out->dependent && at.time_scale > f->q->time_scale)
        RETURN_UNLESS_OK(array_index(out, &f->s, &f->b, &at, f->allocator));
    return DAEDAL_OK;
}

/* At the point given and at the one nearby; an answer only if both agree. */
static daedal_status ask_array_twice(finder *f, array_answer *out)
{
    array_answer second;
    RETURN_UNLESS_OK(ask_array(f, f->q->t, f->q->y, f->q->yp, out));
    RETURN_UNLESS_OK(ask_array(f, f->t, f->y, f->yp, &second));
    if (out->index != second.index || out->dependent != second.dependent)
        *out = (array_answer){.index = -1, .freedom = -1};
    f->x->array = out->index;
    return DAEDAL_OK;
}

/* ---- with a regular system Jacobian ---- */

static void take_structure(finder *f)
{
    index_answer *x = f->x;
    size_t bytes = (size_t)f->n * sizeof(int32_t);
    memcpy(x->c, f->o.found.c, bytes);
    memcpy(x->d, f->o.found.d, bytes);
    memcpy(x->variable_index, f->o.variable_index, bytes);
    memcpy(x->chain, f->o.chain, (size_t)f->o.n_chain * sizeof(int32_t));
    x->n_chain = f->o.n_chain;
    x->chain_equation = f->o.chain_equation;
    x->freedom = (int32_t)f->o.found.degrees_of_freedom;
}

/* Orders of the poles instead, if they belong to the index found. */
static void take_orders(finder *f, int32_t index)
{
    bool fits = f->growth.index == index;
    for (int32_t j = 0; j < f->n; j++)
        f->x->variable_index[j] = fits ? f->orders[j] : -1;
    f->x->n_chain = 0;
    f->x->chain_equation = -1;
}

/* Where it cannot be less: dF/dy' regular, or no equation differentiated and some derivative
 * absent.                                                                        */
static bool is_exact(const offsets *o)
{
    for (int32_t i = 0; i < o->n; i++)
        if (o->found.c[i] > 0)
            return false;
    return true;
}

/* Both frozen answers are less than the structural index. */
static daedal_status settle_overestimate(finder *f)
{
    int32_t structural = f->x->structural;
    array_answer array;
    RETURN_UNLESS_OK(ask_array_twice(f, &array));
    if (array.index == structural)
        return conclude(f, structural, INDEX_GRADE_A);
    bool supported = array.index >= 0 && array.index < structural &&
                     (array.index == f->growth.index || array.index == f->staircase.index);
    if (!supported)
        return conclude(f, structural, INDEX_GRADE_C);
    take_orders(f, array.index);
    return conclude(f, array.index, INDEX_GRADE_B);
}

static daedal_status settle_regular(finder *f)
{
    int32_t structural = f->x->structural;
    take_structure(f);
    if (is_exact(&f->o))
        return conclude(f, structural, INDEX_GRADE_A);
    RETURN_UNLESS_OK(system_jacobian_attains(&f->j, &f->x->is_attained));
    if (f->x->is_attained)
        return conclude(f, structural, INDEX_GRADE_A);
    if (f->n > LOCAL_LARGEST)
        return conclude(f, structural, INDEX_GRADE_B);
    daedal_status status = sample_all(f);
    if (status == DAEDAL_ERR_NOT_FINITE)
        return conclude(f, structural, INDEX_GRADE_C);
    RETURN_UNLESS_OK(status);
    RETURN_UNLESS_OK(freeze(f));
    RETURN_UNLESS_OK(ask_staircase(f));
    if (f->staircase.index == structural)
        return conclude(f, structural, INDEX_GRADE_A);
    RETURN_UNLESS_OK(ask_growth(f));
    if (f->growth.index == structural)
        return conclude(f, structural, INDEX_GRADE_A);
    return settle_overestimate(f);
}

/* ---- with a singular one ---- */

static int32_t first_suspect(const bool *suspect, int32_t n)
{
    for (int32_t i = 0; i < n; i++)
        if (suspect[i])
            return i;
    return -1;
}

/* Equations depend on one another; the frozen pencil may show which. */
static daedal_status blame_dependence(finder *f)
{
    bool singular = false;
    index_answer *x = f->x;
    if (f->n <= LOCAL_LARGEST)
        RETURN_UNLESS_OK(local_pencil_singular(&f->frozen, &singular, x->row_suspect,
                                               x->column_suspect, f->allocator));
    x->equation = singular ? first_suspect(x->row_suspect, f->n) : -1;
    x->variable = singular ? first_suspect(x->column_suspect, f->n) : x->variable;
    return give_verdict(f, INDEX_DEPENDENT);
}

/* An index of at most one is that of the frozen pencil, if that is the same around ([BCP96]
 * theorem 2.4.2): asked at the point nearby, and once more at the point given.   */
static daedal_status settle_low(finder *f, bool *done)
{
    int32_t index = f->staircase.index;
    *done = false;
    if (index < 0 || index > 1 || f->growth.index != index)
        return DAEDAL_OK;
    daedal_status status = jacobian_sample_at(&f->s, f->q->t, f->q->y, f->q->yp);
    if (status == DAEDAL_ERR_NOT_FINITE)
        return DAEDAL_OK;
    RETURN_UNLESS_OK(status);
    local_pencil_free(&f->frozen);
    pencil_scaling_free(&f->b);
    RETURN_UNLESS_OK(freeze(f));
    RETURN_UNLESS_OK(ask_staircase(f));
    *done = f->staircase.index == index;
    return DAEDAL_OK;
}

static daedal_status settle_singular(finder *f)
{
    array_answer array;
    bool done;
    daedal_status status = sample_all(f);
    if (status == DAEDAL_ERR_NOT_FINITE)
        return give_verdict(f, INDEX_OPEN);
    RETURN_UNLESS_OK(status);
    RETURN_UNLESS_OK(freeze(f));
    RETURN_UNLESS_OK(ask_staircase(f));
    RETURN_UNLESS_OK(ask_growth(f));
    RETURN_UNLESS_OK(settle_low(f, &done));
    if (done) {
        f->x->freedom = f->staircase.freedom;
        take_orders(f, f->staircase.index);
        return conclude(f, f->staircase.index, INDEX_GRADE_B);
    }
    RETURN_UNLESS_OK(ask_array_twice(f, &array));
    int32_t growth = f->growth.index, staircase = f->staircase.index;
    if (array.dependent)
        return blame_dependence(f);
    if (array.index >= 0) {
        bool alone = growth < 0 && staircase < 0;
        bool supported = array.index == growth || array.index == staircase;
        f->x->freedom = array.freedom;
        take_orders(f, array.index);
        return conclude(f, array.index, alone || supported ? INDEX_GRADE_B : INDEX_GRADE_C);
    }
    if (growth >= 0 && growth == staircase) {
        f->x->freedom = f->staircase.freedom;
        take_orders(f, growth);
        return conclude(f, growth, INDEX_GRADE_C);
    }
    return give_verdict(f, INDEX_OPEN);
}

/* ---- all of it ---- */

/* Whether F gives different values for the same arguments, and in which row. */
static daedal_status look_for_noise(finder *f, bool *noisy)
{
    const index_question *q = f->q;
    double *first = f->y, *second = f->yp; /* not in use yet */
    *noisy = false;
    daedal_status status = probe_call(q->target, q->t, q->y, q->yp, first);
    if (status == DAEDAL_OK)
        status = probe_call(q->target, q->t, q->y, q->yp, second);
    if (status == DAEDAL_ERR_NOT_FINITE)
        return DAEDAL_OK; /* points nearby may do */
    RETURN_UNLESS_OK(status);
    for (int32_t i = 0; i < f->n && !*noisy; i++) {
        *noisy = memcmp(first + i, second + i, sizeof *first) != 0;
        f->x->equation = *noisy ? i : -1;
    }
    return DAEDAL_OK;
}

/* Name an equation too many and a variable too few. */
static void blame_structure(finder *f)
{
    const dulmage *parts = &f->o.found.singular;
    for (int32_t i = 0; i < f->n && f->x->equation < 0; i++)
        if (parts->pairs.col_of[i] == MATCHING_NONE)
            f->x->equation = i;
    for (int32_t j = 0; j < f->n && f->x->variable < 0; j++)
        if (parts->pairs.row_of[j] == MATCHING_NONE)
            f->x->variable = j;
}

static daedal_status find(finder *f)
{
    bool noisy;
    int32_t defined;
    RETURN_UNLESS_OK(look_for_noise(f, &noisy));
    if (noisy)
        return give_verdict(f, INDEX_NOISY);
    if (!jacobian_sample_create(&f->s, f->q->target, f->q->dy, f->q->dyp, f->allocator))
        return DAEDAL_ERR_MEMORY;
    daedal_status status =
        offsets_create(&f->o, &f->s.pattern.view, &f->s.part[1].view, f->allocator);
    if (status == DAEDAL_ERR_STRUCTURE) {
        blame_structure(f);
        return give_verdict(f, INDEX_STRUCTURE);
    }
    RETURN_UNLESS_OK(status);
    f->x->structural = f->o.index;
    RETURN_UNLESS_OK(system_jacobian_create(&f->j, &f->o, f->allocator));
    if (!jacobian_sample_narrow(&f->s, pattern_nnz(&f->o.jacobian.view), f->o.jacobian_at,
                                f->o.sigma))
        return DAEDAL_ERR_MEMORY;
    RETURN_UNLESS_OK(judge_jacobian(f, &defined));
    if (defined == 0)
        return give_verdict(f, INDEX_UNDEFINED);
    return f->x->is_regular ? settle_regular(f) : settle_singular(f);
}

static void finder_free(finder *f)
{
    local_pencil_free(&f->frozen);
    pencil_scaling_free(&f->b);
    system_jacobian_free(&f->j);
    offsets_free(&f->o);
    jacobian_sample_free(&f->s);
    block_free(&f->mem);
}

daedal_status index_find(index_answer *x, const index_question *q, const daedal_allocator *a)
{
    const local_answer unknown = {LOCAL_UNKNOWN, LOCAL_UNKNOWN};
    finder f = {.q = q,
                .allocator = a,
                .n = q->target->n,
                .x = x,
                .growth = unknown,
                .staircase = unknown,
                .random = RANDOM_SEED};
    *x = (index_answer){.n = f.n,
                        .index = -1,
                        .structural = -1,
                        .freedom = -1,
                        .growth = -1,
                        .staircase = -1,
                        .array = -1,
                        .chain_equation = -1,
                        .equation = -1,
                        .variable = -1};
    daedal_status status = DAEDAL_ERR_MEMORY;
    if (block_create(&x->mem, a, lay_out_answer, x) &&
        block_create(&f.mem, a, lay_out_finder, &f)) {
        for (int32_t j = 0; j < f.n; j++)
            x->variable_index[j] = -1;
        status = find(&f);
    }
    finder_free(&f);
    return status;
}

void index_free(index_answer *x)
{
    block_free(&x->mem);
    *x = (index_answer){0};
}

bool index_copy(index_answer *to, const index_answer *from, const daedal_allocator *a)
{
    *to = *from;
    to->mem = (block){0};
    if (from->n == 0)
        return true;
    bool fits = block_create(&to->mem, a, lay_out_answer, to);
    if (fits)
        block_copy(&to->mem, &from->mem);
    else
        *to = (index_answer){0};
    return fits;
}
