// cause: too_much_work
// run: --timeout 3
// why: a bridge that switches every 0.4 and 0.6 microseconds for 3600 s: 7.2e9 switches, none of them nearer to the
//     next than 0.4 microseconds.
model InverterForAnHour "the switching of an inverter, resolved, in a model of the warming of its coolant"
  parameter Real T = 1e-6, U = 24, R = 2, L = 1e-3;
  Real i(start = 0, fixed = true), v, Tc(start = 20, fixed = true);
equation
  v = if mod(time, T) < 0.4*T then U else -U;
  L*der(i) = v - R*i;
  600*der(Tc) = R*i^2 - 2*(Tc - 20);
  annotation(experiment(StopTime = 3600));
end InverterForAnHour;
