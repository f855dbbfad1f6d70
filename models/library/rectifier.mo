// expect capacitor.v(0.06) = 523.705 +- 1e-4
// expect load.i(0.06) = 13.0926 +- 1e-4
model Rectifier "three-phase bridge of diodes that charges a capacitor"
  parameter Modelica.Units.SI.Voltage V = 325 "peak of a phase";
  parameter Modelica.Units.SI.Frequency f = 50;
  Modelica.Electrical.Analog.Sources.SineVoltage source[3](
    each V = V, each f = f, phase = {0, -2*Modelica.Constants.pi/3, 2*Modelica.Constants.pi/3});
  Modelica.Electrical.Analog.Basic.Inductor line[3](each L = 2e-3);
  Modelica.Electrical.Analog.Ideal.IdealDiode up[3](each Vknee = 0.8), down[3](each Vknee = 0.8);
  Modelica.Electrical.Analog.Basic.Capacitor capacitor(C = 1e-3, v(start = 500, fixed = true));
  Modelica.Electrical.Analog.Basic.Resistor load(R = 40);
  Modelica.Electrical.Analog.Basic.Ground ground;
equation
  for k in 1:3 loop
    connect(source[k].n, ground.p);
    connect(source[k].p, line[k].p);
    connect(line[k].n, up[k].p);
    connect(line[k].n, down[k].n);
    connect(up[k].n, capacitor.p);
    connect(down[k].p, capacitor.n);
  end for;
  connect(load.p, capacitor.p);
  connect(load.n, capacitor.n);
  annotation(uses(Modelica(version = "4.0.0")), experiment(StopTime = 0.06));
end Rectifier;
