/* fuzz/token_mutator.h - changes of a text that keep its words whole.
 *
 * Bytes changed at random rarely get past the parser.  Tokens and lines removed, doubled,
 * swapped or replaced by others of the language do, and reach the phases behind it.
 * Depends on: libc.                                                             */
#ifndef DAEDAL_FUZZ_TOKEN_MUTATOR_H
#define DAEDAL_FUZZ_TOKEN_MUTATOR_H

#include <stddef.h>
#include <stdint.h>

/* Change `size` bytes in a buffer of `room` bytes, as the seed says; the new size. */
size_t tokens_mutate(uint8_t *bytes, size_t size, size_t room, uint64_t seed);
#endif
