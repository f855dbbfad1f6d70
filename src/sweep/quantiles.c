/* sweep/quantiles.c - see quantiles.h. */
#include "sweep/quantiles.h"

#include <math.h>

static void swap(double *a, double *b)
{
    double kept = *a;
    *a = *b;
    *b = kept;
}

/* Move NaN behind the others; the number of the others. */
static size_t leave_out_nan(double *v, size_t n)
{
    size_t left = 0;
    for (size_t i = 0; i < n; i++)
        if (!isnan(v[i]))
            swap(&v[left++], &v[i]);
    return left;
}

/* Reorder v[low .. high) so that v[k] is the value that sorting would put there, with none larger
 * in front and none smaller behind it (Hoare's selection).                            */
static void select_value(double *v, size_t low, size_t high, size_t k)
{
    while (high - low > 1) {
        double pivot = v[low + (high - 1 - low) / 2]; /* never the last of two or more */
        size_t i = low, j = high - 1;
        for (;;) {
            while (v[i] < pivot)
                i++;
            while (v[j] > pivot)
                j--;
            if (i >= j)
                break;
            swap(&v[i++], &v[j--]);
        }
        if (k <= j)
            high = j + 1;
        else
            low = j + 1;
    }
}

void quantiles_find(double *values, size_t n, const double *levels, size_t n_levels,
                    double *quantiles)
{
    size_t known = leave_out_nan(values, n), low = 0;
    for (size_t q = 0; q < n_levels; q++) {
        if (known == 0) {
            quantiles[q] = NAN;
            continue;
        }
        double place = levels[q] * (double)(known - 1);
        size_t k = (size_t)floor(place);
        select_value(values, low, known, k);
        double next = values[k];
        if (k + 1 < known) {
            select_value(values, k + 1, known, k + 1);
            next = values[k + 1];
        }
        double share = place - (double)k;
        quantiles[q] = share > 0.0 ? values[k] + share * (next - values[k]) : values[k];
        low = k;
    }
}
