/* cli/main.c - the program daedal: find the verb, read its flags, run it. */
#include <stdio.h>
#include <string.h>

#include "complain.h"
#include "console.h"
#include "verbs.h"

static int unknown_verb(const char *word)
{
    size_t n = strlen(word);
    const char *nearest = verb_nearest(word);
    if (word[0] == '-')
        complain("%s: a verb comes first; `daedal help` lists them", word);
    else if (n > 3 && strcmp(word + n - 3, ".mo") == 0)
        complain("%s: a verb comes first, for example `daedal solve %s`", word, word);
    else if (nearest)
        complain("%s: no such verb; did you mean %s?", word, nearest);
    else
        complain("%s: no such verb; `daedal help` lists them", word);
    return CLI_USAGE;
}

static int check_words(const verb *v, const arguments *a)
{
    if (a->n_words < v->words_least)
        return complain("`daedal %s` needs a file: daedal %s %s", v->name, v->name, v->words);
    if (a->n_words > 0 && !a->words[0][0])
        return complain("`daedal %s` got an empty word for %s", v->name, v->words);
    if (a->n_words > v->words_most)
        return complain("%s: one too many; `daedal %s` takes %s", a->words[v->words_most], v->name,
                        v->words);
    return CLI_SOLVED;
}

static int run_verb(const verb *v, int count, char *const *words)
{
    arguments a;
    int code = CLI_USAGE;
    if (arguments_read(&a, v->bit, count, words)) {
        if (a.help) {
            help_verb(v);
            code = CLI_SOLVED;
        } else if ((code = check_words(v, &a)) == CLI_SOLVED) {
            code = v->run(&a);
        }
    }
    arguments_free(&a);
    return code;
}

/* A full disk behind stdout is a failure too. */
static int finish(int code)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    complain("stdout could not be written completely");
    return code ? code : CLI_FAILED;
}

int main(int argc, char **argv)
{
    console_one_thread();
    if (argc < 2) {
        help_all();
        return CLI_USAGE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("daedal %s\n", daedal_version());
        return finish(CLI_SOLVED);
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        help_all();
        return finish(CLI_SOLVED);
    }
    const verb *v = verb_find(argv[1]);
    return finish(v ? run_verb(v, argc - 2, argv + 2) : unknown_verb(argv[1]));
}
