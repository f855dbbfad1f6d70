// cause: redundant_equations | no_solution
// culprits: red, green, blue
// why: the third recipe is the sum of the first two on its left, and 3.5 instead of 1 + 2 on its right.
model ThreeDyesFromTwo
  Real red, green, blue, faded(start = 1, fixed = true);
equation
  red + green + blue = 1;
  2*red + 3*green + blue = 2;
  3*red + 4*green + 2*blue = 3.5;
  der(faded) = -faded*red;
  annotation(experiment(StopTime = 3));
end ThreeDyesFromTwo;
