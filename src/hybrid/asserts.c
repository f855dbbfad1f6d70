/* hybrid/asserts.c - see discrete.h: assert and terminate, with their messages. */
#include <stdio.h>
#include <string.h>

#include "compile/compiled.h"
#include "hybrid/discrete.h"

enum { MESSAGE_MAX = 400 };

/* ---- messages ---- */

static void write_piece(discrete_part *m, const flat_piece *p, char *text, size_t size)
{
    const flat_model *f = m->flat;
    double x = p->text ? 0.0 : compiled_evaluate(m->compiled, p->value);
    if (p->text)
        snprintf(text, size, "%s", p->text);
    else if (p->type == FLAT_BOOLEAN)
        snprintf(text, size, "%s", x != 0.0 ? "true" : "false");
    else if (p->type == FLAT_ENUM && x >= 1.0 && x <= f->enumerations[p->enumeration].n)
        snprintf(
            text, size, "%s",
            intern_text(&f->from->names, f->enumerations[p->enumeration].literals[(int)x - 1]));
    else
        snprintf(text, size, "%.6g", x);
}

/* Texts of libraries begin with an empty line and are broken where a window is narrow; a message
 * is one line. */
static void join_lines(char *text)
{
    static const char blanks[] = " \t\r\n";
    size_t used = 0;
    for (const char *from = text + strspn(text, blanks); *from;) {
        size_t gap = strspn(from, blanks);
        from += gap;
        if (gap > 0 && *from)
            text[used++] = ' ';
        while (*from && !strchr(blanks, *from))
            text[used++] = *from++;
    }
    text[used] = '\0';
}

static const char *message_text(discrete_part *m, const flat_message *from, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int32_t k = 0; k < from->n && used + 1 < size; k++) {
        write_piece(m, &from->piece[k], text + used, size - used);
        while (text[used])
            used++;
    }
    join_lines(text);
    return text;
}

/* ---- asserts ---- */

static daedal_status fail_assertion(discrete_part *m, const flat_assert *a)
{
    char text[MESSAGE_MAX];
    source_place at = sources_place(&m->flat->from->sources, a->at);
    message_text(m, &a->message, text, sizeof text);
    fail(m->why, DAEDAL_ERR_CALLBACK, "%s (assert in line %u, t = %.10g)",
         text[0] ? text : "an assertion is violated", (unsigned)at.line, m->values->x[0]);
    hint(m->why, "the model is not meant for these values: look at parameters and start values, or "
                 "end the run before");
    m->why->t = m->values->x[0];
    set_cause(m->why, DAEDAL_CAUSE_ASSERTION);
    return DAEDAL_ERR_CALLBACK;
}

/* Warn when an assertion begins to be violated, not again while it stays so. */
static void warn(discrete_part *m, size_t k, bool violated)
{
    const flat_assert *a = &m->flat->asserts[k];
    if (violated && !m->warned[k]) {
        char text[MESSAGE_MAX], line[MESSAGE_MAX + 80];
        source_place at = sources_place(&m->flat->from->sources, a->at);
        snprintf(line, sizeof line, "%s (%s line %u, t = %.10g)",
                 message_text(m, &a->message, text, sizeof text),
                 a->is_bound ? "declared in" : "assert in", (unsigned)at.line, m->values->x[0]);
        log_warning(m->log, a->is_bound ? DAEDAL_CAUSE_BOUNDS : DAEDAL_CAUSE_ASSERTION,
                    m->values->x[0], line);
    }
    m->warned[k] = violated || (a->is_bound && m->warned[k]);
}

static daedal_status check_all(discrete_part *m, const double *out, bool at_event)
{
    const flat_model *f = m->flat;
    for (size_t k = 0; k < f->n_asserts; k++) {
        const flat_assert *a = &f->asserts[k];
        bool active = a->guard == EXPR_NONE || out[2 * k] != 0.0;
        if (!active || (a->in_when && !at_event))
            continue;
        bool violated = out[2 * k + 1] == 0.0;
        if (violated && !a->is_warning)
            return fail_assertion(m, a);
        if (a->is_warning)
            warn(m, k, violated);
    }
    return DAEDAL_OK;
}

daedal_status discrete_check_asserts(discrete_part *m, bool at_event)
{
    const flat_model *f = m->flat;
    if (f->n_asserts + f->n_terminates == 0)
        return DAEDAL_OK;
    int answer = program_run(m->compiled, m->actions, 0.0, NULL, NULL);
    if (answer != 0)
        return compiled_fail_call(m->compiled, answer);
    const double *out = m->actions->out + 2 * f->n_reinits;
    TRY(check_all(m, out, at_event));
    out += 2 * f->n_asserts;
    for (size_t k = 0; k < f->n_terminates && at_event; k++) {
        if (out[k] != 0.0 && !m->terminated && m->log->write) {
            char text[MESSAGE_MAX];
            m->log->write(DAEDAL_LOG_INFO,
                          message_text(m, &f->terminates[k].message, text, sizeof text),
                          m->log->user);
        }
        m->terminated = m->terminated || out[k] != 0.0;
    }
    return DAEDAL_OK;
}
