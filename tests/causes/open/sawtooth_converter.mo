// cause: too_much_work
// run: --timeout 0.5
// why: a carrier of 100 kHz for 10000 s: 1e9 periods with two events each.
model SawtoothConverter "a converter with its carrier as a state, in a model of a battery"
  Real saw(start = 0, fixed = true), i(start = 0, fixed = true), charge(start = 0, fixed = true);
  Boolean on;
equation
  der(saw) = 1e5;
  on = saw < 0.3;
  1e-3*der(i) = (if on then 48 else 0) - 12 - 0.1*i;
  der(charge) = i;
  when saw >= 1 then
    reinit(saw, 0);
  end when;
  annotation(experiment(StopTime = 1e4));
end SawtoothConverter;
