/* cli/verb_examples.c - daedal examples [NAME]. */
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "examples.h"
#include "messages.h"
#include "verbs.h"

const example *example_find(const char *name)
{
    size_t n = strlen(name);
    if (n > 3 && strcmp(name + n - 3, ".mo") == 0)
        n -= 3;
    for (size_t i = 0; i < n_examples; i++)
        if (strlen(examples[i].name) == n && strncmp(examples[i].name, name, n) == 0)
            return &examples[i];
    return NULL;
}

static const char *name_of_example(const void *list, size_t i)
{
    return ((const example *)list)[i].name;
}

static int list(void)
{
    for (size_t i = 0; i < n_examples; i++)
        printf("%-20s %s\n", examples[i].name, examples[i].summary);
    return CLI_SOLVED;
}

int verb_examples(const arguments *a)
{
    if (a->n_words == 0)
        return list();
    const example *e = example_find(a->words[0]);
    if (e) {
        fwrite(e->text, 1, e->size, stdout);
        return CLI_SOLVED;
    }
    const char *nearest = suggest(a->words[0], name_of_example, examples, n_examples);
    if (nearest)
        return print_error("no example is called %s; did you mean %s?", a->words[0], nearest);
    return print_error("no example is called %s; `daedal examples` lists them", a->words[0]);
}
