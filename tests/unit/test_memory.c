/* tests/unit/test_memory.c - base/memory.c: blocks laid out twice, zeroed, aligned,
 * and given back with the size they were taken with.                            */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "harness.h"

static bool is_zero(const void *p, size_t size)
{
    const unsigned char *c = p;
    for (size_t k = 0; k < size; k++)
        if (c[k])
            return false;
    return true;
}

static void test_take_and_give(void **state)
{
    static const size_t sizes[] = {0, 1, 7, 64, 1000};
    (void)state;
    ledger books;
    ledger_open(&books); /* it hands out garbage: the library must zero it itself */
    const daedal_allocator *a = &books.allocator;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        void *p = memory_take(a, sizes[k]);
        assert_non_null(p);
        assert_true(is_zero(p, sizes[k]));
        memory_give(a, p, sizes[k]);
        ledger_expect_empty(&books);
    }
    memory_give(a, NULL, 0);
    void *p = memory_take(NULL, 10); /* the default */
    assert_non_null(p);
    memory_give(NULL, p, 10);
}

static void test_array_overflow(void **state)
{
    (void)state;
    assert_null(memory_take_array(NULL, SIZE_MAX / 4, 8));
    void *p = memory_take_array(NULL, 3, 8);
    assert_non_null(p);
    assert_true(is_zero(p, 24));
    memory_give(NULL, p, 24);
}

typedef struct object {
    size_t n;
    char *c;
    double *x;
    int32_t *none, *k;
    block mem;
} object;

static void object_lay_out(void *self, layout *l)
{
    object *o = self;
    o->c = layout_take(l, o->n, 1);
    o->x = layout_take(l, o->n, sizeof *o->x);
    o->none = layout_take(l, 0, sizeof *o->none);
    o->k = layout_take(l, o->n, sizeof *o->k);
}

static void test_layout(void **state)
{
    static const size_t sizes[] = {1, 3, 64, 1001};
    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        ledger books;
        object o = {.n = sizes[k]};
        ledger_open(&books);
        assert_true(block_create(&o.mem, &books.allocator, object_lay_out, &o));
        assert_int_equal((uintptr_t)o.c % 64, 0);
        assert_int_equal((uintptr_t)o.x % 64, 0);
        assert_int_equal((uintptr_t)o.k % 64, 0);
        assert_true(is_zero(o.c, o.n) && is_zero(o.x, o.n * 8) && is_zero(o.k, o.n * 4));
        memset(o.c, 1, o.n); /* no array reaches into the next, none past the end */
        memset(o.x, 2, o.n * sizeof *o.x);
        memset(o.k, 3, o.n * sizeof *o.k);
        assert_int_equal(o.c[o.n - 1], 1);
        assert_int_equal(((char *)(o.x + o.n))[-1], 2);
        assert_true((char *)(o.k + o.n) <= (char *)o.mem.p + o.mem.size);
        block_free(&o.mem);
        ledger_expect_empty(&books);
        block_free(&o.mem); /* twice does no harm */
    }
}

static void test_copy(void **state)
{
    (void)state;
    object from = {.n = 33}, to = {.n = 33};
    assert_true(block_create(&from.mem, NULL, object_lay_out, &from));
    assert_true(block_create(&to.mem, NULL, object_lay_out, &to));
    for (size_t k = 0; k < 33; k++) {
        from.x[k] = (double)k;
        from.k[k] = (int32_t)k;
    }
    block_copy(&to.mem, &from.mem);
    assert_memory_equal(to.x, from.x, 33 * sizeof *to.x);
    assert_memory_equal(to.k, from.k, 33 * sizeof *to.k);
    block_free(&from.mem);
    block_free(&to.mem);
}

static void test_refusal(void **state)
{
    (void)state;
    ledger books;
    object o = {.n = 5};
    ledger_open(&books);
    books.refuse = 1;
    books.refuse_rest = true;
    assert_null(memory_take(&books.allocator, 8));
    assert_false(block_create(&o.mem, &books.allocator, object_lay_out, &o));
    block_free(&o.mem);
    ledger_expect_empty(&books);
}

/* An array that grows gives its old places back. */
static void test_array_in_arena(void **state)
{
    (void)state;
    enum { ITEMS = 1 << 20 };
    ledger books;
    arena mem;
    ledger_open(&books);
    arena_create(&mem, &books.allocator, 0);
    size_t capacity = 0;
    uint32_t *item = NULL;
    char *beside = arena_text(&mem, "beside", 6);
    for (size_t n = 0; n < ITEMS; n++) {
        item = arena_grow(&mem, item, &capacity, n + 1, sizeof *item);
        item[n] = (uint32_t)n;
    }
    for (size_t n = 0; n < ITEMS; n++)
        assert_int_equal(item[n], n);
    assert_string_equal(beside, "beside");
    assert_true(books.bytes < ITEMS * sizeof *item + (1 << 19));
    assert_true(mem.taken < ITEMS * sizeof *item + (1 << 19));
    arena_free(&mem);
    ledger_expect_empty(&books);
}

/* Large arrays are resized in their places: the others keep theirs and their contents. */
static void test_enlarged_arrays(void **state)
{
    (void)state;
    enum { ITEMS = 1 << 18 };
    ledger books;
    arena mem;
    ledger_open(&books);
    arena_create(&mem, &books.allocator, 0);
    size_t capacity[2] = {0, 0};
    uint64_t *item[2] = {NULL, NULL};
    char *beside = arena_text(&mem, "beside", 6);
    for (size_t n = 0; n < ITEMS; n++)
        for (size_t k = 0; k < 2; k++) {
            item[k] = arena_enlarge(&mem, item[k], &capacity[k], n + 1, sizeof *item[k]);
            item[k][n] = 2 * n + k;
        }
    for (size_t n = 0; n < ITEMS; n++)
        assert_true(item[0][n] == 2 * n && item[1][n] == 2 * n + 1);
    assert_string_equal(beside, "beside");
    assert_int_equal(capacity[0], ITEMS);
    assert_true(mem.taken < 2 * ITEMS * sizeof *item[0] + (1 << 19));
    assert_true(books.bytes < 2 * ITEMS * sizeof *item[0] + (1 << 19));
    arena_free(&mem);
    ledger_expect_empty(&books);
}

/* An array that cannot grow stays as it is, whether the limit or the allocator is in the way. */
static void test_enlarged_in_vain(void **state)
{
    (void)state;
    for (int by_limit = 0; by_limit < 2; by_limit++) {
        ledger books;
        arena mem;
        ledger_open(&books);
        arena_create(&mem, &books.allocator, by_limit ? 1 << 18 : 0);
        size_t capacity = 0;
        double *item = arena_enlarge(&mem, NULL, &capacity, 1 << 14, sizeof *item);
        assert_non_null(item);
        item[(1 << 14) - 1] = 7.0;
        books.refuse = by_limit ? 0 : 1;
        books.refuse_rest = !by_limit;
        assert_null(arena_enlarge(&mem, item, &capacity, 1 << 16, sizeof *item));
        assert_true(mem.failed && mem.over_limit == by_limit);
        assert_int_equal(capacity, 1 << 14);
        assert_true(item[(1 << 14) - 1] == 7.0);
        arena_free(&mem);
        ledger_expect_empty(&books);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_take_and_give),   cmocka_unit_test(test_array_overflow),
        cmocka_unit_test(test_layout),          cmocka_unit_test(test_copy),
        cmocka_unit_test(test_refusal),         cmocka_unit_test(test_array_in_arena),
        cmocka_unit_test(test_enlarged_arrays), cmocka_unit_test(test_enlarged_in_vain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
