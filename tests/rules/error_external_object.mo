// rule: an external object is refused by name
// expect exit 3
// expect error 'Table'
class Table
  extends ExternalObject;
  function constructor
    input Real size;
    output Table table;
    external "C" table = makeTable(size);
  end constructor;
  function destructor
    input Table table;
    external "C" freeTable(table);
  end destructor;
end Table;
model ErrorExternalObject
  Table t = Table(2.0);
  Real x = time;
  annotation(experiment(StopTime = 1));
end ErrorExternalObject;
