// rule: what is fixed stays where only the mode binds the states: vy follows from vx on the sphere, not both from an impulse
// The body leaves the sphere where cos = (v0^2/(g R) + 2 cos(0.3))/3, as energy tells.
// expect vx(0) = cos(0.3)
// expect vy(0) = -sin(0.3)
// expect y(0.2) = 1.815789 +- 1e-4
// expect contact(0.5) = true
// expect contact(0.56) = false
// expect vx(1) = 2.34206 +- 1e-3
// expect no warning
model StartFixedInMode
  Real x(start = 2*sin(0.3), fixed = true), y(start = 2*cos(0.3)), vx(start = cos(0.3), fixed = true), vy, N;
  Boolean contact(start = true, fixed = true);
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = N*x/2;
  der(vy) = N*y/2 - 9.81;
  if contact then
    x^2 + y^2 = 4;
  else
    N = 0;
  end if;
  when N < 0 then
    contact = false;
  end when;
  annotation(experiment(StopTime = 1.2));
end StartFixedInMode;
