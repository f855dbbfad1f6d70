// A digital controller measures the plant ten times a second and holds its output in between.
// Shows sample and when.
// reference: x = 0.784743762965 at t = 2, tolerance 1e-5
// from: closed form
model SampledController "a digital controller and a continuous plant"
  parameter Real h(unit = "s") = 0.1 "sampling period";
  parameter Real Kp = 2, Ki = 0.5, wanted = 1;
  Real x(start = 0, fixed = true) "plant";
  discrete Real z(start = 0, fixed = true) "integral of the error";
  discrete Real u(start = 0, fixed = true) "output of the controller";
equation
  der(x) = u - x;
  when sample(0, h) then
    z = pre(z) + Ki*h*(wanted - x);
    u = Kp*(wanted - x) + z;
  end when;
  annotation(experiment(StopTime = 10));
end SampledController;
