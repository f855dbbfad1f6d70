/* cli/verb_analyze.c - daedal analyze MODEL: the structure of the equations. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "console.h"
#include "draw.h"
#include "load.h"
#include "messages.h"
#include "output/json_writer.h"
#include "poles.h"
#include "verbs.h"

enum { PENCIL_MOST = 150 }; /* unknowns: beyond, dense matrices take longer than the analysis */

typedef struct component_list {
    const daedal_component *at;
    int32_t n, depth; /* that is shown */
} component_list;

typedef struct finding {
    const loaded *source;
    daedal_model_structure structure;
    const char *method, *reduction; /* recommended */
    component_list components;      /* none unless they are asked for */
    daedal_linear_system *local;    /* the equations at the start; NULL: they were not linearised */
} finding;

static void recommend(finding *f)
{
    f->method = "radau"; /* the choice of auto unless factorizations dominate, events or not */
    f->reduction = f->structure.index > 1 ? "project" : "none";
}

/* A model without a start is analysed without it. */
static void linearize_start(finding *f, const arguments *a)
{
    daedal_model *m = f->source->model;
    const daedal_ints none = {NULL, 0};
    double t = !isnan(a->t_start) ? a->t_start : f->source->info->start_time;
    daedal_simulation how = {.t_start = isnan(t) ? 0.0 : t, .t_stop = isnan(t) ? 0.0 : t};
    if (f->structure.unknowns > PENCIL_MOST || daedal_model_begin(m, &how) < 0)
        return;
    daedal_model_linearize(m, &none, &none, &f->local);
    daedal_model_end(m, NULL);
}

/* ---- components ---- */

static bool is_shown(const component_list *l, int32_t k)
{
    return l->at[k].depth <= l->depth;
}

/* A number, or a dash where it is negative: unknown. */
static const char *count_text(int32_t n, char text[12])
{
    snprintf(text, 12, n < 0 ? "-" : "%d", (int)n);
    return text;
}

static void print_components(const component_list *l)
{
    char equations[12], index[12];
    int width = 9;
    for (int32_t k = 0; k < l->n; k++) {
        int own = (int)strlen(l->at[k].name) + 2 * l->at[k].depth;
        width = is_shown(l, k) && own > width ? own : width;
    }
    printf("\n%-*s equations  unknowns  states  index\n", width, "component");
    for (int32_t k = 0; k < l->n; k++) {
        const daedal_component *c = &l->at[k];
        if (!is_shown(l, k))
            continue;
        bool is_folded = k + 1 < l->n && l->at[k + 1].depth > c->depth && !is_shown(l, k + 1);
        printf("%*s%-*s %9s %9d %7d %6s%s\n", 2 * c->depth, "", width - 2 * c->depth,
               c->depth ? c->name : "(all)", count_text(c->equations, equations), (int)c->unknowns,
               (int)c->states, count_text(c->index, index), is_folded ? "  +" : "");
    }
}

static void count_member(json_writer *w, const char *name, int32_t n)
{
    json_key(w, name);
    if (n < 0)
        json_null(w);
    else
        json_integer(w, n);
}

static void components_member(json_writer *w, const component_list *l)
{
    json_key(w, "components");
    json_open_array(w);
    for (int32_t k = 0; k < l->n; k++) {
        const daedal_component *c = &l->at[k];
        if (!is_shown(l, k))
            continue;
        json_open_object(w);
        json_key(w, "name");
        json_string(w, c->name);
        count_member(w, "depth", c->depth);
        count_member(w, "equations", c->equations);
        count_member(w, "unknowns", c->unknowns);
        count_member(w, "states", c->states);
        count_member(w, "index", c->index);
        json_close(w);
    }
    json_close(w);
}

/* ---- JSON; scripts rely on its members ---- */

static void count_members(json_writer *w, const daedal_model_structure *s)
{
    const struct {
        const char *name;
        int32_t value;
    } members[] = {{"equations", s->equations},
                   {"unknowns", s->unknowns},
                   {"states", s->states},
                   {"aliases", s->aliases},
                   {"index", s->index},
                   {"structural_index", s->structural_index},
                   {"degrees_of_freedom", s->degrees_of_freedom}};
    for (size_t k = 0; k < sizeof members / sizeof *members; k++) {
        json_key(w, members[k].name);
        json_integer(w, members[k].value);
    }
}

static void warnings_member(json_writer *w, const finding *f)
{
    const daedal_model_info *info = f->source->info;
    json_key(w, "warnings");
    json_open_array(w);
    for (int32_t i = 0; i < info->n_warnings; i++)
        json_string(w, info->warnings[i]);
    if (f->structure.singular_start)
        json_string(w, f->structure.singular_start);
    json_close(w);
}

static void constraints_member(json_writer *w, const daedal_model_structure *s)
{
    json_key(w, "hidden_constraints");
    json_open_array(w);
    for (int32_t k = 0; k < s->n_hidden; k++)
        json_string(w, s->hidden_constraints[k]);
    json_close(w);
}

static void index_member(json_writer *w, const finding *f)
{
    const daedal_model_info *info = f->source->info;
    const int32_t *index = f->structure.variable_index;
    json_key(w, "variable_index");
    json_open_object(w);
    for (int32_t k = 0; k < info->n_variables; k++) {
        if (index[k] < 0)
            continue;
        json_key(w, info->variables[k].name);
        json_integer(w, index[k]);
    }
    json_close(w);
}

static void print_json(const finding *f)
{
    const daedal_model_structure *s = &f->structure;
    sink to = sink_to_stream(stdout);
    json_writer w = json_to(&to, JSON_PRETTY);
    json_open_object(&w);
    json_key(&w, "class");
    json_string(&w, s->class_name);
    count_members(&w, s);
    constraints_member(&w, s);
    index_member(&w, f);
    json_key(&w, "blocks");
    json_integer(&w, s->blocks);
    json_key(&w, "largest_block");
    json_integer(&w, s->largest_block);
    json_key(&w, "local_pencil");
    if (f->local) {
        json_open_object(&w);
        poles_structure_json(&w, f->local->pencil, "local_index");
        json_close(&w);
    } else {
        json_null(&w);
    }
    json_key(&w, "recommended_method");
    json_string(&w, f->method);
    json_key(&w, "recommended_reduction");
    json_string(&w, f->reduction);
    warnings_member(&w, f);
    if (f->components.n > 0)
        components_member(&w, &f->components);
    json_close(&w);
}

/* ---- text ---- */

static void print_hidden(const daedal_model_structure *s)
{
    enum { SHOWN_MAX = 10 };
    for (int32_t k = 0; k < s->n_hidden && k < SHOWN_MAX; k++)
        printf("  %-22s %s\n", k ? "" : "hidden constraints", s->hidden_constraints[k]);
    if (s->n_hidden > SHOWN_MAX)
        printf("  %-22s and %d more (--json lists all)\n", "", (int)s->n_hidden - SHOWN_MAX);
}

/* Print the names of the variables of one index, as far as they fit on a line. */
static void print_names(const finding *f, int32_t wanted)
{
    enum { WIDTH_MAX = 60 };
    const daedal_model_info *info = f->source->info;
    int used = 0;
    for (int32_t k = 0; k < info->n_variables; k++) {
        if (f->structure.variable_index[k] != wanted)
            continue;
        if (used > WIDTH_MAX) {
            printf(", ...");
            break;
        }
        used += printf(used ? ", %s" : "%s", info->variables[k].name);
    }
    printf("\n");
}

static void print_indices(const finding *f)
{
    const daedal_model_info *info = f->source->info;
    const daedal_model_structure *s = &f->structure;
    int32_t most = s->index > s->structural_index ? s->index : s->structural_index;
    for (int32_t index = 0; index <= most; index++) {
        bool any = false;
        for (int32_t k = 0; k < info->n_variables && !any; k++)
            any = f->structure.variable_index[k] == index;
        if (any) {
            printf("  variables of index %-3d ", (int)index);
            print_names(f, index);
        }
    }
}

/* The reason why the structural index differs from the index. */
static const char *difference_reason(const daedal_model_structure *s)
{
    if (s->index > s->structural_index)
        return "too low: hidden constraints follow from combinations of equations";
    return s->index == 0 ? "it counts definitions v = e as algebraic equations"
                         : "too high: combinations of equations need fewer derivatives";
}

static void print_sizes(const char *name, const int32_t *at, int32_t n)
{
    if (n == 0)
        return;
    printf("  %-22s %d", name, (int)at[0]);
    for (int32_t k = 1; k < n; k++)
        printf(", %d", (int)at[k]);
    putchar('\n');
}

/* What the equations are at the start, frozen. */
static void print_local(const finding *f)
{
    if (!f->local)
        return;
    const daedal_pencil_structure *p = f->local->pencil;
    if (!p->is_regular)
        printf("  %-22s singular at the start\n", "local pencil");
    else if (p->index != f->structure.index && p->index > 1)
        printf("  %-22s %d at the start\n", "local index", (int)p->index);
    print_sizes("right minimal indices", p->right, p->n_right);
    print_sizes("left minimal indices", p->left, p->n_left);
    printf("  %-22s r %d, a %d, s %d, d %d, u %d, v %d\n", "characteristic values", (int)p->r,
           (int)p->a, (int)p->s, (int)p->d, (int)p->u, (int)p->v);
}

static void print_text(const finding *f)
{
    const daedal_model_structure *s = &f->structure;
    const daedal_model_info *info = f->source->info;
    printf("%s%s%s\n", info->name, info->description ? ": " : "",
           info->description ? info->description : "");
    printf("  %-22s %s\n", "class", s->class_name ? s->class_name : "");
    printf("  %-22s %d\n", "index", (int)s->index);
    if (s->structural_index != s->index)
        printf("  %-22s %d (%s)\n", "structural index", (int)s->structural_index,
               difference_reason(s));
    printf("  %-22s %d\n", "degrees of freedom", (int)s->degrees_of_freedom);
    printf("  %-22s %d\n", "equations", (int)s->equations);
    printf("  %-22s %d, of which %d states and %d aliases\n", "unknowns", (int)s->unknowns,
           (int)s->states, (int)s->aliases);
    printf("  %-22s %d, the largest of %d\n", "blocks", (int)s->blocks, (int)s->largest_block);
    print_local(f);
    if (s->index > 1) {
        print_hidden(s);
        print_indices(f);
    }
    printf("  %-22s %s\n", "recommended method", f->method);
    if (s->index > 1)
        printf("  %-22s %s\n", "recommended reduction", f->reduction);
    if (!isnan(info->stop_time))
        printf("  %-22s %g to %g\n", "experiment", isnan(info->start_time) ? 0 : info->start_time,
               info->stop_time);
    if (f->components.n > 0)
        print_components(&f->components);
}

static int draw(const loaded *source, const arguments *a)
{
    daedal_incidence incidence;
    daedal_diagnosis why = {0};
    daedal_status st = daedal_model_incidence(source->model, &incidence, &why);
    if (st < 0) {
        print_diagnosis(&why);
        return exit_status(st);
    }
    if (incidence.n == 0) {
        print_error("%s has no equations to draw", a->words[0]);
        return CLI_FAILED;
    }
    if (a->plot_file)
        return draw_incidence_page(&incidence, source->info->name, a->plot_file);
    return draw_incidence_here(&incidence);
}

static int analyze(const loaded *source, const arguments *a)
{
    finding f = {.source = source};
    daedal_diagnosis why = {0};
    daedal_status st = daedal_model_analyze(source->model, &f.structure, &why);
    if (st >= 0 && !isnan(a->listing.components)) {
        f.components.depth =
            a->listing.components == 0.0 ? INT32_MAX : (int32_t)a->listing.components;
        st = daedal_model_components(source->model, &f.components.at, &f.components.n, &why);
    }
    if (st < 0) {
        print_diagnosis(&why);
        return exit_status(st);
    }
    recommend(&f);
    linearize_start(&f, a);
    if (f.structure.singular_start && !a->quiet)
        print_warning("%s", f.structure.singular_start);
    if (a->json)
        print_json(&f);
    else if (!a->quiet)
        print_text(&f);
    daedal_linear_system_free(f.local);
    return a->plot ? draw(source, a) : CLI_SOLVED;
}

int verb_analyze(const arguments *a)
{
    loaded source;
    if (a->plot_file && draw_check_page(a->plot_file) != CLI_SOLVED)
        return CLI_USAGE;
    if (!isnan(a->timeout))
        console_end_after(a->timeout);
    int code = load(&source, a);
    if (code == CLI_SOLVED)
        code = analyze(&source, a);
    load_free(&source);
    return code;
}
