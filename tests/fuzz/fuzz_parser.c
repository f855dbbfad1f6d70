/* tests/fuzz/fuzz_parser.c - any bytes through lexer and parser.
 *
 * A tree, or an error with a position; messages can be formatted; what is printed parses
 * again to an equal tree.  Built with libFuzzer
 *     tools/fuzz.sh parser
 * or with replay.c, which runs the stored corpus and its mutations in ordinary tests.  */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ast_text.h"
#include "lang/parser.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "fuzz_parser: %s\n", what);
    abort();
}

static void format_all(const sources *s)
{
    for (int32_t i = 0; i < s->n_messages; i++) {
        char small[80];
        size_t n = source_format(s, &s->message[i], small, sizeof small);
        char *text = malloc(n + 1);
        require(text != NULL, "no memory");
        require(source_format(s, &s->message[i], text, n + 1) == n, "two lengths of a message");
        require(strlen(text) == n, "a message contains a NUL");
        require(strncmp(text, small, sizeof small - 1) == 0, "a cut message differs");
        free(text);
    }
}

static void check_round_trip(compilation *c, const ast_file *file)
{
    char *text = ast_print(file, &c->names, &c->mem);
    if (!text)
        return; /* out of memory */
    const ast_file *again = parse_text(c, "printed", text, strlen(text));
    if (c->mem.failed)
        return;
    if (!again || !ast_equal(file, again))
        fprintf(stderr, "%s\n", text);
    require(again != NULL, "what was printed does not parse");
    require(ast_equal(file, again), "what was printed parses to another tree");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const size_t limit = (size_t)64 << 20;
    compilation c;
    require(compilation_create(&c, NULL, limit), "no memory");
    const ast_file *file = parse_text(&c, "fuzz.mo", (const char *)data, size);
    require((file == NULL) == (c.sources.n_errors > 0), "no tree, but no error either");
    if (file)
        check_round_trip(&c, file);
    format_all(&c.sources);
    compilation_free(&c);
    return 0;
}
