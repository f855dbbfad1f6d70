/* consistent/start_correction.c - see start_correction.h.
 *
 * Three ways, in this order:
 *   square   exactly one of y_j, y'_j may move for every j: one sparse factorization of
 *            the matrix with those columns.  Problems 1 and 2 of [BHP98] are such.
 *   hidden   some y' move, but the square way fails because dF/dy' hides algebraic relations
 *            in combinations of its columns, as in [BCP96] (5.3.5): see hidden_algebraic.c.  Where
 * n is too large for that, corrections e to y with c e to y', c so large that dF/dy' e is next to
 * nothing.  Either way the differential combinations keep their values. general  any other mask:
 * minimum change of what may move, by a rank-revealing least squares solution (LAPACK dgelsy),
 * dense.                          */
#include "consistent/start_correction.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "consistent/hidden_algebraic.h"
#include "consistent/start_iteration.h"
#include "index/frozen_index.h"
#include "linalg/least_squares.h"
#include "linalg/vector.h"

/* ---- square ---- */

/* Whether there is one unknown for each j; if so, which one. */
static bool is_square(const start_problem *p, start_workspace *c)
{
    for (int32_t j = 0; j < c->n; j++) {
        bool y_moves = p->y_mask[j] != DAEDAL_FIXED, yp_moves = p->yp_mask[j] != DAEDAL_FIXED;
        if (y_moves == yp_moves)
            return false;
        c->share_y[j] = y_moves ? 1.0 : 0.0;
        c->share_yp[j] = yp_moves ? 1.0 : 0.0;
    }
    return true;
}

/* Say why the factorization failed, or is worth nothing.  The latter is asked once: a
 * solution may be a double root, where Newton gets close to a singular matrix.  */
static daedal_status explain_factor(const start_problem *p, daedal_status status)
{
    bool look = !p->work->looked;
    p->work->looked = true;
    if (status == DAEDAL_OK && look && matrix_is_nearly_singular(p->matrix))
        status = DAEDAL_ERR_SINGULAR;
    if (status == DAEDAL_OK)
        return status;
    if (status != DAEDAL_ERR_SINGULAR)
        return fail(p->why, status, "the linear solver failed at the start: %s",
                    daedal_status_text(status));
    const daedal_system *sys = p->matrix->ev->sys;
    int32_t column = matrix_blame(p->matrix);
    char name[96];
    fail(p->why, DAEDAL_ERR_SINGULAR,
         "the equations at t = %.10g do not determine the free values of the start%s%s", p->t,
         column >= 0 ? "; undetermined near " : "",
         column >= 0 ? evaluator_variable_name(sys, column, name, sizeof name) : "");
    blame(p->why, p->t, -1, column);
    hint(p->why, "the index may exceed one, an equation may repeat another, or too much is held");
    return DAEDAL_ERR_SINGULAR;
}

static daedal_status prepare_square(void *self, const start_problem *p)
{
    const start_workspace *c = self;
    return explain_factor(p, matrix_factor_mixed(p->matrix, c->share_y, c->share_yp));
}

static void correct_square(void *self, const start_problem *p, double *r, double *dy, double *dyp)
{
    const start_workspace *c = self;
    matrix_solve(p->matrix, r);
    for (int32_t j = 0; j < c->n; j++) {
        dy[j] = -c->share_y[j] * r[j];
        dyp[j] = -c->share_yp[j] * r[j];
    }
}

/* ---- natural ---- */

/* c such that c dF/dy' dominates dF/dy, but not so much that the roundoff of a differenced
 * dF/dy' does.                                                                  */
static double dominating_c(const iteration_matrix *m)
{
    const double dominance = 1e4; /* between 1 and the six digits of a differenced dF/dy' */
    int32_t nnz = pattern_nnz(&m->pattern.view);
    double dy = vector_max_abs(m->dy, nnz), dyp = vector_max_abs(m->dyp, nnz);
    return dy > 0.0 && dyp > 0.0 ? dominance * dy / dyp : 1.0;
}

static daedal_status prepare_natural(void *self, const start_problem *p)
{
    double *c = self;
    *c = dominating_c(p->matrix);
    return explain_factor(p, matrix_factor(p->matrix, *c));
}

static void correct_natural(void *self, const start_problem *p, double *r, double *dy, double *dyp)
{
    const double *c = self;
    matrix_solve(p->matrix, r);
    for (int32_t j = 0; j < p->matrix->ev->n; j++) {
        dy[j] = -r[j];
        dyp[j] = -*c * r[j];
    }
}

/* ---- general ---- */

typedef struct general {
    int32_t n, m;   /* equations, entries that may move                       */
    int32_t *entry; /* m: j for y_j, n + j for y'_j                           */
    double *scale;  /* m: column scaling; small where a guess should stay     */
    double *matrix, *a, *b;
    least_squares ls;
    block mem;
} general;

static void lay_out_general(void *object, layout *l)
{
    general *g = object;
    size_t n = (size_t)g->n, m = (size_t)g->m, longer = n > m ? n : m;
    g->entry = layout_take(l, m, sizeof(int32_t));
    g->scale = layout_take(l, m, sizeof(double));
    g->matrix = layout_take(l, n * m, sizeof(double));
    g->a = layout_take(l, n * m, sizeof(double));
    g->b = layout_take(l, longer, sizeof(double));
}

static void list_entries(general *g, const start_problem *p)
{
    const double guess_moves = 1e-3; /* a guess moves a thousandth as readily as a free value */
    int32_t m = 0;
    double heaviest = 0.0; /* free values move alike, however small they are now */
    for (int32_t j = 0; j < g->n; j++)
        heaviest = fmax(heaviest, 1.0 / p->inverse_weight[j]);
    for (int32_t e = 0; e < 2 * g->n; e++) {
        int32_t j = e % g->n;
        int32_t mask = e < g->n ? p->y_mask[j] : p->yp_mask[j];
        if (mask == DAEDAL_FIXED)
            continue;
        double weight = mask == DAEDAL_GUESS ? guess_moves / p->inverse_weight[j] : heaviest;
        g->entry[m] = e;
        g->scale[m++] = e < g->n ? weight : weight / p->time_scale;
    }
}

static daedal_status prepare_general(void *self, const start_problem *p)
{
    general *g = self;
    const iteration_matrix *im = p->matrix;
    const daedal_pattern *pat = &im->pattern.view;
    memset(g->matrix, 0, (size_t)g->n * (size_t)g->m * sizeof(double));
    for (int32_t c = 0; c < g->m; c++) {
        int32_t j = g->entry[c] % g->n;
        const double *part = g->entry[c] < g->n ? im->dy : im->dyp;
        for (int32_t q = pat->start[j]; q < pat->start[j + 1]; q++)
            g->matrix[(size_t)c * (size_t)g->n + (size_t)pat->row[q]] = part[q] * g->scale[c];
    }
    return DAEDAL_OK;
}

static void correct_general(void *self, const start_problem *p, double *r, double *dy, double *dyp)
{
    general *g = self;
    (void)p;
    memcpy(g->a, g->matrix, (size_t)g->n * (size_t)g->m * sizeof(double));
    for (int32_t i = 0; i < g->n; i++)
        g->b[i] = -r[i];
    least_squares_solve(&g->ls, g->a, g->b);
    memset(dy, 0, (size_t)g->n * sizeof(double));
    memset(dyp, 0, (size_t)g->n * sizeof(double));
    for (int32_t c = 0; c < g->m; c++) {
        int32_t j = g->entry[c] % g->n;
        (g->entry[c] < g->n ? dy : dyp)[j] = g->scale[c] * g->b[c];
    }
}

static const double CONTRADICTION = 1e-3; /* of the size of a row: the values held contradict it */
static const double NOISES = 100.0;       /* and so many times its roundoff                     */

/* Least squares always finds a correction; whether F vanishes there is checked. */
static daedal_status check_residual(const start_problem *p, general *g)
{
    evaluator *ev = p->matrix->ev;
    int answer = evaluator_residual(ev, p->t, p->y, p->yp, g->b);
    if (answer != DAEDAL_CALL_OK)
        return answer == DAEDAL_CALL_STOP ? DAEDAL_STOPPED : evaluator_explain(ev, p->why);
    double *noise = p->work->r;
    matrix_term_noise(p->matrix, p->y, p->yp, noise);
    for (int32_t i = 0; i < g->n; i++) {
        double scale = 0.0; /* size of row i: what F_i would be if all terms counted */
        for (int32_t c = 0; c < g->m; c++)
            scale += fabs(g->matrix[(size_t)c * (size_t)g->n + (size_t)i]);
        if (fabs(g->b[i]) > CONTRADICTION * scale && fabs(g->b[i]) > NOISES * fabs(noise[i]) &&
            fabs(g->b[i]) > DBL_MIN) {
            char name[96];
            fail(p->why, DAEDAL_ERR_START,
                 "the values held at t = %.10g contradict %s, whose residual stays at %.3g", p->t,
                 evaluator_equation_name(ev->sys, i, name, sizeof name), g->b[i]);
            blame(p->why, p->t, i, -1);
            hint(p->why, "free one of the values held");
            return DAEDAL_ERR_START;
        }
    }
    return DAEDAL_OK;
}

static daedal_status start_general(const start_problem *p)
{
    enum { LARGEST = 2000 };
    int32_t n = p->matrix->ev->n;
    general g = {.n = n};
    for (int32_t j = 0; j < n; j++)
        g.m += (p->y_mask[j] != DAEDAL_FIXED) + (p->yp_mask[j] != DAEDAL_FIXED);
    if (g.m == 0)
        return fail(p->why, DAEDAL_ERR_ARGUMENT, "the masks hold every value: nothing can move");
    if (n > LARGEST)
        return fail(p->why, DAEDAL_ERR_ARGUMENT,
                    "masks that do not free exactly one of y[j] and y'[j] for each j are supported "
                    "for n <= %d",
                    (int)LARGEST);
    if (!block_create(&g.mem, p->allocator, lay_out_general, &g) ||
        !least_squares_create(&g.ls, n, g.m, p->allocator)) {
        block_free(&g.mem);
        return fail(p->why, DAEDAL_ERR_MEMORY, "out of memory at the start");
    }
    list_entries(&g, p);
    start_way way = {prepare_general, correct_general, &g};
    daedal_status status = start_iterate(p, &way);
    if (status == DAEDAL_OK)
        status = check_residual(p, &g);
    least_squares_free(&g.ls);
    block_free(&g.mem);
    return status;
}

/* Whether some y' may move; only then can dF/dy' hide a relation among them. */
static bool slopes_move(const start_workspace *c)
{
    for (int32_t j = 0; j < c->n; j++)
        if (c->share_yp[j] != 0.0)
            return true;
    return false;
}

/* Pass 1 finds y, with differential combinations moved by y'/c and a y' that contains c
 * times the jump of the algebraic ones.  Pass 2 begins there with y' = 0 and finds the
 * true y', and what it moves the combinations by.  Pass 3 begins with that taken back.  */
static daedal_status start_natural(const start_problem *p, double *y_first)
{
    double large = 0.0;
    start_way natural = {prepare_natural, correct_natural, &large};
    int32_t n = p->matrix->ev->n;
    RETURN_UNLESS_OK(start_iterate(p, &natural));
    memcpy(y_first, p->y, (size_t)n * sizeof(double));
    memset(p->yp, 0, (size_t)n * sizeof(double));
    RETURN_UNLESS_OK(start_iterate(p, &natural));
    for (int32_t j = 0; j < n; j++)
        p->y[j] = 2.0 * y_first[j] - p->y[j];
    return start_iterate(p, &natural);
}

/* The workspace of the dense way, made when it is needed first; NULL: out of memory. */
static hidden_algebraic *hidden_algebraic_of(start_workspace *w)
{
    if (w->hidden)
        return w->hidden;
    hidden_algebraic *h = memory_take(w->allocator, sizeof *h);
    if (h && hidden_algebraic_create(h, w->n, w->allocator))
        return w->hidden = h;
    if (h)
        hidden_algebraic_free(h);
    memory_give(w->allocator, h, sizeof *h);
    return NULL;
}

static daedal_status start_hidden(const start_problem *p)
{
    hidden_algebraic *h = hidden_algebraic_of(p->work);
    if (!h)
        return fail(p->why, DAEDAL_ERR_MEMORY, "out of memory at the start");
    start_way way = hidden_algebraic_way(h);
    return start_iterate(p, &way);
}

bool start_shows_index_one(start_workspace *w, const iteration_matrix *m)
{
    enum { LARGEST = 200 };
    hidden_algebraic *h = w->n <= LARGEST ? hidden_algebraic_of(w) : NULL;
    return h && hidden_algebraic_is_all(h, m);
}

static frozen_pencil pencil_of(const iteration_matrix *m)
{
    const double differenced = 1e-7, given = 1e-12;
    double noise = matrix_slopes_are_differenced(m) ? differenced : given;
    return (frozen_pencil){&m->pattern.view, m->dy, m->dyp, noise, {NULL, NULL}};
}

start_index start_judge_index(const iteration_matrix *m, const start_variables *of,
                              const daedal_allocator *a)
{
    frozen_pencil here = pencil_of(m);
    frozen_answer found;
    here.size[0] = of->y_size;
    here.size[1] = of->yp_size;
    if (frozen_index(&here, of->is_differential, &found, a) != DAEDAL_OK)
        return START_INDEX_OPEN;
    return found.index > 1 ? START_INDEX_HIGH
                           : (found.is_explicit ? START_INDEX_LOW : START_INDEX_OPEN);
}

bool start_shows_structure(const iteration_matrix *m, int32_t index, const int32_t *c,
                           const int32_t *d, const daedal_allocator *a)
{
    frozen_pencil here = pencil_of(m);
    known_structure known = {index, c, d};
    bool same = false;
    return frozen_index_is(&here, &known, &same, a) == DAEDAL_OK && same;
}

/* The fixed value that had to move furthest: an entry as in `general`, and where to. */
typedef struct fixed_wish {
    int32_t entry;
    double by, to; /* by: in units of what tolerances see */
} fixed_wish;

static void keep_entry(fixed_wish *wish, int32_t entry, double *value, double given, double most)
{
    double by = fabs(*value - given) / most;
    if (by > wish->by)
        *wish = (fixed_wish){entry, by, *value};
    *value = given;
}

/* Put back what is FIXED; false if it moved by more than tolerances see. */
static bool keep_fixed(const start_problem *p, fixed_wish *wish)
{
    const start_workspace *c = p->work;
    for (int32_t j = 0; j < c->n; j++) {
        double most = CONTRADICTION / p->inverse_weight[j];
        if (p->y_mask[j] == DAEDAL_FIXED)
            keep_entry(wish, j, &p->y[j], c->y_given[j], most);
        if (p->yp_mask[j] == DAEDAL_FIXED)
            keep_entry(wish, c->n + j, &p->yp[j], c->yp_given[j], most / p->time_scale);
    }
    return wish->by <= 1.0;
}

static daedal_status explain_fixed(const start_problem *p, const fixed_wish *wish)
{
    const start_workspace *c = p->work;
    int32_t j = wish->entry % c->n;
    bool is_slope = wish->entry >= c->n;
    char name[96];
    fail(p->why, DAEDAL_ERR_START,
         "the values that are fixed at the start, t = %.10g, contradict the equations: %s%s = %.6g "
         "would have to be %.6g",
         p->t, evaluator_variable_name(p->matrix->ev->sys, j, name, sizeof name),
         is_slope ? "'" : "", is_slope ? c->yp_given[j] : c->y_given[j], wish->to);
    blame(p->why, p->t, -1, j);
    hint(p->why, "fix fewer values, or others");
    return DAEDAL_ERR_START;
}

static daedal_status start_square(const start_problem *p, start_workspace *c)
{
    start_way square = {prepare_square, correct_square, c};
    daedal_status status = start_iterate(p, &square);
    bool hopeless = failure_is(status, STEP_FAILURE | START_FAILURE);
    const start_variables unknown = {0};
    if (!hopeless || !slopes_move(c) ||
        start_judge_index(p->matrix, &unknown, p->allocator) == START_INDEX_HIGH)
        return status;
    daedal_diagnosis first = *p->why;
    fixed_wish wish = {0};
    diagnosis_clear(p->why);
    size_t bytes = (size_t)c->n * sizeof(double);
    memcpy(c->y_given, p->y, bytes);
    memcpy(c->yp_given, p->yp, bytes);
    daedal_status second =
        c->n <= HIDDEN_ALGEBRAIC_LARGEST ? start_hidden(p) : start_natural(p, c->y_first);
    bool moved_fixed = second == DAEDAL_OK && p->masks_given && !keep_fixed(p, &wish);
    c->looked = false; /* nothing is known of the matrix where this one succeeds */
    if (second == DAEDAL_OK && !moved_fixed)
        return second;
    memcpy(p->y, c->y_given, bytes);
    memcpy(p->yp, c->yp_given, bytes);
    if (moved_fixed)
        return explain_fixed(p, &wish);
    if (!failure_is(second, STEP_FAILURE | START_FAILURE))
        return second;
    *p->why = first; /* the plain attempt explains better */
    return status;
}

daedal_status start_consistent(const start_problem *p)
{
    p->work->looked = false;
    return is_square(p, p->work) ? start_square(p, p->work) : start_general(p);
}
