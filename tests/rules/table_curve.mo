// rule: a table of one variable is an external object; the C functions of the Modelica library are built in
// expect y(0.5) = 1.5
// expect y(1) = 3
// expect h(2) = 2
// expect s(0.5) = 0.5
// expect ends(0) = 3
package Tables
  class Table
    extends ExternalObject;
    function constructor
      input Real points[:, :];
      input Integer columns[:];
      input Integer smoothness;
      input Integer extrapolation;
      output Table t;
    external "C" t = ModelicaStandardTables_CombiTable1D_init3("NoName", "NoName", points, size(points, 1), size(points, 2), columns, size(columns, 1), smoothness, extrapolation, false, ",", 0);
    end constructor;
    function destructor
      input Table t;
    external "C" ModelicaStandardTables_CombiTable1D_close(t);
    end destructor;
  end Table;
  function value
    input Table t;
    input Integer column;
    input Real u;
    output Real y;
  external "C" y = ModelicaStandardTables_CombiTable1D_getValue(t, column, u);
  end value;
  function least
    input Table t;
    output Real u;
  external "C" u = ModelicaStandardTables_CombiTable1D_minimumAbscissa(t);
  end least;
  function greatest
    input Table t;
    output Real u;
  external "C" u = ModelicaStandardTables_CombiTable1D_maximumAbscissa(t);
  end greatest;
  model TableCurve
    parameter Real top = 3;
    parameter Table t = Table({{0, 0, 5}, {1, top, 6}, {3, 2, 7}}, {2}, 1, 1);
    parameter Table smooth = Table({{0, 0}, {1, 1}, {2, 4}, {3, 9}}, {2}, 2, 2);
    parameter Real low = least(t), high = greatest(t);
    Real ends = high - low;
    Real x(start = 0, fixed = true), y, h, s;
  equation
    der(x) = 1;
    y = value(t, 1, x);
    h = value(t, 1, 10*x);
    s = value(smooth, 1, x) + x - x^2;
    annotation(experiment(StopTime = 2));
  end TableCurve;
end Tables;
