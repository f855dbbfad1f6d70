// rule: a port of a part that only takes gives its value to the port of the model around it
// expect outer_part.port.h(0) = 30
// expect outer_part.inside.from(0) = 7
connector Port
  flow Real m;
  stream Real h;
  Real p;
end Port;
model Source
  Port port(m(max = 0));
  Real from = inStream(port.h);
equation
  port.m = -1;
  port.h = 7;
end Source;
model Sink
  Port port(m(min = 0));
  Real from = inStream(port.h);
equation
  port.p = 0;
  port.h = 30;
end Sink;
model Outer
  Port port(m(min = 0));
  Sink inside;
equation
  connect(inside.port, port);
end Outer;
model Top
  Source source;
  Outer outer_part;
equation
  connect(source.port, outer_part.port);
end Top;
