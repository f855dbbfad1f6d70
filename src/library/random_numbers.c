/* library/random_numbers.c - see function_table.h: generators of random numbers, and what is
 * computed at run time because expressions cannot (64-bit arithmetic, the error function).
 *
 * The generators are Vigna's xorshift64*, xorshift128+ and xorshift1024* (An experimental
 * exploration of Marsaglia's xorshift generators, scrambled, 2014) as the Modelica library
 * uses them: a state is a vector of Integers, two for each word of 64 bits, the low half
 * first; xorshift1024* has the number of its current word behind them.  Unlike Vigna's, the
 * library's xorshift64* and xorshift128+ keep the scrambled output as their new word.
 * The impure generator has a hidden state in the library.  Here it is hidden discrete
 * variables, so that evaluating an event twice draws the same number.            */
#include "library/function_table.h"

#include <math.h>
#include <string.h>

enum {
    WORDS_1024 = 16,
    STATE_1024 = 2 * WORDS_1024 + 1,
    STATE_MOST = 64,
    WARM_UP = 10 /* draws after which the library trusts a state made of two seeds */
};

static const double impure_local_seed = 715827883.0; /* of the library, also the id it returns */
static const double impure_global_seed = 67867967.0; /* of GlobalSeed, where the file gives none */

/* ---- words ---- */

static uint64_t word_read(const double *half)
{
    uint64_t low = (uint32_t)(int64_t)half[0], high = (uint32_t)(int64_t)half[1];
    return high << 32 | low;
}

static double half_number(uint64_t bits)
{
    int64_t x = (int64_t)(bits & 0xFFFFFFFFu);
    return (double)(x > INT32_MAX ? x - ((int64_t)1 << 32) : x);
}

static void word_write(uint64_t word, double *half)
{
    half[0] = half_number(word);
    half[1] = half_number(word >> 32);
}

/* A number of (0, 1] from the word, taken as a signed number: 2^-64*word + 1/2. */
static double unit_number(uint64_t word)
{
    double x = word >> 63 ? -(double)(~word + 1u) : (double)word;
    return ldexp(x, -64) + 0.5;
}

/* ---- generators: the number, and the new state ---- */

static uint64_t shifted_64(uint64_t x)
{
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    return x * 2685821657736338717u;
}

static double draw_64(const double *from, double *to)
{
    uint64_t x = shifted_64(word_read(from));
    word_write(x, to);
    return unit_number(x);
}

static double draw_128(const double *from, double *to)
{
    uint64_t a = word_read(from), b = word_read(from + 2);
    a ^= a << 23;
    uint64_t next = (a ^ b ^ a >> 17 ^ b >> 26) + b;
    word_write(b, to);
    word_write(next, to + 2);
    return unit_number(next);
}

static double draw_1024(const double *from, double *to)
{
    size_t p = (size_t)((int64_t)from[STATE_1024 - 1] & (WORDS_1024 - 1));
    size_t q = (p + 1) % WORDS_1024;
    uint64_t a = word_read(from + 2 * p), b = word_read(from + 2 * q);
    b ^= b << 31;
    b ^= b >> 11;
    a ^= a >> 30;
    memmove(to, from, STATE_1024 * sizeof *to);
    word_write(a ^ b, to + 2 * q);
    to[STATE_1024 - 1] = (double)q;
    return unit_number((a ^ b) * 1181783497276652981u);
}

/* A state of n Integers from two seeds: after some draws each word is the next one drawn. If n is
 * odd, the last Integer is half of a word drawn from the two Integers before it. */
static void seed_words(const double *seeds, double *state, size_t n)
{
    double word[STATE_MOST + 2] = {seeds[0], seeds[1]};
    if (seeds[0] == 0.0 && seeds[1] == 0.0)
        word[0] = 126247697.0; /* the library's prime in place of the state that is all zero */
    for (int i = 0; i < WARM_UP; i++)
        draw_64(word, word);
    for (size_t i = 2; i + 1 < n; i += 2)
        draw_64(word + i - 2, word + i);
    if (n % 2 == 1 && n >= 3) {
        double last[2];
        draw_64(word + n - 3, last);
        word[n - 1] = last[0];
    }
    memcpy(state, word, n * sizeof *state);
}

/* ---- at run time ---- */

static size_t inputs_of(int64_t builtin)
{
    static const size_t counts[] = {
        [LIBRARY_XORSHIFT_64] = 2, [LIBRARY_XORSHIFT_128] = 4, [LIBRARY_XORSHIFT_1024] = STATE_1024,
        [LIBRARY_ERF] = 1,         [LIBRARY_ERFC] = 1,         [LIBRARY_ERF_INVERSE] = 1,
        [LIBRARY_ERFC_INVERSE] = 1};
    return builtin >= LIBRARY_SEED_WORDS ? 2 : counts[builtin];
}

static bool are_finite(const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!(fabs(x[i]) < INTEGER_LIMIT))
            return false;
    return true;
}

static void run_generator(int64_t builtin, const double *args, double *outputs)
{
    double state[STATE_1024]; /* a copy, since arguments and outputs may overlap */
    memcpy(state, args, inputs_of(builtin) * sizeof *state);
    if (builtin == LIBRARY_XORSHIFT_64)
        outputs[0] = draw_64(state, outputs + 1);
    else if (builtin == LIBRARY_XORSHIFT_128)
        outputs[0] = draw_128(state, outputs + 1);
    else if (builtin == LIBRARY_XORSHIFT_1024)
        outputs[0] = draw_1024(state, outputs + 1);
    else
        seed_words(state, outputs, (size_t)(builtin - LIBRARY_SEED_WORDS));
}

int library_compute(int64_t builtin, const void *object, const double *args, double *outputs)
{
    if (builtin == LIBRARY_WRITE_MATRIX)
        return matrix_write_compute(object, args, outputs);
    if (builtin >= LIBRARY_FOURIER && builtin < LIBRARY_TABLES)
        return fourier_compute(builtin - LIBRARY_FOURIER, args, outputs);
    if (builtin >= LIBRARY_SOLVE && builtin < LIBRARY_FOURIER)
        return matrix_solve_compute(builtin - LIBRARY_SOLVE, args, outputs);
    if (builtin >= LIBRARY_TABLES)
        return table_compute(builtin, object, args, outputs);
    switch (builtin) {
    case LIBRARY_ERF:
        outputs[0] = erf(args[0]);
        return 0;
    case LIBRARY_ERFC:
        outputs[0] = erfc(args[0]);
        return 0;
    case LIBRARY_ERF_INVERSE:
        outputs[0] = special_erf_inverse(args[0]);
        return 0;
    case LIBRARY_ERFC_INVERSE:
        outputs[0] = special_erfc_inverse(args[0]);
        return 0;
    default:
        if (builtin < 0 || builtin > LIBRARY_SEED_WORDS + STATE_MOST ||
            (builtin > LIBRARY_ERFC_INVERSE && builtin <= LIBRARY_SEED_WORDS) ||
            !are_finite(args, inputs_of(builtin)))
            return -1;
        run_generator(builtin, args, outputs);
        return 0;
    }
}

/* ---- calls ---- */

bool called_number(context *in, int64_t builtin, const void *object, uint32_t n_args,
                   uint32_t n_outputs, uint32_t *number)
{
    int64_t id = in->interpreter->add_called(in, builtin, object, n_args, n_outputs);
    *number = (uint32_t)id;
    return id >= 0;
}

/* The outputs for constant arguments. */
static bool invoke_now(const library_site *s, int64_t builtin, const expr *args, uint32_t n_args,
                       expr *outputs, uint32_t n_outputs)
{
    double *in = arena_take(s->in->mem, n_args + 1, sizeof *in);
    double *out = arena_take(s->in->mem, n_outputs + 1, sizeof *out);
    if (!in || !out)
        return false;
    for (uint32_t i = 0; i < n_args; i++)
        in[i] = expr_value(s->g, args[i]);
    if (library_compute(builtin, NULL, in, out) != 0)
        return context_error(s->in, s->call->at, "%s cannot be computed for these arguments",
                             s->entry->name)
            .n;
    for (uint32_t i = 0; i < n_outputs; i++)
        outputs[i] = library_number(s, out[i]);
    return true;
}

bool library_invoke(const library_site *s, int64_t builtin, const expr *args, uint32_t n_args,
                    expr *outputs, uint32_t n_outputs)
{
    bool is_known = true;
    uint32_t number = 0;
    for (uint32_t i = 0; i < n_args; i++) {
        if (args[i] == EXPR_NONE)
            return false;
        is_known = is_known && expr_is_constant(s->g, args[i]);
    }
    if (is_known)
        return invoke_now(s, builtin, args, n_args, outputs, n_outputs);
    if (s->in->is_numeric || !called_number(s->in, builtin, NULL, n_args, n_outputs, &number))
        return false; /* an execution with numbers has constants only: here one is not finite */
    for (uint32_t i = 0; i < n_outputs; i++) {
        expr_function function = {
            .id = number, .n_outputs = (uint16_t)n_outputs, .output = (uint16_t)i};
        outputs[i] = expr_call(s->g, function, args, n_args);
    }
    return true;
}

/* ---- the functions of the library ---- */

static value integers(library_site *s, const expr *e, size_t n)
{
    value v = value_new(s->in, type_array(type_scalar(T_INTEGER), 1, (int32_t[]){(int32_t)n}));
    if (!is_bad(v))
        memcpy(v.e, e, n * sizeof *e);
    return v;
}

static bool state_needed(library_site *s, int32_t k, size_t n)
{
    if (!library_vector(s, k, 1))
        return false;
    return s->arg[k].n == n ||
           context_error(s->in, s->call->at, "the state of a generator is %s, not Integer[%zu]",
                         type_text(s->in, s->arg[k].type), n)
               .n;
}

static bool run_draw(library_site *s)
{
    size_t n = inputs_of(s->entry->what);
    expr out[STATE_MOST + 1];
    if (!state_needed(s, 0, n) ||
        !library_invoke(s, s->entry->what, s->arg[0].e, (uint32_t)n, out, (uint32_t)n + 1))
        return false;
    return library_result(s, value_scalar(s->in, T_REAL, out[0])) &&
           library_result(s, integers(s, out + 1, n));
}

static bool seeded(library_site *s, const expr *seeds, size_t n, expr *state)
{
    return library_invoke(s, LIBRARY_SEED_WORDS + (int64_t)n, seeds, 2, state, (uint32_t)n);
}

/* localSeed, globalSeed; the number of Integers is the row's, or the third argument. */
static bool run_seed(library_site *s)
{
    expr state[STATE_MOST];
    int64_t n = s->entry->what;
    if (!library_vector(s, 0, 0) || !library_vector(s, 1, 0) ||
        (n == 0 && !library_integer(s, 2, &n)))
        return false;
    if (n < 1 || n > STATE_MOST)
        return context_error(s->in, s->call->at, "a generator cannot have a state of %lld Integers",
                             (long long)n)
            .n;
    expr seeds[2] = {s->arg[0].e[0], s->arg[1].e[0]};
    return seeded(s, seeds, (size_t)n, state) && library_result(s, integers(s, state, (size_t)n));
}

/* ---- the impure generator ---- */

/* Initial equations give the generator the state that the model computes. */
static void impure_start(library_site *s)
{
    context *in = s->in;
    expr start[STATE_1024];
    const expr *operand;
    uint32_t first = in->random_variable - 1;
    if (expr_operands(in->g, in->random_seed, &operand) != STATE_1024)
        return;
    memcpy(start, operand, sizeof start);
    for (uint32_t i = 0; i < STATE_1024; i++) {
        in->m->variables[first + i].fixed = false;
        flat_add_initial(in->build, (flat_initial){.left = expr_variable(
                                                       in->g, flat_symbol(FLAT_PRE, first + i)),
                                                   .right = start[i],
                                                   .at = s->call->at,
                                                   .end = s->call->end});
    }
}

/* Declares hidden variables that keep their value; drawing a number changes their assignments. */
static bool impure_declare(library_site *s)
{
    context *in = s->in;
    double seeds[2] = {impure_local_seed, impure_global_seed}, start[STATE_1024];
    seed_words(seeds, start, STATE_1024);
    for (uint32_t i = 0; i < STATE_1024; i++) {
        uint32_t v = in->interpreter->add_hidden_variable(in, "random", FLAT_INTEGER, s->call->at);
        if (v == FLAT_NONE)
            return false;
        if (i == 0)
            in->random_variable = v + 1;
        in->m->variables[v].start = library_number(s, start[i]);
        in->m->variables[v].has_start = in->m->variables[v].fixed = true;
        flat_assignment keep = {.variable = v,
                                .value = expr_variable(in->g, flat_symbol(FLAT_PRE, v)),
                                .at = s->call->at,
                                .end = s->call->end};
        if (flat_add_assignment(in->build, keep) == FLAT_NONE)
            return false;
    }
    return true;
}

static bool impure_state(library_site *s, uint32_t *first)
{
    if (s->in->random_variable == 0) {
        if (!impure_declare(s))
            return false;
        if (s->in->random_seed != EXPR_NONE)
            impure_start(s);
    }
    *first = s->in->random_variable - 1;
    return true;
}

/* Seeds the generator. A model has one generator, and only the first seeding counts. */
static bool impure_seed(library_site *s, const expr *state)
{
    context *in = s->in;
    uint32_t number = 0;
    if (in->is_numeric) { /* only an inlined call can change the model */
        context_give_up(in, s->call->at, "it seeds the impure random numbers");
        return false;
    }
    if (in->random_seed != EXPR_NONE)
        return true;
    if (!called_number(in, LIBRARY_XORSHIFT_1024, NULL, STATE_1024, STATE_1024 + 1, &number))
        return false;
    expr_function function = {.id = number, .n_outputs = STATE_1024 + 1};
    in->random_seed = expr_call(in->g, function, state, STATE_1024);
    if (in->random_seed != EXPR_NONE && in->random_variable)
        impure_start(s);
    return in->random_seed != EXPR_NONE;
}

static flat_assignment *assignment_of(const context *in, uint32_t variable)
{
    for (size_t i = in->m->n_assignments; i-- > 0;)
        if (in->m->assignments[i].variable == variable)
            return &in->m->assignments[i];
    return NULL;
}

/* When the number is drawn: at the events of a when-clause, or at the start. */
static expr impure_fires(library_site *s)
{
    context *in = s->in;
    expr fires = in->is_numeric ? EXPR_NONE : in->interpreter->event_condition(in);
    if (fires == EXPR_NONE)
        context_error(in, s->call->at,
                      "an impure random number can be drawn only in a when-clause");
    return fires;
}

/* Draws one more number, behind the draws that the model makes already. */
static expr impure_draw(library_site *s)
{
    expr now[STATE_1024], out[STATE_1024 + 1];
    uint32_t first = 0;
    expr fires = impure_fires(s);
    if (fires == EXPR_NONE || !impure_state(s, &first))
        return EXPR_NONE;
    for (uint32_t i = 0; i < STATE_1024; i++) {
        const flat_assignment *a = assignment_of(s->in, first + i);
        if (!a)
            return EXPR_NONE;
        now[i] = a->value;
    }
    if (!library_invoke(s, LIBRARY_XORSHIFT_1024, now, STATE_1024, out, STATE_1024 + 1))
        return EXPR_NONE;
    for (uint32_t i = 0; i < STATE_1024; i++)
        assignment_of(s->in, first + i)->value = expr_if(s->g, fires, out[i + 1], now[i]);
    return out[0];
}

static bool run_impure(library_site *s)
{
    expr r = impure_draw(s);
    return r != EXPR_NONE && library_result(s, value_scalar(s->in, T_REAL, r));
}

/* min(imax, integer(r*(imax - imin + 1)) + imin) */
static bool run_impure_integer(library_site *s)
{
    expr_graph *g = s->g;
    if (!library_vector(s, 1, 0) || !library_vector(s, 2, 0))
        return false;
    expr r = impure_draw(s), low = s->arg[1].e[0], high = s->arg[2].e[0];
    if (r == EXPR_NONE)
        return false;
    expr span = expr_add(g, expr_sub(g, high, low), library_number(s, 1.0));
    expr y = expr_add(g, expr_make1(g, EXPR_INTEGER, expr_mul(g, r, span)), low);
    return library_result(s, value_scalar(s->in, T_INTEGER, expr_make2(g, EXPR_MIN, high, y)));
}

static bool run_impure_set(library_site *s)
{
    return state_needed(s, 0, STATE_1024) && impure_seed(s, s->arg[0].e);
}

static bool run_impure_initialize(library_site *s)
{
    expr state[STATE_1024];
    if (!library_vector(s, 0, 0))
        return false;
    expr seeds[2] = {library_number(s, impure_local_seed), s->arg[0].e[0]};
    return seeded(s, seeds, STATE_1024, state) && impure_seed(s, state) &&
           library_result(s, value_number(s->in, T_INTEGER, impure_local_seed));
}

#define GENERATORS "Modelica.Math.Random.Generators."
#define UTILITIES "Modelica.Math.Random.Utilities."

const library_entry library_random[] = {
    {GENERATORS "Xorshift64star.random", "stateIn", .run = run_draw, .what = LIBRARY_XORSHIFT_64},
    {GENERATORS "Xorshift128plus.random", "stateIn", .run = run_draw, .what = LIBRARY_XORSHIFT_128},
    {GENERATORS "Xorshift1024star.random", "stateIn", .run = run_draw,
     .what = LIBRARY_XORSHIFT_1024},
    {GENERATORS "Xorshift64star.initialState", "localSeed globalSeed", .run = run_seed, .what = 2},
    {GENERATORS "Xorshift128plus.initialState", "localSeed globalSeed", .run = run_seed, .what = 4},
    {GENERATORS "Xorshift1024star.initialState", "localSeed globalSeed", .run = run_seed,
     .what = STATE_1024},
    {UTILITIES "initialStateWithXorshift64star", "localSeed globalSeed nState", .run = run_seed},
    {UTILITIES "impureRandom", "id", .run = run_impure},
    {UTILITIES "impureRandomInteger", "id imin=1 imax=268435456", .run = run_impure_integer},
    {UTILITIES "initializeImpureRandom", "seed", .run = run_impure_initialize},
    {UTILITIES "initializeImpureRandom.setInternalState", "rngState id", .run = run_impure_set},
};
const size_t n_library_random = sizeof library_random / sizeof *library_random;
