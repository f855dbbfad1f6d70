// expect load.w(3) = 37.406 +- 1e-4
// expect rotor.w(5) = 86.0267 +- 1e-4
// expect load.w(5) = 36.2423 +- 1e-4
model ClutchDrive "a motor accelerates a load through a clutch, which is released again"
  Modelica.Mechanics.Rotational.Sources.ConstantTorque motor(tau_constant = 20);
  Modelica.Mechanics.Rotational.Components.Inertia rotor(
    J = 0.5, phi(fixed = true), w(start = 100, fixed = true));
  Modelica.Mechanics.Rotational.Components.Clutch clutch(
    mu_pos = [0, 0.3], cgeo = 0.2, fn_max = 1200);
  Modelica.Mechanics.Rotational.Components.SpringDamper shaft(c = 2e3, d = 20);
  Modelica.Mechanics.Rotational.Components.Inertia load(
    J = 2, phi(fixed = true), w(fixed = true));
  Modelica.Mechanics.Rotational.Sources.QuadraticSpeedDependentTorque drag(
    tau_nominal = -15, w_nominal = 50, TorqueDirection = false);
  Modelica.Mechanics.Rotational.Components.Inertia wheel(J = 0.1, phi(fixed = true), w(fixed = true));
  Modelica.Blocks.Sources.Trapezoid pedal(
    rising = 0.5, width = 3, falling = 0.2, period = 10, startTime = 0.2);
equation
  connect(motor.flange, rotor.flange_a);
  connect(rotor.flange_b, clutch.flange_a);
  connect(clutch.flange_b, wheel.flange_a);
  connect(wheel.flange_b, shaft.flange_a);
  connect(shaft.flange_b, load.flange_a);
  connect(load.flange_b, drag.flange);
  connect(pedal.y, clutch.f_normalized);
  annotation(uses(Modelica(version = "4.0.0")), experiment(StopTime = 5));
end ClutchDrive;
