/* tests/property/test_index_random.c - the index of random systems of known index 0 to 6.
 *
 * A canonical form in z (blocks z_1 = g, z_k = z_{k-1}' + g of some sizes, and differential
 * equations) is hidden: z = x + a combination of other x, equations get multiples of others
 * added, both are permuted.  The index does not change: it is the size of the largest block,
 * and the degrees of freedom are the differential equations.
 *
 * In the canonical form equation i is differentiated c_i times and z_j appears up to its
 * derivative d_j; the system of the highest derivatives stays regular, so that the structure
 * tells the truth, if x_j joins z_i for d_j >= d_i and equation l joins equation i for
 * c_l >= c_i only [Pry01].  The other transformations mislead it and are counted apart. */
#include <math.h>
#include <stdio.h>

#include "modelling.h"
#include "seeded.h"

enum {
    MOST = 24,
    TERMS = 3,
    SYSTEMS = SANITIZED ? 40 : 200,
    MISLEADING = SANITIZED ? 20 : 60,
    VARYING = SANITIZED ? 21 : 63
};

typedef enum disguise { CONSTANT, OF_TIME, NONLINEAR, N_DISGUISES } disguise;

/* One x (or equation) that joins another. */
typedef struct term {
    int32_t of;
    disguise how;
    double factor;
} term;

typedef struct hidden_algebraic {
    seeded *random;
    int32_t n, n_states, index;
    int32_t c[MOST], d[MOST];
    int32_t before[MOST]; /* the z whose derivative stands in equation i; -1: none */
    int32_t name[MOST];   /* the number under which x_i is known                   */
    int32_t n_terms[MOST], n_rows[MOST];
    term terms[MOST][TERMS], rows[MOST][TERMS];
    bool mislead;
} hidden;

/* ---- the canonical form ---- */

static void add_block(hidden *s, int32_t size)
{
    for (int32_t k = 0; k < size; k++) {
        int32_t i = s->n++;
        s->c[i] = s->d[i] = size - 1 - k;
        s->before[i] = k ? i - 1 : -1;
    }
}

static void add_states(hidden *s, int32_t count)
{
    s->n_states = count;
    for (int32_t k = 0; k < count; k++) {
        int32_t i = s->n++;
        s->c[i] = 0;
        s->d[i] = 1;
        s->before[i] = i;
    }
}

static void choose_form(hidden *s, int32_t index)
{
    s->index = index;
    if (index > 0)
        add_block(s, index);
    for (int32_t k = seeded_int(s->random, 0, 2); k > 0 && index > 0; k--)
        add_block(s, seeded_int(s->random, 1, index));
    add_states(s, seeded_int(s->random, index == 0, 5));
}

/* ---- the disguise ---- */

static term random_term(hidden *s, int32_t of, disguise most)
{
    term t = {.of = of, .how = (disguise)seeded_int(s->random, 0, (int32_t)most)};
    t.factor = seeded_sign(s->random) * seeded_uniform(s->random, 0.2, 0.9);
    t.factor = round(1000.0 * t.factor) / 1000.0; /* as it is written */
    return t;
}

/* j may join i: unit triangular in the order of (level, number), hence invertible. */
static bool may_join(const hidden *s, const int32_t *level, int32_t i, int32_t j)
{
    if (level[i] != level[j])
        return s->mislead ? level[j] < level[i] : level[j] > level[i];
    return j < i;
}

static void choose_terms(hidden *s, const int32_t *level, disguise most, term list[][TERMS],
                         int32_t *count)
{
    for (int32_t i = 0; i < s->n; i++) {
        count[i] = 0;
        for (int32_t k = seeded_int(s->random, 0, 2 * TERMS); k > 0 && count[i] < TERMS; k--) {
            int32_t j = seeded_int(s->random, 0, s->n - 1);
            bool known = !may_join(s, level, i, j);
            for (int32_t q = 0; q < count[i]; q++)
                known = known || list[i][q].of == j;
            if (!known)
                list[i][count[i]++] = random_term(s, j, most);
        }
    }
}

static void choose_names(hidden *s)
{
    for (int32_t i = 0; i < s->n; i++)
        s->name[i] = i;
    for (int32_t i = s->n - 1; i > 0; i--) {
        int32_t j = seeded_int(s->random, 0, i), kept = s->name[i];
        s->name[i] = s->name[j];
        s->name[j] = kept;
    }
}

/* ---- the text ---- */

static void write_value(written *to, const hidden *s, int32_t i)
{
    write_text(to, "(x%d", s->name[i]);
    for (int32_t k = 0; k < s->n_terms[i]; k++) {
        const term *q = &s->terms[i][k];
        static const char *const SHAPE[] = {" + (%.3f)*x%d", " + (%.3f)*(1 + 0.5*sin(time))*x%d",
                                            " + (%.3f)*sin(x%d)"};
        write_text(to, SHAPE[q->how], q->factor, s->name[q->of]);
    }
    write_text(to, ")");
}

static void write_slope(written *to, const hidden *s, int32_t i)
{
    write_text(to, "(der(x%d)", s->name[i]);
    for (int32_t k = 0; k < s->n_terms[i]; k++) {
        const term *q = &s->terms[i][k];
        int32_t x = s->name[q->of];
        if (q->how == CONSTANT)
            write_text(to, " + (%.3f)*der(x%d)", q->factor, x);
        else if (q->how == OF_TIME)
            write_text(to, " + (%.3f)*((1 + 0.5*sin(time))*der(x%d) + 0.5*cos(time)*x%d)",
                       q->factor, x, x);
        else
            write_text(to, " + (%.3f)*cos(x%d)*der(x%d)", q->factor, x, x);
    }
    write_text(to, ")");
}

/* The residual of equation i of the canonical form. */
static void write_canonical(written *to, const hidden *s, int32_t i)
{
    write_text(to, "(");
    if (s->before[i] >= 0)
        write_slope(to, s, s->before[i]);
    write_text(to, s->before[i] == i ? " + 0.5*" : " - ");
    write_value(to, s, i);
    if (s->before[i] == i && s->n_states > 1) { /* states see each other */
        int32_t j = i > s->n - s->n_states ? i - 1 : s->n - 1;
        write_text(to, " + 0.3*sin(");
        write_value(to, s, j);
        write_text(to, ")");
    }
    write_text(to, " + cos(%d*time))", i % 4 + 1);
}

static void write_equation(written *to, const hidden *s, int32_t i)
{
    static const char *const FACTOR[] = {" + (%.3f)*", " + (%.3f)*(1 + 0.5*cos(time))*"};
    write_canonical(to, s, i);
    for (int32_t k = 0; k < s->n_rows[i]; k++) {
        write_text(to, FACTOR[s->rows[i][k].how], s->rows[i][k].factor);
        write_canonical(to, s, s->rows[i][k].of);
    }
    write_text(to, " = 0;\n");
}

static void write_system(written *declarations, written *equations, const hidden *s)
{
    for (int32_t i = 0; i < s->n; i++)
        write_text(declarations, "Real x%d;\n", i);
    for (int32_t i = 0; i < s->n; i++) /* any order: that of the names */
        write_equation(equations, s, s->name[i]);
}

/* ---- the test ---- */

typedef enum kind { TRUTHFUL, MISLEADING_BY_CONSTANTS, MISLEADING_BY_ANYTHING } kind;

static void make_system(hidden *s, seeded *random, int32_t number, kind how)
{
    *s = (hidden){.random = random};
    choose_form(s, how != TRUTHFUL ? 2 + number % 3 : number % 7);
    choose_names(s);
    /* a third each: constant coefficients, of time, nonlinear */
    disguise most =
        how == MISLEADING_BY_CONSTANTS ? CONSTANT : (disguise)(number / 7 % N_DISGUISES);
    if (how != MISLEADING_BY_CONSTANTS)
        choose_terms(s, s->d, most, s->terms, s->n_terms);
    s->mislead = how != TRUTHFUL;
    choose_terms(s, s->c, most == NONLINEAR ? OF_TIME : most, s->rows, s->n_rows);
}

static daedal_status read_system(trial *t, const hidden *s, bool show)
{
    written declarations = {0}, equations = {0};
    write_system(&declarations, &equations, s);
    daedal_status status = trial_read(t, declarations.text, equations.text);
    if (show)
        print_error("%s%s%s\n", declarations.text, equations.text, t->message);
    written_free(&declarations);
    written_free(&equations);
    return status;
}

static bool is_right(const hidden *s, daedal_model_structure found)
{
    return found.index == s->index && found.degrees_of_freedom == s->n_states;
}

static void index_of_hidden_forms(void **state)
{
    (void)state;
    for (int32_t k = 0; k < SYSTEMS; k++) {
        seeded random = seeded_begin((uint32_t)(1000 + k));
        hidden s;
        trial t;
        make_system(&s, &random, k, TRUTHFUL);
        daedal_model_structure found = {.index = -1, .degrees_of_freedom = -1};
        if (read_system(&t, &s, false) == DAEDAL_OK)
            found = trial_structure(&t);
        trial_close(&t);
        if (!is_right(&s, found) && read_system(&t, &s, true) == DAEDAL_OK)
            trial_close(&t);
        seeded_require(&random, is_right(&s, found),
                       "index %d, not %d; %d degrees of freedom, not %d", (int)found.index,
                       (int)s.index, (int)found.degrees_of_freedom, (int)s.n_states);
    }
}

/* ---- where the structure misleads ---- */

typedef struct tally {
    int32_t systems, index, freedom, solved;
} tally;

/* True if an equation has another one added that is differentiated less often. */
static bool is_mixed(const hidden *s)
{
    for (int32_t i = 0; i < s->n; i++)
        for (int32_t q = 0; q < s->n_rows[i]; q++)
            if (s->c[s->rows[i][q].of] < s->c[i])
                return true;
    return false;
}

static double value_of(const trial *t, const hidden *s, int32_t i)
{
    char name[20];
    snprintf(name, sizeof name, "x%d", (int)s->name[i]);
    return trial_value(t, name);
}

/* z_i from the x that make it. */
static double hidden_value(const trial *t, const hidden *s, int32_t i, double time)
{
    double z = value_of(t, s, i);
    for (int32_t k = 0; k < s->n_terms[i]; k++) {
        const term *q = &s->terms[i][k];
        double x = value_of(t, s, q->of);
        z += q->factor * (q->how == CONSTANT  ? x
                          : q->how == OF_TIME ? (1.0 + 0.5 * sin(time)) * x
                                              : sin(x));
    }
    return z;
}

/* z_i of a block: the sum of derivatives of the cosines before it. */
static double block_value(const hidden *s, int32_t i, double t)
{
    double sum = 0.0, quarter = 1.57079632679489662;
    for (int32_t p = 0; i >= 0; p++, i = s->before[i]) {
        double w = i % 4 + 1;
        sum += pow(w, p) * cos(w * t + p * quarter);
    }
    return sum;
}

/* Compare the computed values with the solution, where the blocks determine it. */
static bool is_solution(const trial *t, const hidden *s, double time)
{
    for (int32_t i = 0; i < s->n - s->n_states; i++) {
        double exact = block_value(s, i, time), z = hidden_value(t, s, i, time);
        if (!(fabs(z - exact) <= 1e-4 * (1.0 + fabs(exact))))
            return false;
    }
    return true;
}

static void count_system(tally *all, const hidden *s)
{
    trial t;
    if (read_system(&t, s, false) != DAEDAL_OK)
        return;
    daedal_model_structure found = trial_structure(&t);
    all->index += found.index == s->index;
    all->freedom += found.degrees_of_freedom == s->n_states;
    if (trial_try(&t, 0.0, 1.0, 1, "rtol=1e-7 atol=1e-9") >= 0) {
        all->solved++;
        seeded_require(s->random, is_solution(&t, s, 1.0), "not the solution, index %d",
                       (int)s->index);
    }
    trial_close(&t);
}

/* Equations of a low level hidden in higher ones: the structure misleads until they are taken
 * apart again.                                                                   */
static tally try_systems(kind how, int32_t count, uint32_t seed)
{
    tally all = {0};
    for (int32_t k = 0; k < count; k++) {
        seeded random = seeded_begin(seed + (uint32_t)k);
        hidden s;
        make_system(&s, &random, k, how);
        if (!is_mixed(&s))
            continue;
        all.systems++;
        count_system(&all, &s);
    }
    assert_true(all.systems > count / 2); /* the generator still mixes levels */
    print_message("misleading structure: of %d systems %d have the right index, %d the right "
                  "freedom, %d are solved\n",
                  (int)all.systems, (int)all.index, (int)all.freedom, (int)all.solved);
    assert_int_equal(all.index, all.systems);
    assert_int_equal(all.freedom, all.systems);
    return all;
}

static void misleading_structure_is_repaired(void **state)
{
    (void)state;
    tally all = try_systems(MISLEADING_BY_CONSTANTS, MISLEADING, 5000);
    assert_int_equal(all.solved, all.systems);
}

/* Factors of time and changes of variables beside it: nearly all are taken apart, the others
 * refused. */
static void misleading_factors_are_repaired(void **state)
{
    enum { REFUSED_MOST = 3 }; /* of 60; 1 when it was written */
    (void)state;
    tally all = try_systems(MISLEADING_BY_ANYTHING, VARYING, 7000);
    assert_true(all.solved >= all.systems - REFUSED_MOST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(index_of_hidden_forms),
        cmocka_unit_test(misleading_structure_is_repaired),
        cmocka_unit_test(misleading_factors_are_repaired),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
