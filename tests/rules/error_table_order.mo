// rule: the first column of a table increases
// expect exit 3
// expect error 'the first column of the table does not increase: entry 2 is 2, entry 3 1'
package Tables
  class Table
    extends ExternalObject;
    function constructor
      input Real points[:, :];
      output Table t;
    external "C" t = ModelicaStandardTables_CombiTable1D_init2("NoName", "NoName", points, size(points, 1), size(points, 2), {2}, 1, 1, 2, false);
    end constructor;
  end Table;
  function value
    input Table t;
    input Real u;
    output Real y;
  external "C" y = ModelicaStandardTables_CombiTable1D_getValue(t, 1, u);
  end value;
  model ErrorTableOrder
    parameter Table t = Table({{0, 0}, {2, 1}, {1, 4}});
    Real y = value(t, time);
    annotation(experiment(StopTime = 2));
  end ErrorTableOrder;
end Tables;
