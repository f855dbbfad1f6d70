// expect joint.phi(0.3) = 0.15988 +- 1e-4
// expect joint.phi(1.5) = 1.2 +- 1e-4
// expect torque.tau(1.5) = 0.34646 +- 1e-4
model RobotJoint "an arm with a load is turned to a new angle by a controlled motor with a gear"
  inner Modelica.Mechanics.MultiBody.World world;
  Modelica.Mechanics.MultiBody.Joints.Revolute joint(
    n = {0, 0, 1}, useAxisFlange = true, phi(fixed = true), w(fixed = true));
  Modelica.Mechanics.MultiBody.Parts.BodyShape arm(
    m = 15, r = {0.8, 0, 0}, r_CM = {0.35, 0, 0}, I_33 = 0.9);
  Modelica.Mechanics.MultiBody.Parts.Body tool(m = 5, r_CM = {0.1, 0, 0});
  Modelica.Mechanics.Rotational.Components.IdealGear gear(ratio = 100);
  Modelica.Mechanics.Rotational.Components.Inertia motor(J = 1.3e-3);
  Modelica.Mechanics.Rotational.Sources.Torque torque;
  Modelica.Mechanics.Rotational.Sensors.AngleSensor angle;
  Modelica.Mechanics.Rotational.Sensors.SpeedSensor speed;
  Modelica.Blocks.Sources.KinematicPTP2 path(q_end = {1.2}, qd_max = {3}, qdd_max = {8}, startTime = 0.1);
  Modelica.Blocks.Math.Gain to_motor(k = 100), to_motor_speed(k = 100);
  Modelica.Blocks.Math.Feedback position_error, speed_error;
  Modelica.Blocks.Math.Add wanted_speed;
  Modelica.Blocks.Math.Gain outer_gain(k = 20);
  Modelica.Blocks.Continuous.PI controller(
    k = 0.5, T = 0.05, initType = Modelica.Blocks.Types.Init.InitialState);
equation
  connect(world.frame_b, joint.frame_a);
  connect(joint.frame_b, arm.frame_a);
  connect(arm.frame_b, tool.frame_a);
  connect(torque.flange, motor.flange_a);
  connect(motor.flange_b, gear.flange_a);
  connect(gear.flange_b, joint.axis);
  connect(motor.flange_b, angle.flange);
  connect(motor.flange_b, speed.flange);
  connect(path.q[1], to_motor.u);
  connect(path.qd[1], to_motor_speed.u);
  connect(to_motor.y, position_error.u1);
  connect(angle.phi, position_error.u2);
  connect(position_error.y, outer_gain.u);
  connect(outer_gain.y, wanted_speed.u1);
  connect(to_motor_speed.y, wanted_speed.u2);
  connect(wanted_speed.y, speed_error.u1);
  connect(speed.w, speed_error.u2);
  connect(speed_error.y, controller.u);
  connect(controller.y, torque.tau);
  annotation(uses(Modelica(version = "4.0.0")), experiment(StopTime = 1.5));
end RobotJoint;
