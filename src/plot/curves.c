/* plot/curves.c - see curves.h. */
#include "plot/curves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "output/decimal_text.h"

/* ---- ranges ---- */

static const plot_range NOTHING = {INFINITY, -INFINITY};

static plot_range include(plot_range r, double x)
{
    if (!isfinite(x))
        return r;
    return (plot_range){x < r.low ? x : r.low, x > r.high ? x : r.high};
}

static double span(plot_range r)
{
    return r.high >= r.low ? r.high - r.low : 0.0;
}

plot_range plot_range_widen(plot_range r, double share)
{
    if (!(r.high >= r.low))
        return (plot_range){0.0, 1.0};
    double size = fmax(fabs(r.low), fabs(r.high));
    double more = share * (r.high - r.low);
    if (!isfinite(more)) /* -1e308 to 1e308 */
        return (plot_range){-0.5 * size, 0.5 * size};
    if (r.high - r.low <= 1e-12 * size) /* flat but for rounding */
        more = 0.1 * size;
    if (size == 0.0)
        more = 1.0;
    return (plot_range){r.low - more, r.high + more};
}

double plot_time(const plot_request *r, double t)
{
    if (!r->log_time)
        return isfinite(t) ? t : NAN;
    return t > 0.0 && isfinite(t) ? log10(t) : NAN;
}

double plot_value(const plot_request *r, size_t row, size_t col)
{
    double x = trajectory_value(r->data, row, col);
    if (!r->log_values)
        return isfinite(x) ? x : NAN;
    return x > 0.0 && isfinite(x) ? log10(x) : NAN;
}

void plot_time_label(const plot_request *r, sink *to)
{
    const column *time = &r->data->time;
    sink_text(to, time->name);
    if (*time->unit) {
        sink_text(to, " [");
        sink_text(to, time->unit);
        sink_char(to, ']');
    }
}

/* ---- ticks ---- */

/* Write the exponents of "1e+06" and "1e-05" as 1e6 and 1e-5. */
static void shorten_exponent(char *text)
{
    char *e = strchr(text, 'e');
    if (!e)
        return;
    char *from = e + 1, *to = e + 1;
    if (*from == '-')
        *to++ = '-';
    from += *from == '-' || *from == '+';
    while (*from == '0' && from[1])
        from++;
    memmove(to, from, strlen(from) + 1);
}

void plot_number(char text[24], double x, int digits)
{
    char number[DECIMAL_TEXT_SIZE];
    decimal_digits(number, x, digits);
    shorten_exponent(number);
    snprintf(text, 24, "%.23s", number);
}

static void add_tick(plot_ticks *ticks, double at, double value, int digits)
{
    if (ticks->n == PLOT_TICKS_MAX)
        return;
    ticks->at[ticks->n] = at;
    plot_number(ticks->text[ticks->n++], value, digits);
}

/* The smallest step of 1, 2 or 5 times a power of ten that is not below `wanted`, with its power in
 * *exponent; 0 if there is none.                                                */
static double nice_step(double wanted, int *exponent)
{
    *exponent = 0;
    if (!(wanted > 0.0) || !isfinite(wanted))
        return 0.0;
    *exponent = (int)floor(log10(wanted));
    bool below_one = *exponent < 0;
    double power =
        pow(10.0, abs(*exponent)); /* exact up to 1e22, and so is the step's last digit */
    double share = below_one ? wanted * power : wanted / power;
    share *= 1.0 - 1e-9; /* 2.0000000001 is 2 */
    double factor = share <= 1.0 ? 1.0 : share <= 2.0 ? 2.0 : share <= 5.0 ? 5.0 : 10.0;
    if (factor == 10.0)
        ++*exponent;
    return below_one ? factor / power : factor * power;
}

void plot_ticks_linear(plot_ticks *ticks, plot_range range, int wanted, double least_step)
{
    enum { DIGITS_LEAST = 6, DIGITS_MOST = 15 };
    int exponent;
    ticks->n = 0;
    double step = nice_step((range.high - range.low) / (wanted > 1 ? wanted : 1), &exponent);
    if (!(step > 0.0) || !isfinite(step))
        return;
    step = fmax(step, least_step);
    double size = fmax(fabs(range.low), fabs(range.high));
    int digits = (int)floor(log10(size)) - exponent + 1;
    digits = digits < DIGITS_LEAST ? DIGITS_LEAST : digits > DIGITS_MOST ? DIGITS_MOST : digits;
    double first = ceil(range.low / step - 1e-9), last = floor(range.high / step + 1e-9);
    for (double k = first; k <= last && ticks->n < PLOT_TICKS_MAX; k += 1.0)
        add_tick(ticks, k * step, k == 0.0 ? 0.0 : k * step, digits);
}

/* 1, 2 and 5 times powers of ten, or the powers alone where that were too many. */
static void decade_ticks(plot_ticks *ticks, plot_range range, int wanted)
{
    static const double factors[] = {1.0, 2.0, 5.0};
    int first = (int)floor(range.low), last = (int)ceil(range.high), per_decade = 3;
    if (3.0 * (range.high - range.low) > wanted)
        per_decade = 1;
    double step = per_decade > 1 ? 1.0 : ceil((range.high - range.low) / (wanted > 1 ? wanted : 1));
    for (double e = ceil(first / step) * step; e <= last; e += step)
        for (int k = 0; k < per_decade; k++) {
            double at = e + log10(factors[k]);
            if (at < range.low - 1e-9 || at > range.high + 1e-9)
                continue;
            add_tick(ticks, at, factors[k] * pow(10.0, e), 3);
            if (fabs(e) > 2.0 && ticks->n > 0)
                snprintf(ticks->text[ticks->n - 1], sizeof ticks->text[0], "%.0fe%d", factors[k],
                         (int)e);
        }
}

/* Less than a decade: round numbers, as far apart as their logarithms allow. */
static void narrow_ticks(plot_ticks *ticks, plot_range range, int wanted)
{
    plot_range linear = {pow(10.0, range.low), pow(10.0, range.high)};
    plot_ticks_linear(ticks, linear, wanted, 0.0);
    int n = 0;
    for (int k = 0; k < ticks->n; k++)
        if (ticks->at[k] > 0.0) {
            ticks->at[n] = log10(ticks->at[k]);
            memmove(ticks->text[n++], ticks->text[k], sizeof ticks->text[0]);
        }
    ticks->n = n;
}

void plot_ticks_log(plot_ticks *ticks, plot_range range, int wanted)
{
    ticks->n = 0;
    if (!isfinite(range.low) || !isfinite(range.high) || fabs(range.low) > 400.0 ||
        fabs(range.high) > 400.0)
        return;
    if (range.high - range.low < 1.0)
        narrow_ticks(ticks, range, wanted);
    else
        decade_ticks(ticks, range, wanted);
}

void plot_ticks_time(plot_ticks *ticks, const plot_request *r, plot_range range, int wanted)
{
    if (r->log_time)
        plot_ticks_log(ticks, range, wanted);
    else
        plot_ticks_linear(ticks, range, wanted, 0.0);
}

void plot_ticks_values(plot_ticks *ticks, const plot_request *r, plot_range range, int wanted,
                       double least_step)
{
    if (r->log_values)
        plot_ticks_log(ticks, range, wanted);
    else
        plot_ticks_linear(ticks, range, wanted, least_step);
}

/* ---- choice of columns ---- */

static bool varies(const trajectory *tr, int32_t slot)
{
    double first = tr->n_rows ? trajectory_row(tr, 0)[1 + slot] : 0.0;
    for (size_t i = 1; i < tr->n_rows; i++)
        if (trajectory_row(tr, i)[1 + slot] != first)
            return true;
    return false;
}

int32_t plot_choose(const trajectory *tr, int32_t *columns, int32_t max)
{
    int32_t n = 0;
    for (size_t j = 0; j < tr->n_columns && n < max; j++)
        if (tr->columns[j].source == COLUMN_STORED && varies(tr, tr->columns[j].slot))
            columns[n++] = (int32_t)j;
    for (size_t j = 0; n == 0 && j < tr->n_columns && (int32_t)j < max; j++)
        columns[j] = (int32_t)j;
    if (n == 0)
        n = tr->n_columns < (size_t)max ? (int32_t)tr->n_columns : max;
    return n;
}

/* ---- panels ---- */

static plot_range range_of(const plot_request *r, int32_t col)
{
    plot_range range = NOTHING;
    for (size_t i = 0; i < r->data->n_rows; i++)
        if (!isnan(plot_time(r, trajectory_time(r->data, i))))
            range = include(range, plot_value(r, i, (size_t)col));
    return range;
}

static plot_range joined(plot_range a, plot_range b)
{
    return include(include(a, b.low), b.high);
}

static bool is_discrete(column_kind kind)
{
    return kind == COLUMN_BOOLEAN || kind == COLUMN_ENUMERATION;
}

/* True if the curve and those of the panel still show their shapes when drawn together. */
static bool suits(const plot_request *r, const plot_panel *p, const column *c, plot_range range)
{
    enum { RATIO_MAX = 40 };
    const column *other = &r->data->columns[p->columns[0]];
    if (strcmp(other->unit, c->unit) != 0 || is_discrete(other->kind) != is_discrete(c->kind))
        return false;
    double all = span(joined(p->range, range)), own = span(range), theirs = span(p->range);
    return (own == 0.0 || all <= RATIO_MAX * own) && (theirs == 0.0 || all <= RATIO_MAX * theirs);
}

/* The factor by which the smaller of two ranges shrinks when both are drawn in one panel. */
static double squeeze(plot_range a, plot_range b)
{
    double all = span(joined(a, b)), less = fmin(span(a), span(b));
    return all == 0.0 ? 1.0 : less == 0.0 ? 2.0 : all / less;
}

/* The panel that suits a range best, for use when no further panel is allowed. */
static plot_panel *closest_panel(plot_layout *l, plot_range range)
{
    plot_panel *best = &l->panels[0];
    for (int k = 1; k < l->n_panels; k++)
        if (squeeze(l->panels[k].range, range) < squeeze(best->range, range))
            best = &l->panels[k];
    return best;
}

static plot_panel *panel_for(plot_layout *l, const plot_request *r, int32_t col, plot_range range,
                             int panels_max)
{
    const column *c = &r->data->columns[col];
    for (int k = 0; k < l->n_panels; k++)
        if (suits(r, &l->panels[k], c, range))
            return &l->panels[k];
    if (l->n_panels >= panels_max || l->n_panels >= PLOT_PANELS_MAX)
        return closest_panel(l, range);
    plot_panel *p = &l->panels[l->n_panels++];
    p->range = NOTHING;
    p->unit = c->unit;
    return p;
}

static plot_range time_range(const plot_request *r)
{
    plot_range range = NOTHING;
    for (size_t i = 0; i < r->data->n_rows; i++)
        range = include(range, plot_time(r, trajectory_time(r->data, i)));
    return range;
}

void plot_arrange(plot_layout *l, const plot_request *r, int panels_max)
{
    *l = (plot_layout){.time = time_range(r)};
    if (r->is_path)
        l->time = plot_range_widen(l->time, 0.03);
    if (!(l->time.high > l->time.low) || !isfinite(span(l->time)))
        l->time = plot_range_widen(l->time, 0.0);
    for (int32_t k = 0; k < r->n_columns && k < PLOT_CURVES_MAX; k++) {
        plot_range range = range_of(r, r->columns[k]);
        plot_panel *p = panel_for(l, r, r->columns[k], range, panels_max);
        if (strcmp(p->unit, r->data->columns[r->columns[k]].unit) != 0)
            p->unit = "";
        p->columns[p->n] = r->columns[k];
        p->colours[p->n++] = k;
        p->range = joined(p->range, range);
        p->least_step = fmin(p->n == 1 ? 1.0 : p->least_step,
                             r->data->columns[r->columns[k]].kind == COLUMN_REAL ? 0.0 : 1.0);
    }
}

/* ---- thinning ---- */

enum { N_KEPT = 5 };

/* The rows of one bin that are kept; SIZE_MAX means none. */
typedef struct plot_bin {
    double index;
    size_t first, last, low, high, missing;
} plot_bin;

/* Append the rows kept of a bin, in ascending order and each once. */
static size_t flush(const plot_bin *b, size_t *rows, size_t n, size_t room)
{
    size_t kept[N_KEPT] = {b->first, b->low, b->high, b->missing, b->last};
    for (size_t i = 1; i < N_KEPT; i++)
        for (size_t j = i; j > 0 && kept[j] < kept[j - 1]; j--) {
            size_t swap = kept[j];
            kept[j] = kept[j - 1];
            kept[j - 1] = swap;
        }
    for (size_t i = 0; i < N_KEPT && kept[i] != SIZE_MAX && n < room; i++)
        if (i == 0 || kept[i] != kept[i - 1])
            rows[n++] = kept[i];
    return n;
}

static void put_in_bin(plot_bin *b, const plot_request *r, size_t i, size_t col)
{
    double x = plot_value(r, i, col);
    if (b->first == SIZE_MAX)
        b->first = i;
    b->last = i;
    if (!isfinite(x)) {
        b->missing = i;
        return;
    }
    if (b->low == SIZE_MAX || x < plot_value(r, b->low, col))
        b->low = i;
    if (b->high == SIZE_MAX || x > plot_value(r, b->high, col))
        b->high = i;
}

/* Points of a path that are at least a distance apart, in shares of the picture. */
static size_t thin_path(const plot_request *r, const plot_layout *l, int32_t col, double apart,
                        size_t *rows, size_t room)
{
    plot_range range = range_of(r, col);
    double wide = l->time.high - l->time.low, high = span(range) > 0.0 ? span(range) : 1.0;
    double last_t = NAN, last_x = NAN;
    size_t n = 0;
    for (size_t i = 0; i < r->data->n_rows && n < room; i++) {
        double t = plot_time(r, trajectory_time(r->data, i)), x = plot_value(r, i, (size_t)col);
        bool is_gap = isnan(t) || isnan(x), was_gap = isnan(last_t) || isnan(last_x);
        bool is_end = i + 1 == r->data->n_rows;
        if (is_gap == was_gap && !is_end &&
            (is_gap || (fabs(t - last_t) < apart * wide && fabs(x - last_x) < apart * high)))
            continue;
        rows[n++] = i;
        last_t = t;
        last_x = x;
    }
    return n;
}

size_t plot_thin(const plot_request *r, const plot_layout *l, int32_t col, size_t n_bins,
                 size_t *rows, size_t room)
{
    const trajectory *tr = r->data;
    if (r->is_path) {
        double apart = 0.5 / (double)n_bins;
        size_t n_kept = thin_path(r, l, col, apart, rows, room);
        while (n_kept == room && apart < 1.0)
            n_kept = thin_path(r, l, col, apart *= 2.0, rows, room);
        return n_kept;
    }
    const plot_bin empty = {-1.0, SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX};
    plot_bin b = empty;
    size_t n = 0;
    double scale = (double)n_bins / (l->time.high - l->time.low);
    for (size_t i = 0; i < tr->n_rows; i++) {
        double t = plot_time(r, trajectory_time(tr, i));
        if (isnan(t))
            continue;
        double index = floor((t - l->time.low) * scale);
        if (index != b.index) {
            n = flush(&b, rows, n, room);
            b = empty;
            b.index = index;
        }
        put_in_bin(&b, r, i, (size_t)col);
    }
    return flush(&b, rows, n, room);
}
