// rule: a value far below the nominal value of its variable counts as zero in relations
// expect moves(0.2) = false
// expect moves(1) = false
// expect counts(0.2) = true
// expect counts(1) = true
// expect rested(1) = true
model RelationOfNothing
  Real v(start = 0, fixed = true) "what errors leave of a velocity that friction holds";
  Real q(start = 0, fixed = true, nominal = 1e-27) "a mass of an atom";
  Boolean moves = v > 0, counts = q > 0, rested(start = false, fixed = true);
equation
  der(v) = 1e-28;
  der(q) = 1e-28;
  when time > 0.5 then
    rested = not moves;
  end when;
  annotation(experiment(StopTime = 1));
end RelationOfNothing;
