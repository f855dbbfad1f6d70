// rule: no step passes over a pulse in a table, whatever it depends on
// expect x(10) = 1
// expect z(10) = 1
// expect p(10) = 1
// expect s(10) = 1
package Tables
  class Table
    extends ExternalObject;
    function constructor
      input Real points[:, :];
      input Integer smoothness;
      input Integer extrapolation;
      output Table t;
    external "C" t = ModelicaStandardTables_CombiTable1D_init2("NoName", "NoName", points, size(points, 1), size(points, 2), {2}, 1, smoothness, extrapolation, false);
    end constructor;
  end Table;
  class Map
    extends ExternalObject;
    function constructor
      input Real points[:, :];
      output Map t;
    external "C" t = ModelicaStandardTables_CombiTable2D_init2("NoName", "NoName", points, size(points, 1), size(points, 2), 1, 1, false);
    end constructor;
  end Map;
  function value
    input Table t;
    input Real u;
    output Real y;
  external "C" y = ModelicaStandardTables_CombiTable1D_getValue(t, 1, u);
  end value;
  function value2
    input Map t;
    input Real u;
    input Real v;
    output Real y;
  external "C" y = ModelicaStandardTables_CombiTable2D_getValue(t, u, v);
  end value2;
  model TablePulse
    parameter Table line = Table({{0, 0}, {4, 0}, {4.001, 1000}, {4.002, 0}, {10, 0}}, 1, 1);
    parameter Table steps = Table({{0, 0}, {4, 1000}, {4.001, 0}, {10, 0}}, 3, 1);
    parameter Map map = Map({{0, 0, 1}, {4, 0, 0}, {4.001, 1000, 1000}, {4.002, 0, 0}});
    Real x(start = 0, fixed = true), y(start = 0, fixed = true), z(start = 0, fixed = true);
    Real p(start = 0, fixed = true), s(start = 0, fixed = true);
  equation
    der(x) = value(line, time);
    der(y) = 1;
    der(z) = value(line, y);
    der(p) = value(steps, y);
    der(s) = value2(map, y, 0.5);
    annotation(experiment(StopTime = 10));
  end TablePulse;
end Tables;
