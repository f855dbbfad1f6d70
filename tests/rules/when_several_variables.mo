// rule: equations of one when are sorted: the order in the text does not matter
// expect a(1) = 5
// expect b(1) = 10
// expect c(1) = 11
model WhenSeveralVariables
  discrete Real a, b, c;
equation
  when time >= 0.5 then
    c = b + 1;
    b = 2*a;
    a = 10*time;
  end when;
  annotation(experiment(StopTime = 1));
end WhenSeveralVariables;
