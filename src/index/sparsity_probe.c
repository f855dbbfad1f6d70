/* index/sparsity_probe.c - see sparsity_probe.h.
 *
 * An entry (i, j) is taken to be present when F_i changes in any bit while y_j (or
 * y'_j) moves.  Where to look: not at the given point, where zeros are common and
 * hide products, but at points jittered by two per cent; there a derivative that
 * exists is zero by accident only.  How far to move: a thousandth of the typical
 * size, not the 1e-8 of a difference quotient, which would hide small effects.
 * For y' further, until the rows answer clearly (choose_growth): F is nearly always
 * linear in y', and on a time scale of 1e13 a thousandth of y' is below roundoff.
 *
 * Few variables are moved one by one.  Of more derivatives it is asked first whether
 * each row has its own alone.  Else the columns are searched by splitting.  They
 * are cut into contiguous groups, sixteen at first; which rows a group touches is
 * known; the groups are split level by level, and the quarters of groups that share
 * no row are moved in the same evaluation.  Contiguous, because neighbours in number
 * are mostly neighbours in the model.  A level costs four
 * evaluations for each colour of the (rows x groups) pattern, so the search costs
 * colours * log2 n: about 100 for a 2-D grid of 10 000 cells.  When a level would
 * cost more than moving the columns one by one, that is done instead.  Afterwards
 * each colour of the pattern is moved at a second point; a row that answers
 * without having a reason there starts a second search, and both are united.
 *
 * Two kinds of row are left out of the search and declared full:
 *   noisy rows, which differ between two calls with the same arguments (in both
 *   patterns, as nothing can be said about them);
 *   dense rows, which touch nearly all groups at a coarse level and then answer to
 *   a quarter of some single columns tried: each would force one evaluation per
 *   group, and a difference Jacobian pays n / 4 evaluations for it in any case.
 *
 * Moving may lead out of the domain of F.  Then other signs and a smaller size are
 * tried, and if none gives numbers, the columns are assumed to touch all rows they
 * could touch.  So the pattern found may be too large, never by omission of a
 * column that could not be tried.  Everything is seeded: same calls, same answer.
 *
 * Memory is O(n + nnz).  Related: Griewank and Mitev, Detecting Jacobian sparsity
 * patterns by Bayesian probing, Math. Program. 93 (2002) 1-25, who also move
 * groups but choose them by probabilities, row by row.
 * Depends on: base/, linalg/.                                                   */
#include "index/sparsity_probe.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/status.h"
#include "linalg/colouring.h"
#include "linalg/vector.h"

#define ONE_BY_ONE 64 /* up to so many columns of dF/dy, no search            */
#define FEW_SLOPES 8  /* the same of dF/dy', whose rows are short             */
#define JITTER_Y 0.02 /* of the typical sizes                                 */
#define JITTER_YP 0.1
#define JITTER_T 2e-5
#define SHRINKS 6  /* of the jitter, by 4 each                             */
#define MOVE 1e-3  /* of the typical size                                  */
#define GROWTH 1e3 /* of the moves in y', at most GROWTHS times            */
#define GROWTHS 8
#define CLEAR 1e6          /* units in the last place: a clear answer              */
#define SUSPECT_GROUPS 32  /* dense rows are looked for from so many groups on     */
#define SUSPECT_SHARE 0.75 /* part of the groups a suspect touches                 */
#define SAMPLES 32         /* single columns tried for suspects                    */
#define SAMPLE_HITS 8      /* answers that make a row dense                        */

typedef struct probe {
    const probe_target *target;
    const daedal_allocator *allocator;
    int32_t n;
    uint64_t random; /* state of the generator                                     */
    double t;        /* the base point: t, y, yp; moved in place and restored      */
    double *y, *yp;
    double *base, *r; /* F at the base point, and at the moved one                  */
    double *moving;   /* y or yp                                                    */
    double *origin;   /* n: moving at the base point                                */
    double *delta;    /* n: the move of each variable                               */
    int32_t *set;     /* n: variables to move together                              */
    uint8_t *noisy;   /* n: rows                                                    */
    uint8_t *full;    /* n: rows without search: noisy or dense                     */
    uint8_t *count;   /* n: small counters for rows                                 */
    double growth;    /* factor of the moves                                        */
    int32_t attempt;  /* the way of moving that worked last                         */
    bool sampled;     /* dense rows have been looked for                            */
    int32_t few;      /* up to so many columns, no search                           */
    block mem;
} probe;

static void probe_lay_out(void *object, layout *l)
{
    probe *p = object;
    size_t n = (size_t)p->n;
    double **vectors[] = {&p->y, &p->yp, &p->base, &p->r, &p->origin, &p->delta};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        *vectors[k] = layout_take(l, n, sizeof(double));
    p->set = layout_take(l, n, sizeof *p->set);
    p->noisy = layout_take(l, n, sizeof *p->noisy);
    p->full = layout_take(l, n, sizeof *p->full);
    p->count = layout_take(l, n, sizeof *p->count);
}

static double uniform(probe *p, double low, double high)
{
    return random_uniform(&p->random, low, high);
}

/* ---- calling F ------------------------------------------------------------ */

daedal_status probe_call(const probe_target *target, double t, const double *y, const double *yp,
                         double *r)
{
    switch (target->residual(t, y, yp, r, target->self)) {
    case DAEDAL_CALL_OK:
        return vector_all_finite(r, target->n) ? DAEDAL_OK : DAEDAL_ERR_NOT_FINITE;
    case DAEDAL_CALL_RETRY:
        return DAEDAL_ERR_NOT_FINITE;
    case DAEDAL_CALL_STOP:
        return DAEDAL_STOPPED;
    default:
        return DAEDAL_ERR_CALLBACK;
    }
}

static daedal_status evaluate(probe *p, double *r)
{
    return probe_call(p->target, p->t, p->y, p->yp, r);
}

static bool differs(const double *a, const double *b)
{
    return memcmp(a, b, sizeof *a) != 0;
}

static bool changed(const probe *p, int32_t row)
{
    return differs(p->r + row, p->base + row);
}

/* Ways to move, tried in turn: with the signs drawn, which sees differences as well
 * as sums; away from zero, for quantities that must stay positive; reversed; and
 * all of it smaller.                                                            */
static const struct {
    bool outward;
    double factor;
} attempts[] = {{false, 1.0},  {false, -1.0},  {true, 1.0},  {true, -1.0},
                {false, 0.01}, {false, -0.01}, {true, 0.01}, {true, -0.01}};
enum { ATTEMPTS = sizeof attempts / sizeof *attempts };

static void move_set(probe *p, int32_t n_set, int32_t attempt)
{
    double factor = attempts[attempt].factor * p->growth;
    for (int32_t k = 0; k < n_set; k++) {
        int32_t j = p->set[k];
        double by = p->delta[j];
        if (attempts[attempt].outward)
            by = copysign(by, p->origin[j]);
        p->moving[j] = p->origin[j] + factor * by;
    }
}

/* F with the set moved, in p->r; *seen is false if no attempt gave numbers. */
static daedal_status evaluate_set(probe *p, int32_t n_set, bool *seen)
{
    daedal_status status = DAEDAL_ERR_NOT_FINITE;
    for (int32_t k = 0; status == DAEDAL_ERR_NOT_FINITE && k < ATTEMPTS; k++) {
        int32_t attempt = (p->attempt + k) % ATTEMPTS;
        move_set(p, n_set, attempt);
        status = evaluate(p, p->r);
        if (status == DAEDAL_OK)
            p->attempt = attempt;
    }
    for (int32_t k = 0; k < n_set; k++)
        p->moving[p->set[k]] = p->origin[p->set[k]];
    *seen = status == DAEDAL_OK;
    return status == DAEDAL_ERR_NOT_FINITE ? DAEDAL_OK : status;
}

/* ---- the base point ------------------------------------------------------- */

/* Jittered by `size` times the usual; outward: away from zero only. */
static void jitter(probe *p, double t, const double *y, const double *yp, double size, bool outward)
{
    const probe_target *f = p->target;
    p->t = t + size * JITTER_T * f->t_span * uniform(p, 0.2, 1.0); /* along the span */
    for (int32_t j = 0; j < p->n; j++) {
        double dy = size * JITTER_Y * f->y_scale[j] * uniform(p, -1.0, 1.0);
        double dyp = size * JITTER_YP * f->yp_scale[j] * uniform(p, -1.0, 1.0);
        p->y[j] = y[j] + (outward ? copysign(dy, y[j]) : dy);
        p->yp[j] = yp[j] + dyp;
    }
}

/* A point near (t, y, yp) where F is finite, F there, and the noisy rows. */
static daedal_status find_base(probe *p, double t, const double *y, const double *yp)
{
    daedal_status status = DAEDAL_ERR_NOT_FINITE;
    double size = 1.0;
    for (int32_t k = 0; status == DAEDAL_ERR_NOT_FINITE && k <= 2 * SHRINKS + 1; k++) {
        jitter(p, t, y, yp, size, k % 2 == 1);
        status = evaluate(p, p->base);
        if (k % 2 == 1)
            size /= 4.0;
    }
    if (status == DAEDAL_ERR_NOT_FINITE) {
        jitter(p, t, y, yp, 0.0, false);
        status = evaluate(p, p->base);
    }
    RETURN_UNLESS_OK(status);
    RETURN_UNLESS_OK(evaluate(p, p->r));
    for (int32_t i = 0; i < p->n; i++)
        p->noisy[i] |= changed(p, i);
    return DAEDAL_OK;
}

/* Turn to y or to y': what moves, and by how much. */
static void aim(probe *p, double *moving, const double *scale)
{
    p->moving = moving;
    p->growth = 1.0;
    p->attempt = 0;
    memcpy(p->origin, moving, (size_t)p->n * sizeof *moving);
    for (int32_t j = 0; j < p->n; j++) {
        double size = fmax(scale[j], fabs(moving[j]));
        double sign = random_next(&p->random) >> 31 ? 1.0 : -1.0;
        p->delta[j] = sign * MOVE * size * uniform(p, 0.7, 1.3);
    }
}

/* Whether a row that is not yet clear changes in this evaluation.  *open counts the rows that are
 * not clear after it.                                                            */
static bool note_answers(probe *p, int32_t *open)
{
    bool any = false;
    *open = 0;
    for (int32_t i = 0; i < p->n; i++) {
        if (p->count[i] || p->noisy[i])
            continue;
        double answer = fabs(p->r[i] - p->base[i]);
        any |= changed(p, i);
        p->count[i] = changed(p, i) && answer >= CLEAR * DBL_EPSILON * fabs(p->base[i]);
        *open += !p->count[i];
    }
    return any;
}

/* Whether some row that has not answered yet does so when all variables move as far as they may;
 * true also where F is not defined there.                                         */
static daedal_status ask_the_silent(probe *p, bool *answer)
{
    bool seen;
    p->growth = pow(GROWTH, GROWTHS);
    RETURN_UNLESS_OK(evaluate_set(p, p->n, &seen));
    *answer = !seen || fabs(attempts[p->attempt].factor) < 1.0;
    for (int32_t i = 0; i < p->n && !*answer; i++)
        *answer = !p->count[i] && !p->noisy[i] && changed(p, i);
    p->attempt = 0;
    return DAEDAL_OK;
}

/* Let the moves grow until every row that answers at all answers clearly, with all
 * variables moved at once.  Rows that depend on none stay silent to the end: that is asked once. */
static daedal_status choose_growth(probe *p)
{
    double growth = 1.0, enough = 1.0;
    int32_t open = p->n;
    for (int32_t j = 0; j < p->n; j++) {
        p->set[j] = j;
        p->count[j] = 0;
    }
    for (int32_t k = 0; open > 0 && k <= GROWTHS; k++, growth *= GROWTH) {
        bool seen;
        p->growth = growth;
        RETURN_UNLESS_OK(evaluate_set(p, p->n, &seen));
        if (!seen || fabs(attempts[p->attempt].factor) < 1.0)
            break; /* out of the domain */
        if (note_answers(p, &open))
            enough = growth;
        bool goes_on = true;
        if (k == 0 && open > 0)
            RETURN_UNLESS_OK(ask_the_silent(p, &goes_on));
        if (!goes_on)
            break;
    }
    p->growth = enough;
    p->attempt = 0;
    return DAEDAL_OK;
}

/* ---- one column at a time ------------------------------------------------- */

/* Rows of columns in turn, in an array that grows. */
typedef struct list {
    int32_t *row;
    size_t count, capacity;
} list;

static bool list_add(list *l, int32_t row, const daedal_allocator *a)
{
    if (l->count == l->capacity) {
        size_t capacity = 2 * l->capacity + 256;
        int32_t *bigger = capacity > INT32_MAX ? NULL : memory_take_array(a, capacity, sizeof row);
        if (!bigger)
            return false;
        if (l->count > 0)
            memcpy(bigger, l->row, l->count * sizeof row);
        memory_give(a, l->row, l->capacity * sizeof row);
        l->row = bigger;
        l->capacity = capacity;
    }
    l->row[l->count++] = row;
    return true;
}

/* Append the rows that the set touches, full rows left out. */
static daedal_status list_rows(probe *p, int32_t n_set, list *l)
{
    bool seen;
    RETURN_UNLESS_OK(evaluate_set(p, n_set, &seen));
    for (int32_t i = 0; i < p->n; i++)
        if (!p->full[i] && (!seen || changed(p, i)) && !list_add(l, i, p->allocator))
            return DAEDAL_ERR_MEMORY;
    return DAEDAL_OK;
}

/* The rows in the list become those of *found, which has their starts; the list ends. */
static daedal_status take_list(const probe *p, daedal_status status, pattern *found, list *l)
{
    pattern out = {0};
    daedal_pattern view = {found->view.n_rows, found->view.n_cols, found->start, l->row};
    if (status == DAEDAL_OK && !pattern_copy(&out, &view, p->allocator))
        status = DAEDAL_ERR_MEMORY;
    pattern_free(found);
    *found = out;
    memory_give(p->allocator, l->row, l->capacity * sizeof *l->row);
    return status;
}

static daedal_status probe_columns(probe *p, pattern *found)
{
    list l = {0};
    int32_t n = p->n;
    if (!pattern_create(found, n, n, 0, p->allocator))
        return DAEDAL_ERR_MEMORY;
    daedal_status status = DAEDAL_OK;
    for (int32_t j = 0; status == DAEDAL_OK && j < n; j++) {
        p->set[0] = j;
        status = list_rows(p, 1, &l);
        found->start[j + 1] = (int32_t)l.count;
    }
    return take_list(p, status, found, &l);
}

/* ---- one derivative in each row ------------------------------------------- */

/* Most often F_i contains y'_i or no derivative.  That is found true or false by few evaluations:
 * each variable is moved in half of them, another half for each, so that for any two there is one
 * in which only the second is moved (Sperner's theorem).  Then a row that answers where its own
 * variable rests has another derivative.                                                        */

/* How many evaluations that takes: the least number of bits with n words of half as many ones. */
static int32_t words_for(int32_t n)
{
    int32_t bits = 1;
    for (double words = 1.0; words < n; bits++) /* the middle binomial coefficient of `bits` */
        words *= bits % 2 ? 2.0 : 2.0 * (bits + 1) / (bits + 2);
    return bits;
}

/* The next larger number with as many ones. */
static uint64_t next_word(uint64_t word)
{
    uint64_t low = word & (~word + 1), carried = word + low;
    return carried | (((word ^ carried) >> 2) / low);
}

/* Move the variables that have this bit in their words.  Rows without it must not answer; of the
 * others p->count remembers those that do.                                        */
static daedal_status move_words(probe *p, const uint64_t *word, int32_t bit, bool *single)
{
    int32_t n_set = 0;
    bool seen;
    for (int32_t j = 0; j < p->n; j++)
        if (word[j] >> bit & 1)
            p->set[n_set++] = j;
    RETURN_UNLESS_OK(evaluate_set(p, n_set, &seen));
    *single = seen;
    for (int32_t i = 0; i < p->n && *single; i++) {
        bool answers = changed(p, i) && !p->full[i], own = word[i] >> bit & 1;
        *single = own || !answers;
        p->count[i] |= answers;
    }
    return DAEDAL_OK;
}

/* The diagonal entries of the rows that answered. */
static bool list_diagonal(const probe *p, pattern *found)
{
    int32_t count = 0;
    if (!pattern_create(found, p->n, p->n, p->n, p->allocator))
        return false;
    for (int32_t j = 0; j < p->n; j++) {
        if (p->count[j])
            found->row[count++] = j;
        found->start[j + 1] = count;
    }
    return true;
}

/* *single: the pattern is found, and diagonal. */
static daedal_status probe_diagonal(probe *p, pattern *found, bool *single)
{
    int32_t bits = words_for(p->n);
    size_t n = (size_t)p->n;
    uint64_t *word = memory_take_array(p->allocator, n, sizeof *word);
    daedal_status status = word ? DAEDAL_OK : DAEDAL_ERR_MEMORY;
    uint64_t next = ((uint64_t)1 << bits / 2) - 1;
    for (int32_t j = 0; word && j < p->n; j++, next = next_word(next))
        word[j] = next;
    memset(p->count, 0, n);
    *single = true;
    for (int32_t bit = 0; bit < bits && status == DAEDAL_OK && *single; bit++)
        status = move_words(p, word, bit, single);
    if (status == DAEDAL_OK && *single && !list_diagonal(p, found))
        status = DAEDAL_ERR_MEMORY;
    memory_give(p->allocator, word, n * sizeof *word);
    return status;
}

/* ---- the search by splitting ----------------------------------------------- */

/* A level: groups of `size` columns each, and the rows that each touches. */
typedef struct level {
    int32_t size;
    pattern rows; /* n_cols is the number of groups */
} level;

static int32_t groups_of(int32_t n, int32_t size)
{
    return n / size + (n % size > 0);
}

/* The first groups, moved one by one: with so many this costs no more than splitting all of them
 * would. */
static daedal_status first_level(probe *p, level *top)
{
    enum { GROUPS = 16 };
    list l = {0};
    top->size = 1;
    while (GROUPS * top->size < p->n)
        top->size *= 2;
    int32_t n_groups = groups_of(p->n, top->size);
    if (!pattern_create(&top->rows, p->n, n_groups, 0, p->allocator))
        return DAEDAL_ERR_MEMORY;
    daedal_status status = DAEDAL_OK;
    for (int32_t g = 0; g < n_groups && status == DAEDAL_OK; g++) {
        int32_t first = g * top->size, end = first + top->size < p->n ? first + top->size : p->n;
        for (int32_t j = first; j < end; j++)
            p->set[j - first] = j;
        status = list_rows(p, end - first, &l);
        top->rows.start[g + 1] = (int32_t)l.count;
    }
    return take_list(p, status, &top->rows, &l);
}

/* Groups are cut into four, the last ones of two columns into two. */
static int32_t parts_of(const level *at)
{
    return at->size >= 4 ? 4 : 2;
}

/* Move one part of each of the groups given; they share no row, so a row that answers belongs to
 * the one group that touches it.  touch has a bit for each part, for each entry of the level's
 * pattern.                                                                      */
static daedal_status move_parts(probe *p, const level *at, daedal_ints groups, int32_t part,
                                uint8_t *touch)
{
    int32_t n_set = 0, size = at->size / parts_of(at);
    for (int32_t k = 0; k < groups.n; k++) {
        int32_t first = groups.at[k] * at->size + part * size;
        for (int32_t j = first; j < first + size && j < p->n; j++)
            p->set[n_set++] = j;
    }
    if (n_set == 0)
        return DAEDAL_OK;
    bool seen;
    RETURN_UNLESS_OK(evaluate_set(p, n_set, &seen));
    const pattern *rows = &at->rows;
    for (int32_t k = 0; k < groups.n; k++)
        for (int32_t q = rows->start[groups.at[k]]; q < rows->start[groups.at[k] + 1]; q++)
            if (!seen || changed(p, rows->row[q]))
                touch[q] |= (uint8_t)(1 << part);
    return DAEDAL_OK;
}

/* The next level from the bits found. */
static daedal_status build_finer(const probe *p, const level *at, const uint8_t *touch,
                                 level *finer)
{
    static const uint8_t ones[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    const pattern *rows = &at->rows;
    int32_t parts = parts_of(at), size = at->size / parts, n_groups = groups_of(p->n, size);
    int64_t nnz = 0;
    for (int32_t q = 0; q < pattern_nnz(&rows->view); q++)
        nnz += ones[touch[q]];
    if (nnz > INT32_MAX ||
        !pattern_create(&finer->rows, p->n, n_groups, (int32_t)nnz, p->allocator))
        return DAEDAL_ERR_MEMORY;
    finer->size = size;
    int32_t count = 0;
    for (int32_t g = 0; g < n_groups; g++) {
        for (int32_t q = rows->start[g / parts]; q < rows->start[g / parts + 1]; q++)
            if (touch[q] >> (g % parts) & 1)
                finer->rows.row[count++] = rows->row[q];
        finer->rows.start[g + 1] = count;
    }
    return DAEDAL_OK;
}

static daedal_status split_groups(probe *p, const level *at, const colouring *c, level *finer)
{
    size_t size = (size_t)pattern_nnz(&at->rows.view);
    uint8_t *touch = memory_take(p->allocator, size);
    daedal_status status = touch ? DAEDAL_OK : DAEDAL_ERR_MEMORY;
    for (int32_t k = 0; status == DAEDAL_OK && k < c->n_colours; k++) {
        daedal_ints groups = {c->column + c->start[k], c->start[k + 1] - c->start[k]};
        for (int32_t part = 0; part < parts_of(at) && status == DAEDAL_OK; part++)
            status = move_parts(p, at, groups, part, touch);
    }
    if (status == DAEDAL_OK)
        status = build_finer(p, at, touch, finer);
    memory_give(p->allocator, touch, size);
    return status;
}

/* ---- dense rows ----------------------------------------------------------- */

/* Rows that touch nearly all groups: 1 in p->count; how many. */
static int32_t find_suspects(probe *p, const pattern *rows)
{
    double limit = SUSPECT_SHARE * rows->view.n_cols;
    int32_t n_suspects = 0;
    int32_t *length = p->set; /* not in use between evaluations */
    memset(length, 0, (size_t)p->n * sizeof *length);
    for (int32_t q = 0; q < pattern_nnz(&rows->view); q++)
        length[rows->row[q]]++;
    for (int32_t i = 0; i < p->n; i++) {
        p->count[i] = length[i] > limit;
        n_suspects += p->count[i];
    }
    return n_suspects;
}

static void drop_full_rows(const probe *p, pattern *rows)
{
    int32_t count = 0, from = 0;
    for (int32_t g = 0; g < rows->view.n_cols; g++) {
        for (; from < rows->start[g + 1]; from++) /* the old start */
            if (!p->full[rows->row[from]])
                rows->row[count++] = rows->row[from];
        rows->start[g + 1] = count;
    }
}

/* Try single columns on the suspects; those that answer often are full. */
static daedal_status sample_suspects(probe *p, pattern *rows)
{
    p->sampled = true;
    if (find_suspects(p, rows) == 0)
        return DAEDAL_OK;
    for (int32_t k = 0; k < SAMPLES; k++) {
        bool seen;
        p->set[0] = (int32_t)(random_next(&p->random) % (uint32_t)p->n);
        RETURN_UNLESS_OK(evaluate_set(p, 1, &seen));
        for (int32_t i = 0; seen && i < p->n; i++)
            p->count[i] = (uint8_t)(p->count[i] + (p->count[i] > 0 && changed(p, i)));
    }
    for (int32_t i = 0; i < p->n; i++)
        p->full[i] |= p->count[i] > SAMPLE_HITS;
    drop_full_rows(p, rows);
    return DAEDAL_OK;
}

/* ---- one pattern ---------------------------------------------------------- */

static int32_t levels_below(int32_t size)
{
    int32_t levels = 0;
    for (; size > 1; size /= 2)
        levels++;
    return levels;
}

/* One level down, or *too_dear if columns one by one come cheaper. */
static daedal_status descend(probe *p, level *at, bool *too_dear)
{
    colouring c;
    if (!p->sampled && at->rows.view.n_cols >= SUSPECT_GROUPS)
        RETURN_UNLESS_OK(sample_suspects(p, &at->rows));
    if (!colouring_create_quickly(&c, &at->rows.view, p->allocator))
        return DAEDAL_ERR_MEMORY;
    daedal_status status = DAEDAL_OK;
    *too_dear = 2 * (int64_t)c.n_colours * levels_below(at->size) > p->n;
    if (!*too_dear) {
        level finer = {0};
        status = split_groups(p, at, &c, &finer);
        if (status == DAEDAL_OK) {
            pattern_free(&at->rows);
            *at = finer;
        }
    }
    colouring_free(&c);
    return status;
}

static daedal_status search(probe *p, pattern *found)
{
    level at;
    bool too_dear = false;
    p->sampled = false;
    daedal_status status = first_level(p, &at);
    while (status == DAEDAL_OK && !too_dear && at.size > 1)
        status = descend(p, &at, &too_dear);
    if (status == DAEDAL_OK && !too_dear) {
        *found = at.rows;
        return DAEDAL_OK;
    }
    pattern_free(&at.rows);
    return status == DAEDAL_OK ? probe_columns(p, found) : status;
}

static daedal_status find_pattern(probe *p, pattern *found)
{
    bool single = false;
    if (p->n <= p->few)
        return probe_columns(p, found);
    if (p->moving == p->yp)
        RETURN_UNLESS_OK(probe_diagonal(p, found, &single));
    return single ? DAEDAL_OK : search(p, found);
}

/* Move the columns of a colour at this point; true if a row changes that should not. */
static daedal_status colour_surprises(probe *p, const pattern *known, daedal_ints columns,
                                      bool *surprise)
{
    bool seen;
    memset(p->count, 0, (size_t)(p->n > 0 ? p->n : 0));
    for (int32_t k = 0; k < columns.n; k++) {
        int32_t j = p->set[k] = columns.at[k];
        for (int32_t q = known->start[j]; q < known->start[j + 1]; q++)
            p->count[known->row[q]] = 1;
    }
    RETURN_UNLESS_OK(evaluate_set(p, columns.n, &seen));
    for (int32_t i = 0; seen && i < p->n; i++)
        *surprise |= !p->count[i] && !p->full[i] && changed(p, i);
    return DAEDAL_OK;
}

/* Few columns with many colours are not worth it: one by one they tell more. */
static daedal_status check_pattern(probe *p, const pattern *known, bool *surprise)
{
    colouring c;
    if (!colouring_create_quickly(&c, &known->view, p->allocator))
        return DAEDAL_ERR_MEMORY;
    daedal_status status = DAEDAL_OK;
    *surprise = p->n <= ONE_BY_ONE && 2 * c.n_colours > p->n;
    for (int32_t k = 0; status == DAEDAL_OK && !*surprise && k < c.n_colours; k++) {
        daedal_ints columns = {c.column + c.start[k], c.start[k + 1] - c.start[k]};
        status = colour_surprises(p, known, columns, surprise);
    }
    colouring_free(&c);
    return status;
}

static bool unite(pattern *into, pattern *other, const daedal_allocator *a)
{
    pattern both;
    bool done = pattern_union(&both, &into->view, &other->view, a);
    pattern_free(into);
    pattern_free(other);
    *into = both; /* empty if it failed */
    return done;
}

/* At the second point: look again where that is cheap or where there is reason. */
static daedal_status improve_pattern(probe *p, pattern *found)
{
    bool again;
    RETURN_UNLESS_OK(check_pattern(p, found, &again));
    if (!again)
        return DAEDAL_OK;
    pattern more;
    RETURN_UNLESS_OK(find_pattern(p, &more));
    return unite(found, &more, p->allocator) ? DAEDAL_OK : DAEDAL_ERR_MEMORY;
}

/* ---- both patterns -------------------------------------------------------- */

/* Add the full rows. */
static daedal_status fill_rows(const probe *p, const uint8_t *full, pattern *found)
{
    int64_t n_full = 0, n = p->n;
    for (int32_t i = 0; i < p->n; i++)
        n_full += full[i];
    if (n_full == 0)
        return DAEDAL_OK;
    pattern rows;
    if (n_full * n > INT32_MAX ||
        !pattern_create(&rows, p->n, p->n, (int32_t)(n_full * n), p->allocator))
        return DAEDAL_ERR_MEMORY;
    int32_t count = 0;
    for (int32_t j = 0; j < p->n; j++) {
        for (int32_t i = 0; i < p->n; i++)
            if (full[i])
                rows.row[count++] = i;
        rows.start[j + 1] = count;
    }
    return unite(found, &rows, p->allocator) ? DAEDAL_OK : DAEDAL_ERR_MEMORY;
}

/* The dense rows found for y are not those for y', so `full` begins anew for each;
 * dense keeps those of y and y' between the two points.                         */
static daedal_status probe_both(probe *p, double t, const double *y, const double *yp,
                                pattern *found[2], uint8_t *dense[2])
{
    const double *scale[2] = {p->target->y_scale, p->target->yp_scale};
    size_t n = (size_t)p->n;
    for (int32_t point = 0; point < 2; point++) {
        RETURN_UNLESS_OK(find_base(p, t, y, yp));
        double *moving[2] = {p->y, p->yp};
        for (int32_t kind = 0; kind < 2; kind++) {
            for (size_t i = 0; i < n; i++)
                p->full[i] = p->noisy[i] | dense[kind][i];
            aim(p, moving[kind], scale[kind]);
            p->few = kind == 0 ? ONE_BY_ONE : FEW_SLOPES;
            if (kind == 1 && point == 0)
                RETURN_UNLESS_OK(choose_growth(p));
            RETURN_UNLESS_OK(point == 0 ? find_pattern(p, found[kind])
                                        : improve_pattern(p, found[kind]));
            memcpy(dense[kind], p->full, n);
        }
    }
    for (int32_t kind = 0; kind < 2; kind++) {
        for (size_t i = 0; i < n; i++)
            dense[kind][i] |= p->noisy[i];
        RETURN_UNLESS_OK(fill_rows(p, dense[kind], found[kind]));
    }
    return DAEDAL_OK;
}

daedal_status probe_patterns(const probe_target *target, double t, const double *y,
                             const double *yp, pattern *dy, pattern *dyp, const daedal_allocator *a)
{
    *dy = *dyp = (pattern){0};
    if (target->n < 1)
        return DAEDAL_ERR_ARGUMENT;
    size_t n = (size_t)target->n;
    probe p = {.target = target, .allocator = a, .n = target->n, .random = RANDOM_SEED};
    pattern *found[2] = {dy, dyp};
    uint8_t *dense = memory_take_array(a, 2, n);
    daedal_status status = DAEDAL_ERR_MEMORY;
    if (dense && block_create(&p.mem, a, probe_lay_out, &p))
        status = probe_both(&p, t, y, yp, found, (uint8_t *[2]){dense, dense + n});
    if (status != DAEDAL_OK) {
        pattern_free(dy);
        pattern_free(dyp);
    }
    block_free(&p.mem);
    memory_give(a, dense, 2 * n);
    return status;
}
