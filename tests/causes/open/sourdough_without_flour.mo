// cause: structure
// culprits: flour
// why: the feeding of the dough is not described: four unknowns, three equations.
model SourdoughWithoutFlour
  Real yeast(start = 1, fixed = true), bacteria(start = 2, fixed = true), acid, flour;
equation
  der(yeast) = 0.3*flour*yeast - 0.05*acid;
  der(bacteria) = 0.2*flour*bacteria;
  acid = 0.1*bacteria;
  annotation(experiment(StopTime = 5));
end SourdoughWithoutFlour;
