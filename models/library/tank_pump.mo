// expect tank.level(300) = 1.86157 +- 1e-4
// expect valve.m_flow(300) = 14.1554 +- 1e-4
model TankPump "a controller keeps the level of a tank by two speeds of a pump"
  replaceable package Medium = Modelica.Media.Water.ConstantPropertyLiquidWater
    constrainedby Modelica.Media.Interfaces.PartialMedium;
  inner Modelica.Fluid.System system(energyDynamics = Modelica.Fluid.Types.Dynamics.FixedInitial);
  Modelica.Fluid.Sources.FixedBoundary well(
    redeclare package Medium = Medium, p = system.p_ambient, T = 283.15, nPorts = 1);
  Modelica.Fluid.Machines.PrescribedPump pump(
    redeclare package Medium = Medium, use_N_in = true, N_nominal = 1200,
    redeclare function flowCharacteristic =
      Modelica.Fluid.Machines.BaseClasses.PumpCharacteristics.quadraticFlow(
        V_flow_nominal = {0, 0.01, 0.02}, head_nominal = {12, 9.5, 4}));
  Modelica.Fluid.Vessels.OpenTank tank(
    redeclare package Medium = Medium, height = 4, crossArea = 1, level_start = 0.5, nPorts = 2,
    portsData = {Modelica.Fluid.Vessels.BaseClasses.VesselPortsData(diameter = 0.1, height = 0),
                 Modelica.Fluid.Vessels.BaseClasses.VesselPortsData(diameter = 0.1, height = 0)});
  Modelica.Fluid.Valves.ValveLinear valve(
    redeclare package Medium = Medium, m_flow_nominal = 30, dp_nominal = 2e4);
  Modelica.Fluid.Sources.FixedBoundary sewer(
    redeclare package Medium = Medium, p = system.p_ambient, T = 283.15, nPorts = 1);
  Modelica.Blocks.Sources.RealExpression level(y = tank.level);
  Modelica.Blocks.Sources.Constant wanted(k = 2), opening(k = 0.6);
  Modelica.Blocks.Logical.OnOffController switch(bandwidth = 0.4);
  Modelica.Blocks.Math.BooleanToReal speed(realTrue = 1200, realFalse = 800);
  Modelica.Blocks.Continuous.FirstOrder motor(T = 2, y_start = 1200,
    initType = Modelica.Blocks.Types.Init.InitialOutput);
equation
  connect(well.ports[1], pump.port_a);
  connect(pump.port_b, tank.ports[1]);
  connect(tank.ports[2], valve.port_a);
  connect(valve.port_b, sewer.ports[1]);
  connect(wanted.y, switch.reference);
  connect(level.y, switch.u);
  connect(switch.y, speed.u);
  connect(speed.y, motor.u);
  connect(motor.y, pump.N_in);
  connect(opening.y, valve.opening);
  annotation(uses(Modelica(version = "4.0.0")), experiment(StopTime = 1000));
end TankPump;
