// cause: too_much_work
// why: ten million periods of a carrier, each of which needs dozens of steps, within the 2 s that the user allows; the
//     equations are healthy.
// run: --timeout 2 -n 5
model MixerOfAReceiver "carrier, mixer and low pass"
  parameter Real w = 6e7;
  Real a(start = 1, fixed = true), b(start = 0, fixed = true), mixed, audio(start = 0, fixed = true);
equation
  der(a) = -w*b;
  der(b) = w*a;
  mixed = a^3 + a*b;
  der(audio) = 100*(mixed - audio);
  annotation(experiment(StopTime = 1));
end MixerOfAReceiver;
