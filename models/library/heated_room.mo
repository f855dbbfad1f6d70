// expect air.T(86400) = 293.15 +- 2e-3
// expect walls.T(86400) = 288.657 +- 1e-4
model HeatedRoom "a thermostat heats a room through one winter day"
  Modelica.Thermal.HeatTransfer.Components.HeatCapacitor air(C = 2e5, T(start = 288.15, fixed = true));
  Modelica.Thermal.HeatTransfer.Components.HeatCapacitor walls(C = 8e6, T(start = 287.15, fixed = true));
  Modelica.Thermal.HeatTransfer.Components.ThermalConductor inner_side(G = 200), outer_side(G = 60), windows(G = 25);
  Modelica.Thermal.HeatTransfer.Sources.PrescribedTemperature outside;
  Modelica.Thermal.HeatTransfer.Sources.PrescribedHeatFlow heater;
  Modelica.Thermal.HeatTransfer.Celsius.TemperatureSensor sensor;
  Modelica.Blocks.Sources.Sine weather(amplitude = 6, f = 1/86400, phase = -2.4, offset = 273.15);
  Modelica.Blocks.Sources.Constant wanted(k = 20);
  Modelica.Blocks.Logical.OnOffController thermostat(bandwidth = 1);
  Modelica.Blocks.Math.BooleanToReal power(realTrue = 4000);
equation
  connect(weather.y, outside.T);
  connect(outside.port, outer_side.port_a);
  connect(outside.port, windows.port_a);
  connect(outer_side.port_b, walls.port);
  connect(walls.port, inner_side.port_a);
  connect(inner_side.port_b, air.port);
  connect(windows.port_b, air.port);
  connect(heater.port, air.port);
  connect(sensor.port, air.port);
  connect(wanted.y, thermostat.reference);
  connect(sensor.T, thermostat.u);
  connect(thermostat.y, power.u);
  connect(power.y, heater.Q_flow);
  annotation(uses(Modelica(version = "4.0.0")), experiment(StopTime = 86400));
end HeatedRoom;
