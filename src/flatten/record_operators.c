/* flatten/record_operators.c - see flattener.h: operators between records.
 *
 * Complex numbers have those of the library.  Another record has the functions that the text
 * declares under its name and the operator: R.'+', or R.'+'.add and the like; the first one that
 * takes the operands is called. */
#include "flatten/execute.h"

#include <string.h>

static const char *record_name(const flattener *f, value v)
{
    int32_t name = v.type.base == T_RECORD ? f->in->record[v.type.info].name : INTERN_NONE;
    return name == INTERN_NONE ? "Complex" : context_name(f->in, name);
}

/* Whether the class is a function R.op or R.op.name. */
static bool is_operator(const flattener *f, const ast_class *c, const char *prefix)
{
    const char *name = context_name(f->in, c->name);
    size_t n = strlen(prefix);
    return c->kind == AST_FUNCTION_CLASS && strncmp(name, prefix, n) == 0 &&
           (name[n] == '\0' || name[n] == '.');
}

/* The values as arguments of the function; false: it does not take them. */
static bool fit_arguments(flattener *f, const plan *p, const value *operand, int32_t n, value *args)
{
    int32_t k = 0;
    for (int32_t i = 0; i < p->n; i++) {
        const plan_item *it = &p->item[i];
        if (!it->is_input)
            continue;
        if (k == n) {
            if (!it->binding)
                return false;
            continue;
        }
        value v = operand[k++];
        if (v.type.n_dims != it->element->dims.n || it->base.base != v.type.base ||
            (v.type.base == T_RECORD &&
             f->in->record[v.type.info].class != f->in->record[it->base.info].class))
            return false;
        args[i] = v;
    }
    return k == n;
}

static bool text_operator(flattener *f, const char *prefix, const value *operand, int32_t n,
                          value *result)
{
    for (size_t i = 0; i < f->scope->n_classes; i++) {
        const ast_class *c = f->scope->class[i];
        plan *p = is_operator(f, c, prefix) ? plan_of(f, c) : NULL;
        value *args = p ? arena_take(f->in->mem, (size_t)p->n + 1, sizeof *args) : NULL;
        value *outputs = args ? arena_take(f->in->mem, MOST_OUTPUTS, sizeof *outputs) : NULL;
        if (!outputs || !fit_arguments(f, p, operand, n, args))
            continue;
        *result = plan_execute(f, p, args, outputs, f->in->work.at) ? outputs[0] : bad_value;
        return true;
    }
    return false;
}

/* A number as a record, by the constructor with one argument. */
static value as_record(flattener *f, const char *name, value v)
{
    value r = v;
    const char *prefix = context_text(f->in, "%s.constructor", name);
    if (v.type.base == T_INTEGER)
        v.type.base = T_REAL;
    if (v.type.base != T_RECORD && prefix)
        text_operator(f, prefix, &v, 1, &r);
    return r;
}

static const char *complex_function(ast_op op, int32_t n)
{
    switch (op) {
    case AST_ADD:
    case AST_EL_ADD:
        return "Complex.+";
    case AST_SUB:
    case AST_EL_SUB:
        return n == 1 ? "Complex.-.negate" : "Complex.-.subtract";
    case AST_MUL:
    case AST_EL_MUL:
        return "Complex.*.multiply";
    case AST_DIV:
    case AST_EL_DIV:
        return "Complex./";
    case AST_EQ:
        return "Complex.==";
    case AST_NE:
        return "Complex.<>";
    default:
        return "Complex.^";
    }
}

static value complex_operator(flattener *f, ast_op op, const value *operand, int32_t n,
                              source_at at)
{
    const char *name = complex_function(op, n);
    bool is_dot =
        op == AST_MUL && n == 2 && operand[0].type.n_dims == 1 && operand[1].type.n_dims == 1;
    return library_apply(f->in, is_dot ? "Complex.*.scalarProduct" : name, operand, n, at);
}

value record_operator(flattener *f, ast_op op, const value *operand, int32_t n, source_at at)
{
    const char *name = record_name(f, operand[0].type.base == T_RECORD ? operand[0] : operand[1]);
    const char *prefix = context_text(f->in, "%s.%s", name, ast_op_text(op));
    value v = bad_value, both[2];
    if (is_bad(operand[0]) || (n == 2 && is_bad(operand[1])) || !prefix)
        return bad_value;
    if (strcmp(name, "Complex") == 0)
        return complex_operator(f, op, operand, n, at);
    if (text_operator(f, prefix, operand, n, &v))
        return v;
    for (int32_t i = 0; i < n; i++)
        both[i] = as_record(f, name, operand[i]);
    if (text_operator(f, prefix, both, n, &v))
        return v;
    return context_error(f->in, at, "'%s' has no operator '%s' for these operands", name,
                         ast_op_text(op));
}
