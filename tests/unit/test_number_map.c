/* tests/unit/test_number_map.c - base/number_map.c: numbers found by their keys while the map
 * grows, replaced, and refused when there is no memory.                                 */
#include "base/number_map.h"
#include "harness.h"

/* Keys that fill neighbouring slots and keys that differ in high bits only. */
static uint64_t key_of(uint32_t k)
{
    return k % 2 ? k : (uint64_t)k << 40 | 1u << 31;
}

static void test_find_while_growing(void **state)
{
    enum { KEYS = 1000 };
    (void)state;
    ledger books;
    arena mem;
    number_map map = {0};
    uint32_t number = 0;
    ledger_open(&books);
    arena_create(&mem, &books.allocator, 0);
    assert_false(number_map_find(&map, 1, &number));
    for (uint32_t k = 1; k <= KEYS; k++) {
        assert_true(number_map_put(&map, &mem, key_of(k), k));
        assert_int_equal(map.n, k);
        assert_true(2 * map.n <= map.n_slots);
    }
    for (uint32_t k = 1; k <= KEYS; k++) {
        assert_true(number_map_find(&map, key_of(k), &number));
        assert_int_equal(number, k);
    }
    assert_false(number_map_find(&map, key_of(KEYS + 1), &number));
    arena_free(&mem);
    ledger_expect_empty(&books);
}

static void test_replace(void **state)
{
    (void)state;
    ledger books;
    arena mem;
    number_map map = {0};
    uint32_t number = 0;
    ledger_open(&books);
    arena_create(&mem, &books.allocator, 0);
    assert_true(number_map_put(&map, &mem, 7, 1));
    assert_true(number_map_put(&map, &mem, 7, 2));
    assert_int_equal(map.n, 1);
    assert_true(number_map_find(&map, 7, &number));
    assert_int_equal(number, 2);
    arena_free(&mem);
    ledger_expect_empty(&books);
}

static void test_no_memory(void **state)
{
    (void)state;
    ledger books;
    arena mem;
    number_map map = {0};
    ledger_open(&books);
    books.refuse = 1;
    books.refuse_rest = true;
    arena_create(&mem, &books.allocator, 0);
    assert_false(number_map_put(&map, &mem, 7, 1));
    arena_free(&mem);
    ledger_expect_empty(&books);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_find_while_growing),
        cmocka_unit_test(test_replace),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
