/* api/class_list.c - the classes of packages, see daedal_browse in daedal.h. */
#include <stdio.h>
#include <string.h>

#include "api/model_text.h"
#include "base/memory.h"

#define BROWSING_BYTES_MAX ((size_t)2 << 30)

typedef struct class_target {
    daedal_class_fn *visit;
    void *user;
    bool is_stopped;
} class_target;

static bool pass_on(void *user, const class_summary *s)
{
    class_target *t = user;
    daedal_class one = {.name = s->name,
                        .kind = s->kind,
                        .description = s->description,
                        .is_example = s->is_example,
                        .is_partial = s->is_partial};
    t->is_stopped = t->visit(&one, t->user) != DAEDAL_CALL_OK;
    return !t->is_stopped;
}

static void first_error(const compilation *c, char *message, size_t size)
{
    for (int32_t k = 0; k < c->sources.n_messages; k++)
        if (c->sources.message[k].severity == SOURCE_ERROR) {
            source_format(&c->sources, &c->sources.message[k], message, size);
            return;
        }
}

static daedal_status browse(compilation *c, const char *name, const char *libraries, bool all,
                            class_target *to)
{
    const ast_file *file = NULL;
    text_source from = {.path = name};
    instantiate_options options = {.all = all};
    size_t length = name ? strlen(name) : 0;
    bool is_file = length > 3 && strcmp(name + length - 3, ".mo") == 0;
    if (is_file) {
        source *text = sources_add_file(&c->sources, name);
        file = text ? parse_library_text(c, text) : NULL;
        if (!file)
            return DAEDAL_ERR_MODEL;
    }
    options.model = is_file ? NULL : name;
    if (!model_text_paths(c, is_file ? &from : &(text_source){0}, libraries, &options))
        return DAEDAL_ERR_MEMORY;
    if (!instantiate_browse(c, file, &options, pass_on, to))
        return c->wrong_changes ? DAEDAL_ERR_ARGUMENT : DAEDAL_ERR_MODEL;
    return to->is_stopped ? DAEDAL_STOPPED : DAEDAL_OK;
}

daedal_status daedal_browse(const char *name, const daedal_browse_options *options,
                            daedal_class_fn *visit, void *user, char *message, size_t size)
{
    compilation c;
    if (message && size)
        message[0] = '\0';
    if (!visit)
        return DAEDAL_ERR_ARGUMENT;
    daedal_status status = DAEDAL_ERR_MEMORY;
    class_target to = {.visit = visit, .user = user};
    if (compilation_create(&c, &memory_default, BROWSING_BYTES_MAX))
        status =
            browse(&c, name, options ? options->libraries : NULL, options && options->all, &to);
    if (status < 0 && message && size) {
        snprintf(message, size, "%s", daedal_status_text(status));
        first_error(&c, message, size);
    }
    compilation_free(&c);
    return status;
}
