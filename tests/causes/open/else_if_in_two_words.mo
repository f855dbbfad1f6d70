// cause: text
// culprits: if, end, elseif
// why: 'else if' opens a second if equation, whose 'end if' is missing; 'elseif' was meant.
model ElseIfInTwoWords "heating curve in three parts"
  Real Tout, flow, T(start = 20, fixed = true);
equation
  Tout = 5 + 10*sin(time);
  if Tout < 0 then
    flow = 60;
  else if Tout < 15 then
    flow = 45;
  else
    flow = 20;
  end if;
  der(T) = 0.1*(flow - T);
  annotation(experiment(StopTime = 10));
end ElseIfInTwoWords;
