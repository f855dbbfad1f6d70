/* cli/influence.c - see influence.h. */
#include "influence.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "messages.h"

static double derivative(const influence_data *d, size_t row, int32_t j, int32_t i)
{
    size_t place = (size_t)d->n_variables + (size_t)j * (size_t)d->n_parameters + (size_t)i;
    return d->value[i] * trajectory_value(d->table, row, place);
}

static double largest_size(const influence_data *d, int32_t j)
{
    double size = 0.0;
    for (size_t k = 0; k < d->table->n_rows; k++)
        size = fmax(size, fabs(trajectory_value(d->table, k, (size_t)j)));
    return size;
}

/* A variable that is always zero has the influences as they are. */
static influence measure(const influence_data *d, int32_t j, int32_t i, double size)
{
    influence found = {.variable = j, .parameter = i, .at = NAN};
    double unit = size > 0.0 ? size : 1.0;
    for (size_t k = 0; k < d->table->n_rows; k++) {
        found.end = derivative(d, k, j, i) / unit;
        if (fabs(found.end) > found.largest || k == 0) {
            found.largest = fabs(found.end);
            found.at = trajectory_time(d->table, k);
        }
    }
    return found;
}

static int by_size(const void *a, const void *b)
{
    const influence *x = a, *y = b;
    if (x->largest != y->largest)
        return x->largest < y->largest ? 1 : -1;
    return x->parameter - y->parameter;
}

static void order_parameters(influence_ranking *r, int32_t n)
{
    for (int32_t i = 0; i < n; i++) {
        int32_t k = i;
        for (; k > 0 && r->overall[r->order[k - 1]] < r->overall[i]; k--)
            r->order[k] = r->order[k - 1];
        r->order[k] = i;
    }
}

void influence_rank(influence_ranking *r, const influence_data *d)
{
    size_t m = (size_t)d->n_variables, n = (size_t)d->n_parameters;
    r->pair = must_resize(NULL, m * n + 1, sizeof *r->pair);
    r->overall = must_resize(NULL, n + 1, sizeof *r->overall);
    r->order = must_resize(NULL, n + 1, sizeof *r->order);
    r->largest_size = must_resize(NULL, m + 1, sizeof *r->largest_size);
    memset(r->overall, 0, n * sizeof *r->overall);
    for (int32_t j = 0; j < d->n_variables; j++) {
        influence *pair = r->pair + (size_t)j * n;
        r->largest_size[j] = largest_size(d, j);
        for (int32_t i = 0; i < d->n_parameters; i++) {
            pair[i] = measure(d, j, i, r->largest_size[j]);
            r->overall[i] += pair[i].largest * pair[i].largest / (double)m;
        }
        qsort(pair, n, sizeof *pair, by_size);
    }
    for (size_t i = 0; i < n; i++)
        r->overall[i] = sqrt(r->overall[i]);
    order_parameters(r, d->n_parameters);
}

void influence_free(influence_ranking *r)
{
    free(r->pair);
    free(r->overall);
    free(r->order);
    free(r->largest_size);
    *r = (influence_ranking){0};
}

/* ---- curves ---- */

static daedal_status add_curve(trajectory *to, const influence_data *d, const influence *of,
                               daedal_diagnosis *why)
{
    const char *y = d->table->columns[of->variable].name, *p = d->parameter[of->parameter];
    size_t size = strlen(y) + strlen(p) + 8;
    char *name = must_resize(NULL, size, 1);
    snprintf(name, size, "%s by %s", y, p);
    daedal_status status = trajectory_add_stored(to, &(column){.name = name}, why);
    free(name);
    return status;
}

static daedal_status add_rows(trajectory *to, const influence_data *d, const double *size,
                              const influence *pair, size_t n, daedal_diagnosis *why)
{
    double *row = must_resize(NULL, n + 1, sizeof *row);
    daedal_status status = DAEDAL_OK;
    for (size_t k = 0; k < d->table->n_rows && status >= 0; k++) {
        for (size_t q = 0; q < n; q++) {
            int32_t j = pair[q].variable;
            row[q] = derivative(d, k, j, pair[q].parameter) / (size[j] > 0.0 ? size[j] : 1.0);
        }
        status = trajectory_append(to, trajectory_time(d->table, k), row, why);
    }
    free(row);
    return status;
}

daedal_status influence_curves(trajectory *to, const influence_ranking *r, const influence_data *d,
                               int32_t most, daedal_diagnosis *why)
{
    size_t all = (size_t)d->n_variables * (size_t)d->n_parameters;
    size_t n = all < (size_t)most ? all : (size_t)most;
    influence *pair = must_resize(NULL, all + 1, sizeof *pair);
    daedal_status status = DAEDAL_OK;
    memcpy(pair, r->pair, all * sizeof *pair);
    qsort(pair, all, sizeof *pair, by_size);
    trajectory_create(to, NULL, 0);
    for (size_t q = 0; q < n && status >= 0; q++)
        status = add_curve(to, d, &pair[q], why);
    if (status >= 0)
        status = add_rows(to, d, r->largest_size, pair, n, why);
    free(pair);
    return status;
}
