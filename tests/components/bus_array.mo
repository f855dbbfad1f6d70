// rule: buses that are arrays inside buses give one another their members
// expect user.y(0) = 3
connector In = input Real;
connector Out = output Real;
expandable connector CellBus
  Real v;
  Real unused;
end CellBus;
expandable connector StackBus
  parameter Integer n = 1;
  CellBus cell[n];
end StackBus;
model Cell
  parameter Real k = 1;
  CellBus bus;
  Out v = k;
equation
  connect(v, bus.v);
end Cell;
model Stack
  Cell cell[2](k = {1, 2});
  StackBus bus(n = 2);
equation
  connect(cell.bus, bus.cell);
end Stack;
model User
  StackBus bus(n = 2);
  In u[2];
  Real y = sum(u);
equation
  for i in 1:2 loop
    connect(bus.cell[i].v, u[i]);
  end for;
end User;
model Top
  Stack stack;
  User user;
equation
  connect(stack.bus, user.bus);
end Top;
