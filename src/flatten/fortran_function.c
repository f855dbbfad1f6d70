/* flatten/fortran_function.c - see execute.h: LAPACK routines of the Modelica Standard Library.
 *
 * Modelica.Math.Matrices.LAPACK declares them as `external "FORTRAN 77"`.  All arguments are
 * pointers, matrices are stored by columns, and the length of each text follows behind the
 * arguments, as gfortran has it.  Work arrays are protected variables that have no value yet, and
 * outputs with a value are changed in place. */
#include "flatten/execute.h"
#include "foreign/dynamic_call.h"

#include <string.h>

/* Of the routines only the addresses are needed here. */
#define ROUTINES(X)                                                                                \
    X(dgbsv)                                                                                       \
    X(dgecon)                                                                                      \
    X(dgees)                                                                                       \
    X(dgeev)                                                                                       \
    X(dgeevx)                                                                                      \
    X(dgehrd)                                                                                      \
    X(dgels)                                                                                       \
    X(dgelsy)                                                                                      \
    X(dgeqp3)                                                                                      \
    X(dgeqrf)                                                                                      \
    X(dgesdd)                                                                                      \
    X(dgesv)                                                                                       \
    X(dgesvd)                                                                                      \
    X(dgesvx)                                                                                      \
    X(dgetrf)                                                                                      \
    X(dgetri)                                                                                      \
    X(dgetrs)                                                                                      \
    X(dggev)                                                                                       \
    X(dggevx)                                                                                      \
    X(dgglse)                                                                                      \
    X(dgtsv)                                                                                       \
    X(dhgeqz)                                                                                      \
    X(dhseqr)                                                                                      \
    X(dlange)                                                                                      \
    X(dorghr)                                                                                      \
    X(dorgqr)                                                                                      \
    X(dormhr)                                                                                      \
    X(dormqr)                                                                                      \
    X(dpotrf)                                                                                      \
    X(dtrevc)                                                                                      \
    X(dtrsen)                                                                                      \
    X(dtrsm)                                                                                       \
    X(dtrsyl)

#define DECLARE(name) extern void name##_(void);
ROUTINES(DECLARE)

static foreign_function *routine_find(const char *name)
{
    static const struct {
        const char *name;
        foreign_function *function;
    } rows[] = {
#define ROW(name) {#name, name##_},
        ROUTINES(ROW)};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0)
            return rows[i].function;
    return NULL;
}

static const char *routine_name(const flattener *f, const ast_class *c)
{
    const ast_external *e = c->external;
    return context_name(f->in, e->function == INTERN_NONE ? c->name : e->function);
}

/* Texts other than the library must not call them freely: a size that is wrong is not noticed. */
bool fortran_is_known(const flattener *f, const ast_class *c)
{
    static const char home[] = "Modelica.Math.Matrices.";
    return c->external && c->external->language &&
           strcmp(c->external->language, "FORTRAN 77") == 0 &&
           strncmp(context_name(f->in, c->name), home, sizeof home - 1) == 0 &&
           routine_find(routine_name(f, c)) != NULL;
}

typedef struct fortran_call {
    foreign_value value[FOREIGN_ARGS_MOST];
    int32_t item[FOREIGN_ARGS_MOST]; /* variable of the function that the argument is, or -1 */
    size_t text_length[FOREIGN_ARGS_MOST];
    int n, n_texts;
} fortran_call;

/* Where element k of an array by rows stands in an array by columns. */
static size_t by_columns(type t, size_t k)
{
    if (t.n_dims != 2)
        return k;
    size_t rows = (size_t)t.dim[0], columns = (size_t)t.dim[1];
    return k % columns * rows + k / columns;
}

static void *numbers_pass(flattener *f, value v)
{
    double *real = arena_take(f->in->mem, v.n + 1, sizeof *real);
    int *integer = (int *)real;
    for (size_t k = 0; real && k < v.n; k++) {
        double x = numeric_value(f, v.e[k]);
        if (v.type.base == T_REAL)
            real[by_columns(v.type, k)] = x;
        else
            integer[by_columns(v.type, k)] = (int)x;
    }
    return real;
}

static bool argument_pass(flattener *f, const plan *p, const ast_expr *e, fortran_call *c)
{
    int32_t name = e->kind == AST_REF ? ast_simple_name(e) : INTERN_NONE;
    int32_t item = name == INTERN_NONE ? -1 : item_named(p, name);
    const local *l = item >= 0 ? &f->in->frame->local[item] : NULL;
    if (c->n == FOREIGN_ARGS_MOST || (l && !l->is_set && l->is_open))
        return false;
    value v = !l ? expression_eval(f, e) : l->is_set ? l->value : value_zero(f->in, l->type);
    if (is_bad(v))
        return false;
    void *data;
    if (v.type.base == T_STRING && v.n == 1) {
        data = (void *)(uintptr_t)context_name(f->in, (int32_t)numeric_value(f, v.e[0]));
        c->text_length[c->n_texts++] = strlen(data);
    } else {
        data = numbers_pass(f, v);
    }
    c->item[c->n] = item;
    c->value[c->n++] = (foreign_value){.type = FOREIGN_POINTER, .pointer = data};
    return data != NULL;
}

static bool arguments_pass(flattener *f, const plan *p, fortran_call *c)
{
    const ast_list *args = &p->body->external->args;
    for (int32_t i = 0; i < args->n; i++)
        if (!argument_pass(f, p, args->item[i], c))
            return false;
    for (int i = 0; i < c->n_texts; i++) {
        if (c->n == FOREIGN_ARGS_MOST)
            return false;
        c->item[c->n] = -1;
        c->value[c->n++] = (foreign_value){.type = FOREIGN_SIZE, .size = c->text_length[i]};
    }
    return true;
}

static bool output_take(flattener *f, int32_t item, const void *data)
{
    const local *l = &f->in->frame->local[item];
    type t = l->is_set ? l->value.type : l->type;
    value v = value_new(f->in, t);
    const double *real = data;
    const int *integer = data;
    for (size_t k = 0; !is_bad(v) && k < v.n; k++) {
        size_t at = by_columns(t, k);
        v.e[k] = expr_constant(f->in->g, t.base == T_REAL ? real[at] : (double)integer[at]);
    }
    return !is_bad(v) && external_set(f, item, v);
}

flow fortran_run(flattener *f, plan *p)
{
    if (!f->in->is_numeric) {
        context_give_up(f->in, p->body->external->at, "it is written in Fortran");
        return FLOW_GIVE_UP;
    }
    fortran_call *c = arena_take(f->in->mem, 1, sizeof *c);
    int32_t result = external_result(p);
    foreign_value r = {.type = result >= 0 ? FOREIGN_REAL : FOREIGN_NOTHING};
    bool ok = c && arguments_pass(f, p, c) &&
              foreign_call(routine_find(routine_name(f, p->body)), c->value, c->n, &r);
    if (ok && result >= 0)
        ok = external_set(f, result, value_number(f->in, T_REAL, r.real));
    for (int i = 0; ok && i < c->n; i++)
        if (c->item[i] >= 0 && p->item[c->item[i]].is_output)
            ok = output_take(f, c->item[i], c->value[i].pointer);
    if (!ok)
        context_error(f->in, f->in->frame->at, "'%s' cannot be called here",
                      context_name(f->in, p->body->name));
    return ok ? FLOW_NEXT : FLOW_FAIL;
}
