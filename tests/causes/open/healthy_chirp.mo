// cause: none
// expect: n(40) = 255 +- 0.1
// why: sin(t^2) becomes positive at t^2 = 2 pi k, ever faster but never infinitely fast: k = 0 to 254 up to t = 40.
model HealthyChirp "a chirp, whose periods shrink without an end"
  Real x(start = 0, fixed = true), s;
  Integer n(start = 0, fixed = true);
equation
  der(x) = 2*time;
  s = sin(x);
  when s > 0 then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 40));
end HealthyChirp;
