/* cli/main.c - the program daedal: find the verb, read its flags, run it. */
#include <stdio.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "console.h"
#include "messages.h"
#include "verbs.h"

static int unknown_verb(const char *word)
{
    size_t n = strlen(word);
    const char *nearest = verb_nearest(word);
    if (word[0] == '-')
        print_error("%s: the verb must come first; `daedal help` lists the verbs", word);
    else if (n > 3 && strcmp(word + n - 3, ".mo") == 0)
        print_error("%s: the verb must come first, for example `daedal solve %s`", word, word);
    else if (nearest)
        print_error("unknown verb %s; did you mean %s?", word, nearest);
    else
        print_error("unknown verb %s; `daedal help` lists the verbs", word);
    return CLI_USAGE;
}

static int check_words(const verb *v, const arguments *a)
{
    if (a->n_words < v->words_least)
        return print_error("`daedal %s` needs a file: daedal %s %s", v->name, v->name, v->words);
    if (a->n_words > 0 && !a->words[0][0])
        return print_error("`daedal %s`: the argument %s is empty", v->name, v->words);
    if (a->n_words > v->words_most)
        return print_error("%s: too many arguments; `daedal %s` takes %s only",
                           a->words[v->words_most], v->name, v->words);
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

/* Report output that could not be written, for instance because the disk is full. */
static int finish(int code)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    print_error("stdout could not be written completely");
    return code ? code : CLI_FAILED;
}

/* Large blocks come from the system and go back to it: by default glibc keeps blocks of up to 32 MB
 * that were freed, and a model of a million equations takes a tenth more memory.  Of small blocks
 * some memory is kept: to return it after every function that is evaluated and to take it again
 * costs a third of the time in which a large model is read. */
static void return_large_blocks(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
    mallopt(M_TRIM_THRESHOLD, 1 << 26);
#endif
}

int main(int argc, char **argv)
{
    console_one_thread();
    return_large_blocks();
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
