// cause: text
// culprits: friction
// why: friction has two inputs without defaults and is called with one.
model ArgumentMissing
  function friction
    input Real v;
    input Real mu;
    output Real F;
  algorithm
    F := mu*v*abs(v);
  end friction;
  Real v(start = 8, fixed = true), x(start = 0, fixed = true), F;
equation
  F = friction(v);
  der(v) = -F;
  der(x) = v;
  annotation(experiment(StopTime = 3));
end ArgumentMissing;
