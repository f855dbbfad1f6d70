// rule: a switch and a sample fall on zero crossings of the source, where t has few digits left
// expect m(5.001) = 52.0022 +- 1e-4
// run solve --rtol 1e-9 -t 7
// run solve --rtol 1e-9 -t 7 --method radau
model ThyristorAtZeroCrossings
  parameter Real T = 0.02;
  Real v = 325.27*sin(2*3.14159265358979*50*time);
  Real i, s(start = 0), x(start = 0, fixed = true), m;
  Boolean off(start = true, fixed = true), fire;
  discrete Real mean(start = 0, fixed = true), since(start = 0, fixed = true);
  Real r(start = 0, fixed = true);
equation
  when v > 0 then
    since = time;
  end when;
  fire = v > 0 and (time - since)*100 > time/10;
  off = s < 0 or pre(off) and not fire;
  v = s*(if off then 1 else 1e-5) + 20*i;
  i = s*(if off then 1e-5 else 1);
  der(x) = 20*i;
  der(r) = 1;
  when sample(T, T) then
    mean = x/T;
    reinit(x, 0);
  end when;
  m = mean;
  annotation(experiment(StopTime = 10));
end ThyristorAtZeroCrossings;
