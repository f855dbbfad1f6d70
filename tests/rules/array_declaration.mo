// rule: sizes behind the type, behind the name, or both (the sizes of the name come first)
// expect a[2](1) = 2
// expect b[2](1) = 2
// expect c[2,3](1) = 6
// expect d[2,3](1) = 6
model ArrayDeclaration
  Real[2] a = {1, 2};
  Real b[2] = {1, 2};
  Real[3] c[2] = {{1, 2, 3}, {4, 5, 6}} "the same as Real c[2, 3]";
  Real[2, 3] d = c;
  annotation(experiment(StopTime = 1));
end ArrayDeclaration;
