/* flatten/si_quantities.c - see si_quantities.h. */
#include "flatten/si_quantities.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static const si_quantity QUANTITIES[] = {
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

const si_quantity *si_quantity_named(const char *name)
{
    for (size_t k = 0; k < sizeof QUANTITIES / sizeof *QUANTITIES; k++)
        if (is_among(name, QUANTITIES[k].names))
            return &QUANTITIES[k];
    return NULL;
}
