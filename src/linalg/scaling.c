/* linalg/scaling.c - see scaling.h. */
#include "linalg/scaling.h"

#include <math.h>
#include <string.h>

#include "linalg/vector.h"

void scaling_largest_of_rows(const double *a, int32_t n_rows, int32_t n_cols, double *largest)
{
    for (int32_t j = 0; j < n_cols; j++, a += n_rows)
        for (int32_t i = 0; i < n_rows; i++)
            largest[i] = fmax(largest[i], fabs(a[i]));
}

void scaling_multiply_rows(double *a, int32_t n_rows, int32_t n_cols, const double *row)
{
    for (int32_t j = 0; j < n_cols; j++, a += n_rows)
        for (int32_t i = 0; i < n_rows; i++)
            a[i] *= row[i];
}

void scaling_rows_then_columns(double *a, int32_t n_rows, int32_t n_cols, double *row,
                               double *column)
{
    memset(row, 0, (size_t)n_rows * sizeof *row);
    scaling_largest_of_rows(a, n_rows, n_cols, row);
    for (int32_t i = 0; i < n_rows; i++)
        row[i] = scaling_factor(row[i]);
    scaling_multiply_rows(a, n_rows, n_cols, row);
    for (int32_t j = 0; j < n_cols; j++, a += n_rows) {
        column[j] = scaling_factor(vector_max_abs(a, n_rows));
        for (int32_t i = 0; i < n_rows; i++)
            a[i] *= column[j];
    }
}

/* ---- square roots of the largest entries ---- */

static const double AT_REST = 1e-7; /* how far factors of the last sweep are from one, at most */

static double root_factor(double largest)
{
    return largest > 0.0 ? 1.0 / sqrt(largest) : 1.0;
}

static void fill_with_ones(double *v, int32_t n)
{
    for (int32_t k = 0; k < n && v; k++)
        v[k] = 1.0;
}

void scaling_by_roots(double *a, int32_t n_rows, int32_t n_cols, int sweeps, double *row,
                      double *work)
{
    size_t cols = (size_t)n_cols;
    fill_with_ones(row, n_rows);
    for (int sweep = 0; sweep < sweeps; sweep++) {
        memset(work, 0, cols * sizeof *work);
        for (size_t i = 0; i < (size_t)n_rows; i++) {
            double factor = root_factor(vector_max_abs(a + i * cols, n_cols));
            if (row)
                row[i] *= factor;
            for (size_t j = 0; j < cols; j++) {
                a[i * cols + j] *= factor;
                work[j] = fmax(work[j], fabs(a[i * cols + j]));
            }
        }
        for (size_t j = 0; j < cols; j++)
            work[j] = root_factor(work[j]);
        for (size_t i = 0; i < (size_t)n_rows; i++)
            for (size_t j = 0; j < cols; j++)
                a[i * cols + j] *= work[j];
    }
}

void scaling_by_roots_sparse(const daedal_pattern *p, double *values, int sweeps, double *row,
                             double *column, double *work)
{
    int32_t nnz = pattern_nnz(p);
    double change = HUGE_VAL; /* the largest factor of a sweep, or its inverse */
    fill_with_ones(row, p->n_rows);
    fill_with_ones(column, p->n_cols);
    for (int sweep = 0; sweep < sweeps && change > 1.0 + AT_REST; sweep++) {
        change = 1.0;
        memset(work, 0, (size_t)p->n_rows * sizeof *work);
        for (int32_t q = 0; q < nnz; q++)
            work[p->row[q]] = larger_of(work[p->row[q]], fabs(values[q]));
        for (int32_t i = 0; i < p->n_rows; i++) {
            work[i] = root_factor(work[i]);
            change = larger_of(change, larger_of(work[i], 1.0 / work[i]));
            if (row)
                row[i] *= work[i];
        }
        for (int32_t q = 0; q < nnz; q++)
            values[q] *= work[p->row[q]];
        for (int32_t j = 0; j < p->n_cols; j++) {
            int32_t first = p->start[j], count = p->start[j + 1] - first;
            double factor = root_factor(vector_max_abs(values + first, count));
            change = larger_of(change, larger_of(factor, 1.0 / factor));
            if (column)
                column[j] *= factor;
            for (int32_t q = first; q < first + count; q++)
                values[q] *= factor;
        }
    }
}

/* ---- least and largest entries evenly around one ---- */

/* The factor for the entries at `at`, at + step, ... */
static double middle_factor(const double *at, size_t n, size_t step)
{
    double least = HUGE_VAL, most = 0.0;
    for (size_t k = 0; k < n; k++) {
        double v = fabs(at[k * step]);
        most = fmax(most, v);
        least = v > 0.0 ? fmin(least, v) : least;
    }
    return most > 0.0 ? 1.0 / (sqrt(least) * sqrt(most)) : 1.0;
}

void scaling_to_middle(double *a, int32_t n_rows, int sweeps)
{
    size_t n = (size_t)n_rows;
    for (int sweep = 0; sweep < sweeps; sweep++)
        for (size_t i = 0; i < n; i++) {
            double factor = middle_factor(a + i * n, n, 1);
            for (size_t k = 0; k < n; k++)
                a[i * n + k] *= factor;
            factor = middle_factor(a + i, n, n);
            for (size_t k = 0; k < n; k++)
                a[k * n + i] *= factor;
        }
}
