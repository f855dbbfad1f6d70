// cause: structure
// culprits: Thout, Tcout
// why: five equations for five unknowns, but Thout has two (Tw + 5 and Thin - 20), and Tcout is in none: the balance of the cold side is missing.
model ExchangerOutletDefinedTwice "heat exchanger with a wall of one temperature"
  parameter Real mh = 0.5, cp = 4186, UA = 800, C = 2e4, Thin = 80, Tcin = 15;
  Real Tw(start = 20, fixed = true), Q, Thout, Tcout, share;
equation
  C*der(Tw) = Q - UA*(Tw - Tcin);
  Q = mh*cp*(Thin - Thout);
  Thout = Tw + 5;
  Thout = Thin - 20;
  share = Q/1e5;
  annotation(experiment(StopTime = 600));
end ExchangerOutletDefinedTwice;
