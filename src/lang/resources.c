/* lang/resources.c - see resources.h. */
#include "lang/resources.h"

#include <stdio.h>
#include <string.h>

struct resource_root {
    const char *name, *directory;
    resource_root *next;
};

void resource_root_add(compilation *c, const char *name, const char *path, bool is_directory)
{
    resource_root *root = arena_take(&c->mem, 1, sizeof *root);
    const char *slash = strrchr(path, '/');
    size_t n = is_directory ? strlen(path) : slash ? (size_t)(slash - path) : 0;
    if (!root)
        return;
    *root = (resource_root){.name = arena_text(&c->mem, name, strlen(name)),
                            .directory = n ? arena_text(&c->mem, path, n) : ".",
                            .next = c->resource_roots};
    if (root->name && root->directory)
        c->resource_roots = root;
}

const char *resource_package(const char *address)
{
    static const char scheme[] = "modelica://";
    return strncmp(address, scheme, sizeof scheme - 1) == 0 ? address + sizeof scheme - 1 : NULL;
}

static char *join(compilation *c, const char *directory, const char *name, size_t n)
{
    size_t size = strlen(directory) + n + 2;
    char *text = arena_take(&c->mem, size, 1);
    if (text)
        snprintf(text, size, "%s/%.*s", directory, (int)n, name);
    return text;
}

/* Whether the directory is that of a package. */
static bool has_package(compilation *c, const char *directory)
{
    static const char name[] = "package.mo";
    const char *path = directory ? join(c, directory, name, sizeof name - 1) : NULL;
    FILE *f = path ? fopen(path, "rb") : NULL;
    if (f)
        fclose(f);
    return f != NULL;
}

/* P.Q/file lies in the folder of Q, if that has one. */
const char *resource_find(compilation *c, const char *address)
{
    const char *name = resource_package(address), *rest = name ? strchr(name, '/') : NULL;
    if (!rest)
        return NULL;
    size_t n = strcspn(name, "./");
    const resource_root *root = c->resource_roots;
    while (root && (strlen(root->name) != n || strncmp(root->name, name, n) != 0))
        root = root->next;
    if (!root)
        return NULL;
    const char *directory = root->directory;
    for (const char *p = name + n; *p == '.';) {
        size_t length = strcspn(p + 1, "./");
        const char *inside = join(c, directory, p + 1, length);
        directory = has_package(c, inside) ? inside : directory;
        p += 1 + length;
    }
    return join(c, directory, rest + 1, strlen(rest + 1));
}
