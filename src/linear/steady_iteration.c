/* linear/steady_iteration.c - see steady_iteration.h.
 *
 * Unknowns are in units of their sizes; each equation is divided by its largest derivative, so that
 * a residual is the relative change of a variable that would remove it.                       */
#include "linear/steady_iteration.h"

#include <math.h>
#include <string.h>

#include "linalg/damped_newton.h"
#include "linalg/full_svd.h"
#include "linalg/least_squares.h"
#include "linalg/scaling.h"

enum { ITERATIONS = 100, HALVINGS = 20 };
static const double RANK = 1e-10;      /* relative, of singular values          */
static const double STILL = 1e-12;     /* the last step, in sizes               */
static const double ROUNDOFF = 1e-14;  /* of scaled residuals                   */
static const double TOLERATED = 1e-9;  /* the same where rounding stops the steps */
static const double TAKES_PART = 0.05; /* entries of vectors, beside the largest */

typedef struct steady {
    const steady_problem *p;
    double *y, *trial, *matrix, *row, *r, *step, *trial_r;
    least_squares ls;
    double last; /* largest change of the last step, in sizes */
    bool is_aborted;
    block mem;
} steady;

static void lay_out(void *object, layout *l)
{
    steady *s = object;
    size_t n = (size_t)s->p->n;
    s->matrix = layout_take(l, n * n + 1, sizeof(double));
    double **vectors[] = {&s->trial, &s->row, &s->r, &s->step, &s->trial_r};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        *vectors[k] = layout_take(l, n + 1, sizeof(double));
}

static bool all_finite(const double *x, size_t n)
{
    bool finite = true;
    for (size_t k = 0; k < n && finite; k++)
        finite = isfinite(x[k]);
    return finite;
}

static damped_reply reply_of(steady *s, steady_reply answer, const double *x, size_t n)
{
    s->is_aborted = s->is_aborted || answer == STEADY_GIVE_UP;
    if (answer == STEADY_GIVE_UP)
        return DAMPED_ABORT;
    return answer == STEADY_VALUE && all_finite(x, n) ? DAMPED_OK : DAMPED_UNDEFINED;
}

/* The scaled Jacobian into s->matrix, the factors into s->row. */
static damped_reply load_matrix(steady *s)
{
    const steady_problem *p = s->p;
    size_t n = (size_t)p->n;
    memset(s->matrix, 0, n * n * sizeof(double));
    damped_reply reply = reply_of(s, p->jacobian(p->self, s->y, s->matrix), s->matrix, n * n);
    if (reply != DAMPED_OK)
        return reply;
    for (size_t i = 0; i < n; i++) {
        double most = 0.0;
        for (size_t j = 0; j < n; j++) {
            s->matrix[j * n + i] *= p->size[j];
            most = fmax(most, fabs(s->matrix[j * n + i]));
        }
        s->row[i] = scaling_factor(most);
    }
    scaling_multiply_rows(s->matrix, p->n, p->n, s->row);
    return DAMPED_OK;
}

static double size_of(const steady *s, const double *r)
{
    double most = 0.0;
    for (int32_t i = 0; i < s->p->n; i++)
        most = fmax(most, fabs(r[i]) * s->row[i]);
    return most;
}

static damped_reply measure(void *self, double *size)
{
    steady *s = self;
    size_t n = (size_t)s->p->n;
    damped_reply reply = reply_of(s, s->p->residual(s->p->self, s->y, s->r), s->r, n);
    if (reply == DAMPED_OK)
        reply = load_matrix(s);
    if (reply == DAMPED_OK)
        *size = size_of(s, s->r);
    s->last = 0.0; /* unless a step follows */
    return reply;
}

/* Where the residual is roundoff and the step is not, the solution is a multiple one; halving goes
 * on as long as it helps.                                                            */
static damped_reply find_step(void *self)
{
    steady *s = self;
    for (int32_t i = 0; i < s->p->n; i++)
        s->step[i] = -s->r[i] * s->row[i];
    s->ls.tolerance = RANK;
    least_squares_solve(&s->ls, s->matrix, s->step);
    s->last = 0.0;
    for (int32_t j = 0; j < s->p->n; j++)
        s->last = fmax(s->last, fabs(s->step[j]));
    return s->last > STILL && isfinite(s->last) ? DAMPED_OK : DAMPED_UNDEFINED;
}

static damped_reply try_share(void *self, double share, double *size)
{
    steady *s = self;
    for (int32_t j = 0; j < s->p->n; j++)
        s->trial[j] = s->y[j] + share * s->step[j] * s->p->size[j];
    damped_reply reply =
        reply_of(s, s->p->residual(s->p->self, s->trial, s->trial_r), s->trial_r, (size_t)s->p->n);
    if (reply == DAMPED_OK)
        *size = size_of(s, s->trial_r);
    return reply;
}

static void accept(void *self, double share)
{
    steady *s = self;
    (void)share;
    memcpy(s->y, s->trial, (size_t)s->p->n * sizeof(double));
}

static int32_t worst_of(const steady *s)
{
    int32_t worst = 0;
    for (int32_t i = 1; i < s->p->n; i++)
        if (fabs(s->r[i]) * s->row[i] > fabs(s->r[worst]) * s->row[worst])
            worst = i;
    return worst;
}

/* ---- what is not determined ---- */

static void mark_open(const full_svd *d, int32_t n, int32_t rank, bool *open)
{
    for (int32_t k = rank; k < n; k++) {
        double most = 0.0;
        for (int32_t j = 0; j < n; j++)
            most = fmax(most, fabs(d->vt[(size_t)j * (size_t)n + (size_t)k]));
        for (int32_t j = 0; j < n; j++)
            open[j] = open[j] || fabs(d->vt[(size_t)j * (size_t)n + (size_t)k]) > TAKES_PART * most;
    }
}

static void find_open(steady *s, steady_result *to, const daedal_allocator *a)
{
    full_svd d;
    int32_t n = s->p->n, rank = 0;
    if (!full_svd_create(&d, n, n, a)) {
        to->outcome = STEADY_MEMORY;
    } else if (load_matrix(s) == DAMPED_OK) {
        memcpy(d.a, s->matrix, (size_t)n * (size_t)n * sizeof(double));
        bool known = full_svd_decompose(&d, n, n);
        while (rank < n && (!known || d.s[rank] > RANK * d.s[0]))
            rank++;
        to->n_open = n - rank;
        mark_open(&d, n, rank, to->open);
    }
    full_svd_free(&d);
}

/* ---- the whole ---- */

static steady_outcome outcome_of(const steady *s, damped_outcome outcome)
{
    if (s->is_aborted)
        return STEADY_ABORTED;
    return outcome == DAMPED_FOUND      ? STEADY_FOUND
           : outcome == DAMPED_NO_VALUE ? STEADY_UNDEFINED
                                        : STEADY_NONE;
}

void steady_solve(const steady_problem *p, double *y, steady_result *to, const daedal_allocator *a)
{
    steady s = {.p = p, .y = y};
    to->outcome = p->n > 0 ? STEADY_MEMORY : STEADY_FOUND;
    to->n_open = to->worst = 0;
    memset(to->open, 0, (size_t)p->n * sizeof *to->open);
    if (p->n > 0 && block_create(&s.mem, a, lay_out, &s) &&
        least_squares_create(&s.ls, p->n, p->n, a)) {
        damped_newton newton = {.self = &s,
                                .measure = measure,
                                .find_step = find_step,
                                .try_share = try_share,
                                .accept = accept,
                                .iterations_max = ITERATIONS,
                                .halvings_max = HALVINGS,
                                .decrease = 1e-4,
                                .negligible = ROUNDOFF,
                                .tolerated = TOLERATED};
        damped_outcome outcome = damped_newton_solve(&newton);
        if (outcome == DAMPED_EXHAUSTED && newton.size <= TOLERATED)
            outcome = DAMPED_FOUND;
        to->outcome = outcome_of(&s, outcome);
        to->uncertainty = s.last;
        to->worst = worst_of(&s);
        if (to->outcome == STEADY_FOUND)
            find_open(&s, to, a);
    }
    least_squares_free(&s.ls);
    block_free(&s.mem);
}
