// Pressures in a gas network and flows through its machines: a source of constant pressure, a
// compressor that raises the pressure by a ratio, five pipes that store gas at their nodes, and
// consumers whose demand jumps during the day.  What is stored, taken and supplied is balanced.
// reference: p[4] = 56.49624464 at t = 20, tolerance 1e-4
// from: extrapolation method at 1e-13, piece by piece (tests/golden/reference_values.py)
model GasNetwork "a gas network with demands that jump"
  parameter Real p0 = 50 "source", ratio = 1.2 "of the compressor";
  parameter Real c[4] = {0.4, 0.6, 0.5, 0.5} "capacities", k[5] = {8, 6, 4, 4, 3} "conductivities";
  Real p[4](each start = 50, each nominal = 10) "behind the compressor and at three nodes";
  Real q[5] "flows of the pipes", qc "of the compressor", ps "before the compressor";
  Real demand[3], supplied(start = 0, fixed = true), taken(start = 0, fixed = true);
  Real balance "stored, taken and not supplied: constant";
initial equation
  p[2] = 50;
  p[3] = 48;
  p[4] = 47;
equation
  demand[1] = if time < 6 then 2 elseif time < 18 then 12 else 4;
  demand[2] = if time < 7 then 1 elseif time < 17 then 8 else 3;
  demand[3] = if time < 12 then 3 else 5;
  ps = p0 - 0.1*qc "pipe from the source to the compressor";
  p[1] = ratio*ps;
  q[1] = k[1]*(p[1]^2 - p[2]^2)/sqrt(abs(p[1]^2 - p[2]^2) + 100)/10;
  q[2] = k[2]*(p[1]^2 - p[3]^2)/sqrt(abs(p[1]^2 - p[3]^2) + 100)/10;
  q[3] = k[3]*(p[2]^2 - p[3]^2)/sqrt(abs(p[2]^2 - p[3]^2) + 100)/10;
  q[4] = k[4]*(p[2]^2 - p[4]^2)/sqrt(abs(p[2]^2 - p[4]^2) + 100)/10;
  q[5] = k[5]*(p[3]^2 - p[4]^2)/sqrt(abs(p[3]^2 - p[4]^2) + 100)/10;
  0 = qc - q[1] - q[2] - c[1]*der(p[1]);
  c[2]*der(p[2]) = q[1] - q[3] - q[4] - demand[1];
  c[3]*der(p[3]) = q[2] + q[3] - q[5] - demand[2];
  c[4]*der(p[4]) = q[4] + q[5] - demand[3];
  der(supplied) = qc;
  der(taken) = sum(demand);
  balance = c*p + taken - supplied;
  annotation(experiment(StopTime = 24));
end GasNetwork;
