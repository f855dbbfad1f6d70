/* tests/fuzz/replay.c - run a fuzz target over stored files and seeded mutations of them.
 *
 *     replay [--mutations N] [--tokens N] [--grammar N] [--seconds S] [--seed S] [--keep FILE]
 * FILE... Every file is run as it is; with mutations cut off at many places, and N times with
 * random bytes changed, removed, doubled or spliced in from another file; then N times with tokens
 * changed.  Then N texts of the grammar are run, each as it is and with tokens changed, or as many
 * as S seconds allow.  Prints what it ran; a failure is the target's abort or a sanitizer's report,
 * after the seed was printed.  The text under way is kept in a file if one is named.  */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "grammar_text.h"
#include "token_mutator.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct text {
    uint8_t *bytes;
    size_t n;
} text;

enum { ROOM = 4096 }; /* bytes that a mutation may add */

typedef struct settings {
    long mutations, tokens, grammar, seconds;
    uint64_t seed;
} settings;

static uint64_t state;
static const char *keep; /* file for the text under way, or NULL */

/* xorshift64*: the same numbers on every machine */
static size_t below(size_t limit)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return limit ? (size_t)((state * 0x2545F4914F6CDD1Du) >> 33) % limit : 0;
}

static text read_file(const char *path)
{
    text t = {NULL, 0};
    FILE *f = fopen(path, "rb");
    if (!f || fseek(f, 0, SEEK_END) != 0) {
        fprintf(stderr, "replay: cannot read %s\n", path);
        exit(2);
    }
    size_t size = (size_t)ftell(f);
    rewind(f);
    t.bytes = malloc(size + 1);
    t.n = t.bytes ? fread(t.bytes, 1, size, f) : 0;
    fclose(f);
    return t;
}

/* For what no handler sees: a stack overflow, a kill. */
static void keep_copy(const uint8_t *bytes, size_t n)
{
    FILE *f = keep ? fopen(keep, "wb") : NULL;
    if (!f)
        return;
    fwrite(bytes, 1, n, f);
    fclose(f);
}

/* A copy of exactly the size, so that the address sanitizer sees reads beyond it. */
static void run(const uint8_t *bytes, size_t n)
{
    uint8_t *copy = malloc(n ? n : 1);
    if (!copy)
        exit(2);
    memcpy(copy, bytes, n);
    keep_copy(bytes, n);
    LLVMFuzzerTestOneInput(copy, n);
    free(copy);
}

/* Insert n bytes at a random place. */
static size_t splice(uint8_t *to, size_t size, const uint8_t *from, size_t n)
{
    size_t at = below(size + 1);
    memmove(to + at + n, to + at, size - at);
    memcpy(to + at, from, n);
    return size + n;
}

static size_t mutate_once(uint8_t *bytes, size_t size, const text *other)
{
    static const char alphabet[] = "()[]{};:=.,+-*/^<>@#'\"\\ \n\r\te09_ax\0\xEF\xBB\xBF";
    size_t at = below(size), n = 1 + below(16);
    uint8_t piece[16];
    switch (below(5)) {
    case 0: /* another byte */
        if (size > 0)
            bytes[at] = (uint8_t)alphabet[below(sizeof alphabet)];
        return size;
    case 1: /* one more */
        piece[0] = (uint8_t)alphabet[below(sizeof alphabet)];
        return splice(bytes, size, piece, 1);
    case 2: /* some fewer */
        if (at + n > size)
            return size;
        memmove(bytes + at, bytes + at + n, size - at - n);
        return size - n;
    case 3: /* twice */
        if (at + n > size)
            return size;
        memcpy(piece, bytes + at, n);
        return splice(bytes, size, piece, n);
    default: /* from elsewhere */
        if (n > other->n)
            return size;
        memcpy(piece, other->bytes + below(other->n - n + 1), n);
        return splice(bytes, size, piece, n);
    }
}

static void run_mutation(const text *t, const text *other)
{
    uint8_t *bytes = malloc(t->n + ROOM);
    if (!bytes)
        exit(2);
    memcpy(bytes, t->bytes, t->n);
    size_t size = t->n;
    for (size_t k = 1 + below(6); k > 0; k--)
        size = mutate_once(bytes, size, other);
    run(bytes, size);
    free(bytes);
}

static void run_tokens(const text *t)
{
    uint8_t *bytes = malloc(t->n + ROOM);
    if (!bytes)
        exit(2);
    memcpy(bytes, t->bytes, t->n);
    run(bytes, tokens_mutate(bytes, t->n, t->n + ROOM, below(SIZE_MAX)));
    free(bytes);
}

/* Texts of the grammar from the first seed on; each seed stands for itself. */
static void run_grammar(const settings *how)
{
    enum { TEXT_MAX = 1 << 16 };
    time_t until = time(NULL) + how->seconds;
    uint8_t *bytes = malloc(TEXT_MAX + ROOM);
    if (!bytes)
        exit(2);
    long k = 0;
    for (; how->seconds ? time(NULL) < until : k < how->grammar; k++) {
        uint64_t seed = how->seed + (uint64_t)k;
        size_t n = grammar_text(bytes, TEXT_MAX, seed);
        run(bytes, n);
        run(bytes, tokens_mutate(bytes, n, TEXT_MAX + ROOM, seed));
    }
    printf("%ld texts of the grammar, seeds %llu to %llu\n", k, (unsigned long long)how->seed,
           (unsigned long long)how->seed + (unsigned long long)k - 1);
    free(bytes);
}

static void run_cut(const text *t)
{
    size_t step = t->n / 200 + 1;
    for (size_t n = 0; n < t->n; n += step)
        run(t->bytes, n);
}

static void run_all(const text *texts, size_t n, const settings *how)
{
    for (size_t i = 0; i < n; i++) {
        run(texts[i].bytes, texts[i].n);
        if (how->mutations)
            run_cut(&texts[i]);
        for (long k = 0; k < how->mutations; k++)
            run_mutation(&texts[i], &texts[below(n)]);
        for (long k = 0; k < how->tokens; k++)
            run_tokens(&texts[i]);
    }
}

/* The number of the first file among the words. */
static int read_settings(settings *how, int argc, char **argv)
{
    int first = 1;
    for (; first + 1 < argc && strncmp(argv[first], "--", 2) == 0; first += 2) {
        const char *value = argv[first + 1];
        if (strcmp(argv[first], "--mutations") == 0)
            how->mutations = atol(value);
        else if (strcmp(argv[first], "--tokens") == 0)
            how->tokens = atol(value);
        else if (strcmp(argv[first], "--grammar") == 0)
            how->grammar = atol(value);
        else if (strcmp(argv[first], "--seconds") == 0)
            how->seconds = atol(value);
        else if (strcmp(argv[first], "--keep") == 0)
            keep = value;
        else
            how->seed = strtoull(value, NULL, 10);
    }
    return first;
}

int main(int argc, char **argv)
{
    settings how = {.seed = 1};
    int first = read_settings(&how, argc, argv);
    state = how.seed * 0x9E3779B97F4A7C15u + 1;
    size_t n = (size_t)(argc - first);
    text *texts = calloc(n + 1, sizeof *texts);
    if (!texts)
        return 2;
    printf("%zu files, %ld mutations and %ld changes of tokens of each, seed %llu\n", n,
           how.mutations, how.tokens, (unsigned long long)how.seed);
    fflush(stdout);
    for (size_t i = 0; i < n; i++)
        texts[i] = read_file(argv[first + (int)i]);
    run_all(texts, n, &how);
    if (how.grammar || how.seconds)
        run_grammar(&how);
    for (size_t i = 0; i < n; i++)
        free(texts[i].bytes);
    free(texts);
    return 0;
}
