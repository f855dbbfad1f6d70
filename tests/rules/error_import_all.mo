// rule: all names of a package of the library cannot be imported at once
// expect exit 3
// expect error 5:10 'names of the library are imported one by one'
model ErrorImportAll
  import Modelica.Constants.*;
  Real x = 1;
end ErrorImportAll;
