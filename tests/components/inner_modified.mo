// rule: the modifiers of the nearest inner component hold
// expect a.y(0) = 7
// expect b.y(0) = 3
// expect c.p.y(0) = 20
model World
  parameter Real g = 9.81;
  replaceable function f
    input Real x;
    output Real y;
  algorithm
    y := x;
  end f;
end World;
model Part
  outer World world;
  Real y = world.g;
end Part;
model Sub
  inner World world(g = 20);
  Part p;
end Sub;
model Deep
  Part q;
  Real y = q.y - 4;
end Deep;
model Top
  inner World world(g = 7);
  Part a;
  Deep b;
  Sub c;
end Top;
