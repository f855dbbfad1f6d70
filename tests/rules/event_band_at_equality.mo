// rule: bodies that move together are equal within the accuracy of the run: the event iteration does not end
// with w2 < w1, so that they are compared as equal, and the wheel is free
// w1 = 2 + sin(3 t); bound to it, the torque is 3 cos(3 t) + 0.8 w1; from its zero on w2 falls by itself
// expect free(0.7) = false
// expect free(0.9) = true
// expect w2(0.9) = 2.69527876*exp(-0.8*(0.9 - 0.790928632))
// expect free(2) = false
// expect w2(2) = 2 + sin(6)
model EventBandAtEquality
  Real w1, w2(start = 2, fixed = true), tau;
  Boolean free(start = false, fixed = true);
equation
  w1 = 2 + sin(3*time);
  der(w2) = tau - 0.8*w2;
  if free then
    tau = 0;
  else
    der(w2) = 3*cos(3*time);
  end if;
  when not pre(free) and tau < 0 then
    free = true;
  elsewhen pre(free) and w2 < w1 then
    free = false;
  end when;
  annotation(experiment(StopTime = 2));
end EventBandAtEquality;
