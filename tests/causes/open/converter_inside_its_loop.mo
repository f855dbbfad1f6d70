// cause: contradiction | no_solution
// culprits: y, code
// time: 0
// why: code = floor(3.5 - 2 y) and y = code + 0.5 give code = floor(2.5 - 2 code) = 2 - 2 code for an integer code, that
//     is code = 2/3: none.
model ConverterInsideItsLoop "analogue-digital converter with undelayed feedback"
  Real y, code, z(start = 0, fixed = true);
equation
  code = floor(3.5 - 2*y);
  y = code + 0.5;
  der(z) = y - z;
  annotation(experiment(StopTime = 1));
end ConverterInsideItsLoop;
