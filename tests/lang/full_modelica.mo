// expect-error: 5:3: 'import' is not part of flat Modelica
// expect-error: 6:3: 'replaceable' is not part of flat Modelica
// expect-error: 7:9: 'redeclare' is not part of flat Modelica
model FullModelica
  import Modelica.Constants.pi;
  replaceable Real x;
  M m(  redeclare Real y);
  M n(a(final b = 1));
end FullModelica;
