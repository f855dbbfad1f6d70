/* library/matrix_functions.c - see function_table.h: systems of linear equations.
 *
 * These functions are written in Fortran in the Modelica library.  Matrices of numbers are
 * treated at once; with variables in them they are calls at run time, whose arguments are the
 * matrix by rows, then the right sides by rows. */
#include "library/function_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ORDER_MAX = 500 }; /* of a matrix, so that its number of rows and columns fits the code */

/* ---- computing with numbers ---- */

static void swap_rows(double *a, size_t n, size_t i, size_t k)
{
    for (size_t j = 0; j < n && i != k; j++) {
        double x = a[i * n + j];
        a[i * n + j] = a[k * n + j];
        a[k * n + j] = x;
    }
}

/* Gaussian elimination with partial pivoting; the number of the first pivot that is zero, or 0. */
static size_t solve_square(double *a, double *b, size_t n, size_t m)
{
    for (size_t k = 0; k < n; k++) {
        size_t best = k;
        for (size_t i = k + 1; i < n; i++)
            if (fabs(a[i * n + k]) > fabs(a[best * n + k]))
                best = i;
        if (a[best * n + k] == 0.0)
            return k + 1;
        swap_rows(a, n, k, best);
        swap_rows(b, m, k, best);
        for (size_t i = k + 1; i < n; i++) {
            double factor = a[i * n + k] / a[k * n + k];
            for (size_t j = k; j < n; j++)
                a[i * n + j] -= factor * a[k * n + j];
            for (size_t j = 0; j < m; j++)
                b[i * m + j] -= factor * b[k * m + j];
        }
    }
    for (size_t k = n; k-- > 0;)
        for (size_t j = 0; j < m; j++) {
            for (size_t i = k + 1; i < n; i++)
                b[k * m + j] -= a[k * n + i] * b[i * m + j];
            b[k * m + j] /= a[k * n + k];
        }
    return 0;
}

/* Outputs: the solution by rows, info. */
int matrix_solve_compute(int64_t code, const double *args, double *outputs)
{
    size_t n = (size_t)(code / (ORDER_MAX + 1)), m = (size_t)(code % (ORDER_MAX + 1));
    double *a = malloc((n * n + n * m + 1) * sizeof *a);
    if (!a)
        return -1;
    memcpy(a, args, (n * n + n * m) * sizeof *a);
    size_t info = solve_square(a, a + n * n, n, m);
    memcpy(outputs, a + n * n, n * m * sizeof *a);
    outputs[n * m] = (double)info;
    free(a);
    return 0;
}

/* ---- calls ---- */

static bool matrix_sizes(library_site *s, size_t *n, size_t *c, size_t *m)
{
    value a = s->arg[0], b = s->arg[1];
    if (!library_vector(s, 0, 2))
        return false;
    *n = (size_t)a.type.dim[0];
    *c = (size_t)a.type.dim[1];
    *m = b.type.n_dims == 2 ? (size_t)b.type.dim[1] : 1;
    if (b.type.n_dims < 1 || (size_t)b.type.dim[0] != *n || *n > ORDER_MAX || *m > ORDER_MAX)
        return context_error(s->in, s->call->at, "%s: %s does not fit to %s", s->entry->name,
                             type_text(s->in, b.type), type_text(s->in, a.type))
            .n;
    return true;
}

static bool result_like(library_site *s, const expr *e, size_t n, size_t m, bool is_vector)
{
    int32_t dim[2] = {(int32_t)n, (int32_t)m};
    value v = value_new(s->in, type_array(type_scalar(T_REAL), is_vector ? 1 : 2, dim));
    for (size_t i = 0; !is_bad(v) && i < v.n; i++)
        v.e[i] = e[i];
    return library_result(s, v);
}

/* dgesv: A x = b */
static bool run_solve(library_site *s)
{
    size_t n, c, m;
    if (!matrix_sizes(s, &n, &c, &m))
        return false;
    if (c != n)
        return context_error(s->in, s->call->at, "the matrix is not square").n;
    size_t n_args = n * n + n * m;
    expr *args = arena_take(s->in->mem, n_args + 1, sizeof *args);
    expr *outputs = arena_take(s->in->mem, n * m + 1, sizeof *outputs);
    if (!args || !outputs)
        return false;
    memcpy(args, s->arg[0].e, n * n * sizeof *args);
    memcpy(args + n * n, s->arg[1].e, n * m * sizeof *args);
    int64_t code = LIBRARY_SOLVE + (int64_t)n * (ORDER_MAX + 1) + (int64_t)m;
    if (!library_invoke(s, code, args, (uint32_t)n_args, outputs, (uint32_t)(n * m + 1)))
        return false;
    value info = value_number(s->in, T_INTEGER, 0.0);
    info.e[0] = outputs[n * m];
    return result_like(s, outputs, n, m, s->arg[1].type.n_dims == 1) && library_result(s, info);
}

const library_entry library_matrices[] = {
    {"Modelica.Math.Matrices.LAPACK.dgesv_vec", "A b", .run = run_solve},
    {"Modelica.Math.Matrices.LAPACK.dgesv", "A B", .run = run_solve},
};
const size_t n_library_matrices = sizeof library_matrices / sizeof *library_matrices;
