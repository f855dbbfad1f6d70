/* api/model_text.c - see model_text.h. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "api/model_text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A.B.C, where no file has that name */
static bool is_class_name(const char *path)
{
    bool begins = true;
    for (; *path; path++) {
        bool is_letter = isalpha((unsigned char)*path) || *path == '_';
        if (!is_letter && (begins || (!isdigit((unsigned char)*path) && *path != '.')))
            return false;
        begins = *path == '.';
    }
    return !begins;
}

static bool can_open(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (f)
        fclose(f);
    return f != NULL;
}

bool model_text_read(compilation *c, const text_source *from, const char *libraries,
                     model_text *text)
{
    *text = (model_text){0};
    if (from->path && libraries && is_class_name(from->path) && !can_open(from->path)) {
        text->has_components = true;
        return true;
    }
    size_t n = c->sources.n;
    source_mark mark = sources_mark(&c->sources);
    text->file = from->path ? parse_file(c, from->path)
                            : parse_text(c, from->name, from->text, from->length);
    const source *read = c->sources.n > n ? c->sources.source[n] : NULL;
    bool is_flat = text->file && !has_components(c, text->file);
    text->source = read;
    if (is_flat || !read || c->mem.failed)
        return text->file != NULL;
    bool may_need_library = c->lacks_class && libraries && *libraries;
    if (!text->file && !c->has_components && !may_need_library)
        return false; /* an error in a text without components */
    sources_rewind(&c->sources, mark);
    text->file = NULL;
    text->has_components = true;
    return true;
}

/* ---- directories ---- */

enum { PATHS_MAX = 64 };

static size_t add_path(compilation *c, const char **list, size_t n, const char *text, size_t length)
{
    if (length == 0 || n == PATHS_MAX)
        return n;
    const char *copy = arena_text(&c->mem, text, length);
    if (!copy)
        return n;
    list[n] = copy;
    return n + 1;
}

/* The directory of the file comes first. */
static size_t list_paths(compilation *c, const text_source *from, const char *libraries,
                         const char **list)
{
    size_t n = 0;
    const char *slash = from->path ? strrchr(from->path, '/') : NULL;
    if (slash)
        n = add_path(c, list, n, from->path, (size_t)(slash - from->path));
    for (const char *p = libraries; p && *p;) {
        size_t length = strcspn(p, ":");
        n = add_path(c, list, n, p, length);
        p += length + (p[length] == ':');
    }
    return n;
}

bool model_text_paths(compilation *c, const text_source *from, const char *libraries,
                      instantiate_options *options)
{
    const char **list = arena_take(&c->mem, PATHS_MAX, sizeof *list);
    options->path = list;
    options->n_paths = list ? list_paths(c, from, libraries, list) : 0;
    return list != NULL;
}

/* ---- files inside packages ---- */

/* The directory n levels above the one of a file: its length, or 0. */
static size_t directory_above(const char *path, int32_t n)
{
    const char *end = strrchr(path, '/');
    for (int32_t i = 0; end && i < n; i++) {
        const char *slash = end;
        while (slash > path && slash[-1] != '/')
            slash--;
        bool is_name = slash < end && *slash != '.';
        end = is_name && slash > path ? slash - 1 : NULL;
    }
    return end ? (size_t)(end - path) : 0;
}

/* P.Q.M */
static char *full_name(compilation *c, const ast_expr *within, int32_t own)
{
    size_t size = strlen(intern_text(&c->names, own)) + 1, used = 0;
    for (int32_t i = 0; i < within->n; i++)
        size += strlen(intern_text(&c->names, within->part[i].name)) + 1;
    char *name = arena_take(&c->mem, size, 1);
    for (int32_t i = 0; name && i < within->n; i++)
        used += (size_t)snprintf(name + used, size - used, "%s.",
                                 intern_text(&c->names, within->part[i].name));
    if (name)
        snprintf(name + used, size - used, "%s", intern_text(&c->names, own));
    return name;
}

static bool first_path(compilation *c, const char *directory, size_t n, instantiate_options *o)
{
    const char **list = arena_take(&c->mem, o->n_paths + 1, sizeof *list);
    if (!list)
        return false;
    list[0] = arena_text(&c->mem, directory, n);
    memcpy(list + 1, o->path, o->n_paths * sizeof *list);
    o->path = list;
    o->n_paths++;
    return list[0] != NULL;
}

/* `within P.Q; model M` in a folder P/Q that has a file package.mo is the class P.Q.M: its name,
 * and the directory of P in front of the others. */
static const char *name_within(compilation *c, const text_source *from, const ast_file *file,
                               instantiate_options *options)
{
    char *path = from->path && file->within && file->classes ? realpath(from->path, NULL) : NULL;
    char *slash = path ? strrchr(path, '/') : NULL;
    const char *name = NULL;
    if (slash && strcmp(slash, "/package.mo") != 0) {
        size_t n = directory_above(path, file->within->n), size = (size_t)(slash - path) + 16;
        char *package = arena_take(&c->mem, size, 1);
        if (package)
            snprintf(package, size, "%.*s/package.mo", (int)(slash - path), path);
        if (n > 0 && package && can_open(package) && first_path(c, path, n, options))
            name = full_name(c, file->within, file->classes->name);
    }
    free(path);
    return name;
}

const ast_file *model_text_flat(compilation *c, const text_source *from, const model_text *text,
                                const char *libraries, const instantiate_options *changes)
{
    if (!text->has_components)
        return text->file;
    instantiate_options *options = arena_take(&c->mem, 1, sizeof *options);
    if (!options)
        return NULL;
    *options = *changes;
    if (!model_text_paths(c, from, libraries, options))
        return NULL;
    options->model = text->source ? c->model_name : from->path;
    const ast_file *file = text->source ? parse_library_text(c, text->source) : NULL;
    if (text->source && !file)
        return NULL;
    const char *inside = file && !c->model_name ? name_within(c, from, file, options) : NULL;
    if (inside) {
        options->model = inside;
        file = NULL;
    }
    c->model_name = NULL; /* the flat model is the only one */
    return instantiate(c, file, options);
}
