/* api/model_handle.c - see model_handle.h: reading a model, and asking for what is known of it
 * without a run.                                                                          */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "api/model_handle.h"
#include "base/status.h"
#include "flatten/flatten.h"
#include "lang/ast_print.h"
#include "report/model_report.h"

/* ---- reading ---- */

/* Memory of the syntax tree and of flattening, each; a model of a million equations needs half
 * of it.  Beyond, a text asks for more than it says, or is none.                 */
#define READING_BYTES_MAX ((size_t)2 << 30)

static void say(char *message, size_t size, const char *text)
{
    if (message && size)
        snprintf(message, size, "%s", text);
}

/* All errors found, one after the other, as far as there is room. */
static void write_errors(const daedal_model *d, char *message, size_t size)
{
    size_t used = 0;
    for (int32_t k = 0; k < d->front.sources.n_messages && message && used + 2 < size; k++) {
        const source_message *m = &d->front.sources.message[k];
        if (m->severity != SOURCE_ERROR)
            continue;
        if (used)
            message[used++] = '\n';
        used += source_format(&d->front.sources, m, message + used, size - used);
    }
}

static daedal_status refuse(const daedal_model *d, daedal_status status, char *message, size_t size)
{
    bool short_of_memory =
        (status == DAEDAL_ERR_MEMORY || d->front.mem.failed) && !d->front.mem.over_limit;
    say(message, size, short_of_memory ? "out of memory" : "the model cannot be read");
    if (!short_of_memory && d->front.sources.n_errors)
        write_errors(d, message, size);
    else if (!short_of_memory && model_message(&d->model)[0])
        say(message, size, model_message(&d->model));
    if (short_of_memory)
        return DAEDAL_ERR_MEMORY;
    return d->front.wrong_changes ? DAEDAL_ERR_ARGUMENT : status;
}

/* The diagnosis that the caller asked for.  That of the equations has the cause. */
static void explain_refusal(const daedal_model *d, daedal_status status, const char *message,
                            const daedal_model_options *o)
{
    if (!o || !o->why)
        return;
    fail(o->why, status, "%s", message ? message : "");
    if (status == DAEDAL_ERR_STRUCTURE && d->model.why && d->model.why->cause) {
        o->why->cause = d->model.why->cause;
        hint(o->why, "%s", d->model.why->hint);
    }
}

/* The expression is read as the value of a declaration, in a line of its own. */
static daedal_status read_binding(compilation *c, const daedal_binding *b, const char *kind,
                                  const ast_expr **e)
{
    static const char before[] = "model m Real x =\n", after[] = "\n; end m;";
    size_t n = strlen(b->expression), size = n + sizeof before + sizeof after + 40;
    char *text = arena_take(&c->mem, size, 1), name[200];
    if (!text)
        return DAEDAL_ERR_MEMORY;
    snprintf(text, size, "%s%s%s", before, b->expression, after);
    snprintf(name, sizeof name, "value of %s %s", kind, b->name);
    const ast_file *file = parse_text(c, name, text, strlen(text));
    bool plain = file && file->classes && file->classes->elements &&
                 !file->classes->elements->next && !file->classes->next;
    *e = plain ? file->classes->elements->binding : NULL;
    if (*e)
        return DAEDAL_OK;
    if (c->sources.n_errors == 0)
        source_error(&c->sources, SOURCE_NOWHERE, "the value of %s %s is no expression: %s", kind,
                     b->name, b->expression);
    return DAEDAL_ERR_MODEL;
}

static daedal_status list_changes(const daedal_model_options *o, compilation *c,
                                  flat_change **changes, size_t *n)
{
    size_t count = o ? (size_t)o->n_parameters + (size_t)o->n_starts + (size_t)o->n_inputs +
                           (size_t)o->n_definitions
                     : 0;
    *n = 0;
    *changes = arena_take(&c->mem, count + 1, sizeof **changes);
    if (!*changes)
        return DAEDAL_ERR_MEMORY;
    for (int32_t k = 0; o && k < o->n_parameters; k++)
        (*changes)[(*n)++] =
            (flat_change){.name = o->parameters[k].name, .value = o->parameters[k].value};
    for (int32_t k = 0; o && k < o->n_starts; k++)
        (*changes)[(*n)++] =
            (flat_change){.name = o->starts[k].name, .value = o->starts[k].value, .is_start = true};
    for (int32_t k = 0; o && k < o->n_inputs; k++) {
        flat_change *change = &(*changes)[(*n)++];
        *change = (flat_change){.name = o->inputs[k].name, .is_input = true};
        if (o->inputs[k].expression)
            TRY(read_binding(c, &o->inputs[k], "input", &change->expression));
    }
    for (int32_t k = 0; o && k < o->n_definitions; k++) {
        flat_change *change = &(*changes)[(*n)++];
        *change = (flat_change){.name = o->definitions[k].name, .is_definition = true};
        TRY(read_binding(c, &o->definitions[k], "variable", &change->expression));
    }
    return DAEDAL_OK;
}

/* ---- the description ---- */

static daedal_value_type type_of(const flat_variable *v)
{
    switch (v->type) {
    case FLAT_INTEGER:
        return DAEDAL_INTEGER;
    case FLAT_BOOLEAN:
        return DAEDAL_BOOLEAN;
    case FLAT_ENUM:
        return DAEDAL_ENUMERATION;
    default:
        return DAEDAL_REAL;
    }
}

/* Variables are shown in the order of their numbers, and inputs are listed in that order. */
static void mark_inputs(daedal_model *d)
{
    const flat_model *f = d->flat;
    int32_t i = 0;
    for (size_t k = 0; k < f->n_inputs; k++) {
        while (i < d->info.n_variables && d->shown[i] < f->inputs[k].variable)
            i++;
        if (i < d->info.n_variables && d->shown[i] == f->inputs[k].variable)
            d->variables[i].is_input = 1;
    }
}

static double constant_value(const flat_model *f, expr e)
{
    return e != EXPR_NONE && expr_is_constant(&f->graph, e) ? expr_value_now(&f->graph, e)
                                                            : (double)NAN;
}

/* Copies of a state are none. */
static bool is_state(const daedal_model *d, uint32_t v)
{
    const reduced_model *r = d->model.reduced;
    int32_t u = r->unknown_of[v];
    if (u < 0 || !d->model.compiled || r->aliases->of[u].root != u || r->column[v] < 0)
        return false;
    return r->differential[r->column[v]];
}

static daedal_model_variable describe_variable(const daedal_model *d, uint32_t v)
{
    const flat_variable *var = &d->flat->variables[v];
    bool constant = var->variability == FLAT_CONSTANT || var->variability == FLAT_PARAMETER;
    return (daedal_model_variable){
        .name = intern_text(&d->front.names, var->name),
        .unit = var->unit,
        .description = var->description,
        .type = type_of(var),
        .is_constant = constant,
        .is_parameter = var->is_parameter,
        .is_output = var->is_output,
        .is_state = is_state(d, v),
        .has_derivative =
            d->model.compiled && compiled_slope_origin(d->model.compiled, v).slot >= 0,
        .is_fixed = var->fixed && !constant,
        .is_discrete = var->variability == FLAT_DISCRETE,
        .value = constant ? constant_value(d->flat, var->value) : (double)NAN,
        .start = constant ? (double)NAN : constant_value(d->flat, var->start),
        .minimum = var->min,
        .maximum = var->max,
        .nominal = var->nominal != 0.0 ? var->nominal : (double)NAN};
}

static bool describe_variables(daedal_model *d)
{
    const flat_model *f = d->flat;
    size_t n = f->n_variables + 1;
    d->variables = arena_take(&d->front.mem, n, sizeof *d->variables);
    d->shown = arena_take(&d->front.mem, n, sizeof *d->shown);
    d->moved_names = arena_take(&d->front.mem, n, sizeof *d->moved_names);
    d->outcome.moved = arena_take(&d->front.mem, n, sizeof *d->outcome.moved);
    d->outcome.moved_from = arena_take(&d->front.mem, n, sizeof(double));
    d->outcome.moved_to = arena_take(&d->front.mem, n, sizeof(double));
    if (d->front.mem.failed)
        return false;
    for (uint32_t v = 0; v < f->n_variables; v++) {
        const flat_variable *var = &f->variables[v];
        if (var->hidden || !flat_is_computed(var->type))
            continue;
        d->shown[d->info.n_variables] = v;
        d->variables[d->info.n_variables++] = describe_variable(d, v);
    }
    mark_inputs(d);
    return true;
}

static bool describe_warnings(daedal_model *d)
{
    const sources *s = &d->front.sources;
    d->warnings = arena_take(&d->front.mem, (size_t)s->n_messages + 1, sizeof *d->warnings);
    if (!d->warnings)
        return false;
    for (int32_t k = 0; k < s->n_messages; k++) {
        if (s->message[k].severity != SOURCE_WARNING)
            continue;
        size_t length = source_format(s, &s->message[k], NULL, 0);
        char *text = arena_take(&d->front.mem, length + 1, 1);
        if (!text)
            return false;
        source_format(s, &s->message[k], text, length + 1);
        d->warnings[d->info.n_warnings++] = text;
    }
    return true;
}

static void copy_indices(daedal_model *d)
{
    for (int32_t k = 0; k < d->info.n_variables; k++) {
        const reduced_model *r = d->model.reduced;
        int32_t u = r->unknown_of[d->shown[k]];
        d->variable_index[k] = u < 0 ? -1 : r->variable_index[u];
    }
}

static bool describe_indices(daedal_model *d)
{
    d->variable_index = arena_take(&d->front.mem, (size_t)d->info.n_variables + 1, sizeof(int32_t));
    d->model.reduced->report->variable_index = d->variable_index;
    if (d->variable_index)
        copy_indices(d);
    return d->variable_index != NULL;
}

static bool describe(daedal_model *d)
{
    const flat_model *f = d->flat;
    const flat_experiment *e = &f->experiment;
    d->info.name = intern_text(&d->front.names, f->name);
    d->info.description = f->description;
    d->info.start_time = e->has_start ? e->start : (double)NAN;
    d->info.stop_time = e->has_stop ? e->stop : (double)NAN;
    d->info.interval = e->has_interval ? e->interval : (double)NAN;
    d->info.tolerance = e->has_tolerance ? e->tolerance : (double)NAN;
    if (!describe_variables(d) || !describe_warnings(d) || !describe_indices(d))
        return false;
    d->info.variables = d->variables;
    d->info.warnings = d->warnings;
    return true;
}

/* ---- making ---- */

static daedal_model *allocate(const daedal_model_options *o)
{
    const daedal_allocator *a = o && o->allocator ? o->allocator : &memory_default;
    daedal_model *d = memory_take(a, sizeof *d);
    if (d) {
        d->allocator = *a;
        d->now = d;
    }
    return d;
}

static const char *copy_text(daedal_model *d, const char *text)
{
    return text ? arena_text(&d->front.mem, text, strlen(text)) : NULL;
}

static daedal_setting *copy_settings(daedal_model *d, const daedal_setting *from, int32_t n)
{
    daedal_setting *to = arena_take(&d->front.mem, (size_t)n + 1, sizeof *to);
    for (int32_t k = 0; k < n && to; k++)
        to[k] = (daedal_setting){copy_text(d, from[k].name), from[k].value};
    return to;
}

static daedal_binding *copy_bindings(daedal_model *d, const daedal_binding *from, int32_t n)
{
    daedal_binding *to = arena_take(&d->front.mem, (size_t)n + 1, sizeof *to);
    for (int32_t k = 0; k < n && to; k++)
        to[k] = (daedal_binding){copy_text(d, from[k].name), copy_text(d, from[k].expression)};
    return to;
}

/* Should the model be read again. */
static bool keep_options(daedal_model *d, const daedal_model_options *o)
{
    if (!o)
        return true;
    d->options = *o;
    d->options.parameters = copy_settings(d, o->parameters, o->n_parameters);
    d->options.starts = copy_settings(d, o->starts, o->n_starts);
    d->options.inputs = copy_bindings(d, o->inputs, o->n_inputs);
    d->options.definitions = copy_bindings(d, o->definitions, o->n_definitions);
    d->options.model_name = copy_text(d, o->model_name);
    d->options.libraries = copy_text(d, o->libraries);
    d->options.allocator = &d->allocator;
    d->options.why = NULL;
    return !d->front.mem.failed;
}

/* The flat model of a text; NULL after an error. */
static void make_flat(daedal_model *d, const text_source *from, const model_text *text,
                      const instantiate_options *changed)
{
    const ast_file *file = model_text_flat(&d->front, from, text, d->options.libraries, changed);
    d->text = file;
    d->is_instantiated = text->has_components;
    d->flat = file ? flatten(&d->front, file, changed->changes, changed->n_changes) : NULL;
}

/* A flat text that could not be flattened is read as one with components: that half of Modelica
 * knows more, and a library may have the names that are missing.  If that fails as well, the
 * messages are those of the flat text, unless a library was asked. */
static void read_as_components(daedal_model *d, const text_source *from, const model_text *flat,
                               const instantiate_options *changed, source_mark before)
{
    const char *libraries = d->options.libraries;
    bool asks_library = d->front.lacks_class && libraries && *libraries;
    if (flat->has_components || !flat->source || (d->front.wrong_changes && !asks_library))
        return;
    model_text text = {.source = flat->source, .has_components = true};
    for (int reading = 0; reading < 2 && !d->flat && !d->front.mem.failed; reading++) {
        sources_rewind(&d->front.sources, before);
        d->front.wrong_changes = false;
        d->front.model_name = d->options.model_name;
        make_flat(d, from, reading == 0 ? &text : flat, changed);
        if (asks_library)
            return;
    }
}

static daedal_status build(daedal_model *d, const text_source *from, const daedal_model_options *o)
{
    flat_change *changes = NULL;
    model_text text;
    size_t n = 0;
    const char *libraries = o ? o->libraries : NULL;
    if (!model_text_read(&d->front, from, libraries, &text))
        return DAEDAL_ERR_MODEL;
    if (!keep_options(d, o))
        return DAEDAL_ERR_MEMORY;
    TRY(list_changes(o, &d->front, &changes, &n));
    d->front.allow_external = o && o->allow_external;
    d->front.model_name = o ? o->model_name : NULL;
    instantiate_options changed = {.changes = changes, .n_changes = n};
    source_mark before = sources_mark(&d->front.sources);
    make_flat(d, from, &text, &changed);
    if (!d->flat)
        read_as_components(d, from, &text, &changed, before);
    if (!d->flat)
        return DAEDAL_ERR_MODEL;
    model_setup setup = {.allocator = &d->allocator,
                         .reduction = o ? o->reduction : DAEDAL_REDUCE_AUTO,
                         .levels = o ? o->levels : DAEDAL_LEVELS_ALL,
                         .baumgarte = o ? o->baumgarte : 0.0};
    TRY(model_create(&d->model, d->flat, &setup));
    bool fine = simulation_create(&d->simulation, &d->model) && describe(d);
    model_rest(&d->model);
    return fine ? DAEDAL_OK : DAEDAL_ERR_MEMORY;
}

daedal_status model_make(daedal_model **handle, const text_source *from,
                         const daedal_model_options *o, char *message, size_t size)
{
    *handle = NULL;
    say(message, size, "");
    daedal_model *d = allocate(o);
    if (!d) {
        say(message, size, "out of memory");
        return DAEDAL_ERR_MEMORY;
    }
    daedal_status status = DAEDAL_ERR_MEMORY;
    if (compilation_create(&d->front, &d->allocator, READING_BYTES_MAX))
        status = build(d, from, o);
    if (status == DAEDAL_OK) {
        *handle = d;
        return status;
    }
    status = refuse(d, status, message, size);
    explain_refusal(d, status, message, o);
    daedal_model_free(d);
    return status;
}

static bool are_settings(const daedal_setting *s, int32_t n)
{
    if (n < 0 || (n > 0 && !s))
        return false;
    for (int32_t k = 0; k < n; k++)
        if (!s[k].name)
            return false;
    return true;
}

static bool are_bindings(const daedal_binding *b, int32_t n)
{
    if (n < 0 || (n > 0 && !b))
        return false;
    for (int32_t k = 0; k < n; k++)
        if (!b[k].name)
            return false;
    return true;
}

static bool are_definitions(const daedal_binding *b, int32_t n)
{
    for (int32_t k = 0; k < n; k++)
        if (!b[k].expression)
            return false;
    return true;
}

static bool are_options(const daedal_model_options *o)
{
    return !o || (are_settings(o->parameters, o->n_parameters) &&
                  are_settings(o->starts, o->n_starts) && are_bindings(o->inputs, o->n_inputs) &&
                  are_bindings(o->definitions, o->n_definitions) &&
                  are_definitions(o->definitions, o->n_definitions));
}

daedal_status daedal_model_read(daedal_model **handle, const char *path,
                                const daedal_model_options *options, char *message, size_t size)
{
    say(message, size, "");
    if (!handle)
        return DAEDAL_ERR_ARGUMENT;
    *handle = NULL;
    if (!path || !are_options(options)) {
        say(message, size, "an argument is NULL");
        return DAEDAL_ERR_ARGUMENT;
    }
    text_source from = {.path = path};
    return model_make(handle, &from, options, message, size);
}

daedal_status daedal_model_parse(daedal_model **handle, const char *name, const char *text,
                                 size_t length, const daedal_model_options *options, char *message,
                                 size_t size)
{
    say(message, size, "");
    if (!handle)
        return DAEDAL_ERR_ARGUMENT;
    *handle = NULL;
    if (!text || !are_options(options)) {
        say(message, size, "an argument is NULL");
        return DAEDAL_ERR_ARGUMENT;
    }
    text_source from = {NULL, name ? name : "text", text, length};
    return model_make(handle, &from, options, message, size);
}

void daedal_model_free(daedal_model *handle)
{
    if (!handle)
        return;
    daedal_allocator a = handle->allocator;
    if (handle->now != handle)
        daedal_model_free(handle->now);
    arena_free(&handle->settings.mem);
    simulation_end(&handle->simulation, &handle->outcome);
    simulation_free(&handle->simulation);
    model_free(&handle->model);
    if (handle->flat)
        flat_free(handle->flat);
    compilation_free(&handle->front);
    memory_give(&a, handle, sizeof *handle);
}

/* ---- asking ---- */

const daedal_model_info *daedal_model_describe(const daedal_model *handle)
{
    return handle ? &handle->now->info : NULL;
}

daedal_status daedal_model_tunings(daedal_model *handle, daedal_tuning *tunings)
{
    if (!handle || !tunings)
        return DAEDAL_ERR_ARGUMENT;
    handle = handle->now;
    diagnosis_clear(handle->model.why);
    if (model_tunings(&handle->model, handle->shown, handle->info.n_variables, tunings) < 0)
        return fail(handle->model.why, DAEDAL_ERR_MEMORY, "out of memory");
    return DAEDAL_OK;
}

daedal_status daedal_model_analyze(daedal_model *handle, daedal_model_structure *structure,
                                   daedal_diagnosis *why)
{
    diagnosis_clear(why);
    if (!handle || !structure)
        return fail(why, DAEDAL_ERR_ARGUMENT, "an argument is NULL");
    handle = handle->now;
    reduced_model *m = handle->model.reduced;
    if (!reduced_find_numeric_index(m))
        return fail(why, DAEDAL_ERR_MEMORY, "out of memory");
    copy_indices(handle);
    if (!m->report->class_name) {
        m->report->class_name = report_class(m);
        m->report->singular_start = simulation_predict_singular_start(&handle->simulation);
    }
    if (!report_hidden_constraints(m))
        return fail(why, DAEDAL_ERR_MEMORY, "out of memory");
    m->report->n_events = handle->model.discrete ? handle->model.discrete->n_events : 0;
    *structure = *m->report;
    return DAEDAL_OK;
}

daedal_status daedal_model_incidence(daedal_model *handle, daedal_incidence *matrix,
                                     daedal_diagnosis *why)
{
    diagnosis_clear(why);
    if (!handle || !matrix)
        return fail(why, DAEDAL_ERR_ARGUMENT, "an argument is NULL");
    handle = handle->now;
    if (!handle->incidence.equations) {
        daedal_incidence found = {0};
        daedal_status status = report_incidence(handle->model.reduced, &found);
        if (status < 0)
            return fail(why, status, "out of memory for the incidence of the equations");
        handle->incidence = found;
    }
    *matrix = handle->incidence;
    return DAEDAL_OK;
}

/* A changed value that the syntax of the flat model does not have, or NULL. */
static const char *unwritten_change(const daedal_model *handle)
{
    const daedal_model_options *o = &handle->options;
    const char *found = NULL;
    for (int32_t i = 0; i < o->n_parameters && !found; i++) {
        const char *name = o->parameters[i].name;
        bool is_item = *name && name[strlen(name) - 1] == ']';
        found = is_item || !handle->is_instantiated ? name : NULL;
    }
    if (!found && handle->has_moved)
        found = "a parameter that was set later";
    if (!found && o->n_starts + o->n_inputs > 0)
        found = o->n_starts ? o->starts[0].name : o->inputs[0].name;
    return found;
}

daedal_status daedal_model_export_flat(daedal_model *handle, daedal_text_fn *write, void *user,
                                       daedal_diagnosis *why)
{
    arena mem;
    diagnosis_clear(why);
    if (!handle || !write)
        return fail(why, DAEDAL_ERR_ARGUMENT, "an argument is NULL");
    const daedal_model *now = handle->now;
    const char *unwritten = unwritten_change(handle);
    if (unwritten)
        return fail(why, DAEDAL_ERR_ARGUMENT,
                    "the value of '%s' cannot be written into the text: only those of scalar "
                    "parameters of models with components are",
                    unwritten);
    arena_create(&mem, &now->allocator, 0);
    const char *text = ast_print(now->text, &now->front.names, &mem);
    daedal_status status = text ? DAEDAL_OK : fail(why, DAEDAL_ERR_MEMORY, "out of memory");
    if (text && write(text, strlen(text), user) != DAEDAL_CALL_OK)
        status = DAEDAL_STOPPED;
    arena_free(&mem);
    return status;
}

daedal_status daedal_model_export_c(daedal_model *handle, daedal_text_fn *write, void *user,
                                    daedal_diagnosis *why)
{
    diagnosis_clear(why);
    if (!handle || !write)
        return fail(why, DAEDAL_ERR_ARGUMENT, "an argument is NULL");
    const model *m = &handle->now->model;
    diagnosis_clear(m->why);
    daedal_status status = m->reduced->index_left > 1 ? reduced_check_runnable(m->reduced)
                                                      : report_export_c(m->compiled, write, user);
    if (why)
        *why = *m->why;
    return status;
}
