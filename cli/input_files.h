/* cli/input_files.h - inputs of a model from the command line: --input.
 *
 *     --input u=data.csv            the column u of the file, by straight lines
 *     --input u=data.csv,previous   stairs; also linear, cubic
 *     --input u=data.csv,column=q   another column
 *     --input u=data.csv,hold       the first and last values hold outside of the data
 *     --input data.csv              all inputs of the model that have a column
 *     --input "u=2*sin(time)"       an expression
 * Depends on: daedal.h, output/result_file.h.                                   */
#ifndef DAEDAL_CLI_INPUT_FILES_H
#define DAEDAL_CLI_INPUT_FILES_H

#include <stdbool.h>

#include "daedal.h"

/* One --input. */
typedef struct input_request {
    char *name;   /* NULL: all inputs that the file has        */
    char *path;   /* of the file, or NULL: an expression       */
    char *column; /* or NULL: that with the name of the input  */
    char *expression;
    daedal_interpolation interpolation;
    daedal_extrapolation extrapolation;
} input_request;

/* Read the text behind --input.  false after an error message. */
bool input_request_read(input_request *r, const char *text);
void input_request_free(input_request *r);

/* What the model options need: expressions, and inputs that get their values from files. */
typedef struct input_requests {
    input_request *at;
    int32_t n;
} input_requests;

/* The bindings for daedal_model_options; *n of them, to be freed. */
daedal_binding *input_bindings(const input_requests *all, int32_t *n);

/* Read the files and feed the model, for a run of this span.  An exit status. */
int input_files_feed(const input_requests *all, daedal_model *model, const daedal_simulation *plan);
#endif
