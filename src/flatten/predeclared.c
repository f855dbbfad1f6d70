/* flatten/predeclared.c - see flattener.h: constants, types and functions of the Modelica library
 * that a model may use without declaring them.
 *
 * Only full names are known, Modelica.Constants.pi and Modelica.Units.SI.Length
 * (Modelica.SIunits.Length in older models), so that nothing of the model is hidden; `import` makes
 * them shorter.  What the text itself declares comes first. */
#include "flatten/flattener.h"

#include <float.h>
#include <string.h>

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

/* Quantities of one unit and the same further attributes. */
typedef struct library_types {
    const char *unit, *attributes, *names;
} library_types;

static const library_types TYPES[] = {
    {"rad", "", "Angle PhaseDifference"},
    {"sr", "", "SolidAngle"},
    {"m", "", "Length Position Wavelength"},
    {"m", "min = 0", "Distance Breadth Height Thickness Radius Diameter"},
    {"m2", "", "Area"},
    {"m3", "", "Volume"},
    {"s", "", "Time Duration Period"},
    {"rad/s", "", "AngularVelocity AngularFrequency"},
    {"rad/s2", "", "AngularAcceleration"},
    {"m/s", "", "Velocity"},
    {"m/s2", "", "Acceleration"},
    {"m/s3", "", "Jerk"},
    {"Hz", "", "Frequency"},
    {"m-1", "", "WaveNumber"},
    {"kg", "min = 0", "Mass"},
    {"kg/m3", "min = 0", "Density"},
    {"m3/kg", "min = 0", "SpecificVolume"},
    {"kg/m", "min = 0", "LinearDensity"},
    {"kg.m/s", "", "Momentum"},
    {"kg.m2/s", "", "AngularMomentum"},
    {"kg.m2", "", "MomentOfInertia Inertia"},
    {"N", "", "Force"},
    {"N.m", "", "Torque"},
    {"N.s", "", "Impulse"},
    {"Pa", "", "Pressure PressureDifference Stress ModulusOfElasticity"},
    {"Pa", "min = 0, nominal = 1e5", "AbsolutePressure SoundPressure PartialPressure"},
    {"1", "",
     "Strain RatioOfSpecificHeatCapacities RelativePermeability "
     "PowerFactor VolumeFraction PerUnit DimensionlessRatio "
     "ReynoldsNumber PrandtlNumber NusseltNumber MachNumber"},
    {"N/m", "", "TranslationalSpringConstant SurfaceTension"},
    {"N.s/m", "", "TranslationalDampingConstant"},
    {"N.m/rad", "", "RotationalSpringConstant"},
    {"N.m.s/rad", "", "RotationalDampingConstant"},
    {"Pa.s", "min = 0", "DynamicViscosity"},
    {"m2/s", "min = 0", "KinematicViscosity"},
    {"J", "",
     "Work Energy PotentialEnergy KineticEnergy Heat "
     "InternalEnergy Enthalpy"},
    {"W", "", "Power EnthalpyFlowRate HeatFlowRate ActivePower"},
    {"1", "min = 0", "Efficiency"},
    {"kg/s", "", "MassFlowRate"},
    {"m3/s", "", "VolumeFlowRate"},
    {"K", "min = 0, start = 288.15, nominal = 300", "Temperature ThermodynamicTemperature"},
    {"K", "", "TemperatureDifference"},
    {"K/s", "", "TemperatureSlope"},
    {"1/K", "", "LinearExpansionCoefficient"},
    {"W/m2", "", "HeatFlux"},
    {"W/(m.K)", "", "ThermalConductivity"},
    {"W/(m2.K)", "", "CoefficientOfHeatTransfer"},
    {"K/W", "", "ThermalResistance"},
    {"W/K", "", "ThermalConductance"},
    {"m2/s", "", "ThermalDiffusivity"},
    {"J/K", "", "HeatCapacity Entropy"},
    {"J/(kg.K)", "", "SpecificHeatCapacity SpecificEntropy"},
    {"J/kg", "", "SpecificEnergy SpecificInternalEnergy SpecificEnthalpy"},
    {"A", "",
     "ElectricCurrent Current MagneticPotentialDifference "
     "MagnetomotiveForce"},
    {"A/s", "", "CurrentSlope"},
    {"C", "", "ElectricCharge Charge"},
    {"V/m", "", "ElectricFieldStrength"},
    {"V", "", "ElectricPotential Voltage"},
    {"V/s", "", "VoltageSlope"},
    {"F", "min = 0", "Capacitance"},
    {"F/m", "min = 0", "Permittivity"},
    {"A/m2", "", "CurrentDensity"},
    {"A/m", "", "MagneticFieldStrength"},
    {"T", "", "MagneticFluxDensity"},
    {"Wb", "", "MagneticFlux"},
    {"H", "", "Inductance Permeance"},
    {"V.s/(A.m)", "", "Permeability"},
    {"Ohm", "", "Resistance Impedance Reactance"},
    {"Ohm.m", "", "Resistivity"},
    {"S/m", "", "Conductivity"},
    {"H-1", "", "Reluctance"},
    {"S", "", "Conductance Admittance"},
    {"V.A", "", "ApparentPower"},
    {"var", "", "ReactivePower"},
    {"lm", "", "LuminousFlux"},
    {"lx", "", "Illuminance"},
    {"mol", "min = 0", "AmountOfSubstance"},
    {"kg/mol", "min = 0", "MolarMass"},
    {"m3/mol", "min = 0", "MolarVolume"},
    {"J/mol", "nominal = 2e4", "MolarEnergy MolarInternalEnergy"},
    {"J/(mol.K)", "", "MolarHeatCapacity MolarEntropy"},
    {"mol/s", "", "MolarFlowRate"},
    {"mol/m3", "", "Concentration"},
    {"mol/kg", "", "Molality"},
    {"1", "min = 0, max = 1", "MassFraction MoleFraction"},
    {"Bq", "", "Activity"},
    {"s-1", "", "DampingCoefficient"},
    {"1/S", "", "LogarithmicDecrement"},
};

static bool is_among(const char *name, const char *names)
{
    size_t n = strlen(name);
    for (const char *at = names; (at = strstr(at, name)); at += n)
        if ((at == names || at[-1] == ' ') && (!at[n] || at[n] == ' '))
            return true;
    return false;
}

/* The text of declarations is read as if it stood in the file; the first of them. */
static const ast_class *declare_text(flattener *f, const char *name, const char *text)
{
    const ast_file *file = text ? parse_text(f->in->c, name, text, strlen(text)) : NULL;
    for (const ast_class *c = file ? file->classes : NULL; c; c = c->next)
        classes_collect(f, c, "");
    return file ? file->classes : NULL;
}

static const ast_class *declare_type(flattener *f, const char *name, const library_types *t)
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
        for (size_t k = 0; k < sizeof TYPES / sizeof *TYPES; k++)
            if (is_among(name + n, TYPES[k].names))
                return declare_type(f, name, &TYPES[k]);
    }
    return NULL;
}
