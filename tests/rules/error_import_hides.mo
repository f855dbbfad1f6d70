// rule: what is imported cannot be declared under the same name, nor be a loop variable
// expect exit 3
// expect error 7:8 ''pi' is imported in line 6: give this another name'
// expect error 9:24 ''e' is imported in line 8: give this another name'
model ErrorImportHides
  import Modelica.Constants.pi;
  Real pi = 3;
  import Modelica.Constants.e;
  Real y = sum(2*i for e in 1:3);
end ErrorImportHides;
