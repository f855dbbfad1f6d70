// rule: a bus at the root that a part reads and another one writes has no input of the model
// expect s.h.z(1) = 1.6829419696157930
connector In = input Real;
connector Out = output Real;
expandable connector Bus
end Bus;
block Source
  Out y = sin(time);
end Source;
block User
  In u;
  Real z = 2*u;
end User;
model Reader
  Bus bus;
  User h;
equation
  connect(h.u, bus.m);
end Reader;
model Top
  Bus bus;
  Reader s;
  Source e;
equation
  connect(bus, s.bus);
  connect(e.y, bus.m);
end Top;
