// cause: text
// culprits: output
// why: output is a word of the language and cannot be the name of a variable.
model OutputAsAName "lag of first order"
  parameter Real tau = 0.3;
  Real input_signal, output(start = 0, fixed = true);
equation
  input_signal = sin(time);
  tau*der(output) = input_signal - output;
  annotation(experiment(StopTime = 10));
end OutputAsAName;
