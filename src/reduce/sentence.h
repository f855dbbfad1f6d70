/* reduce/sentence.h - a text of limited length that grows piece by piece.
 *
 * Depends on: nothing.                                                          */
#ifndef DAEDAL_REDUCE_SENTENCE_H
#define DAEDAL_REDUCE_SENTENCE_H

#include <stdio.h>

typedef struct sentence {
    char *at;
    size_t size, used;
} sentence;

/* The format has one %s. */
static inline void append(sentence *t, const char *format, const char *what)
{
    int length = snprintf(t->at + t->used, t->size - t->used, format, what);
    if (length > 0)
        t->used += (size_t)length < t->size - t->used ? (size_t)length : t->size - t->used - 1;
}
#endif
