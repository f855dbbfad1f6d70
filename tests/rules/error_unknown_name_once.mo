// rule: one unknown name at several places is one message
// expect exit 3
// expect error 7:14 'unknown name 'rate''
// run solve
model ErrorUnknownNameOnce
  Real x, y, z;
equation x = rate;
  y = 2*rate;
  z = rate + 1;
  annotation(experiment(StopTime = 1));
end ErrorUnknownNameOnce;
