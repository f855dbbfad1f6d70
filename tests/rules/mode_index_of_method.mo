// rule: modes of an index that the method does not take are done by another one, until the index is low again
// A mass falls on a ground that holds it at x = 0 (index 3) until a growing force lifts it at t1 = 2 + 9.81/20, where the
// force F of the ground is zero; behind that x = 10/3*(t - t1)^3.  An ideal diode (index 2) ends the current that
// charges a capacitor at half a period: i = 20 sin(10 t) until pi/10, and u = 20 from then on.
// run solve
// run solve --method bdf
// run solve --method radau
// run solve --method rodas
// run solve --method limex
// expect x(0.3) = 1 - 9.81*0.045
// expect x(1) = 0
// expect F(1) = 9.81
// expect F(2.2) = 5.81
// expect x(3) = 10/3*(1 - 9.81/20)**3
// expect x(4) = 10/3*(2 - 9.81/20)**3
// expect i(0.1) = 10*sin(1)
// expect i(0.5) = 0
// expect u(0.5) = 20
// expect u(4) = 20
// expect no warning
model ModeIndexOfMethod
  Real x(start = 1, fixed = true), v(start = 0, fixed = true), F;
  Boolean rests(start = false, fixed = true), off;
  Real i(start = 0, fixed = true), u(start = 0, fixed = true), vd, s(start = 1);
equation
  der(x) = v;
  der(v) = -9.81 + F + (if time > 2 then 20*(time - 2) else 0);
  if rests then
    x = 0;
  else
    F = 0;
  end if;
  when not pre(rests) and x < 0 then
    rests = true;
    reinit(v, 0);
  elsewhen pre(rests) and F < 0 then
    rests = false;
  end when;
  10 = vd + 0.1*der(i) + u;
  0.1*der(u) = i;
  off = s < 0;
  vd = if off then s else 0;
  i = if off then 0 else s;
  annotation(experiment(StopTime = 4));
end ModeIndexOfMethod;
