/* tests/soak/fit_coverage.c - how often the confidence intervals of a fit contain the truth.
 *
 *     fit_coverage [COUNT [FIRST_SEED]]
 * Robertson's three rate constants from 30 rows of all three variables with errors of one percent
 * of their largest values, COUNT (50) times with other errors.  95 % intervals should contain each
 * constant in about 95 % of the fits; the program fails where they do so in a share that is further
 * away than four standard deviations of such a count, or where a fit does not converge.     */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "daedal.h"

enum { ROWS = 30, VARIABLES = 3, CONSTANTS = 3 };

static const char reaction[] =
    "model Robertson\n"
    "  parameter Real k1 = 0.04, k2 = 1e4, k3 = 3e7;\n"
    "  Real y1(start = 1, fixed = true), y2(start = 0, fixed = true, nominal = 1e-5), y3;\n"
    "equation\n"
    "  der(y1) = -k1*y1 + k2*y2*y3;\n"
    "  der(y2) = k1*y1 - k2*y2*y3 - k3*y2^2;\n"
    "  y1 + y2 + y3 = 1;\n"
    "end Robertson;\n";
static const double truth[CONSTANTS] = {0.04, 1e4, 3e7};

typedef struct study {
    daedal_model *model;
    int32_t variables[VARIABLES], constants[CONSTANTS];
    double times[ROWS], exact[VARIABLES * ROWS], data[VARIABLES * ROWS];
    int row;
    int hits[CONSTANTS], failures;
} study;

static int keep_row(daedal_row_kind kind, double t, const double *values, void *user)
{
    study *s = user;
    (void)t;
    if (kind != DAEDAL_ROW_POINT)
        return DAEDAL_CALL_OK;
    for (int j = 0; j < VARIABLES; j++)
        s->exact[j * ROWS + s->row] = values[s->variables[j]];
    s->row++;
    return DAEDAL_CALL_OK;
}

static bool prepare(study *s)
{
    static const char *const names[] = {"y1", "y2", "y3", "k1", "k2", "k3"};
    char message[400];
    daedal_options o;
    if (daedal_model_parse(&s->model, "robertson", reaction, strlen(reaction), NULL, message,
                           sizeof message) < 0) {
        puts(message);
        return false;
    }
    for (int j = 0; j < 3; j++) {
        s->variables[j] = daedal_model_find(s->model, names[j]);
        s->constants[j] = daedal_model_find(s->model, names[3 + j]);
    }
    for (int i = 0; i < ROWS; i++)
        s->times[i] = pow(10.0, -4.0 + 8.0 * i / (ROWS - 1));
    daedal_options_defaults(&o);
    o.rtol = 1e-9;
    o.atol = 1e-12;
    daedal_simulation how = {.t_stop = s->times[ROWS - 1],
                             .times = {s->times, ROWS},
                             .no_event_rows = 1,
                             .options = &o,
                             .scale_atol = 1,
                             .row = keep_row,
                             .row_user = s};
    return daedal_model_simulate(s->model, &how, NULL) >= 0 && s->row == ROWS;
}

/* Normally distributed, by the method of Box and Muller. */
static double random_normal(uint64_t *state)
{
    double u = random_uniform(state, 0x1p-24, 1.0), v = random_uniform(state, 0.0, 1.0);
    return sqrt(-2.0 * log(u)) * cos(2.0 * 3.14159265358979324 * v);
}

static void make_data(study *s, uint64_t seed)
{
    uint64_t state = seed * 0x9e3779b97f4a7c15u;
    for (int j = 0; j < VARIABLES; j++) {
        double largest = 0.0;
        for (int i = 0; i < ROWS; i++)
            largest = fmax(largest, fabs(s->exact[j * ROWS + i]));
        for (int i = 0; i < ROWS; i++)
            s->data[j * ROWS + i] = s->exact[j * ROWS + i] + 0.01 * largest * random_normal(&state);
    }
}

static void fit_once(study *s, uint64_t seed)
{
    daedal_unknown unknowns[CONSTANTS];
    daedal_fit_result *r;
    daedal_diagnosis why;
    make_data(s, seed);
    for (int j = 0; j < CONSTANTS; j++)
        unknowns[j] = (daedal_unknown){s->constants[j], truth[j] * (j % 2 ? 0.5 : 2.0),
                                       0.01 * truth[j], 100.0 * truth[j]};
    daedal_experiment x = {
        .times = {s->times, ROWS}, .measured = {s->variables, VARIABLES}, .values = s->data};
    daedal_fit f = {.unknowns = unknowns,
                    .n_unknowns = CONSTANTS,
                    .experiments = &x,
                    .n_experiments = 1,
                    .scale_atol = 1};
    if (daedal_model_fit(s->model, &f, &r, &why) < 0 || !r->has_converged) {
        printf("seed %llu: %s\n", (unsigned long long)seed, r ? r->message : why.message);
        s->failures++;
    }
    for (int j = 0; j < CONSTANTS && r; j++)
        s->hits[j] += r->estimates[j].low <= truth[j] && truth[j] <= r->estimates[j].high;
    daedal_fit_result_free(r);
}

int main(int argc, char **argv)
{
    static study s;
    int count = argc > 1 ? atoi(argv[1]) : 50;
    uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    if (count < 1 || !prepare(&s))
        return 2;
    for (int k = 0; k < count; k++)
        fit_once(&s, first + (uint64_t)k);
    bool fine = s.failures == 0;
    for (int j = 0; j < CONSTANTS; j++) {
        double share = (double)s.hits[j] / count;
        fine &= fabs(share - 0.95) <= 4.0 * sqrt(0.95 * 0.05 / count);
        printf("k%d in its interval in %.1f %% of %d fits\n", j + 1, 100.0 * share, count);
    }
    daedal_model_free(s.model);
    return fine ? 0 : 1;
}
