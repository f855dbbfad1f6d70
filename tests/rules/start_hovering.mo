// rule: a start settles in which velocities are zero up to errors, and friction asks for their signs
// expect mode[1](0.1) = 0
// expect mode[2](0.1) = 0
// expect f[1](0.1) = sin(0.1)
// expect w[2](0.1) = 0 +- 1e-9
model StartHovering "Arms that friction holds, and velocities that errors of the forces move by 1e-11"
  parameter Real tau0 = 5;
  Real phi[2], w[2](each start = 0, each fixed = true), sa[2], f[2], wr[2];
  Boolean startForward[2](each start = false, each fixed = true), startBackward[2](each start = false, each fixed = true), locked[2](each start = false);
  Integer mode[2](each start = 3, each fixed = true);
initial equation
  phi = {0.1, 0.2};
equation
  for i in 1:2 loop
    der(phi[i]) = w[i];
    der(w[i]) = sin(phi[i]) - f[i];
    wr[i] = w[i] - 1e-10*f[i];
    startForward[i] = pre(mode[i]) == 0 and sa[i] > tau0 or pre(mode[i]) == -1 and wr[i] > 1e-3 or initial() and wr[i] > 0;
    startBackward[i] = pre(mode[i]) == 0 and sa[i] < -tau0 or pre(mode[i]) == 1 and wr[i] < -1e-3 or initial() and wr[i] < 0;
    locked[i] = not (pre(mode[i]) == 1 or startForward[i] or pre(mode[i]) == -1 or startBackward[i]);
    f[i] = if locked[i] then sa[i] elseif startForward[i] or pre(mode[i]) == 1 then tau0 else -tau0;
    der(w[i]) = if locked[i] then 0 elseif startForward[i] or pre(mode[i]) == 1 then sa[i] - tau0 else sa[i] + tau0;
    mode[i] = if (pre(mode[i]) == 1 or startForward[i]) and wr[i] > 0 then 1 elseif (pre(mode[i]) == -1 or startBackward[i]) and wr[i] < 0 then -1 else 0;
  end for;
  annotation(experiment(StopTime = 0.1));
end StartHovering;
