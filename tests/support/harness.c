/* support/harness.c - see harness.h. */
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if __has_include(<suitesparse/SuiteSparse_config.h>)
#include <suitesparse/SuiteSparse_config.h>
#else
#include <SuiteSparse_config.h>
#endif

/* ---- books ---- */

/* Before every block: its size. */
typedef union header {
    size_t size;
    max_align_t align;
} header;

static bool refused(ledger *l)
{
    l->taken++;
    l->forbidden += l->closed;
    return l->refuse > 0 && (l->taken == l->refuse || (l->refuse_rest && l->taken > l->refuse));
}

static void *take(ledger *l, size_t size)
{
    if (refused(l))
        return NULL;
    header *h = malloc(sizeof *h + size);
    if (!h)
        return NULL;
    h->size = size;
    l->blocks++;
    l->bytes += size;
    memset(h + 1, 0xa5, size);
    return h + 1;
}

static void give(ledger *l, void *p)
{
    header *h = (header *)p - 1;
    l->blocks--;
    l->bytes -= h->size;
    memset(p, 0x5a, h->size);
    free(h);
}

static void *resize(void *p, size_t old_size, size_t new_size, void *user)
{
    ledger *l = user;
    size_t known = p ? ((header *)p - 1)->size : 0;
    l->wrong_sizes += known != old_size;
    void *q = NULL;
    if (new_size > 0) {
        q = take(l, new_size);
        if (!q)
            return NULL;
        memcpy(q, p ? p : q, known < new_size ? known : new_size);
    }
    if (p)
        give(l, p);
    return q;
}

void ledger_open(ledger *l)
{
    *l = (ledger){.allocator = {resize, NULL}};
    l->allocator.user = l;
}

void ledger_expect_empty(const ledger *l)
{
    assert_int_equal(l->blocks, 0);
    assert_int_equal(l->bytes, 0);
    assert_int_equal(l->wrong_sizes, 0);
}

/* ---- SuiteSparse ---- */

static ledger *sparse_books;
static void *(*old_malloc)(size_t);
static void *(*old_calloc)(size_t, size_t);
static void *(*old_realloc)(void *, size_t);
static void (*old_free)(void *);

static void *sparse_malloc(size_t size)
{
    return take(sparse_books, size ? size : 1);
}

static void *sparse_calloc(size_t count, size_t size)
{
    void *p = sparse_malloc(count * size);
    if (p)
        memset(p, 0, count * size);
    return p;
}

static void *sparse_realloc(void *p, size_t size)
{
    return resize(p, p ? ((header *)p - 1)->size : 0, size ? size : 1, sparse_books);
}

static void sparse_free(void *p)
{
    if (p)
        give(sparse_books, p);
}

void ledger_take_over_suitesparse(ledger *l)
{
    sparse_books = l;
    old_malloc = SuiteSparse_config.malloc_func;
    old_calloc = SuiteSparse_config.calloc_func;
    old_realloc = SuiteSparse_config.realloc_func;
    old_free = SuiteSparse_config.free_func;
    SuiteSparse_config.malloc_func = sparse_malloc;
    SuiteSparse_config.calloc_func = sparse_calloc;
    SuiteSparse_config.realloc_func = sparse_realloc;
    SuiteSparse_config.free_func = sparse_free;
}

void ledger_leave_suitesparse(void)
{
    SuiteSparse_config.malloc_func = old_malloc;
    SuiteSparse_config.calloc_func = old_calloc;
    SuiteSparse_config.realloc_func = old_realloc;
    SuiteSparse_config.free_func = old_free;
}

/* ---- solvers ---- */

daedal_options defaults_with(double rtol, double atol)
{
    daedal_options opt;
    daedal_options_defaults(&opt);
    opt.rtol = rtol;
    opt.atol = atol;
    return opt;
}

daedal_solver *solver_of(const daedal_system *sys, const daedal_options *opt)
{
    daedal_solver *s = NULL;
    daedal_diagnosis why;
    if (daedal_solver_create(&s, sys, opt, &why) != DAEDAL_OK)
        fail_msg("create: %s", why.message);
    assert_non_null(s);
    return s;
}

daedal_solver *started(const daedal_system *sys, const daedal_options *opt, double t0,
                       const double *y0, const double *yp0)
{
    daedal_solver *s = solver_of(sys, opt);
    expect_status(s, daedal_solver_start(s, t0, y0, yp0), DAEDAL_OK);
    return s;
}

/* ---- expectations ---- */

void expect_status_at(const daedal_solver *s, daedal_status got, daedal_status wanted,
                      const char *file, int line)
{
    if (got == wanted)
        return;
    const char *message = s ? daedal_solver_diagnosis(s)->message : "";
    print_error("%s, not %s: %s\n", daedal_status_name(got), daedal_status_name(wanted), message);
    _fail(file, line);
}

void expect_text_at(const char *text, const char *part, const char *file, int line)
{
    if (strstr(text, part))
        return;
    print_error("\"%s\" is not in \"%s\"\n", part, text);
    _fail(file, line);
}

size_t count_parts(const char *text, const char *part)
{
    size_t n = 0;
    for (const char *p = strstr(text, part); p; p = strstr(p + 1, part))
        n++;
    return n;
}

void expect_near_at(double x, double y, double tol, const char *file, int line)
{
    if (fabs(x - y) <= tol)
        return;
    print_error("%.17g is not within %.3g of %.17g\n", x, tol, y);
    _fail(file, line);
}

daedal_model *model_of_text(const char *text)
{
    daedal_model *m;
    char message[600];
    if (daedal_model_parse(&m, "text", text, strlen(text), NULL, message, sizeof message) != 0)
        fail_msg("%s", message);
    return m;
}

void expect_model_ok(const daedal_model *m, daedal_status status)
{
    if (status < 0)
        fail_msg("%s: %s", daedal_status_name(status), daedal_model_diagnosis(m)->message);
}
