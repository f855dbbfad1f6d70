/* cli/examples.h - the models of the folder models/, embedded in the program.
 *
 * The table is written at build time by embed_models.cmake.
 * Depends on: libc.                                                             */
#ifndef DAEDAL_CLI_EXAMPLES_H
#define DAEDAL_CLI_EXAMPLES_H

#include <stddef.h>

typedef struct example {
    const char *name;          /* of the file, without .mo     */
    const char *summary;       /* the model's description      */
    const unsigned char *text; /* size bytes and a 0           */
    size_t size;
} example;

extern const example examples[]; /* sorted by name */
extern const size_t n_examples;

/* Find an example by its name, with or without .mo; NULL if there is none. */
const example *example_find(const char *name);
#endif
