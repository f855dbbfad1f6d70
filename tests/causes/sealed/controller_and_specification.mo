// cause: structure
// culprits: T, e, margin, reserve
// why: three equations contain nothing but T and e, and a single one is left for margin and reserve.
model ControllerAndSpecification "the temperature is prescribed, and the error of the controller as well"
  parameter Real Tset = 360, C = 2e4, k = 30, Ta = 290, Pmax = 5000;
  Real T(start = 350), e, P, u, margin, reserve;
equation
  T = 350 + 2*sin(0.1*time);
  e = Tset - T;
  e = 0.1*(T - Ta) + 2;
  C*der(T) = P - k*(T - Ta);
  P = Pmax*u;
  margin + reserve = Pmax - P;
  annotation(experiment(StopTime = 60));
end ControllerAndSpecification;
