// cause: structure | text
// culprits: open
// why: the Boolean is assigned in two separate when clauses, which makes two equations for one unknown; elsewhen was meant.
model ValveSetInTwoPlaces "level between two limits"
  Real h(start = 0.8, fixed = true);
  Boolean open(start = true, fixed = true);
equation
  der(h) = (if open then 0.3 else 0) - 0.1;
  when h > 1 then
    open = false;
  end when;
  when h < 0.5 then
    open = true;
  end when;
  annotation(experiment(StopTime = 20));
end ValveSetInTwoPlaces;
