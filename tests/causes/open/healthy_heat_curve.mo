// cause: none
// expect: Q(200) = 186.6666667 +- 1e-3
// why: T is prescribed by a function with a loop and no derivative annotation, and Q needs der(T): index 2. The
//     function is 20 + t/12, so Q = 1200/12 + 4 (T - 15).
model HealthyHeatCurve "which heating power gives the prescribed temperature?"
  function curve
    input Real t;
    output Real T;
  protected
    Real s;
  algorithm
    s := t;
    T := 20;
    while s > 60 loop
      s := s - 60;
      T := T + 5;
    end while;
    T := T + 5*s/60;
  end curve;
  parameter Real C = 1200, kA = 4, Tamb = 15;
  Real T, Q, loss, E(start = 0, fixed = true);
equation
  T = curve(time);
  loss = kA*(T - Tamb);
  C*der(T) = Q - loss;
  der(E) = Q;
  annotation(experiment(StopTime = 200));
end HealthyHeatCurve;
