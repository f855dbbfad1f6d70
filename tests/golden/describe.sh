cat > kinds.mo <<'END'
model Kinds "several kinds"
  parameter Integer n = 4 "cells";
  parameter Real L(unit = "m", min = 0) = 2 "length";
  parameter Real k[3] = {1, 2, 3} "gains";
  parameter Real M[2, 2] = {{1, 0}, {0, 1}};
  parameter Real q(fixed = false);
  parameter Boolean b = true;
  final parameter Real dx = L/n;
  constant Real c = 3;
  input Real u(start = 0.5) "drive";
  output Real y;
  output Real x(start = 1, fixed = true);
  Real T[n](each start = 20, each fixed = true, each unit = "K");
initial equation
  q = 2*x;
equation
  der(x) = if L > 1 then -k[1]*x + u else -x;
  y = M[2, 2]*x + k[2] + q + c;
  for i in 1:n loop
    der(T[i]) = -T[i]*dx;
  end for;
  annotation(experiment(StopTime = 3, Tolerance = 1e-5));
end Kinds;
END
daedal describe kinds.mo -p L=3 --all
daedal describe kinds.mo -p n=2 --json | grep -A7 '"T\[2\]"\|"k\[3\]"'
daedal describe $MODELS/pendulum.mo
daedal describe kinds.mo -p m=2; echo "unknown parameter: $?"
daedal describe kinds.mo --vars x; echo "unknown flag: $?"
