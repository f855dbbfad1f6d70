/* flatten/shared_object.c - see execute.h: C functions of the user, in shared objects.
 *
 * They are called with numbers only: during the run, or where all arguments are constants. An
 * argument has the C type that the language says: double, int for Integer, Boolean and
 * enumerations, const char * for String, void * for external objects, size_t for size(); arrays and
 * outputs are pointers. */
#include "flatten/execute.h"
#include "foreign/dynamic_call.h"

#include <stdio.h>
#include <string.h>

/* ---- finding ---- */

typedef struct search {
    flattener *f;
    plan *p;
    const char *function;
    const char *folder; /* of the annotation LibraryDirectory, or NULL */
    bool is_loaded;     /* some library was                            */
    char why[FOREIGN_WHY_LENGTH];
} search;

static void *object_keep(flattener *f, void *object)
{
    function_list *all = f->functions;
    void **list =
        context_push(f->in, all->shared, all->n_shared, &all->shared_capacity, sizeof *list);
    if (!list) {
        foreign_close(object);
        return NULL;
    }
    all->shared = list;
    return list[all->n_shared++] = object;
}

/* Looks for the function in one shared object, or in the program itself. */
static bool find_in(search *s, const char *path)
{
    void *object = foreign_open(path, s->why);
    foreign_function *found = object ? foreign_find(object, s->function) : NULL;
    s->is_loaded = s->is_loaded || object;
    if (!found || !object_keep(s->f, object)) {
        foreign_close(found ? NULL : object);
        return false;
    }
    s->p->foreign = found;
    return true;
}

static bool find_in_folder(search *s, const char *folder, int n, const char *library)
{
    bool is_name = !strstr(library, ".so") && !strchr(library, '/');
    const char *path = is_name ? context_text(s->f->in, "%.*s/lib%s.so", n, folder, library)
                               : context_text(s->f->in, "%.*s/%s", n, folder, library);
    return path && find_in(s, path);
}

/* In the folder of the annotation, in that of the model, then where the system looks. */
static bool find_library(search *s, const char *library)
{
    const sources *all = &s->f->in->c->sources;
    const char *model = all->n > 0 ? all->source[0]->name : "";
    const char *slash = strrchr(model, '/');
    const char *text = context_text(s->f->in, strchr(library, '/') ? "%s" : "lib%s.so", library);
    if (s->folder && find_in_folder(s, s->folder, (int)strlen(s->folder), library))
        return true;
    if (slash ? find_in_folder(s, model, (int)(slash - model), library)
              : find_in_folder(s, ".", 1, library))
        return true;
    return text && find_in(s, text);
}

static const char *text_of(flattener *f, const ast_expr *e)
{
    static const char scheme[] = "file://";
    (void)f;
    if (!e || e->kind != AST_STRING || strncmp(e->text, "modelica://", 11) == 0)
        return NULL;
    return strncmp(e->text, scheme, sizeof scheme - 1) == 0 ? e->text + sizeof scheme - 1 : e->text;
}

static bool find_function(search *s, const ast_external *e)
{
    flattener *f = s->f;
    const ast_mod *library = ast_mod_find(e->annotation, f->in->names, "Library");
    const ast_mod *folder = ast_mod_find(e->annotation, f->in->names, "LibraryDirectory");
    s->folder = folder ? text_of(f, folder->value) : NULL;
    if (!library || !library->value)
        return find_in(s, NULL);
    if (library->value->kind != AST_ARRAY) {
        const char *one = text_of(f, library->value);
        return one && find_library(s, one);
    }
    for (int32_t i = 0; i < library->value->n; i++) {
        const char *one = text_of(f, library->value->item[i]);
        if (one && find_library(s, one))
            return true;
    }
    return false;
}

/* Libraries of the system, as "m", are part of the program and may be no shared objects by their
 * name alone. */
static bool find_in_program(search *s)
{
    bool is_loaded = s->is_loaded;
    char why[sizeof s->why];
    memcpy(why, s->why, sizeof why);
    if (find_in(s, NULL))
        return true;
    s->is_loaded = is_loaded;
    memcpy(s->why, why, sizeof why);
    return false;
}

/* Finds the C function behind an external function; false after an error. */
static bool find_foreign(flattener *f, plan *p)
{
    const ast_external *e = p->body->external;
    int32_t name = e->function == INTERN_NONE ? p->body->name : e->function;
    search s = {.f = f, .p = p, .function = context_name(f->in, name)};
    if (p->foreign || find_function(&s, e) || find_in_program(&s))
        return true;
    source_at at = f->in->frame ? f->in->frame->at : e->at;
    if (s.is_loaded || !s.why[0])
        context_error(f->in, at, "no shared object of '%s' has a function '%s'",
                      context_name(f->in, p->body->name), s.function);
    else
        context_error(f->in, at, "the shared object of '%s' cannot be loaded: %s",
                      context_name(f->in, p->body->name), s.why);
    return false;
}

/* ---- arguments ---- */

typedef struct foreign_arguments {
    foreign_value value[FOREIGN_ARGS_MOST];
    struct {
        int32_t item; /* output of the function whose place this is, or -1 */
        void *place;
    } output[FOREIGN_ARGS_MOST];
    int n;
} foreign_arguments;

static foreign_value *argument_add(foreign_arguments *a, foreign_type t)
{
    if (a->n == FOREIGN_ARGS_MOST)
        return NULL;
    a->output[a->n].item = -1;
    a->value[a->n] = (foreign_value){.type = t};
    return &a->value[a->n++];
}

static void *object_pointer(const context *in, double number)
{
    size_t k = (size_t)number;
    return number >= 1.0 && k <= in->n_objects && in->object[k - 1].kind == OBJECT_FOREIGN
               ? ((foreign_object *)in->object[k - 1].data)->pointer
               : NULL;
}

/* Numbers, as doubles or as ints. */
static void *numbers_copy(flattener *f, value v)
{
    double *real = arena_take(f->in->mem, v.n + 1, sizeof *real);
    int *integer = (int *)real;
    for (size_t i = 0; real && i < v.n; i++) {
        double x = numeric_value(f, v.e[i]);
        if (v.type.base == T_REAL)
            real[i] = x;
        else
            integer[i] = (int)x;
    }
    return real;
}

static bool value_pass(flattener *f, foreign_arguments *a, value v)
{
    bool is_number = v.type.base == T_REAL || v.type.base == T_INTEGER ||
                     v.type.base == T_BOOLEAN || v.type.base == T_ENUM;
    foreign_value *x = NULL;
    if (is_bad(v))
        return false;
    if (is_number && v.type.n_dims > 0) {
        x = argument_add(a, FOREIGN_POINTER);
        return x && (x->pointer = numbers_copy(f, v));
    }
    if (v.n != 1 || v.type.n_dims > 0)
        return false;
    double number = numeric_value(f, v.e[0]);
    x = argument_add(a, v.type.base == T_REAL ? FOREIGN_REAL
                        : is_number           ? FOREIGN_INTEGER
                                              : FOREIGN_POINTER);
    if (x && v.type.base == T_REAL)
        x->real = number;
    else if (x && is_number)
        x->integer = (int)number;
    else if (x && v.type.base == T_STRING)
        x->pointer = (void *)(uintptr_t)context_name(f->in, (int32_t)number);
    else if (x && v.type.base == T_OBJECT)
        x->pointer = object_pointer(f->in, number);
    else
        return false;
    return true;
}

static bool output_pass(flattener *f, foreign_arguments *a, int32_t item)
{
    const local *l = &f->in->frame->local[item];
    foreign_value *x = argument_add(a, FOREIGN_POINTER);
    if (!x || l->is_open || l->type.base == T_RECORD || l->type.base == T_STRING)
        return false;
    x->pointer = arena_take(f->in->mem, type_leaves(f->in, l->type) + 1, sizeof(double));
    a->output[a->n - 1].item = item;
    a->output[a->n - 1].place = x->pointer;
    return x->pointer != NULL;
}

static bool size_pass(foreign_arguments *a, double size)
{
    foreign_value *x = argument_add(a, FOREIGN_SIZE);
    if (x)
        x->size = (size_t)size;
    return x != NULL;
}

static bool is_size(const flattener *f, const ast_expr *e)
{
    int32_t name = e->kind == AST_CALL ? ast_simple_name(e->base) : INTERN_NONE;
    return name != INTERN_NONE && strcmp(context_name(f->in, name), "size") == 0;
}

static bool clause_pass(flattener *f, const plan *p, foreign_arguments *a)
{
    const ast_external *e = p->body->external;
    for (int32_t i = 0; i < e->args.n; i++) {
        const ast_expr *one = e->args.item[i];
        int32_t item = external_output(p, one);
        value v = item < 0 ? expression_eval(f, one) : bad_value;
        bool ok = item >= 0         ? output_pass(f, a, item)
                  : is_bad(v)       ? false
                  : is_size(f, one) ? size_pass(a, numeric_value(f, v.e[0]))
                                    : value_pass(f, a, v);
        if (!ok)
            return false;
    }
    return true;
}

/* Without a call in the clause: inputs and outputs as declared, arrays with their sizes; a single
 * scalar output is the result. */
static bool declared_pass(flattener *f, const plan *p, int32_t result, foreign_arguments *a)
{
    for (int32_t k = 0; k < p->n; k++) {
        const local *l = &f->in->frame->local[k];
        bool is_passed = p->item[k].is_input || (p->item[k].is_output && k != result);
        if (!is_passed)
            continue;
        if (!(p->item[k].is_input ? value_pass(f, a, l->value) : output_pass(f, a, k)))
            return false;
        type t = p->item[k].is_input ? l->value.type : l->type;
        for (int i = 0; i < t.n_dims; i++)
            if (!size_pass(a, t.dim[i]))
                return false;
    }
    return true;
}

/* ---- results ---- */

static value value_made(flattener *f, type t, const void *place)
{
    value v = value_new(f->in, t);
    const double *real = place;
    const int *integer = place;
    for (size_t i = 0; !is_bad(v) && i < v.n; i++)
        v.e[i] = expr_constant(f->in->g, t.base == T_REAL ? real[i] : (double)integer[i]);
    return v;
}

/* An object is made by its constructor; the destructor stands beside it. */
static value object_made(flattener *f, const plan *p, void *pointer)
{
    foreign_object *o = arena_take(&f->in->c->mem, 1, sizeof *o);
    if (!o)
        return bad_value;
    *o = (foreign_object){.pointer = pointer};
    const ast_class *end = object_destructor(f, p->class);
    plan *d = end && end->external ? plan_of(f, end) : NULL;
    if (d && find_foreign(f, d))
        o->destroy = d->foreign;
    int64_t number = context_object_add(f->in, OBJECT_FOREIGN, o);
    return number > 0 ? value_number(f->in, T_OBJECT, (double)number) : bad_value;
}

static value result_made(flattener *f, const plan *p, type t, const foreign_value *r)
{
    if (t.base == T_OBJECT)
        return object_made(f, p, r->pointer);
    if (t.base == T_STRING)
        return value_text(f->in, r->pointer ? (const char *)r->pointer : "");
    double x = r->type == FOREIGN_REAL ? r->real : (double)r->integer;
    value v = value_new(f->in, t);
    if (!is_bad(v))
        v.e[0] = expr_constant(f->in->g, x);
    return v;
}

static foreign_type result_type(type t)
{
    if (t.base == T_REAL)
        return FOREIGN_REAL;
    return t.base == T_OBJECT || t.base == T_STRING ? FOREIGN_POINTER : FOREIGN_INTEGER;
}

flow shared_object_run(flattener *f, plan *p)
{
    if (!find_foreign(f, p))
        return FLOW_FAIL;
    if (!f->in->is_numeric) {
        context_give_up(f->in, p->body->external->at, "it is written in C");
        return FLOW_GIVE_UP;
    }
    int32_t result = external_result(p);
    foreign_arguments *a = arena_take(f->in->mem, 1, sizeof *a);
    foreign_value r = {.type = FOREIGN_NOTHING};
    if (result >= 0)
        r.type = result_type(f->in->frame->local[result].type);
    bool is_declared = p->body->external->function == INTERN_NONE;
    bool ok = a && (is_declared ? declared_pass(f, p, result, a) : clause_pass(f, p, a)) &&
              foreign_call(p->foreign, a->value, a->n, &r);
    if (ok && result >= 0)
        ok = external_set(f, result, result_made(f, p, f->in->frame->local[result].type, &r));
    for (int i = 0; ok && i < a->n; i++)
        if (a->output[i].item >= 0) {
            type t = f->in->frame->local[a->output[i].item].type;
            ok = external_set(f, a->output[i].item, value_made(f, t, a->output[i].place));
        }
    return ok ? FLOW_NEXT : FLOW_FAIL;
}

void shared_objects_free(flattener *f)
{
    for (size_t i = f->in->n_objects; i-- > 0;) {
        const foreign_object *o = f->in->object[i].data;
        if (f->in->object[i].kind != OBJECT_FOREIGN || !o->destroy || !o->pointer)
            continue;
        foreign_value arg = {.type = FOREIGN_POINTER, .pointer = o->pointer};
        foreign_value nothing = {.type = FOREIGN_NOTHING};
        foreign_call(o->destroy, &arg, 1, &nothing);
    }
    for (size_t i = f->functions->n_shared; i-- > 0;)
        foreign_close(f->functions->shared[i]);
}
