// cause: event_iteration
// culprits: code
// time: 0.8 +- 1e-6
// why: from t = 0.8 on code = mod(3 pre(code) + 1, 7) holds in every pass of the event iteration, not once per clock: 0, 1, 4, 6, 5, 2,
//     0, ... never settles (the fixed point 3 is not in this cycle).
model ScramblerRunsFree "scrambler of a transmitter, written without a clock"
  Integer code(start = 0, fixed = true);
  Real y(start = 0, fixed = true);
equation
  code = if time >= 0.8 then mod(3*pre(code) + 1, 7) else pre(code);
  der(y) = code - y;
  annotation(experiment(StopTime = 2));
end ScramblerRunsFree;
