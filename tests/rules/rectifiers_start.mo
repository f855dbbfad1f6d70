// rule: the mode in which several rectifiers start is found among many
// Two rectifiers of six diodes each have 4096 modes; in most of them the equations are singular.
// expect i[1](0) = (5*sin(0.3 + 2*pi/3) - 5*sin(0.3 + 4*pi/3))/3
// expect i[2](0) = (5*sin(1.3) - 5*sin(1.3 + 4*pi/3))/3
// expect i[1](1) = (5*sin(2.3) - 5*sin(2.3 + 2*pi/3))/3
model RectifiersStart
  constant Real third = 2.0943951023931953;
  Real v[2, 3], vp[2], vn[2], i[2], iu[2, 3], id[2, 3], su[2, 3], sd[2, 3];
equation
  for n in 1:2 loop
    for k in 1:3 loop
      v[n, k] = 5*sin(2*time + n - 0.7 + (k - 1)*third);
      v[n, k] - vp[n] = if su[n, k] < 0 then su[n, k] else 0;
      iu[n, k] = if su[n, k] < 0 then 0 else su[n, k];
      vn[n] - v[n, k] = if sd[n, k] < 0 then sd[n, k] else 0;
      id[n, k] = if sd[n, k] < 0 then 0 else sd[n, k];
    end for;
    sum(iu[n, :]) = i[n];
    sum(id[n, :]) = i[n];
    vp[n] - vn[n] = 3*i[n];
  end for;
  annotation(experiment(StopTime = 1));
end RectifiersStart;
