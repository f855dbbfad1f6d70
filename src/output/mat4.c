/* output/mat4.c - MAT files of version 4 as Modelica tools read them, see formats.h.
 *
 * A file is a sequence of matrices: five 32-bit integers (type, rows, columns, imaginary, length of
 * the name), the name with its NUL, the elements by columns.  The type is 1000 M + 10 P + T: M = 0
 * little-endian; P = 0 double, 2 int32, 5 uint8; T = 1 text.  Layout "binTrans" (OpenModelica
 * User's Guide, "The MATv4 Result File Format"; OMCompiler/SimulationRuntime/c/simulation/results/
 * simulation_result_mat4.cpp):
 *
 *   Aclass        4 x 11   rows "Atrajectory", "1.1", "", "binTrans"
 *   name          w x n    a name a column, the first is time
 *   description   w x n    "text [unit]"
 *   dataInfo      4 x n    matrix (0 time, 1, 2), signed row in it from 1 on,
 *                          0: linear between points, -1 / 0: undefined / constant outside
 *   data_1        k x 2    constants at the first and the last time; row 1 is the time
 *   data_2        m x rows the rest; row 1 is the time                           */
#include <string.h>

#include "output/formats.h"

typedef enum mat4_type { MAT4_DOUBLE = 0, MAT4_INT32 = 20, MAT4_TEXT = 51 } mat4_type;

static void put_matrix_header(sink *to, const char *name, mat4_type type, size_t rows, size_t cols)
{
    sink_u32(to, (uint32_t)type);
    sink_u32(to, (uint32_t)rows);
    sink_u32(to, (uint32_t)cols);
    sink_u32(to, 0);
    sink_u32(to, (uint32_t)strlen(name) + 1);
    sink_bytes(to, name, strlen(name) + 1);
}

static void put_class(sink *to)
{
    static const char rows[4][12] = {"Atrajectory", "1.1", "", "binTrans"};
    put_matrix_header(to, "Aclass", MAT4_TEXT, 4, 11);
    for (int j = 0; j < 11; j++)
        for (int i = 0; i < 4; i++)
            sink_char(to, j < (int)strlen(rows[i]) ? rows[i][j] : '\0');
}

/* ---- texts ---- */

static void put_name(sink *to, const column *c)
{
    sink_text(to, c->name);
}

static void put_description(sink *to, const column *c)
{
    sink_text(to, c->description);
    if (*c->unit) {
        sink_text(to, *c->description ? " [" : "[");
        sink_text(to, c->unit);
        sink_char(to, ']');
    }
}

typedef void put_text_fn(sink *to, const column *c);

static size_t length_of(put_text_fn *put, const column *c)
{
    sink count = sink_to_nowhere();
    put(&count, c);
    return (size_t)count.count;
}

static void put_padded(sink *to, put_text_fn *put, const column *c, size_t width)
{
    put(to, c);
    for (size_t n = length_of(put, c); n < width; n++)
        sink_char(to, '\0');
}

/* The width of a text matrix includes a NUL behind the longest text, as in OpenModelica's files. */
static void put_texts(sink *to, const char *matrix, put_text_fn *put, const trajectory *tr)
{
    column time = tr->time;
    if (!*time.description)
        time.description = "Simulation time";
    size_t width = length_of(put, &time);
    for (size_t j = 0; j < tr->n_columns; j++) {
        size_t n = length_of(put, &tr->columns[j]);
        width = n > width ? n : width;
    }
    put_matrix_header(to, matrix, MAT4_TEXT, width + 1, 1 + tr->n_columns);
    put_padded(to, put, &time, width + 1);
    for (size_t j = 0; j < tr->n_columns && !to->failed; j++)
        put_padded(to, put, &tr->columns[j], width + 1);
}

/* ---- numbers ---- */

static void put_info(sink *to, int32_t matrix, int32_t row, int32_t outside)
{
    sink_u32(to, (uint32_t)matrix);
    sink_u32(to, (uint32_t)row);
    sink_u32(to, 0);
    sink_u32(to, (uint32_t)outside);
}

/* A constant, or an alias of one, has a row of data_1 of its own. */
static void put_data_info(sink *to, const trajectory *tr)
{
    int32_t constants = 1;
    put_matrix_header(to, "dataInfo", MAT4_INT32, 4, 1 + tr->n_columns);
    put_info(to, 0, 1, -1);
    for (size_t j = 0; j < tr->n_columns; j++) {
        const column *c = &tr->columns[j];
        if (c->slot < 0)
            put_info(to, 1, ++constants, 0);
        else
            put_info(to, 2, c->negated ? -(c->slot + 2) : c->slot + 2, -1);
    }
}

static void put_constants(sink *to, const trajectory *tr)
{
    size_t n_constants = 0;
    for (size_t j = 0; j < tr->n_columns; j++)
        n_constants += tr->columns[j].slot < 0;
    put_matrix_header(to, "data_1", MAT4_DOUBLE, 1 + n_constants, 2);
    for (int last = 0; last < 2; last++) {
        size_t row = last && tr->n_rows ? tr->n_rows - 1 : 0;
        sink_f64(to, tr->n_rows ? trajectory_time(tr, row) : 0.0);
        for (size_t j = 0; j < tr->n_columns; j++)
            if (tr->columns[j].slot < 0)
                sink_f64(to, tr->columns[j].constant);
    }
}

static void put_rows(sink *to, const trajectory *tr)
{
    size_t width = 1 + tr->n_slots;
    put_matrix_header(to, "data_2", MAT4_DOUBLE, width, tr->n_rows);
    for (size_t i = 0; i < tr->n_rows && !to->failed; i++)
        for (size_t k = 0; k < width; k++)
            sink_f64(to, trajectory_row(tr, i)[k]);
}

daedal_status mat4_write(sink *to, const trajectory *tr, daedal_diagnosis *why)
{
    put_class(to);
    put_texts(to, "name", put_name, tr);
    put_texts(to, "description", put_description, tr);
    put_data_info(to, tr);
    put_constants(to, tr);
    put_rows(to, tr);
    return sink_status(to, "the MAT file", why);
}
