// rule: a file that does not exist is named
// expect exit 3
// expect error 'no_such_file.csv could not be opened'
package Tables
  class Table
    extends ExternalObject;
    function constructor
      input String name;
      input String file;
      input Integer n;
      output Table t;
    external "C" t = ModelicaStandardTables_CombiTable1D_init3(file, name, fill(0.0, 0, 2), 0, 2, {2}, 1, 1, 1, false, ";", n);
    end constructor;
  end Table;
  function value
    input Table t;
    input Real u;
    output Real y;
  external "C" y = ModelicaStandardTables_CombiTable1D_getValue(t, 1, u);
  end value;
  function readRealMatrix
    input String fileName;
    input String matrixName;
    input Integer nrow, ncol;
    input Boolean verboseRead = true;
    output Real matrix[nrow, ncol];
  external "C" ModelicaIO_readRealMatrix(fileName, matrixName, matrix, size(matrix, 1), size(matrix, 2), verboseRead);
  end readRealMatrix;
  model ErrorTableFile
    parameter Table text = Table("ramp", "table_file.txt", 0);
    parameter Table csv = Table("Values", "no_such_file.csv", 1);
    parameter Real m[2, 2] = readRealMatrix("table_file.txt", "map", 2, 2);
    parameter Integer size[2] = Modelica.Utilities.Streams.readMatrixSize("table_file.txt", "ramp");
    Real y = value(text, time), z = value(csv, time), a = m[2, 2], n = size[1];
    annotation(experiment(StopTime = 2));
  end ErrorTableFile;
end Tables;
