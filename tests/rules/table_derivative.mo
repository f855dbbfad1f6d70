// rule: a table is differentiated as often as the index asks for: a mass is led along a smooth curve
// expect v(0.5) = 1
// expect f(1.7) = 4
// expect z(1) = 6
package Tables
  class Table
    extends ExternalObject;
    function constructor
      input Real points[:, :];
      output Table t;
    external "C" t = ModelicaStandardTables_CombiTable1D_init2("NoName", "NoName", points, size(points, 1), size(points, 2), {2}, 1, 2, 2, false);
    end constructor;
    function destructor
      input Table t;
    external "C" ModelicaStandardTables_CombiTable1D_close(t);
    end destructor;
  end Table;
  class Map
    extends ExternalObject;
    function constructor
      input Real points[:, :];
      output Map t;
    external "C" t = ModelicaStandardTables_CombiTable2D_init2("NoName", "NoName", points, size(points, 1), size(points, 2), 1, 2, false);
    end constructor;
    function destructor
      input Map t;
    external "C" ModelicaStandardTables_CombiTable2D_close(t);
    end destructor;
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
  model TableDerivative
    parameter Table path = Table({{0, 0}, {1, 1}, {2, 4}, {3, 9}, {4, 16}});
    parameter Map map = Map({{0, 0, 2}, {0, 0, 4}, {3, 0, 10}});
    Real s, v, f, z;
  equation
    s = value(path, time);
    der(s) = v;
    2*der(v) = f;
    z = value2(map, 3*time, 2 - time) + time;
    annotation(experiment(StopTime = 2));
  end TableDerivative;
end Tables;
