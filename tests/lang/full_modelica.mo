// expect-error: 5:10: names of the library are imported one by one: 'import Modelica.Constants.pi;'
// expect-error: 6:3: 'replaceable' is not part of flat Modelica
// expect-error: 7:9: 'redeclare' is not part of flat Modelica
model FullModelica
  import Modelica.Constants.*;
  replaceable Real x;
  M m(  redeclare Real y);
  M n(a(final b = 1));
end FullModelica;
