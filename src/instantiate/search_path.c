/* instantiate/search_path.c - see instance.h: packages of the search path, their versions and
 * resources.
 *
 * A package P lies in a folder `P` or `P 1.2`, or in a file `P.mo`, of a directory of the path; a
 * directory of the path may also be that folder.  The first directory that has it decides, and
 * there the version that an annotation `uses` names. */
#include "instantiate/class_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- versions ---- */

/* Whether a directory is named as a version of the package: `Modelica 4.1.0`. */
static bool is_version(const char *entry, const char *name)
{
    size_t n = strlen(name);
    return strncmp(entry, name, n) == 0 && entry[n] == ' ' && entry[n + 1] >= '0' &&
           entry[n + 1] <= '9';
}

static const char *text_value(const ast_mod *m)
{
    return m && m->value && m->value->kind == AST_STRING ? m->value->text : NULL;
}

/* The version of the package that a class uses, or NULL. */
static const char *used_version(const builder *b, const ast_class *c, const char *name)
{
    const ast_mod *uses = c ? ast_mod_find(c->comment.annotation, b->names, "uses") : NULL;
    const ast_mod *m = uses ? ast_mod_find(uses->mods, b->names, name) : NULL;
    return m ? text_value(ast_mod_find(m->mods, b->names, "version")) : NULL;
}

/* The version that a file or a package that is known uses; *who is that one. */
static const char *wanted_version(const builder *b, const char *name, const ast_class **who)
{
    for (const element *e = b->root->elements; e; e = e->next) {
        const char *version = used_version(b, e->class, name);
        if (version) {
            *who = e->class;
            return version;
        }
    }
    return NULL;
}

/* Compares 4.10.0 with 4.9, number by number. */
static int compare_versions(const char *a, const char *b)
{
    while (*a || *b) {
        char *next_a, *next_b;
        long x = strtol(a, &next_a, 10), y = strtol(b, &next_b, 10);
        if (x != y)
            return x < y ? -1 : 1;
        if (next_a == a && next_b == b)
            break;
        a = *next_a == '.' ? next_a + 1 : next_a;
        b = *next_b == '.' ? next_b + 1 : next_b;
    }
    return 0;
}

/* The first number of a version. */
static long major(const char *version)
{
    return strtol(version, NULL, 10);
}

/* A package of another major version has other classes. */
static void check_version(builder *b, element *e)
{
    const ast_class *who = NULL;
    const char *name = name_text(b, e->name), *wanted = wanted_version(b, name, &who);
    if (!wanted || !class_read(b, e) || who == e->class)
        return;
    const char *found = text_value(ast_mod_find(e->class->comment.annotation, b->names, "version"));
    if (found && major(found) != major(wanted))
        source_error(&b->c->sources, who->at,
                     "%s uses version %s of %s, and version %s is found in %s: their first numbers "
                     "differ",
                     name_text(b, who->name), wanted, name, found, e->file->path);
}

/* ---- directories ---- */

static class_file *folder_file(builder *b, const char *directory, const char *entry)
{
    const char *inside = builder_text(b, "%s/%s", directory, entry);
    const char *path = inside ? builder_text(b, "%s/package.mo", inside) : NULL;
    return path && is_file(path) ? file_new(b, path, inside) : NULL;
}

/* Of several folders with versions in their names the one that is wanted. */
static class_file *version_in(builder *b, const char *directory, const char *name)
{
    const ast_class *who = NULL;
    const char *wanted = wanted_version(b, name, &who), *list = "", *newest = "";
    class_file *found = NULL, *like = NULL;
    entry_list l = entries_of(b, directory);
    int n = 0;
    for (size_t i = 0; i < l.n; i++) {
        class_file *one = is_version(l.name[i], name) ? folder_file(b, directory, l.name[i]) : NULL;
        const char *version = l.name[i] + strlen(name) + 1;
        if (!one)
            continue;
        if (wanted && strcmp(version, wanted) == 0)
            return one;
        if (wanted && major(version) == major(wanted) && compare_versions(version, newest) > 0) {
            like = one;
            newest = version;
        }
        found = one;
        list = builder_text(b, "%s%s%s", list, n++ ? ", " : "", version);
    }
    if (wanted || n < 2)
        return like ? like : found;
    source_error(
        &b->c->sources, SOURCE_NOWHERE,
        "there are versions %s of %s in %s: annotation(uses(%s(version = \"...\"))) of the "
        "model, or --path with the folder itself, says which is meant",
        list, name, directory, name);
    return found;
}

/* Whether the directory is the folder of the package. */
static bool is_folder_of(const char *directory, const char *name)
{
    size_t n = strlen(directory);
    while (n > 0 && directory[n - 1] == '/')
        n--;
    size_t from = n;
    while (from > 0 && directory[from - 1] != '/')
        from--;
    size_t length = strlen(name);
    return n - from >= length && strncmp(directory + from, name, length) == 0 &&
           (n - from == length || directory[from + length] == ' ');
}

static class_file *package_in(builder *b, const char *directory, const char *name)
{
    const char *path = builder_text(b, "%s/package.mo", directory);
    if (path && is_folder_of(directory, name) && is_file(path))
        return file_new(b, path, directory);
    class_file *folder = folder_file(b, directory, name);
    if (folder)
        return folder;
    path = builder_text(b, "%s/%s.mo", directory, name);
    return path && is_file(path) ? file_new(b, path, NULL) : version_in(b, directory, name);
}

void library_roots(builder *b)
{
    for (size_t i = 0; i < b->options->n_paths; i++) {
        entry_list l = entries_of(b, b->options->path[i]);
        for (size_t k = 0; k < l.n; k++) {
            const char *entry = l.name[k];
            size_t n = strcspn(entry, " ."); /* Modelica 4.1.0, Complex.mo */
            bool is_class = entry[n] != '.' || strcmp(entry + n, ".mo") == 0;
            int32_t name = is_class ? name_id(b, "%.*s", (int)n, entry) : INTERN_NONE;
            if (name != INTERN_NONE && strcmp(entry, "package.mo") != 0 &&
                !member_find(b, b->root, name))
                library_root(b, name);
        }
    }
}

static class_file *root_file(builder *b, const char *name)
{
    class_file *file = NULL;
    for (size_t i = 0; i < b->options->n_paths && !file; i++)
        file = package_in(b, b->options->path[i], name);
    if (file || strcmp(name, "ModelicaServices") != 0)
        return file;
    file = file_new(b, "ModelicaServices.mo", NULL);
    if (file)
        file->text = services_text;
    return file;
}

element *library_root(builder *b, int32_t name)
{
    const char *text = name_text(b, name);
    uint32_t k;
    if (strchr(text, '/') || strchr(text, '.') || !*text ||
        number_map_find(&b->absent_roots, (uint64_t)name + 1, &k))
        return NULL;
    class_file *file = root_file(b, text);
    if (!file) {
        number_map_put(&b->absent_roots, b->mem, (uint64_t)name + 1, 0);
        return NULL;
    }
    file->package = "";
    element *e = element_add(b, b->root->scopes, NULL, NULL, file);
    if (e) {
        resource_root_add(b->c, text, file->directory ? file->directory : file->path,
                          file->directory != NULL);
        check_version(b, e);
    }
    return e;
}

void path_texts(const builder *b, char *text, size_t size)
{
    size_t n = 0;
    text[0] = '\0';
    for (size_t i = 0; i < b->options->n_paths && n + 3 < size; i++)
        n += (size_t)snprintf(text + n, size - n, "%s%s", i ? ", " : "", b->options->path[i]);
}

const char *resource_path(builder *b, const char *address)
{
    const char *name = resource_package(address);
    if (!name)
        return address;
    int32_t id = name_id(b, "%.*s", (int)strcspn(name, "./"), name);
    if (!member_find(b, b->root, id))
        library_root(b, id);
    const char *path = resource_find(b->c, address);
    return path ? path : address;
}
