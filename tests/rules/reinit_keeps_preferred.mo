// rule: at a reinit, variables that stateSelect prefers keep their values, though their derivatives do not occur; other states follow
// expect v1(0.5-) = 1
// expect v1(0.5+) = 0
// expect v_rel(0.5+) = -0.1
// expect v2(0.5+) = 0.1
// expect vb(0.5+) = 0.1
// expect s2(1) = -0.4
// expect w1(0.5+) = 0
// expect w2(0.5+) = 1.1
// expect w_rel(0.5+) = -1.1
// expect u_sum(0.5+) = 2.2
// expect u2(0.5+) = 1.1
// expect u3(0.5+) = 1.1
model ReinitKeepsPreferred
  Real s1(start = 0, fixed = true), v1(start = 1, fixed = true, stateSelect = StateSelect.always);
  Real s2(start = -1, fixed = true), v2(start = 1.1, fixed = true);
  Real sb "bound to s2", vb, ab;
  Real s_rel, v_rel(stateSelect = StateSelect.prefer);
  Real r1(start = 0, fixed = true), w1(start = 1, fixed = true);
  Real r2(start = -1, fixed = true), w2(start = 1.1, fixed = true);
  Real r_rel, w_rel "as above, without a preference";
  Real u1(start = 1, fixed = true), u2(start = 1.1, fixed = true), u3(start = 1.1, fixed = true);
  Real u_sum(stateSelect = StateSelect.prefer) "depends on two states that are free: it jumps";
equation
  v1 = der(s1);
  der(v1) = 0;
  v2 = der(s2);
  der(v2) = 0;
  sb = s2 + 0.05;
  vb = der(sb);
  ab = der(vb);
  s_rel = s1 - sb;
  v_rel = der(s_rel);
  w1 = der(r1);
  der(w1) = 0;
  w2 = der(r2);
  der(w2) = 0;
  r_rel = r1 - r2;
  w_rel = der(r_rel);
  der(u1) = 0;
  der(u2) = 0;
  der(u3) = 0;
  u_sum = u1 + u2 + u3;
  when time > 0.5 then
    reinit(v1, 0);
    reinit(w1, 0);
    reinit(u1, 0);
  end when;
  annotation(experiment(StopTime = 1));
end ReinitKeepsPreferred;
