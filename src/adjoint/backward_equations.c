/* adjoint/backward_equations.c - see backward_equations.h. */
#include "adjoint/backward_equations.h"

#include <math.h>
#include <string.h>

static void lay_out(void *object, layout *l)
{
    backward_equations *e = object;
    size_t n = (size_t)e->n, nnz = (size_t)pattern_nnz(&e->of->parts.pattern.view);
    e->is_varying = layout_take(l, n, sizeof(bool));
    e->extra = layout_take(l, n, sizeof(int32_t));
    e->reference = layout_take(l, nnz, sizeof(double));
    e->column_max = layout_take(l, n, sizeof(double));
    e->entry = layout_take(l, nnz, sizeof *e->entry);
    e->leading = layout_take(l, nnz, sizeof *e->leading);
    e->entries_to = layout_take(l, n, sizeof(int32_t));
    e->diagonal = layout_take(l, n, sizeof(double));
    e->equation = layout_take(l, n, sizeof(int32_t));
    e->column = layout_take(l, n, sizeof(int32_t));
    e->at = layout_take(l, nnz, sizeof(int32_t));
    e->at_extra = layout_take(l, nnz, sizeof(int32_t));
    e->at_mu = layout_take(l, 2 * n, sizeof(int32_t));
    e->by_y = layout_take(l, n, sizeof(double));
    for (int k = 0; k < TIMES_KEPT; k++) {
        e->kept[k].dy = layout_take(l, nnz, sizeof(double));
        e->kept[k].dyp = layout_take(l, nnz, sizeof(double));
        e->kept[k].by_y = layout_take(l, n, sizeof(double));
        e->kept[k].y = layout_take(l, n, sizeof(double));
    }
}

bool equations_create(backward_equations *e, coefficients *of, const functional *g)
{
    *e = (backward_equations){.of = of, .g = g, .n = of->sys->n};
    e->constancy = coefficients_are_exact(of) ? 1e-13 : 1e-7;
    equations_forget(e);
    return block_create(&e->mem, of->mem.allocator, lay_out, e);
}

void equations_free(backward_equations *e)
{
    pattern_free(&e->pattern);
    pattern_free(&e->dyp);
    block_free(&e->mem);
}

/* ---- columns of A ---- */

static const daedal_pattern *pattern_of_f(const backward_equations *e)
{
    return &e->of->parts.pattern.view;
}

void equations_begin_columns(backward_equations *e)
{
    const daedal_pattern *p = pattern_of_f(e);
    for (int32_t j = 0; j < e->n; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++) {
            e->reference[q] = e->of->parts.dyp[q];
            e->column_max[j] = fmax(e->column_max[j], fabs(e->reference[q]));
        }
}

void equations_compare_columns(backward_equations *e)
{
    const daedal_pattern *p = pattern_of_f(e);
    for (int32_t j = 0; j < e->n && !e->of->leading_is_fixed; j++) {
        double most = e->constancy * e->column_max[j], change = 0.0;
        if (e->is_varying[j])
            continue;
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            change = fmax(change, fabs(e->of->parts.dyp[q] - e->reference[q]));
        e->is_varying[j] = change > most;
        e->has_changed = e->has_changed || e->is_varying[j];
    }
}

/* ---- the callbacks ---- */

void equations_forget(backward_equations *e)
{
    for (int k = 0; k < TIMES_KEPT; k++)
        e->kept[k].t = NAN;
}

static void keep(backward_equations *e, double t)
{
    size_t bytes = (size_t)pattern_nnz(pattern_of_f(e)) * sizeof(double);
    e->now = &e->kept[e->next];
    e->next = (e->next + 1) % TIMES_KEPT;
    memcpy(e->now->dy, e->of->parts.dy, bytes);
    if (e->n_extra > 0)
        memcpy(e->now->dyp, e->of->parts.dyp, bytes);
    memcpy(e->now->by_y, e->by_y, (size_t)e->n * sizeof *e->by_y);
    memcpy(e->now->y, e->of->y, (size_t)e->n * sizeof *e->by_y);
    e->now->t = t;
}

static equations_at *find(backward_equations *e, double t)
{
    for (int k = 0; k < TIMES_KEPT; k++)
        if (e->kept[k].t == t)
            return &e->kept[k];
    return NULL;
}

void equations_go_to_product(backward_equations *e, double t)
{
    const equations_at *known = e->of->product_lacks_slopes ? find(e, t) : NULL;
    if (known)
        coefficients_place_values(e->of, t, known->y);
    else
        coefficients_go_to_product(e->of, t);
}

static int go_to(backward_equations *e, double t)
{
    equations_at *known = find(e, t);
    if (known) {
        e->now = known;
        return DAEDAL_CALL_OK;
    }
    coefficients_go_to_parts(e->of, t);
    int answer = coefficients_evaluate(e->of);
    if (answer == DAEDAL_CALL_OK)
        answer = functional_by_y(e->g, &e->g->integrand, t, e->of->y, e->by_y);
    if (answer != DAEDAL_CALL_OK)
        return answer;
    equations_compare_columns(e);
    keep(e, t);
    return e->has_changed ? DAEDAL_CALL_STOP : DAEDAL_CALL_OK;
}

/* Columns of A that vary: mu' in the equation of lambda, and the equation of mu. */
static void add_varying_columns(const backward_equations *e, const double *x, const double *xp,
                                double *r)
{
    const daedal_pattern *p = pattern_of_f(e);
    for (int32_t j = 0; j < e->n; j++) {
        int32_t k = e->extra[j];
        double product = 0.0;
        if (k < 0)
            continue;
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            product += e->now->dyp[q] * x[p->row[q]];
        r[e->equation[j]] += xp[e->n + k];
        r[e->n + k] = x[e->n + k] - product;
    }
}

static int residual(double t, const double *x, const double *xp, double *r, void *user)
{
    backward_equations *e = user;
    int answer = go_to(e, t);
    if (answer != DAEDAL_CALL_OK)
        return answer;
    const double *dy = e->now->dy;
    const backward_entry *entry = e->entry; /* in registers: r might be any of them */
    const int32_t *entries_to = e->entries_to;
    int32_t q = 0;
    for (int32_t j = 0; j < e->n; j++) {
        int32_t i = e->equation[j], to = entries_to[j];
        double sum = e->now->by_y[j] + e->diagonal[i] * xp[i];
        for (; q < to; q++)
            sum -= dy[entry[q].place] * x[entry[q].unknown];
        r[i] = sum;
    }
    for (q = 0; q < e->n_leading; q++)
        r[e->leading[q].equation] += e->reference[e->leading[q].place] * xp[e->leading[q].unknown];
    if (e->n_extra > 0)
        add_varying_columns(e, x, xp, r);
    return DAEDAL_CALL_OK;
}

static int jacobian(double t, const double *x, const double *xp, double c, double *values,
                    void *user)
{
    backward_equations *e = user;
    const daedal_pattern *p = pattern_of_f(e);
    (void)x;
    (void)xp;
    int answer = go_to(e, t);
    if (answer != DAEDAL_CALL_OK)
        return answer;
    for (int32_t j = 0; j < e->n; j++) {
        int32_t k = e->extra[j];
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++) {
            values[e->at[q]] = (k < 0 ? c * e->reference[q] : 0.0) - e->now->dy[q];
            if (k >= 0)
                values[e->at_extra[q]] = -e->now->dyp[q];
        }
    }
    for (int32_t k = 0; k < e->n_extra; k++) {
        values[e->at_mu[2 * k]] = c;
        values[e->at_mu[2 * k + 1]] = 1.0;
    }
    return DAEDAL_CALL_OK;
}

void equations_product(const backward_equations *e, const double *x, double *out)
{
    const daedal_pattern *p = pattern_of_f(e);
    for (int32_t j = 0; j < e->n; j++) {
        int32_t k = e->extra[j];
        out[j] = k >= 0 ? x[e->n + k] : 0.0;
        for (int32_t q = p->start[j]; q < p->start[j + 1] && k < 0; q++)
            out[j] += e->reference[q] * x[p->row[q]];
    }
}

/* ---- the description ---- */

static void number_columns(backward_equations *e)
{
    e->n_extra = 0;
    for (int32_t j = 0; j < e->n; j++)
        e->extra[j] = e->is_varying[j] ? e->n_extra++ : -1;
}

/* The row of the only entry of a constant column of A, or -1. */
static int32_t only_row(const backward_equations *e, int32_t j)
{
    const daedal_pattern *p = pattern_of_f(e);
    int32_t row = -1, count = 0;
    for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
        if (e->reference[q] != 0.0) {
            row = p->row[q];
            count++;
        }
    return count == 1 && e->extra[j] < 0 ? row : -1;
}

static void order_equations(backward_equations *e)
{
    bool is_single = true;
    for (int32_t i = 0; i < e->n; i++)
        e->column[i] = -1;
    for (int32_t j = 0; j < e->n && is_single; j++) {
        int32_t i = e->equation[j] = only_row(e, j);
        is_single = i >= 0 && e->column[i] < 0;
        if (is_single)
            e->column[i] = j;
    }
    for (int32_t j = 0; j < e->n && !is_single; j++)
        e->equation[j] = e->column[j] = j;
}

static void list_entries(backward_equations *e)
{
    const daedal_pattern *p = pattern_of_f(e);
    const bool *is_zero = e->of->is_zero;
    e->n_entries = e->n_leading = 0;
    memset(e->diagonal, 0, (size_t)e->n * sizeof *e->diagonal);
    for (int32_t j = 0; j < e->n; e->entries_to[j++] = e->n_entries)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++) {
            backward_entry entry = {q, p->row[q], e->equation[j]};
            if (!is_zero || !is_zero[q])
                e->entry[e->n_entries++] = entry;
            if (e->extra[j] >= 0 || e->reference[q] == 0.0)
                continue;
            if (entry.unknown == entry.equation)
                e->diagonal[entry.equation] = e->reference[q];
            else
                e->leading[e->n_leading++] = entry;
        }
}

/* Columns of the pattern are lambda_i, whose entries are those of row i of F, then the mu. */
static void fill_pattern(backward_equations *e)
{
    const daedal_pattern *p = pattern_of_f(e);
    int32_t *start = e->pattern.start, *row = e->pattern.row, n = e->n;
    for (int32_t j = 0; j < n; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            start[p->row[q] + 1] += e->extra[j] >= 0 ? 2 : 1;
    for (int32_t k = 0; k < e->n_extra; k++)
        start[n + k + 1] = 2;
    for (int32_t i = 0; i < n + e->n_extra; i++)
        start[i + 1] += start[i];
    for (int32_t pass = 0; pass < 2; pass++) /* rows ascend: those of the mu are the last */
        for (int32_t i = 0; i < n; i++) {
            bool is_extra = pass == 1;
            int32_t j = is_extra ? i : e->column[i]; /* mu are numbered by columns */
            for (int32_t q = p->start[j]; q < p->start[j + 1]; q++) {
                if (is_extra && e->extra[j] < 0)
                    continue;
                int32_t place = start[p->row[q]]++;
                row[place] = is_extra ? n + e->extra[j] : i;
                *(is_extra ? &e->at_extra[q] : &e->at[q]) = place;
            }
        }
    for (int32_t j = 0; j < n; j++)
        if (e->extra[j] >= 0) {
            int32_t k = e->extra[j];
            e->at_mu[2 * k] = start[n + k]++;
            e->at_mu[2 * k + 1] = start[n + k]++;
            row[e->at_mu[2 * k]] = e->equation[j];
            row[e->at_mu[2 * k + 1]] = n + k;
        }
    for (int32_t i = n + e->n_extra; i > 0; i--) /* undo the shift of the fill above */
        start[i] = start[i - 1];
    start[0] = 0;
}

/* Of the entries in front of lambda' and mu'. */
static bool fill_dyp(backward_equations *e, const daedal_allocator *a)
{
    const daedal_pattern *p = pattern_of_f(e);
    int32_t *start, n = e->n, all = n + e->n_extra;
    if (!pattern_create(&e->dyp, all, all, pattern_nnz(p) + e->n_extra, a))
        return false;
    start = e->dyp.start;
    for (int32_t j = 0; j < n; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            start[p->row[q] + 1] += e->extra[j] < 0 && e->reference[q] != 0.0;
    for (int32_t k = 0; k < e->n_extra; k++)
        start[n + k + 1] = 1;
    for (int32_t i = 0; i < all; i++)
        start[i + 1] += start[i];
    for (int32_t i = 0; i < n; i++) {
        int32_t j = e->column[i];
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            if (e->extra[j] < 0 && e->reference[q] != 0.0)
                e->dyp.row[start[p->row[q]]++] = i;
        if (e->extra[j] >= 0)
            e->dyp.row[start[n + e->extra[j]]++] = i;
    }
    for (int32_t i = all; i > 0; i--)
        start[i] = start[i - 1];
    start[0] = 0;
    return true;
}

bool equations_describe(backward_equations *e, daedal_system *sys)
{
    const daedal_pattern *p = pattern_of_f(e);
    const daedal_allocator *a = e->mem.allocator;
    number_columns(e);
    order_equations(e);
    list_entries(e);
    int32_t all = e->n + e->n_extra, nnz = pattern_nnz(p) + 2 * e->n_extra;
    for (int32_t j = 0; j < e->n; j++)
        nnz += e->extra[j] >= 0 ? p->start[j + 1] - p->start[j] : 0;
    pattern_free(&e->pattern);
    pattern_free(&e->dyp);
    e->has_changed = false;
    equations_forget(e);
    if (!pattern_create(&e->pattern, all, all, nnz, a) || !fill_dyp(e, a))
        return false;
    fill_pattern(e);
    *sys = (daedal_system){.n = all,
                           .residual = residual,
                           .jacobian = jacobian,
                           .pattern = &e->pattern.view,
                           .dyp_pattern = &e->dyp.view,
                           .user = e};
    return true;
}
