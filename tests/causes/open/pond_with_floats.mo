// cause: text
// culprits: float, Real
// why: the type of numbers is Real, not float.
model PondWithFloats
  float algae(start = 1);
equation
  der(algae) = 0.3*algae;
  annotation(experiment(StopTime = 2));
end PondWithFloats;
