/* cli/variations.c - see variations.h. */
#include "variations.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "base/suggest.h"
#include "messages.h"

static const double MOST_VALUES = 1e9;

bool number_read(const char *text, double *x)
{
    char *end;
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0) {
        *x = text[0] == 't';
        return true;
    }
    if (!*text || isspace((unsigned char)*text))
        return false;
    *x = strtod(text, &end);
    return !*end && isfinite(*x);
}

/* What is being read, for messages. */
typedef struct reading {
    const char *flag, *text; /* "-p", "k=1:2" */
} reading;

/* ---- lists of numbers ---- */

typedef struct numbers {
    double *at;
    int32_t n;
} numbers;

static bool read_piece(const reading *r, const char *at, size_t length, double *x)
{
    while (length > 0 && isspace((unsigned char)*at))
        at++, length--;
    while (length > 0 && isspace((unsigned char)at[length - 1]))
        length--;
    char *piece = must_copy(at, length);
    bool good = number_read(piece, x);
    if (!good)
        print_error("%s %s: '%s' is not a number", r->flag, r->text, piece);
    free(piece);
    return good;
}

/* Numbers between separators, in `length` bytes. */
static bool read_numbers(const reading *r, const char *at, size_t length, char separator,
                         numbers *out)
{
    const char *end = at + length;
    for (;;) {
        const char *stop = memchr(at, separator, (size_t)(end - at));
        double x;
        if (!read_piece(r, at, (size_t)((stop ? stop : end) - at), &x))
            return false;
        out->at = must_resize(out->at, (size_t)out->n + 1, sizeof *out->at);
        out->at[out->n++] = x;
        if (!stop)
            return true;
        at = stop + 1;
    }
}

/* ---- kinds of variations ---- */

static bool read_list(const reading *r, const char *values, varied *v)
{
    numbers found = {NULL, 0};
    bool good = read_numbers(r, values, strlen(values), ',', &found);
    v->list = found.at;
    v->how = (variation){.kind = VARY_LIST, .n = found.n, .list = found.at};
    return good;
}

/* FROM:TO, FROM:TO:N or FROM:TO:N:log */
static bool read_range(const reading *r, const char *values, varied *v)
{
    numbers found = {NULL, 0};
    size_t length = strlen(values);
    bool is_log = length > 4 && strcmp(values + length - 4, ":log") == 0;
    bool good = read_numbers(r, values, is_log ? length - 4 : length, ':', &found);
    if (good && (found.n > 3 || (is_log && found.n != 3))) {
        print_error("%s %s: a range is FROM:TO:N, FROM:TO:N:log, or FROM:TO for samples", r->flag,
                    r->text);
        good = false;
    }
    double n = good && found.n == 3 ? found.at[2] : 0.0;
    if (good && found.n == 3 && !(n >= 2 && n <= MOST_VALUES && n == floor(n))) {
        print_error("%s %s: the number of values must be a whole number from 2 to %g, not %g",
                    r->flag, r->text, MOST_VALUES, n);
        good = false;
    }
    if (good)
        v->how = (variation){.kind = found.n == 2 ? VARY_UNIFORM
                                     : is_log     ? VARY_LOG_RANGE
                                                  : VARY_RANGE,
                             .a = found.at[0],
                             .b = found.at[1],
                             .n = (int64_t)n};
    free(found.at);
    return good;
}

static const struct distribution {
    const char *name, *arguments;
    variation_kind kind;
} distributions[] = {{"uniform", "FROM,TO", VARY_UNIFORM},
                     {"loguniform", "FROM,TO", VARY_LOGUNIFORM},
                     {"normal", "MEAN,DEVIATION", VARY_NORMAL},
                     {"lognormal", "MEDIAN,SIGMA", VARY_LOGNORMAL}};
enum { N_DISTRIBUTIONS = sizeof distributions / sizeof *distributions };

static const char *name_of_distribution(const void *list, size_t i)
{
    return ((const struct distribution *)list)[i].name;
}

static const struct distribution *find_distribution(const reading *r, const char *values)
{
    size_t n = strcspn(values, "(");
    for (size_t k = 0; k < N_DISTRIBUTIONS; k++)
        if (strlen(distributions[k].name) == n && strncmp(distributions[k].name, values, n) == 0)
            return &distributions[k];
    char *name = must_copy(values, n);
    const char *nearest = suggest(name, name_of_distribution, distributions, N_DISTRIBUTIONS);
    if (nearest)
        print_error("%s %s: there is no distribution %s; did you mean %s?", r->flag, r->text, name,
                    nearest);
    else
        print_error("%s %s: there is no distribution %s, only uniform, loguniform, normal and "
                    "lognormal",
                    r->flag, r->text, name);
    free(name);
    return NULL;
}

static bool read_distribution(const reading *r, const char *values, varied *v)
{
    const struct distribution *d = find_distribution(r, values);
    const char *open = strchr(values, '(') + 1;
    size_t length = strlen(open);
    numbers found = {NULL, 0};
    if (!d)
        return false;
    bool closed = length > 0 && open[length - 1] == ')';
    if (closed && !read_numbers(r, open, length - 1, ',', &found)) {
        free(found.at);
        return false;
    }
    bool good = closed && found.n == 2;
    if (good)
        v->how = (variation){.kind = d->kind, .a = found.at[0], .b = found.at[1]};
    else
        print_error("%s %s: write %s(%s)", r->flag, r->text, d->name, d->arguments);
    free(found.at);
    return good;
}

static bool read_values(const reading *r, const char *values, varied *v)
{
    if (strchr(values, '('))
        return read_distribution(r, values, v);
    if (strchr(values, ':'))
        return read_range(r, values, v);
    if (strchr(values, ','))
        return read_list(r, values, v);
    print_error("%s %s: '%s' is neither a number, a range FROM:TO:N, a list A,B,C nor a "
                "distribution such as normal(MEAN,DEVIATION)",
                r->flag, r->text, values);
    return false;
}

/* ---- the list of what varies ---- */

void varied_take_start(varied *v)
{
    size_t n = strlen(v->name), before = strlen("start(");
    if (v->is_start || !arguments_name_start(v->name))
        return;
    v->is_start = true;
    memmove(v->name, v->name + before, n - before);
    v->name[n - before - 1] = '\0'; /* in the place of the bracket that closes */
}

bool varied_add(varied_list *all, const char *option, const char *text)
{
    const char *equals = strchr(text, '=');
    reading r = {option, text};
    if (!equals || equals == text) {
        const char *name = equals ? "NAME" : text;
        print_error("%s %s needs values: %s=0.5 sets it; %s=0.1:10:50, %s=0.1,1,10 or "
                    "%s=\"lognormal(1,0.3)\" varies it",
                    option, text, name, name, name, name);
        return false;
    }
    all->at = must_resize(all->at, (size_t)all->n + 1, sizeof *all->at);
    varied *v = &all->at[all->n++];
    *v = (varied){.name = must_copy(text, (size_t)(equals - text)),
                  .is_start = strcmp(option, "-y") == 0,
                  .text = text};
    varied_take_start(v);
    if (!read_values(&r, equals + 1, v))
        return false;
    const char *wrong = variation_check(&v->how);
    if (wrong)
        print_error("%s %s: %s", option, text, wrong);
    return !wrong;
}

void varied_free(varied_list *all)
{
    for (int32_t k = 0; k < all->n; k++) {
        free(all->at[k].name);
        free(all->at[k].list);
    }
    free(all->at);
}
