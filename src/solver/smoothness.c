/* solver/smoothness.c - see smoothness.h.
 *
 * F is looked at along lines x + s e through the point.  With D(s) = |F_i(s) - F_i(-s)|:
 *   a jump       D does not fall from s = 1e-6 to 1e-9 (of the size of the variable);
 *   steep        D/s grows at least threefold from 1e-4 to 1e-6 and to 1e-8;
 *   a kink       the slopes on the two sides differ, by as much at s = 1e-5 as at 1e-4 and 1e-3.
 * All must stand out of the roundoff of the terms of F_i: the residual itself is nearly zero. */
#include "solver/smoothness.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "linalg/vector.h"

enum { LARGEST = 500, SIZES = 7 }; /* unknowns looked at one by one; s = 1e-3 .. 1e-9 */
static const double SHARE[SIZES] = {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9}; /* s */
static const double JUMP_STAYS = 0.3, STEEPER = 3.0, KINK_STAYS = 0.5;
static const double CLEAR_JUMP = 1e6, CLEAR_KINK = 1e3; /* units of roundoff */
static const double ALONG_ROUNDOFFS = 1e3; /* units of roundoff of what changes along the line */
static const double SMALLEST_SIZE =
    1e-3;                          /* of the largest variable: no variable is looked at in less */
static const double WEIGHTS = 1e6; /* nor in less than so many error weights */

typedef enum line_kind { ALONG_TIME, ALONG_SOLUTION, ALONG_Y, ALONG_YP } line_kind;

typedef struct line {
    line_kind kind;
    int32_t variable;
    double unit; /* what s is a share of */
} line;

typedef struct look {
    const explain_point *at;
    int32_t n;
    double reach;
    bool nearby; /* jumps need not be here */
    double *y, *yp, *f, *noise;
    double *ahead[SIZES], *behind[SIZES];
    block mem;
} look;

static void lay_out(void *object, layout *l)
{
    look *k = object;
    size_t n = (size_t)k->n;
    double **vectors[] = {&k->y, &k->yp, &k->f, &k->noise};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        *vectors[i] = layout_take(l, n, sizeof(double));
    for (size_t i = 0; i < SIZES; i++) {
        k->ahead[i] = layout_take(l, n, sizeof(double));
        k->behind[i] = layout_take(l, n, sizeof(double));
    }
}

/* ---- values on a line ---- */

static int value_at(look *k, const line *on, double s, double *out)
{
    const explain_point *at = k->at;
    double move = s * on->unit, t = at->t;
    size_t bytes = (size_t)k->n * sizeof(double);
    memcpy(k->y, at->y, bytes);
    memcpy(k->yp, at->yp, bytes);
    if (on->kind == ALONG_TIME || on->kind == ALONG_SOLUTION)
        t += move;
    for (int32_t j = 0; on->kind == ALONG_SOLUTION && j < k->n; j++)
        k->y[j] += move * at->yp[j];
    if (on->kind == ALONG_Y)
        k->y[on->variable] += move;
    if (on->kind == ALONG_YP)
        k->yp[on->variable] += move;
    return evaluator_residual(at->ev, t, k->y, k->yp, out);
}

/* F at s = 1e-3 .. 1e-9 on both sides; RETRY if it is not defined at one of them. */
static int walk_line(look *k, const line *on)
{
    for (int i = 0; i < SIZES; i++) {
        int answer = value_at(k, on, SHARE[i], k->ahead[i]);
        if (answer == DAEDAL_CALL_OK)
            answer = value_at(k, on, -SHARE[i], k->behind[i]);
        if (answer != DAEDAL_CALL_OK)
            return answer;
    }
    return DAEDAL_CALL_OK;
}

/* ---- what one equation shows on it ---- */

static double across(const look *k, int size, int32_t i)
{
    return fabs(k->ahead[size][i] - k->behind[size][i]);
}

/* Roundoff of the terms of F_i: those of y and y', and those that change along the line. */
static double roundoff(const look *k, int32_t i)
{
    return fmax(k->noise[i], ALONG_ROUNDOFFS * DBL_EPSILON * across(k, 0, i));
}

static bool has_jump(const look *k, int32_t i)
{
    double wide = across(k, 3, i);
    return across(k, 5, i) > JUMP_STAYS * wide && across(k, 6, i) > JUMP_STAYS * wide &&
           across(k, 5, i) > CLEAR_JUMP * roundoff(k, i);
}

/* The same over two decades of s further out: a jump that lies within 1e-5. */
static bool has_jump_nearby(const look *k, int32_t i)
{
    for (int size = 0; size < 2; size++) {
        double wide = JUMP_STAYS * across(k, size, i), narrow = across(k, size + 2, i);
        if (across(k, size + 1, i) > wide && narrow > wide && narrow > CLEAR_JUMP * roundoff(k, i))
            return true;
    }
    return false;
}

static bool is_steep(const look *k, int32_t i)
{
    double slope4 = across(k, 1, i) / SHARE[1], slope6 = across(k, 3, i) / SHARE[3];
    double slope8 = across(k, 5, i) / SHARE[5];
    return slope6 > STEEPER * slope4 && slope8 > STEEPER * slope6 &&
           across(k, 5, i) > CLEAR_KINK * roundoff(k, i);
}

/* |slope ahead - slope behind| at a size. */
static double bend(const look *k, int size, int32_t i)
{
    return fabs(k->ahead[size][i] - 2.0 * k->f[i] + k->behind[size][i]) / SHARE[size];
}

static bool has_kink(const look *k, int32_t i)
{
    return bend(k, 1, i) > KINK_STAYS * bend(k, 0, i) &&
           bend(k, 2, i) > KINK_STAYS * bend(k, 1, i) &&
           SHARE[2] * bend(k, 2, i) > CLEAR_KINK * roundoff(k, i);
}

static roughness judge(const look *k, int32_t i)
{
    if (has_jump(k, i) || (k->nearby && has_jump_nearby(k, i)))
        return ROUGHNESS_JUMP;
    if (is_steep(k, i))
        return ROUGHNESS_STEEP;
    return has_kink(k, i) ? ROUGHNESS_KINK : ROUGHNESS_NONE;
}

/* ---- all lines ---- */

/* Look along a line; keep what is worse (comes first in the enumeration) than what is known.  */
static bool look_along(look *k, const line *on, smoothness_defect *found)
{
    int answer = walk_line(k, on);
    if (answer != DAEDAL_CALL_OK)
        return answer == DAEDAL_CALL_RETRY;
    for (int32_t i = 0; i < k->n; i++) {
        roughness what = judge(k, i);
        bool worse =
            what != ROUGHNESS_NONE && (found->what == ROUGHNESS_NONE || what < found->what);
        if (worse)
            *found = (smoothness_defect){what, i, on->kind >= ALONG_Y ? on->variable : -1,
                                         on->kind == ALONG_YP};
    }
    return true;
}

static bool look_for_noise(look *k, smoothness_defect *found)
{
    const line here = {ALONG_TIME, -1, 0.0};
    if (value_at(k, &here, 0.0, k->f) != DAEDAL_CALL_OK ||
        value_at(k, &here, 0.0, k->ahead[0]) != DAEDAL_CALL_OK)
        return false;
    for (int32_t i = 0; i < k->n && found->what == ROUGHNESS_NONE; i++)
        if (memcmp(k->f + i, k->ahead[0] + i, sizeof(double)) != 0)
            *found = (smoothness_defect){ROUGHNESS_NOISE, i, -1, false};
    return true;
}

/* Along the solution y moves by much where y' is large, and the roundoff of F is that of its terms
 * there, although these may cancel. */
static void add_noise_along(look *k, double along)
{
    const explain_point *at = k->at;
    double *moved = k->y, *none = k->yp, *noise = k->ahead[0];
    memset(none, 0, (size_t)k->n * sizeof(double));
    for (int32_t j = 0; j < k->n; j++)
        moved[j] = SHARE[0] * along * at->yp[j];
    matrix_term_noise(at->matrix, moved, none, noise);
    for (int32_t i = 0; i < k->n; i++)
        k->noise[i] += 2.0 * fabs(noise[i]);
}

static bool look_everywhere(look *k, smoothness_defect *found)
{
    const explain_point *at = k->at;
    double time = fabs(at->t) > 0.0 ? fabs(at->t) : 1.0, largest = vector_max_abs(at->y, k->n);
    double along = fmin(time, k->reach / SHARE[0]);
    matrix_term_noise(at->matrix, at->y, at->yp, k->noise);
    for (int32_t i = 0; i < k->n; i++)
        k->noise[i] = 2.0 * fabs(k->noise[i]);
    if (!look_for_noise(k, found))
        return false;
    if (found->what == ROUGHNESS_NOISE)
        return true;
    bool fine = look_along(k, &(line){ALONG_TIME, -1, along}, found);
    for (int32_t j = 0; fine && j < k->n && k->n <= LARGEST && found->what != ROUGHNESS_JUMP; j++) {
        double size =
            fmax(fmax(fabs(at->y[j]), SMALLEST_SIZE * largest), WEIGHTS / at->inverse_weight[j]);
        double speed = fmax(fabs(at->yp[j]), size / time);
        fine = look_along(k, &(line){ALONG_Y, j, size}, found) &&
               look_along(k, &(line){ALONG_YP, j, speed}, found);
    }
    if (fine && found->what == ROUGHNESS_NONE) {
        add_noise_along(k, along);
        fine = look_along(k, &(line){ALONG_SOLUTION, -1, along}, found);
    }
    return fine;
}

static bool find(look *k, smoothness_defect *found)
{
    *found = (smoothness_defect){ROUGHNESS_NONE, -1, -1, false};
    bool fine = block_create(&k->mem, k->at->allocator, lay_out, k) && look_everywhere(k, found);
    block_free(&k->mem);
    return fine;
}

bool smoothness_find(const explain_point *at, double reach, smoothness_defect *found)
{
    look k = {.at = at, .n = at->ev->n, .reach = reach};
    return find(&k, found);
}

bool smoothness_find_jump(const explain_point *at, smoothness_defect *found)
{
    look k = {.at = at, .n = at->ev->n, .reach = 0.0, .nearby = true};
    return find(&k, found) && found->what == ROUGHNESS_JUMP && found->variable >= 0;
}

/* ---- between two points ---- */

typedef struct way {
    const explain_point *from;
    double t_end;
    const double *y_end;
    int32_t held;
    double *y, *whole, *noise;
    double *f[3]; /* at the beginning, the middle and the end of the stretch looked at */
} way;

static bool value_on_way(way *w, double share, double *out)
{
    const explain_point *from = w->from;
    for (int32_t j = 0; j < from->ev->n; j++)
        w->y[j] = from->y[j] + share * (w->y_end[j] - from->y[j]);
    w->y[w->held] = from->y[w->held];
    double t = from->t + share * (w->t_end - from->t);
    return evaluator_residual(from->ev, t, w->y, from->yp, out) == DAEDAL_CALL_OK;
}

/* The largest change from a to b, as a share of that over the whole way. */
static double largest_share(const way *w, const double *a, const double *b)
{
    double most = 0.0;
    for (int32_t i = 0; i < w->from->ev->n; i++)
        if (w->whole[i] > CLEAR_JUMP * w->noise[i])
            most = fmax(most, fabs(b[i] - a[i]) / w->whole[i]);
    return most;
}

static bool halve(way *w, double *a, double *b)
{
    double middle = 0.5 * (*a + *b);
    if (!value_on_way(w, middle, w->f[1]))
        return false;
    bool is_first = largest_share(w, w->f[0], w->f[1]) > largest_share(w, w->f[1], w->f[2]);
    *(is_first ? b : a) = middle;
    double **end = &w->f[is_first ? 2 : 0], *kept = w->f[1];
    w->f[1] = *end;
    *end = kept;
    return true;
}

static bool jumps_on_way(way *w, double *t)
{
    enum { ROUNDS = 38 };
    double a = 0.0, b = 1.0;
    if (!value_on_way(w, a, w->f[0]) || !value_on_way(w, b, w->f[2]))
        return false;
    matrix_term_noise(w->from->matrix, w->from->y, w->from->yp, w->noise);
    for (int32_t i = 0; i < w->from->ev->n; i++) {
        w->whole[i] = fabs(w->f[2][i] - w->f[0][i]);
        w->noise[i] = fmax(2.0 * fabs(w->noise[i]), DBL_MIN);
    }
    for (int round = 0; round < ROUNDS; round++)
        if (largest_share(w, w->f[0], w->f[2]) <= JUMP_STAYS || !halve(w, &a, &b))
            return false;
    *t = w->from->t + b * (w->t_end - w->from->t);
    return largest_share(w, w->f[0], w->f[2]) > JUMP_STAYS;
}

bool smoothness_jumps_between(const explain_point *from, double t_end, const double *y_end,
                              int32_t held, const smoothness_work *work, double *t)
{
    way w = {.from = from,
             .t_end = t_end,
             .y_end = y_end,
             .held = held,
             .y = work->y,
             .whole = work->whole,
             .noise = work->noise,
             .f = {work->f[0], work->f[1], work->f[2]}};
    return jumps_on_way(&w, t);
}

void smoothness_explain(const explain_point *at, const smoothness_defect *found)
{
    static const char *const what[] = {"", "differs between two calls with the same arguments",
                                       "jumps", "has a slope without bound", "has a kink"};
    char equation[96], variable[96];
    daedal_diagnosis *d = at->why;
    message_append(d, "; the residual of %s %s there",
                   evaluator_equation_name(at->ev->sys, found->equation, equation, sizeof equation),
                   what[found->what]);
    if (found->variable >= 0)
        message_append(
            d, " in %s%s",
            evaluator_variable_name(at->ev->sys, found->variable, variable, sizeof variable),
            found->of_derivative ? "'" : "");
    else if (found->what != ROUGHNESS_NOISE)
        message_append(d, " in time");
    d->equation = found->equation;
    if (found->variable >= 0)
        d->variable = found->variable;
    set_cause(d, found->what == ROUGHNESS_NOISE ? DAEDAL_CAUSE_TOLERANCE_TOO_SMALL
                                                : DAEDAL_CAUSE_DISCONTINUITY);
    hint(d, found->what == ROUGHNESS_NOISE
                ? "F must depend on its arguments only: tighten an iteration inside it, or loosen "
                  "the tolerances"
                : "give the place as an event (or in breakpoints, if it is a time), or smooth F");
}
