// cause: undetermined_variable | redundant_equations
// culprits: va, vb, ia, ib
// why: a floating node: the secondary side has no connection to ground, only va - vb is determined; the sum of its
//     two node equations is 0 = 0.
model IsolatedSecondary "ideal transformer 2:1 with a resistive load on the secondary side"
  parameter Real n = 2, R1 = 5, R2 = 100, L = 0.1, U = 325, w = 314.16;
  Real v1, i1(start = 0, fixed = true), va, vb, ia, ib, is, vs, power;
equation
  L*der(i1) = U*sin(w*time) - R1*i1 - v1;
  v1 = n*vs;
  vs = va - vb;
  is = n*i1;
  ia = (va - vb)/R2;
  ib = (vb - va)/R2;
  ia - is = 0;
  ib + is = 0;
  power = vs*ia;
  annotation(experiment(StopTime = 0.1));
end IsolatedSecondary;
