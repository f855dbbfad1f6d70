// cause: impasse | domain_error
// culprits: d
// time: 10 +- 1e-2
// why: the d^2 law: d der(d) = -K/2, so d = sqrt(1 - 0.1 t), which is zero at t = 10, where the derivative is infinite, though
//     everything is finite. Nothing says what follows. (Seen from the text: a division by zero.)
model DropletEvaporates "fuel droplet, diameter in millimetres"
  parameter Real K = 0.1, rho = 0.8;
  Real d(start = 1, fixed = true), m, x(start = 0, fixed = true);
equation
  der(d) = -K/(2*d);
  m = rho*0.5235987755982988*d^3;
  der(x) = 2;
  annotation(experiment(StopTime = 20));
end DropletEvaporates;
