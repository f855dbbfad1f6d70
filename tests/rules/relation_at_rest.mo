// rule: a source that rests at the threshold of a relation has reached it, and noise around zero is not counted
// u rests at 0 from (pi - 3.5)/3 + pi/3 on; r until 2, and from 3 to 4.  A body falls from 1 m on a spring of
// 50 N/m: in 5 s it touches the ground four times and leaves it four times, and F = max(0, -k h) is zero between.
// run solve
// run solve --method bdf
// run solve --method radau
// run solve --method rodas
// run solve --method limex
// run solve --rtol 1e-4
// run solve --rtol 1e-8
// expect up(1.5) = 1
// expect down(1.5) = 0
// expect down(2.5) = 1
// expect up(5) = 2
// expect down(5) = 2
// expect begins(5) = 2
// expect ends(3.5) = 1
// expect ends(5) = 1
// expect touches(5) = 4
// expect leaves(4) = 3
// expect still(0.5) = true
// expect still(2.5) = false
// expect still(3.5) = true
model RelationAtRest
  Real u = max(0, sin(3*time + 3.5)), r, h(start = 1, fixed = true), v(start = 0, fixed = true), F;
  Integer up(start = 0, fixed = true), down(start = 0, fixed = true), begins(start = 0, fixed = true);
  Integer ends(start = 0, fixed = true), touches(start = 0, fixed = true), leaves(start = 0, fixed = true);
  Boolean still;
equation
  r = if time < 2 then 0 elseif time < 3 then sin(3.141592653589793*(time - 2)) elseif time < 4 then 0 else time - 4;
  still = r <= 0;
  F = max(0, -50*h);
  der(h) = v;
  der(v) = F - 9.81;
  when u > 0 then
    up = pre(up) + 1;
  end when;
  when u <= 0 then
    down = pre(down) + 1;
  end when;
  when r > 0 then
    begins = pre(begins) + 1;
  end when;
  when r <= 0 then
    ends = pre(ends) + 1;
  end when;
  when F > 0 then
    touches = pre(touches) + 1;
  end when;
  when F <= 0 then
    leaves = pre(leaves) + 1;
  end when;
  annotation(experiment(StopTime = 5));
end RelationAtRest;
