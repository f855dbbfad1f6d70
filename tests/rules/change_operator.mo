// rule: change(v) = v <> pre(v): true at rises and falls
// expect k(0.2) = 0
// expect k(0.4) = 1
// expect k(0.6) = 2
// expect k(1) = 3
model ChangeOperator
  Integer v(start = 5) = if time < 0.25 then 5 elseif time < 0.5 then 8
    elseif time < 0.75 then 2 else 3;
  Integer k(start = 0, fixed = true);
equation
  when change(v) then
    k = pre(k) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end ChangeOperator;
