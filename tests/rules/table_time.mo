// rule: a table of time has an event at each of its points, and jumps where a time stands twice
// expect x(2) = 1
// expect x(3) = 2
// expect x(4.5) = 2.125
// expect x(6) = 3
// expect p(2.05) = 1
// expect p(102.05) = 1
// expect p(102.15) = -1
// expect q(0.5) = 0
// expect q(2) = 2
package Tables
  class Table
    extends ExternalObject;
    function constructor
      input Real points[:, :];
      input Real startTime;
      input Integer smoothness;
      input Integer extrapolation;
      output Table t;
    external "C" t = ModelicaStandardTables_CombiTimeTable_init2("NoName", "NoName", points, size(points, 1), size(points, 2), startTime, {2}, 1, smoothness, extrapolation, 0.0, 1, false);
    end constructor;
    function destructor
      input Table t;
    external "C" ModelicaStandardTables_CombiTimeTable_close(t);
    end destructor;
  end Table;
  function value
    input Table t;
    input Real u, next, before;
    output Real y;
  external "C" y = ModelicaStandardTables_CombiTimeTable_getValue(t, 1, u, next, before);
  end value;
  function next
    input Table t;
    input Real u;
    output Real e;
  external "C" e = ModelicaStandardTables_CombiTimeTable_nextTimeEvent(t, u);
  end next;
  model TableTime
    parameter Table steps = Table({{1, 0}, {1, 1}, {3, 1}, {3, 0}, {4, 0}, {5, 1}, {5, 0.5}}, 0, 1, 1);
    parameter Table saw = Table({{0, 1}, {0.1, -1}, {0.2, -1}}, 0, 3, 3);
    parameter Table late = Table({{0, 0}, {10, 10}}, 1, 1, 2);
    discrete Real e(start = 0, fixed = true), f(start = 0, fixed = true), g(start = 0, fixed = true);
    Real x(start = 0, fixed = true), p, q;
  equation
    when {time >= pre(e), initial()} then
      e = next(steps, time);
    end when;
    when {time >= pre(f), initial()} then
      f = next(saw, time);
    end when;
    when {time >= pre(g), initial()} then
      g = next(late, time);
    end when;
    der(x) = value(steps, time, e, pre(e));
    p = value(saw, time, f, pre(f));
    q = value(late, time, g, pre(g));
    annotation(experiment(StopTime = 103));
  end TableTime;
end Tables;
