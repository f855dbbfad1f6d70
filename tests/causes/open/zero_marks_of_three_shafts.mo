// cause: redundant_equations | no_solution
// culprits: a, b, c
// why: a = 2 b and b = 3 c + 1 give a = 6 c + 2, and the third relation, read from the marks on the wheels, says a = 6 c + 1.
//     The three equations for three angles contradict each other, whatever c is.
model ZeroMarksOfThreeShafts "angles of a gear train with marks"
  Real a, b, c, oil(start = 1, fixed = true);
equation
  a = 2*b;
  b = 3*c + 1;
  a = 6*c + 1;
  der(oil) = -0.01*oil;
  annotation(experiment(StopTime = 10));
end ZeroMarksOfThreeShafts;
