/* integ/constrained_method.c - see constrained_method.h. */
#include "integ/constrained_method.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "integ/inner_method.h"
#include "linalg/linsolver.h"
#include "linalg/pivot_columns.h"

/* Another variable becomes a dummy when its pivot is this many times larger
 * (docs/theory/index-reduction.md). */
static const double HYSTERESIS = 2.0;

typedef struct constrained {
    integ_context given; /* by the run: of the system without multipliers             */
    int32_t n, m;        /* variables, constraints                                    */
    inner_method inner;  /* on the system with multipliers                            */

    /* F without multipliers, whose calls are counted apart */
    daedal_stats plain_stats;
    evaluator plain;
    iteration_matrix parts; /* dF/dy and dF/dy'; never factored                       */
    double *slopes;         /* dg/dy in the order of the constraint pattern           */
    double t_evaluated;     /* time of parts, slopes and B; NAN: not evaluated yet    */

    /* B, by variables: entries (constraint, variable) */
    pattern movable;
    int32_t *movable_at; /* by its entries: number in the constraint pattern           */
    double *b, *gathered;
    pivot_columns choice; /* constraint_method = dummy                                            */
    int32_t *dummy_class; /* by variable: lower classes are dummies first            */
    bool depends;         /* constraints depended on one another when last looked at */
    double *weight, *scale; /* by variable; by constraint                              */

    /* the system with multipliers */
    const char **variable_name, **equation_name;
    char (*name)[32];
    int32_t *plain_at, *slope_at, *product_at; /* where entries of the blocks stand in it  */
    double *rtol, *atol;
    projection none;

    double *y, *yp; /* n + m: where a step begins, what an interpolant says          */
    double *v;      /* y' - B mu */
    double *shown;  /* the same at the end of the last step                          */
    block mem;
} constrained;

/* ---- the equations with multipliers ---- */

static void subtract_multipliers(const constrained *h, const double *yp, const double *mu,
                                 double *v)
{
    const daedal_pattern *p = &h->movable.view;
    memcpy(v, yp, (size_t)h->n * sizeof *v);
    for (int32_t j = 0; j < h->n; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            v[j] -= h->b[q] * mu[p->row[q]];
}

static int residual(double t, const double *y, const double *yp, double *r, void *user)
{
    constrained *h = user;
    const daedal_system *sys = h->given.ev->sys;
    subtract_multipliers(h, yp, y + h->n, h->v);
    int answer = evaluator_residual(&h->plain, t, y, h->v, r);
    bool named = h->plain.trouble.not_finite >= 0; /* whoever looks at r will find it */
    if (answer == DAEDAL_CALL_OK || (answer == DAEDAL_CALL_RETRY && named))
        answer = sys->constraints(t, y, r + h->n, sys->user);
    return answer;
}

/* ---- B ---- */

static void weigh(constrained *h, const double *y)
{
    weights_inverse(h->given.tolerances, y, h->weight);
    for (int32_t j = 0; j < h->n; j++)
        h->weight[j] = 1.0 / h->weight[j];
}

/* The largest entry of a column is one: mu is in units of y'.  Variables without weight are
 * not pushed.                                                                    */
static void push_along_normals(constrained *h)
{
    const daedal_pattern *p = &h->movable.view;
    memset(h->scale, 0, (size_t)h->m * sizeof *h->scale);
    for (int32_t j = 0; j < h->n; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++) {
            double *most = &h->scale[p->row[q]];
            h->b[q] = h->weight[j] * h->weight[j] * h->slopes[h->movable_at[q]];
            *most = fmax(*most, fabs(h->b[q]));
        }
    for (int32_t q = 0; q < pattern_nnz(p); q++)
        h->b[q] = h->b[q] != 0.0 ? h->b[q] / h->scale[p->row[q]] : 0.0;
}

/* The slopes by the chosen variables are a regular matrix: multipliers that push these alone
 * leave the other equations y' = ... as they are.                                 */
static int choose_dummies(constrained *h)
{
    pivot_wishes wishes = {h->weight, h->dummy_class, HYSTERESIS};
    bool changed = false;
    int64_t grown = h->choice.grown;
    for (int32_t q = 0; q < pattern_nnz(&h->movable.view); q++)
        h->gathered[q] = h->slopes[h->movable_at[q]];
    daedal_status status = pivot_columns_choose(&h->choice, h->gathered, &wishes, &changed);
    h->given.stats->solver_reallocations += h->choice.grown - grown;
    h->depends = status == DAEDAL_ERR_SINGULAR;
    if (status != DAEDAL_OK)
        return status == DAEDAL_ERR_SINGULAR ? DAEDAL_CALL_RETRY : DAEDAL_CALL_FAIL;
    for (int32_t j = 0; j < h->n; j++)
        if (h->choice.owner[j] < 0)
            h->weight[j] = 0.0;
    return DAEDAL_CALL_OK;
}

/* ---- the Jacobian ---- */

/* Evaluate dF/dy, dF/dy', dg/dy and B at a point.  Residuals use the new B from then on. */
static int renew(constrained *h, double t, const double *y, const double *yp)
{
    const daedal_system *sys = h->given.ev->sys;
    size_t nnz = (size_t)pattern_nnz(sys->constraint_pattern);
    h->t_evaluated = NAN;
    weigh(h, y);
    for (int32_t j = 0; j < h->n; j++)
        h->gathered[j] = 1.0 / h->weight[j];
    subtract_multipliers(h, yp, y + h->n, h->v);
    double size = h->inner.method->view(h->inner.integrator).h_next;
    matrix_point at = {t, size, y, h->v, NULL, h->gathered};
    int64_t before = h->plain_stats.jacobian_residuals;
    int answer = matrix_evaluate(&h->parts, &at);
    h->given.stats->jacobian_residuals += h->plain_stats.jacobian_residuals - before;
    h->given.stats->residuals += h->plain_stats.jacobian_residuals - before;
    if (answer != DAEDAL_CALL_OK)
        return answer;
    memset(h->slopes, 0, nnz * sizeof *h->slopes);
    answer = sys->constraint_jacobian(t, y, h->slopes, sys->user);
    if (answer != DAEDAL_CALL_OK)
        return answer;
    if (h->given.constraint_method == CONSTRAINTS_DUMMY)
        answer = choose_dummies(h);
    if (answer != DAEDAL_CALL_OK)
        return answer;
    push_along_normals(h);
    h->t_evaluated = t;
    return DAEDAL_CALL_OK;
}

/* Add -dF/dy' B to the entries of the multipliers. */
static void add_products(const constrained *h, double *values)
{
    const daedal_pattern *p = &h->movable.view, *dyp = &h->parts.part[1].view;
    const int32_t *at = h->product_at;
    for (int32_t j = 0; j < h->n; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            for (int32_t s = dyp->start[j]; s < dyp->start[j + 1]; s++)
                values[*at++] -= h->b[q] * h->parts.dyp[h->parts.part_at[1][s]];
}

/* Called twice at each point, first with c = 0 (see daedal_jacobian_fn): that call evaluates the
 * parts and B, which the second one uses again.                                          */
static int jacobian(double t, const double *y, const double *yp, double c, double *values,
                    void *user)
{
    constrained *h = user;
    int answer = c == 0.0 ? renew(h, t, y, yp) : DAEDAL_CALL_OK;
    if (answer != DAEDAL_CALL_OK)
        return answer;
    assert(t == h->t_evaluated);
    for (int32_t q = 0; q < pattern_nnz(&h->parts.pattern.view); q++)
        values[h->plain_at[q]] += h->parts.dy[q] + c * h->parts.dyp[q];
    for (int32_t q = 0; q < pattern_nnz(h->given.ev->sys->constraint_pattern); q++)
        values[h->slope_at[q]] += h->slopes[q];
    add_products(h, values);
    return DAEDAL_CALL_OK;
}

/* ---- set-up: patterns ---- */

static bool may_move(const daedal_system *sys, int32_t constraint, int32_t j)
{
    return !sys->variable_level.n || !sys->constraint_level.n ||
           sys->variable_level.at[j] == sys->constraint_level.at[constraint];
}

static bool list_movable(constrained *h)
{
    const daedal_system *sys = h->given.ev->sys;
    const daedal_pattern *p = sys->constraint_pattern;
    int32_t count = 0;
    if (!pattern_create(&h->movable, h->m, h->n, pattern_nnz(p), h->given.allocator))
        return false;
    for (int32_t j = 0; j < h->n; j++) {
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            if (may_move(sys, p->row[q], j))
                h->movable.row[count++] = p->row[q];
        h->movable.start[j + 1] = count;
    }
    return true;
}

/* How many entries dF/dy' B has at most, counted with repetitions. */
static size_t count_products(const constrained *h)
{
    const daedal_pattern *p = &h->movable.view, *dyp = &h->given.matrix->part[1].view;
    size_t n = 0;
    for (int32_t j = 0; j < h->n; j++)
        n += (size_t)(p->start[j + 1] - p->start[j]) * (size_t)(dyp->start[j + 1] - dyp->start[j]);
    return n;
}

/* Rows of dF/dy' B, column by column; `mark` has n entries, -1 at first. */
static int32_t list_products(const constrained *h, pattern *to, const daedal_pattern *by_constraint,
                             int32_t *mark)
{
    const daedal_pattern *dyp = &h->given.matrix->part[1].view;
    int32_t count = 0;
    for (int32_t i = 0; i < h->m; i++) {
        for (int32_t q = by_constraint->start[i]; q < by_constraint->start[i + 1]; q++) {
            int32_t j = by_constraint->row[q];
            for (int32_t s = dyp->start[j]; s < dyp->start[j + 1]; s++) {
                if (mark[dyp->row[s]] != i)
                    to->row[count++] = dyp->row[s];
                mark[dyp->row[s]] = i;
            }
        }
        to->start[i + 1] = count;
    }
    return count;
}

static bool make_products(constrained *h, pattern *to)
{
    const daedal_allocator *a = h->given.allocator;
    pattern by_constraint = {0}, sorted = {0};
    int32_t *mark = memory_take_array(a, (size_t)h->n, sizeof *mark);
    bool fine = mark && count_products(h) < INT32_MAX &&
                pattern_transpose(&by_constraint, &h->movable.view, a) &&
                pattern_create(to, h->n, h->m, (int32_t)count_products(h), a);
    for (int32_t j = 0; j < h->n && fine; j++)
        mark[j] = -1;
    if (fine)
        list_products(h, to, &by_constraint.view, mark);
    /* transposing twice sorts the rows of each column */
    fine = fine && pattern_transpose(&sorted, &to->view, a);
    pattern_free(to);
    fine = fine && pattern_transpose(to, &sorted.view, a);
    pattern_free(&sorted);
    pattern_free(&by_constraint);
    memory_give(a, mark, (size_t)h->n * sizeof *mark);
    return fine;
}

/* [ dF/dy + c dF/dy'   -dF/dy' B ]
 * [ dg/dy               0        ] */
static bool join_patterns(constrained *h, const daedal_pattern *products)
{
    const daedal_pattern *f = &h->given.matrix->pattern.view;
    const daedal_pattern *g = h->given.ev->sys->constraint_pattern;
    int64_t nnz = (int64_t)pattern_nnz(f) + pattern_nnz(g) + pattern_nnz(products);
    int32_t all = h->n + h->m, count = 0;
    if (nnz > INT32_MAX ||
        !pattern_create(&h->inner.pattern, all, all, (int32_t)nnz, h->given.allocator))
        return false;
    for (int32_t j = 0; j < h->n; j++) {
        for (int32_t q = f->start[j]; q < f->start[j + 1]; q++)
            h->inner.pattern.row[count++] = f->row[q];
        for (int32_t q = g->start[j]; q < g->start[j + 1]; q++)
            h->inner.pattern.row[count++] = h->n + g->row[q];
        h->inner.pattern.start[j + 1] = count;
    }
    for (int32_t i = 0; i < h->m; i++) {
        for (int32_t q = products->start[i]; q < products->start[i + 1]; q++)
            h->inner.pattern.row[count++] = products->row[q];
        h->inner.pattern.start[h->n + i + 1] = count;
    }
    return true;
}

static void locate_blocks(constrained *h)
{
    const daedal_pattern *f = &h->given.matrix->pattern.view, *all = &h->inner.pattern.view;
    const daedal_pattern *g = h->given.ev->sys->constraint_pattern;
    const daedal_pattern *p = &h->movable.view, *dyp = &h->given.matrix->part[1].view;
    int32_t *at = h->product_at;
    for (int32_t j = 0; j < h->n; j++) {
        for (int32_t q = f->start[j]; q < f->start[j + 1]; q++)
            h->plain_at[q] = pattern_find(all, f->row[q], j);
        for (int32_t q = g->start[j]; q < g->start[j + 1]; q++)
            h->slope_at[q] = pattern_find(all, h->n + g->row[q], j);
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            for (int32_t s = dyp->start[j]; s < dyp->start[j + 1]; s++)
                *at++ = pattern_find(all, dyp->row[s], h->n + p->row[q]);
    }
}

static bool make_patterns(constrained *h)
{
    pattern products = {0};
    bool fine = list_movable(h) && make_products(h, &products) && join_patterns(h, &products.view);
    pattern_free(&products);
    return fine;
}

/* ---- set-up: the rest ---- */

static void lay_out(void *object, layout *l)
{
    constrained *h = object;
    const iteration_matrix *given = h->given.matrix;
    size_t n = (size_t)h->n, m = (size_t)h->m, all = n + m;
    size_t slopes = (size_t)pattern_nnz(h->given.ev->sys->constraint_pattern);
    size_t movable = (size_t)pattern_nnz(&h->movable.view);
    h->slopes = layout_take(l, slopes, sizeof(double));
    h->slope_at = layout_take(l, slopes, sizeof(int32_t));
    h->movable_at = layout_take(l, movable, sizeof(int32_t));
    h->b = layout_take(l, movable, sizeof(double));
    h->gathered = layout_take(l, movable > n ? movable : n, sizeof(double));
    h->plain_at = layout_take(l, (size_t)pattern_nnz(&given->pattern.view), sizeof(int32_t));
    h->product_at = layout_take(l, count_products(h), sizeof(int32_t));
    h->dummy_class = layout_take(l, n, sizeof(int32_t));
    h->weight = layout_take(l, n, sizeof(double));
    h->scale = layout_take(l, m, sizeof(double));
    h->v = layout_take(l, n, sizeof(double));
    h->shown = layout_take(l, n, sizeof(double));
    h->variable_name = layout_take(l, all, sizeof *h->variable_name);
    h->equation_name = layout_take(l, all, sizeof *h->equation_name);
    h->name = layout_take(l, m, sizeof *h->name);
    inner_method_lay_out(&h->inner, l, all);
    double **vectors[] = {&h->rtol, &h->atol, &h->y, &h->yp};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        *vectors[i] = layout_take(l, all, sizeof(double));
}

static void number_movable(constrained *h)
{
    const daedal_system *sys = h->given.ev->sys;
    const daedal_pattern *p = sys->constraint_pattern;
    int32_t count = 0;
    for (int32_t j = 0; j < h->n; j++) {
        h->dummy_class[j] = sys->state_select.n ? sys->state_select.at[j] : 0;
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            if (may_move(sys, p->row[q], j))
                h->movable_at[count++] = q;
    }
}

static void name_everything(constrained *h)
{
    const daedal_system *sys = h->given.ev->sys;
    for (int32_t j = 0; j < h->n; j++) {
        h->variable_name[j] = sys->variable_names ? sys->variable_names[j] : NULL;
        h->equation_name[j] = sys->equation_names ? sys->equation_names[j] : NULL;
    }
    for (int32_t i = 0; i < h->m; i++) {
        snprintf(h->name[i], sizeof h->name[i], "constraint %d", (int)i);
        h->variable_name[h->n + i] = h->equation_name[h->n + i] = h->name[i];
    }
}

static void describe(constrained *h)
{
    number_movable(h);
    locate_blocks(h);
    name_everything(h);
    h->inner.sys = (daedal_system){.n = h->n + h->m,
                                   .residual = residual,
                                   .jacobian = jacobian,
                                   .pattern = &h->inner.pattern.view,
                                   .variable_names = h->variable_name,
                                   .equation_names = h->equation_name,
                                   .user = h};
    h->inner.tolerances.n = h->n + h->m;
    h->inner.tolerances.rtol = h->rtol;
    h->inner.tolerances.atol = h->atol;
    for (int32_t j = 0; j < h->n; j++) {
        h->rtol[j] = h->given.tolerances->rtol[j];
        h->atol[j] = h->given.tolerances->atol[j];
        h->inner.is_differential[j] = h->given.is_differential[j];
        h->inner.variable_index[j] = h->given.variable_index[j];
    }
    for (int32_t j = h->n; j < h->n + h->m; j++) {
        h->atol[j] = HUGE_VAL;
        h->inner.variable_index[j] = 2;
    }
}

static daedal_status make_matrices(constrained *h)
{
    const daedal_allocator *a = h->given.allocator;
    const iteration_matrix *given = h->given.matrix;
    if (!evaluator_create(&h->plain, h->given.ev->sys, &h->plain_stats, a))
        return DAEDAL_ERR_MEMORY;
    evaluator_join(&h->plain, h->given.ev);
    matrix_setup plain = {
        .ev = &h->plain, .dy = &given->part[0].view, .dyp = &given->part[1].view, .allocator = a};
    TRY(matrix_create(&h->parts, &plain));
    bool fine = h->given.constraint_method != CONSTRAINTS_DUMMY ||
                pivot_columns_create(&h->choice, &h->movable.view, a);
    return fine ? DAEDAL_OK : DAEDAL_ERR_MEMORY;
}

static daedal_status make_integrator(constrained *h)
{
    const daedal_options *opt = h->given.options;
    const daedal_linsolver *solver =
        opt->linsolver ? opt->linsolver
                       : linsolver_choose(opt->linear_solver, &h->inner.pattern.view);
    integ_context context = h->given;
    context.constraints = &h->none;
    return inner_method_create(&h->inner, &context, solver, h->given.stats);
}

static void destroy(void *self)
{
    constrained *h = self;
    const daedal_allocator *a = h->given.allocator;
    inner_method_free(&h->inner);
    pivot_columns_free(&h->choice);
    matrix_free(&h->parts);
    evaluator_free(&h->plain);
    pattern_free(&h->movable);
    block_free(&h->mem);
    memory_give(a, h, sizeof *h);
}

static daedal_status create(void **self, const integ_context *context)
{
    constrained *h = memory_take(context->allocator, sizeof *h);
    if (!h)
        return DAEDAL_ERR_MEMORY;
    *h = (constrained){.given = *context,
                       .n = context->ev->n,
                       .m = context->ev->sys->n_constraints,
                       .t_evaluated = NAN};
    bool fine = make_patterns(h) && block_create(&h->mem, context->allocator, lay_out, h);
    daedal_status status = fine ? DAEDAL_OK : DAEDAL_ERR_MEMORY;
    if (fine) {
        describe(h);
        status = make_matrices(h);
    }
    if (status == DAEDAL_OK)
        status = make_integrator(h);
    if (status == DAEDAL_OK)
        *self = h;
    else
        destroy(h);
    return status;
}

/* ---- the method ---- */

static void copy(void *self, const void *from)
{
    constrained *h = self;
    const constrained *other = from;
    block_copy(&h->mem, &other->mem);
    name_everything(h);
    h->t_evaluated = other->t_evaluated;
    matrix_copy(&h->parts, &other->parts);
    if (h->choice.allocator)
        pivot_columns_copy(&h->choice, &other->choice);
    inner_method_copy(&h->inner, &other->inner);
}

static void begin(void *self, const integ_begin *from)
{
    constrained *h = self;
    const weights *theirs = h->given.tolerances;
    size_t n = (size_t)h->n, m = (size_t)h->m;
    memcpy(h->inner.tolerances.factor, theirs->factor, n * sizeof(double));
    memcpy(h->inner.tolerances.noise, theirs->noise, n * sizeof(double));
    h->inner.tolerances.calibrated = theirs->calibrated;
    h->inner.tolerances.allows_noise = theirs->allows_noise;
    for (size_t i = n; i < n + m; i++)
        h->inner.tolerances.factor[i] = 1.0;
    memcpy(h->y, from->y, n * sizeof(double));
    memcpy(h->yp, from->yp, n * sizeof(double));
    memcpy(h->shown, from->yp, n * sizeof(double));
    memset(h->y + n, 0, m * sizeof(double));
    memset(h->yp + n, 0, m * sizeof(double));
    evaluator_forget(&h->plain);
    if (from->h_before == 0.0)
        matrix_forget(&h->inner.matrix);
    integ_begin extended = *from;
    extended.y = h->y;
    extended.yp = h->yp;
    extended.keeps_matrices = false;
    h->inner.method->begin(h->inner.integrator, &extended);
}

/* If the constraints depend on one another, that is the reason to report. */
static daedal_status explain(constrained *h, daedal_status status)
{
    if (h->given.why->equation >= h->n)
        h->given.why->equation = -1;
    if (!h->depends)
        return status;
    return fail(h->given.why, DAEDAL_ERR_SINGULAR,
                "the constraints depend on one another near t = %.10g: they do not determine as "
                "many variables as there are constraints",
                h->inner.method->view(h->inner.integrator).t);
}

static daedal_status step(void *self, double t_limit)
{
    constrained *h = self;
    daedal_status status = h->inner.method->step(h->inner.integrator, t_limit);
    if (status < 0)
        return explain(h, status);
    integ_view now = h->inner.method->view(h->inner.integrator);
    subtract_multipliers(h, now.yp, now.y + h->n, h->shown);
    return status;
}

static void interpolate(void *self, double t, double *y, double *yp)
{
    constrained *h = self;
    h->inner.method->interpolate(h->inner.integrator, t, h->y, h->yp);
    if (y)
        memcpy(y, h->y, (size_t)h->n * sizeof *y);
    if (yp)
        subtract_multipliers(h, h->yp, h->y + h->n, yp);
}

static integ_view view(const void *self)
{
    const constrained *h = self;
    integ_view v = h->inner.method->view(h->inner.integrator);
    v.yp = h->shown;
    v.worst = v.worst < h->n ? v.worst : 0;
    return v;
}

static double interpolation_error(void *self, double t, bool of_algebraic)
{
    constrained *h = self;
    return h->inner.method->interpolation_error
               ? h->inner.method->interpolation_error(h->inner.integrator, t, of_algebraic)
               : 0.0;
}

static daedal_status step_inside(void *self, double t, double *y, double *yp, bool *done)
{
    constrained *h = self;
    *done = false;
    if (!h->inner.method->step_inside)
        return DAEDAL_OK;
    RETURN_UNLESS_OK(h->inner.method->step_inside(h->inner.integrator, t, h->y, h->yp, done));
    memcpy(y, h->y, (size_t)h->n * sizeof *y);
    subtract_multipliers(h, h->yp, h->y + h->n, yp);
    return DAEDAL_OK;
}

static daedal_status shorten_step(void *self, double t, bool *done)
{
    constrained *h = self;
    *done = false;
    if (!h->inner.method->shorten_step)
        return DAEDAL_OK;
    RETURN_UNLESS_OK(h->inner.method->shorten_step(h->inner.integrator, t, done));
    integ_view now = h->inner.method->view(h->inner.integrator);
    subtract_multipliers(h, now.yp, now.y + h->n, h->shown);
    return DAEDAL_OK;
}

const method method_constrained = {.name = "constrained",
                                   .create = create,
                                   .destroy = destroy,
                                   .copy = copy,
                                   .begin = begin,
                                   .step = step,
                                   .interpolate = interpolate,
                                   .view = view,
                                   .interpolation_error = interpolation_error,
                                   .step_inside = step_inside,
                                   .shorten_step = shorten_step};
