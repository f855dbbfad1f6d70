/* sweep/sampling_plan.c - see sampling_plan.h. */
#include "sweep/sampling_plan.h"

#include <assert.h>
#include <math.h>

#include "base/random.h"

static const double BELOW_ONE = 1.0 - 0x1p-53; /* the largest number below 1 */

/* ---- all combinations ---- */

int64_t sampling_grid_size(const sampling_plan *p)
{
    int64_t n = 1;
    for (int32_t j = 0; j < p->n_varied; j++) {
        if (n > INT64_MAX / p->varied[j].n)
            return -1;
        n *= p->varied[j].n;
    }
    return n;
}

void sampling_grid(const sampling_plan *p, double *values)
{
    for (int64_t i = 0; i < p->n_runs; i++) {
        int64_t rest = i;
        for (int32_t j = p->n_varied; j-- > 0; rest /= p->varied[j].n)
            values[i * p->n_varied + j] = variation_at(&p->varied[j], rest % p->varied[j].n);
    }
}

/* The random number of one parameter and run. */
static double random_number(const sampling_plan *p, int32_t j, int64_t i)
{
    return random_unit(random_bits_at(p->seed, (uint32_t)j, (uint64_t)i));
}

/* ---- Latin hypercube: each parameter has one value in each of n equal parts ---- */

/* The bits decide to which of 0 .. n - 1 an element goes; the bias is below n / 2^64. */
static int64_t below(uint64_t bits, int64_t n)
{
    return (int64_t)(bits % (uint64_t)n);
}

static void permute(const sampling_plan *p, int32_t j, int64_t *order)
{
    uint32_t stream = (uint32_t)(p->n_varied + j);
    for (int64_t i = 0; i < p->n_runs; i++)
        order[i] = i;
    for (int64_t i = p->n_runs - 1; i > 0; i--) {
        int64_t k = below(random_bits_at(p->seed, stream, (uint64_t)i), i + 1), kept = order[i];
        order[i] = order[k];
        order[k] = kept;
    }
}

static bool latin_hypercube(const sampling_plan *p, double *values, const daedal_allocator *a)
{
    int64_t *order = memory_take_array(a, (size_t)p->n_runs, sizeof *order);
    if (!order)
        return false;
    for (int32_t j = 0; j < p->n_varied; j++) {
        permute(p, j, order);
        for (int64_t i = 0; i < p->n_runs; i++) {
            double u = ((double)order[i] + random_number(p, j, i)) / (double)p->n_runs;
            values[i * p->n_varied + j] = variation_sample(&p->varied[j], fmin(u, BELOW_ONE));
        }
    }
    memory_give(a, order, (size_t)p->n_runs * sizeof *order);
    return true;
}

/* ---- Sobol's sequence ---- */

enum { SOBOL_BITS = 32, SOBOL_DEGREE = 7 };

/* A primitive polynomial over the integers modulo 2, without its first and last term, and the first
 * direction numbers, as many as its degree.                                      */
typedef struct sobol_row {
    uint32_t degree, polynomial, first[SOBOL_DEGREE];
} sobol_row;

/* [JK08], the first rows of new-joe-kuo-6; the first parameter needs none. */
static const sobol_row sobol_rows[SOBOL_DIMENSIONS - 1] = {
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
    {7, 7, {1, 1, 3, 13, 7, 35, 63}},
    {7, 8, {1, 3, 5, 9, 1, 25, 53}},
    {7, 14, {1, 3, 1, 13, 9, 35, 107}},
    {7, 19, {1, 3, 1, 5, 27, 61, 31}},
    {7, 21, {1, 1, 5, 11, 19, 41, 61}},
    {7, 28, {1, 3, 5, 3, 3, 13, 69}},
    {7, 31, {1, 1, 7, 13, 1, 19, 1}},
    {7, 32, {1, 3, 7, 5, 13, 19, 59}},
    {7, 37, {1, 1, 3, 9, 25, 29, 41}},
    {7, 41, {1, 3, 5, 13, 23, 1, 55}},
    {7, 42, {1, 3, 7, 3, 13, 59, 17}},
};

/* The direction numbers of parameter j, by the recurrence of [BF88]. */
static void find_directions(int32_t j, uint32_t direction[SOBOL_BITS])
{
    static const sobol_row van_der_corput = {0, 0, {0}};
    const sobol_row *row = j > 0 ? &sobol_rows[j - 1] : &van_der_corput;
    uint32_t s = row->degree;
    for (uint32_t k = 0; k < SOBOL_BITS; k++) {
        if (k < s || s == 0) {
            direction[k] = (s ? row->first[k] : 1u) << (SOBOL_BITS - 1 - k);
            continue;
        }
        direction[k] = direction[k - s] ^ direction[k - s] >> s;
        for (uint32_t i = 1; i < s; i++)
            if (row->polynomial >> (s - 1 - i) & 1u)
                direction[k] ^= direction[k - i];
    }
}

/* The points are shifted digit by digit with random bits, so that they depend on the seed and none
 * lies on the boundary; their even distribution is kept.                          */
static void sobol(const sampling_plan *p, double *values)
{
    uint32_t direction[SOBOL_BITS];
    for (int32_t j = 0; j < p->n_varied; j++) {
        uint64_t shift = random_bits_at(p->seed, (uint32_t)j, 0);
        find_directions(j, direction);
        for (int64_t i = 0; i < p->n_runs; i++) {
            uint64_t gray = (uint64_t)i ^ (uint64_t)i >> 1, x = 0;
            for (uint32_t k = 0; k < SOBOL_BITS; k++)
                x ^= gray >> k & 1u ? direction[k] : 0u;
            double u = random_unit((x << SOBOL_BITS) ^ shift);
            values[i * p->n_varied + j] = variation_sample(&p->varied[j], u);
        }
    }
}

/* ---- samples ---- */

bool sampling_samples(const sampling_plan *p, double *values, const daedal_allocator *allocator)
{
    if (p->kind == SAMPLING_LATIN)
        return latin_hypercube(p, values, allocator);
    if (p->kind == SAMPLING_SOBOL) {
        assert(p->n_varied <= SOBOL_DIMENSIONS && p->n_runs <= INT64_C(1) << SOBOL_BITS);
        sobol(p, values);
        return true;
    }
    for (int64_t i = 0; i < p->n_runs; i++)
        for (int32_t j = 0; j < p->n_varied; j++)
            values[i * p->n_varied + j] = variation_sample(&p->varied[j], random_number(p, j, i));
    return true;
}
