/* report/export_c.c - see model_report.h: the system as a C file.
 *
 * The file is for programs that bring their own integrator: residual, Jacobian by parts,
 * sparsity.  Its functions are those of expr/emit_c.h, on one array of
 * values, behind wrappers that fill that array; its head comment is its documentation.
 * docs/decisions/016-exported-c.md.                                             */
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "expr/emit_c.h"
#include "expr/number_text.h"
#include "report/model_report.h"

enum { PREFIX_MAX = 40, LINE_MAX_TEXT = 512 };

typedef struct exporter {
    const compiled_model *m;
    daedal_text_fn *write;
    void *user;
    bool stopped;
    char prefix[PREFIX_MAX + 8]; /* of all C names: the name of the model */
    uint32_t *input;             /* slots that the equations read, behind y' */
    uint32_t *place;             /* by slot: in the array of the emitted functions */
    uint32_t n_inputs;
    double *constant; /* dF/dy, then dF/dy', where they are constant, else 0 */
} exporter;

/* ---- text ---- */

static bool write_text(void *user, const char *text, size_t length)
{
    exporter *x = user;
    x->stopped = x->stopped || x->write(text, length, x->user) != DAEDAL_CALL_OK;
    return !x->stopped;
}

static void put(exporter *x, const char *format, ...)
{
    char text[LINE_MAX_TEXT];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (n > 0)
        write_text(x, text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

/* Inside a comment: whatever could end it, begin another or continue a line is blanked. */
static void put_comment(exporter *x, const char *text)
{
    char clean[LINE_MAX_TEXT];
    size_t n = 0;
    for (char before = ' '; *text && n < sizeof clean; before = *text++) {
        bool slash = *text == '/' && (before == '*' || text[1] == '*');
        bool harmful = slash || iscntrl((unsigned char)*text) || *text == '\\' || *text == '?';
        clean[n++] = harmful ? ' ' : *text;
    }
    write_text(x, clean, n);
}

/* Code in which @ stands for the prefix. */
static void put_code(exporter *x, const char *code)
{
    for (const char *next; (next = strchr(code, '@')) != NULL; code = next + 1) {
        write_text(x, code, (size_t)(next - code));
        write_text(x, x->prefix, strlen(x->prefix));
    }
    write_text(x, code, strlen(code));
}

static void choose_prefix(exporter *x)
{
    const char *name = intern_text(&x->m->flat->from->names, x->m->flat->name);
    size_t n = 0;
    if (!isalpha((unsigned char)name[0])) /* digits cannot, underscores should not begin it */
        x->prefix[n++] = 'm';
    for (; *name && n < PREFIX_MAX; name++)
        x->prefix[n++] = isalnum((unsigned char)*name) ? *name : '_';
    x->prefix[n] = '\0';
}

/* ---- the inputs of the equations ---- */

static bool list_inputs(exporter *x)
{
    const compiled_model *m = x->m;
    x->input = arena_take(m->mem, m->values->place.n, sizeof *x->input);
    x->place = arena_take(m->mem, m->values->place.n, sizeof *x->place);
    if (m->mem->failed)
        return false;
    for (uint32_t slot = 0; slot < m->values->place.n; slot++) {
        x->place[slot] = slot;
        if (slot < m->values->place.discrete || !m->is_read[slot])
            continue;
        x->place[slot] = m->values->place.discrete + x->n_inputs;
        x->input[x->n_inputs++] = slot;
    }
    return true;
}

static uint32_t place_of(void *user, uint32_t symbol)
{
    const exporter *x = user;
    int32_t slot = compiled_slot(x->m, symbol);
    return slot < 0 ? 0 : x->place[slot];
}

/* Entries that are constant stand in a table, the others are roots. */
static bool list_constants(exporter *x)
{
    const compiled_model *m = x->m;
    x->constant = arena_take(m->mem, m->jacobian->program->n_out + 1, sizeof *x->constant);
    if (!x->constant)
        return false;
    memcpy(x->constant, m->jacobian->dy, m->jacobian->program->n_out * sizeof *x->constant);
    for (size_t k = 0; k < m->jacobian->n_roots; k++)
        x->constant[m->jacobian->target[k]] = 0.0;
    return true;
}

/* ---- the head ---- */

static void put_head(exporter *x)
{
    put_code(x, "/* @: equations F(t, y, y') = 0 as C functions, written by daedal.\n *\n");
    put_code(
        x,
        " *     @_residual(t, y, yp, d, work, r)      r = F(t, y, yp)\n"
        " *     @_jacobian(t, y, yp, d, work, jac)    jac[q] = dF/dy, jac[@_nnz + q] = dF/dy'\n"
        " *\n"
        " * y, yp and r have @_n items, d has @_inputs, work @_work, jac 2 @_nnz.\n"
        " * Entry q stands in row @_row[q]; column j has the entries from @_start[j] up to,\n"
        " * but without, @_start[j + 1].  The Jacobian of a step is jac[q] + c jac[@_nnz + q].\n"
        " * d holds what changes at events only: discrete variables, values before the event\n"
        " * (pre), truths of relations (0 or 1) and roundings.  It is listed below and must be\n"
        " * kept up to date by the caller; this file has no events.  Unknowns that are copies\n"
        " * of others, or computed from them, have been taken out.  Equations of a higher index\n"
        " * are those after reduction; constraints that were differentiated are not here.\n"
        " * Nothing is kept between calls and work needs no preparation: threads need a work\n"
        " * array each.  With -ffp-contract=off and without -ffast-math the results are those\n"
        " * of daedal, bit for bit.  Needs C99 and libm.\n *\n");
}

/* An input of the whole model, or a derivative of it. */
static void put_free_input(exporter *x, uint32_t number)
{
    uint32_t order = number % FLAT_INPUT_ORDERS;
    put(x, "input ");
    for (uint32_t k = 0; k < order; k++)
        put(x, "der(");
    put_comment(
        x, variable_text(x->m->reduced, x->m->flat->inputs[number / FLAT_INPUT_ORDERS].variable));
    for (uint32_t k = 0; k < order; k++)
        put(x, ")");
}

static void put_input_name(exporter *x, uint32_t slot)
{
    const compiled_model *m = x->m;
    const value_places *p = &m->values->place;
    const flat_model *f = m->flat;
    const sources *s = &f->from->sources;
    if (slot < p->pre)
        put_comment(x,
                    variable_text(m->reduced, m->reduced->discrete_variable[slot - p->discrete]));
    else if (slot < p->relation) {
        put(x, "before the event: ");
        put_comment(x, slot < p->pre_y
                           ? variable_text(m->reduced, m->reduced->discrete_variable[slot - p->pre])
                           : m->variable_name[slot - p->pre_y]);
    } else if (slot < p->rounding)
        put(x, "truth of the relation in line %u",
            (unsigned)sources_place(s, f->relations[slot - p->relation].at).line);
    else if (slot < p->sample)
        put(x, "floor of what is rounded in line %u",
            (unsigned)sources_place(s, f->roundings[slot - p->rounding].at).line);
    else if (slot < p->delay)
        put(x, "1 when the sample in line %u is due",
            (unsigned)sources_place(s, f->samples[slot - p->sample].at).line);
    else if (slot >= p->input && slot < p->initial)
        put_free_input(x, slot - p->input);
    else if (slot < p->input)
        put(x, "delayed value in line %u",
            (unsigned)sources_place(s, f->delays[slot - p->delay].at).line);
    else
        put(x, slot == p->initial ? "initial()" : "terminal()");
}

static void put_names(exporter *x)
{
    const compiled_model *m = x->m;
    for (int32_t j = 0; j < m->reduced->n; j++) {
        put(x, " * y[%d]  ", (int)j);
        put_comment(x, m->variable_name[j]);
        put(x, m->reduced->differential[j] ? "  (differentiated)\n" : "\n");
    }
    for (int32_t i = 0; i < m->reduced->n; i++) {
        put(x, " * r[%d]  ", (int)i);
        put_comment(x, m->equation_name[i]);
        put(x, "\n");
    }
    for (uint32_t k = 0; k < x->n_inputs; k++) {
        put(x, " * d[%u]  ", (unsigned)k);
        put_input_name(x, x->input[k]);
        put(x, "\n");
    }
    put(x, " */\n#include <string.h>\n");
}

/* ---- the rest ---- */

static void put_indices(exporter *x, const char *name, const char *size, const int32_t *at,
                        int32_t n)
{
    enum { IN_A_LINE = 16 };
    for (int declared = 0; declared < 2; declared++)
        put(x, "%sconst int32_t %s_%s[%s_%s]%s", declared ? "" : "extern ", x->prefix, name,
            x->prefix, size, declared ? " = {" : ";\n");
    for (int32_t k = 0; k < n; k++)
        put(x, k % IN_A_LINE ? " %d," : "\n    %d,", (int)at[k]);
    put(x, "\n};\n");
}

static void put_constants(exporter *x, int32_t n)
{
    enum { IN_A_LINE = 8 };
    char number[NUMBER_TEXT];
    put(x, "static const double %s_constant[2 * %s_nnz] = {", x->prefix, x->prefix);
    for (int32_t k = 0; k < n; k++) {
        double value = x->constant[k];
        const char *text = isnan(value) ? "NAN" : value > 0.0 ? "INFINITY" : "-INFINITY";
        put(x, k % IN_A_LINE ? " %s," : "\n    %s,",
            isfinite(value) ? number_text(value, number) : text);
    }
    put(x, "\n};\n");
}

static void put_sizes(exporter *x)
{
    const compiled_model *m = x->m;
    int32_t nnz = pattern_nnz(&m->jacobian->pattern.view);
    put_code(x, "enum {\n");
    put(x, "    %s_n = %d,\n    %s_columns_end = %d,\n", x->prefix, (int)m->reduced->n, x->prefix,
        (int)m->reduced->n + 1);
    put(x, "    %s_nnz = %d,\n    %s_inputs = %u,\n", x->prefix, (int)nnz, x->prefix,
        (unsigned)x->n_inputs);
    put(x, "    %s_values = %u\n};\n\n", x->prefix,
        (unsigned)(m->values->place.discrete + x->n_inputs));
    put_indices(x, "start", "columns_end", m->jacobian->pattern.start, m->reduced->n + 1);
    put_indices(x, "row", "nnz", m->jacobian->pattern.row, nnz);
    put_constants(x, 2 * nnz);
    put(x, "\n");
}

static void put_wrappers(exporter *x)
{
    put_code(x,
             "\nenum {\n    @_work = @_values + ((int)@_f_work > (int)@_j_work ? (int)@_f_work "
             ": (int)@_j_work)\n};\n\n"
             "static void @_gather(double t, const double *y, const double *yp, const double *d,\n"
             "                     double *work)\n{\n"
             "    (void)kernel_sign, (void)kernel_min, (void)kernel_max, (void)kernel_mod, "
             "(void)kernel_rem;\n"
             "    work[0] = t;\n"
             "    memcpy(work + 1, y, @_n * sizeof *work);\n"
             "    memcpy(work + 1 + @_n, yp, @_n * sizeof *work);\n");
    put_code(x, x->n_inputs ? "    memcpy(work + 1 + 2 * @_n, d, @_inputs * sizeof *work);\n}\n\n"
                            : "    (void)d;\n}\n\n");
    const char *const call[] = {"residual", "r", "f", "jacobian", "jac", "j"};
    for (int k = 0; k < 2; k++)
        for (int defined = 0; defined < 2; defined++) {
            const char *const *c = call + 3 * k;
            put(x, "void %s_%s(double t, const double *y, const double *yp, const double *d,\n",
                x->prefix, c[0]);
            put(x, "    double *work, double *%s)%s\n", c[1], defined ? "" : ";");
            if (!defined)
                continue;
            put(x, "{\n    %s_gather(t, y, yp, d, work);\n", x->prefix);
            if (k)
                put_code(x, "    memcpy(jac, @_constant, sizeof @_constant);\n");
            put(x, "    %s_%s(work, work + %s_values, %s);\n}\n", x->prefix, c[2], x->prefix, c[1]);
        }
}

static expr_outcome put_function(exporter *x, char letter, const expr *roots, size_t n,
                                 const uint32_t *target)
{
    char name[sizeof x->prefix + 4];
    snprintf(name, sizeof name, "%s_%c", x->prefix, letter);
    emit_setup setup = {.g = &x->m->flat->graph,
                        .roots = roots,
                        .n_roots = n,
                        .target = target,
                        .name = name,
                        .place = place_of,
                        .write = write_text,
                        .user = x,
                        .allocator = x->m->allocator};
    return emit_c_function(&setup);
}

static expr_outcome put_file(exporter *x)
{
    const compiled_model *m = x->m;
    put_head(x);
    put_names(x);
    emit_c_prelude(write_text, x);
    put_sizes(x);
    expr_outcome outcome = put_function(x, 'f', m->reduced->residual, (size_t)m->reduced->n, NULL);
    put(x, "\n");
    if (outcome == EXPR_OK)
        outcome =
            put_function(x, 'j', m->jacobian->root, m->jacobian->n_roots, m->jacobian->target);
    if (outcome == EXPR_OK)
        put_wrappers(x);
    return outcome;
}

static bool calls_functions(const compiled_model *m)
{
    bool found = false;
    expr_walker *w = m->reduced->walker;
    expr_walker_forget(w);
    for (int32_t i = 0; i < m->reduced->n && !found; i++) {
        if (!expr_walk(w, m->reduced->residual[i], EXPR_ALL))
            return false;
        for (size_t k = 0; k < w->n_found && !found; k++)
            found = expr_op_of(&m->flat->graph, w->found[k]) == EXPR_CALL;
    }
    return found;
}

daedal_status report_export_c(const compiled_model *m, daedal_text_fn *write, void *user)
{
    exporter x = {.m = m, .write = write, .user = user};
    if (m->reduced->n == 0)
        return fail(m->why, DAEDAL_ERR_STRUCTURE, "the model has no unknowns to solve for");
    if (!m->jacobian->exists || calls_functions(m))
        return fail(m->why, DAEDAL_ERR_STRUCTURE,
                    "the equations call functions that could not be inlined; the export supports "
                    "only equations without calls");
    choose_prefix(&x);
    expr_outcome outcome = EXPR_NO_MEMORY;
    if (!m->reduced->walker->failed && list_inputs(&x) && list_constants(&x))
        outcome = put_file(&x);
    if (x.stopped)
        return fail(m->why, DAEDAL_STOPPED, "the callback stopped the export");
    return outcome == EXPR_OK ? DAEDAL_OK : fail(m->why, DAEDAL_ERR_MEMORY, "out of memory");
}
