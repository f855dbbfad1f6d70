/* instantiate/instantiate.c - see instantiate.h: the outline. */
#include "flatten/constant_evaluator.h"
#include "instantiate/clauses.h"
#include "instantiate/connections.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- texts and memory ---- */

void *builder_take(builder *b, size_t n, size_t size)
{
    return arena_take(b->mem, n, size);
}

const char *name_text(const builder *b, int32_t name)
{
    return name < 0 ? "" : intern_text(b->names, name);
}

static char *format_text(builder *b, const char *format, va_list args, size_t *length)
{
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    char *text = n < 0 ? NULL : builder_take(b, (size_t)n + 1, 1);
    if (text)
        vsnprintf(text, (size_t)n + 1, format, again);
    va_end(again);
    *length = n < 0 ? 0 : (size_t)n;
    return text;
}

int32_t name_id(builder *b, const char *format, ...)
{
    char text[512];
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(text, sizeof text, format, args);
    int32_t id = INTERN_NONE;
    if (n >= 0 && (size_t)n < sizeof text) {
        id = intern_add(b->names, text, (size_t)n);
    } else if (n >= 0) {
        size_t length;
        const char *all = format_text(b, format, again, &length);
        id = all ? intern_add(b->names, all, length) : INTERN_NONE;
    }
    va_end(again);
    va_end(args);
    return id;
}

const char *builder_text(builder *b, const char *format, ...)
{
    size_t length;
    va_list args;
    va_start(args, format);
    const char *text = format_text(b, format, args, &length);
    va_end(args);
    return text;
}

/* Whether another instance of the class has the same error at the same place. */
static bool is_told_of_other(const sources *s, source_at at, const char *text)
{
    size_t n = strlen(text);
    for (int32_t k = 0; k < s->n_messages; k++)
        if (s->message[k].at == at && s->message[k].severity == SOURCE_ERROR &&
            strncmp(s->message[k].text, text, n) == 0 &&
            strncmp(s->message[k].text + n, " (in ", 5) == 0)
            return true;
    return false;
}

void *instance_error(builder *b, const instance *in, source_at at, const char *format, ...)
{
    size_t length;
    va_list args;
    va_start(args, format);
    const char *text = format_text(b, format, args, &length);
    va_end(args);
    b->why = text;
    if (b->quiet || !text)
        return NULL;
    const char *path = in ? instance_path(b, in) : NULL;
    if (path && is_told_of_other(&b->c->sources, at, text))
        b->c->sources.n_errors++;
    else if (path)
        source_error(&b->c->sources, at, "%s (in %s)", text, path);
    else
        source_error(&b->c->sources, at, "%s", text);
    return NULL;
}

/* ---- the root ---- */

static bool root_create(builder *b, const ast_file *file)
{
    element *top = builder_take(b, 1, sizeof *top);
    ast_class *class = builder_take(b, 1, sizeof *class);
    if (!top || !class)
        return false;
    *class = (ast_class){.kind = AST_PACKAGE, .form = AST_LONG, .name = INTERN_NONE};
    *top = (element){.name = INTERN_NONE, .is_class = true, .is_prepared = true, .class = class};
    b->root = class_instance_new(b, top, NULL);
    if (!b->root)
        return false;
    b->root->is_open = true;
    for (ast_class *c = file ? file->classes : NULL; c; c = c->next) {
        element_add(b, b->root->scopes, NULL, c, NULL);
        resource_root_add(b->c, name_text(b, c->name), file->source->name, false);
    }
    return true;
}

static bool is_model_kind(const ast_class *c)
{
    return c->kind == AST_MODEL || c->kind == AST_BLOCK || c->kind == AST_CLASS;
}

/* The last model of a package that is not partial. */
static element *last_model(builder *b, element *e, int depth)
{
    if (depth > NESTING_MAX || !class_read(b, e))
        return NULL;
    if (is_model_kind(e->class))
        return e->class->prefixes & AST_PARTIAL ? NULL : e;
    if (e->class->kind != AST_PACKAGE || e->class->form != AST_LONG)
        return NULL;
    instance *in = class_look(b, e);
    element *found = NULL;
    for (element *x = in && instance_open(b, in) ? in->elements : NULL; x; x = x->next)
        if (x->is_class && x->origins.scope == in->scopes) {
            element *one = last_model(b, x, depth + 1);
            found = one ? one : found;
        }
    return found;
}

element *named_class(builder *b, const char *name)
{
    ast_part part[NESTING_MAX];
    ast_expr ref = {.kind = AST_REF, .n = 0};
    ref.part = part;
    for (const char *p = name; *p && ref.n < NESTING_MAX;) {
        size_t n = strcspn(p, ".");
        part[ref.n++] = (ast_part){.name = name_id(b, "%.*s", (int)n, p)};
        p += n + (p[n] == '.');
    }
    base_kind base;
    return ref.n ? lookup_class(b, b->root->scopes, &ref, &base) : NULL;
}

static element *find_model(builder *b, const ast_file *file)
{
    element *found = NULL;
    if (b->options->model) {
        found = named_class(b, b->options->model);
        b->c->wrong_changes = !found && !b->is_unreadable;
        return found;
    }
    for (element *e = b->root->elements; e; e = e->next) {
        element *one = last_model(b, e, 0);
        found = one ? one : found;
    }
    if (!found && b->c->sources.n_errors == 0)
        instance_error(b, NULL, file && file->classes ? file->classes->at : SOURCE_NOWHERE,
                       "the file contains no model that is complete");
    return found;
}

static bool model_create(builder *b, element *e)
{
    if (!element_prepare(b, e) || !class_read(b, e))
        return false;
    instance *in = class_look(b, e);
    if (!in)
        return false;
    if (in->class->form != AST_LONG || !is_model_kind(in->class)) {
        instance_error(b, NULL, in->class->at, "'%s' is a %s and not a model",
                       name_text(b, e->name), ast_class_kind_text(in->class->kind));
        return false;
    }
    if (in->class->prefixes & AST_PARTIAL) {
        instance_error(b, NULL, in->class->at, "'%s' is partial: it is a base of other models",
                       name_text(b, e->name));
        return false;
    }
    b->model = class_instance_new(b, in->type, in->mods);
    if (!b->model)
        return false;
    b->model->is_part = true;
    b->model->element = NULL;
    b->model_class = e;
    return instance_open(b, b->model);
}

/* ---- all instances ---- */

static void make_all(builder *b, instance *in)
{
    if (b->c->sources.n_errors >= SOURCE_ERRORS_MAX)
        return;
    for (int32_t i = 0; in->kind == INSTANCE_ARRAY && i < in->n_items; i++)
        make_all(b, in->item[i]);
    if (in->kind != INSTANCE_CLASS || !instance_open(b, in))
        return;
    for (element *e = in->elements; e; e = e->next) {
        instance *inner = e->is_class ? NULL : component_of(b, e);
        if (inner && inner->element == e)
            make_all(b, inner);
    }
}

/* ---- the flat model ---- */

static bool output_create(builder *b)
{
    b->out = builder_take(b, 1, sizeof *b->out);
    if (!b->out)
        return false;
    const ast_class *c = b->model->class;
    *b->out = (ast_class){.kind = AST_MODEL,
                          .form = AST_LONG,
                          .name = c->name,
                          .quoted = true,
                          .at = c->at,
                          .end = c->end,
                          .comment = {.text = c->comment.text}};
    const ast_mod *x = ast_mod_find(c->comment.annotation, b->names, "experiment");
    ast_mod *copy = x ? arena_copy(b->mem, x, 1, 1, sizeof *copy) : NULL;
    if (copy) {
        copy->next = NULL;
        b->out->comment.annotation = copy;
    }
    b->last_variable = &b->out->elements;
    b->last_section = &b->out->sections;
    b->equations = (clause_list){.last = &b->equations.first};
    b->initial_equations = (clause_list){.last = &b->initial_equations.first};
    return true;
}

static void sections_finish(builder *b)
{
    ast_section *equations = builder_take(b, 1, sizeof *equations);
    ast_section *initial = builder_take(b, 1, sizeof *initial);
    if (!equations || !initial)
        return;
    *equations = (ast_section){.kind = AST_EQUATIONS, .clauses = b->equations.first};
    *initial = (ast_section){.kind = AST_INITIAL_EQUATIONS, .clauses = b->initial_equations.first};
    if (initial->clauses) {
        *b->last_section = initial;
        b->last_section = &initial->next;
    }
    if (equations->clauses)
        *b->last_section = equations;
}

static ast_file *file_create(builder *b)
{
    ast_file *file = builder_take(b, 1, sizeof *file);
    if (!file)
        return NULL;
    file->source = b->c->sources.n ? b->c->sources.source[0] : NULL;
    *b->last_class = b->out;
    file->classes = b->classes;
    return file;
}

static ast_file *build(builder *b, const ast_file *file)
{
    element *e = find_model(b, file);
    if (!e || !model_create(b, e) || !output_create(b))
        return NULL;
    make_all(b, b->model);
    instance_sections(b, b->model, true);
    connections_emit(b);
    if (b->c->sources.n_errors == 0 || !connections_have_buses(b))
        instance_sections(b, b->model, false);
    if (b->c->sources.n_errors == 0)
        variables_emit(b, b->model);
    if (b->c->sources.n_errors)
        return NULL;
    streams_emit(b);
    sections_finish(b);
    return file_create(b);
}

builder *builder_new(compilation *c, const ast_file *file, const instantiate_options *options)
{
    builder *b = arena_take(&c->mem, 1, sizeof *b);
    if (!b)
        return NULL;
    *b = (builder){.c = c, .mem = &c->mem, .names = &c->names, .options = options};
    b->last_class = &b->classes;
    return root_create(b, file) ? b : NULL;
}

ast_file *instantiate(compilation *c, const ast_file *file, const instantiate_options *options)
{
    builder *b = builder_new(c, file, options);
    if (!b)
        return NULL;
    ast_file *flat = !file || is_utf8(b, file->source) ? build(b, file) : NULL;
    constant_evaluator_free(b->evaluator);
    if (!flat && c->sources.n_errors == 0)
        source_error(&c->sources, SOURCE_NOWHERE, "the flat model could not be built: %s",
                     c->mem.failed ? "out of memory"
                     : b->why      ? b->why
                                   : "the reason was not recorded");
    return c->sources.n_errors ? NULL : flat;
}
