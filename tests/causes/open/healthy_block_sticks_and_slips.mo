// cause: none
// expect: x(10.3) = 0.1834278381 +- 2e-4; v(10.3) = 0.2 +- 1e-4
// why: a block on a belt of 0.2 m/s sticks until the spring has 10 N, slips with 6 N as a harmonic motion until it has the
//     speed of the belt again (0.5404 s), and sticks: a period of 1.34041 s, seven of them, in closed form.
model HealthyBlockSticksAndSlips "dry friction as a machine with two states"
  parameter Real m = 1, k = 50, vb = 0.2, Fs = 10, Fc = 6;
  Real x(start = 0, fixed = true), v(start = vb, fixed = true);
  Boolean sticks(start = true, fixed = true);
equation
  der(x) = v;
  m*der(v) = if sticks then 0 else Fc - k*x;
  when k*x > Fs then
    sticks = false;
  elsewhen v >= vb then
    sticks = true;
    reinit(v, vb);
  end when;
  annotation(experiment(StopTime = 10.3));
end HealthyBlockSticksAndSlips;
