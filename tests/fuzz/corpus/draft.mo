//! base 0.1.0
package 'P'
  @1 constant Integer 'k' = 2 @3;
  model 'P'
    @2 Real 'x'(@1 start = 1.0);
    Clock 'free' = Clock(0.1);
    parameter equation guess('x') = prioritize(1.0, 2);
    parameter equation guess('y'[1].'z') = 3.0 "from a measurement";
  equation
    @1 'x' = (if true then 1 else 2 @4) @5;
    prioritize('x', 1);
    annotation(Documentation(info = "<html>text</html>"));
  partition "clocked"
    annotation(note = 1);
    Clock 'c' = Clock(0.1) "fast";
    Clock 'd' = subSample('c', 2);
    subpartition (clock = 'c', solver = "x") "first" annotation(a);
    equation
      'u' = previous('u') + 1;
    algorithm
      'v' := 2;
    subpartition ()
    equation
      'w' = 1;
  partition
    subpartition (clock = 'd')
    algorithm
      'q' := hold('v');
  end 'P';
end 'P';
