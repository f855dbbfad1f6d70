/* hybrid/input_signals.c - see input_signals.h. */
#include "hybrid/input_signals.h"

#include <math.h>
#include <string.h>

#include "base/ascending.h"
#include "tables/point_curve.h"

/* ---- making ---- */

static void lay_out(void *object, layout *l)
{
    input_signal *s = object;
    s->t = layout_take(l, s->n, sizeof(double));
    s->value = layout_take(l, s->n, sizeof(double));
    s->slope = layout_take(l, s->interpolation == DAEDAL_CUBIC ? s->n : 1, sizeof(double));
}

/* Behind the last row of the piece that begins at `begin`.  Stairs jump where the value changes. */
static size_t end_of(const input_signal *s, size_t begin)
{
    size_t end = begin + 1;
    bool stairs = s->interpolation == DAEDAL_PREVIOUS;
    while (end < s->n && (stairs ? s->value[end] == s->value[begin] : s->t[end] > s->t[end - 1]))
        end++;
    return end;
}

static void find_slopes(input_signal *s)
{
    for (size_t begin = 0, end; begin < s->n; begin = end) {
        end = end_of(s, begin);
        if (end - begin >= 2)
            table_slopes(TABLE_MODIFIED_AKIMA, s->t + begin, end - begin, s->value + begin,
                         s->slope + begin);
    }
}

bool signal_create(input_signal *s, const daedal_signal *from, const daedal_allocator *a)
{
    *s = (input_signal){.n = (size_t)from->times.n,
                        .interpolation = from->interpolation,
                        .extrapolation = from->extrapolation};
    if (!block_create(&s->mem, a, lay_out, s))
        return false;
    memcpy(s->t, from->times.at, s->n * sizeof(double));
    memcpy(s->value, from->values.at, s->n * sizeof(double));
    for (size_t i = 0; i < s->n; i++)
        s->scale = fmax(s->scale, fabs(s->value[i]));
    if (s->interpolation == DAEDAL_CUBIC)
        find_slopes(s);
    return true;
}

void signal_free(input_signal *s)
{
    block_free(&s->mem);
}

/* ---- pieces ---- */

static void use_piece(input_signal *s, size_t begin)
{
    s->begin = s->row = begin;
    s->end = end_of(s, begin);
    s->knot = 0;
}

void signal_begin(input_signal *s, double t)
{
    use_piece(s, 0);
    signal_pass_jumps(s, t);
}

bool signal_pass_jumps(input_signal *s, double t)
{
    bool passed = false;
    while (s->end < s->n && s->t[s->end] <= t) {
        use_piece(s, s->end);
        passed = true;
    }
    return passed;
}

double signal_next_jump(const input_signal *s)
{
    return s->end < s->n ? s->t[s->end] : HUGE_VAL;
}

/* ---- values ---- */

/* The last row of the piece that is not after t and has another one behind it. */
static size_t find_row(input_signal *s, double t)
{
    size_t low = s->begin, high = s->end - 2, i = s->row;
    if (s->t[i] <= t && (i == high || t < s->t[i + 1]))
        return s->row = i;
    if (i < high && s->t[i + 1] <= t && (i + 1 == high || t < s->t[i + 2]))
        return s->row = i + 1;
    return s->row = low + ascending_interval(s->t + low, high - low + 1, t);
}

/* The polynomial of the interval behind row i, as coefficients of powers of t - t_i. */
static void polynomial_of(const input_signal *s, size_t i, double c[4])
{
    double h = s->t[i + 1] - s->t[i], rise = (s->value[i + 1] - s->value[i]) / h;
    c[0] = s->value[i];
    c[1] = rise;
    c[2] = c[3] = 0.0;
    if (s->interpolation != DAEDAL_CUBIC)
        return;
    double a = s->slope[i], b = s->slope[i + 1];
    c[1] = a;
    c[2] = (3.0 * rise - 2.0 * a - b) / h;
    c[3] = (a + b - 2.0 * rise) / (h * h);
}

static bool is_outside(const input_signal *s, double t)
{
    return t < s->t[0] || t > s->t[s->n - 1];
}

void signal_values(input_signal *s, double t, double *values, int n_orders)
{
    double c[4], x;
    memset(values, 0, (size_t)n_orders * sizeof *values);
    if (s->interpolation == DAEDAL_PREVIOUS || s->end - s->begin < 2 || is_outside(s, t)) {
        bool late = t > s->t[s->begin] && s->interpolation != DAEDAL_PREVIOUS;
        values[0] = s->value[late ? s->end - 1 : s->begin];
        return;
    }
    size_t i = find_row(s, t);
    polynomial_of(s, i, c);
    x = t - s->t[i];
    double all[4] = {c[0] + x * (c[1] + x * (c[2] + x * c[3])),
                     c[1] + x * (2.0 * c[2] + 3.0 * x * c[3]), 2.0 * c[2] + 6.0 * x * c[3],
                     6.0 * c[3]};
    for (int k = 0; k < n_orders && k < 4; k++)
        values[k] = all[k];
}

/* ---- rows that no step should pass ---- */

static size_t find_knot(const input_signal *s, size_t from, double tolerance)
{
    double c[4];
    size_t i = from + 1;
    polynomial_of(s, from, c);
    for (; i + 1 < s->end; i++) {
        double x = s->t[i + 1] - s->t[from];
        double predicted = c[0] + x * (c[1] + x * (c[2] + x * c[3]));
        if (fabs(predicted - s->value[i + 1]) > tolerance)
            break;
    }
    return i;
}

double signal_next_knot(input_signal *s, double t, double tolerance)
{
    if (t < s->t[0])
        return s->t[0];
    if (s->interpolation == DAEDAL_PREVIOUS || s->end - s->begin < 2 || t >= s->t[s->end - 1])
        return HUGE_VAL;
    if (s->knot == 0 || t >= s->t[s->knot] || t < s->t[s->knot_from]) {
        s->knot_from = find_row(s, t);
        s->knot = find_knot(s, s->knot_from, tolerance);
    }
    return s->t[s->knot];
}

void signal_copy_state(input_signal *signal, state_copy *s)
{
    STATE_COPY(s, signal->begin);
    STATE_COPY(s, signal->end);
    STATE_COPY(s, signal->row);
    STATE_COPY(s, signal->knot_from);
    STATE_COPY(s, signal->knot);
}
