/* instantiate/class_files.c - see instance.h: packages in directories and files, which are listed
 * and read when something in them is asked for. */
#include "instantiate/instance.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- reading ---- */

static bool file_read(builder *b, class_file *file, int32_t name)
{
    if (file->is_read)
        return file->class != NULL;
    file->is_read = true;
    source *text = sources_add_file(&b->c->sources, file->path);
    ast_file *parsed = text ? parse_library_text(b->c, text) : NULL;
    if (!parsed || !parsed->classes)
        return false;
    if (parsed->classes->name != name)
        return source_error(&b->c->sources, parsed->classes->at,
                            "the file should contain '%s', but it contains '%s'",
                            name_text(b, name), name_text(b, parsed->classes->name));
    file->class = parsed->classes;
    return true;
}

ast_class *class_read(builder *b, element *e)
{
    if (!e->class && e->file && file_read(b, e->file, e->name))
        e->class = e->file->class;
    if (!e->class)
        return NULL;
    if (e->class->form == AST_UNREAD && !parse_unread_class(b->c, e->class)) {
        e->class = NULL;
        return NULL;
    }
    return e->class;
}

/* ---- directories ---- */

static bool is_file(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

static class_file *file_new(builder *b, const char *path, const char *directory)
{
    class_file *f = builder_take(b, 1, sizeof *f);
    if (f)
        *f = (class_file){.path = path, .directory = directory};
    return f;
}

/* The class that an entry of a directory holds, NULL: none. */
static class_file *entry_file(builder *b, const char *directory, const char *entry, int32_t *name)
{
    size_t n = strlen(entry);
    if (entry[0] == '.' || strcmp(entry, "package.mo") == 0 || strcmp(entry, "package.order") == 0)
        return NULL;
    if (n > 3 && strcmp(entry + n - 3, ".mo") == 0) {
        *name = name_id(b, "%.*s", (int)(n - 3), entry);
        return file_new(b, builder_text(b, "%s/%s", directory, entry), NULL);
    }
    if (strchr(entry, '.') || strcmp(entry, "Resources") == 0)
        return NULL;
    const char *inside = builder_text(b, "%s/%s", directory, entry);
    const char *path = inside ? builder_text(b, "%s/package.mo", inside) : NULL;
    if (!path || !is_file(path))
        return NULL;
    *name = name_id(b, "%s", entry);
    return file_new(b, path, inside);
}

/* Names of a directory. */
typedef struct entry_list {
    const char **name;
    size_t n, capacity;
} entry_list;

static void entry_add(builder *b, entry_list *l, const char *name)
{
    const char **list = arena_grow(b->mem, l->name, &l->capacity, l->n + 1, sizeof *list);
    if (!list)
        return;
    l->name = list;
    list[l->n++] = builder_text(b, "%s", name);
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The entries of a directory, sorted: the order of readdir is another one on every disk. */
static entry_list entries_of(builder *b, const char *directory)
{
    entry_list l = {0};
    DIR *d = opendir(directory);
    if (!d)
        return l;
    for (struct dirent *entry; (entry = readdir(d)) != NULL;)
        entry_add(b, &l, entry->d_name);
    closedir(d);
    if (l.n > 1)
        qsort(l.name, l.n, sizeof *l.name, compare_texts);
    return l;
}

static void member_add(builder *b, scope *s, const char *directory, const char *entry)
{
    int32_t name = INTERN_NONE;
    class_file *one = entry_file(b, directory, entry, &name);
    element *e = one ? element_add(b, s, NULL, NULL, one) : NULL;
    if (e)
        e->name = name;
}

bool directory_members(builder *b, scope *s, const class_file *file)
{
    entry_list l = entries_of(b, file->directory);
    for (size_t i = 0; i < l.n; i++)
        member_add(b, s, file->directory, l.name[i]);
    return true;
}

/* ---- the search path ---- */

/* Whether a directory is named as a version of the package: `Modelica 4.1.0`. */
static bool is_version(const char *entry, const char *name)
{
    size_t n = strlen(name);
    return strncmp(entry, name, n) == 0 && entry[n] == ' ' && entry[n + 1] >= '0' &&
           entry[n + 1] <= '9';
}

/* Compares 4.1.0 with 3.2.3, number by number. */
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

/* The newest directory with a version in its name, or NULL. */
static const char *newest_version(builder *b, const char *directory, const char *name)
{
    DIR *d = opendir(directory);
    const char *best = NULL;
    size_t n = strlen(name) + 1;
    if (!d)
        return NULL;
    for (struct dirent *entry; (entry = readdir(d)) != NULL;)
        if (is_version(entry->d_name, name) &&
            (!best || compare_versions(entry->d_name + n, best + n) > 0))
            best = builder_text(b, "%s", entry->d_name);
    closedir(d);
    return best ? builder_text(b, "%s/%s", directory, best) : NULL;
}

static class_file *package_in(builder *b, const char *directory, const char *name)
{
    const char *inside = builder_text(b, "%s/%s", directory, name);
    const char *path = inside ? builder_text(b, "%s/package.mo", inside) : NULL;
    if (path && is_file(path))
        return file_new(b, path, inside);
    path = builder_text(b, "%s/%s.mo", directory, name);
    if (path && is_file(path))
        return file_new(b, path, NULL);
    inside = newest_version(b, directory, name);
    path = inside ? builder_text(b, "%s/package.mo", inside) : NULL;
    return path && is_file(path) ? file_new(b, path, inside) : NULL;
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

element *library_root(builder *b, int32_t name)
{
    const char *text = name_text(b, name);
    if (strchr(text, '/') || strchr(text, '.') || !*text)
        return NULL;
    for (size_t i = 0; i < b->options->n_paths; i++) {
        class_file *file = package_in(b, b->options->path[i], text);
        if (!file)
            continue;
        element *e = element_add(b, b->root->scopes, NULL, NULL, file);
        return e;
    }
    return NULL;
}

void path_texts(const builder *b, char *text, size_t size)
{
    size_t n = 0;
    text[0] = '\0';
    for (size_t i = 0; i < b->options->n_paths && n + 3 < size; i++)
        n += (size_t)snprintf(text + n, size - n, "%s%s", i ? ", " : "", b->options->path[i]);
}
