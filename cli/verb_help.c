/* cli/verb_help.c - daedal help [VERB|options].  All texts come from the tables of verbs, flags
 * and options.                                                                  */
#include <stdio.h>
#include <string.h>

#include "messages.h"
#include "verbs.h"

enum { COLUMN = 26, WIDTH = 90 };

/* Print text in a column that begins at COLUMN, the cursor being at `at`. */
static void print_column(const char *text, int at)
{
    printf("%*s", at < COLUMN ? COLUMN - at : 1, "");
    at = COLUMN;
    for (const char *blank = ""; *text; blank = " ") {
        int n = (int)strcspn(text, " ");
        if (at + n >= WIDTH) {
            printf("\n%*s", COLUMN, "");
            at = COLUMN;
            blank = "";
        }
        at += printf("%s%.*s", blank, n, text);
        text += n + (text[n] == ' ');
    }
    putchar('\n');
}

static void print_flag(const flag *f)
{
    int n = printf("  %s", f->name);
    if (f->value && f->value[0] == '=')
        n += printf("[%s]", f->value);
    else if (f->value)
        n += printf(" %s", f->value);
    print_column(f->doc, n);
}

void help_verb(const verb *v)
{
    printf("daedal %s %s%s: %s\n", v->name, v->words,
           v->bit & (FOR_READING | FOR_SWEEP | FOR_BROWSE) ? " [flags]" : "", v->summary);
    if (v->aliases[0])
        printf("also called: %s\n", v->aliases);
    if (v->detail[0])
        printf("\n%s", v->detail);
    printf("\nflags\n");
    const flag *f;
    for (int i = 0; (f = flag_at(i)); i++)
        if (f->verbs & v->bit && f->doc)
            print_flag(f);
    if (v->bit & (FOR_STARTS | FOR_SWEEP))
        printf("  --OPTION VALUE          any option that `daedal help options` lists\n");
}

void help_all(void)
{
    printf("daedal %s: solve differential-algebraic equations\n\nverbs\n", daedal_version());
    const verb *v;
    for (int i = 0; (v = verb_at(i)); i++)
        print_column(v->summary, printf("  %s %s", v->name, v->words));
    printf("\nfirst steps\n"
           "  daedal examples robertson > robertson.mo\n"
           "  daedal solve robertson.mo --plot\n"
           "  daedal solve robertson.mo -t 40 -o robertson.csv\n"
           "  daedal help solve\n"
           "\nexit status\n"
           "  0 solved   1 the run failed, with a diagnosis   2 usage   3 the model text is wrong\n"
           "  4 the equations are singular or unsolvable as posed   5 no consistent start\n");
}

/* The k-th of several choices separated by |; returns its length. */
static int choice(const char *choices, int k, const char **at)
{
    for (; k > 0; k--)
        choices += strcspn(choices, "|") + 1;
    *at = choices;
    return (int)strcspn(choices, "|");
}

static void print_option(const daedal_option_info *option)
{
    char doc[1024];
    const char *shown = strcmp(option->type, "double") == 0 ? "X" : "N", *name;
    if (option->choices[0]) {
        shown = option->choices;
        int n = choice(option->choices, (int)option->default_value, &name);
        snprintf(doc, sizeof doc, "%s (%.*s)", option->doc, n, name);
    } else {
        snprintf(doc, sizeof doc, "%s (%g)", option->doc, option->default_value);
    }
    int n = printf("  --%s %s", option->name, shown);
    if (n >= COLUMN) {
        putchar('\n');
        n = 0;
    }
    print_column(doc, n);
}

static void help_options(void)
{
    printf("options of `daedal solve`, `init` and `plot`, with their defaults in parentheses\n\n");
    for (int32_t i = 0; i < daedal_option_count(); i++) {
        const daedal_option_info *option = daedal_option_describe(i);
        if (strcmp(option->name, "start") != 0) /* a model defines its own start */
            print_option(option);
    }
    printf("\nA Tolerance in the experiment annotation of a model replaces the default of rtol.\n"
           "The attribute nominal of a variable scales the default of atol.\n");
}

int verb_help(const arguments *a)
{
    if (a->n_words == 0) {
        help_all();
        return CLI_SOLVED;
    }
    if (strcmp(a->words[0], "options") == 0) {
        help_options();
        return CLI_SOLVED;
    }
    const verb *v = verb_find(a->words[0]);
    if (v) {
        help_verb(v);
        return CLI_SOLVED;
    }
    const char *nearest = verb_nearest(a->words[0]);
    if (nearest)
        return print_error("there is no help on %s; did you mean %s?", a->words[0], nearest);
    return print_error("there is no help on %s; `daedal help` lists the verbs", a->words[0]);
}
