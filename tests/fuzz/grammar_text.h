/* fuzz/grammar_text.h - random model texts from a grammar of the language.
 *
 * Most of them are valid: every variable is declared and has one equation, and expressions have the
 * right types.  A few productions are deliberately wrong.
 * Depends on: libc.                                                             */
#ifndef DAEDAL_FUZZ_GRAMMAR_TEXT_H
#define DAEDAL_FUZZ_GRAMMAR_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* A text of at most `room` bytes, as the seed says; its size. */
size_t grammar_text(uint8_t *bytes, size_t room, uint64_t seed);
#endif
