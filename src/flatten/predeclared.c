/* flatten/predeclared.c - see flattener.h: constants, types and functions of the Modelica library
 * that a model may use without declaring them.
 *
 * Only full names are known, Modelica.Constants.pi and Modelica.Units.SI.Length
 * (Modelica.SIunits.Length in older models), so that nothing of the model is hidden; `import` makes
 * them shorter.  What the text itself declares comes first. */
#include "flatten/flattener.h"

#include <float.h>
#include <string.h>

#include "flatten/si_quantities.h"

/* ---- constants ---- */

typedef struct library_number {
    const char *name;
    double value;
} library_number;

#define PI 3.14159265358979323846
#define LIGHT 299792458.0
#define PLANCK 6.62607015e-34
#define BOLTZMANN 1.380649e-23
#define AVOGADRO 6.02214076e23
#define CHARGE 1.602176634e-19
#define MU_0 1.25663706212e-6

/* The exact values of the SI since 2019, and what follows from them. */
static const library_number NUMBERS[] = {
    {"pi", PI},
    {"e", 2.71828182845904523536},
    {"D2R", PI / 180.0},
    {"R2D", 180.0 / PI},
    {"gamma", 0.57721566490153286061},
    {"eps", DBL_EPSILON},
    {"small", DBL_MIN},
    {"inf", DBL_MAX},
    {"Integer_inf", 2147483647.0},
    {"c", LIGHT},
    {"g_n", 9.80665},
    {"G", 6.67430e-11},
    {"q", CHARGE},
    {"F", CHARGE *AVOGADRO},
    {"h", PLANCK},
    {"k", BOLTZMANN},
    {"R", BOLTZMANN *AVOGADRO},
    {"sigma", 2.0 * PI *PI *PI *PI *PI *(BOLTZMANN / PLANCK) * (BOLTZMANN / PLANCK) *
                  (BOLTZMANN / PLANCK) * BOLTZMANN / (15.0 * LIGHT * LIGHT)},
    {"N_A", AVOGADRO},
    {"mu_0", MU_0},
    {"epsilon_0", 1.0 / (MU_0 * LIGHT * LIGHT)},
    {"T_zero", -273.15},
};

bool library_constant(flattener *f, const char *name, value *result)
{
    static const char before[] = "Modelica.Constants.";
    const size_t n = sizeof before - 1;
    if (strncmp(name, before, n) != 0)
        return false;
    for (size_t k = 0; k < sizeof NUMBERS / sizeof *NUMBERS; k++)
        if (strcmp(NUMBERS[k].name, name + n) == 0) {
            bool is_integer = strcmp(name + n, "Integer_inf") == 0;
            *result = value_scalar(f->in, is_integer ? T_INTEGER : T_REAL,
                                   expr_constant(f->in->g, NUMBERS[k].value));
            return true;
        }
    return false;
}

/* ---- types ---- */

/* The text of declarations is read as if it stood in the file; the first of them. */
static const ast_class *declare_text(flattener *f, const char *name, const char *text)
{
    const ast_file *file = text ? parse_text(f->in->c, name, text, strlen(text)) : NULL;
    for (const ast_class *c = file ? file->classes : NULL; c; c = c->next)
        classes_collect(f, c, "");
    return file ? file->classes : NULL;
}

static const ast_class *declare_type(flattener *f, const char *name, const si_quantity *t)
{
    return declare_text(f, name,
                        context_text(f->in, "type '%s' = Real(unit = \"%s\"%s%s);", name, t->unit,
                                     *t->attributes ? ", " : "", t->attributes));
}

/* ---- functions ---- */

/* The secant through the ends of an interval with a change of sign, and its middle where that did
 * not halve the interval.  It is written in the language so that the function that is solved may be
 * any function of the model.                                                      */
#define NONLINEAR "Modelica.Math.Nonlinear."
static const char SOLVE_ONE[] =
    "function '" NONLINEAR "solveOneNonlinearEquation'\n"
    "  input '" NONLINEAR "Interfaces.partialScalarFunction' f;\n"
    "  input Real u_min;\n"
    "  input Real u_max;\n"
    "  input Real tolerance = 2.2e-14;\n"
    "  output Real u;\n"
    "protected\n"
    "  Real a = u_min, b = u_max, fa, fb, fu, width;\n"
    "  Integer count = 0;\n"
    "algorithm\n"
    "  fa := f(a);\n"
    "  fb := f(b);\n"
    "  assert(not (fa > 0 and fb > 0) and not (fa < 0 and fb < 0),\n"
    "    \"solveOneNonlinearEquation: f(u_min) and f(u_max) have the same sign\");\n"
    "  width := abs(b - a);\n"
    "  u := if fa == 0 then a else b;\n"
    "  fu := if fa == 0 then 0 else fb;\n"
    "  while fu <> 0 and abs(b - a) > tolerance*max(1, abs(u)) and count < 200 loop\n"
    "    u := (a*fb - b*fa)/(fb - fa);\n"
    "    if abs(b - a) > width/2 or not (u > min(a, b) and u < max(a, b)) then\n"
    "      u := a + (b - a)/2;\n"
    "    end if;\n"
    "    width := abs(b - a);\n"
    "    fu := f(u);\n"
    "    if (fu > 0) == (fa > 0) then\n"
    "      a := u;\n"
    "      fa := fu;\n"
    "    else\n"
    "      b := u;\n"
    "      fb := fu;\n"
    "    end if;\n"
    "    count := count + 1;\n"
    "  end while;\n"
    "end '" NONLINEAR "solveOneNonlinearEquation';\n"
    "partial function '" NONLINEAR "Interfaces.partialScalarFunction'\n"
    "  input Real u;\n"
    "  output Real y;\n"
    "end '" NONLINEAR "Interfaces.partialScalarFunction';\n";

const ast_class *library_class(flattener *f, const char *name)
{
    if (strcmp(name, NONLINEAR "solveOneNonlinearEquation") == 0)
        return declare_text(f, name, SOLVE_ONE);
    static const char *const before[] = {"Modelica.Units.SI.", "Modelica.SIunits."};
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        size_t n = strlen(before[i]);
        if (strncmp(name, before[i], n) != 0 || !name[n])
            continue;
        const si_quantity *found = si_quantity_named(name + n);
        return found ? declare_type(f, name, found) : NULL;
    }
    return NULL;
}
