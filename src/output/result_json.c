/* output/result_json.c - a trajectory as one JSON object, see formats.h. */
#include "output/formats.h"
#include "output/json_writer.h"

typedef const char *text_fn(const column *c);

static const char *name_of(const column *c)
{
    return c->name;
}

static const char *unit_of(const column *c)
{
    return c->unit;
}

static const char *description_of(const column *c)
{
    return c->description;
}

static const char *kind_of(const column *c)
{
    return column_kind_name(c->kind);
}

static void put_texts(json_writer *w, const char *key, text_fn *text_of, const trajectory *tr)
{
    json_key(w, key);
    json_open_flat_array(w);
    for (size_t j = 0; j < tr->n_columns; j++)
        json_string(w, text_of(&tr->columns[j]));
    json_close(w);
}

static void put_time(json_writer *w, const trajectory *tr)
{
    json_key(w, "time");
    json_open_flat_array(w);
    for (size_t i = 0; i < tr->n_rows; i++)
        json_number(w, trajectory_time(tr, i));
    json_close(w);
}

static void put_columns(json_writer *w, const trajectory *tr)
{
    json_key(w, "columns");
    json_open_object(w);
    for (size_t j = 0; j < tr->n_columns && !w->to->failed; j++) {
        json_key(w, tr->columns[j].name);
        json_open_flat_array(w);
        for (size_t i = 0; i < tr->n_rows; i++)
            json_number(w, trajectory_value(tr, i, j));
        json_close(w);
    }
    json_close(w);
}

daedal_status result_json_write(sink *to, const trajectory *tr, daedal_diagnosis *why)
{
    json_writer w = json_to(to, JSON_PRETTY);
    json_open_object(&w);
    put_texts(&w, "names", name_of, tr);
    put_texts(&w, "units", unit_of, tr);
    put_texts(&w, "descriptions", description_of, tr);
    put_texts(&w, "kinds", kind_of, tr);
    put_time(&w, tr);
    put_columns(&w, tr);
    json_close(&w);
    return sink_status(to, "the JSON table", why);
}
