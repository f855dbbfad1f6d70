// rule: der() of algebraic variables in initial equations is the derivative of the equations that determine them
// A volume of gas with inflow and outflow begins in a steady state.  The equations contain the
// derivatives of its mass and energy; the initial equations those of pressure and temperature.
// expect w(0) = 1
// expect p(0) = 1.1e6
// expect T(0) = 293.15
// expect m(0) = 1.3074373574076
// expect p(1) = 1.1e6
// expect T(1) = 293.15
model StartSteadyAlgebraic
  parameter Real pa = 1e5, Ta = 293.15, cp = 1005, R = 287;
  Real p(start = pa, nominal = 1e5), T(start = Ta, nominal = 300), m, U, w, h;
equation
  m = 0.1*p/(R*T);
  U = m*(h - R*T);
  h = cp*(T - 298.15);
  der(m) = 1 - w;
  der(U) = cp*(Ta - 298.15) - h*w;
  w = (p - pa)/1e6;
initial equation
  der(p) = 0;
  der(T) = 0;
  annotation(experiment(StopTime = 1));
end StartSteadyAlgebraic;
