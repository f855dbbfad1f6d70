/* flatten/attributes.c - see flattener.h: start, fixed, min, max, unit and the other attributes.
 *
 * An attribute stands in the modifiers of a declaration or of its type; the strongest one counts.
 * Its value must have the type that the table below says.                         */
#include "flatten/flattener.h"

#include <math.h>
#include <string.h>

/* ---- the table ---- */

typedef enum attribute_type {
    AS_VARIABLE, /* the type of the variable */
    AS_REAL,
    AS_BOOLEAN,
    AS_STRING,
    AS_STATE_SELECT
} attribute_type;

typedef enum attribute {
    A_START,
    A_FIXED,
    A_NOMINAL,
    A_MIN,
    A_MAX,
    A_STATE_SELECT,
    A_UNIT,
    A_DISPLAY_UNIT,
    A_QUANTITY,
    A_UNBOUNDED,
    N_ATTRIBUTES
} attribute;

static const struct attribute_row {
    const char *name;
    attribute_type type;
    bool is_constant; /* a value that is not known is an error */
} ATTRIBUTES[N_ATTRIBUTES] = {[A_START] = {"start", AS_VARIABLE, false},
                              [A_FIXED] = {"fixed", AS_BOOLEAN, true},
                              [A_NOMINAL] = {"nominal", AS_REAL, false},
                              [A_MIN] = {"min", AS_VARIABLE, false},
                              [A_MAX] = {"max", AS_VARIABLE, false},
                              [A_STATE_SELECT] = {"stateSelect", AS_STATE_SELECT, true},
                              [A_UNIT] = {"unit", AS_STRING, true},
                              [A_DISPLAY_UNIT] = {"displayUnit", AS_STRING, true},
                              [A_QUANTITY] = {"quantity", AS_STRING, true},
                              [A_UNBOUNDED] = {"unbounded", AS_BOOLEAN, true}};

void attributes_learn(flattener *f, known_names *id)
{
    _Static_assert((int)N_ATTRIBUTES == (int)ATTRIBUTES_MAX, "every attribute has a place");
    for (attribute a = 0; a < N_ATTRIBUTES; a++)
        id->attribute[a] = context_intern(f->in, ATTRIBUTES[a].name);
}

static attribute attribute_named(const flattener *f, int32_t name)
{
    attribute a = 0;
    while (a < N_ATTRIBUTES && f->id->attribute[a] != name)
        a++;
    return a;
}

/* ---- where it stands, and its type ---- */

static const ast_expr *attribute_find(flattener *f, uint32_t v, attribute a)
{
    for (const layer *at = f->scope->leaf[v].layers; at; at = at->next)
        for (const ast_mod *mod = at->mods; mod; mod = mod->next)
            if (mod->value && mod->name == f->id->attribute[a])
                return mod->value;
    return NULL;
}

static type type_wanted(flattener *f, uint32_t v, attribute a)
{
    static const base_type bases[] = {
        [AS_REAL] = T_REAL, [AS_BOOLEAN] = T_BOOLEAN, [AS_STRING] = T_STRING};
    attribute_type wanted = ATTRIBUTES[a].type;
    if (wanted == AS_VARIABLE)
        return variable_type(f, v);
    if (wanted != AS_STATE_SELECT)
        return type_scalar(bases[wanted]);
    type t = type_scalar(T_ENUM);
    t.info = enumeration_named(f->in, context_intern(f->in, "StateSelect"));
    return t;
}

/* The name as declared: x for x[1], but r.a for a member of a record. */
static const char *declared_name(const flattener *f, uint32_t v)
{
    const component *c = &f->scope->component[f->scope->leaf[v].component];
    return context_name(f->in, c->type.base == T_RECORD ? f->in->m->variables[v].name : c->name);
}

static bool has_type(flattener *f, uint32_t v, attribute a, value given, source_at at)
{
    type want = type_wanted(f, v, a);
    bool same =
        given.type.base == want.base && (want.base != T_ENUM || given.type.info == want.info);
    if (same || given.n == 0 || (want.base == T_REAL && given.type.base == T_INTEGER))
        return true;
    const char *name = declared_name(f, v);
    context_error(f->in, at, "attribute '%s' of '%s' is %s, not %s", ATTRIBUTES[a].name, name,
                  type_text(f->in, given.type), type_text(f->in, want));
    return false;
}

static bool is_known(flattener *f, uint32_t v, attribute a, value given, source_at at)
{
    if (!ATTRIBUTES[a].is_constant || value_is_constant(f->in, given))
        return true;
    const char *name = declared_name(f, v);
    context_error(f->in, at, "attribute '%s' of '%s' must be constant", ATTRIBUTES[a].name, name);
    return false;
}

/* An array has the sizes of the declaration or of its type, which are its last ones.  Of a record,
 * the elements of an array may be those of each record.                           */
static bool has_sizes(flattener *f, uint32_t v, attribute a, value given, source_at at)
{
    const component *c = &f->scope->component[f->scope->leaf[v].component];
    int n = given.type.n_dims, outer = c->type.n_dims - n;
    if (n == 0 || c->type.base == T_RECORD)
        return true;
    if (outer >= 0 &&
        memcmp(given.type.dim, c->type.dim + outer, (size_t)n * sizeof *given.type.dim) == 0)
        return true;
    context_error(f->in, at, "attribute '%s' is %s, but '%s' is %s", ATTRIBUTES[a].name,
                  type_text(f->in, given.type), context_name(f->in, c->name),
                  type_text(f->in, c->type));
    return false;
}

/* ---- values ---- */

expr share_take(flattener *f, value v, const leaf *l, source_at at)
{
    size_t inner = v.n && l->count % v.n == 0 ? v.n : 0;
    if (is_bad(v))
        return EXPR_NONE;
    if (v.type.n_dims == 0 && v.n == 1)
        return v.e[0];
    if (inner)
        return v.e[l->at % inner];
    context_error(f->in, at, "%s does not fit a declaration with %u elements",
                  type_text(f->in, v.type), (unsigned)l->count);
    return EXPR_NONE;
}

expr share_of(flattener *f, remembered *last, const ast_expr *e, const leaf *l)
{
    if (last->text != e) {
        last->value = evaluate_without_events(f->in, e);
        last->text = e;
    }
    return share_take(f, last->value, l, e->at);
}

/* The value of an attribute for one variable; EXPR_NONE: it has none, or it is wrong. */
static expr attribute_value(flattener *f, remembered *last, uint32_t v, attribute a)
{
    const ast_expr *e = attribute_find(f, v, a);
    if (!e)
        return EXPR_NONE;
    if (last->text != e) {
        value given = evaluate_without_events(f->in, e);
        bool ok = !is_bad(given) && has_type(f, v, a, given, e->at) &&
                  is_known(f, v, a, given, e->at) && has_sizes(f, v, a, given, e->at);
        last->value = ok ? given : bad_value;
        last->text = e;
    }
    leaf l = f->scope->leaf[v];
    return share_take(f, last->value, &l, e->at);
}

static double attribute_number(flattener *f, remembered *last, uint32_t v, attribute a,
                               double otherwise)
{
    expr x = attribute_value(f, last, v, a);
    bool known = x != EXPR_NONE && expr_is_constant(f->in->g, x);
    return known ? expr_value(f->in->g, x) : otherwise;
}

static const char *attribute_text(flattener *f, remembered *last, uint32_t v, attribute a)
{
    const ast_expr *e = attribute_find(f, v, a);
    if (e && e->kind == AST_STRING)
        return e->text;
    expr x = attribute_value(f, last, v, a);
    return x == EXPR_NONE ? NULL : context_name(f->in, (int32_t)expr_value(f->in->g, x));
}

void attribute_start(flattener *f, remembered *last, uint32_t v)
{
    if (!attribute_find(f, v, A_START))
        return;
    expr x = attribute_value(f, last, v, A_START);
    f->in->m->variables[v].start = x;
    f->in->m->variables[v].has_start = x != EXPR_NONE;
}

bool attribute_unfixed(flattener *f, uint32_t v)
{
    remembered last = {0};
    return attribute_number(f, &last, v, A_FIXED, 1.0) == 0.0;
}

/* ---- all attributes of a variable ---- */

static void check_modifier(flattener *f, const ast_mod *mods, const ast_mod *mod)
{
    if (attribute_named(f, mod->name) == N_ATTRIBUTES)
        context_error(f->in, mod->at,
                      "unknown attribute '%s': there are start, fixed, nominal, min, max, unit, "
                      "displayUnit, quantity and stateSelect",
                      context_name(f->in, mod->name));
    else if (!mod->value)
        context_error(f->in, mod->at, "attribute '%s' has no value: write '%s = ...'",
                      context_name(f->in, mod->name), context_name(f->in, mod->name));
    for (const ast_mod *other = mods; other != mod; other = other->next)
        if (other->name == mod->name)
            context_error(f->in, mod->at, "attribute '%s' is given twice",
                          context_name(f->in, mod->name));
}

static void check_names(flattener *f, const leaf *l)
{
    for (const layer *at = l->at == 0 ? l->layers : NULL; at; at = at->next)
        for (const ast_mod *mod = at->mods; mod; mod = mod->next)
            check_modifier(f, at->mods, mod);
}

static void apply_start_change(flattener *f, uint32_t v)
{
    flat_variable *var = &f->in->m->variables[v];
    if (var->variability == FLAT_CONSTANT)
        return; /* constants have a value and no start value */
    for (size_t i = 0; i < f->changes->n; i++)
        if (f->changes->item[i].is_start && f->changes->name[i] == var->name) {
            var->start = expr_constant(f->in->g, f->changes->item[i].value);
            var->has_start = var->fixed = true;
            f->changes->is_used[i] = true;
        }
}

static void set_all(flattener *f, uint32_t v, remembered last[N_ATTRIBUTES])
{
    check_names(f, &f->scope->leaf[v]);
    attribute_start(f, &last[A_START], v);
    double fixed = attribute_number(f, &last[A_FIXED], v, A_FIXED, -1.0);
    double nominal = attribute_number(f, &last[A_NOMINAL], v, A_NOMINAL, 0.0);
    double min = attribute_number(f, &last[A_MIN], v, A_MIN, -INFINITY);
    double max = attribute_number(f, &last[A_MAX], v, A_MAX, INFINITY);
    double select =
        attribute_number(f, &last[A_STATE_SELECT], v, A_STATE_SELECT, 1.0 + FLAT_DEFAULT);
    const char *unit = attribute_text(f, &last[A_UNIT], v, A_UNIT);
    const char *shown = attribute_text(f, &last[A_DISPLAY_UNIT], v, A_DISPLAY_UNIT);
    attribute_text(f, &last[A_QUANTITY], v, A_QUANTITY);
    attribute_number(f, &last[A_UNBOUNDED], v, A_UNBOUNDED, 0.0);
    flat_variable *var = &f->in->m->variables[v];
    var->fixed = fixed > 0.0;
    var->nominal = fabs(nominal);
    var->min = min;
    var->max = max;
    var->select = select >= 1 && select <= 5 ? (uint8_t)((int)select - 1) : FLAT_DEFAULT;
    var->unit = unit;
    var->display_unit = shown;
}

/* A fixed start value that depends on a parameter which the start determines is an initial
 * equation. */
static void check_start(flattener *f, uint32_t v)
{
    flat_variable *var = &f->in->m->variables[v];
    const ast_element *e = f->scope->leaf[v].element;
    if (var->variability <= FLAT_PARAMETER || var->start == EXPR_NONE || !e ||
        !expr_has(f->in->g, var->start, EXPR_HAS_VARIABLE) ||
        !depends_on_parameters(f, "the start value of", v, var->start, e->at) || !var->fixed)
        return;
    expr symbol = expr_variable(f->in->g, flat_symbol(FLAT_VALUE, v));
    flat_add_initial(f->in->build, (flat_initial){symbol, var->start, e->at, e->end});
    f->in->m->variables[v].fixed = false;
}

void attributes_set(flattener *f)
{
    remembered last[N_ATTRIBUTES] = {0};
    for (uint32_t v = 0; v < f->in->m->n_variables; v++) {
        if (f->scope->leaf[v].layers)
            set_all(f, v, last);
        apply_start_change(f, v);
        check_start(f, v);
    }
}
