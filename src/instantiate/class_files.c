/* instantiate/class_files.c - see instance.h: packages in directories and files, which are listed
 * and read when something in them is asked for. */
#include "instantiate/class_files.h"

#include "output/utf8.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- reading ---- */

bool is_utf8(builder *b, const source *text)
{
    size_t i = 0, n;
    while (i < text->length && (n = utf8_length(text->text + i, text->length - i)) > 0)
        i += n;
    if (i == text->length)
        return true;
    return source_error(&b->c->sources, text->base + (source_at)i,
                        "the byte 0x%02X here is not UTF-8; convert the file, as by iconv -f "
                        "ISO-8859-1 -t UTF-8",
                        (unsigned)(unsigned char)text->text[i]);
}

/* The text within the package that the directory says. */
static void check_within(builder *b, const class_file *file, const ast_file *parsed)
{
    const char *in = file->package, *said = "";
    if (!parsed->has_within || !in)
        return;
    for (int32_t i = 0; parsed->within && i < parsed->within->n && said; i++)
        said = builder_text(b, "%s%s%s", said, i ? "." : "",
                            name_text(b, parsed->within->part[i].name));
    if (said && strcmp(said, in) != 0)
        source_error(&b->c->sources, parsed->within ? parsed->within->at : parsed->classes->at,
                     "the text says that it is within '%s', but its file lies in '%s'", said, in);
}

static ast_class *file_parse(builder *b, class_file *file, int32_t name)
{
    source *text =
        file->text ? sources_add_text(&b->c->sources, file->path, file->text, strlen(file->text))
                   : sources_add_file(&b->c->sources, file->path);
    ast_file *parsed = text && is_utf8(b, text) ? parse_library_text(b->c, text) : NULL;
    if (!parsed || !parsed->classes)
        return NULL;
    check_within(b, file, parsed);
    if (parsed->classes->name == name)
        return parsed->classes;
    source_error(&b->c->sources, parsed->classes->at,
                 "the file should contain '%s', but it contains '%s'", name_text(b, name),
                 name_text(b, parsed->classes->name));
    return NULL;
}

static bool file_read(builder *b, class_file *file, int32_t name)
{
    if (!file->is_read)
        file->class = file_parse(b, file, name);
    file->is_read = true;
    b->is_unreadable = b->is_unreadable || !file->class;
    return file->class != NULL;
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

bool is_file(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

class_file *file_new(builder *b, const char *path, const char *directory)
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

entry_list entries_of(builder *b, const char *directory)
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
    if (one)
        one->package = s->of ? class_full_name(b, s->of) : NULL;
}

bool directory_members(builder *b, scope *s, const class_file *file)
{
    entry_list l = entries_of(b, file->directory);
    for (size_t i = 0; i < l.n; i++)
        member_add(b, s, file->directory, l.name[i]);
    return true;
}
