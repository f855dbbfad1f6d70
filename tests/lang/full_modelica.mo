// expect-error: 3:10: names of the library are imported one by one: 'import Modelica.Constants.pi;'
model FullModelica
  import Modelica.Constants.*;
  M n(a(final b = 1));
end FullModelica;
