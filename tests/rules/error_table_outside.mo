// rule: a table without extrapolation has no value outside
// expect exit 1
// expect error 'a table without extrapolation is used outside of its range from 0 to 3'
package Tables
  class Table
    extends ExternalObject;
    function constructor
      input Real points[:, :];
      output Table t;
    external "C" t = ModelicaStandardTables_CombiTable1D_init2("NoName", "NoName", points, size(points, 1), size(points, 2), {2}, 1, 1, 4, false);
    end constructor;
  end Table;
  function value
    input Table t;
    input Real u;
    output Real y;
  external "C" y = ModelicaStandardTables_CombiTable1D_getValue(t, 1, u);
  end value;
  model ErrorTableOutside
    parameter Table t = Table({{0, 0}, {2, 1}, {3, 4}});
    Real y = value(t, time);
    annotation(experiment(StopTime = 4));
  end ErrorTableOutside;
end Tables;
