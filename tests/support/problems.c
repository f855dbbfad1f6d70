/* support/problems.c - the table over all groups, and how ends are judged.
 * Depends on: support/problems.h.                                                 */
#include "problems.h"

#include <math.h>
#include <string.h>

typedef const problem *group_fn(int i);

static group_fn *const groups[] = {
    problems_kinetics, problems_circuits, problems_mechanics,  problems_andrews,
    problems_analytic, problems_heat,     problems_medakzo,    problems_fekete,
    problems_water,    problems_crank,    problems_high_index,
};

enum { N_GROUPS = sizeof groups / sizeof groups[0] };

const problem *problem_at(int i)
{
    for (int g = 0; i >= 0 && g < N_GROUPS; g++) {
        int size = 0;
        while (groups[g](size))
            size++;
        if (i < size)
            return groups[g](i);
        i -= size;
    }
    return NULL;
}

int problem_count(void)
{
    int n = 0;
    while (problem_at(n))
        n++;
    return n;
}

const problem *problem_find(const char *name)
{
    for (int g = 0; g < N_GROUPS; g++) {
        const problem *p;
        for (int i = 0; (p = groups[g](i)) != NULL; i++)
            if (strcmp(p->name, name) == 0)
                return p;
    }
    return NULL;
}

double problem_atol(const problem *p, int32_t i, double tol)
{
    return tol * (p->atol_factors ? p->atol_factors[i] : p->atol_factor);
}

bool problem_is_differential(const problem *p, int32_t i)
{
    return !p->kind || p->kind[i] == DAEDAL_DIFFERENTIAL;
}

double problem_digits(const problem *p, const double *y)
{
    const int32_t count = p->counted.n > 0 ? p->counted.n : p->n;
    double worst = 0.0, largest = 0.0;
    for (int32_t k = 0; k < count; k++) {
        const int32_t i = p->counted.n > 0 ? p->counted.at[k] : k;
        const double size = fabs(p->reference[i]);
        double error = fabs(y[i] - p->reference[i]);
        if (!isfinite(error))
            return NAN;
        if (p->norm == DIGITS_RELATIVE)
            error /= size;
        worst = fmax(worst, error);
        largest = fmax(largest, size);
    }
    if (p->norm == DIGITS_MAX_NORM)
        worst /= largest;
    return worst > 1e-17 ? -log10(worst) : 17.0;
}

double problem_error(const problem *p, const double *y, double tol)
{
    double sum = 0.0;
    for (int32_t i = 0; i < p->n; i++) {
        const double weight = tol * fabs(p->reference[i]) + problem_atol(p, i, tol);
        const double scaled = (y[i] - p->reference[i]) / weight;
        sum += scaled * scaled;
    }
    return sqrt(sum / (double)p->n);
}
