// cause: too_much_work
// run: --timeout 0.5
// why: a spindle of 4000 rad/s and an encoder of 10000 lines: six million events in each of 50000 s.
model EncoderOfASpindle "the lines of an encoder on a spindle, counted one by one"
  Real phi(start = 0, fixed = true), w(start = 4000, fixed = true);
  Integer lines;
equation
  der(phi) = w;
  der(w) = 0.1*(4000 - w);
  lines = integer(floor(phi*10000/6.283185307179586));
  annotation(experiment(StopTime = 50000));
end EncoderOfASpindle;
