/* cli/verbs.c - see verbs.h. */
#include "verbs.h"

#include <string.h>

#include "base/suggest.h"

static const verb verbs[] = {
    {"solve", "run sim", FOR_SOLVE, verb_solve, "MODEL", 1, 1, "solve a model and write its result",
     "MODEL is a file of equations (Modelica, or Base Modelica), or - for stdin.\n"
     "Rows go to stdout as CSV, unless -o, --json, --plot or --quiet is given.\n"
     "Without -n, --at and --steps there are 500 intervals, or those of the model's\n"
     "experiment, and both sides of every event.  Ctrl-C keeps what was computed.\n"},
    {"analyze", "", FOR_ANALYZE, verb_analyze, "MODEL", 1, 1,
     "report the structure of a model: index, states, blocks",
     "--plot draws the incidence matrix, that is which unknowns occur in which equations, in the\n"
     "order of the blocks.  --plot=FILE.html writes a page that also shows the order as "
     "written.\n"},
    {"describe", "", FOR_DESCRIBE, verb_describe, "MODEL", 1, 1,
     "list parameters, inputs, outputs and states of a model",
     "Each is listed with its type, unit, value or start value, and description.  The column `new\n"
     "values` says what another value of a parameter means:\n"
     "  live         it takes effect without reading the model again, unless it is 0\n"
     "  conditional  the same, unless it changes a decision that depends on the value\n"
     "  structure    the model is read again: sizes, branches and zero factors depend on it\n"
     "  final        it cannot be set, because it follows from other parameters\n"
     "  initial      it is determined at the start (fixed = false)\n"},
    {"init", "", FOR_INIT, verb_init, "MODEL", 1, 1,
     "find consistent initial values and print them",
     "Values that had to change from their start value are marked.\n"},
    {"fit", "", FOR_FIT, verb_fit, "MODEL", 1, 1, "find parameters of a model from measured data",
     "--data FILE has the times in its first column; each other column belongs to the variable of\n"
     "its name: a measured one, an input of the run, or a parameter of the experiment (one value "
     "in\n"
     "all rows).  Several files are several experiments.  -p NAME searches for the parameter, from "
     "its\n"
     "value in the model, -p NAME=LOW:HIGH between bounds, -p NAME=VALUE sets it; -y does the same "
     "for\n"
     "start values.  Printed are the values with intervals, their correlations, and what is left.\n"
     "    daedal fit reaction.mo --data run1.csv --data run2.csv -p k1=0.1:10,k2 --plot\n"},
    {"plot", "", FOR_PLOT, verb_plot, "FILE...", 1, 16, "draw a model's solution or result files",
     "FILE is a model, which is solved, or a result (.csv, .npz, .mat, .json).  Several results,\n"
     "or a model and results, are drawn together: what they have in common, or what --vars names.\n"
     "-o FILE.svg, like --plot=FILE.svg, writes a picture instead of drawing in the terminal, and\n"
     "-o FILE.html a page.\n"},
    {"sens", "", FOR_SENS, verb_sens, "MODEL", 1, 1,
     "differentiate a solution by parameters, and rank them",
     "Prints how much each parameter matters: its influence on a variable y is the largest\n"
     "|p dy/dp| of the run, divided by the largest |y|.  A change of p by 1 % changes y by that\n"
     "many percent of its largest value.  -o writes y and dy/dp over time, as d(y)/d(p); --plot\n"
     "draws p dy/dp / max |y|.\n"},
    {"sweep", "", FOR_SWEEP, verb_sweep, "MODEL", 1, 1,
     "run a model many times with other parameters",
     "    daedal sweep MODEL -p k1=0.01:0.1:50 -p k2=1,2,5 -o runs.npz\n"
     "    daedal sweep MODEL -p \"k1=lognormal(0.04,0.3)\" --samples 1000 -o runs.npz\n"
     "NAME=VALUE sets a parameter (-p) or a start value (-y) in all runs.  It is varied by\n"
     "  FROM:TO:N           N values at equal distances, with :log at equal ratios\n"
     "  A,B,C               these values\n"
     "  FROM:TO             any value in between, as uniform(FROM,TO)\n"
     "  uniform(FROM,TO), loguniform(FROM,TO), normal(MEAN,DEVIATION), lognormal(MEDIAN,SIGMA)\n"
     "The last two lines need --samples N; else all combinations of the values are run.\n"
     "A run that fails is a row of NaN with its cause, and is counted at the end.  The exit "
     "status\n"
     "is 1 if all runs fail.  Without -o and --plot a table of all runs goes to stdout as CSV.\n"},
    {"linearize", "", FOR_LINEARIZE, verb_linearize, "MODEL", 1, 1,
     "linearise a model: matrices, eigenvalues, modes",
     "E x' = A x + B u, y = C x + D u, of all equations as written, at the start or at -t T.\n"
     "Prints the finite eigenvalues with frequency, damping and time constant, and the variables\n"
     "that take part in each; -o and --json also give the matrices.\n"
     "    daedal linearize circuit.mo --in u --out v2 -o circuit.json --plot\n"},
    {"steady", "", FOR_STEADY, verb_steady, "MODEL", 1, 1,
     "find a steady state of a model and its stability",
     "All derivatives are zero there; time and inputs are those of the start.  Newton's iteration\n"
     "begins at the start values, and if it fails at values of longer and longer runs.  Variables\n"
     "that the equations leave open stay near their start values, and are named.\n"},
    {"examples", "", FOR_EXAMPLES, verb_examples, "[NAME]", 0, 1,
     "list the example models, or print one",
     "    daedal examples robertson > robertson.mo\n"
     "    daedal solve robertson.mo --plot\n"},
    {"export", "", FOR_EXPORT, verb_export, "MODEL", 1, 1, "write a model as C functions", ""},
    {"flatten", "", FOR_FLATTEN, verb_flatten, "MODEL", 1, 1,
     "write a model with components as one flat model",
     "The text has all variables and equations with the names of their components, and the\n"
     "functions that they call.  daedal reads it as it reads MODEL, without the library.\n"
     "    daedal flatten A.B.C --path DIR -o flat.mo\n"},
    {"check", "", FOR_CHECK, verb_check, "MODEL", 1, 1, "report what is wrong with a model",
     "All errors and warnings are printed, and nothing is run.  The exit status is 0 if the model\n"
     "can be solved as far as its text says, else 3.\n"},
    {"browse", "", FOR_BROWSE, verb_browse, "[PACKAGE]", 0, 1,
     "list the classes of a package with their descriptions",
     "PACKAGE is a full name, as Modelica.Electrical, or a file.  Without it the packages of "
     "--path\n"
     "and MODELICAPATH are listed.  A * marks examples, which have an experiment: `daedal solve` "
     "runs\n"
     "them by their names.\n"},
    {"help", "", FOR_HELP, verb_help, "[VERB|options]", 0, 1, "explain a verb, or list the options",
     ""},
};
enum { N_VERBS = sizeof verbs / sizeof *verbs };

const verb *verb_at(int i)
{
    return i < N_VERBS ? &verbs[i] : NULL;
}

/* True if the name is one of several words separated by blanks. */
static bool is_among(const char *name, const char *words)
{
    size_t n = strlen(name);
    for (const char *at = words; n && (at = strstr(at, name)); at += n)
        if ((at == words || at[-1] == ' ') && (!at[n] || at[n] == ' '))
            return true;
    return false;
}

const verb *verb_find(const char *name)
{
    for (int i = 0; i < N_VERBS; i++)
        if (strcmp(name, verbs[i].name) == 0 || is_among(name, verbs[i].aliases))
            return &verbs[i];
    return NULL;
}

static const char *name_of_verb(const void *list, size_t i)
{
    return ((const verb *)list)[i].name;
}

const char *verb_nearest(const char *name)
{
    return suggest(name, name_of_verb, verbs, N_VERBS);
}

const char *verb_name(unsigned bit)
{
    for (int i = 0; i < N_VERBS; i++)
        if (verbs[i].bit == bit)
            return verbs[i].name;
    return "daedal";
}
