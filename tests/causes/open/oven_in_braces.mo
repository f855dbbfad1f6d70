// cause: text
// culprits: {, then, if
// why: conditions have then and end if, not braces.
model OvenInBraces
  Real T(start = 20, fixed = true), u;
equation
  if (T < 200) {
    u = 100;
  } else {
    u = 0;
  }
  der(T) = 0.1*u - 0.01*(T - 20);
  annotation(experiment(StopTime = 20));
end OvenInBraces;
